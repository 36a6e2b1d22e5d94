"""asv benchmarks: how the workloads of `backends` are timed. See `_suite`."""
