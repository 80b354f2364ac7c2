"""The unmodified LiteLLM proxy as a child process."""

import asyncio
import json
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from local.lambda_ import process
from local.servers.ports import require_free

HOST = "127.0.0.1"
"""Not reachable from other machines."""
START_SECONDS = 180.0
STOP_SECONDS = 10.0
_LIVENESS = "/health/liveliness"
_PAUSE_SECONDS = 0.2
_TAIL = 2000


class LiteLLMError(Exception):
    """The proxy did not start; the message contains the end of its log."""


class LiteLLM:
    """One proxy on `port`; `folder` contains its configuration and log."""

    def __init__(self, program: Path, *, folder: Path, port: int) -> None:
        self._program = program
        self._folder = folder
        self._port = port
        self._log = folder / "litellm.log"
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        """The proxy's base URL, without a slash at its end."""
        return f"http://{HOST}:{self._port}"

    async def start(self, configuration: Mapping[str, Any], environment: Mapping[str, str]) -> None:
        """Returns when it accepts requests; raises PortTakenError and LiteLLMError."""
        require_free(self._port, (HOST,), wanted_by="The proxy")
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / "litellm.yaml"
        path.write_text(json.dumps(configuration, indent=2), encoding="utf-8")  # JSON is YAML
        place = ("--host", HOST, "--port", str(self._port))
        command = [str(self._program), "--config", str(path), *place, "--telemetry", "False"]
        with self._log.open("wb") as log:
            self._process = await process.start(command, folder=self._folder, environment=environment, output=log)
        await self._until_alive(self._process)

    async def ended(self) -> str:
        """Waits until it ends by itself; returns how it ended."""
        assert self._process is not None
        return process.ending(await self._process.wait())

    async def stop(self) -> None:
        """Stops it after a limited wait for running requests; does nothing when it does not run."""
        if self._process is None:
            return
        process.send(self._process, signal.SIGTERM)
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._process.wait()
        except TimeoutError:
            process.send(self._process, signal.SIGKILL)
            await self._process.wait()

    async def _until_alive(self, running: asyncio.subprocess.Process) -> None:
        end = time.monotonic() + START_SECONDS
        async with httpx.AsyncClient(base_url=self.url) as client:
            while running.returncode is None and time.monotonic() < end:
                try:
                    if (await client.get(_LIVENESS)).is_success:
                        return
                except httpx.HTTPError:
                    pass
                await asyncio.sleep(_PAUSE_SECONDS)
        tail = self._log.read_text(encoding="utf-8", errors="replace")[-_TAIL:]
        raise LiteLLMError(f"the proxy did not start; {self._log} ends with\n{tail}")
