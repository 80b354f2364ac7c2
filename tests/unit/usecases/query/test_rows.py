"""Step 5 of a query: what is gone or changed is left out, and what stays keeps its own scores, columns and use."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np

from remembrancer.adapters.clock import SystemClock
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.ranking.score_boosts import NONE
from remembrancer.domain.retrieval.candidates import Candidates, FoundMemories
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.search import Circumstances, Live
from remembrancer.usecases.query import scoring
from remembrancer.usecases.query.plan import Abilities, QueryPlan, plan
from remembrancer.usecases.query.rows import CandidateRows, LiveCandidates
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.known_agents import KnownAgents
from remembrancer.usecases.retrieval.search import Found
from tests.builders import AGENT_ID, NOW, SetClock, ago, identifier, memory, principal, query_request
from tests.unit.domain.memory_map.maps import made

MAPPED = [memory(number, created_at=ago(days=number), usage_count=number) for number in range(6)]
OTHERS = [memory(number, created_at=ago(days=number)) for number in (20, 21, 22)]
PLACES = np.array([0, 2, 3, 5])
FOUND = [*(MAPPED[place] for place in PLACES), *OTHERS]


@dataclass
class Store:
    """A store that has these memories; without any it fails."""

    live: dict[int, Live]
    asked: list[UUID] = field(default_factory=list)

    async def circumstances(self, scope: Any, memory_ids: Sequence[UUID], **_: Any) -> Circumstances:
        self.asked += memory_ids
        if not self.live:
            raise StoreUnavailable("gone", cause="ConnectionError")
        return Circumstances(self.live)


def planned() -> QueryPlan:
    clock = SetClock(start=None)
    request = query_request(agent_id=AGENT_ID)
    return plan(request, principal(), Abilities(False, 0, 10, SLA_TARGET_MS), Deadline.begin(clock), now=NOW)


def candidates(others: Sequence[Memory] = OTHERS) -> Candidates:
    """Four memories of a map and others; the dense score of each is a hundredth of its number."""
    memories = FoundMemories(made(*MAPPED), PLACES, others)
    numbers = [one.id.int - identifier(0).int for one in memories]
    found = [
        Evidence(one, number / 100, number / 200, 0.1, 0.0, (number,), hot=number == 5)
        for one, number in zip(memories, numbers, strict=True)
    ]
    return Candidates.with_scores(memories, found)


async def read(store: Store, found: Candidates) -> LiveCandidates:
    rows = CandidateRows(store, KnownAgents(), SystemClock())  # type: ignore[arg-type]
    return await rows.read(planned(), Found(found), None, anew=False)


def as_they_are(memories: Sequence[Memory]) -> dict[int, Live]:
    return {one.id.int: Live(one.version, one.usage_count, one.last_accessed_at) for one in memories}


def numbers(found: LiveCandidates) -> list[int]:
    """Of the memories, after checking that each has its own scores and columns."""
    memories = found.memories
    of = [one.id.int - identifier(0).int for one in memories]
    assert [one.memory.id for one in found.candidates] == [one.id for one in memories]
    assert [one.dense for one in found.candidates] == [number / 100 for number in of]
    assert [one.terms for one in found.candidates] == [(number,) for number in of]
    assert [one.hot for one in found.candidates] == [number == 5 for number in of]
    assert found.described.created.tolist() == [one.created_at.timestamp() for one in memories]
    return of


async def test_what_is_gone_or_changed_is_left_out_and_the_others_keep_their_scores() -> None:
    live = as_they_are(FOUND)
    del live[MAPPED[2].id.int], live[OTHERS[0].id.int]
    live[OTHERS[2].id.int] = Live(2, 0, None)

    found = await read(Store(live), candidates())

    assert numbers(found) == [0, 3, 5, 21]
    assert found.dropped == 3


async def test_the_counts_of_use_are_those_of_the_store() -> None:
    live = as_they_are(FOUND) | {identifier(3).int: Live(1, 40, NOW)}

    found = await read(Store(live), candidates())

    assert numbers(found) == [0, 2, 3, 5, 20, 21, 22]
    assert found.use.counts.tolist() == [0, 2, 40, 5, 0, 0, 0]
    ranked = scoring.rank(
        planned(), found.candidates, found.memories, found.described, clusters=found.clusters, use=found.use
    )
    assert {one.memory.usage_count for one in ranked.ranked} == {0, 2, 40, 5}
    (used,) = (one.memory for one in ranked.ranked if one.memory.id == identifier(3))
    assert used == memory(3, created_at=ago(days=3), usage_count=40, last_accessed_at=NOW)
    assert all(one.boosts is NONE for one in ranked.ranked)


async def test_what_nobody_may_see_now_is_not_even_asked_for() -> None:
    others = [
        memory(20, created_at=ago(days=20)),
        memory(21, expires_at=NOW),
        memory(22, valid_from=NOW + timedelta(seconds=1)),
        memory(23, user_id="ada"),
        memory(24, agent_id=identifier(99)),
        memory(25, occurred_to=ago(days=1)),
        memory(26, status="superseded"),
    ]
    store = Store(as_they_are([*FOUND, *others]))

    found = await read(store, candidates(others))

    assert numbers(found) == [0, 2, 3, 5, 20]
    assert store.asked == [one.id for one in found.memories]
    assert found.dropped == 6


async def test_without_the_store_what_retrieval_confirmed_stays() -> None:
    found = await read(Store({}), candidates())

    assert numbers(found) == [0, 2, 3, 5, 20, 21, 22]
    assert found.dropped == 0
