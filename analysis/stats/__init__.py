"""Numbers in, dataclasses out: intervals, fits, break-even, crossings. No asv, table or terminal."""
