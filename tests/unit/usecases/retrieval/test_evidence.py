"""Which hot memories meet the filters of a search, in a map and outside one."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from remembrancer.domain.retrieval.asked_time import AskedTime
from remembrancer.domain.retrieval.candidates import FoundMemories
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS
from remembrancer.usecases.query.plan import Abilities, plan
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.evidence import meeting_filters
from remembrancer.usecases.retrieval.search import Search
from tests.builders import AGENT_ID, NOW, SetClock, ago, memory, principal, query_request
from tests.unit.domain.memory_map.maps import made

MEMORIES = [
    memory(1, confidence=0.2),
    memory(2, category="preference", tags=("work",)),
    memory(3, source="imported", created_at=ago(days=40)),
    memory(4, tier="cold", occurred_to=NOW - timedelta(days=9)),
    memory(5, tags=("home",), occurred_from=NOW - timedelta(days=3)),
]


def search(filters: Filters) -> Search:
    request = query_request(agent_id=AGENT_ID, filters=filters)
    abilities = Abilities(False, 0, 10, SLA_TARGET_MS)
    planned = plan(request, principal(), abilities, Deadline.begin(SetClock(start=None)), now=NOW)
    return replace(planned.search, filters=filters)


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
def test_memories_of_a_map_meet_the_filters_as_each_of_them_does(filters: Filters) -> None:
    found = FoundMemories(made(*MEMORIES), np.array([4, 0, 2, 1, 3]))

    meeting = meeting_filters(found, search(filters))

    # Of positions no object is made.
    assert isinstance(meeting, FoundMemories)
    assert meeting.map is found.map
    assert list(meeting) == [memory for memory in found if filters.admits(memory, now=NOW)]


def test_other_memories_are_asked_one_by_one() -> None:
    assert list(meeting_filters(MEMORIES, search(Filters(categories=("preference",))))) == [MEMORIES[1]]
