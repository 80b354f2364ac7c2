"""A worker's thread beside the thread that asked it."""

import os
import threading

import pytest

from remembrancer.adapters import processors


def moved() -> tuple[bool, set[int]]:
    """Whether a thread that leaves its processor runs on another one then, and where it may run afterwards."""
    found: list[tuple[bool, set[int]]] = []

    def work() -> None:
        here = processors.current()
        processors.leave(here)
        found.append((processors.current() != here, os.sched_getaffinity(0)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="this machine has one processor")
def test_a_thread_leaves_its_processor_and_may_run_anywhere_afterwards() -> None:
    allowed = os.sched_getaffinity(0)

    # It may be moved back at any moment, but not each time.
    attempts = [moved() for _ in range(20)]

    assert any(has_moved for has_moved, _ in attempts)
    assert all(then == allowed for _, then in attempts)


def test_a_thread_stays_where_it_may_run_nowhere_else() -> None:
    found: list[set[int]] = []

    def work() -> None:
        only = {min(os.sched_getaffinity(0))}
        os.sched_setaffinity(0, only)
        processors.leave(processors.current())
        found.append(os.sched_getaffinity(0) ^ only)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert found == [set()]


def test_an_unknown_processor_is_not_left() -> None:
    allowed = os.sched_getaffinity(0)

    processors.leave(processors.UNKNOWN)

    assert os.sched_getaffinity(0) == allowed


def test_this_thread_is_among_those_that_run() -> None:
    assert processors.running() >= 1
