"""The commands of `jitcost`, a module each; see `jitcost.cli`."""
