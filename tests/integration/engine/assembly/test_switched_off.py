"""Memories that are switched off for a deployment, an organization or an agent: the directive alone is injected."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
import pytest
from numpy.typing import NDArray

from local.servers import PostgresServer
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory, configure_organization
from remembrancer.adapters.redis.identity_cache import CachedDirectory
from remembrancer.domain.context.assembly import Assembly
from remembrancer.domain.identity.agent import AgentState
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.identity import AgentStates
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from tests.integration.engine.assembly.bench import (
    COFFEE,
    DIRECTIVE,
    EVERYTHING,
    WIDE,
    Bench,
    counting,
    injected,
    retrieving,
    searching,
    statuses,
    warmed,
)
from tests.integration.engine.later import LaterWork

ALONE = dict.fromkeys(EVERYTHING, "skipped") | {"directive": "ok"}
FOR_MEMORIES = {"refill_hot_set", "memory_map", "turn_cache", "usage"}
"""What is left for after a response because of memories."""
LATE_SECONDS = 0.3


@dataclass
class States:
    """Serves AgentStates: the store's, after everything else or not at all."""

    states: AgentStates
    fault: str = ""

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        if self.fault == "late":
            await asyncio.sleep(LATE_SECONDS)
        if self.fault == "down":
            raise StoreUnavailable("down", cause="OperationalError")
        return await self.states.state(org_id, agent_id)


class Hung(HashEmbedder):
    """An embedder that never answers."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        await asyncio.Event().wait()
        return await super().embed(texts)


@dataclass(frozen=True)
class Switches:
    """Who may switch the bench's memories off."""

    bench: Bench
    owner_url: str

    async def turn(self, level: str, *, enabled: bool) -> None:
        """The store's row alone: no cache is told."""
        tenant = self.bench.tenant
        if level == "agent":
            switched = await PostgresDirectory(tenant.database).switch(
                tenant.principal, tenant.agent_id, enabled=enabled
            )
            assert switched is not None
            assert (switched.enabled, switched.uses_memories) == (enabled, enabled)
        else:
            settings = {"enabled": None if enabled else False}
            assert await configure_organization(self.owner_url, tenant.org_id, settings) is not None


def with_states(bench: Bench, fault: str) -> Bench:
    return retrieving(bench, states=States(bench.assembler.retriever.retrieval.states, fault))


def require_alone(assembly: Assembly, later: LaterWork) -> None:
    """The directive, and nothing that comes of memories."""
    assert DIRECTIVE in injected(assembly)
    assert COFFEE not in injected(assembly)
    assert statuses(assembly) == ALONE
    assert (assembly.fallback_reason, assembly.memory_ids, assembly.memories_available) == ("", (), 0)
    assert (assembly.tier, assembly.unreadable) == ("none", 0)
    assert not FOR_MEMORIES.intersection(later.names)


@pytest.fixture
def switches(bench: Bench, migrated: PostgresServer) -> Switches:
    return Switches(bench, migrated.owner_url)


@pytest.mark.parametrize("fault", ["", "late"])
@pytest.mark.parametrize("level", ["agent", "organization"])
async def test_a_switch_in_the_store_holds_at_once_whatever_caches_know(
    switches: Switches, level: str, fault: str
) -> None:
    bench = with_states(switches.bench, fault)
    request = replace(bench.request(session_id=str(UUID(int=7))), turn_id="turn")
    await warmed(switches.bench, request)
    later = LaterWork()

    before = await bench.assemble(request)
    await switches.turn(level, enabled=False)
    off = await bench.assemble(request, later=later)
    await switches.turn(level, enabled=True)
    on = await bench.assemble(request)

    assert COFFEE in injected(before)
    require_alone(off, later)
    assert COFFEE in injected(on)


@pytest.mark.parametrize("level", ["agent", "organization"])
async def test_while_the_store_does_not_say_the_agent_that_is_known_decides(switches: Switches, level: str) -> None:
    bench = with_states(switches.bench, "down")
    await warmed(switches.bench, bench.request(session_id=str(UUID(int=7))))
    await switches.bench.assemble()
    known = await bench.assemble()
    await switches.turn(level, enabled=False)
    tenant, directory = bench.tenant, bench.assembler.directory
    changed = await PostgresDirectory(tenant.database).agent(tenant.org_id, tenant.agent_id)
    assert isinstance(directory, CachedDirectory)
    assert changed is not None

    await directory.correct(changed, tenant.principal)
    later = LaterWork()
    off = await bench.assemble(later=later)

    assert COFFEE in injected(known)
    assert off.fallback_reason == "unconfirmed:OperationalError"
    require_alone(replace(off, fallback_reason=""), later)


@pytest.mark.parametrize("level", ["agent", "organization"])
async def test_where_memories_are_off_no_search_is_waited_for(switches: Switches, level: str) -> None:
    await switches.turn(level, enabled=False)
    later = LaterWork()

    off = await searching(switches.bench, embedding=QueryEmbedding(Hung(), most_attempts=1)).assemble(later=later)

    require_alone(off, later)
    assert off.timings_ms["retrieval"] < WIDE.retrieval_ms / 2


async def test_a_deployment_without_memories_looks_for_none(bench: Bench) -> None:
    await warmed(bench, bench.request(session_id=str(UUID(int=7))))
    calls: Counter[str] = Counter()
    counted = counting(bench, calls)
    retriever = replace(counted.assembler.retriever, enabled=False)
    later = LaterWork()

    off = await replace(counted, assembler=replace(counted.assembler, retriever=retriever)).assemble(later=later)

    require_alone(off, later)
    assert not calls


async def test_an_unreadable_switch_of_an_organization_leaves_memories_on(switches: Switches) -> None:
    tenant = switches.bench.tenant
    await configure_organization(switches.owner_url, tenant.org_id, {"enabled": "no"})

    assert COFFEE in injected(await switches.bench.assemble())


async def test_only_an_agent_of_the_credentials_place_is_switched(switches: Switches) -> None:
    tenant = switches.bench.tenant
    elsewhere = replace(tenant.principal, environment="staging")

    assert await PostgresDirectory(tenant.database).switch(elsewhere, tenant.agent_id, enabled=False) is None
    assert COFFEE in injected(await switches.bench.assemble())
