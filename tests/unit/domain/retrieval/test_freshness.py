"""The one verdict decides as the places did that decided before, or more strictly where it is said here."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.memory import LIFE_BITS, Change
from remembrancer.domain.retrieval import freshness
from remembrancer.domain.retrieval.freshness import (
    CacheState,
    Confirmation,
    Late,
    Limits,
    StoreState,
    Verdict,
    compare,
    decide,
)
from tests.unit.domain.retrieval.freshness_cases import (
    HELD_SECONDS,
    LATE,
    PLACES,
    REPEATED_SECONDS,
    LatestAnswer,
    Seen,
    Stored,
    parted,
)

BEFORE = json.loads((Path(__file__).parent / "freshness_before.json").read_text())
"""The decisions of the separate criteria, in the order of `PLACES`: u(se), e(xtend), r(ead again), s(tore), l(eave
out), a capital where the answer names it. For a query's confirmation w(ithdrawn); - where nothing was noted.
"""
LIMITS = Limits(HELD_SECONDS, REPEATED_SECONDS)
LETTERS = dict(zip(Verdict, "uersl", strict=True))


def cache(seen: Seen | None) -> CacheState | None:
    return None if seen is None else CacheState(*seen)


def store(stored: Stored | str | None) -> StoreState | Late | None:
    return stored if stored is None else Late("timeout") if isinstance(stored, str) else StoreState(*stored)


def confirmation(confirmed: LatestAnswer | None) -> Confirmation | None:
    return confirmed and Confirmation(confirmed.server, StoreState(*confirmed.stored), confirmed.age_seconds)


def assembly(seen: Seen | None, stored: Stored | str, confirmed: LatestAnswer | None) -> str:
    found = decide(seen=cache(seen), stored=store(stored), confirmation=confirmation(confirmed), limits=LIMITS)
    return LETTERS[found.verdict].upper() if found.unconfirmed else LETTERS[found.verdict]


def repeated(seen: Seen | None, confirmed: LatestAnswer | None) -> str:
    return LETTERS[decide(seen=cache(seen), confirmation=confirmation(confirmed), limits=LIMITS).verdict]


def query(seen: Seen | None, stored: Stored | str, confirmed: LatestAnswer | None) -> str:
    found = assembly(seen, stored, confirmed)
    if isinstance(stored, str):
        return found.lower()
    if seen is None or stored.change is None:
        return "-"
    return "u" if found == "u" else "w"


def ranking_data(held: Change, seen: Seen | None, stored: Stored | str | None, confirmed: LatestAnswer | None) -> str:
    if seen is None:
        return "s"
    found = decide(held, seen=cache(seen), stored=store(stored), confirmation=confirmation(confirmed), limits=LIMITS)
    return "u" if found == freshness.USED else "s"


def of_map(held: Change, now: Change | None) -> str:
    return LETTERS[decide(held, stored=StoreState(now)).verdict]


def only_used(held: Change | int, now: Change | int | None) -> str:
    return "u" if decide(held, stored=StoreState(now)) == freshness.USED else "s"


def query_map(held: Change, now: Change | None) -> str:
    return "u" if now is None else only_used(held, now)


def by_additions(held: Change, now: Change | None) -> str:
    return "u" if now is not None and freshness.by_additions(held, now) else "s"


def refreshed(held: Change, now: Change) -> str:
    return "u" if compare(held, now) is Verdict.USE else "e" if held.life == now.life else "s"


NOW: dict[str, Callable[..., str]] = {
    "assembly": assembly,
    "repeated": repeated,
    "query": query,
    "query's map": query_map,
    "ranking data": ranking_data,
    "map": of_map,
    "map to refresh": refreshed,
    "map to share": by_additions,
    "hot set's map": only_used,
    "turn's map": by_additions,
    "popular": only_used,
}


def has_gone_back(seen: Seen | None, confirmed: LatestAnswer | None) -> bool:
    """The cache has fewer removals than were confirmed, or those of another life."""
    if seen is None or confirmed is None or confirmed.stored.change is None:
        return False
    known, said = seen.change or Change(0, 0), confirmed.stored.change
    return known.removals < said.removals or (seen.change is not None and known.life != said.life)


def is_doubtful(seen: Seen | None, confirmed: LatestAnswer | None) -> bool:
    """The cache may have lost writes since it was confirmed."""
    return seen is not None and (not seen.server or has_gone_back(seen, confirmed))


STRICTER: dict[str, Callable[..., bool]] = {
    "assembly": lambda seen, stored, confirmed: stored == LATE and is_doubtful(seen, confirmed),
    "query": lambda seen, stored, confirmed: stored == LATE and is_doubtful(seen, confirmed),
    "ranking data": lambda _, seen, stored, confirmed: stored is None and seen is not None and seen.directive == 2,
}
"""The cases that are decided differently on purpose: always left out, or read from the store."""


@pytest.mark.parametrize("place", PLACES)
def test_each_place_decides_as_before_or_more_strictly(place: str) -> None:
    before, is_stricter = parted(BEFORE[place]), STRICTER.get(place)
    assert len(before) == len(PLACES[place])

    for case, old in zip(PLACES[place], before, strict=True):
        new = NOW[place](*case)
        if is_stricter is not None and is_stricter(*case):
            assert new.lower() == ("s" if place == "ranking data" else "l"), case
        else:
            assert new == old, case


def change_of(removals: int, additions: int, life: int) -> Change:
    first = life << LIFE_BITS
    return Change(first + removals + additions, first + removals)


changes = st.builds(change_of, st.integers(0, 4), st.integers(0, 4), st.integers(0, 2))
directives = st.none() | st.integers(0, 2)
servers = st.sampled_from(["", "a", "b"])
caches = st.builds(CacheState, st.none() | changes, directives, servers)
stores = st.builds(StoreState, st.none() | changes, directives)
confirmations = st.none() | st.builds(
    Confirmation, st.none() | servers, stores, st.sampled_from([0.5, 2.0, 301.0, float("inf")])
)


@given(st.none() | changes, caches, stores)
def test_what_is_used_has_every_removal_that_the_store_has(
    held: Change | None, seen: CacheState, stored: StoreState
) -> None:
    found = decide(held, seen=seen, stored=stored)

    if found.verdict <= Verdict.EXTEND:
        assert isinstance(stored.change, Change)
        assert (seen.change or Change(0, 0)).removals == stored.change.removals
        assert held is None or (held.removals, held.life) == (stored.change.removals, stored.change.life)
    assert not found.unconfirmed


@given(st.none() | changes, caches, confirmations)
def test_while_the_store_is_silent_all_that_is_used_is_named_and_of_the_server_that_was_confirmed(
    held: Change | None, seen: CacheState, confirmed: Confirmation | None
) -> None:
    found = decide(held, seen=seen, stored=Late("timeout"), confirmation=confirmed, limits=LIMITS)

    assert found.unconfirmed == "timeout"
    if found.verdict < Verdict.LEAVE_OUT:
        assert confirmed is not None
        assert seen.server
        assert confirmed.server == seen.server
        assert confirmed.age_seconds < HELD_SECONDS
    assert found.verdict is not Verdict.READ_AGAIN


@given(st.none() | changes, caches, confirmations)
def test_an_answer_that_is_repeated_decides_as_it_did(
    held: Change | None, seen: CacheState, confirmed: Confirmation | None
) -> None:
    found = decide(held, seen=seen, confirmation=confirmed, limits=LIMITS)

    if found.verdict is not Verdict.ASK_STORE:
        assert confirmed is not None
        assert confirmed.age_seconds < REPEATED_SECONDS
        assert found == decide(held, seen=seen, stored=confirmed.said)


@given(changes, changes)
def test_nothing_of_another_life_is_extended(held: Change, now: Change) -> None:
    assert compare(held, now) is not Verdict.EXTEND or held.life == now.life
