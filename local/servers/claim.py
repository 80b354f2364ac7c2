"""The exclusive lock on a server's directory, inherited by the server's processes and held until the last one ends.

Therefore a free lock proves that no process of an earlier server lives, whatever files it left, and no process is ever
ended because an old file contains its reused process id.
"""

import fcntl
import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from local.servers.errors import ServerError
from local.servers.identity import ProcessIdentity, identify, is_alive

_POLL_SECONDS = 0.01
_ORPHANS_SECONDS = 10.0


class Claim:
    """The lock and process record of one directory."""

    def __init__(self, name: str, directory: Path) -> None:
        self._name = name
        self._directory = directory
        self._lock_path = directory / "lock"
        self._record_path = directory / "process.json"

    @contextmanager
    def held(self, stop_signals: Sequence[tuple[signal.Signals, float]]) -> Iterator[int]:
        """The locked file, to be inherited by the server; processes left by a crash are stopped first.

        `stop_signals` are tried in this order, each with the seconds to wait for the end. Raises ServerError when the
        server belongs to a program that still runs, or cannot be stopped.
        """
        try:
            descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except PermissionError as error:
            raise ServerError(f"{self._name} in {self._directory} belongs to another user: run as that user") from error
        try:
            if not _lock(descriptor):
                self._end_leftover(descriptor, stop_signals)
            yield descriptor
        finally:
            os.close(descriptor)

    def record(self, server: ProcessIdentity) -> None:
        """Saves the identities of the server's process and of this program, its owner."""
        owner = identify(os.getpid())
        assert owner is not None
        written = self._record_path.with_suffix(".new")
        written.write_text(json.dumps({"server": asdict(server), "owner": asdict(owner)}), encoding="utf-8")
        written.replace(self._record_path)

    def is_free(self) -> bool:
        """Whether every process of the server has ended."""
        if not self._lock_path.exists():
            return True
        descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CLOEXEC)
        try:
            return _lock(descriptor)
        finally:
            os.close(descriptor)

    def wait_until_free(self, seconds: float) -> bool:
        """Whether every process of the server ended in time."""
        deadline = time.monotonic() + seconds
        while not self.is_free():
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def _end_leftover(self, descriptor: int, stop_signals: Sequence[tuple[signal.Signals, float]]) -> None:
        """Ends the earlier server's processes and returns when it has the lock."""
        deadline = time.monotonic() + _ORPHANS_SECONDS
        while not _lock_within(descriptor, _POLL_SECONDS):
            server, owner = self._recorded()
            if server is not None and is_alive(server):
                if owner is not None and is_alive(owner):
                    raise ServerError(
                        f"{self._name} in {self._directory} is in use by process {owner.pid}: stop that one first"
                    )
                if self._end(server, descriptor, stop_signals):
                    return
            # Otherwise the server has ended, and its children will end soon, or it is being set up.
            if time.monotonic() > deadline:
                raise ServerError(
                    f"processes of an earlier {self._name} still use {self._directory} and do not end: "
                    f"`fuser {self._lock_path}` names them"
                )

    @staticmethod
    def _end(server: ProcessIdentity, descriptor: int, stop_signals: Sequence[tuple[signal.Signals, float]]) -> bool:
        for stop_signal, seconds in stop_signals:
            if is_alive(server):
                with suppress(ProcessLookupError):
                    os.kill(server.pid, stop_signal)
            if _lock_within(descriptor, seconds):
                return True
        return False

    def _recorded(self) -> tuple[ProcessIdentity | None, ProcessIdentity | None]:
        """The saved identities of server and owner; None for a missing one."""
        try:
            record = json.loads(self._record_path.read_text(encoding="utf-8"))
            return ProcessIdentity(**record["server"]), ProcessIdentity(**record["owner"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None, None


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_within(descriptor: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not _lock(descriptor):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True
