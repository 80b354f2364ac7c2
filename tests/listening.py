"""A TCP server of a test that leaves no connection open, whatever it was doing when the test ended."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

TURNS = 5
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(serve: Serve) -> AsyncIterator[int]:
    """The port. At the end, `serve` is cancelled and what it has not sent is dropped."""
    writers: list[asyncio.StreamWriter] = []
    serving: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        serving.add(asyncio.ensure_future(_served(serve, reader, writer)))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        # A connection that was accepted a moment ago is known a few turns of the loop later.
        for _ in range(TURNS):
            await asyncio.sleep(0)
        for writer in writers:
            writer.transport.abort()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


async def _served(serve: Serve, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await serve(reader, writer)
