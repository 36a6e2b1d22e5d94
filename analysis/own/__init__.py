"""One's own functions: which kernels a person's file has, and whether two results are equal."""
