"""What runs: asv in steps, environments, releases, and what of them is still to be measured."""
