"""Serves an ASGI application from the instance's event loop.

Its lifespan starts once and lasts as long as the instance. Common adapters start it for each event, which fails on the
second event for an application that cannot start twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from remembrancer.runtime.http.messages import HttpRequest, HttpResponse

Message = MutableMapping[str, Any]
Application = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]

_VERSION = {"version": "3.0", "spec_version": "2.3"}
# The sender of the response computes its length.
_NOT_HANDED_ON = "content-length"


class AsgiServer:
    """Serves one ASGI application; belongs to one event loop."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._lifespan: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Starts the lifespan; await it once, before the first request. RuntimeError where it fails."""
        complete: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lifespan = asyncio.ensure_future(self._live(complete))
        self._lifespan = lifespan
        await asyncio.wait((complete, lifespan), return_when=asyncio.FIRST_COMPLETED)
        if not complete.done():
            raise RuntimeError("the application did not start") from lifespan.exception()
        complete.result()

    async def respond(self, request: HttpRequest, *, headers: Mapping[str, str]) -> HttpResponse:
        """Calls the application for the request, with these headers in place of its own; returns its whole response."""
        incoming: list[Message] = [{"type": "http.request", "body": request.body, "more_body": False}]
        start: Message = {"status": 500, "headers": []}
        body = bytearray()

        async def receive() -> Message:
            return incoming.pop() if incoming else await _forever()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))

        await self._application(_scope(request, headers), receive, send)
        answered = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in start["headers"]}
        answered.pop(_NOT_HANDED_ON, None)
        return HttpResponse(start["status"], body.decode("utf-8", "replace"), answered)

    async def _live(self, complete: "asyncio.Future[None]") -> None:
        incoming: list[Message] = [{"type": "lifespan.startup"}]

        async def receive() -> Message:
            return incoming.pop() if incoming else await _forever()

        async def send(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                complete.set_result(None)
            elif message["type"] == "lifespan.startup.failed":
                complete.set_exception(RuntimeError(f"the application did not start: {message.get('message', '')}"))

        await self._application({"type": "lifespan", "asgi": _VERSION, "state": {}}, receive, send)


def _scope(request: HttpRequest, headers: Mapping[str, str]) -> MutableMapping[str, Any]:
    encoded = [(name.encode("latin-1", "replace"), text.encode("latin-1", "replace")) for name, text in headers.items()]
    return {
        "type": "http",
        "asgi": _VERSION,
        "http_version": "1.1",
        "method": request.method,
        "scheme": "https",
        "path": request.path,
        "raw_path": request.path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": encoded,
        "client": None,
        "server": None,
    }


async def _forever() -> Message:
    """A receive channel that never delivers: clients do not disconnect, and an instance ends without notice."""
    await asyncio.get_running_loop().create_future()
    raise AssertionError("unreachable")
