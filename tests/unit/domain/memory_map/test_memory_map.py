"""Searches over arrays, against the same reckoned one by one; a map that grew, against one made at once."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memory_map import memory_map
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.rows import MapRows
from remembrancer.domain.retrieval.filters import Filters
from tests.builders import AGENT_ID, NOW, ORG_ID, identifier, memory
from tests.unit.domain.memory_map.maps import DIMENSIONS, TERMS, made, rows_of, vector_of


def numbers(found: MemoryMap, places: Iterable[Any]) -> list[int]:
    return [found.memory(int(place)).id.int - identifier(0).int for place in places]


def everything(found: MemoryMap) -> NDArray[np.bool_]:
    return found.eligible(Filters(), end_user=EVERYBODY, now=NOW)


def test_an_empty_map_finds_nothing() -> None:
    found = memory_map.empty(ORG_ID, AGENT_ID, DIMENSIONS)

    assert len(found) == 0
    assert numbers(found, found.nearest(vector_of(1), everything(found), 5).places) == []
    assert numbers(found, found.matching(QueryTerms.of([1, 2]), everything(found), 5, end_user=EVERYBODY).places) == []


def test_the_nearest_come_first_with_their_cosine_clamped() -> None:
    found = made(*(memory(number) for number in range(1, 30)), unembedded=[4])

    answer = found.nearest(vector_of(3), everything(found), 5)

    cosine = {number: float(vector_of(number) @ vector_of(3)) for number in range(1, 30) if number != 4}
    assert numbers(found, answer.places) == sorted(cosine, key=lambda number: (-cosine[number], number))[:5]
    assert answer.similarity[answer.places[0]] == pytest.approx(1.0, abs=1e-3)
    assert answer.similarity.min() >= 0.0


def test_equal_similarities_go_by_id() -> None:
    rows = rows_of(memory(3), memory(1), memory(2))
    same = replace(rows, vectors=np.tile(vector_of(1), (3, 1)))
    found = memory_map.extended(memory_map.empty(ORG_ID, AGENT_ID, DIMENSIONS), same, Change(1, 0))

    assert numbers(found, found.nearest(vector_of(1), everything(found), 3).places) == [1, 2, 3]


@pytest.mark.parametrize(
    ("changes", "filters", "end_user", "passes"),
    [
        ({}, Filters(), EVERYBODY, True),
        ({"expires_at": NOW + timedelta(seconds=1)}, Filters(), EVERYBODY, True),
        ({"expires_at": NOW}, Filters(), EVERYBODY, False),
        ({"valid_from": NOW}, Filters(), EVERYBODY, True),
        ({"valid_from": NOW + timedelta(seconds=1)}, Filters(), EVERYBODY, False),
        ({"user_id": "ann"}, Filters(), EVERYBODY, True),
        ({"user_id": "ann"}, Filters(), NOBODY, False),
        ({}, Filters(), NOBODY, True),
        ({"user_id": "ann"}, Filters(), EndUser("ann"), True),
        ({"user_id": "ann"}, Filters(), EndUser("bob"), False),
        ({"user_id": "factual"}, Filters(), EndUser("factual"), True),
        ({}, Filters(), EndUser("bob"), True),
        ({"confidence": 0.7}, Filters(min_confidence=0.7), EVERYBODY, True),
        ({"confidence": 0.69}, Filters(min_confidence=0.7), EVERYBODY, False),
        ({}, Filters(categories=("episodic", "factual")), EVERYBODY, True),
        ({}, Filters(categories=("episodic",)), EVERYBODY, False),
        ({}, Filters(sources=("imported",)), EVERYBODY, False),
        ({"tier": "cold"}, Filters(tiers=("hot", "cold")), EVERYBODY, True),
        ({"tier": "cold"}, Filters(tiers=("hot",)), EVERYBODY, False),
        ({"tags": ("a", "b")}, Filters(tags=("b", "c")), EVERYBODY, True),
        ({"tags": ("a",)}, Filters(tags=("b",)), EVERYBODY, False),
        ({"created_at": NOW}, Filters(since=NOW), EVERYBODY, True),
        ({"created_at": NOW}, Filters(until=NOW), EVERYBODY, False),
    ],
)
def test_a_filter_is_part_of_every_search(
    changes: dict[str, Any], filters: Filters, end_user: EndUser, passes: bool
) -> None:
    found = made(memory(6, **changes), memory(1, category="unknown", confidence=0.0, expires_at=NOW))

    eligible = found.eligible(filters, end_user=end_user, now=NOW)

    expected = [6] if passes else []
    assert numbers(found, found.nearest(vector_of(1), eligible, 9).places) == expected
    assert numbers(found, found.matching(QueryTerms.of([2]), eligible, 9, end_user=EVERYBODY).places) == expected


def test_a_row_comes_with_its_vector_and_what_has_none_without() -> None:
    found = made(memory(1), memory(2), unembedded=[2])

    assert found.vector(0) == pytest.approx(vector_of(1))
    assert found.vector(1) is None


def test_what_left_is_found_no_more_and_the_map_before_still_has_it() -> None:
    before = made(memory(1), memory(2))
    gone = rows_of(memory(2, status="superseded"), memory(4))

    after = memory_map.extended(before, gone, Change(2, 1))

    assert numbers(after, after.matching(QueryTerms.of([1, 2]), everything(after), 9, end_user=EVERYBODY).places) != []
    assert set(numbers(after, after.nearest(vector_of(2), everything(after), 9).places)) == {1, 4}
    assert set(
        numbers(after, after.matching(QueryTerms.of([1, 2]), everything(after), 9, end_user=EVERYBODY).places)
    ) == {
        1,
        4,
    }
    assert after.place(identifier(2)) is None
    assert set(numbers(before, before.nearest(vector_of(2), everything(before), 9).places)) == {1, 2}
    assert (after.change, before.change) == (Change(2, 1), Change(1, 0))


def test_two_successors_of_one_map_do_not_see_each_other() -> None:
    before = made(*(memory(number) for number in range(1, 5)))

    one = memory_map.extended(before, rows_of(memory(6)), Change(2, 0))
    other = memory_map.extended(before, rows_of(memory(7)), Change(2, 0))

    assert numbers(one, one.nearest(vector_of(6), everything(one), 1).places) == [6]
    assert numbers(other, other.nearest(vector_of(7), everything(other), 1).places) == [7]


def test_a_map_wears_out_when_much_of_it_is_gone() -> None:
    before = made(*(memory(number) for number in range(1, 9)))

    after = memory_map.extended(before, rows_of(*(memory(n, status="deleted") for n in (1, 2, 3))), Change(2, 1))

    assert (before.is_worn, after.is_worn) == (False, True)
    assert after.nbytes > 0


@given(
    steps=st.lists(
        st.lists(st.tuples(st.integers(1, 12), st.sampled_from(["active", "active", "deleted"])), max_size=6),
        max_size=5,
    ),
    terms=st.lists(st.sampled_from([*TERMS, 99]), unique=True, min_size=1),
)
@settings(max_examples=60)
def test_a_map_that_grew_answers_as_one_made_at_once(steps: list[list[tuple[int, str]]], terms: list[int]) -> None:
    grown = memory_map.empty(ORG_ID, AGENT_ID, DIMENSIONS)
    states: dict[int, str] = {}
    for version, step in enumerate(steps):
        rows = [rows_of(memory(number, status=status)) for number, status in step]
        states.update(step)
        if rows:
            grown = memory_map.extended(grown, MapRows.joined(rows), Change(version, 0))
    fresh = made(*(memory(number) for number, status in states.items() if status == "active"))

    answers = []
    for found in (grown, fresh):
        near = found.nearest(vector_of(1), everything(found), 4)
        match = found.matching(QueryTerms.of(terms), everything(found), 4, end_user=EVERYBODY)
        answers.append(
            (
                numbers(found, near.places),
                near.similarity[near.places].round(5).tolist(),
                numbers(found, match.places),
                match.scores.rank[match.places].round(9).tolist(),
                {number: match.terms(match.places)[int(place)] for number, place in _pairs(found, match.places)},
            )
        )

    assert len(grown) == len(fresh)
    assert answers[0] == answers[1]


def _pairs(found: MemoryMap, places: NDArray[np.intp]) -> list[tuple[int, int]]:
    return list(zip(numbers(found, places), places.tolist(), strict=True))


def test_each_end_user_sees_their_own_in_any_order_of_asking() -> None:
    found = made(memory(1), memory(2, user_id="ann"), memory(3, user_id="bob"))
    grown = memory_map.extended(found, rows_of(memory(4, user_id="ann")), Change(2, 0))
    ann, bob = EndUser("ann"), EndUser("bob")

    for _ in range(2):
        seen = {who: numbers(found, np.flatnonzero(found.visible(who))) for who in (ann, bob, NOBODY, EVERYBODY, ann)}

        assert seen == {ann: [1, 2], bob: [1, 3], NOBODY: [1], EVERYBODY: [1, 2, 3]}
        assert numbers(grown, np.flatnonzero(grown.visible(ann))) == [1, 2, 4]


def test_the_pinned_ones_are_those_that_an_end_user_may_read_and_that_are_not_gone() -> None:
    shared, anns, later = (
        memory(1, pinned_at=NOW),
        memory(2, pinned_at=NOW, user_id="ann"),
        memory(3, pinned_at=NOW, valid_from=NOW + timedelta(days=1)),
    )
    before = made(shared, anns, later, memory(4), memory(5, user_id="ann"))

    after = memory_map.extended(
        before,
        rows_of(replace(shared, status="archived"), replace(anns, pinned_at=None), memory(6, pinned_at=NOW)),
        Change(2, 1),
    )

    assert before.pinned(NOBODY) == [shared, later]
    assert before.pinned(EndUser("ann")) == [shared, anns, later]
    assert [one.id for one in after.pinned(EndUser("ann"))] == [later.id, identifier(6)]
    assert made(memory(4)).pinned(EVERYBODY) == []


def test_a_condition_is_met_anew_when_a_memory_begins_expires_or_ends() -> None:
    later = [timedelta(seconds=second) for second in range(1, 5)]
    found = made(
        memory(1, valid_from=NOW + later[0]),
        memory(2, expires_at=NOW + later[1]),
        memory(3, occurred_to=NOW + later[2]),
        memory(4),
    )

    def passing(moment: datetime, end_user: EndUser = EVERYBODY) -> list[int]:
        return numbers(found, np.flatnonzero(found.eligible(Filters(), end_user=end_user, now=moment)))

    assert passing(NOW) == [2, 3, 4]
    assert passing(NOW + later[0] - timedelta(microseconds=1)) == [2, 3, 4]
    assert [passing(NOW + after) for after in later] == [[1, 2, 3, 4], [1, 3, 4], [1, 4], [1, 4]]
    assert passing(NOW) == [2, 3, 4]


def test_a_condition_of_another_end_user_or_with_other_filters_is_met_anew() -> None:
    found = made(memory(1, user_id="ann"), memory(2, user_id="bob"), memory(3, tier="cold"))

    passing = [
        numbers(found, np.flatnonzero(found.eligible(filters, end_user=end_user, now=NOW)))
        for filters in (Filters(), Filters(tiers=("cold",)), Filters())
        for end_user in (EndUser("ann"), EndUser("bob"), NOBODY, EVERYBODY)
    ]

    everybody = [[1, 3], [2, 3], [3], [1, 2, 3]]
    assert passing == [*everybody, [3], [3], [3], [3], *everybody]
