"""Starts function processes with a clean environment; they end with this process even when it is killed."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

_LAUNCHER = Path(__file__).parents[1] / "servers" / "launcher.py"


async def start(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    output: IO[bytes] | int,
    niceness: int = 0,
) -> asyncio.subprocess.Process:
    """Start a command with exactly this environment, in a session of its own, stdout and stderr to `output`.

    The program is an absolute path. It gets SIGKILL when the thread that runs the event loop ends; `niceness`
    lowers its priority.
    """
    launch = {
        "parent": os.getpid(),
        "death_signal": int(signal.SIGKILL),
        "account": None,
        "reach": [],
        "niceness": niceness,
        "arguments": list(command),
    }
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(_LAUNCHER), json.dumps(launch)),
        cwd=folder,
        env=dict(environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=output,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,  # Ctrl-C at the terminal must reach only us: we stop the instances in order
    )


def send(process: asyncio.subprocess.Process, signal_number: signal.Signals) -> None:
    """Signals the process and its children; does nothing when it has ended."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal_number)
        except ProcessLookupError:
            return


def ending(status: int) -> str:
    """How a process ended, in the words of Lambda's logs."""
    if status == 0:
        return "exited without providing a reason"
    if status < 0:
        return f"exited with error: signal: {(signal.strsignal(-status) or str(-status)).lower()}"
    return f"exited with error: exit status {status}"
