"""The switches for faults through the front door: only its own page may set them, and a proxy does what they say."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from local.faults.embedder import read_switch
from local.faults.http import PATH, FaultsPage
from local.faults.proxy import FaultProxy, through
from local.faults.switches import FaultSwitches
from local.gateway import Gateway
from local.stack import ROOT
from tests.listening import listening

HANG = {"name": "redis", "fault": "hang", "delay_ms": 0}


@dataclass(frozen=True, slots=True)
class FaultyDoor:
    """A front door with switches for an echoing server, and the token of its page."""

    url: str
    client: aiohttp.ClientSession
    switches: FaultSwitches
    token: str

    async def post(self, body: object, **headers: str) -> int:
        sent = {"X-Inspector-Token": self.token, **headers}
        async with self.client.post(f"{self.url}{PATH}", json=body, headers=sent) as response:
            return response.status

    async def get(self, **headers: str) -> int:
        async with self.client.get(f"{self.url}{PATH}", headers=headers) as response:
            return response.status

    @property
    def broken(self) -> dict[str, str]:
        return {each.name: each.fault for each in self.switches.switches if each.fault != "none"}

    async def echo(self, seconds: float = 0.3) -> bytes | None:
        """What the server answers through the proxy; None for no answer."""
        url = self.switches.through("redis", "redis://127.0.0.1:1")
        reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
        try:
            writer.write(b"hello")
            return await asyncio.wait_for(reader.read(5), seconds)
        except TimeoutError:
            return None
        finally:
            writer.close()


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[FaultyDoor]:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()

    async with listening(echo) as port:
        switches = FaultSwitches(tmp_path)
        await switches.start({"redis": [port]})
        page = FaultsPage(switches)
        gateway = Gateway([], port=0, own={f"{method} {PATH}": page.answer for method in ("GET", "POST")})
        await gateway.start()
        async with aiohttp.ClientSession() as client:
            async with client.get(f"{gateway.url}{PATH}") as response:
                token = (await response.json())["token"]
            yield FaultyDoor(gateway.url, client, switches, token)
        await gateway.stop()
        await switches.stop()


async def test_the_own_page_switches_a_fault_on_and_off(door: FaultyDoor) -> None:
    own = {"Origin": door.url, "Sec-Fetch-Site": "same-origin"}
    before = await door.echo(seconds=5)

    assert await door.post(HANG, **own) == 200
    frozen, broken = await door.echo(), door.broken
    assert await door.post({**HANG, "fault": "none"}, **own) == 200

    assert (before, frozen, await door.echo(seconds=5)) == (b"hello", None, b"hello")
    assert (broken, door.broken) == ({"redis": "hang"}, {})


async def test_the_embedder_has_its_switch_in_a_file(door: FaultyDoor) -> None:
    await door.post({"name": "embedder", "fault": "delay", "delay_ms": 25})

    assert read_switch(door.switches.embedder_file) == ("delay", 25)
    await door.switches.repair()
    assert read_switch(door.switches.embedder_file)[0] == "none"


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Inspector-Token": ""},
        {"X-Inspector-Token": "guess"},
        {"X-Inspector-Token": "é"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "none"},
        {"Host": "evil.example"},
        {"Host": "evil.example:3000"},
        {"Host": "127.0.0.1"},
    ],
    ids=str,
)
async def test_another_page_of_the_same_browser_changes_nothing(door: FaultyDoor, headers: dict[str, str]) -> None:
    assert await door.post(HANG, **headers) == 404
    assert door.broken == {}


@pytest.mark.parametrize("headers", [{"Host": "rebound.example:80"}, {"Sec-Fetch-Site": "cross-site"}], ids=str)
async def test_another_page_does_not_get_the_token(door: FaultyDoor, headers: dict[str, str]) -> None:
    assert await door.get(**headers) == 404


async def test_the_name_localhost_is_the_same_place(door: FaultyDoor) -> None:
    host = f"localhost:{door.url.rpartition(':')[2]}"

    assert await door.post(HANG, Host=host, Origin=f"http://{host}") == 200


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {**HANG, "name": "postgres"},
        {**HANG, "fault": "explode"},
        {**HANG, "delay_ms": -1},
        {**HANG, "delay_ms": "NaN"},
        {**HANG, "delay_ms": 10**9},
        {**HANG, "more": "x" * 2000},
    ],
    ids=lambda body: str(body)[:50],
)
async def test_a_switch_that_does_not_exist_is_refused(door: FaultyDoor, body: object) -> None:
    assert await door.post(body) == 400
    assert door.broken == {}


def test_a_store_without_a_proxy_keeps_its_address(tmp_path: Path) -> None:
    class Elsewhere:
        port = 4

    url = "postgres://user:secret@127.0.0.1:5432/name"

    assert FaultSwitches(tmp_path).through("postgres", url) == url
    assert through(Elsewhere(), url) == "postgres://user:secret@127.0.0.1:4/name"


async def test_a_proxy_that_stops_while_a_connection_is_open_leaves_no_error_behind() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)

    errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: errors.append(context))
    async with listening(echo) as port:
        proxy = FaultProxy(port)
        await proxy.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"hello")
        assert await reader.read(5) == b"hello"
        await proxy.stop()
        assert await reader.read(5) == b""
        writer.close()

    assert errors == []


def test_ctrl_c_at_the_terminal_does_not_reach_a_proxy() -> None:
    """What is under way is finished through it."""
    program = """
