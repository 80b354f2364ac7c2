"""Wall clocks that can be set, of each function, Postgres and Redis (libfaketime, https://github.com/wolfcw/libfaketime).

Monotonic clocks run on, as when a machine's clock is corrected.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from local.servers import postgres, valkey

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
        """Servers that are started meanwhile have clocks too."""
        folder.mkdir(parents=True)
        # Postgres runs as another user.
        for place in (folder, *folder.parents[:2]):
            place.chmod(place.stat().st_mode | 0o055)
        clocks = cls(folder)
        own = clocks.of(SERVERS)
        with patch.dict(postgres._ENVIRONMENT, own), patch.dict(valkey._ENVIRONMENT, own):
            yield clocks

    def of(self, name: str) -> Mapping[str, str]:
        """The environment of a process with a clock of this name."""
        path = self._path(name)
        path.write_text("+0", encoding="utf-8")
        path.chmod(0o644)
        return {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(path),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_RESET": "1",
            # Its semaphores would belong to root, and Postgres runs as another user.
            "FAKETIME_DISABLE_SHM": "1",
        }

    def set(self, hours: float, *names: str) -> None:
        """The clocks of these names, or all, are wrong by so many hours from now on."""
        for path in self.folder.iterdir():
            if not names or path.name in names:
                path.write_text(f"{hours:+g}h", encoding="utf-8")

    def _path(self, name: str) -> Path:
        return self.folder / name
