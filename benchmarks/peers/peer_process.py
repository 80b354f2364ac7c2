"""A compared system in a process of its own environment, driven by lines of JSON."""

import asyncio
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from local.stack import ROOT

_LINE_BYTES = 2**26
_END_SECONDS = 10.0
# No system sends anything, and none asks a hub for models. Each computes with one thread, as ours.
_ENVIRONMENT = {
    "MEM0_TELEMETRY": "False",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
    "HF_HUB_OFFLINE": "1",
    "DO_NOT_TRACK": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "layers" / "engine"))),
}


class PeerFailedError(Exception):
    """The process ended; the message names its log."""


class PeerProcess:
    """An asynchronous context manager; `versions` are known inside."""

    def __init__(self, python: Path, module: str, url: str, models: Path, log: Path) -> None:
        self._command = (str(python), "-m", "benchmarks.peers.worker", module, url, str(models))
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self.versions: Mapping[str, str] = {}

    async def __aenter__(self) -> Self:
        home = self._log.parent / "home"
        home.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                cwd=ROOT,
                env={"PATH": os.environ["PATH"], "HOME": str(home), **_ENVIRONMENT},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=_LINE_BYTES,
            )
        try:
            self.versions = (await self._answer())["versions"]
        except BaseException:
            await self._end(0.0)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end(0.0 if kind is not None else _END_SECONDS)

    async def _end(self, seconds: float) -> None:
        """The end of its input ends it; it is killed when it has not ended after so many seconds."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), seconds)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
        # Reads to the end of its output, so that the pipes are closed too.
        await self._process.communicate()

    async def ask(self, command: str, **arguments: Any) -> Any:
        """The answer to one command of `benchmarks.peers.worker`."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": command, **arguments}).encode() + b"\n")
        await self._process.stdin.drain()
        return await self._answer()

    async def _answer(self) -> Any:
        assert self._process is not None
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise PeerFailedError(f"it ended: see {self._log}")
        return json.loads(line)