import os, signal
from local.faults.proxy_process import ProxyProcess
signal.signal(signal.SIGINT, lambda *_: None)
proxy = ProxyProcess(1)
os.killpg(0, signal.SIGINT)
proxy.set("hang")
proxy.close()
print("alive")
"""

    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        start_new_session=True,
    )

    assert (done.stdout, done.stderr) == ("alive\n", "")


async def answered(port: int, head: bytes, seconds: float = 0.3) -> bytes | None:
    """What comes back for a request; None for nothing in time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head)
        return await asyncio.wait_for(reader.read(1000), seconds)
    except TimeoutError:
        return None
    finally:
        writer.close()


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(100):
        writer.write(data)
    writer.close()


KMS = b"POST / HTTP/1.1\r\nX-Amz-Target: TrentService.Decrypt\r\n\r\n"
SQS = b"POST / HTTP/1.1\r\nX-Amz-Target: AmazonSQS.SendMessage\r\n\r\n"


@pytest.mark.parametrize(
    ("fault", "is_answer"),
    [
        ("refuse", lambda answer: answer == b""),
        ("hang", lambda answer: answer is None),
        ("deny", lambda answer: b"AccessDeniedException" in answer),
        ("throttle", lambda answer: b"ThrottlingException" in answer),
    ],
)
async def test_a_proxy_breaks_one_service_of_a_server_and_serves_the_others(
    fault: Any, is_answer: Callable[[bytes | None], bool]
) -> None:
    async with listening(echo) as port:
        proxy = FaultProxy(port)
        await proxy.start()
        await proxy.set(fault, only="trentservice.")

        broken, whole = await answered(proxy.port, KMS), await answered(proxy.port, SQS)
        await proxy.set("none")
        mended = await answered(proxy.port, KMS)
        await proxy.stop()

    assert is_answer(broken)
    assert (whole, mended) == (SQS, KMS)


async def test_connections_to_a_place_that_was_left_stay_open_and_silent() -> None:
    async with listening(echo) as before, listening(echo) as after:
        proxy = FaultProxy(before)
        await proxy.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"one")
        first = await asyncio.wait_for(reader.read(3), 5)

        await proxy.lead_to(after, silent=True)
        writer.write(b"two")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(3), 0.3)
        new = await answered(proxy.port, b"three", 5)
        writer.close()
        await proxy.stop()

    assert (first, new) == (b"one", b"three")
