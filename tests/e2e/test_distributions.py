"""What `make dist` built, installed in a fresh environment away from the repository, runs what its page shows."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from local.stack import ROOT
from tests.e2e.conftest import SampleTenant
from tests.e2e.test_documents import variables
from tests.unit.documents import blocks

DIST, PAGES = ROOT / "dist", ROOT / "docs" / "connect"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
WHEEL = DIST / f"remembrancer_client-{VERSION}-py3-none-any.whl"
SOURCE = DIST / f"remembrancer_client-{VERSION}.tar.gz"
TARBALL = DIST / f"remembrancer-client-{VERSION}.tgz"

pytestmark = pytest.mark.skipif("CLIENTS" not in os.environ, reason="make test-clients runs it")


def run(*command: str | Path, folder: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def program(page: str, language: str) -> str:
    """The first block of the language, with patience for a busy machine."""
    text = next(block.text for block in blocks(PAGES / page) if block.language == language)
    patient = re.sub(r"(deadline_?[Mm]s[=:] ?)\d+", r"\g<1>10000", text)
    assert patient != text
    return patient


@pytest.fixture(params=[WHEEL, SOURCE], ids=["wheel", "source distribution"])
def python(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The interpreter of a new environment with nothing but the distribution and what it asks for."""
    run(sys.executable, "-m", "venv", tmp_path / "venv", folder=tmp_path, environment={})
    python = tmp_path / "venv" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--constraint", ROOT / "constraints.txt", request.param, folder=tmp_path, environment=os.environ)
    return python


def test_the_python_distributions_run_the_program_of_their_page(
    python: Path, sample_tenant: SampleTenant, tmp_path: Path
) -> None:
    code = "import remembrancer_client as r; print(r.__version__, r.__file__)"
    version, place = run(python, "-c", code, folder=tmp_path, environment={}).split()

    printed = run(python, "-c", program("python.md", "python"), folder=tmp_path, environment=variables(sample_tenant))

    assert version == VERSION
    assert place.startswith(str(tmp_path))
    assert "<memories-" in printed
    assert "piano tuner" in printed


def test_the_source_distribution_has_what_belongs_to_it() -> None:
    with tarfile.open(SOURCE) as archive:
        names = {Path(name).name for name in archive.getnames()}

    assert {"README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml"} <= names


def test_the_npm_package_runs_the_program_of_its_page(sample_tenant: SampleTenant, tmp_path: Path) -> None:
    node, npm = shutil.which("node"), shutil.which("npm")
    assert node
    assert npm
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    run(npm, "install", "--no-audit", "--no-fund", TARBALL, folder=tmp_path, environment=os.environ)
    installed = tmp_path / "node_modules" / "remembrancer-client"
    # It has no types beyond what is JavaScript too.
    (tmp_path / "main.js").write_text(program("typescript.md", "ts"))

    printed = run(node, "main.js", folder=tmp_path, environment=variables(sample_tenant))

    assert json.loads((installed / "package.json").read_text())["version"] == VERSION
    assert {"README.md", "CHANGELOG.md", "LICENSE"} <= {path.name for path in installed.iterdir()}
    assert "<memories-" in printed
