"""One module for each question: `ask(cells, options)` returns its answer."""
