"""How far an import got, in a file beside the one that is imported: the next run goes on from there."""

import contextlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Counts:
    """Of lines: `accepted` are new memories, `duplicate` were there already, `refused` are in the report.

    `skipped` were not active when they were exported.
    """

    accepted: int = 0
    duplicate: int = 0
    refused: int = 0
    skipped: int = 0

    @property
    def lines(self) -> int:
        """All that were decided."""
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
    """Everything before byte `offset` is decided, which are `number` lines with the empty ones.

    `source` says which file, as it was, went where: progress of another one is none.
    """

    source: str
    number: int = 0
    offset: int = 0
    counts: Counts = Counts()

    @classmethod
    def load(cls, path: Path, source: str) -> Self:
        """From the beginning when there is no file, a damaged one, or one about something else."""
        with contextlib.suppress(FileNotFoundError, ValueError, TypeError, KeyError):
            known = json.loads(path.read_text(encoding="utf-8"))
            if known["source"] == source:
                return cls(**{**known, "counts": Counts(**known["counts"])})
        return cls(source)

    def advanced(self, number: int, offset: int, counts: Counts) -> Self:
        """With these more lines decided."""
        return replace(self, number=number, offset=offset, counts=self.counts + counts)

    def save(self, path: Path) -> None:
        """Whole or not at all."""
        written = path.with_name(path.name + ".new")
        written.write_text(json.dumps(asdict(self)), encoding="utf-8")
        written.replace(path)


def source(path: Path, destination: str) -> str:
    """Names a file in its present state, and where it goes."""
    state = path.stat()
    return f"{path.resolve()} {state.st_size} {state.st_mtime_ns} -> {destination}"
