"""The frameworks live in an environment of their own, so that what uses them runs in a process of its own."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from local.stack import ROOT
from tests.e2e.conftest import Tenant

PYTHON = ROOT / ".venv-frameworks" / "bin" / "python"
SECONDS = 120.0

installed = pytest.mark.skipif(
    not PYTHON.exists(), reason="make test installs the frameworks; make .venv-frameworks/done"
)


def call(module: str, function: str, environment: Mapping[str, str], **arguments: Any) -> Any:
    """What a function of a module beside this one answers."""
    return json.loads(_run(["-m", "tests.frameworks", module, function], environment, ROOT, json.dumps(arguments)))


def program(text: str, environment: Mapping[str, str], folder: Path) -> str:
    """What a program prints."""
    return _run(["-c", text], environment, folder, "")


def variables(tenant: Tenant) -> dict[str, str]:
    """What a client is configured by."""
    return {
        "REMEMBRANCER_URL": tenant.stack.url,
        "REMEMBRANCER_API_KEY": tenant.client.headers["x-api-key"],
        "REMEMBRANCER_ORG_ID": tenant.org_id,
        "REMEMBRANCER_AGENT_ID": tenant.agent_id,
    }


def _run(command: list[str], environment: Mapping[str, str], folder: Path, given: str) -> str:
    settings = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "clients" / "python" / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        # Neither framework may report runs to its makers.
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
        "LANGSMITH_TRACING": "false",
    }
    done = subprocess.run(
        [str(PYTHON), *command],
        input=given,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**settings, **environment},
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout
