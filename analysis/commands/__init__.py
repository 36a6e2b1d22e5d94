"""The commands of `jitcost`, a module each; see `analysis.cli`."""
