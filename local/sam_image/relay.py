"""Makes servers that listen on 127.0.0.1 reachable on another address, at the same ports."""

import asyncio
import contextlib
import errno
from collections.abc import Iterable, Iterator
from functools import partial

_LOCALHOST = "127.0.0.1"
_CHUNK_BYTES = 65536


class Relay:
    """Forwards connections from `address` to 127.0.0.1, between start and stop."""

    def __init__(self, address: str, ports: Iterable[int]) -> None:
        self._address = address
        self._ports = tuple(ports)
        self._servers: list[asyncio.Server] = []
        self._connections: set[asyncio.Task[None]] = set()
        self._open: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        """Returns when every port accepts; OSError when one is taken.

        Does nothing if this machine does not have the address: an engine in a virtual machine, as Docker Desktop's,
        can reach 127.0.0.1 without it.
        """
        try:
            for port in self._ports:
                self._servers.append(await asyncio.start_server(partial(self._pass_on, port), self._address, port))
        except OSError as error:
            if error.errno != errno.EADDRNOTAVAIL:
                raise

    async def stop(self) -> None:
        """Stops listening and closes all forwarded connections."""
        servers, self._servers = self._servers, []
        for server in servers:
            server.close()
        # Aborted, not cancelled: asyncio reports a connection's cancelled task as an error.
        for writer in self._open:
            writer.transport.abort()
        await asyncio.gather(*self._connections)

    async def _pass_on(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            # A stopped server, or a peer that disconnects, ends only this connection.
            with self._tracked(writer), contextlib.suppress(OSError):
                server_reader, server_writer = await asyncio.open_connection(_LOCALHOST, port)
                with self._tracked(server_writer):
                    await asyncio.gather(_pump(reader, server_writer), _pump(server_reader, writer))
        finally:
            self._connections.discard(task)

    @contextlib.contextmanager
    def _tracked(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        self._open.add(writer)
        try:
            yield
        finally:
            self._open.discard(writer)
            writer.close()


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while chunk := await source.read(_CHUNK_BYTES):
        target.write(chunk)
        await target.drain()
    target.write_eof()
