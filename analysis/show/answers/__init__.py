"""The answers as tables: one module for each question, `tables(answer)` for all that draw them."""
