"""Finds which messages of a request are turns that a conversation already has.

Clients send new messages only, or repeat the history with each request, whole or cut. A long text said again on the
same day is the same turn. A short text ("Yes") may answer different questions: it is the same turn only after the same
turn, or where it stands in repeated history.

What is said again on another day is another turn: people take their pills every week. But a history is sent without
times as a rule, so that all of it has the day of the request. It is recognised by its order: a message is history when
its neighbour in the request was its neighbour before, or when it was said last and is followed by more; so is all that
stands before such a message. A message with a time of its own is a turn of its day in any case.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

STANDS_ALONE = 40
"""Characters from which a text is recognised by itself."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a request, and its day (UTC); `is_dated` when the message itself says so."""

    fingerprint: bytes
    stands_alone: bool
    day: date
    is_dated: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """A stored turn with the text of a message; `after` is the number of the turn said before it."""

    number: int
    fingerprint: bytes
    day: date
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
    replayed = _end_of_replay(said, rows, newest)
    own = [_of_its_day(message, rows, is_replayed=index < replayed) for index, message in enumerate(said)]
    found, previous = _beginning(said, own, newest)
    history, anchor = _end_of_history(said, own)
    for index, message in enumerate(said[len(found) :], len(found)):
        all_days = rows.setdefault(message.fingerprint, [])
        same = _of_its_day(message, rows, is_replayed=index < replayed)
        repeated = _same(same, previous) or _with_id(all_days, turn_id)
        if repeated is None and same and (message.stands_alone or index < history):
            repeated = max((known for known in same if known.number < anchor), key=_number, default=same[-1])
        if repeated is None:
            newest += 1
            found.append(Place(newest, previous, is_new=True))
            all_days.append(Known(newest, message.fingerprint, message.day, previous, turn_id))
        else:
            found.append(Place(repeated.number))
        previous = found[-1].number
    return found


def _end_of_replay(said: Sequence[Said], rows: Mapping[bytes, Sequence[Known]], newest: int) -> int:
    """How many of the messages are history by their order, whatever day they have."""
    numbers = [{known.number for known in rows.get(message.fingerprint, ())} for message in said]
    before = [{known.after for known in rows.get(message.fingerprint, ())} for message in said]
    for index in range(len(said) - 1, 0, -1):
        if {number + 1 for number in numbers[index - 1]} & numbers[index] or numbers[index - 1] & before[index]:
            return index + 1
        if newest in numbers[index - 1]:
            return index
    return 0


def _of_its_day(message: Said, rows: Mapping[bytes, Sequence[Known]], *, is_replayed: bool) -> Sequence[Known]:
    """The stored turns that a message may be."""
    same = rows.get(message.fingerprint, ())
    return same if is_replayed and not message.is_dated else [known for known in same if known.day == message.day]


def _same(same: Sequence[Known], previous: int | None) -> Known | None:
    """The stored turn after the same turn."""
    return next((known for known in same if known.after == previous), None)


def _with_id(same: Sequence[Known], turn_id: str | None) -> Known | None:
    return next((known for known in same if turn_id is not None and known.turn_id == turn_id), None)


def _number(known: Known) -> int:
    return known.number


def _end_of_history(said: Sequence[Said], own: Sequence[Sequence[Known]]) -> tuple[int, int]:
    """How many of the messages are history, and the number of the last stored turn among them. `own` has the stored
    turns that each message may be.
    """
    numbers = {
        index: same[-1].number
        for index, (message, same) in enumerate(zip(said, own, strict=True))
        if message.stands_alone and same
    }
    if not numbers:
        return 0, 0
    last = max(numbers, key=lambda index: numbers[index])
    return last + 1, numbers[last]


def _beginning(said: Sequence[Said], own: Sequence[Sequence[Known]], newest: int) -> tuple[list[Place], int | None]:
    """The places of the first messages, where these are the conversation's last short turns, and the turn before the
    next message.
    """
    if any(message.stands_alone and same for message, same in zip(said, own, strict=True)):
        return [], None
    ends = {known.number: known.fingerprint for same in own for known in same}
    short = next((index for index, message in enumerate(said) if message.stands_alone), len(said))
    for length in range(min(short, newest), 0, -1):
        numbers = range(newest - length + 1, newest + 1)
        if all(ends.get(number) == message.fingerprint for number, message in zip(numbers, said, strict=False)):
            return [Place(number) for number in numbers], newest
    return [], newest or None
