"""Whether a cached thing may be in an answer: the one verdict for maps, hot sets, turns, ranking data and results.

Four things decide: the state that the cached thing stands for, what the cache's server says now, what the store says,
and, where the store says nothing, what it said before. Of several findings the strictest counts.
"""

import math
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from remembrancer.domain.memories.memory import Change

State = Change | int
"""The counters of an agent, or a hash over the states of several, which is only equal or not."""


class Verdict(IntEnum):
    """What to do with the cached thing; a later one is stricter."""

    USE = 0
    """It is as the store is."""
    EXTEND = 1
    """It lacks additions, which the store has."""
    READ_AGAIN = 2
    """The cache missed a removal or a directive: only rows that are read again by id count."""
    ASK_STORE = 3
    """It cannot show what the store has: the store is searched, or asked."""
    LEAVE_OUT = 4
    """Nothing confirms it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict, and the cause that the answer names: why the store did not confirm what the cache says."""

    verdict: Verdict
    unconfirmed: str = ""


@dataclass(frozen=True, slots=True)
class CacheState:
    """What the cache says of an agent; `change` and the version of the directive are None where it has none.

    `server` is new whenever the cache may have lost writes; empty where it is not known.
    """

    change: Change | None
    directive: int | None = None
    server: str = ""


@dataclass(frozen=True, slots=True)
class StoreState:
    """What the store says; `change` is None for an agent that is gone, `directive` where it was not asked for."""

    change: State | None
    directive: int | None = None


@dataclass(frozen=True, slots=True)
class Late:
    """The store did not answer in time, or failed."""

    cause: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What the store said when it was last asked, `age_seconds` ago: `said`, and that the cache of `server` had missed
    nothing; with `server` None that it had.
    """

    server: str | None
    said: StoreState
    age_seconds: float


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment by both clocks: while an instance is frozen, one of them may stop."""

    monotonic: float
    wall: datetime

    def age_seconds(self, now: "Moment") -> float:
        """By the clock that says more; infinite where the wall clock has gone back."""
        by_wall = (now.wall - self.wall).total_seconds()
        return max(now.monotonic - self.monotonic, by_wall) if by_wall >= 0 else math.inf


@dataclass(frozen=True, slots=True)
class Limits:
    """For how long a confirmation holds while the store is silent, and spares asking the store."""

    held_seconds: float = 0.0
    repeated_seconds: float = 0.0


NO_LIMITS = Limits()
USED = Decision(Verdict.USE)
"""Used as it is, and confirmed."""


def decide(
    held: State | None = None,
    *,
    seen: CacheState | None = None,
    stored: StoreState | Late | None = None,
    confirmation: Confirmation | None = None,
    limits: Limits = NO_LIMITS,
) -> Decision:
    """What to do with a thing of the state `held`; None stands for what the cache itself says.

    `stored` is None where the store was not asked: then its earlier answer counts, if that may be repeated. `seen` is
    None where the cache does not answer, or is not asked.
    """
    if isinstance(stored, Late):
        if seen is None or not _holds(confirmation, seen, limits):
            return Decision(Verdict.LEAVE_OUT, "" if seen is None else stored.cause)
        return Decision(Verdict.USE if held is None else compare(held, seen.change), stored.cause)
    if stored is None:
        if seen is None or confirmation is None or not _repeats(confirmation, seen, limits):
            return Decision(Verdict.ASK_STORE)
        stored = confirmation.said
    found = Verdict.USE if seen is None else agreement(seen, stored)
    if held is not None:
        found = max(found, compare(held, stored.change), Verdict.USE if seen is None else compare(held, seen.change))
    return Decision(found)


def compare(held: State, now: State | None) -> Verdict:
    """Of a thing of the state `held` while `now` is current; None is unknown."""
    if held == now:
        return Verdict.USE
    if isinstance(held, Change) and isinstance(now, Change) and by_additions(held, now) and held.version < now.version:
        return Verdict.EXTEND
    return Verdict.ASK_STORE


def by_additions(one: Change, other: Change) -> bool:
    """Whether only additions lie between the two states, in either order."""
    return one.removals == other.removals and one.life == other.life


def agreement(seen: CacheState, stored: StoreState) -> Verdict:
    """Of what the cache says, by the store's answer: USE where it missed no removal, no directive and no deletion of
    the agent, and is not ahead. One that is ahead was there before the store was restored, or read a later write.
    """
    if not isinstance(stored.change, Change):
        return Verdict.READ_AGAIN
    known, directive = seen.change, seen.directive
    versions = None if directive is None or stored.directive is None else (directive, stored.directive)
    if (known is not None and known.is_beyond(stored.change)) or (versions and versions[0] > versions[1]):
        return Verdict.ASK_STORE
    if _removals(known) < stored.change.removals or (versions and versions[0] < versions[1]):
        return Verdict.READ_AGAIN
    return Verdict.USE


def _holds(confirmation: Confirmation | None, seen: CacheState, limits: Limits) -> bool:
    """Whether the cache may answer although the store is silent: it is the server that was confirmed, and has not gone
    back behind what was confirmed.
    """
    if confirmation is None or not seen.server or confirmation.server != seen.server:
        return False
    if confirmation.age_seconds >= limits.held_seconds:
        return False
    said = confirmation.said.change
    if not isinstance(said, Change):
        return False
    return _removals(seen.change) >= said.removals and (seen.change is None or seen.change.life == said.life)


def _repeats(confirmation: Confirmation, seen: CacheState, limits: Limits) -> bool:
    """Whether the earlier answer counts as one to this request: same server, counters and directive."""
    said = confirmation.said
    return (
        bool(seen.server)
        and seen.server == confirmation.server
        and confirmation.age_seconds < limits.repeated_seconds
        and seen.change == said.change
        and (seen.directive is None or said.directive is None or seen.directive == said.directive)
    )


def _removals(change: Change | None) -> int:
    """A cache without counters has missed all removals, if there were any."""
    return 0 if change is None else change.removals
