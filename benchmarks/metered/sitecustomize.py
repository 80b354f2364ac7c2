"""Makes a function's process count its processor time inside and outside of handlers, into the file in METER_FILE.

Python imports it at the start of each process that has this folder in PYTHONPATH. The file has two numbers: calls, and
nanoseconds from an event's arrival at the handler to its response, of all threads.
"""

import os
import struct
import time
from typing import Any

from remembrancer.runtime import after_response

FILE = os.environ.get("METER_FILE", "")


def install(path: str) -> None:
    """Measures from the handler's first step to its last."""
    descriptor = os.open(f"{path}.{os.getpid()}", os.O_CREAT | os.O_WRONLY)
    begin, finish = after_response.Work.of, after_response.AfterResponse.finish
    state = [0, 0, 0]

    def of(context: Any) -> after_response.Work:
        state[2] = time.process_time_ns()
        return begin(context)

    def finished(self: after_response.AfterResponse, work: after_response.Work) -> None:
        state[0] += 1
        state[1] += time.process_time_ns() - state[2]
        os.pwrite(descriptor, struct.pack("qq", state[0], state[1]), 0)
        finish(self, work)

    after_response.Work.of = of  # type: ignore[method-assign]
    after_response.AfterResponse.finish = finished  # type: ignore[method-assign]


if FILE:
    install(FILE)
