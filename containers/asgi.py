"""HTTP requests and responses as an ASGI server passes them (https://asgi.readthedocs.io)."""

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

from remembrancer.runtime.http.events import without_slash
from remembrancer.runtime.http.messages import BODY_BYTES, HttpRequest

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def request_of(scope: Message, body: bytes, *, received: float, seconds: float) -> HttpRequest:
    """As API Gateway passes it: a repeated header or parameter is one, joined by a comma. It began at `received`, by
    `time.perf_counter`, and may take so many seconds.
    """
    headers: dict[str, str] = {}
    for key, value in scope["headers"]:
        name, text = key.decode("latin-1").lower(), value.decode("latin-1")
        headers[name] = f"{headers[name]},{text}" if name in headers else text
    query: dict[str, str] = {}
    for name, text in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True):
        query[name] = f"{query[name]},{text}" if name in query else text
    return HttpRequest(
        method=scope["method"],
        path=without_slash(scope["path"]),
        headers=headers,
        query=query,
        body=body,
        request_id=headers.get("x-request-id") or str(uuid4()),
        remaining_ms=(seconds - (time.perf_counter() - received)) * 1000,
        received=received,
        address=scope["client"][0] if scope.get("client") else "",
    )


async def body_of(receive: Receive) -> bytes:
    """At most one byte more than the API takes, which is enough for its refusal; the rest is read and dropped."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        if len(body) <= BODY_BYTES:
            body += message.get("body", b"")[: BODY_BYTES + 1 - len(body)]
        more = message.get("more_body", False)
    return bytes(body)


async def send(to: Send, status: int, headers: dict[str, str], body: bytes) -> None:
    """Sends a whole response."""
    pairs = [(name.encode("latin-1"), text.encode("latin-1", "replace")) for name, text in headers.items()]
    pairs.append((b"content-length", str(len(body)).encode()))
    await to({"type": "http.response.start", "status": status, "headers": pairs})
    await to({"type": "http.response.body", "body": body})
