"""A server of the OpenAI protocol's embeddings with several models, each with directions of its own."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from remembrancer.adapters.models.hash_embedder import HashEmbedder

DEFAULT_DIMENSIONS = 1536


@dataclass
class EmbeddingServer:
    """Knows one synonym: `asked` and digits for `said` and the same digits, which share no word. Models in `down`
    answer 503.
    """

    url: str = ""
    down: set[str] = field(default_factory=set)
    asked: list[dict[str, Any]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append(body)
        if body["model"] in self.down:
            return web.Response(status=503)
        embedder = HashEmbedder(body.get("dimensions", DEFAULT_DIMENSIONS))
        vectors = await embedder.embed([_meaning(text, body["model"]) for text in body["input"]])
        return web.json_response(
            {"data": [{"index": row, "embedding": vector.tolist()} for row, vector in enumerate(vectors)]}
        )


def _meaning(text: str, model: str) -> str:
    """The same words for the same meaning, and other ones for each model."""
    words = re.findall(r"\w+", re.sub(r"asked(\d+)", r"said\1", text.casefold()))
    return " ".join(f"{word}of{model}" for word in words)


@asynccontextmanager
async def embedding_server() -> AsyncIterator[EmbeddingServer]:
    server = EmbeddingServer()
    application = web.Application()
    application.router.add_post("/v1/embeddings", server.answer)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield server
    finally:
        await runner.cleanup()
