"""Clients generated from proto/ by plugins of this machine: compiled strictly, then run against the shared stack.

Their programs are those of the documentation. `make test-clients` installs what they need and runs them.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from local.stack import ROOT
from remembrancer_client import without_injected
from tests.e2e.conftest import SampleTenant
from tests.e2e.test_documents import PATIENCE_S, broken_services, variables
from tests.unit.documents import blocks

PROTO = ROOT / "proto"
TOOLS = ROOT / ".buf" / "node_modules"
MODULE = "example.com/proxy"
"""What the page and buf.gen.go.yaml call the reader's module."""
GO_SOURCES = Path("/usr/share/gocode")
"""Where Debian's packages have the sources of Go libraries."""
GO_PAGE, RPC_PAGE = ROOT / "docs" / "connect" / "go.md", ROOT / "docs" / "connect" / "rpc.md"
QUESTION = "Which room does Mrs Lindqvist get?"

pytestmark = pytest.mark.skipif("CLIENTS" not in os.environ, reason="make test-clients runs it")


def run(*command: str | Path, folder: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, env=dict(environment), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def generate(language: str, target: Path) -> None:
    """As the pages say: `buf generate`, from the clone."""
    template = PROTO / f"buf.gen.{language}.yaml"
    path = f"{TOOLS / '.bin'}{os.pathsep}{os.environ['PATH']}"
    command = (TOOLS / ".bin" / "buf", "generate", "proto", "--template", template, "--output", target)
    run(*command, folder=ROOT, environment={"PATH": path, "HOME": str(target)})


def programs(page: Path, language: str) -> list[str]:
    return [block.text for block in blocks(page) if block.language == language]


def chat(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


@pytest.fixture(scope="module")
def go_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workspace = tmp_path_factory.mktemp("go")
    (workspace / "src" / MODULE).mkdir(parents=True)
    return workspace


def go(workspace: Path, *arguments: str) -> None:
    """Without modules, as those would be fetched: Debian's sources stand on the path instead."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(workspace),
        "GOPATH": f"{workspace}{os.pathsep}{GO_SOURCES}",
        "GO111MODULE": "off",
        "GOCACHE": str(ROOT / ".cache" / "go"),
    }
    run("go", *arguments, folder=workspace / "src" / MODULE, environment=environment)


def go_program(workspace: Path, name: str, text: str) -> Path:
    """The binary of a program that is formatted and that vet has nothing to say about."""
    source = workspace / "src" / MODULE / name / "main.go"
    source.parent.mkdir()
    source.write_text(text, encoding="utf-8")
    assert run("gofmt", "-l", str(source), folder=workspace, environment=os.environ) == ""
    go(workspace, "vet", f"./{name}")
    go(workspace, "build", "-o", str(workspace / "bin" / name), f"./{name}")
    return workspace / "bin" / name


def module_program(folder: Path, text: str) -> Path:
    """The binary of the page's program, made with the module by the page's commands; nothing is fetched."""
    shutil.copytree(ROOT / "clients" / "go", folder / "clients" / "go")
    environment = {**GO_SETTINGS, "HOME": str(folder)}
    beginning = next(block.text for block in blocks(GO_PAGE) if block.language == "bash")
    run("bash", "-euc", beginning, folder=folder, environment=environment)
    (folder / "chat" / "main.go").write_text(text, encoding="utf-8")
    assert run("gofmt", "-l", ".", folder=folder, environment=environment) == ""
    for place in ("chat", "clients/go"):
        run("go", "vet", ".", folder=folder / place, environment=environment)
    run("go", "build", "-o", "program", ".", folder=folder / "chat", environment=environment)
    return folder / "chat" / "program"


GO_SETTINGS = {"PATH": os.environ["PATH"], "GOPROXY": "off", "GOCACHE": str(ROOT / ".cache" / "go")}


@pytest.fixture(scope="module")
def plain_go(tmp_path_factory: pytest.TempPathFactory) -> Path:
    patient = programs(GO_PAGE, "go")[0].replace("2000 * time.Millisecond", "10000 * time.Millisecond")
    return module_program(tmp_path_factory.mktemp("module"), patient)


def test_the_tests_of_the_go_module_pass(tmp_path: Path) -> None:
    run("go", "test", ".", folder=ROOT / "clients" / "go", environment={**GO_SETTINGS, "HOME": str(tmp_path)})


def test_the_go_program_gets_memories(plain_go: Path, sample_tenant: SampleTenant) -> None:
    messages = chat(run(plain_go, folder=plain_go.parent, environment=variables(sample_tenant)))

    assert without_injected(messages) == [{"role": "user", "content": QUESTION}]
    assert "<memories-" in messages[-1]["content"]


def test_no_service_makes_the_go_program_fail_a_chat(tmp_path: Path, sample_tenant: SampleTenant) -> None:
    text = programs(GO_PAGE, "go")[0].replace("2000 * time.Millisecond", "45 * time.Millisecond")
    text = text.replace("time.Second)", "100*time.Millisecond)")
    assert text != programs(GO_PAGE, "go")[0]
    impatient = module_program(tmp_path, text)
    went = {}

    with broken_services() as urls:
        for name, url in urls.items():
            began = time.monotonic()
            environment = {**variables(sample_tenant), "REMEMBRANCER_URL": url}
            messages = chat(run(impatient, folder=impatient.parent, environment=environment))
            went[name] = (messages, time.monotonic() - began < PATIENCE_S)

    given = [{"role": "user", "content": QUESTION}]
    assert {name: seen for name, seen in went.items() if seen != (given, True)} == {}


def test_generated_go_compiles_and_gets_memories(go_workspace: Path, sample_tenant: SampleTenant) -> None:
    generate("go", go_workspace / "src" / MODULE)
    go(go_workspace, "vet", "./gen/...")
    program = go_program(go_workspace, "typed", programs(GO_PAGE, "go")[1])

    messages = chat(run(program, folder=program.parent, environment=variables(sample_tenant)))

    assert without_injected(messages) == [{"role": "user", "content": QUESTION, "name": "isla"}]
    assert "<memories-" in messages[-1]["content"]


def test_generated_typescript_passes_the_compiler_and_gets_memories(
    tmp_path: Path, sample_tenant: SampleTenant
) -> None:
    node = shutil.which("node")
    assert node
    generate("typescript", tmp_path)
    (tmp_path / "node_modules").symlink_to(TOOLS)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(ROOT / "clients" / "typescript" / "tsconfig.json", tmp_path / "strict.json")
    options = {"outDir": "out", "rootDir": ".", "types": ["node"]}
    config = {"extends": "./strict.json", "compilerOptions": options, "include": ["*.ts", "gen"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    [text] = programs(RPC_PAGE, "ts")
    (tmp_path / "main.ts").write_text(text)
    environment = {"PATH": os.environ["PATH"], **variables(sample_tenant)}

    run(node, TOOLS / "typescript" / "bin" / "tsc", folder=tmp_path, environment=environment)
    messages = json.loads(run(node, "out/main.js", folder=tmp_path, environment=environment))
    nowhere = {**environment, "REMEMBRANCER_URL": "http://127.0.0.1:1"}
    unchanged = json.loads(run(node, "out/main.js", folder=tmp_path, environment=nowhere))

    assert without_injected(messages) == unchanged == [{"role": "user", "content": QUESTION, "name": "isla"}]
    assert "<memories-" in messages[-1]["content"]
