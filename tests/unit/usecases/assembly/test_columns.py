"""Candidates in columns: the order is the same whether memories are positions of a map or objects."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.adapters.clock import SystemClock
from remembrancer.domain.context.assembly import AssemblyOptions, SourceReport
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.memories.memory import CATEGORIES, Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.memory_map import segment
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.ranking import assembly_score
from remembrancer.domain.retrieval.asked_time import AskedTime, asked_time
from remembrancer.domain.retrieval.candidates import Candidates, FoundMemories
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.usecases.assembly import scoring
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.search import SEARCHES, Found
from tests.builders import AGENT_ID, NOW, ORG_ID, ago, assemble_request, identifier, memory, message, profile
from tests.unit.domain.memory_map.maps import made, vector_of

QUERIES = ("What does Ada drink?", "What happened yesterday?", "Where was Ada in 2025, or last month?")
ANSWERED = dict.fromkeys(SEARCHES, SourceReport("ok"))


def moments(*, near: int = 40) -> st.SearchStrategy[datetime | None]:
    return st.none() | st.integers(-near, near).map(lambda days: NOW + timedelta(days=days, microseconds=days % 7))


@st.composite
def memories(draw: st.DrawFn) -> list[Memory]:
    numbers = draw(st.lists(st.integers(1, 99), unique=True, min_size=1, max_size=16))
    return [
        memory(
            number,
            content=draw(st.sampled_from(["Ada drinks tea.", "Does she?", "為什麼\uff1f", "متى\u061f", "?!", "?"])),
            created_at=ago(days=draw(st.integers(-3, 500)), hours=number),
            category=draw(st.sampled_from(CATEGORIES)),
            confidence=draw(st.sampled_from([0.0, 0.29, 0.3, 0.7, 1.0])),
            positive_count=draw(st.integers(0, 3)),
            negative_count=draw(st.integers(0, 3)),
            retrieval_count=draw(st.integers(0, 12)),
            tokens={"o200k_base": draw(st.integers(1, 300)), "cl100k_base": draw(st.integers(1, 300))},
            user_id=draw(st.sampled_from([None, "ann", "bob"])),
            session_id=draw(st.sampled_from([None, "", "ann", "monday", "tuesday"])),
            valid_from=draw(moments()),
            expires_at=draw(moments()),
            occurred_from=draw(moments(near=400)),
            occurred_to=draw(moments(near=400)),
            contradicted_by=draw(st.sampled_from([(), (identifier(1),)])),
        )
        for number in numbers
    ]


def maps_of(stored: Sequence[Memory]) -> tuple[MemoryMap, MemoryMap]:
    """Read from the store, and decoded from what another instance has packed."""
    known = made(*stored)
    return known, segment.decode(segment.encode(known, read_at=NOW), org_id=ORG_ID, agent_id=AGENT_ID).map


def mixed(known: MemoryMap, stored: Sequence[Memory], in_map: int) -> FoundMemories:
    """The first as positions of the map, the others as objects."""
    return FoundMemories(known, np.arange(in_map), stored[in_map:])


@settings(max_examples=30)
@given(stored=memories(), share=st.floats(0, 1))
def test_columns_are_those_of_the_objects(stored: list[Memory], share: float) -> None:
    expected = MemoryColumns.of(stored)

    for known in maps_of(stored):
        columns = mixed(known, stored, round(share * len(stored))).columns

        for name in MemoryColumns.__slots__:
            if name != "session":
                assert getattr(columns, name).tolist() == getattr(expected, name).tolist(), name
        # Numbers may differ, but the same memories share them.
        pairs = set(zip(columns.session.tolist(), expected.session.tolist(), strict=True))
        assert len(pairs) == len(set(columns.session.tolist())) == len(set(expected.session.tolist()))
        assert (columns.session == 0).tolist() == [not one.session_id for one in stored]
        assert columns.ends.tolist() == [one.ends_at.timestamp() if one.ends_at else np.inf for one in stored]


@settings(max_examples=20)
@given(stored=memories(), share=st.floats(0, 1), random=st.randoms())
def test_rows_are_found_by_ids_whichever_source_they_came_from(
    stored: list[Memory], share: float, random: Random
) -> None:
    wanted = random.sample(range(len(stored)), len(stored) // 2)

    for known in maps_of(stored):
        found = mixed(known, stored, round(share * len(stored)))

        assert found.rows_among([UUID(int=0), *(stored[row].id for row in wanted)]) == wanted


def test_vectors_are_those_of_one_model_whichever_source_they_came_from() -> None:
    stored = [
        memory(1, vector=vector_of(1)),
        memory(2, vector=None),
        memory(3, vector=vector_of(3)),
        memory(4, vector=vector_of(4), vector_model="other"),
        memory(5, vector=np.ones(2, np.float32), vector_model="shorter"),
        memory(6, vector=None),
    ]
    expected = [stored[0].vector, None, stored[2].vector, None, None, None]
    known = replace(made(*stored[:2], unembedded=[2]), model="model")
    alone = FoundMemories(None, np.empty(0, np.intp), stored)

    for found, rows in (
        (mixed(known, stored, 2), range(6)),
        (mixed(known, stored, 2), [5, 3, 0, 2]),
        (mixed(known, stored, 2), [0, 1]),
        (mixed(known, stored, 2), [2, 5]),
        (alone, range(6)),
        (alone, []),
    ):
        for row, vector in zip(rows, found.vectors(rows), strict=True):
            wanted = expected[row]
            assert vector.tolist() == (np.zeros(len(vector)) if wanted is None else wanted).tolist()


@settings(max_examples=30)
@given(
    stored=memories(),
    end_user=st.sampled_from([NOBODY, EVERYBODY, EndUser("ann")]),
    query=st.sampled_from(QUERIES),
    as_of=moments(),
    categories=st.sampled_from([(), ("factual",), ("episodic", "preference")]),
)
def test_unwanted_memories_are_those_that_the_rules_for_one_memory_refuse(
    stored: list[Memory], end_user: EndUser, query: str, as_of: datetime | None, categories: tuple[str, ...]
) -> None:
    time = asked_time(query, as_of=as_of, now=NOW)
    request = replace(assemble_request(end_user=end_user), options=AssemblyOptions(categories=categories))
    expected = [
        one.confidence >= assembly_score.MINIMUM_CONFIDENCE
        and one.is_visible(agent_id=AGENT_ID, end_user=end_user, now=NOW)
        and time.admits(one, now=NOW)
        and (not categories or one.category in categories)
        for one in stored
    ]

    for known in maps_of(stored):
        found = Candidates.with_scores(mixed(known, stored, len(stored) // 2), [Evidence(one) for one in stored])
        wanted = scoring._wanted(request, found, found.memories.columns, time, NOW)

        assert wanted.tolist() == expected


def test_memories_of_other_agents_or_that_are_not_active_are_unwanted() -> None:
    stored = [memory(1), memory(2, agent_id=identifier(9)), memory(3, status="superseded")]
    found = Candidates.of([Evidence(one) for one in stored])

    wanted = scoring._wanted(assemble_request(), found, found.memories.columns, AskedTime(), NOW)

    assert wanted.tolist() == [True, False, False]


def explained(weighed: scoring.Selection) -> list[dict[str, Any]]:
    return [one.as_json() for one in weighed.explained(dict.fromkeys(range(len(weighed.considered)), "budget"), {})]


@pytest.mark.parametrize("explain", [True, False])
@settings(max_examples=20)
@given(stored=memories(), data=st.data(), query=st.sampled_from(QUERIES), budget=st.sampled_from([0, 100, 2000]))
def test_what_competes_is_the_same_for_positions_and_objects(
    explain: bool, stored: list[Memory], data: st.DataObject, query: str, budget: int
) -> None:
    shares = st.none() | st.floats(0, 1)
    evidence = [
        Evidence(one, data.draw(shares), content, content, float(number % 2), hot=number % 3 == 0)
        for number, one in enumerate(stored)
        for content in [data.draw(shares)]
    ]
    request = assemble_request(messages=[message(query)], options=AssemblyOptions(explain=explain))
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))

    def weighed(found: Sequence[Evidence]) -> scoring.Selection:
        return scoring.weigh(plan, Found(Candidates.of(found), reports=ANSWERED), budget=budget)

    expected = weighed(evidence)
    for known in maps_of(stored):
        columns = weighed(Candidates.with_scores(mixed(known, stored, 1 + len(stored) // 2), evidence))

        needs = [None if one.judged is None else one.judged.need for one in (columns, expected)]
        assert needs[0] == needs[1]
        assert columns.available == expected.available
        assert columns.competing == expected.competing
        assert explained(columns) == explained(expected)
        assert len(columns.left) == (len(stored) - len(columns.considered) if explain else 0)
