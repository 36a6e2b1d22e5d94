"""The Julia kernels under a plain `julia`, without juliacall: JITCOST_JULIA, or the one on the PATH."""

import os
import shutil
import subprocess

import numpy as np
import pytest

from conftest import ROOT
from jitcost.backends import workloads

JULIA = os.environ.get("JITCOST_JULIA") or shutil.which("julia")

pytestmark = pytest.mark.skipif(
    JULIA is None, reason="no julia on the PATH, and JITCOST_JULIA does not name one"
)


def julia(*args):
    # Precompiling crashes Debian's Julia 1.5 on new processors, and would write to the home.
    command = [JULIA, "--startup-file=no", "--compiled-modules=no", *map(str, args)]
    done = subprocess.run(command, cwd=ROOT / "julia", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("workload", "options"),
    [(name, options) for name, s in workloads.WORKLOADS.items() for options in s.settings()],
)
@pytest.mark.parametrize("n", [1, 1_000, 100_000])
def test_agreement(workload, options, n, tmp_path):
    spec = workloads.get(workload)
    if (reason := spec.why_not("julia", n)) is not None:
        pytest.skip(reason)
    inputs, paths = spec.inputs(n, **options), []
    for i, array in enumerate(inputs):
        array.ravel(order="F").tofile(tmp_path / f"input{i}")  # Julia stores column after column
        shape = ",".join(map(str, array.shape))
        paths.append(f"{tmp_path}/input{i}:{array.dtype}:{shape}")
    option = "".join(f"{name}={value}" for name, value in options.items())
    julia("test/run_kernel.jl", workload, option, tmp_path / "output", *paths)
    value, reference = np.fromfile(tmp_path / "output"), spec.reference(*inputs, **options)
    assert value.size == reference.size
    value = value.reshape(reference.shape, order="F")
    assert spec.error(value, reference) <= spec.tolerance(n)
    for i, array in enumerate(inputs):
        kept = np.fromfile(tmp_path / f"input{i}", dtype=array.dtype)
        assert np.array_equal(kept, array.ravel(order="F"))


def test_the_packages_own_tests_pass():
    """Type stability, no allocations where a scalar is returned, values worked out by hand."""
    said = julia("-e", 'push!(LOAD_PATH, "src"); include("test/runtests.jl")')
    assert "elementwise" in said
    assert "Fail" not in said
