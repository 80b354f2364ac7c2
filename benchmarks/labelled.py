"""What the sets of labelled turns have in common: rows of their files, two halves, and the lines that are written."""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HALVES = ("choose", "confirm")
"""Figures are chosen on the first and confirmed on the second."""
NEWEST = datetime(2025, 11, 20, 8, 0, tzinfo=UTC)
_HOURS_APART = 29


def rows(path: Path) -> Iterator[list[str]]:
    """The fields of each line of a file whose fields are separated by tabs."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield line.split("\t")


def groups(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The name of each group of a file, and its lines: the name stands behind `== `."""
    for group in path.read_text(encoding="utf-8").removeprefix("== ").split("\n== "):
        name, *lines = group.strip().splitlines()
        yield name, [line for line in lines if line]


def halves(kinds: Iterable[str]) -> Iterator[str]:
    """The half of each turn: of every kind the first is for choosing, the second for confirming, and so on."""
    seen: Counter[str] = Counter()
    for kind in kinds:
        yield HALVES[seen[kind] % 2]
        seen[kind] += 1


def memories(agent: str, texts: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Memories of an agent from ids and texts, in an order that is mixed the same way each time, a day or so apart."""
    mixed = random.Random(agent).sample(texts, len(texts))
    for place, (identifier, text) in enumerate(mixed, start=1):
        created = NEWEST - timedelta(hours=_HOURS_APART * (len(mixed) - place))
        yield {"id": identifier, "agent": agent, "content": text, "created_at": created.isoformat()}


def write(name: str, description: str | None, lines: Callable[[str], Iterable[Mapping[str, Any]]]) -> None:
    """Writes the lines of a half, or of both, as `NAME.jsonl` into the folder that the command line names."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=HALVES, default="")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(arguments.half))
    (arguments.folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
