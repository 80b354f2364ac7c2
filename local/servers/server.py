"""The base class of local servers: directory, port, start and stop."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from local.servers import ports
from local.servers.errors import ServerError
from local.servers.process import ServerCommand, ServerProcess, StopSignals


class Server(ABC):
    """One server in one directory; without a port a free one is chosen at the first start and noted there."""

    def __init__(
        self,
        name: str,
        directory: Path,
        *,
        port: int | None,
        listen: Sequence[str],
        stop_signals: StopSignals,
        start_seconds: float,
    ) -> None:
        self._name = name
        self._directory = directory.absolute()
        self._wanted_port = port or None
        self._port: int | None = None
        self._listen = tuple(listen)
        self._start_seconds = start_seconds
        self._process = ServerProcess(name, self._directory, stop_signals)

    def start(self) -> None:
        """Returns when it answers; does nothing if it runs. Recovers from a crash and ends processes left by it.

        Raises ServerError, whose message contains the cause and the end of the log.
        """
        if self.is_running():
            return
        self._directory.mkdir(parents=True, exist_ok=True)
        with self._process.claim.held(self._process.stop_signals) as lock:
            self._prepare(lock)
            self._port = self._choose_port()
            self._process.start(self._command(self._port), lock, self._is_ready, self._start_seconds)

    def stop(self) -> None:
        """Ends all its processes; does nothing if it does not run."""
        self._process.stop()

    def restart(self) -> None:
        """Stops and starts it, on the same port."""
        port = self._port
        self.stop()
        self._wanted_port = self._wanted_port or port
        self.start()

    @property
    def directory(self) -> Path:
        """The folder of its files, including its log `server.log`."""
        return self._directory

    @property
    def port(self) -> int:
        """The TCP port; raises ServerError before the first start."""
        if self._port is None:
            raise ServerError(f"{self._name} has not been started")
        return self._port

    @property
    def pid(self) -> int | None:
        """The process id, None when it does not run."""
        return self._process.pid

    def is_running(self) -> bool:
        """Whether the process that this object started has not ended."""
        return self._process.is_running()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @abstractmethod
    def _prepare(self, lock: int) -> None:
        """Creates or checks the directory's contents; `lock` is for ServerProcess.run."""

    @abstractmethod
    def _command(self, port: int) -> ServerCommand:
        """The program and arguments that serve on this port."""

    @abstractmethod
    def _is_ready(self, pid: int) -> bool:
        """Whether this process, not another server on the port, answers."""

    def _choose_port(self) -> int:
        if self._wanted_port is None:
            return ports.kept_port(self._directory / "port", self._listen)
        ports.require_free(self._wanted_port, self._listen, wanted_by=self._name)
        return self._wanted_port
