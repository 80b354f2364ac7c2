"""AWS's Runtime Interface Emulator, and the same function in the local Lambda.

The emulator comes with aws-sam-cli, which has an environment of its own, `.venv-sam` (SAM_VENV names another one).
"""

import asyncio
import json
import os
import platform
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from local.lambda_.instance import Sandbox
from local.lambda_.pool import FunctionPool
from local.servers.ports import free_port
from local.template import FunctionSpec

ROOT = Path(__file__).parents[2]
PACKAGES = (ROOT / "layers" / "engine", ROOT / "layers" / "mcp")
_ARCHITECTURE = {"x86_64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}


@dataclass(frozen=True, slots=True)
class Case:
    """One event for one function.

    `select` takes what must be equal out of the answer; the rest (ids, times, paths) may differ. `expected` is what
    it gives on both sides.
    """

    name: str
    folder: Path
    event: Mapping[str, Any] | Path
    expected: Any
    select: Callable[[Any], Any] = lambda answer: answer
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout_s: int = 10

    def payload(self) -> bytes:
        """The event as JSON."""
        return self.event.read_bytes() if isinstance(self.event, Path) else json.dumps(self.event).encode()

    def spec(self, environment: Mapping[str, str]) -> FunctionSpec:
        """The function, with more environment than the case's own."""
        return FunctionSpec(
            self.name,
            self.folder,
            "app.handler",
            environment={**self.environment, **environment},
            timeout_s=self.timeout_s,
        )


def program() -> Path:
    """The emulator's program for this machine."""
    sam = Path(os.environ.get("SAM_VENV", ROOT / ".venv-sam"))
    name = f"aws-lambda-rie-{_ARCHITECTURE[platform.machine()]}"
    for path in sam.glob(f"lib/python3*/site-packages/samcli/local/rapid/{name}"):
        return path
    pytest.fail(f"{name} is not in {sam}: `make test-all` installs it")


async def answers(
    case: Case, emulator: Path, logs: Path, environment: Mapping[str, str] | None = None
) -> tuple[Any, Any]:
    """What is selected of the emulator's answer and of the local one; `environment` adds the addresses of a stack."""
    spec = case.spec(environment or {})
    async with running(emulator, spec, logs / "emulator.log") as url:
        under_emulator = await call(url, case.payload())
    pool = FunctionPool(spec, Sandbox(python_path=PACKAGES), log_folder=logs)
    try:
        local = await pool.invoke(case.payload())
    finally:
        await pool.stop()
    return case.select(json.loads(under_emulator)), case.select(json.loads(local.payload))


@asynccontextmanager
async def running(emulator: Path, spec: FunctionSpec, log: Path) -> AsyncIterator[str]:
    """The emulator with one function; its base URL. Serves one call at a time, as it should be used."""
    port = free_port()
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join(map(str, PACKAGES)),
        "AWS_LAMBDA_FUNCTION_NAME": spec.name,
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(spec.timeout_s),
        "AWS_EXECUTION_ENV": f"AWS_Lambda_{spec.runtime}",
        # Without these the emulator sets empty ones, and boto3 refuses those.
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_SESSION_TOKEN": "local",
        "AWS_REGION": "us-east-1",
        **spec.environment,
    }
    addresses = [f"127.0.0.1:{port}", f"127.0.0.1:{free_port()}"]
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(str(emulator), "--log-level", "error"),
            *("--runtime-interface-emulator-address", addresses[0], "--runtime-api-address", addresses[1]),
            *(sys.executable, "-m", "awslambdaric", spec.handler),
            cwd=spec.folder,
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        await listening(port, process)
        yield f"http://{addresses[0]}"
    finally:
        await end(process)


async def call(url: str, payload: bytes) -> bytes:
    async with (
        aiohttp.ClientSession() as client,
        client.post(f"{url}/2015-03-31/functions/function/invocations", data=payload) as response,
    ):
        return await response.read()


async def listening(port: int, process: asyncio.subprocess.Process) -> None:
    end_of_patience = time.monotonic() + 20
    while True:
        assert process.returncode is None, "the emulator has ended"
        assert time.monotonic() < end_of_patience, "the emulator does not listen"
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.02)
            continue
        writer.close()
        await writer.wait_closed()
        return


async def end(process: asyncio.subprocess.Process) -> None:
    """End the emulator; it takes its runtime with it on SIGTERM."""
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), 10)
        except TimeoutError:
            process.kill()
            await process.wait()
