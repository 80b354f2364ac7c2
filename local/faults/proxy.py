"""A TCP proxy that breaks on demand what runs through it."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit, urlunsplit

Fault = Literal["none", "refuse", "reset", "hang", "delay", "garbage", "throttle", "deny"]
_CHUNK = 1 << 16
_METHODS = (b"POST ", b"GET ")
# A type that neither Postgres nor Redis has and a negative length; for HTTP a line. Random bytes would sometimes be
# the beginning of a longer answer, and be waited for.
_GARBAGE = b"\xff\xff\xff\xff\xff" + b"garbage\r\n\r\n"


def _refusal(kind: bytes) -> bytes:
    body = b'{"__type": "%b", "message": "A fault that was switched on"}' % kind
    return b"HTTP/1.1 400 Bad Request\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(body), body)


_INSTEAD = {
    "garbage": _GARBAGE,
    "throttle": _refusal(b"ThrottlingException"),
    "deny": _refusal(b"AccessDeniedException"),
}


class FaultProxy:
    """Listens on a port of its own, and hands everything on to `port` unless told otherwise.

    refuse: nobody listens, and what was open is closed. reset: the same with a reset. hang: bytes are taken and go
    nowhere. delay: each answer comes `delay_ms` later. garbage: each answer is bytes of no protocol. throttle, deny:
    each answer is that of an AWS service of which too much is asked, or whose caller lacks the right.

    With `only`, a fault is for HTTP requests with this text in their head, such as `AmazonSQS.` or `TrentService.`;
    the port stays open, and such a request is refused by the end of its connection.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._fault: Fault = "none"
        self._delay_ms = 0.0
        self._only = b""
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections: set[_Connection] = set()
        self.port = 0

    async def start(self) -> None:
        """Listens on `port`, a free one at first."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Closes the port and every connection, without waiting for what is under way."""
        await self._close(reset=False)

    async def set(self, fault: Fault, *, delay_ms: float = 0.0, only: str = "") -> None:
        """From now on; what was swallowed stays swallowed, so connections that hung are of no use after it."""
        self._fault, self._delay_ms, self._only = fault, delay_ms, only.lower().encode()
        if fault in {"refuse", "reset"} and not only:
            await self._close(reset=fault == "reset")
        elif self._server is None:
            await self.start()

    async def lead_to(self, port: int, *, silent: bool = False) -> None:
        """New connections go to `port`; the others are closed, or, if `silent`, left open without an answer for ever,
        as those to a machine that is gone.
        """
        self._target = port
        if silent:
            for connection in self._connections:
                connection.is_dead = True
        else:
            await self._abort(reset=False)

    async def _close(self, *, reset: bool) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        await self._abort(reset=reset)

    async def _abort(self, *, reset: bool) -> None:
        for writer in list(self._writers):
            if reset:
                raw = writer.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # At once, so that stopping while the other end is still being opened closes this one.
        ends, connection = {writer}, _Connection()
        self._writers.add(writer)
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            answers, requests = await asyncio.open_connection("127.0.0.1", self._target)
            ends.add(requests)
            self._writers.add(requests)
            self._connections.add(connection)
            await _first_of(self._ask(reader, requests, connection), self._answer(answers, writer, connection))
            for end in ends:
                end.close()
        except (OSError, asyncio.CancelledError):
            # Cancelled by `_close` alone; Python 3.11's streams write a traceback for a handler that ends cancelled.
            return
        finally:
            for end in ends:
                # Whatever is left to send: nobody would send it after this.
                if not end.is_closing():
                    end.transport.abort()
            self._writers -= ends
            self._connections.discard(connection)
            self._tasks.discard(task)

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: "_Connection") -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                if chunk.startswith(_METHODS):
                    connection.head = chunk.lower()
                if (fault := self._now(connection)) in {"refuse", "reset"}:
                    return
                if fault != "hang":
                    writer.write(chunk)
                    await writer.drain()

    async def _answer(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: "_Connection"
    ) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                fault = self._now(connection)
                if fault == "hang":
                    continue
                if fault == "delay":
                    await asyncio.sleep(self._delay_ms / 1000)
                writer.write(_INSTEAD.get(fault, chunk))
                await writer.drain()

    def _now(self, connection: "_Connection") -> Fault:
        if connection.is_dead:
            return "hang"
        return self._fault if self._only in connection.head else "none"


@dataclass(slots=True, eq=False)
class _Connection:
    """`head` begins with the last HTTP request; of other protocols it is empty."""

    head: bytes = b""
    is_dead: bool = False


async def _first_of(*work: Coroutine[Any, Any, None]) -> None:
    """Runs these until one of them ends; the others are cancelled."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class HasPort(Protocol):
    """Whatever listens in front of a server."""

    port: int


def through(proxy: HasPort, url: str) -> str:
    """The URL with the proxy's port in place of the server's."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.replace(str(parts.port), str(proxy.port))))
