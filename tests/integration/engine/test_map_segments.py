"""Maps that travel by Redis: an instance that has never seen an agent answers as the one that made the map."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from local.servers import AwsServer, Cache
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.map_segments import RedisSegments
from remembrancer.adapters.redis.sweep import RedisSweep
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.cache import StoredSegment
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.map_segments import MOST_BYTES, MOST_MEMORIES, MapSegments
from remembrancer.usecases.retrieval.memory_maps import MapUse, MemoryMaps
from tests.builders import NOW, SetClock
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.tenant import MODEL, Tenant, word_vector
from tests.integration.engine.test_memory_map import DIMENSIONS, LONG_MS, random_memories, texts

TEXT = "The plainspoken magpietoucan is in the cellar."


@dataclass(slots=True)
class WatchedSegments:
    """Serves SegmentCache by Redis; `before_finish` runs while a segment is written."""

    cache: RedisSegments
    written: list[StoredSegment] = field(default_factory=list)
    before_finish: Callable[[], Awaitable[object]] | None = None

    async def read(self, org_id: UUID, agent_id: UUID) -> StoredSegment | None:
        return await self.cache.read(org_id, agent_id)

    async def wants(self, org_id: UUID, agent_id: UUID, change: Change, read_at: float) -> bool:
        return await self.cache.wants(org_id, agent_id, change, read_at)

    async def write(self, org_id: UUID, agent_id: UUID, segment: StoredSegment) -> bool:
        if self.before_finish is not None:
            await self.before_finish()
        is_written = await self.cache.write(org_id, agent_id, segment)
        if is_written:
            self.written.append(segment)
        return is_written

    async def drop(self, org_id: UUID, agent_id: UUID, generation: str) -> None:
        await self.cache.drop(org_id, agent_id, generation)


@dataclass(frozen=True, slots=True)
class Instance:
    """The maps of one instance."""

    tenant: Tenant
    maps: MemoryMaps
    segments: WatchedSegments
    clock: SetClock
    cache: RedisAgentCache

    async def refresh(self) -> MemoryMap | None:
        """As after a response, from the counters that Redis has."""
        org_id, agent_id = self.tenant.org_id, self.tenant.agent_id
        change = (await self.cache.read(org_id, agent_id, EVERYBODY, 0)).change
        await self.maps.refresh(org_id, agent_id, change)
        return self.maps.find(org_id, agent_id)

    async def arrived(self) -> MemoryMap | None:
        """What a request gets that finds no map on this instance."""
        arriving = self.maps.arriving(self.tenant.org_id, self.tenant.agent_id)
        return None if arriving is None else await arriving

    async def use(self, known: MemoryMap) -> MapUse | None:
        """The map as a request may use it, by the counters that Redis has."""
        change = (await self.cache.read(known.org_id, known.agent_id, EVERYBODY, 0)).change
        return await self.maps.current(known, change, Deadline.begin(SystemClock(), LONG_MS))


@dataclass(frozen=True, slots=True)
class Fleet:
    """Instances on the same servers, and the key of their agent's map."""

    tenant: Tenant
    redis: RedisClient
    raw: Any
    made: list[Instance] = field(default_factory=list)

    def instance(
        self,
        *,
        keys: Any = None,
        organization_bytes: int = 10_000_000,
        most: tuple[int, int] = (MOST_MEMORIES, MOST_BYTES),
        **options: Any,
    ) -> Instance:
        """One that has just begun."""
        tenant, clock, cache = self.tenant, SetClock(), RedisAgentCache(self.redis)
        segments = WatchedSegments(RedisSegments(self.redis, organization_bytes=organization_bytes))
        keys = keys or Keyless()
        directory = PostgresDirectory(tenant.database, keys)
        new_generation = lambda: uuid4().hex  # noqa: E731
        models = options.pop("models", {MODEL})
        travelling = MapSegments(segments, directory, keys, models, new_generation, *most)
        source = PostgresMapSource(tenant.database, model=MODEL, dimensions=DIMENSIONS)
        maps = MemoryMaps(source, cache, clock, dimensions=DIMENSIONS, segments=travelling, **options)
        self.made.append(Instance(tenant, maps, segments, clock, cache))
        return self.made[-1]

    @property
    def key(self) -> str:
        return f"{self.tenant.org_id}:map:{{{self.tenant.agent_id}}}"

    async def tell(self, *gone: UUID) -> None:
        """What a writer tells Redis after its transaction."""
        source = PostgresMapSource(self.tenant.database, model=MODEL, dimensions=DIMENSIONS)
        change = await source.change(self.tenant.org_id, self.tenant.agent_id)
        assert change is not None
        await RedisAgentCache(self.redis).changed(self.tenant.org_id, self.tenant.agent_id, change, gone)

    async def keys(self) -> set[str]:
        """Keys of maps, also of unfinished ones."""
        return set(await self.redis.names(f"{self.tenant.org_id}:map:*"))


