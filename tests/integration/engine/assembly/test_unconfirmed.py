"""What Redis has missed while Postgres is late, silent or well: late is not "no", and a new server is not believed."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from local.servers import Cache
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.agent_cache import WritersAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.context.assembly import AssembleRequest, AssemblyOptions
from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.memories.memory import Change
from remembrancer.errors import StoreTimeout, StoreUnavailable
from remembrancer.ports.identity import AgentStates
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.confirmations import LONGEST_SECONDS, Confirmations
from remembrancer.usecases.retrieval.known_agents import KnownAgents
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps
from tests.builders import SetClock
from tests.integration.engine.assembly.bench import (
    COFFEE,
    WIDE,
    Bench,
    injected,
    retrieving,
    searching,
    statuses,
    warmed,
)
from tests.integration.engine.later import LaterWork

LATE_SECONDS = 1.2
SILENT_MS = 500.0
IMPATIENT = replace(WIDE, directive_ms=800.0, hot_ms=800.0)
"""The state comes later than hot set and directive are waited for, and long before the searches' bound."""


@dataclass
class States:
    """Serves AgentStates: the store's word, later, or not at all."""

    states: AgentStates
    fault: str = ""

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        if self.fault == "late":
            await asyncio.sleep(LATE_SECONDS)
        if self.fault == "refuse":
            raise StoreUnavailable("down", cause="OperationalError")
        if self.fault == "hang":
            await asyncio.Event().wait()
        return await self.states.state(org_id, agent_id)


@dataclass(frozen=True)
class Rig:
    """A warm instance, its states that can fail, and Redis' keys of its agent."""

    bench: Bench
    states: States
    redis: Redis
    clock: SetClock

    def request(self, source: str) -> AssembleRequest:
        """That is answered from this source."""
        request = self.bench.request(session_id=str(uuid4()))
        match source:
            case "turn":
                return replace(request, session_id=str(UUID(int=7)), turn_id="turn")
            case "hot":
                return replace(request, options=AssemblyOptions(skip=("cold", "lexical")))
        return request

    async def forget_coffee(self) -> None:
        """And be sure that Redis was told."""
        await self.forget(self.bench.coffee)

    async def forget(self, memory_id: UUID) -> None:
        tenant = self.bench.tenant
        life = PostgresMemoryLife(tenant.database)
        change = await life.forget(tenant.principal, memory_id, SystemClock().now())
        assert change is not None
        state = await self.states.states.state(tenant.org_id, tenant.agent_id)
        assert state is not None
        await self.bench.cache.changed(tenant.org_id, tenant.agent_id, state.change, [memory_id])

    async def dumped(self) -> Mapping[str, tuple[Any, int]]:
        """All keys of the organization, as a replica that lags would have them."""
        names = await self.bench.redis.names(f"{self.bench.tenant.org_id}:*")
        return {name: (await self.redis.dump(name), max(await self.redis.pttl(name), 0)) for name in names}

    async def put_back(self, keys: Mapping[str, tuple[Any, int]]) -> None:
        for name, (value, ttl) in keys.items():
            await self.redis.restore(name, ttl, value, replace=True)

    async def promote(self) -> None:
        """As after a failover: the same keys on a server that calls itself another one."""
        await self.redis.replicaof("127.0.0.1", "9")
        await self.redis.replicaof("NO", "ONE")

    def briefly(self) -> "Rig":
        """The same instance, which gives up sooner on a store that will never answer."""
        return replace(self, bench=self.bench.bounded(replace(self.bench.assembler.bounds, cold_ms=SILENT_MS)))

    def with_seconds(self, seconds: float) -> "Rig":
        """Another instance, for which confirmations hold so long."""
        confirmations = Confirmations(KnownAgents(), self.bench.cache, self.clock, seconds=seconds)
        return replace(self, bench=retrieving(self.bench, confirmations=confirmations))

    def repeating(self, seconds: float) -> "Rig":
        """Another instance, which goes by Postgres' answers for so long."""
        confirmations = Confirmations(KnownAgents(), self.bench.cache, self.clock, repeat_seconds=seconds)
        return replace(self, bench=retrieving(self.bench, confirmations=confirmations))


@pytest.fixture
async def rig(bench: Bench, valkey_server: Cache) -> AsyncIterator[Rig]:
    states = States(PostgresDirectory(bench.tenant.database))
    clock = SetClock()
    confirmations = Confirmations(KnownAgents(), bench.cache, clock)
    here = retrieving(searching(bench), states=states, confirmations=confirmations).bounded(IMPATIENT)
    redis: Redis = Redis.from_url(valkey_server.url)
    await warmed(bench, replace(here.request(session_id=str(UUID(int=7))), turn_id="turn"))
    await here.assemble()
    yield Rig(here, states, redis, clock)
    await redis.aclose()


