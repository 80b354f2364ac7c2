"""A TCP relay that keeps everything that passes: what a server was ever told, not only what it still knows."""

import asyncio
from contextlib import suppress


class RecordingRelay:
    """In front of one server, from `start` to `stop`."""

    def __init__(self, port: int) -> None:
        """`port` is the server's."""
        self._server_port = port
        self._heard = bytearray()
        self._server: asyncio.Server | None = None
        self._pipes: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def heard(self) -> bytes:
        """Both directions, in the order of arrival."""
        return bytes(self._heard)

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, outward = await asyncio.open_connection("127.0.0.1", self._server_port)
        for source, target in ((reader, outward), (onward, writer)):
            pipe = asyncio.ensure_future(self._pipe(source, target))
            self._pipes.add(pipe)
            pipe.add_done_callback(self._pipes.discard)

    async def _pipe(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while data := await source.read(65_536):
                    self._heard += data
                    target.write(data)
                    await target.drain()
        finally:
            target.close()
