"""`remembrancer proxy`: the unmodified LiteLLM proxy for any client with a base URL, and its page of the docs."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from benchmarks.newcomer import Shell, first_chat, own_agent, read
from local.cli.commands.proxy import PROGRAM
from local.dev_env import DevEnv
from local.sample import story
from local.servers.ports import free_port, is_free
from local.stack import ROOT, Stack
from tests.e2e.conftest import Loop, Tenant, tenants
from tests.unit.documents import blocks as documented

PAGE = ROOT / "docs" / "connect" / "proxy.md"
QUESTION = "Which room does Mrs Lindqvist get?"
KNOWN = "severely allergic to feathers"
START_SECONDS = 120.0
END_SECONDS = 30.0
PROVIDERS = re.compile(r"^(OPENAI|ANTHROPIC|GEMINI|MISTRAL|GROQ|OPENROUTER)_|^REMEMBRANCER_")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not PROGRAM.exists(), reason="make .venv-litellm/done installs the proxy"),
]


@dataclass(frozen=True)
class Running:
    """The command, what it printed when it was ready, and a client of the proxy."""

    process: subprocess.Popen[str]
    told: dict[str, str]
    port: int
    client: httpx.Client
    directory: Path

    def chat(self, **fields: Any) -> httpx.Response:
        body = {"model": "gpt-4o", "messages": [{"role": "user", "content": QUESTION}], **fields}
        return self.client.post("/v1/chat/completions", json=body)

    def end(self) -> int:
        """As Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=END_SECONDS)


@contextmanager
def running(tenant: Tenant, directory: Path, *options: str, **environment: str) -> Iterator[Running]:
    port = free_port()
    kept = {name: value for name, value in os.environ.items() if not PROVIDERS.match(name)}
    known = {
        "REMEMBRANCER_URL": tenant.stack.url,
        "REMEMBRANCER_API_KEY": tenant.client.headers["x-api-key"],
        "REMEMBRANCER_ORG_ID": tenant.org_id,
        "REMEMBRANCER_AGENT_ID": tenant.agent_id,
        "REMEMBRANCER_DEADLINE_MS": "2000",
    }
    command = [sys.executable, "-m", "local.cli", "proxy", "--json", "--directory", str(directory), "--port", str(port)]
    process = subprocess.Popen(
        [*command, *options], cwd=ROOT, env={**kept, **known, **environment}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        told = json.loads(line_of(process.stdout))
        assert "error" not in told, told
        headers = {"authorization": f"Bearer {told['OPENAI_API_KEY']}"}
        with httpx.Client(base_url=told["ANTHROPIC_BASE_URL"], timeout=60, headers=headers) as client:
            yield Running(process, told, port, client, directory)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=END_SECONDS)
        if process.stdout is not None:
            process.stdout.close()


def line_of(output: IO[str]) -> str:
    """The first line; fails when none comes for long."""
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.append(output.readline()), daemon=True)
    reader.start()
    reader.join(START_SECONDS)
    assert lines, "the proxy did not start in time"
    return lines[0]


@pytest.fixture(scope="module")
def tenant(stack: Stack, loop: Loop) -> Iterator[Tenant]:
    """The beginning of the sample in an organization of its own: these tests write to it."""
    for new_tenant in tenants(stack, loop):
        tenant = new_tenant()
        tenant.remember(*(line.content for line in story.read().lines[:20]))
        yield tenant


