"""Which memories of a map's hot set a query's filters admit."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval.asked_time import AskedTime
from remembrancer.domain.retrieval.candidates import FoundMemories
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS
from remembrancer.usecases.query.plan import Abilities, QueryPlan, plan
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.searches import admitted
from tests.builders import AGENT_ID, NOW, SetClock, ago, memory, principal, query_request
from tests.unit.domain.memory_map.maps import made

MEMORIES = [
    memory(1, confidence=0.2),
    memory(2, category="preference", tags=("work",)),
    memory(3, source="imported", created_at=ago(days=40)),
    memory(4, tier="cold", occurred_to=NOW - timedelta(days=9)),
    memory(5, tags=("home",), occurred_from=NOW - timedelta(days=3)),
]


def planned(filters: Filters) -> QueryPlan:
    request = query_request(agent_id=AGENT_ID, filters=filters)
    abilities = Abilities(False, 0, 10, SLA_TARGET_MS)
    made_plan = plan(request, principal(), abilities, Deadline.begin(SetClock(start=None)), now=NOW)
    return replace(made_plan, search=replace(made_plan.search, filters=filters))


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(min_confidence=0.5),
        Filters(categories=("preference",)),
        Filters(sources=("imported",)),
        Filters(tiers=("hot", "warm")),
        Filters(tags=("work", "home")),
        Filters(since=ago(days=20)),
        Filters(until=ago(days=20)),
        Filters(time=AskedTime(as_of=NOW - timedelta(days=10))),
    ],
)
def test_a_map_admits_what_the_filters_admit_of_each_memory(filters: Filters) -> None:
    found = FoundMemories(made(*MEMORIES), np.array([4, 0, 2, 1, 3]))
    plan = planned(filters)

    def none(memory: Memory) -> bool:
        raise AssertionError("an object was made")

    assert list(admitted(found, plan.search, none)) == list(filter(plan.admits, found))


def test_of_other_memories_each_is_asked() -> None:
    plan = planned(Filters(categories=("preference",)))

    assert list(admitted(MEMORIES, plan.search, plan.admits)) == [MEMORIES[1]]
