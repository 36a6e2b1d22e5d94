"""What both JAX backends share: the configuration, and calls that wait for the whole result."""

from __future__ import annotations

import functools
import os
from typing import Any

# Read by JAX when it is imported. A GPU is used only when one is asked for by name.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from jitcost.backends import Array, Call, Kernel

# JAX computes in float32 unless told otherwise before the first array is made.
jax.config.update("jax_enable_x64", True)
# A persistent cache would turn the next process's compile into a file read.
jax.config.update("jax_enable_compilation_cache", False)


# What is there when it is returned.
_WAITED_FOR = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)

# What a kernel for any array library gets as xp.
XP = "jax.numpy"


def to_native(array: Array) -> jax.Array:
    # A copy: on the CPU jax.numpy.asarray may share NumPy's memory.
    return jnp.array(array).block_until_ready()


def to_numpy(result: Any) -> npt.NDArray[Any]:
    return np.asarray(result)


@functools.cache
def _array() -> Any:
    # The type of every array that is there: jax.Array stands for tracers, too. Not when this module is
    # imported: the first array starts the CPU's client, and a variant's setting comes too late then.
    return type(jnp.zeros(()))


def make_call(kernel: Kernel, inputs: tuple[Any, ...]) -> Call:
    array = _array()

    def call() -> Any:
        result = kernel(*inputs)
        # JAX returns before the work is done. The array's own method takes 0.1 us of a call,
        # jax.block_until_ready, which walks nested results, 0.6 us.
        return (
            result.block_until_ready() if type(result) is array else jax.block_until_ready(result)
        )

    return call


def is_ready(result: Any) -> bool:
    # An object that JAX cannot look into is a leaf, and nobody has waited for what it holds.
    return all(
        leaf.is_ready() if isinstance(leaf, jax.Array) else isinstance(leaf, _WAITED_FOR)
        for leaf in jax.tree_util.tree_leaves(result)
    )


def is_native(result: Any) -> bool:
    # A number of Python's was waited for when it was made; what is NumPy's was made without JAX.
    leaves = jax.tree_util.tree_leaves(result)
    return not any(isinstance(leaf, np.ndarray | np.generic) for leaf in leaves)


def details() -> dict[str, str]:
    device = jax.devices()[0]
    return {
        "jax": jax.__version__,
        "jaxlib": jax.lib.__version__,
        "device": f"{device.platform} {device.device_kind}",
    }