@pytest.fixture
async def fleet(tenant: Tenant, redis: RedisClient, valkey_server: Cache) -> AsyncIterator[Fleet]:
    raw = Redis.from_url(valkey_server.url)
    fleet = Fleet(tenant, redis, raw)
    yield fleet
    for instance in fleet.made:
        instance.maps.close()
    await raw.aclose()


@pytest.mark.parametrize("most", [(2, MOST_BYTES), (3, 100)], ids=["too many memories", "too many bytes"])
async def test_a_map_that_takes_longer_to_read_than_an_answer_of_postgres_does_not_travel(
    fleet: Fleet, most: tuple[int, int]
) -> None:
    await random_memories(fleet.tenant, 3)

    assert await fleet.instance(most=most).refresh() is not None
    assert await fleet.keys() == set()
    await fleet.instance(most=(3, MOST_BYTES)).refresh()
    assert await fleet.keys() == {fleet.key}


async def test_an_instance_that_never_saw_the_agent_answers_as_the_one_that_read_it(fleet: Fleet) -> None:
    await random_memories(fleet.tenant, 60)
    here, there = fleet.instance(), fleet.instance()
    made = await here.refresh()

    arrived = await there.arrived()

    assert made is not None
    assert arrived is not None
    assert len(here.segments.written[0].parts) == 2
    assert await there.use(arrived) == MapUse(arrived)
    assert arrived.change == made.change
    now = SystemClock().now()
    for end_user in (EVERYBODY, NOBODY, EndUser("ann"), EndUser("nobody")):
        for question in ("goose ferry storm", "guest in the library"):
            found = []
            for one in (made, arrived):
                eligible = one.eligible(Filters(), end_user=end_user, now=now)
                match = one.matching(fleet.tenant.wanted(question), eligible, 20, end_user=end_user)
                near = one.nearest(await word_vector(question), eligible, 5)
                rows = [one.row(place) for place in match.places.tolist()]
                found.append((rows, match.scores.rank[match.places].round(9).tolist(), len(near.places)))
            assert found[0] == found[1]


async def test_without_a_segment_the_store_is_asked_at_once_and_later_the_instance_shares_its_own(fleet: Fleet) -> None:
    await fleet.tenant.remember_texts(TEXT)
    here = fleet.instance()

    assert await here.arrived() is None
    assert await here.refresh() is not None
    assert await fleet.keys() == {fleet.key}
    assert 0 < await fleet.raw.ttl(fleet.key) <= 3600


async def test_additions_since_then_are_read_as_for_any_map(fleet: Fleet) -> None:
    await fleet.tenant.remember_texts("The first.")
    await fleet.instance().refresh()
    await fleet.tenant.remember_texts("The second.")
    await fleet.tell()
    there = fleet.instance()

    arrived = await there.arrived()
    assert arrived is not None
    use = await there.use(arrived)

    assert use is not None
    assert (texts(use.map), use.behind) == ({"The first.", "The second."}, 0)


async def test_a_removal_takes_the_segment_out_of_redis(fleet: Fleet) -> None:
    (old,) = await fleet.tenant.remember_texts(TEXT)
    here = fleet.instance()
    await here.refresh()
    assert await fleet.keys() == {fleet.key}
    await fleet.tenant.remember(fleet.tenant.write("Something else.", supersedes=old))

    await fleet.tell(old)

    assert await fleet.keys() == set()
    assert await fleet.instance().arrived() is None


async def test_a_removal_that_redis_missed_is_noticed_by_the_store_and_the_map_goes(fleet: Fleet) -> None:
    (old,) = await fleet.tenant.remember_texts(TEXT)
    await fleet.instance().refresh()
    await fleet.tenant.remember(fleet.tenant.write("Something else.", supersedes=old))
    there = fleet.instance()
    arrived = await there.arrived()
    assert arrived is not None

    # After the response the counters are compared with the store's.
    after = await there.refresh()

    assert await there.use(arrived) is None
    assert after is not None
    assert texts(after) == {"Something else."}
    assert [TEXT.encode() in (await fleet.raw.hget(name, "0") or b"") for name in await fleet.keys()] in ([], [False])


