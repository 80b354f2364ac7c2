"""The API: an ASGI application that serves the routes of all functions from one instance."""

import asyncio
import time

import remembrancer.runtime.no_garbage_collection  # noqa: F401 - imported before everything else
from containers import asgi
from containers.asgi import Message, Receive, Send
from containers.server import ServerInstance, log_lines
from remembrancer.bootstrap import memories, query
from remembrancer.bootstrap.assembly import assembly_api, connect
from remembrancer.bootstrap.mcp import mcp_api
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.assembly_api import CONNECT, OPERATIONS
from remembrancer.runtime.http.events import body_of, headers_of
from remembrancer.runtime.http.operations import served
from remembrancer.runtime.http.router import HttpService

SECONDS = 15.0
"""For one request, as long as the functions have."""
BODY_SECONDS = 10.0
"""For a client to send its body."""
_TICK_SECONDS = 1.0


class Api:
    """Two services: context assembly, which always has an answer, and everything else."""

    def __init__(self, instance: ServerInstance) -> None:
        """Warms the instance: it takes requests at once."""
        api = assembly_api(instance)
        of_assembly = served(OPERATIONS, api, instance.authenticator)
        self._instance = instance
        self._assembly = HttpService(
            of_assembly,
            loop=instance.loop,
            dialects={CONNECT: connect(instance)},
            last_resort=api.last_resort,
            within_ms=api.within_ms,
            log_every=instance.log_every,
        )
        self._others = HttpService(
            memories.routes(instance) | query.routes(instance) | mcp_api(instance).routes(),
            loop=instance.loop,
            elsewhere=lambda: of_assembly,
            log_every=instance.log_every,
        )
        self._of_assembly = frozenset(route.partition(" ")[2] for route in of_assembly)
        self._ticking: asyncio.Task[None] | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One request, or the life of the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        received = time.perf_counter()
        try:
            body = await asyncio.wait_for(asgi.body_of(receive), BODY_SECONDS)
        except TimeoutError:
            await asgi.send(send, 408, {"connection": "close"}, b"")
            return
        request = asgi.request_of(scope, body, received=received, seconds=SECONDS)
        work = Work(time.monotonic() + SECONDS)
        service = self._assembly if request.path in self._of_assembly else self._others
        response = await service.respond_from(request, work)
        content = body_of(response)
        try:
            await asgi.send(
                send,
                response.status,
                headers_of(response, request.request_id),
                content.encode() if isinstance(content, str) else content,
            )
        finally:
            self._instance.after_response.finish(work)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._ticking = asyncio.create_task(self._tick())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self._ticking.cancel()
        await asyncio.to_thread(self._instance.end)
        await send({"type": "lifespan.shutdown.complete"})

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            await asyncio.to_thread(self._instance.tick)


def application() -> Api:
    """What the web server runs in each of its processes."""
    log_lines()
    return Api(ServerInstance())
