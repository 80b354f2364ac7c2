"""Wall clocks that can be set: of each function by a switch, of Postgres and Redis by libfaketime.

https://github.com/wolfcw/libfaketime. Monotonic clocks run on, as when a machine's clock is corrected.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from local.servers import PostgresServer, valkey
from local.servers.process import ServerCommand

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
"""Of the Debian package `libfaketime`."""
SERVERS = "servers"


@dataclass(frozen=True, slots=True)
class Clocks:
    """A file for each process that has its own clock; what is written there holds within a second."""

    folder: Path

    @classmethod
    @contextmanager
    def kept(cls, folder: Path) -> Iterator["Clocks"]:
        """A Redis that is started meanwhile has a clock too."""
        folder.mkdir(parents=True)
        # Postgres runs as another user.
        for place in (folder, *folder.parents[:2]):
            place.chmod(place.stat().st_mode | 0o055)
        clocks = cls(folder)
        (folder / SERVERS).write_text("+0", encoding="utf-8")
        with patch.dict(valkey._ENVIRONMENT, clocks.of_server):
            yield clocks

    @property
    def of_server(self) -> Mapping[str, str]:
        """The environment of a server."""
        return {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self.folder / SERVERS),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_RESET": "1",
        }

    def of_function(self, name: str) -> Mapping[str, str]:
        """The environment of a function."""
        path = self.folder / name
        path.write_text("0", encoding="utf-8")
        return {"CLOCK_SWITCH": str(path)}

    def set(self, hours: float, *names: str) -> None:
        """The clocks of these functions, or all, are wrong by so many hours from now on."""
        for path in self.folder.iterdir():
            if not names or path.name in names:
                new = path.with_suffix(".new")
                new.write_text(f"{hours:+g}h" if path.name == SERVERS else f"{hours:g}", encoding="utf-8")
                new.chmod(0o644)
                new.replace(path)


class ClockedPostgres(PostgresServer):
    """Gets its clock when it has become another user: what the library shares would belong to root."""

    def __init__(self, directory: Path, clocks: Clocks) -> None:
        super().__init__(directory)
        self._clock = clocks.of_server

    def _program(self, program: str, *arguments: str) -> ServerCommand:
        command = super()._program(program, *arguments)
        set_clock = ("/usr/bin/env", *(f"{name}={value}" for name, value in self._clock.items()))
        return replace(command, arguments=(*set_clock, *command.arguments))