async def test_nothing_is_written_when_redis_knows_of_a_removal_that_the_map_does_not(fleet: Fleet) -> None:
    (old,) = await fleet.tenant.remember_texts(TEXT)
    here = fleet.instance()

    async def removed() -> None:
        await fleet.tenant.remember(fleet.tenant.write("Something else.", supersedes=old))
        await fleet.tell(old)

    here.segments.before_finish = removed
    await here.refresh()

    assert here.segments.written == []
    assert await fleet.keys() == set()


async def test_a_removal_during_the_write_that_redis_missed_removes_what_was_written(fleet: Fleet) -> None:
    (old,) = await fleet.tenant.remember_texts(TEXT)
    here = fleet.instance()

    async def removed() -> None:
        await fleet.tenant.remember(fleet.tenant.write("Something else.", supersedes=old))

    here.segments.before_finish = removed
    await here.refresh()

    assert len(here.segments.written) == 1
    assert await fleet.keys() == set()


async def test_without_counters_in_redis_nothing_is_written(fleet: Fleet) -> None:
    await fleet.tenant.remember_texts(TEXT)
    here = fleet.instance()

    async def lost() -> None:
        await fleet.raw.delete(f"{fleet.tenant.org_id}:change:{{{fleet.tenant.agent_id}}}")

    here.segments.before_finish = lost
    await here.refresh()

    assert here.segments.written == []
    assert await fleet.keys() == set()


@pytest.mark.parametrize("kind", ["user", "agent", "organization"])
async def test_an_erasure_removes_segments_and_unfinished_ones(fleet: Fleet, kind: str) -> None:
    await fleet.tenant.remember_texts(TEXT)
    await fleet.instance().refresh()
    await fleet.raw.hset(f"{fleet.key}:unfinished", mapping={"0": TEXT})

    agent_id = fleet.tenant.agent_id if kind == "agent" else None
    await RedisSweep(fleet.redis).sweep(fleet.tenant.org_id, agent_id, [], text_only=kind == "user")

    assert await fleet.keys() == set()


async def test_after_a_restart_of_redis_the_map_is_shared_again(fleet: Fleet) -> None:
    await fleet.tenant.remember_texts(TEXT)
    here = fleet.instance()
    await here.refresh()
    for name in await fleet.redis.names(f"{fleet.tenant.org_id}:*"):
        await fleet.raw.delete(name)
    assert await fleet.instance().arrived() is None

    here.clock.seconds += 301
    assert here.maps.is_due(fleet.tenant.org_id, fleet.tenant.agent_id, None)
    await here.refresh()

    assert await fleet.keys() == {fleet.key}
    assert await fleet.instance().arrived() is not None


async def test_a_map_that_is_shared_already_is_not_written_again_but_lives_on(fleet: Fleet) -> None:
    await fleet.tenant.remember_texts(TEXT)
    await fleet.instance().refresh()
    await fleet.raw.expire(fleet.key, 100)
    other = fleet.instance()

    await other.refresh()

    assert other.segments.written == []
    assert await fleet.raw.ttl(fleet.key) > 3000


async def test_a_segment_with_other_parts_is_refused_and_removed(fleet: Fleet) -> None:
    await random_memories(fleet.tenant, 30)
    here = fleet.instance()

    async def cut() -> object:
        return await fleet.raw.hdel(fleet.key, "1")

    async def changed() -> object:
        part = bytearray(await fleet.raw.hget(fleet.key, "1") or b"")
        part[100] ^= 1
        return await fleet.raw.hset(fleet.key, "1", bytes(part))

    async def exchanged() -> object:
        first, second = await fleet.raw.hmget(fleet.key, "0", "1")
        return await fleet.raw.hset(fleet.key, mapping={"0": second, "1": first})

    for damage in (cut, changed, exchanged):
        here.clock.seconds += 301
        await here.refresh()
        assert await fleet.keys() == {fleet.key}
        await damage()

        assert await fleet.instance().arrived() is None
        assert await fleet.keys() == set()


async def test_a_segment_of_another_agent_organization_or_model_is_refused_and_removed(
    fleet: Fleet, stranger: Tenant
) -> None:
    await fleet.tenant.remember_texts(TEXT)
    await fleet.tenant.embed(await fleet.tenant.remember_texts("QueryVector."))
    await fleet.instance().refresh()
    content = await fleet.raw.hgetall(fleet.key)
    sibling = await fleet.tenant.with_agent("sibling")
    for other in (sibling, stranger):
        elsewhere = Fleet(other, fleet.redis, fleet.raw, fleet.made)
        await fleet.raw.hset(elsewhere.key, mapping=content)
        assert await elsewhere.instance().arrived() is None
        assert await elsewhere.keys() == {name for name in await fleet.keys() if fleet.key == name and other == sibling}

    assert await fleet.instance(models={"another"}).arrived() is None
    assert await fleet.keys() == set()


