"""Finds which messages of a request are turns that a conversation already has.

Clients send new messages only, or repeat the history with each request, whole or cut. A long text said again is the
same turn. A short text ("Yes") may answer different questions: it is the same turn only after the same turn, or where
it stands in repeated history.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STANDS_ALONE = 40
"""Characters from which a text is recognised by itself."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a request."""

    fingerprint: bytes
    stands_alone: bool


@dataclass(frozen=True, slots=True)
class Known:
    """A stored turn with the text of a message; `after` is the number of the turn said before it."""

    number: int
    fingerprint: bytes
    after: int | None = None
    turn_id: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The number of a message's turn; `after` is meaningful for new turns only."""

    number: int
    after: int | None = None
    is_new: bool = False


def places(said: Sequence[Said], stored: Sequence[Known], newest: int, turn_id: str | None = None) -> list[Place]:
    """One place for each message. `stored` has all turns with these fingerprints, `newest` is the last number.

    New turns are numbered from `newest + 1` on. Among the known long texts, the one with the highest number ends the
    repeated history; without one, the history is what the request begins and the conversation ends with.
    """
    rows: dict[bytes, list[Known]] = {}
    for known in sorted(stored, key=lambda known: known.number):
        rows.setdefault(known.fingerprint, []).append(known)
    found, previous = _beginning(said, rows, newest)
    history, anchor = _end_of_history(said, rows)
    for index, one in enumerate(said[len(found) :], len(found)):
        same = rows.setdefault(one.fingerprint, [])
        repeated = _same(same, previous, turn_id)
        if repeated is None and same and (one.stands_alone or index < history):
            repeated = max((known for known in same if known.number < anchor), key=_number, default=same[-1])
        if repeated is None:
            newest += 1
            found.append(Place(newest, previous, is_new=True))
            same.append(Known(newest, one.fingerprint, previous, turn_id))
        else:
            found.append(Place(repeated.number))
        previous = found[-1].number
    return found


def _same(same: Sequence[Known], previous: int | None, turn_id: str | None) -> Known | None:
    """The stored turn after the same turn, or with the same `turn_id`."""
    for known in same:
        if known.after == previous or (turn_id is not None and known.turn_id == turn_id):
            return known
    return None


def _number(known: Known) -> int:
    return known.number


def _end_of_history(said: Sequence[Said], rows: Mapping[bytes, Sequence[Known]]) -> tuple[int, int]:
    """How many of the messages are history, and the number of the last stored turn among them."""
    numbers = {
        index: rows[one.fingerprint][-1].number
        for index, one in enumerate(said)
        if one.stands_alone and one.fingerprint in rows
    }
    if not numbers:
        return 0, 0
    last = max(numbers, key=lambda index: numbers[index])
    return last + 1, numbers[last]


def _beginning(
    said: Sequence[Said], rows: Mapping[bytes, Sequence[Known]], newest: int
) -> tuple[list[Place], int | None]:
    """The places of the first messages, where these are the conversation's last short turns, and the turn before the
    next message.
    """
    if any(one.stands_alone and one.fingerprint in rows for one in said):
        return [], None
    ends = {known.number: known.fingerprint for same in rows.values() for known in same}
    short = next((index for index, one in enumerate(said) if one.stands_alone), len(said))
    for length in range(min(short, newest), 0, -1):
        numbers = range(newest - length + 1, newest + 1)
        if all(ends.get(number) == one.fingerprint for number, one in zip(numbers, said, strict=False)):
            return [Place(number) for number in numbers], newest
    return [], newest or None
