"""A warm assembly instance of one checkout, which answers calls when `benchmarks.in_turns` says so.

Started by the path of this file, with the checkout's packages first on PYTHONPATH. Reads a number of calls from each
line of its input, and writes their durations as a line of JSON.
"""

import logging
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from uuid import UUID

from tests.faults.instance import Agent, AssemblyInstance

WARM_UP = 60


class _Deployed(AssemblyInstance):
    """As in a deployment. A number, and below a variable too: of another checkout, only one of them may count."""

    confirmed_seconds = 1.0


class Caller:
    """One instance; with `is_first`, it has never seen the agent at each call, whose map is in Redis."""

    def __init__(
        self,
        *,
        org_id: str,
        agent_id: str,
        key: str,
        questions: Sequence[str],
        is_first: bool,
        pause_ms: float,
        **urls: str,
    ) -> None:
        self._agent = Agent(UUID(org_id), UUID(agent_id), key)
        self._instance = _Deployed(self._agent, CONFIRMED_SECONDS="1", **urls)
        self._questions = questions
        self._is_first = is_first
        self._pause_seconds = pause_ms / 1000
        self._numbers = count()

    def call(self) -> dict[str, object]:
        """One call and the work after its response, then a pause: milliseconds of both, and of the processor."""
        if self._is_first:
            self._instance.without_maps(shared_ones=False)
            self._instance.without_confirmations()
        number = next(self._numbers)
        begun = time.process_time()
        answer = self._instance.assemble(f"{self._questions[number % len(self._questions)]} {number}")
        answered = time.process_time()
        self._instance.follow_up()
        done = time.process_time()
        time.sleep(self._pause_seconds)
        return {
            "wall_ms": answer.elapsed_ms,
            "in_request_ms": (answered - begun) * 1000,
            "after_it_ms": (done - answered) * 1000,
            "answer": f"{answer.metadata['tier']} {answer.reason}".strip(),
        }


def main() -> None:
    """Writes `ready` once it is warm."""
    logging.disable(logging.CRITICAL)
    # The other checkout may not have this module.
    sys.path.append(str(Path(__file__).parent))
    process = import_module("checkout").Worker()
    caller = Caller(**process.settings)
    for _ in range(WARM_UP):
        caller.call()
    process.say("ready")
    for line in sys.stdin:
        process.say([caller.call() for _ in range(int(line))])
    # The event loop's thread would keep the process.
    os._exit(0)


if __name__ == "__main__":
    main()
