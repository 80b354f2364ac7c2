"""A server as a child process: waits until it answers, stops it in bounded time, and ends it with the parent."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from local import log_files
from local.servers.claim import Claim
from local.servers.errors import ServerError, ServerFailedError
from local.servers.identity import identify

_LAUNCHER = Path(__file__).with_name("launcher.py")
_POLL_SECONDS = 0.005
_TAIL_LINES = 15
_ORPHANS_SECONDS = 10.0
# The kernel sends the death signal when the *thread* that made the child ends, and callers may start servers from
# short-lived threads. This thread lives as long as the program.
_spawner = ThreadPoolExecutor(max_workers=1, thread_name_prefix="server-spawner")

StopSignals = Sequence[tuple[signal.Signals, float]]


@dataclass(frozen=True, slots=True)
class OsAccount:
    """The numeric user and group that a server runs as."""

    user: int
    group: int


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """A program to run; `death_signal` is sent to it when this process ends without stopping it.

    `account` applies to root only; `reach` are paths that the account must be able to open, and if their permissions
    forbid it, the program gets the one capability that opens them. `niceness` lowers its priority.
    """

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    account: OsAccount | None = None
    reach: tuple[Path, ...] = ()
    death_signal: signal.Signals = signal.SIGTERM
    niceness: int = 0


class ServerProcess:
    """One server in one directory, which contains its lock, process record and log.

    `stop_signals` are sent in this order, each with the seconds to wait for the end; SIGKILL follows.
    """

    def __init__(self, name: str, directory: Path, stop_signals: StopSignals) -> None:
        self._name = name
        self._log_path = directory / "server.log"
        self._stop_signals = (*stop_signals, (signal.SIGKILL, 5.0))
        self._process: subprocess.Popen[bytes] | None = None
        self.claim = Claim(name, directory)

    @property
    def stop_signals(self) -> StopSignals:
        """The signals that end the server, SIGKILL last."""
        return self._stop_signals

    @property
    def pid(self) -> int | None:
        """The process id of the running server."""
        return self._process.pid if self._process is not None and self.is_running() else None

    def is_running(self) -> bool:
        """Whether the server that this object started has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self, command: ServerCommand, lock: int, ready: Callable[[int], bool], seconds: float) -> None:
        """Start and wait until `ready(pid)`; raises ServerFailedError with the end of the log if that fails.

        `lock` is the claimed lock's file, which the server inherits.
        """
        if self._log_path.exists():
            self._log_path.replace(log_files.previous(self._log_path))
        # Appended to, so that it can be emptied while the server writes.
        with self._log_path.open("ab") as log:
            self._process = _spawn(command, lock, log, subprocess.DEVNULL)
        identity = identify(self._process.pid)
        if identity is not None:
            self.claim.record(identity)
        try:
            self._wait_until(ready, self._process, seconds)
        except BaseException:
            self._end()
            raise

    def run(self, command: ServerCommand, lock: int, *, given: bytes = b"", seconds: float) -> None:
        """Runs a set-up program to its end; raises ServerFailedError with the end of its output if it fails."""
        with self._log_path.open("w+b") as log:
            process = _spawn(command, lock, log, subprocess.PIPE)
            try:
                process.communicate(given, timeout=seconds)
            except BaseException as error:
                process.kill()
                process.wait()
                if isinstance(error, subprocess.TimeoutExpired):
                    raise ServerFailedError(self._explain(f"took longer than {seconds:g} s", command)) from error
                raise
        if process.returncode != 0:
            raise ServerFailedError(self._explain(f"failed ({_ending(process.returncode)})", command))

    def stop(self, first: signal.Signals | None = None) -> None:
        """Ends the server and waits for all its processes; `first` is sent before the usual signals."""
        if self._process is None:
            return
        self._end(first)
        if not self.claim.wait_until_free(_ORPHANS_SECONDS):
            raise ServerError(f"{self._name} was stopped, but some of its processes still run")

    def _end(self, first: signal.Signals | None = None) -> None:
        process, self._process = self._process, None
        assert process is not None
        signals = self._stop_signals if first is None else ((first, 10.0), *self._stop_signals)
        for stop_signal, seconds in signals:
            if process.poll() is None:
                process.send_signal(stop_signal)
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            return

    def _wait_until(self, ready: Callable[[int], bool], process: subprocess.Popen[bytes], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not ready(process.pid):
            if process.poll() is not None:
                raise ServerFailedError(self._explain(f"did not start ({_ending(process.returncode)})"))
            if time.monotonic() > deadline:
                raise ServerFailedError(self._explain(f"did not answer within {seconds:g} s"))
            time.sleep(_POLL_SECONDS)

    def _explain(self, what: str, command: ServerCommand | None = None) -> str:
        name = self._name if command is None else f"{self._name}: {Path(command.arguments[0]).name}"
        lines = self._log_path.read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL_LINES:]
        tail = "\n".join(f"    {line}" for line in lines) or "    (nothing)"
        return f"{name} {what}. The end of {self._log_path}:\n{tail}"


def _spawn(command: ServerCommand, lock: int, output: BinaryIO, given: int) -> subprocess.Popen[bytes]:
    launch = {
        "parent": os.getpid(),
        "death_signal": int(command.death_signal),
        "account": None if command.account is None else [command.account.user, command.account.group],
        "reach": [str(path) for path in command.reach],
        "niceness": command.niceness,
        "arguments": command.arguments,
    }

    def spawn() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(_LAUNCHER), json.dumps(launch)],
            stdin=given,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            env=dict(command.environment),
            pass_fds=(lock,),
            start_new_session=True,  # Ctrl-C at the terminal must reach only us: we stop servers in order
        )

    return _spawner.submit(spawn).result()


def _ending(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
