"""One process that serves assembly to many callers at a time on one event loop, as a container does.

Started by `benchmarks.load` with the stores' addresses and its PORT in its environment.
"""

import json
import os
import threading
import time
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.assembly import assembly_api
from remembrancer.errors import RequestError
from remembrancer.runtime.after_response import Work, _do
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.http.messages import HttpRequest, error_response

AFTER_RESPONSE_SECONDS = 8.0
INVOCATION_MS = 30_000.0


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


class Server:
    """The endpoint of assembly on the instance's event loop."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._instance = Instance(environment)
        self._after_response = AfterResponse(self._instance.loop)
        self._instance.__dict__["after_response"] = self._after_response
        self._api = assembly_api(self._instance)

    def start(self, port: int) -> None:
        """Serves."""
        self._instance.loop.run(self._start(port))

    async def _start(self, port: int) -> None:
        runner = web.ServerRunner(web.Server(self._answer, access_log=None))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()

    async def _answer(self, sent: web.BaseRequest) -> web.Response:
        received = time.perf_counter()
        headers = {name.lower(): text for name, text in sent.headers.items()}
        work = Work()
        request = HttpRequest(
            sent.method, sent.path, headers, {}, await sent.read(), "request", INVOCATION_MS, received=received
        )
        try:
            response = await self._api.assemble(request, work)
        except RequestError as error:
            response = error_response(error, request.request_id)
        body = json.dumps(response.body, ensure_ascii=False, separators=(",", ":")).encode()
        self._after_response.finish(work)
        return web.Response(status=response.status, body=body, headers=response.headers)


def main() -> None:
    """Serves until it is killed."""
    Server(os.environ).start(int(os.environ["PORT"]))
    threading.Event().wait()


if __name__ == "__main__":
    main()
