"""From asv's result files to the numbers that people decide by; the `jitcost` command."""
