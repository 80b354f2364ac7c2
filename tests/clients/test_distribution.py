"""What users install: it builds, installs without the repository, and has the service's version."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from remembrancer_client import __version__

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
    assert {"py.typed", "LICENSE", "remembrancer-mcp"} <= installed


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
    assert "resolved" not in (TYPESCRIPT / "package-lock.json").read_text()
