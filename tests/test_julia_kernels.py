"""The Julia kernels under a plain `julia`, without juliacall: JITCOST_JULIA, or the one on the PATH."""

import os
import shutil
import subprocess

import numpy as np
import pytest

from backends import workloads
from conftest import ROOT

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


@pytest.mark.parametrize("workload", workloads.WORKLOADS)
@pytest.mark.parametrize("n", [1, 1_000, 100_000])
def test_agreement(workload, n, tmp_path):
    spec = workloads.get(workload)
    if (reason := spec.why_not("julia", n)) is not None:
        pytest.skip(reason)
    inputs = spec.inputs(n)
    paths = [tmp_path / f"input{i}" for i in range(len(inputs))]
    for path, array in zip(paths, inputs, strict=True):
        array.tofile(path)
    julia("test/run_kernel.jl", workload, tmp_path / "output", *paths)
    value, reference = np.fromfile(tmp_path / "output"), spec.reference(*inputs)
    assert value.size == reference.size
    assert workloads.relative_error(value.reshape(reference.shape), reference) <= spec.tolerance(n)
    for path, array in zip(paths, inputs, strict=True):
        assert np.array_equal(np.fromfile(path), array)


def test_the_packages_own_tests_pass():
    """Type stability, no allocations where a scalar is returned, values worked out by hand."""
    said = julia("-e", 'push!(LOAD_PATH, "src"); include("test/runtests.jl")')
    assert "elementwise" in said
    assert "Fail" not in said
