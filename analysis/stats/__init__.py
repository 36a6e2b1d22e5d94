"""Numbers in, dataclasses out: the statistics of measured times, process by process."""
