"""What the Makefile installs for itself, with the real npm."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from local.stack import ROOT

# Nothing to fetch: what is asked here is whether npm finds the lock file.
PACKAGE = {"private": True}
LOCK = {"name": "bytecode", "lockfileVersion": 3, "requires": True, "packages": {"": {}}}


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not here")
def test_pyodide_installs_into_a_folder_behind_a_symbolic_link(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    asked = tmp_path / "layers" / "engine" / "bytecode"
    asked.mkdir(parents=True)
    (asked / "package.json").write_text(json.dumps(PACKAGE), encoding="utf-8")
    (asked / "package-lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "pyodide").symlink_to(tmp_path / "elsewhere")

    made = subprocess.run(
        ["make", ".cache/pyodide/done", "PYTHON313=false"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert made.returncode == 0, made.stderr
    assert (tmp_path / "elsewhere" / "done").exists()
