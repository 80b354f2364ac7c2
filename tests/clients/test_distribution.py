"""What users install: it builds, installs without the repository, and has the service's version."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from remembrancer_client import __version__

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PYTHON, TYPESCRIPT = ROOT / "clients" / "python", ROOT / "clients" / "typescript"


def version(folder: Path) -> str:
    return str(tomllib.loads((folder / "pyproject.toml").read_text())["project"]["version"])


def test_versions_follow_the_services() -> None:
    package = json.loads((TYPESCRIPT / "package.json").read_text())["version"]

    assert {version(PYTHON), __version__, package} == {version(ROOT)}


def test_the_python_package_installs_and_runs_without_the_repository(tmp_path: Path) -> None:
    # A copy, as building leaves files beside the source.
    source = shutil.copytree(PYTHON, tmp_path / "source")
    target = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    options = ["--no-build-isolation", "--no-deps", "--target", str(target)]

    subprocess.run([*command, *options, str(source)], check=True, timeout=120)
    code = f"import sys; sys.path.insert(0, {str(target)!r}); import remembrancer_client as r; print(r.__file__)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)

    assert loaded.stdout.startswith(str(target))
    installed = {path.name for path in target.rglob("*")}
    (metadata,) = target.glob("*.dist-info/METADATA")
    assert "# remembrancer-client\n" in metadata.read_text() and "# Changelog\n" in metadata.read_text()
    assert {"py.typed", "LICENSE", "remembrancer-mcp"} <= installed


@pytest.mark.parametrize("client", [PYTHON, TYPESCRIPT], ids=["Python", "TypeScript"])
def test_each_has_a_readme_a_changelog_of_its_version_and_the_licence(client: Path) -> None:
    versions = re.findall(r"^## (\S+)", (client / "CHANGELOG.md").read_text(), re.MULTILINE)

    assert versions[0] == version(ROOT)
    assert (client / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert "](../" not in (client / "README.md").read_text(), "leads nowhere outside of the repository"


def test_the_extras_begin_at_the_versions_that_the_tests_run() -> None:
    extras = tomllib.loads((PYTHON / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    makefile = (ROOT / "Makefile").read_text()
    lines = re.findall(r"^(?:LITELLM|FRAMEWORKS) := (.+)$", makefile, re.MULTILINE)
    pins = [Requirement(pin) for line in lines for pin in line.split()]
    pinned = {pin.name: next(iter(pin.specifier)).version for pin in pins}

    for name in ("langchain", "langgraph", "litellm", "openai-agents"):
        [requirement] = [Requirement(one) for one in extras[name]]
        assert f">={pinned[requirement.name]}" in str(requirement.specifier)


def test_lock_files_name_no_address() -> None:
    assert not any(
        '"resolved"' in (folder / "package-lock.json").read_text() for folder in (TYPESCRIPT, ROOT / "proto")
    )
