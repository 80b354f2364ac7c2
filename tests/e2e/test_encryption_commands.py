"""`remembrancer encrypt` and `rotate-key` on a stack that serves requests meanwhile."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import psycopg
import pytest

from local import cli
from local.stack import ROOT
from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from tests.e2e.conftest import Tenant

pytestmark = pytest.mark.long

Command = Callable[..., tuple[int, Any]]
# More than one batch of the command.
TEXTS = 130
NOWHERE = "5e551000-0000-4000-8000-00000000000f"
PATIENCE_SECONDS = 60.0


@pytest.fixture
def remembrancer(tenant: Tenant, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line beside the stack's data: its status and its result."""

    def run(name: str, *arguments: str) -> tuple[int, Any]:
        with pytest.raises(SystemExit) as ended:
            cli.main([name, "--json", "--directory", str(tenant.stack.postgres.directory.parent), *arguments])
        return int(ended.value.code or 0), json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def observer(tenant: Tenant) -> Iterator[psycopg.Connection[Any]]:
    """Sees every row."""
    with psycopg.connect(tenant.stack.postgres.superuser_url, autocommit=True) as connection:
        yield connection


def versions(observer: psycopg.Connection[Any], tenant: Tenant) -> dict[int | None, int]:
    """How many texts are under each version of the key; None is in clear."""
    statement = "SELECT key_version, count(*) FROM memories WHERE org_id = %s GROUP BY 1"
    return dict(observer.execute(statement, [tenant.org_id]).fetchall())


def remember(tenant: Tenant) -> None:
    texts = [f"Room {number} has a view of the harbour." for number in range(TEXTS)]
    for start in range(0, TEXTS, 65):
        tenant.remember(*texts[start : start + 65])


def found(tenant: Tenant) -> set[str]:
    return {memory["content"] for memory in tenant.query("Which room has a view of the harbour?").json()["memories"]}


class Load:
    """Reads and writes that go on; whatever was not as it should be."""

    def __init__(self, tenant: Tenant) -> None:
        self.tenant = tenant
        self.answers = 0
        self.wrong: list[str] = []
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(work,)) for work in (self._read, self._write)]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def until_answered(self, number: int) -> None:
        end, wanted = time.monotonic() + PATIENCE_SECONDS, self.answers + number
        while self.answers < wanted:
            assert time.monotonic() < end
            time.sleep(0.01)

    def _run(self, work: Callable[[httpx.Client], httpx.Response]) -> None:
        with httpx.Client(
            base_url=self.tenant.stack.url, headers=self.tenant.client.headers, timeout=PATIENCE_SECONDS
        ) as client:
            while not self._stopping.is_set():
                response = work(client)
                if response.status_code >= 300 or UNREADABLE_TEXT in response.text or "decrypt" in response.text:
                    self.wrong.append(response.text)
                self.answers += 1

    def _read(self, client: httpx.Client) -> httpx.Response:
        params = {"agent_id": self.tenant.agent_id, "limit": "100"}
        return client.get("/v1/memories", params=params)

    def _write(self, client: httpx.Client) -> httpx.Response:
        body = {"agent_id": self.tenant.agent_id, "content": f"Written at {time.monotonic_ns()}."}
        return client.post("/v1/memories", json=body)


def rotated(remembrancer: Command, tenant: Tenant, *, to: int) -> list[int]:
    """The newest version after each run until `to`.

    There is no new one while a text is left under no key or an older one, as of a write that was under way meanwhile.
    """
    versions: list[int] = []
    while versions[-1:] != [to]:
        status, progress = remembrancer("rotate-key", tenant.org_id)
        assert (status, progress["finished"]) == (0, True)
        versions.append(progress["version"])
    return versions


def test_an_organization_is_encrypted_and_its_key_rotated_while_it_reads_and_writes(
    tenant: Tenant, remembrancer: Command, observer: psycopg.Connection[Any]
) -> None:
    remember(tenant)

    with Load(tenant) as load:
        status, encrypted = remembrancer("encrypt", tenant.org_id)
        load.until_answered(10)
        rotations = rotated(remembrancer, tenant, to=3)
        load.until_answered(10)
    under = versions(observer, tenant)
    again = remembrancer("encrypt", tenant.org_id)
    rewrapped = remembrancer("rotate-key", tenant.org_id, "--rewrap")
    readable = found(tenant)

    assert (status, encrypted["version"], encrypted["left"], encrypted["finished"]) == (0, 1, 0, True)
    assert rotations in ([2, 3], [1, 2, 3])
    assert load.wrong == []
    assert under.keys() == {3}
    assert under[3] > TEXTS
    assert (again[0], again[1]["version"]) == (0, 3)
    assert rewrapped == (0, {"rewrapped": 3})
    assert readable
    assert all(text.endswith("has a view of the harbour.") for text in readable)


def test_a_rotation_that_is_killed_half_way_goes_on_when_the_command_is_run_again(
    tenant: Tenant, remembrancer: Command, observer: psycopg.Connection[Any]
) -> None:
    remember(tenant)
    # The workers would wait for the row that is held below, and try again only minutes later.
    tenant.drain()
    remembrancer("encrypt", tenant.org_id)
    directory = str(tenant.stack.postgres.directory.parent)
    command = [sys.executable, "-m", "local.cli", "rotate-key", tenant.org_id, "--json", "--directory", directory]
    end = time.monotonic() + PATIENCE_SECONDS

    with psycopg.connect(tenant.stack.postgres.superuser_url) as holder:
        # The second batch cannot be finished.
        last = "SELECT 1 FROM memories WHERE org_id = %s ORDER BY memory_id DESC LIMIT 1 FOR UPDATE"
        holder.execute(last, [tenant.org_id])
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})
        while versions(observer, tenant).get(2, 0) == 0:
            assert time.monotonic() < end
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        half_way = versions(observer, tenant)
        readable = found(tenant)
    status, progress = remembrancer("rotate-key", tenant.org_id)

    assert half_way == {1: TEXTS - 100, 2: 100}
    assert readable
    assert UNREADABLE_TEXT not in readable
    assert (status, progress["version"], progress["finished"]) == (0, 2, True)
    assert versions(observer, tenant) == {2: TEXTS}


def test_the_commands_say_what_is_wrong(tenant: Tenant, remembrancer: Command, tmp_path_factory: Any) -> None:
    nobody = remembrancer("encrypt", NOWHERE)
    in_clear = remembrancer("rotate-key", tenant.org_id)
    nowhere = remembrancer("encrypt", tenant.org_id, "--directory", str(tmp_path_factory.mktemp("empty")))

    message = "There is no such organization, or it is not encrypted."
    assert nobody == (1, {"error": message})
    assert in_clear == (1, {"error": message})
    assert nowhere[0] == 1
    assert "set KMS_KEY_ID" in nowhere[1]["error"]
