"""Stops all processes of a server for a while, as a paused virtual machine would."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

_PROCESSES = Path("/proc")


@asynccontextmanager
async def frozen(pid: int, seconds: float) -> AsyncIterator[None]:
    """The server and its children stand still for so long, beginning before the block; the block may end later."""
    stopped = family(pid)
    _send(stopped, signal.SIGSTOP)
    thaw = asyncio.get_running_loop().call_later(seconds, _send, stopped, signal.SIGCONT)
    try:
        yield
    finally:
        thaw.cancel()
        _send(stopped, signal.SIGCONT)


def family(pid: int) -> list[int]:
    """The process and its children, itself first: stopped first, it starts no others."""
    children = [int(one.name) for one in _PROCESSES.iterdir() if one.name.isdigit() and _parent(one) == pid]
    return [pid, *children]


def _parent(process: Path) -> int:
    with suppress(FileNotFoundError, ProcessLookupError):
        # After the name, which may contain anything: state, parent.
        return int((process / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[1])
    return 0


def _send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
