"""What the pages let a reader run is run here, as it stands there, against the shared stack."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import psycopg
import pytest

from local.servers.ports import free_port
from local.servers.postgres import binaries
from local.stack import ROOT
from remembrancer_client import without_injected
from tests.e2e.conftest import SampleTenant
from tests.e2e.litellm_proxy import LITELLM, StandIn, served, until_alive
from tests.unit.documents import Block, blocks

pytestmark = pytest.mark.long

EVENTS = ROOT / "events" / "README.md"
REQUESTS = ROOT / "docs" / "first-requests.md"
CONNECT, LOCAL = ROOT / "docs" / "connect" / "rpc.md", ROOT / "docs" / "local.md"
PYTHON = ROOT / "docs" / "connect" / "python.md"
PICTURE, SAMPLE = ROOT / "docs" / "images" / "what-arrives.svg", ROOT / "local" / "sample" / "memories.jsonl"
CHAT = [{"role": "user", "content": "Which room does Mrs Lindqvist get?", "name": "isla"}]
PATIENCE_S = 1.0
"""How long a chat may be held up at most, by a proxy that waits 45 ms for memory, on a busy machine."""

HEAD = b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
GARBAGE = {
    "no JSON": (b"200 OK", b"application/json", b"<html>Welcome</html>"),
    "no text": (b"200 OK", b"application/json", b"\xff\xfe\x00"),
    "nothing": (b"200 OK", b"application/json", b""),
    "a list": (b"200 OK", b"application/json", b"[1, 2]"),
    "no messages": (b"200 OK", b"application/json", b"{}"),
    "messages that are null": (b"200 OK", b"application/json", b'{"messages": null}'),
    "messages that are few": (b"200 OK", b"application/json", b'{"messages": []}'),
    "messages that are text": (b"200 OK", b"application/json", b'{"messages": "hello"}'),
    "a Connect answer without messages": (b"200 OK", b"application/proto", b""),
    "a Connect answer that is none": (b"200 OK", b"application/proto", b"\xff\xff\xff\xff"),
    "an error": (b"500 Internal Server Error", b"application/json", b"{}"),
    "a refusal": (b"401 Unauthorized", b"application/json", b'{"error": {"code": "invalid_credential"}}'),
    "a redirect": (b"302 Found\r\nLocation: http://127.0.0.1:9/", b"text/plain", b""),
}


@contextmanager
def serving(answer: bytes | None) -> Iterator[str]:
    """The URL of a service that answers everything with these bytes; without any it hangs."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                held.append(connection)
                if answer is not None:
                    connection.recv(65536)
                    connection.sendall(answer)
                    connection.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in held:
                connection.close()


@contextmanager
def broken_services() -> Iterator[dict[str, str]]:
    """By what is wrong with each: the URLs of services that no chat may fail for."""
    urls = {"down": f"http://127.0.0.1:{free_port()}", "no such host": "http://nowhere.invalid"}
    with serving(None) as hanging, serving(b"garbage\r\n\r\n") as nonsense:
        urls |= {"hangs": hanging, "no HTTP": nonsense}
        services = [
            (name, serving(HEAD % (status, kind, len(body), body))) for name, (status, kind, body) in GARBAGE.items()
        ]
        opened = []
        try:
            for name, service in services:
                urls[name] = service.__enter__()
                opened.append(service)
            yield urls
        finally:
            for service in opened:
                service.__exit__(None, None, None)


def variables(sample: SampleTenant) -> dict[str, str]:
    tenant = sample.tenant
    return {
        "REMEMBRANCER_URL": tenant.stack.url,
        "REMEMBRANCER_API_KEY": httpx.Headers(tenant.client.headers)["X-API-Key"],
        "REMEMBRANCER_ORG_ID": tenant.org_id,
        "REMEMBRANCER_AGENT_ID": tenant.agent_id,
    }


@pytest.fixture
def place(sample_tenant: SampleTenant, tmp_path: Path) -> Path:
    """A clone as its user has it after `make run`: `.local`, `.venv`, `events`."""
    stack = sample_tenant.tenant.stack
    local = tmp_path / ".local"
    local.mkdir()
    for folder in ("postgres", "valkey"):
        (local / folder).symlink_to(getattr(stack, folder).directory)
    (local / "dev.env").write_text(
        "".join(f"{name}={value}\n" for name, value in variables(sample_tenant).items()), encoding="utf-8"
    )
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    (tmp_path / "events").symlink_to(ROOT / "events")
    return tmp_path


