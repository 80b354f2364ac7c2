"""An end user's recent usage: counts of names that halve with time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

HALF_LIFE_DAYS = 7.0
MOST_NAMES = 100
"""Most names of each kind; the smallest counts are dropped."""


@dataclass(frozen=True, slots=True)
class Use:
    """One memory returned to the end user; `user_id` is the memory's owner, None for a shared memory."""

    at: datetime
    category: str
    tags: tuple[str, ...] = ()
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """Counts as of the time `at`; only their proportions matter later."""

    at: datetime
    categories: Mapping[str, float] = field(default_factory=dict)
    tags: Mapping[str, float] = field(default_factory=dict)
    users: Mapping[str, float] = field(default_factory=dict)


def add(profile: Profile | None, uses: Sequence[Use]) -> Profile:
    """Adds uses: each counts 1, and half as much after each half-life. Their order does not matter.

    A use older than the profile counts with its decayed value. At least a profile or a use is required.
    """
    moments = [use.at for use in uses] + ([profile.at] if profile else [])
    at = max(moments)
    before = _left(profile.at, at) if profile else 0.0
    categories, tags, users = (
        {name: count * before for name, count in counts.items()}
        for counts in ((profile.categories, profile.tags, profile.users) if profile else ({}, {}, {}))
    )
    for use in uses:
        left = _left(use.at, at)
        _count(categories, (use.category,), left)
        _count(tags, use.tags, left)
        _count(users, (use.user_id,) if use.user_id is not None else (), left)
    return Profile(at, _largest(categories), _largest(tags), _largest(users))


def together(profiles: Sequence[Profile]) -> Profile | None:
    """Merges an end user's profiles of several agents, as of the latest; None without any."""
    if not profiles:
        return None
    at = max(one.at for one in profiles)
    kinds: list[dict[str, float]] = [{}, {}, {}]
    for one in profiles:
        for total, counts in zip(kinds, (one.categories, one.tags, one.users), strict=True):
            for name, count in counts.items():
                total[name] = total.get(name, 0.0) + count * _left(one.at, at)
    return Profile(at, *kinds)


def _left(since: datetime, now: datetime) -> float:
    return float(0.5 ** ((now - since).total_seconds() / 86_400 / HALF_LIFE_DAYS))


def _count(counts: dict[str, float], names: Iterable[str], amount: float) -> None:
    for name in names:
        counts[name] = counts.get(name, 0.0) + amount


def _largest(counts: Mapping[str, float]) -> Mapping[str, float]:
    kept = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_NAMES]
    # After a hundred half-lives, a use counts nothing.
    return {name: count for name, count in kept if count > 1e-30}
