"""One process that serves assembly to many callers at a time, as a container does: the handler on threads.

Started by `benchmarks.load` with the stores' addresses in its environment; writes its own address as a line.
"""

import asyncio
import json
import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from local.gateway import Gateway
from local.lambda_.invocation import InvokeResult
from local.template import Route
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.assembly import assembly_api
from remembrancer.runtime.after_response import Work, _do
from remembrancer.runtime.endpoints.assembly_api import OPERATIONS
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.http.operations import served
from remembrancer.runtime.http.router import http_handler

THREADS = 256
"""Requests at a time; more wait for a thread."""
AFTER_RESPONSE_SECONDS = 8.0


class Context:
    """What Lambda would pass: an invocation has half a minute."""

    aws_request_id = "request"

    def get_remaining_time_in_millis(self) -> int:
        """Always all of it."""
        return 30_000


class AfterResponse:
    """Starts the work that a request leaves, beside the next ones."""

    registered = True

    def __init__(self, loop: LoopThread) -> None:
        self._loop = loop
        self._always: list[Any] = []

    def finish(self, work: Work) -> None:
        """Does not wait for it."""
        work.items += [(name, start) for name, start, when in self._always if when()]
        self._loop.submit(_do(work, time.monotonic() + AFTER_RESPONSE_SECONDS))

    def once(self, name: str, work: Any) -> None:
        """Starts it: no request waits for this start."""
        self._loop.submit(work())

    def always(self, name: str, work: Any, *, when: Any) -> None:
        """Adds work that follows every response for which `when` is true."""
        self._always.append((name, work, when))

    def at_end(self, name: str, work: Any, *, when: Any) -> None:
        """Nothing follows the end of a measurement."""


class Function:
    """The handler of assembly, called on a thread for each request."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        instance = Instance(environment)
        after_response = AfterResponse(instance.loop)
        instance.__dict__["after_response"] = after_response
        api = assembly_api(instance)
        self._handler = http_handler(
            served(OPERATIONS, api, instance.authenticator),
            loop=instance.loop,
            after_response=after_response,
            last_resort=api.last_resort,
            within_ms=api.within_ms,
            log_every=instance.log_every,
        )
        self._threads = ThreadPoolExecutor(THREADS)

    async def invoke(self, payload: bytes, *, trace_id: str | None = None) -> InvokeResult:
        """One request."""
        answer = await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, payload)
        return InvokeResult(answer, None, request_id="", duration_ms=0.0, init_ms=None)

    def _answer(self, payload: bytes) -> bytes:
        return json.dumps(self._handler(json.loads(payload), Context())).encode()


async def main() -> None:
    """Serves until it is killed."""
    function = Function(os.environ)
    gateway = Gateway([(Route("POST", "/v1/context/assemble"), function)], port=0)
    await gateway.start()
    print(gateway.url, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
