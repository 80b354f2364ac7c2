"""The frameworks live in an environment of their own, so that what uses them runs in a process of its own."""

import atexit
import json
import os
import signal
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock, Timer
from typing import Any

import pytest

from local.stack import ROOT
from tests.e2e.conftest import Tenant

PYTHON = ROOT / ".venv-frameworks" / "bin" / "python"
SECONDS = 120.0
_SETTINGS = {
    "PATH": os.environ["PATH"],
    "PYTHONPATH": str(ROOT / "clients" / "python" / "src"),
    "PYTHONDONTWRITEBYTECODE": "1",
    # No framework may report runs to its makers.
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "LANGSMITH_TRACING": "false",
}

installed = pytest.mark.skipif(not PYTHON.exists(), reason="make .venv-frameworks/done installs the frameworks")


class _Server:
    """A process that has imported a module beside this one: that takes longer than most of its functions."""

    def __init__(self, module: str) -> None:
        self._lock = Lock()
        self._errors = TemporaryFile("w+")  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [str(PYTHON), "-m", "tests.frameworks", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=ROOT,
            env=_SETTINGS,
            start_new_session=True,
        )
        atexit.register(self._close)

    def ask(self, function: str, environment: Mapping[str, str], arguments: Mapping[str, Any]) -> Any:
        """What the function answers; AssertionError with its traceback when it failed or took too long."""
        asked = {"function": function, "environment": dict(environment), "arguments": arguments}
        with self._lock:
            # With the fork that is late.
            late = Timer(SECONDS, os.killpg, (self._process.pid, signal.SIGKILL))
            late.start()
            try:
                assert self._process.stdin is not None and self._process.stdout is not None
                self._process.stdin.write(json.dumps(asked) + "\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            finally:
                late.cancel()
                late.join()
        answer = json.loads(line) if line else {}
        assert "answer" in answer, answer.get("error") or self._said()
        return answer["answer"]

    def _said(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-4000:]

    def _close(self) -> None:
        # Ends with its input.
        self._process.communicate(timeout=SECONDS)
        self._errors.close()


_server = cache(_Server)


def call(module: str, function: str, environment: Mapping[str, str], **arguments: Any) -> Any:
    """What a function of a module beside this one answers, from a process of its own."""
    return _server(module).ask(function, environment, arguments)


def program(text: str, environment: Mapping[str, str], folder: Path) -> str:
    """What a program prints."""
    return _run(["-c", text], environment, folder)


def variables(tenant: Tenant) -> dict[str, str]:
    """What a client is configured by."""
    return {
        "REMEMBRANCER_URL": tenant.stack.url,
        "REMEMBRANCER_API_KEY": tenant.client.headers["x-api-key"],
        "REMEMBRANCER_ORG_ID": tenant.org_id,
        "REMEMBRANCER_AGENT_ID": tenant.agent_id,
    }


def _run(command: list[str], environment: Mapping[str, str], folder: Path) -> str:
    done = subprocess.run(
        [str(PYTHON), *command],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**_SETTINGS, **environment},
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout
