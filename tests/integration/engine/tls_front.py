"""Ends TLS in front of a real server: the packaged Postgres and Valkey are built without it."""

import asyncio
import ssl

from tests.integration.engine.certificates import Certificates

_GSS_REQUEST = 80877104


class TlsFront:
    """Shows a certificate on a port of its own and hands everything on, decrypted."""

    def __init__(self, port: int, shown: Certificates, *, postgres: bool = False) -> None:
        """Postgres asks for TLS inside its own protocol first."""
        self.sessions = 0
        self.authority = str(shown.authority)
        self._behind = port
        self._postgres = postgres
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(shown.certificate, shown.key)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Its port."""
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", 0, ssl=None if self._postgres else self._context
        )
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        """Ends every session."""
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self._postgres:
                await self._agree_on_tls(reader, writer)
        except (OSError, EOFError):
            # The client has seen the certificate and gone.
            writer.close()
            return
        self.sessions += 1
        behind_reader, behind_writer = await asyncio.open_connection("127.0.0.1", self._behind)
        self._tasks.add(asyncio.ensure_future(_copy(reader, behind_writer)))
        self._tasks.add(asyncio.ensure_future(_copy(behind_reader, writer)))

    async def _agree_on_tls(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while int.from_bytes((await reader.readexactly(8))[4:]) == _GSS_REQUEST:
            writer.write(b"N")
        writer.write(b"S")
        await writer.start_tls(self._context)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()
