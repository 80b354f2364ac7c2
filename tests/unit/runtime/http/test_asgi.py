"""An ASGI application behind Lambda's events: one lifespan for all of them."""

import asyncio
from typing import Any

import pytest

from remembrancer.runtime.http.asgi import AsgiServer
from remembrancer.runtime.http.messages import HttpRequest


class Application:
    """Counts its lifespans; answers with what it was sent."""

    def __init__(self, *, fault: str = "") -> None:
        self.fault = fault
        self.lifespans = 0
        self.scopes: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.live(receive, send)
            return
        self.scopes.append(scope)
        body = (await receive())["body"]
        headers = [(b"Content-Type", b"text/plain"), (b"Content-Length", b"5")]
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": body[:2], "more_body": True})
        await send({"type": "http.response.body", "body": body[2:]})

    async def live(self, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "lifespan.startup"
        self.lifespans += 1
        if self.fault == "raises":
            raise ValueError("no database")
        if self.fault == "fails":
            await send({"type": "lifespan.startup.failed", "message": "no database"})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()


def request(body: bytes = b"hello") -> HttpRequest:
    return HttpRequest("POST", "/mcp", {"x-api-key": "secret"}, {}, body, "r", 1000.0)


async def test_one_lifespan_serves_every_request() -> None:
    application = Application()
    server = AsgiServer(application)

    await server.start()
    answers = [await server.respond(request(), headers={}) for _ in range(3)]

    assert application.lifespans == 1
    assert [(answer.status, answer.body) for answer in answers] == [(201, "hello")] * 3


async def test_requests_at_once_do_not_mix() -> None:
    server = AsgiServer(Application())
    await server.start()
    bodies = [f"message {number}" for number in range(20)]

    answers = await asyncio.gather(*(server.respond(request(body.encode()), headers={}) for body in bodies))

    assert [answer.body for answer in answers] == bodies


async def test_only_the_headers_that_it_is_meant_to_have_arrive() -> None:
    application = Application()
    server = AsgiServer(application)
    await server.start()

    answer = await server.respond(request(), headers={"accept": "application/json", "mcp-name": "§"})

    assert application.scopes[0]["headers"] == [(b"accept", b"application/json"), (b"mcp-name", "§".encode("latin-1"))]
    assert answer.headers == {"content-type": "text/plain"}


@pytest.mark.parametrize("fault", ["raises", "fails"])
async def test_a_start_that_fails_is_no_start(fault: str) -> None:
    with pytest.raises(RuntimeError, match="did not start"):
        await AsgiServer(Application(fault=fault)).start()
