"""An interrupt that comes while asv forks: Python drops it, and it must not be lost."""

import contextlib
import os
import signal

import pytest

from jitcost.measuring.at_work import INTERRUPTS


def test_an_interrupt_that_python_has_dropped_is_not_lost():
    with INTERRUPTS.watched():
        with contextlib.suppress(KeyboardInterrupt):  # as between a fork's callbacks
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            INTERRUPTS.check()


def test_without_one_nothing_happens_and_who_watched_before_does_so_again():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with INTERRUPTS.watched():
        INTERRUPTS.check()
        assert signal.getsignal(signal.SIGTERM) is INTERRUPTS
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_an_interrupt_of_another_time_counts_for_nothing():
    with INTERRUPTS.watched(), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
    with INTERRUPTS.watched():
        INTERRUPTS.check()
