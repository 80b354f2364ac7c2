"""Servers on 127.0.0.1 are reached on another address too, and only while they shall be."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator

import pytest

from local.sam_image.relay import Relay
from local.servers.ports import free_port

# Any address of 127.0.0.0/8 is this machine's on Linux; it stands for the one of the containers' network.
OTHER = "127.0.0.2"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this machine")


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """A server on 127.0.0.1 that answers everything it was sent, in capitals, once the caller has finished."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write((await reader.read()).upper())
        await writer.drain()
        writer.close()

    port = free_port(("127.0.0.1", OTHER))
    server = await asyncio.start_server(answer, "127.0.0.1", port)
    yield port
    server.close()


async def ask(port: int, question: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(OTHER, port)
    writer.write(question)
    writer.write_eof()
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_a_relay_passes_both_directions_on_and_their_ends(port: int) -> None:
    relay = Relay(OTHER, [port])
    await relay.start()

    answers = await asyncio.gather(*(ask(port, b"ask %d " % number * 50_000) for number in range(4)))

    await relay.stop()
    assert answers == [b"ASK %d " % number * 50_000 for number in range(4)]


async def test_a_stopped_relay_accepts_nothing_and_ends_what_it_had(port: int) -> None:
    relay = Relay(OTHER, [port])
    await relay.start()
    reader, writer = await asyncio.open_connection(OTHER, port)
    writer.write(b"unfinished")
    await writer.drain()

    await relay.stop()

    with contextlib.suppress(ConnectionResetError):  # an end like any other
        assert await asyncio.wait_for(reader.read(), 10) == b""
    writer.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(OTHER, port)


async def test_a_server_that_has_gone_ends_the_connection_and_not_the_relay(port: int) -> None:
    gone = free_port(("127.0.0.1", OTHER))
    relay = Relay(OTHER, [gone, port])
    await relay.start()

    answers = [await ask(gone, b"anyone?"), await ask(port, b"you?")]

    await relay.stop()
    assert answers == [b"", b"YOU?"]


async def test_an_address_of_another_machine_needs_no_relay(port: int) -> None:
    relay = Relay("192.0.2.1", [port])

    await relay.start()

    await relay.stop()
