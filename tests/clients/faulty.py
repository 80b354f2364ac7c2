"""A server on a real socket that does what it is told to the next connections."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

Behaviour = Callable[["Exchange"], Awaitable[None]]


class Exchange:
    """One request that was read, and the connection to answer on."""

    def __init__(self, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        self.path = head.split(b" ", 2)[1].decode()
        self.headers = {
            name.decode().lower(): value.decode()
            for name, _, value in (line.partition(b": ") for line in head.split(b"\r\n")[1:] if line)
        }
        self.body = body
        self.writer = writer

    def json(self) -> Any:
        return json.loads(self.body)

    async def send(self, raw: bytes) -> None:
        self.writer.write(raw)
        await self.writer.drain()

    async def answer(self, status: int, body: Any, *headers: str) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = [f"HTTP/1.1 {status} Anything", "content-type: application/json", f"content-length: {len(content)}"]
        await self.send("\r\n".join([*head, *headers, "", ""]).encode() + content)


async def whole(exchange: Exchange) -> None:
    """As the service: one system message in front."""
    if exchange.path == "/v1/health":
        await exchange.answer(200, {"status": "ok"})
        return
    system = {"role": "system", "content": "<memories-123456789>\n- Tea.\n</memories-123456789>\n"}
    metadata = {"fallback_reason": "", "memory_ids": ["m-1"]}
    await exchange.answer(200, {"messages": [system, *exchange.json()["messages"]], "metadata": metadata})


class FaultyService:
    def __init__(self) -> None:
        self.behaviour: Behaviour = whole
        self.received: list[Exchange] = []
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
                )
                exchange = Exchange(head, await reader.readexactly(length), writer)
                self.received.append(exchange)
                await self.behaviour(exchange)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def running() -> AsyncIterator[FaultyService]:
    service = FaultyService()
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    service.url = f"http://{host}:{port}"
    try:
        yield service
    finally:
        server.close()
