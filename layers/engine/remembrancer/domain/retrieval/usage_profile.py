"""What an end user recently used: counts of names that halve with time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

HALF_LIFE_DAYS = 7.0
MOST_NAMES = 100
"""Of each kind; the smallest counts give way."""


@dataclass(frozen=True, slots=True)
class Use:
    """One memory that was returned to the end user; `user_id` is whose memory it was, None for everybody's."""

    at: datetime
    category: str
    tags: tuple[str, ...] = ()
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """Counts as of the moment `at`; only their proportions matter to whoever reads them later."""

    at: datetime
    categories: Mapping[str, float] = field(default_factory=dict)
    tags: Mapping[str, float] = field(default_factory=dict)
    users: Mapping[str, float] = field(default_factory=dict)


def add(profile: Profile | None, uses: Sequence[Use]) -> Profile:
    """With these uses: a use counts 1 and half as much after each half-life. Their order changes nothing.

    A use that is older than the profile counts what is left of it. There must be a profile or a use.
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
    """One profile of an end user out of several agents', as of the latest; None without any."""
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
    # What is left of a use after a hundred half-lives is nothing.
    return {name: count for name, count in kept if count > 1e-30}
