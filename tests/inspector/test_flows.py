"""The inspector in a headless Chromium: every flow against the whole local stack, by node's own test runner."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FLOWS = sorted((HERE / "flows").glob("*.test.mjs"))

pytestmark = pytest.mark.skipif("CHROMIUM" not in os.environ, reason="make test-inspector runs it")


def test_the_scripts_have_the_types_that_they_say() -> None:
    ran = node("node_modules/typescript/bin/tsc", "--project", ".")

    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name.partition(".")[0])
def test_flow(flow: Path, scene: Path) -> None:
    ran = node("--test", "--test-reporter=spec", str(flow.relative_to(HERE)), SCENE=str(scene))

    sys.stdout.write(ran.stdout)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    assert "skipped 0" in ran.stdout


def node(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("node")
    assert program
    names = ("PATH", "HOME", "CHROMIUM", "SCREENSHOTS")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return subprocess.run(
        [program, *arguments],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
        timeout=170,
        env=kept | environment,
    )
