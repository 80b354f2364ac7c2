"""`remembrancer up`, as a newcomer runs it."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from local.servers.ports import free_port
from local.stack import ROOT
from tests.e2e.conftest import PATIENT
from tests.jobs import ignoring_interrupts

pytestmark = pytest.mark.long

START_SECONDS = 240
COMMAND = (sys.executable, "-m", "local.cli", "up")


def environment() -> dict[str, str]:
    # The demonstration is judged by its content here, not by this machine's speed.
    return {**os.environ, "COLUMNS": "100", "PYTHONPATH": str(ROOT), **PATIENT}


def processes_of(directory: Path) -> list[str]:
    """Command lines that mention the directory."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            except OSError:
                continue
            if str(directory).encode() in command:
                found.append(entry.name)
    return found


def client_of(directory: Path) -> dict[str, str]:
    """What the command says that a client is configured by."""
    return dict(line.split("=", 1) for line in (directory / "dev.env").read_text().splitlines())


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of one user, from the first start on."""
    return tmp_path_factory.mktemp("up")


def test_up_once_shows_the_demonstration_and_ends_with_status_0(directory: Path) -> None:
    finished = subprocess.run(
        [*COMMAND, "--once", "--directory", str(directory)],
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        env=environment(),
        check=False,
    )

    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "What the model gets to know" in finished.stdout
    assert "What was left out, and why" in finished.stdout
    assert "forty leeks" in finished.stdout.partition("The model gets to know, from that conversation")[2]
    assert "All answers are as they should be" in finished.stdout
    assert processes_of(directory) == []


def test_up_serves_until_ctrl_c_and_starts_again_on_the_same_data(directory: Path) -> None:
    # What the demonstration has left, where it has run.
    keys = [client_of(directory)["REMEMBRANCER_API_KEY"]] if (directory / "dev.env").exists() else []
    while len(keys) < 2:
        port = free_port()
        with ignoring_interrupts(ignored=bool(keys)):
            process = subprocess.Popen(
                [*COMMAND, "--port", str(port), "--directory", str(directory)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=environment(),
            )
        assert process.stdout is not None
        output = ""
        deadline = time.monotonic() + START_SECONDS
        while "Ctrl-C stops everything" not in output and time.monotonic() < deadline and process.poll() is None:
            output += process.stdout.readline()

        client = client_of(directory)
        agents = httpx.get(
            f"{client['REMEMBRANCER_URL']}/v1/agents", headers={"X-API-Key": client["REMEMBRANCER_API_KEY"]}
        ).json()["agents"]
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)

        assert process.returncode == 0, output + rest
        assert client["REMEMBRANCER_URL"] == f"http://127.0.0.1:{port}"
        assert [agent["agent_id"] for agent in agents] == [client["REMEMBRANCER_AGENT_ID"]]
        assert stat.S_IMODE((directory / "dev.env").stat().st_mode) == 0o600
        assert processes_of(directory) == []
        keys.append(client["REMEMBRANCER_API_KEY"])

    assert keys[0] == keys[1]


def test_up_goes_on_serving_without_the_answers_of_the_demonstration_and_stops_without_its_queues(
    directory: Path,
) -> None:
    port = free_port()
    process = subprocess.Popen(
        [*COMMAND, "--port", str(port), "--directory", str(directory)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment() | {"ASSEMBLY_MS": "11", "RETRIEVAL_MS": "1"},
    )
    assert process.stdout is not None
    output = ""
    deadline = time.monotonic() + START_SECONDS
    while "Ctrl-C stops everything" not in output and time.monotonic() < deadline and process.poll() is None:
        output += process.stdout.readline()
    health = httpx.get(f"http://127.0.0.1:{port}/v1/health")
    queues = json.loads((directory / "aws" / "process.json").read_text())["server"]["pid"]
    os.kill(queues, signal.SIGKILL)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=90)

    said = " ".join((output + rest).split())
    assert health.status_code == 200
    assert "Not as it should be: the assembly was incomplete" in said
    assert "everything has stopped, but not as it should: the queues (" in said
    assert "Traceback" not in said
    assert process.returncode == 1
    assert processes_of(directory) == []


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        finished = subprocess.run(
            [*COMMAND, "--port", str(port), "--directory", str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            env=environment(),
            check=False,
        )

    assert finished.returncode == 1
    assert str(port) in finished.stdout
    assert processes_of(tmp_path) == []
