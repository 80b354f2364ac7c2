"""A server on a real socket that does what it is told to the next connections."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.listening import listening

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
    """As the service: one system message in front, conversations are accepted."""
    if exchange.path == "/v1/health":
        await exchange.answer(200, {"status": "ok"})
        return
    if exchange.path == "/v1/conversations":
        turns = [{"number": number, "status": "accepted"} for number, _ in enumerate(exchange.json()["messages"], 1)]
        await exchange.answer(202, {"conversation_id": "c-1", "turns": turns, "skipped": {}})
        return
    system = {"role": "system", "content": "<memories-123456789>\n- Tea.\n</memories-123456789>\n"}
    metadata = {"fallback_reason": "", "memory_ids": ["m-1"]}
    await exchange.answer(200, {"messages": [system, *exchange.json()["messages"]], "metadata": metadata})


async def refuses(exchange: Exchange) -> None:
    exchange.writer.transport.abort()


async def hangs(exchange: Exchange) -> None:
    await asyncio.sleep(60)


async def stops_in_the_middle(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{")
    exchange.writer.close()


async def drips(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    while True:
        await exchange.send(b" ")
        await asyncio.sleep(0.01)


async def is_no_http(exchange: Exchange) -> None:
    await exchange.send(b"220 smtp.example.com ready\r\n")
    exchange.writer.close()


async def says_garbage(exchange: Exchange) -> None:
    await exchange.answer(200, b"<html>It works!</html>")


async def says_other_json(exchange: Exchange) -> None:
    await exchange.answer(200, {"messages": [], "metadata": {"fallback_reason": "", "memory_ids": []}})


async def nests_deeply(exchange: Exchange) -> None:
    await exchange.answer(200, b"[" * 200_000)


async def redirects(exchange: Exchange) -> None:
    await exchange.answer(302, b"", "location: http://127.0.0.1:1/elsewhere")


async def says_much(exchange: Exchange) -> None:
    await exchange.answer(200, b'{"messages": "' + b"x" * (2 << 20) + b'"}')


async def announces_much(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\ncontent-length: 2000000\r\n\r\n{")
    await asyncio.sleep(60)


async def says_much_in_parts(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    for _ in range(32):
        await exchange.send(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
    await asyncio.sleep(60)


async def fails(exchange: Exchange) -> None:
    await exchange.answer(502, b"Bad Gateway")


FAULTS: dict[Behaviour, str] = {
    refuses: "unreachable",
    stops_in_the_middle: "unreachable",
    is_no_http: "unreachable",
    says_garbage: "invalid_answer",
    says_other_json: "invalid_answer",
    nests_deeply: "invalid_answer",
    says_much: "invalid_answer",
    announces_much: "invalid_answer",
    says_much_in_parts: "invalid_answer",
    redirects: "http_302",
    fails: "http_502",
}
"""What the client calls each."""


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
    async with listening(service.serve) as port:
        service.url = f"http://127.0.0.1:{port}"
        yield service