SOURCES = ("map", "turn", "hot")
TIERS = {"map": "map", "turn": "turn_cache", "hot": "map"}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("fault", ["", "late"])
async def test_with_keys_put_back_from_before_a_removal_no_answer_holds_what_was_removed(
    rig: Rig, source: str, fault: str
) -> None:
    request = rig.request(source)
    before = await rig.bench.assemble(request)
    keys = await rig.dumped()
    await rig.forget_coffee()
    rig.states.fault = fault

    answers = []
    for _ in range(3):
        await rig.put_back(keys)
        answers += await asyncio.gather(*(rig.bench.assemble(request) for _ in range(4)))

    assert before.tier == TIERS[source]
    assert COFFEE in injected(before)
    assert not any(COFFEE in injected(answer) for answer in answers)
    assert {answer.fallback_reason for answer in answers} == {""}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("fault", "cause"), [("hang", "timeout"), ("refuse", "OperationalError")])
async def test_while_postgres_is_silent_caches_go_on_for_five_minutes_and_answers_say_so(
    rig: Rig, source: str, fault: str, cause: str
) -> None:
    request = rig.request(source)
    rig.states.fault = fault
    silent = rig.briefly().bench

    soon = await silent.assemble(request)
    rig.clock.seconds = LONGEST_SECONDS + 1
    later = await silent.assemble(request)
    rig.states.fault = ""
    back = await rig.bench.assemble(request)

    assert COFFEE in injected(soon)
    assert soon.fallback_reason == f"unconfirmed:{cause}"
    assert COFFEE not in injected(later)
    assert later.fallback_reason.endswith(f"unconfirmed:{cause}")
    assert "hot_error:Unconfirmed" in later.fallback_reason
    assert later.tier == "none"
    assert (COFFEE in injected(back), back.fallback_reason) == (True, "")


@pytest.mark.parametrize("source", SOURCES)
async def test_a_deployment_may_leave_out_what_is_not_confirmed(rig: Rig, source: str) -> None:
    rig = rig.with_seconds(0.0)
    request = rig.request(source)
    confirmed = await rig.bench.assemble(request)
    rig.states.fault = "refuse"

    answer = await rig.bench.assemble(request)

    assert (COFFEE in injected(confirmed), confirmed.fallback_reason) == (True, "")
    assert COFFEE not in injected(answer)
    assert statuses(answer)["hot"] == "error"


async def test_a_confirmation_holds_for_five_minutes_at_most_whatever_is_set(rig: Rig) -> None:
    rig = rig.with_seconds(9 * LONGEST_SECONDS)
    await rig.bench.assemble()
    rig.states.fault = "refuse"
    rig.clock.seconds = LONGEST_SECONDS + 1

    assert COFFEE not in injected(await rig.bench.assemble())


@pytest.mark.parametrize("source", SOURCES)
async def test_a_redis_that_was_replaced_is_not_believed_until_postgres_has_answered(rig: Rig, source: str) -> None:
    request = rig.request(source)
    rig.states.fault = "refuse"
    before = await rig.bench.assemble(request)
    await rig.promote()

    silent = await rig.bench.assemble(request)
    rig.states.fault = ""
    confirmed = await rig.bench.assemble(request)
    rig.states.fault = "refuse"
    after = await rig.bench.assemble(request)

    assert [COFFEE in injected(one) for one in (before, silent, confirmed, after)] == [True, False, True, True]
    assert "hot_error:Unconfirmed" in silent.fallback_reason
    assert [one.fallback_reason for one in (confirmed, after)] == ["", "unconfirmed:OperationalError"]


async def test_an_instance_that_never_heard_of_the_agent_believes_no_cache_while_postgres_is_silent(rig: Rig) -> None:
    newer = rig.with_seconds(LONGEST_SECONDS)
    rig.states.fault = "refuse"

    assert COFFEE not in injected(await newer.bench.assemble(rig.request("hot")))


@pytest.fixture
async def told(rig: Rig) -> Rig:
    """Redis knows that Postgres has confirmed the agent to this instance."""
    later = LaterWork()
    await rig.bench.assemble(later=later)
    await later.do("share_confirmation")
    return rig


@pytest.mark.parametrize("source", SOURCES)
async def test_an_instance_that_never_heard_of_the_agent_goes_by_what_another_heard(told: Rig, source: str) -> None:
    newer = told.with_seconds(LONGEST_SECONDS)
    strict = told.with_seconds(0.0)
    told.states.fault = "refuse"
    request = told.request(source)

    answer, without = await newer.bench.assemble(request), await strict.bench.assemble(request)

    assert COFFEE in injected(answer)
    assert answer.fallback_reason == "unconfirmed:OperationalError"
    assert COFFEE not in injected(without)