def shell(text: str, place: Path, **environment: str) -> str:
    """What a block prints; it fails if any of its commands does."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=place,
        env={
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(place),
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def bash(page: Path, containing: str) -> str:
    [block] = [block.text for block in blocks(page) if block.language == "bash" and containing in block.text]
    return block


def answers_after(page: Path, containing: str) -> Mapping[str, Any]:
    """The JSON block that follows the shell block."""
    found = [(index, block) for index, block in enumerate(blocks(page)) if containing in block.text]
    [(index, _)] = [one for one in found if one[1].language == "bash"]
    answer: Mapping[str, Any] = json.loads(blocks(page)[index + 1].text)
    return answer


def test_the_first_requests_get_the_answers_that_their_page_shows(place: Path) -> None:
    begin = bash(REQUESTS, "source .local/dev.env")
    exported = f"set -a; {begin}"

    written = json.loads(shell(exported + bash(REQUESTS, '/v1/memories"'), place))
    assembled = json.loads(shell(exported + bash(REQUESTS, "/v1/context/assemble"), place))
    asked = json.loads(shell(exported + bash(REQUESTS, "/memory/query"), place))

    shown = answers_after(REQUESTS, "/v1/context/assemble")
    assert written.keys() == answers_after(REQUESTS, '/v1/memories"').keys()
    # Where one of these differs, the page shows an answer of before: run its request and paste the new one.
    assert assembled.keys() == shown.keys()
    assert assembled["metadata"].keys() - {"map_behind"} == shown["metadata"].keys()
    assert assembled["metadata"]["budget"].keys() == shown["metadata"]["budget"].keys()
    assert assembled["metadata"]["sources"].keys() == shown["metadata"]["sources"].keys()
    told = answers_after(REQUESTS, "/memory/query")
    assert asked.keys() - {"steps"} == told.keys()
    assert told["memories"][0].keys() == asked["memories"][0].keys()
    assert told["explanations"][0].keys() <= asked["explanations"][0].keys()
    assert told["explanations"][0]["factors"].keys() <= asked["explanations"][0]["factors"].keys()


def program(
    page: Path, monkeypatch: pytest.MonkeyPatch, environment: Mapping[str, str], *, deadline_ms: int = 45
) -> tuple[Any, Any]:
    """The answer that the page's program gets, and the messages that it sent; its client is closed."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    [block] = [block for block in blocks(page) if block.language == "python"]
    text = re.sub(r"deadline_ms=\d+", f"deadline_ms={deadline_ms}", block.text)
    namespace: dict[str, Any] = {}
    exec(compile(text, block.place, "exec"), namespace)
    namespace["memory"].close()
    return namespace["answer"], namespace["messages"]


