"""A server of the chat-completions protocol that answers as a test tells it to."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class ChatServer:
    """`says` is the next answers' text, `replies` makes it of the request; `instead` a whole response in place of a
    completion, `hangs` none at all.
    """

    url: str = ""
    says: str = ""
    replies: Callable[[Mapping[str, Any]], str] | None = None
    instead: tuple[int, bytes] | None = None
    hangs: bool = False
    usage: dict[str, int] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        self.authorizations.append(request.headers.get("authorization"))
        while self.hangs:
            await asyncio.sleep(0.02)
        if self.instead is not None:
            status, body = self.instead
            return web.Response(status=status, body=body, content_type="application/json")
        text = self.says if self.replies is None else self.replies(body)
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return web.json_response({"id": "1", "object": "chat.completion", "choices": [choice], "usage": self.usage})


@asynccontextmanager
async def chat_server(says: Sequence[str] = ()) -> AsyncIterator[ChatServer]:
    server = ChatServer(says="\n".join(says))
    application = web.Application()
    application.router.add_post("/v1/chat/completions", server.answer)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        assert site._server is not None
        sockets = site._server.sockets  # type: ignore[attr-defined]
        server.url = f"http://127.0.0.1:{sockets[0].getsockname()[1]}/v1"
        yield server
    finally:
        await runner.cleanup()


def completion(content: Any) -> bytes:
    """A response body whose first choice says `content`."""
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()
