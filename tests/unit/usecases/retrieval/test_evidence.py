"""Where hot memories come from, and which of them meet the filters of a search, in a map and outside one."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.asked_time import AskedTime
from remembrancer.domain.retrieval.candidates import FoundMemories
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.usecases.query.plan import Abilities, plan
from remembrancer.usecases.retrieval.after_response import NOTHING_AFTERWARDS
from remembrancer.usecases.retrieval.deadline import Deadline, done
from remembrancer.usecases.retrieval.evidence import meeting_filters
from remembrancer.usecases.retrieval.reading import Reading
from remembrancer.usecases.retrieval.search import Search, SearchResult
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


def completed(snapshot: AgentSnapshot, *, known: MemoryMap | None, searched: SearchResult) -> tuple[Reading, int]:
    """The reading after the searches, and how many hot memories it reported."""

    async def complete() -> tuple[Reading, int]:
        here = search(Filters())
        here.deadline.account.reports["hot"] = SourceReport("ok")
        reading = Reading(here, NOTHING_AFTERWARDS, known, None, done(snapshot))
        reading = reading.completed(searched, snapshot)
        return reading, here.deadline.account.reports["hot"].count

    return asyncio.run(complete())


class Undecodable(Sequence[Memory]):
    """Records of hot memories that nobody may decode."""

    def __len__(self) -> int:
        raise AssertionError

    def __getitem__(self, place: Any) -> Any:
        raise AssertionError


def test_hot_memories_come_from_a_map_that_has_arrived_and_no_record_is_decoded() -> None:
    arrived = made(*MEMORIES)
    ids = [MEMORIES[3].id.int, MEMORIES[0].id.int, 7]
    snapshot = AgentSnapshot(None, arrived.change, Undecodable(), ids)

    reading, count = completed(snapshot, known=None, searched=SearchResult(map=arrived))

    assert list(reading.hot_memories(snapshot)) == [MEMORIES[3], MEMORIES[0]]
    assert (count, reading.lacks_hot_memories(snapshot)) == (2, False)


@pytest.mark.parametrize("change", [Change(2, 1), Change(2, 0), None])
def test_hot_memories_never_come_from_a_map_of_another_state(change: Change | None) -> None:
    revised = replace(MEMORIES[0], content="Revised.")
    snapshot = AgentSnapshot(None, change, [revised], [revised.id.int])

    reading, count = completed(snapshot, known=made(*MEMORIES), searched=SearchResult())

    assert (list(reading.hot_memories(snapshot)), count) == ([revised], 1)


@pytest.mark.parametrize("known", [None, made(*MEMORIES)])
def test_a_hot_set_is_cold_where_it_has_nothing_that_can_be_read(known: MemoryMap | None) -> None:
    empty = AgentSnapshot(None, Change(1, 0), [], [])
    unreadable = AgentSnapshot(None, Change(1, 0), [], [MEMORIES[0].id.int])

    assert completed(empty, known=known, searched=SearchResult())[0].lacks_hot_memories(empty)
    assert completed(unreadable, known=known, searched=SearchResult())[0].lacks_hot_memories(unreadable) == (
        known is None
    )
