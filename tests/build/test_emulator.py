"""What is uploaded answers under AWS's Runtime Interface Emulator, where this machine has a Python 3.13.

PYTHON313 names it; without, `python3.13` is looked for. A machine without one runs the same in containers, under the
same emulator: `make test-sam`.
"""

import asyncio
import json
import os
import platform
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from local.sam_image import image
from local.servers.ports import free_port
from tests.build.artefacts import Artefacts
from tests.e2e.conftest import Tenant, emulator, loop, new_tenant, provider, stack, tenant
from tests.e2e.emulator import call, end, listening
from tests.e2e.function_cases import FOLDERS, case_of

__all__ = ["emulator", "loop", "new_tenant", "provider", "stack", "tenant"]


@pytest.fixture(scope="session")
def python() -> str:
    """A Python of the version that the layers are built for."""
    program = os.environ.get("PYTHON313") or shutil.which("python3.13")
    if program is None:
        pytest.skip("there is no python3.13 here: `make test-sam` runs the same in containers")
    version = subprocess.run(
        [program, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False
    )
    if version.stdout.split() != ["3", "13"]:
        pytest.skip(f"{program} is no Python 3.13: `make test-sam` runs the same in containers")
    return program


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Lambda brings, for that Python."""
    folder = tmp_path_factory.mktemp("runtime") / "runtime"
    image.install_runtime(folder, platform.machine())
    return folder


@pytest.mark.parametrize("folder", FOLDERS)
async def test_the_built_function_answers_under_the_emulator(
    built_here: Artefacts, tenant: Tenant, emulator: Path, python: str, runtime: Path, tmp_path: Path, folder: str
) -> None:
    tenant.remember("The heron sleeps in the old oak")
    tenant.drain()
    event, select, expected = case_of(tenant, folder)
    environment = {
        **tenant.stack.functions[FOLDERS[folder]].spec.environment,
        "PYTHONPATH": f"{built_here.engine}:{built_here.mcp}:{runtime}",
        "MODELS_DIR": str(built_here.models),
        "TIKTOKEN_CACHE_DIR": str(built_here.models / "tiktoken"),
    }

    async with emulated(emulator, python, built_here.functions[FOLDERS[folder]], environment, tmp_path / "log") as url:
        answer = json.loads(await call(url, json.dumps(event).encode()))

    assert select(answer) == expected


@asynccontextmanager
async def emulated(
    emulator: Path, python: str, function: Path, environment: dict[str, str], log: Path
) -> AsyncIterator[str]:
    """The function under the emulator, with nothing of the source tree in its search path; its base URL."""
    port = free_port()
    addresses = ("--runtime-interface-emulator-address", f"127.0.0.1:{port}")
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(str(emulator), "--log-level", "error", *addresses),
            *("--runtime-api-address", f"127.0.0.1:{free_port()}"),
            *(python, "-m", "awslambdaric", "app.handler"),
            cwd=function,
            env={
                "PATH": os.defpath,
                "PYTHONDONTWRITEBYTECODE": "1",
                "AWS_LAMBDA_FUNCTION_TIMEOUT": "60",
                "AWS_ACCESS_KEY_ID": "local",
                "AWS_SECRET_ACCESS_KEY": "local",
                "AWS_SESSION_TOKEN": "local",
                "AWS_REGION": "us-east-1",
                **environment,
            },
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        await listening(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        await end(process)
