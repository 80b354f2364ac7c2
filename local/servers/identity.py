"""Identifies processes by id and start time, because the system uses ids again."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """Identifies one process permanently: `started` is opaque and differs between processes with the same id."""

    pid: int
    started: str


def identify(pid: int) -> ProcessIdentity | None:
    """The living process with this id, or None; a zombie is dead."""
    started = _started_linux(pid) if (_PROC / "self/stat").exists() else _started_elsewhere(pid)
    return None if started is None else ProcessIdentity(pid, started)


def is_alive(identity: ProcessIdentity) -> bool:
    """Whether this process, not another with its id, still runs."""
    return identify(identity.pid) == identity


def _started_linux(pid: int) -> str | None:
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The command name, field 2, is in parentheses and may contain anything: count from the last one.
    fields = text.rpartition(")")[2].split()
    state, ticks_since_boot = fields[0], fields[19]
    if state in {"Z", "X"}:
        return None
    boot = (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot}:{ticks_since_boot}"


def _started_elsewhere(pid: int) -> str | None:
    answer = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False, timeout=5
    )
    state, _, started = answer.stdout.strip().partition(" ")
    return None if not started or state.startswith("Z") else started.strip()
