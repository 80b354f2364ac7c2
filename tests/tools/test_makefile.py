"""What the Makefile says of its targets, and what it installs for itself, with the real npm."""

import json
import re
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


def test_help_lists_every_described_target_once_in_a_group() -> None:
    described = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)

    # Under another make, as in CI, make says which directory it enters.
    listed = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout

    groups = [group.splitlines() for group in listed.strip().split("\n\n")]
    assert len(groups) > 3
    assert all(re.fullmatch(r"[A-Z][a-z ]+", title) and targets for title, *targets in groups)
    found = [found[1] for _, *targets in groups for line in targets if (found := re.match(r"  ([a-z-]+) +\S", line))]
    assert found == described
    assert len(described) == len(set(described)) > 20
