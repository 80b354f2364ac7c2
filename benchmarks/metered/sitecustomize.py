"""Makes a function's process count its processor time inside and outside of handlers, into the file in METER_FILE.

Python imports it at the start of each process that has this folder in PYTHONPATH. The file has three numbers: calls;
nanoseconds of the processor, all threads, from an event's arrival at the handler to its response; and nanoseconds by
the clock from its arrival to the end of the work after the response, which is what Lambda bills.

With WITHOUT_MAPS the searches in Postgres are measured, for agents of any size; with WITHOUT_ADMISSION every assembly
is begun whole.
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
    run = after_response.AfterResponse._run
    totals, started = [0, 0, 0], [0, 0]

    def write() -> None:
        os.pwrite(descriptor, struct.pack("qqq", *totals), 0)

    def of(context: Any) -> after_response.Work:
        started[:] = time.process_time_ns(), time.perf_counter_ns()
        return begin(context)

    def finished(self: after_response.AfterResponse, work: after_response.Work) -> None:
        totals[0] += 1
        totals[1] += time.process_time_ns() - started[0]
        totals[2] += time.perf_counter_ns() - started[1]
        started[1] = time.perf_counter_ns()
        write()
        finish(self, work)

    def ran(self: after_response.AfterResponse, work: after_response.Work) -> None:
        run(self, work)
        totals[2] += time.perf_counter_ns() - started[1]
        write()

    after_response.Work.of = of  # type: ignore[method-assign]
    after_response.AfterResponse.finish = finished  # type: ignore[method-assign]
    after_response.AfterResponse._run = ran  # type: ignore[method-assign]


if FILE:
    install(FILE)
if os.environ.get("WITHOUT_MAPS"):
    from remembrancer.bootstrap import Instance

    Instance.has_maps = False
if os.environ.get("WITHOUT_ADMISSION"):
    from remembrancer.usecases.assembly.admission import Admission

    _begin = Admission.begin
    Admission.begin = lambda self, left_ms: _begin(self, float("inf"))  # type: ignore[method-assign]