@pytest.mark.parametrize("source", SOURCES)
async def test_what_another_heard_of_a_redis_that_was_replaced_counts_no_longer(told: Rig, source: str) -> None:
    newer = told.with_seconds(LONGEST_SECONDS)
    told.states.fault = "refuse"
    await told.promote()

    assert COFFEE not in injected(await newer.bench.assemble(told.request(source)))


@pytest.mark.parametrize("is_told", [True, False])
async def test_what_another_heard_ends_when_redis_is_found_to_have_missed_a_removal(told: Rig, is_told: bool) -> None:
    """By an instance that tells so, also those that had heard otherwise themselves."""
    another, newer = told.with_seconds(LONGEST_SECONDS), told.with_seconds(LONGEST_SECONDS)
    await another.bench.assemble()
    told.clock.seconds += 10.0
    keys = await told.dumped()
    await told.forget_coffee()
    await told.put_back(keys)
    later = LaterWork()
    contradicted = await told.bench.assemble(later=later)
    if is_told:
        await later.do("share_confirmation")
    told.states.fault = "refuse"

    answers = [await one.bench.assemble(told.request("hot")) for one in (another, newer)]

    assert COFFEE not in injected(contradicted)
    assert [COFFEE in injected(answer) for answer in answers] == 2 * [not is_told]
    assert all("unconfirmed:OperationalError" in answer.fallback_reason for answer in answers)


async def test_what_another_heard_spares_no_question_to_postgres(told: Rig) -> None:
    newer = told.repeating(REPEAT_SECONDS)
    told.states.fault = "refuse"

    answer = await newer.bench.assemble()

    assert answer.fallback_reason == "unconfirmed:OperationalError"


async def test_a_redis_that_has_lost_the_counters_is_not_believed(rig: Rig) -> None:
    """They were beyond the first removal when Postgres confirmed them."""
    request, tenant = rig.request("hot"), rig.bench.tenant
    await rig.forget(rig.bench.tea)
    await rig.bench.assemble(request)
    rig.states.fault = "refuse"
    before = await rig.bench.assemble(request)
    await rig.redis.delete(f"{tenant.org_id}:change:{{{tenant.agent_id}}}")

    after = await rig.bench.assemble(request)

    assert (COFFEE in injected(before), COFFEE in injected(after)) == (True, False)


async def test_a_redis_that_was_found_to_have_missed_a_removal_is_not_believed_when_postgres_falls_silent(
    rig: Rig,
) -> None:
    request = rig.request("map")
    keys = await rig.dumped()
    await rig.forget_coffee()
    await rig.put_back(keys)
    contradicted = await rig.bench.assemble(request)
    rig.states.fault = "refuse"

    silent = await rig.bench.assemble(request)

    assert COFFEE not in injected(contradicted)
    assert COFFEE not in injected(silent)


async def test_what_could_not_be_looked_at_again_is_left_out_and_named(rig: Rig) -> None:
    keys = await rig.dumped()
    await rig.forget_coffee()
    await rig.put_back(keys)
    source = rig.bench.assembler.retriever.retrieval.searcher.source

    class Broken:
        def __getattr__(self, name: str) -> object:
            return getattr(source, name)

        async def rows(self, *_: object) -> object:
            raise StoreUnavailable("down", cause="OperationalError")

    here = searching(rig.bench, source=Broken())
    maps = MemoryMaps(source, rig.bench.cache, rig.clock, dimensions=HashEmbedder().dimensions)
    without_map = searching(here, maps=maps)

    answer = await here.assemble()
    of_store = await without_map.assemble()

    assert answer.memory_ids == ()
    assert "cold_error:Unconfirmed" in answer.fallback_reason
    # What Postgres found in this very request needs nothing more.
    assert of_store.memory_ids == (rig.bench.tea,)
    assert of_store.fallback_reason == "hot_error:Unconfirmed"


async def test_when_all_that_was_found_is_gone_nothing_is_left_of_it(rig: Rig) -> None:
    keys = await rig.dumped()
    await rig.forget_coffee()
    await PostgresMemoryLife(rig.bench.tenant.database).forget(
        rig.bench.tenant.principal, rig.bench.tea, SystemClock().now()
    )
    await rig.put_back(keys)

    answer = await rig.bench.assemble()

    assert (answer.memory_ids, answer.fallback_reason) == ((), "")


async def test_the_directive_of_an_agent_that_is_gone_is_not_injected(rig: Rig) -> None:
    class Gone:
        async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
            return None

    answer = await retrieving(rig.bench, states=Gone()).assemble(later=LaterWork())

    assert not answer.directive_injected


REPEAT_SECONDS = 1.0


