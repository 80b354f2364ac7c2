"""The product of all that a verdict on freshness depends on, in one order: small numbers that tell every case apart."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, product
from typing import NamedTuple

from remembrancer.domain.memories.memory import LIFE_BITS, Change

RESTORED = 1 << LIFE_BITS
CHANGES = [None, Change(0, 0), Change(5, 2), Change(6, 2), Change(6, 3), Change(RESTORED + 5, RESTORED + 2)]
DIRECTIVES = [None, 1, 2]
REPEATED_SECONDS, HELD_SECONDS = 1.0, 300.0
AGES = [0.5, 2.0, 301.0]
"""An answer of this age is repeated, still holds, and is over."""


class Seen(NamedTuple):
    """What the cache says."""

    change: Change | None
    directive: int | None
    server: str


class Stored(NamedTuple):
    """What the store says; an agent that is gone has no counters."""

    change: Change | None
    directive: int | None


class LatestAnswer(NamedTuple):
    """What the store said last; the cache of no server agreed where that was a contradiction."""

    server: str | None
    stored: Stored
    age_seconds: float


LATE = "late"
SEEN = [None, *(Seen(*each) for each in product(CHANGES, DIRECTIVES, ("a", "")))]
STORED: list[Stored | str] = [LATE, Stored(None, None), *(Stored(*each) for each in product(CHANGES[1:], (1, 2)))]
COUNTERS: list[Stored | str] = [LATE, *(Stored(change, None) for change in CHANGES)]
CONFIRMED = [
    None,
    LatestAnswer(None, Stored(CHANGES[2], 1), 0.5),
    *(
        LatestAnswer(server, Stored(change, 1), age)
        for server, change, age in product(("a", "b", ""), (CHANGES[1], CHANGES[2], CHANGES[4]), AGES)
    ),
]
PLACES: dict[str, list[tuple[object, ...]]] = {
    "assembly": list(product(SEEN, STORED, CONFIRMED)),
    "repeated": list(product(SEEN, CONFIRMED)),
    "query": list(product(SEEN, COUNTERS, CONFIRMED)),
    "query's map": list(product(CHANGES[1:], CHANGES)),
    "ranking data": list(product(CHANGES[1:], SEEN, [None, *COUNTERS], CONFIRMED)),
    "map": list(product(CHANGES[1:], CHANGES)),
    "map to refresh": list(product(CHANGES[1:], CHANGES[1:])),
    "map to share": list(product(CHANGES[1:], CHANGES)),
    "hot set's map": list(product(CHANGES[1:], CHANGES)),
    "turn's map": list(product(CHANGES[1:], CHANGES)),
    "popular": list(product((1, 2), (None, 1, 2))),
}
"""The inputs of each place that decides."""


def joined(letters: Iterable[str]) -> list[str]:
    """Runs of equal decisions with their lengths, twenty a line: `12s3u`."""
    runs = [f"{len(list(run))}{letter}" for letter, run in groupby(letters)]
    return ["".join(runs[first : first + 20]) for first in range(0, len(runs), 20)]


def parted(lines: Sequence[str]) -> str:
    """The decisions of `joined`, one letter each."""
    return "".join(letter * int(length) for length, letter in re.findall(r"(\d+)(\D)", "".join(lines)))
