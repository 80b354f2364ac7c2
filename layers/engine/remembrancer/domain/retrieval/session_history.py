"""The memories that a session was given, newest first."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

MOST_RETURNED = 200

Returned = tuple[UUID, datetime]


def merge(before: Sequence[Returned], now: Sequence[Returned]) -> list[Returned]:
    """Each memory once, with its latest time, newest first, at most 200; ties by id. The order of the inputs does
    not matter.
    """
    last: dict[UUID, datetime] = {}
    for memory_id, at in (*before, *now):
        last[memory_id] = max(at, last.get(memory_id, at))
    newest = sorted(last.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return newest[:MOST_RETURNED]