@pytest.fixture
def repeating(rig: Rig) -> Rig:
    """An instance that goes by Postgres' answer for a second."""
    return rig.repeating(REPEAT_SECONDS)


@pytest.mark.parametrize("source", SOURCES)
async def test_postgres_is_asked_once_a_second_for_an_agents_counters(repeating: Rig, source: str) -> None:
    request = repeating.request(source)
    first = await repeating.bench.assemble(request)
    # Whoever asks now gets no answer.
    repeating.states.fault = "refuse"

    soon = await repeating.bench.assemble(request)
    repeating.clock.seconds = REPEAT_SECONDS
    later = await repeating.bench.assemble(request)

    assert first.fallback_reason == soon.fallback_reason == ""
    assert COFFEE in injected(soon)
    assert later.fallback_reason == "unconfirmed:OperationalError"


async def asked_at(rig: Rig, seconds: float, request: AssembleRequest) -> LaterWork:
    """The work that a request at this time leaves for after its response."""
    rig.clock.seconds = seconds
    later = LaterWork()
    await rig.bench.assemble(request, later=later)
    return later


@pytest.mark.parametrize("source", SOURCES)
async def test_no_request_of_a_busy_agent_waits_for_postgres(repeating: Rig, source: str) -> None:
    request = repeating.request(source)
    await repeating.bench.assemble(request)

    soon = await asked_at(repeating, 0.5 * REPEAT_SECONDS, request)
    later = await asked_at(repeating, 0.8 * REPEAT_SECONDS, request)
    await later.do("renew_confirmation")
    again = await asked_at(repeating, 0.9 * REPEAT_SECONDS, request)
    repeating.states.fault = "refuse"
    repeating.clock.seconds = 1.7 * REPEAT_SECONDS
    answer = await repeating.bench.assemble(request)

    assert "renew_confirmation" not in soon.names + again.names
    assert (COFFEE in injected(answer), answer.fallback_reason) == (True, "")


@pytest.mark.parametrize("source", SOURCES)
async def test_a_renewal_that_finds_a_removal_missed_by_redis_ends_the_confirmation(
    repeating: Rig, source: str
) -> None:
    request = repeating.request(source)
    await repeating.bench.assemble(request)
    keys = await repeating.dumped()
    later = await asked_at(repeating, 0.8 * REPEAT_SECONDS, request)

    await repeating.forget_coffee()
    await later.do("renew_confirmation")
    await repeating.put_back(keys)
    answer = await repeating.bench.assemble(request)

    assert (COFFEE in injected(answer), answer.fallback_reason) == (False, "")


async def test_a_renewal_is_not_tried_again_at_once_when_postgres_does_not_answer(repeating: Rig) -> None:
    renewals = BackgroundReads(SystemClock(), longest_seconds=0.05)
    here = replace(repeating, bench=retrieving(repeating.bench, renewals=renewals))
    request = here.request("map")
    await here.bench.assemble(request)
    later = await asked_at(here, 0.8 * REPEAT_SECONDS, request)
    here.states.fault = "hang"

    with pytest.raises(StoreTimeout):
        await later.do("renew_confirmation")
    again = await asked_at(here, 0.8 * REPEAT_SECONDS, request)

    assert "renew_confirmation" not in again.names


@pytest.mark.parametrize("source", SOURCES)
async def test_postgres_is_asked_at_once_when_redis_has_another_counter(repeating: Rig, source: str) -> None:
    request = repeating.request(source)
    assert COFFEE in injected(await repeating.bench.assemble(request))

    await repeating.forget_coffee()
    answer = await repeating.bench.assemble(request)

    assert (COFFEE in injected(answer), answer.fallback_reason) == (False, "")


@pytest.mark.parametrize("source", SOURCES)
async def test_postgres_is_asked_at_once_when_redis_is_another_server(repeating: Rig, source: str) -> None:
    request = repeating.request(source)
    assert COFFEE in injected(await repeating.bench.assemble(request))
    keys = await repeating.dumped()
    await repeating.forget_coffee()

    await repeating.put_back(keys)
    await repeating.promote()
    answer = await repeating.bench.assemble(request)

    assert (COFFEE in injected(answer), answer.fallback_reason) == (False, "")


async def test_a_write_that_redis_did_not_take_is_acknowledged_when_no_instance_goes_by_an_older_answer(
    repeating: Rig,
) -> None:
    tenant = repeating.bench.tenant
    unreachable = RedisClient("redis://127.0.0.1:9")
    cache = WritersAgentCache(unreachable, confirmed_seconds=REPEAT_SECONDS)
    begun = monotonic()

    with pytest.raises(StoreUnavailable):
        await cache.changed(tenant.org_id, tenant.agent_id, Change(2, 1), [repeating.bench.coffee])
    await unreachable.close()

    assert monotonic() - begun > REPEAT_SECONDS