@pytest.mark.parametrize("page", [REQUESTS, PYTHON], ids=lambda page: page.name)
def test_the_program_of_the_page_gets_memories(
    page: Path, sample_tenant: SampleTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, messages = program(page, monkeypatch, variables(sample_tenant), deadline_ms=10_000)

    [standing, asked] = answer.messages
    assert standing["role"] == "system"
    assert standing["content"].startswith("<directive-")
    assert asked == {**messages[0], "content": asked["content"]}
    assert asked["content"].startswith("<memories-")
    assert asked["content"].endswith(f"\n{messages[0]['content']}")


def test_the_picture_of_what_arrives_shows_what_the_program_sends(
    sample_tenant: SampleTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture is drawn by hand: a memory or a directive that changed is to be changed there too."""
    drawing = ET.parse(PICTURE).iter("{http://www.w3.org/2000/svg}text")
    drawn = " ".join(" ".join("".join(element.itertext()).split()) for element in drawing)
    stored = [json.loads(line)["content"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    memories = [content for content in stored if content in drawn]

    answer, messages = program(REQUESTS, monkeypatch, variables(sample_tenant), deadline_ms=10_000)

    standing, found = (message["content"] for message in answer.messages)
    assert len(memories) == 3
    assert [content for content in memories if content not in found] == []
    directive = drawn[drawn.index("You are Hob") :].partition(" user ")[0]
    assert [part for part in directive.split(" … ") if part not in standing] == []
    assert drawn.count(messages[0]["content"]) == 2


def test_no_service_makes_the_program_of_the_page_fail_a_chat(
    sample_tenant: SampleTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    went = {}
    with broken_services() as urls, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, url in urls.items():
            began = time.monotonic()
            answer, messages = program(REQUESTS, monkeypatch, variables(sample_tenant) | {"REMEMBRANCER_URL": url})
            went[name] = (answer.messages is messages, bool(answer.reason), time.monotonic() - began < PATIENCE_S)

    assert {name: seen for name, seen in went.items() if seen != (True, True, True)} == {}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client that the page lets authors of a proxy generate."""
    folder = tmp_path_factory.mktemp("client") / "generated"
    folder.mkdir()
    command = bash(CONNECT, "grpc_tools").replace("=generated", f"={folder}")
    shell(command.replace("python -m", f"{sys.executable} -m"), ROOT)
    # An author's project has no other package of that name, which would stand before folders without this file.
    for package in ("remembrancer", "remembrancer/context", "remembrancer/context/v1"):
        (folder / package / "__init__.py").touch()
    return folder


def test_the_call_of_the_connect_page_gets_memories(place: Path) -> None:
    answer = json.loads(shell(f"set -a; {bash(CONNECT, 'curl')}", place))

    assert "<memories-" in answer["messages"][-1]["content"]


def connect_proxy(generated: Path, sample: SampleTenant, call: str, **environment: str) -> Any:
    """What the Connect page's snippet gives to a call that prints JSON."""
    [block] = [block for block in blocks(CONNECT) if block.language == "python"]
    done = subprocess.run(
        [sys.executable, "-c", f"{block.text}\nCHAT = {CHAT!r}\n{call}"],
        env={**variables(sample), "PYTHONPATH": str(generated), **environment},
        cwd=generated,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_proxy_of_the_connect_page_gets_memories(generated: Path, sample_tenant: SampleTenant) -> None:
    messages = connect_proxy(
        generated, sample_tenant, "print(json.dumps(with_memory(CHAT, request_id='r-1', wait_ms=10_000)))"
    )

    assert without_injected(messages) == CHAT
    assert "<memories-" in messages[-1]["content"]


def test_no_service_makes_the_proxy_of_the_connect_page_fail_a_chat(
    generated: Path, sample_tenant: SampleTenant
) -> None:
    call = """
import time
went = {}
for name, url in json.loads(os.environ["URLS"]).items():
    client = ContextAssemblyServiceClientSync(url)
    began = time.monotonic()
    messages = with_memory(CHAT, request_id="r-1")
    went[name] = [messages == CHAT, time.monotonic() - began]
print(json.dumps(went))
"""
    with broken_services() as urls:
        went = connect_proxy(generated, sample_tenant, call, URLS=json.dumps(urls))

    assert went.keys() == urls.keys()
    assert [name for name, (same, _) in went.items() if not same] == []
    assert {name: seconds for name, (_, seconds) in went.items() if seconds > PATIENCE_S} == {}


def test_the_commands_of_the_events_page_fill_an_event(place: Path) -> None:
    fill = bash(EVENTS, "expandvars").replace(".venv/bin/remembrancer invoke assemble .local/event.json\n", "")
    memory = bash(EVENTS, "REMEMBRANCER_MEMORY_ID")
    conversation = bash(EVENTS, "REMEMBRANCER_CONVERSATION_ID")

    shell(fill, place)
    identifier = shell(f"set -a; source .local/dev.env\n{memory}\necho $REMEMBRANCER_MEMORY_ID", place)
    stored = shell(f"set -a; source .local/dev.env\n{conversation}\necho $REMEMBRANCER_CONVERSATION_ID", place)

    event = json.loads((place / ".local" / "event.json").read_text(encoding="utf-8"))
    assert "${" not in json.dumps(event)
    assert re.fullmatch(r"[0-9a-f-]{36}\n", identifier)
    assert re.fullmatch(r"[0-9a-f-]{36}\n", stored)


def test_the_listener_of_the_events_page_shows_what_the_migration_reports(place: Path) -> None:
    port = free_port()
    listener = bash(EVENTS, "do_PUT").replace("8000", str(port))
    process = subprocess.Popen(
        ["bash", "-c", listener], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    end = time.monotonic() + 20
    while True:
        try:
            status = httpx.put(f"http://127.0.0.1:{port}/response", content=b'{"Status": "SUCCESS"}').status_code
            break
        except httpx.ConnectError:
            assert time.monotonic() < end
            time.sleep(0.05)
    printed, _ = process.communicate(timeout=20)

    assert status == 200
    assert json.loads(printed) == {"Status": "SUCCESS"}


def test_a_look_into_the_local_servers_works_as_the_page_says(place: Path, sample_tenant: SampleTenant) -> None:
    psql = bash(LOCAL, "bin/psql")
    installed = re.sub(r"\.venv/lib/\S+/pginstall", str(binaries()), psql)
    looked = bash(LOCAL, "scan_iter").partition("# without\n")[2]

    if shutil.which(str(binaries() / "bin" / "psql")):
        version = shell(f"{installed.rstrip()} -At -c 'SELECT current_user'", place)
        assert version.strip() == "remembrancer_owner"
    redis_keys = shell(looked, place)

    assert sample_tenant.tenant.org_id in redis_keys


def test_the_statements_of_the_page_count_the_memories(sample_tenant: SampleTenant) -> None:
    [block] = [block for block in blocks(LOCAL) if block.language == "sql"]
    text = block.text.replace("REMEMBRANCER_ORG_ID of .local/dev.env", sample_tenant.tenant.org_id)
    choose, count = [statement for statement in text.split(";") if statement.strip()]

    with psycopg.connect(sample_tenant.tenant.stack.owner_database_url) as connection:
        connection.execute(choose)
        counted = connection.execute(count).fetchall()

    assert sum(row[2] for row in counted) >= 300


CONNECTED = sorted((ROOT / "docs" / "connect").glob("*.md"))
VARIABLES = [
    (page, line)
    for page in CONNECTED
    for block in blocks(page)
    for line in block.text.splitlines()
    if block.language == "bash" and line.startswith("source .local/dev.env &&")
]


@pytest.mark.parametrize(("page", "line"), VARIABLES, ids=[page.stem for page, _ in VARIABLES])
def test_programs_find_the_variables_that_a_page_exports(
    page: Path, line: str, place: Path, sample_tenant: SampleTenant
) -> None:
    program = "import json, os; print(json.dumps(dict(os.environ)))"

    seen = json.loads(shell(f"{line}\npython -c '{program}'", place))

    assert variables(sample_tenant).items() <= seen.items()


@pytest.mark.skipif(not LITELLM.exists(), reason="make .venv-litellm/done installs the proxy")
def test_the_litellm_of_its_page_serves_chats_with_memories(place: Path) -> None:
    """As the page starts it, but for what is installed, with a stand-in in the place of OpenAI."""
    install, *rest = bash(CONNECT.parent / "litellm.md", "litellm --config").splitlines(keepends=True)
    port, model = free_port(), StandIn()
    environment = {
        "PATH": f"{LITELLM.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(place),
        "PYTHONPATH": str(ROOT / "clients" / "python" / "src"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "REMEMBRANCER_DEADLINE_MS": "10000",
        "OPENAI_API_KEY": "sk-provider",
        "OPENAI_BASE_URL": f"http://127.0.0.1:{model.server_port}/v1",
    }
    text = "".join(rest).rstrip() + f" --host 127.0.0.1 --port {port}"
    chat = {"model": "gpt-4o", "messages": CHAT}

    assert install.startswith("pip install")
    for _ in served(model):
        process = subprocess.Popen(["bash", "-euc", text], cwd=place, env=environment, start_new_session=True)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                until_alive(client, process)
                wrong = client.post("/v1/chat/completions", json=chat, headers={"authorization": "Bearer sk-wrong"})
                answer = client.post(
                    "/v1/chat/completions", json=chat, headers={"authorization": "Bearer sk-choose-one"}
                )
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=30)

    assert wrong.is_error
    assert answer.status_code == 200, answer.text
    assert "<memories-" in json.dumps(model.given)


def test_every_shell_block_that_can_run_here_is_run() -> None:
    """A new block is either run above, or listed here with what it takes. Commands of the README and of ways in:
    tests/unit/test_run_commands.py.
    """
    here = ("source .local/dev.env", "$REMEMBRANCER_URL", "expandvars", "do_PUT", "bin/psql", "scan_iter")
    elsewhere = {
        # tests/containers runs the scripts with a stand-in for docker, and checks the manifests.
        "docs/containers.md": ("docker compose", "containers/", "kubectl", "X-API-Key"),
        "docs/deploy.md": ("scripts.task",),  # an account; tests of scripts run it on moto
        "docs/first-deployment.md": ("",),  # an account; its calls of aws are validated
        "docs/first-requests.md": ("pip install ./clients/python",),  # tests/clients/test_distribution.py
        "docs/incidents.md": ("aws lambda",),  # an account; aws is validated
        # tests/e2e/test_keys.py; an account: tests of scripts run them on moto.
        "docs/operations.md": ("remembrancer keys", "scripts.", "make deploy", "make drill"),
        "docs/releasing.md": ("make dist",),  # `make check` and `make test-clients` run them
        "docs/security.md": ("remembrancer",),  # tests/e2e/test_encryption_commands.py; aws is validated
    }
    pages = (EVENTS, *sorted((ROOT / "docs").glob("*.md")))
    unknown: list[Block] = [
        block
        for page in pages
        for block in blocks(page)
        if block.language in {"bash", "sh"}
        if not any(mark in block.text for mark in here)
        if not any(mark in block.text for mark in elsewhere.get(str(page.relative_to(ROOT)), ()))
    ]

    assert [block.place for block in unknown] == []
