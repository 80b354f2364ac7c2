"""The TypeScript client, as built, by node's own test runner against the running service."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from local.stack import ROOT
from remembrancer.domain.personal_data.invisible_characters import is_blank
from tests.e2e.conftest import Tenant
from tests.unit.documents import blocks

CLIENT = ROOT / "clients" / "typescript"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not (CLIENT / "dist" / "index.js").exists(), reason="make test-all builds it"),
]


def settings(tenant: Tenant) -> dict[str, str]:
    return {
        "REMEMBRANCER_URL": tenant.stack.url,
        "REMEMBRANCER_API_KEY": tenant.client.headers["x-api-key"],
        "REMEMBRANCER_ORG_ID": tenant.org_id,
        "REMEMBRANCER_AGENT_ID": tenant.agent_id,
    }


def test_its_tests_pass_against_the_service(tenant: Tenant) -> None:
    node = shutil.which("node")
    assert node

    ran = subprocess.run(
        # By name, since versions of node read a folder's name differently.
        [node, "--test", *sorted((CLIENT / "test").glob("*.test.js"))],
        cwd=CLIENT,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], **settings(tenant)},
    )

    assert ran.returncode == 0, ran.stdout[-4000:]
    # The mark before it differs between versions of node.
    assert " skipped 0\n" in ran.stdout


def test_it_takes_the_same_characters_for_blank_as_the_service() -> None:
    node = shutil.which("node")
    assert node
    program = """
        import { isBlank } from "./dist/end-users.js";
        const points = Array.from({ length: 0x110000 }, (_, point) => point);
        console.log(JSON.stringify(points.filter((point) => isBlank(String.fromCodePoint(point)))));"""

    ran = subprocess.run(
        [node, "--input-type=module", "--eval", program], cwd=CLIENT, capture_output=True, text=True, check=True
    )

    assert json.loads(ran.stdout) == [point for point in range(sys.maxunicode + 1) if is_blank(chr(point))]


@pytest.fixture
def program(tmp_path: Path) -> str:
    """The page's program, with patience for a busy machine; the package is installed in its folder."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "remembrancer-client").symlink_to(CLIENT)
    text = next(block.text for block in blocks(ROOT / "docs" / "connect" / "typescript.md") if block.language == "ts")
    return text.replace("deadlineMs: 2000", "deadlineMs: 10000")


@pytest.mark.parametrize("name", ["main.mjs", "main.ts", "main.mts"])
def test_the_program_of_its_page_runs_as_the_page_says(tenant: Tenant, tmp_path: Path, program: str, name: str) -> None:
    node = shutil.which("node")
    assert node
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"v(\d+)\.(\d+)", version)
    assert found
    if name != "main.mjs" and tuple(map(int, found.groups())) < (22, 18):
        pytest.skip(f"Node {version.strip()} runs no types")
    tenant.remember("The piano tuner, Mr Sutherland, comes on Tuesdays.")
    (tmp_path / name).write_text(program)

    ran = subprocess.run(
        [node, name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={"PATH": os.environ["PATH"], **settings(tenant)},
    )

    assert ran.returncode == 0, ran.stderr
    assert "<memories-" in ran.stdout
    assert "Mr Sutherland" in ran.stdout


@pytest.mark.parametrize(
    ("name", "package"), [("main.mts", "{}"), ("main.ts", '{"type": "module"}')], ids=["mts", "ts in a module"]
)
def test_the_program_of_its_page_has_no_wrong_types(tmp_path: Path, program: str, name: str, package: str) -> None:
    (tmp_path / name).write_text(program)
    (tmp_path / "package.json").write_text(package)
    compiler = CLIENT / "node_modules" / ".bin" / "tsc"

    checked = subprocess.run(
        [compiler, "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--lib", "es2023,dom", name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout


def test_the_program_of_the_ai_sdks_page_compiles_and_gives_the_model_memories(tenant: Tenant, tmp_path: Path) -> None:
    [text] = [one.text for one in blocks(ROOT / "docs" / "connect" / "vercel-ai-sdk.md") if one.language == "ts"]
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "remembrancer-client").symlink_to(CLIENT)
    (tmp_path / "node_modules" / "ai").symlink_to(CLIENT / "node_modules" / "ai")
    (tmp_path / "main.mts").write_text(text.replace("deadlineMs: 2000", "deadlineMs: 10000"))
    tenant.remember("The piano tuner, Mr Sutherland, wants no music before noon.")
    compiler = [CLIENT / "node_modules" / ".bin" / "tsc", "--strict", "--skipLibCheck", "--module", "nodenext"]

    compiled = run([*compiler, "--lib", "es2023,dom", "main.mts"], tmp_path, {})
    ran = run(["node", "main.mjs"], tmp_path, settings(tenant))

    assert compiled.returncode == 0, compiled.stdout
    assert ran.returncode == 0, ran.stderr
    [system, user] = json.loads(ran.stdout)
    assert system["content"].startswith("Be brief.")
    assert "Mr Sutherland" in json.dumps([system, user])


def run(command: list[Any], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    whole = {"PATH": os.environ["PATH"], **environment}
    return subprocess.run(
        command,
        cwd=folder,
        env=whole,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
