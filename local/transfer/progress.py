"""Saves the progress of an import in a file beside the imported one; the next run resumes there."""

import contextlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of lines: `accepted` are new memories, `duplicate` existed already, `refused` are in the report.

    `skipped` lines were not active when they were exported.
    """

    accepted: int = 0
    duplicate: int = 0
    refused: int = 0
    skipped: int = 0

    @property
    def lines(self) -> int:
        """The number of finished lines, of all four kinds."""
        return self.accepted + self.duplicate + self.refused + self.skipped

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.accepted + other.accepted,
            self.duplicate + other.duplicate,
            self.refused + other.refused,
            self.skipped + other.skipped,
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """All lines before byte `offset` are finished: `number` lines, including empty ones.

    `source` identifies the file's state and the destination; progress with another `source` is ignored.
    """

    source: str
    number: int = 0
    offset: int = 0
    counts: Counts = Counts()

    @classmethod
    def load(cls, path: Path, source: str) -> Self:
        """The saved progress; the beginning if the file is missing, damaged or has another `source`."""
        with contextlib.suppress(FileNotFoundError, ValueError, TypeError, KeyError):
            known = json.loads(path.read_text(encoding="utf-8"))
            if known["source"] == source:
                return cls(**{**known, "counts": Counts(**known["counts"])})
        return cls(source)

    def advanced(self, number: int, offset: int, counts: Counts) -> Self:
        """The progress after further lines, up to `number` and `offset`."""
        return replace(self, number=number, offset=offset, counts=self.counts + counts)

    def save(self, path: Path) -> None:
        """Replaces the file atomically: after a crash it has the old or the new progress."""
        written = path.with_name(path.name + ".new")
        written.write_text(json.dumps(asdict(self)), encoding="utf-8")
        written.replace(path)


def source(path: Path, destination: str) -> str:
    """Identifies a file in its present state, and its destination."""
    state = path.stat()
    return f"{path.resolve()} {state.st_size} {state.st_mtime_ns} -> {destination}"