async def test_an_encrypted_organizations_map_is_sealed_and_opens_elsewhere(
    fleet: Fleet, aws_server: AwsServer
) -> None:
    vault = Vault.of(fleet.tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    await vault.remember_texts(TEXT, user_id="ann-of-the-cellar", tags=("secret-tag",))
    await fleet.instance(keys=vault.ring).refresh()
    content = b"".join((await fleet.raw.hgetall(fleet.key)).values())

    arrived = await fleet.instance(keys=vault.ring).arrived()

    assert arrived is not None
    assert [arrived.row(0).user_id, arrived.row(0).is_closed] == ["ann-of-the-cellar", True]
    for word in (b"magpietoucan", b"ann-of-the-cellar", b"secret-tag", arrived.row(0).id.bytes, MODEL.encode()):
        assert word not in content
    # One bit of the ciphertext.
    part = bytearray(await fleet.raw.hget(fleet.key, "0") or b"")
    part[-1] ^= 1
    await fleet.raw.hset(fleet.key, "0", bytes(part))
    assert await fleet.instance(keys=vault.ring).arrived() is None
    assert await fleet.keys() == set()


async def test_a_map_from_before_encryption_is_refused_and_removed(fleet: Fleet, aws_server: AwsServer) -> None:
    await fleet.tenant.remember_texts(TEXT)
    await fleet.instance().refresh()
    vault = Vault.of(fleet.tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()

    assert await fleet.instance(keys=vault.ring).arrived() is None
    assert await fleet.keys() == set()


async def test_without_its_key_a_sealed_map_stays_for_others(fleet: Fleet, aws_server: AwsServer) -> None:
    vault = Vault.of(fleet.tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    await vault.remember_texts(TEXT)
    await fleet.instance(keys=vault.ring).refresh()
    there = Vault.of(fleet.tenant, aws_server, vault.kms_key_id)
    there.kms.is_down = True

    assert await fleet.instance(keys=there.ring).arrived() is None
    assert await fleet.keys() == {fleet.key}


async def test_what_was_used_longest_ago_goes_when_an_organizations_maps_take_too_much(fleet: Fleet) -> None:
    fleets = [fleet]
    for name in ("second", "third"):
        tenant = await fleet.tenant.with_agent(name)
        fleets.append(Fleet(tenant, fleet.redis, fleet.raw, fleet.made))
    for one in fleets:
        await one.tenant.remember_texts(*(f"Number {number}." for number in range(20)))
    first, second, third = (one.instance(organization_bytes=1_000_000) for one in fleets)
    await first.refresh()
    bytes_each = first.segments.written[0].nbytes
    scores = f"{fleet.tenant.org_id}:map_uses:{{maps}}"
    await fleet.raw.zadd(scores, {str(fleet.tenant.agent_id): (await fleet.raw.time())[0] - 5})
    await second.refresh()

    await fleets[2].instance(organization_bytes=int(2.5 * bytes_each)).refresh()

    assert [await one.keys() & {one.key} != set() for one in fleets] == [False, True, True]
    assert await fleets[0].instance(organization_bytes=bytes_each // 2).refresh() is not None
    assert await fleets[0].keys() & {fleet.key} == set()
    assert third.segments.written == []


async def test_an_old_segment_answers_once_and_is_read_anew_after_the_response(fleet: Fleet) -> None:
    await fleet.tenant.remember_texts(TEXT)
    await fleet.instance().refresh()
    there = fleet.instance()
    there.clock.seconds += 1000

    arrived = await there.arrived()
    assert arrived is not None
    assert there.maps.find(fleet.tenant.org_id, fleet.tenant.agent_id) is arrived
    after = await there.refresh()
    there.clock.seconds += 31
    await there.refresh()

    assert after is not arrived
    assert [stored.read_at for stored in there.segments.written] == [NOW.timestamp() + 1000]


async def test_requests_that_come_together_read_the_segment_once(fleet: Fleet) -> None:
    await fleet.tenant.remember_texts(TEXT)
    await fleet.instance().refresh()
    there = fleet.instance()

    found = await asyncio.gather(*(there.arrived() for _ in range(4)))

    assert found[0] is not None
    assert all(one is found[0] for one in found)
    assert there.maps.find(fleet.tenant.org_id, replace(fleet.tenant).agent_id) is found[0]