@pytest.fixture(scope="module")
def proxy(tenant: Tenant, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Starting it takes half a minute, so that one serves all tests of the stand-in."""
    with running(tenant, tmp_path_factory.mktemp("proxy")) as started:
        yield started


def test_it_prints_the_lines_to_set(proxy: Running) -> None:
    key = proxy.told["OPENAI_API_KEY"]

    assert len(key) > 32
    assert proxy.told == {
        "OPENAI_BASE_URL": f"http://127.0.0.1:{proxy.port}/v1",
        "OPENAI_API_KEY": key,
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{proxy.port}",
        "ANTHROPIC_API_KEY": key,
        "behind": "a stand-in model, which shows what it was given",
    }
    assert (proxy.directory / "proxy.env").stat().st_mode & 0o777 == 0o600


def test_who_has_no_key_is_refused(proxy: Running) -> None:
    """A page in a browser reaches the port too."""
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": QUESTION}]}
    url = f"{proxy.told['OPENAI_BASE_URL']}/chat/completions"

    refused = [httpx.post(url, json=body), httpx.post(url, json=body, headers={"authorization": "Bearer sk-wrong"})]

    assert all(answer.is_error and "choices" not in answer.text for answer in refused)
    shown = PAGE.read_text(encoding="utf-8").partition("\n## Trouble\n")[2]
    for answer, told in zip(refused, ("Internal Server Error", "No connected db."), strict=True):
        assert told in answer.text
        assert f"`{told}` ({answer.status_code})" in shown


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages", "/v1/responses"])
def test_memories_arrive_at_the_stand_in_model(proxy: Running, path: str, stream: bool) -> None:
    messages = [{"role": "user", "content": QUESTION}]
    named: dict[str, Any] = {"metadata": {"user_id": "isla"}} if path == "/v1/messages" else {"user": "isla"}
    body: dict[str, Any] = {"input": QUESTION} if path == "/v1/responses" else {"messages": messages, "max_tokens": 500}

    answer = proxy.client.post(path, json={"model": "claude-sonnet-4-5", "stream": stream, **body, **named})

    assert answer.status_code == 200, answer.text
    text = streamed(answer) if stream else answer.text
    assert KNOWN in text
    assert "stand-in model" in text
    assert QUESTION in text


def streamed(answer: httpx.Response) -> str:
    """The text of all deltas, in whichever of the three shapes; the proxy cuts some streams into small pieces."""
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
    return "".join(map(delta, map(json.loads, lines)))


def delta(event: dict[str, Any]) -> str:
    if choices := event.get("choices"):
        return choices[0]["delta"].get("content") or ""
    found = event.get("delta", "")
    return found if isinstance(found, str) else found.get("text", "")


def test_end_users_of_one_proxy_see_their_own_only(proxy: Running, tenant: Tenant) -> None:
    tenant.remember("The spare key hangs behind the third barrel.", user_id="isla")
    question = [{"role": "user", "content": "Where does the spare key hang?"}]

    seen = {user: "third barrel" in proxy.chat(messages=question, user=user).text for user in ("isla", "tomasz")}
    nobody = "third barrel" in proxy.chat(messages=question).text

    assert seen == {"isla": True, "tomasz": False}
    assert nobody is False


def test_what_an_end_user_says_is_known_in_their_next_chat(proxy: Running, tmp_path: Path) -> None:
    """As the page of the documentation shows it."""
    script = blocks()[3].replace("sleep 5", "sleep 1")
    (tmp_path / ".local").symlink_to(proxy.directory)
    question = [{"role": "user", "content": "Where do I keep my bicycle?"}]

    printed = in_shell(script, tmp_path)
    end = time.monotonic() + START_SECONDS
    while "bicycle in the boathouse" not in printed:
        assert time.monotonic() < end, printed
        printed = proxy.chat(messages=question, user="isla").text
    other = proxy.chat(messages=question, user="tomasz").text

    assert "bicycle in the boathouse" not in other


def in_shell(script: str, folder: Path) -> str:
    """Where OpenAI's SDK is installed: it comes with LiteLLM."""
    environment = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "HOME": str(folder)}
    done = subprocess.run(
        ["bash", "-euc", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def blocks() -> list[str]:
    found: list[str] = re.findall(r"^```bash\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return found


@pytest.mark.parametrize("number", [1, 2], ids=["OpenAI", "Anthropic"])
def test_the_page_of_the_documentation_runs_as_it_stands(proxy: Running, tmp_path: Path, number: int) -> None:
    """But for what is installed already."""
    start, *clients = blocks()
    (tmp_path / ".local").symlink_to(proxy.directory)

    printed = in_shell(clients[number - 1].replace("python -m pip install --quiet openai\n", ""), tmp_path)

    assert start == "make proxy\n"
    assert KNOWN in printed


def test_the_page_of_coding_agents_runs_with_a_program_that_asks_as_claude_code_does(
    proxy: Running, tmp_path: Path
) -> None:
    start, use, *rest = (block.text for block in documented(CODING_AGENTS) if block.language == "bash")
    (tmp_path / ".local").symlink_to(proxy.directory)
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(CLAUDE, encoding="utf-8")
    program.chmod(0o755)

    printed = in_shell(f"PATH={program.parent}:$PATH\n{use}", tmp_path)

    events = [json.loads(line.removeprefix("data: ")) for line in printed.splitlines() if line.startswith("data: ")]
    assert start == 'make proxy ARGS="--end-user isla"\n'
    assert rest == []
    assert KNOWN in "".join(event.get("delta", {}).get("text", "") for event in events)


CODING_AGENTS = ROOT / "docs" / "connect" / "coding-agents.md"
CLAUDE = r"""#!/bin/sh
test "$1" = -p
curl -sf "$ANTHROPIC_BASE_URL/v1/messages?beta=true" -H "x-api-key: $ANTHROPIC_API_KEY" \
  -H 'anthropic-version: 2023-06-01' -H 'x-claude-code-session-id: a3fef1c0-5cb4' -H 'Content-Type: application/json' \
  -d '{"model": "claude-sonnet-4-5", "max_tokens": 500, "stream": true,
  "tools": [{"name": "Read", "input_schema": {"type": "object"}}],
  "messages": [{"role": "user", "content": [{"type": "text", "text": "'"$2"'"}]}]}'
"""


def test_the_model_is_given_the_facts_of_the_agent_that_the_readme_makes(tenant: Tenant, tmp_path: Path) -> None:
    """The newcomer's path, but for what is installed: `make newcomer` runs all of it in a fresh clone."""
    instructions = read((ROOT / "README.md").read_text(encoding="utf-8"))
    [options] = re.findall(r'^make proxy ARGS="(.+)"$', instructions.proxy)
    local = tmp_path / ".local"
    local.mkdir()
    DevEnv(tenant.stack.url, tenant.client.headers["x-api-key"], tenant.org_id, tenant.agent_id).write(
        local / "dev.env"
    )
    program = tmp_path / ".venv" / "bin" / "remembrancer"
    program.parent.mkdir(parents=True)
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} REMEMBRANCER_DIRECTORY={local} exec {sys.executable} -m local.cli "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    shell = Shell(tmp_path, os.environ)

    own_agent(shell, instructions)
    with running(tenant, local, *options.split()):
        attempts = first_chat(shell, instructions)

    assert attempts >= 1


class Provider(ThreadingHTTPServer):
    """OpenAI's own API, as far as a chat needs it; `given` is what it was asked, with the key."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.given: list[tuple[str, dict[str, Any]]] = []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert isinstance(self.server, Provider)
        self.server.given.append((self.headers["authorization"], body))
        choice = {"index": 0, "message": {"role": "assistant", "content": "The Heron room."}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        answer = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        content = json.dumps({**answer, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def provider_of_models() -> Iterator[Provider]:
    server = Provider()
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_with_a_key_the_provider_answers_and_ctrl_c_ends_everything(
    tenant: Tenant, provider_of_models: Provider, tmp_path: Path
) -> None:
    address = f"http://127.0.0.1:{provider_of_models.server_port}/v1"
    with running(
        tenant, tmp_path, "--end-user", "isla", OPENAI_API_KEY="sk-provider", OPENAI_BASE_URL=address
    ) as started:
        answer = started.chat()
        other = started.chat(model="openai/gpt-4o-mini")
        status = started.end()

    assert started.told["behind"] == "openai"
    assert (answer.status_code, other.status_code) == (200, 200), answer.text + other.text
    assert "The Heron room." in answer.text
    [(key, given), (_, also)] = provider_of_models.given
    assert key == "Bearer sk-provider"
    assert (given["model"], also["model"]) == ("gpt-4o", "gpt-4o-mini")
    assert KNOWN in json.dumps(given)
    assert status == 0
    assert is_free(started.port)


def test_a_misspelt_agent_is_told_at_once(tenant: Tenant, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "local.cli", "proxy", "--json", "--directory", str(tmp_path), "--agent", "larkk"],
        cwd=ROOT,
        env={
            **os.environ,
            "REMEMBRANCER_URL": tenant.stack.url,
            "REMEMBRANCER_API_KEY": tenant.client.headers["x-api-key"],
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 1
    assert "404: There is no such agent." in json.loads(done.stdout)["error"]


def test_a_port_that_is_taken_is_told(tenant: Tenant, proxy: Running, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "local.cli", "proxy", "--json", "--directory", str(tmp_path), "--port", str(proxy.port)],
        cwd=ROOT,
        env={**os.environ, "REMEMBRANCER_URL": tenant.stack.url, "REMEMBRANCER_API_KEY": "rk"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert str(proxy.port) in json.loads(done.stdout)["error"]
