"""Result files of asv and of others, as one table of cells: read, selected, merged, kept, exported."""
