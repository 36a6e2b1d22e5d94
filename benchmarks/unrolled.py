"""The recursion as a Python loop under jit: all its steps are traced, lowered and compiled."""

from . import _stages, _suite
from ._backends import backends

FORMS = ["python_loop", "scan", "fori_loop"]
SIZES = [10, 30, 100, 300]


class Stages(_stages.Stages):
    workload = "unrolled"
    param_names = ["form", "n", "stage", "backend"]
    params = [FORMS, SIZES, _stages.STAGES, _stages.BACKENDS]
    version = "1"


class Program(_suite.Suite):
    """The size of the traced program."""

    workload = "unrolled"
    param_names = ["form", "n", "backend"]
    params = [FORMS, SIZES, _stages.BACKENDS]
    version = "1"
    unit = "equations"

    def track_equations(self, form, n, backend):
        kernel = backends.load(backend).fresh_kernel(self.workload, form=form)
        inputs = _suite.native_inputs(self.workload, backend, n, form=form)
        return equations(kernel.trace(*inputs).jaxpr)


def equations(jaxpr):
    """Count a jaxpr's equations, and those of the loop bodies and functions inside it."""
    jaxpr = getattr(jaxpr, "jaxpr", jaxpr)  # of a closed one
    count = 0
    for equation in jaxpr.eqns:
        count += 1
        for value in equation.params.values():
            for inner in value if isinstance(value, tuple | list) else (value,):
                if hasattr(inner, "eqns") or hasattr(inner, "jaxpr"):
                    count += equations(inner)
    return count
