"""What the measuring itself costs."""

import statistics
import time

from . import _process, _suite


def null_call():
    """Do nothing: what is left is the cost of calling."""


class Floor:
    """The least time that the suite can read: a null call through the path of every other call."""

    number = 1
    rounds = 5
    repeat = 4
    warmup_time = 0.0
    version = "1"

    def setup(self):
        """Find the batch once; asv sets up before each sample."""
        if not hasattr(self, "batch"):
            self.batch = _suite.Batch(null_call)
            self.timer = self.batch.timer
            _process.note(params=[])

    def time_null_call(self):
        self.batch.run()

    def track_ratio_to_bare_loop(self):
        """Return a null call's time by the suite over its time in a plain loop, in turns."""
        ratios = []
        for _ in range(20):
            start = self.timer()
            self.batch.run()
            by_suite = self.timer() - start
            start = time.perf_counter()
            for _ in range(self.batch.m):
                null_call()
            ratios.append(by_suite / ((time.perf_counter() - start) / self.batch.m))
        return statistics.median(ratios)

    track_ratio_to_bare_loop.unit = "ratio"
