"""Erasure: nothing is left of the one who was erased, nothing is missing of the others."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier
from redis.asyncio import Redis

from local.servers import Cache
from remembrancer.adapters.aws.sqs_dead_letters import SqsDeadLetters
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.erasure.erasures import PostgresErasures
from remembrancer.adapters.postgres.identity.directory import PostgresCredentials, PostgresDirectory
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.identity_cache import CachedCredentials
from remembrancer.adapters.redis.sweep import RedisSweep
from remembrancer.domain.erasure.dead_letters import DeadLetter
from remembrancer.domain.erasure.erasure import Asking, ErasedMemories, Erasure
from remembrancer.domain.erasure.erasure_request import ErasureRequest
from remembrancer.domain.identity.scope import EndUser, Principal
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import Forbidden, NotFound, StoreTimeout
from remembrancer.ports.usage import UsageEvent
from remembrancer.runtime.tasks.erasure_task import ErasureTask
from remembrancer.usecases.erasure import erase
from remembrancer.usecases.erasure.erase import Eraser
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.hot_set import HotSets
from tests.builders import NOW
from tests.integration.engine.conversations import converse
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import UpkeepOf

# Words and names that stand nowhere else in these servers.
_LETTERS = {ord(digit): letter for digit, letter in zip("0123456789", "ghijklmnop", strict=True)}
ENOUGH = 60.0

_TABLES = """
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm')
    ORDER BY relname"""


@dataclass(frozen=True, slots=True)
class Scene:
    """Two end users with everything that a system keeps of them, and an eraser."""

    tenant: Tenant
    eraser: Eraser
    cache: RedisAgentCache
    observer: AsyncConnection[Any]
    raw: "Redis"
    ids: dict[str, list[UUID]]
    words: dict[str, tuple[str, ...]]
    ann: str
    bob: str

    async def erase(self, kind: str, subject: str, *, seconds: float = ENOUGH) -> Erasure:
        erasure = await self.eraser.request(ErasureRequest(kind, subject), self.tenant.principal, seconds=seconds)
        found = await self.eraser.erasures.find(self.tenant.principal, erasure.erasure_id)
        assert found is not None
        return found

    async def traces(self, *texts: str) -> list[str]:
        """Where any of the texts stands, in clear or as the bytes of it: tables and keys of Redis."""
        wanted = [form for text in texts for form in (text, text.encode().hex(), text.replace("-", ""))]
        found = []
        cursor = await self.observer.execute(_TABLES)
        for (table,) in await cursor.fetchall():
            rows = await self.observer.execute(SQL("SELECT t::text FROM {} t").format(Identifier(table)))
            found += [table for (row,) in await rows.fetchall() if any(text in row for text in wanted)]
        async for name in self.raw.scan_iter():
            value = await _value(self.raw, name) + name.decode("latin-1")
            found += [name.decode() for text in wanted if text in value]
        return found

    async def by_words(self, query: str) -> set[UUID]:
        search = PostgresSearch(self.tenant.database, model=MODEL)
        wanted = self.tenant.wanted(query)
        found = await search.matching(self.tenant.scope(), wanted, Filters(), limit=50, now=SystemClock().now())
        return {matched.memory.id for matched in found.found}


async def _value(raw: "Redis", name: bytes) -> str:
    kind = await raw.type(name)
    parts: list[Any]
    match kind:
        case b"string":
            parts = [await raw.get(name)]
        case b"hash":
            parts = [part for pair in (await raw.hgetall(name)).items() for part in pair]
        case b"zset":
            parts = list(await raw.zrange(name, 0, -1))
        case b"set":
            parts = list(await raw.smembers(name))
        case _:
            raise AssertionError(f"{name!r} is a {kind!r}, which this scan does not read")
    return " ".join(part.decode("latin-1") for part in parts if part is not None)


@pytest.fixture
async def scene(
    tenant: Tenant, redis: RedisClient, valkey_server: Cache, observer: AsyncConnection[Any]
) -> AsyncIterator[Scene]:
    raw = Redis.from_url(valkey_server.url)
    cache = RedisAgentCache(redis)
    run = tenant.org_id.hex.translate(_LETTERS)
    ann, bob = f"ann-{run}", f"bob-{run}"
    words = {ann: (f"zanzi{run}", f"quokka{run}", f"mulber{run}"), bob: (f"yttri{run}", f"okapi{run}")}
    ids = {
        ann: await _remembered(tenant, ann, words[ann]),
        bob: await _remembered(tenant, bob, words[bob]),
        "": await tenant.remember_texts("Everybody knows the canteen."),
    }
    relations = PostgresMemoryLife(tenant.database)
    for other in (ids[bob][0], ids[""][0]):
        await relations.relate(tenant.principal, Relation(uuid4(), ids[ann][0], other, "similar", 0.5))
    life = PostgresMemoryLife(tenant.database)
    keys = {user: uuid4().bytes * 2 for user in (ann, bob)}
    for user in (ann, bob):
        await _revised(tenant, user, ids[user][0], f"The {words[user][0]} again, and {words[user][-1]}.")
        await life.rate(replace(tenant.principal, user_id=user), ids[""][0], uuid4(), positive=True)
        used = (*ids[user], *ids[""])
        event = UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, used, "assembly", NOW, f"session of {user}", user)
        everybodys = UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, used, "query", NOW, "session of all", None)
        await PostgresUsage(tenant.database).apply(tenant.org_id, [event, everybodys])
        await converse(tenant, *(f"Remember the {word}." for word in words[user]), user_id=user)
        await PostgresDirectory(tenant.database).set_time_zone(tenant.principal, user, "Europe/Berlin")
        await tenant.insert(
            "idempotency_keys", key_id=uuid4(), idempotency_key=user.encode(), request=b"-",
            answer=json.dumps({"id": user}), subjects=[await _hash(observer, tenant, "user", user)],
        )  # fmt: skip
        # Its members have gone already.
        await observer.execute(
            "INSERT INTO memory_clusters (cluster_id, org_id, agent_id, category, owner, centroid, members, "
            "embedding_model) VALUES (%s, %s, %s, 'factual', %s, %s::text::halfvec, 1, 'hash')",
            (uuid4(), tenant.org_id, tenant.agent_id, user, str([1] * 384)),
        )
        await observer.execute(
            "INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes, end_users) "
            "VALUES (%s, %s, %s, 'production', 'key', %s, '{query}', %s)",
            (uuid4(), tenant.org_id, tenant.principal.project_id, keys[user], [ann, user]),
        )
        await CachedCredentials(PostgresCredentials(tenant.database), redis, SystemClock()).resolve(keys[user])
    await observer.execute(
        "UPDATE profiles SET users = jsonb_build_object(%s::text, 1.0) WHERE org_id = %s AND user_id = %s",
        (ann, tenant.org_id, bob),
    )
    await tenant.embed([one for group in ids.values() for one in group])
    reads, store = BackgroundReads(SystemClock()), PostgresEmbeddingStore(tenant.database)
    await HotSets(cache, store, reads).refill(tenant.org_id, tenant.agent_id, SystemClock().now())
    await raw.set(f"{tenant.org_id}:query:{{popular}}", f"whatever is kept of {ann}", ex=60)
    eraser = Eraser(
        PostgresErasures(tenant.database),
        UpkeepOf(tenant.database, {tenant.org_id}),
        cache,
        RedisSweep(redis).sweep,
        CachedCredentials(PostgresCredentials(tenant.database), redis, SystemClock()).revoke,
        # With queues of its own in tests/isolation.
        SqsDeadLetters([]),
        SystemClock(),
        uuid4,
    )
    yield Scene(tenant, eraser, cache, observer, raw, ids, words, ann, bob)
    await raw.aclose()


async def _remembered(tenant: Tenant, user: str, words: tuple[str, ...]) -> list[UUID]:
    ids = await tenant.remember_texts(
        *(f"The {word} was {user}'s." for word in words),
        user_id=user, session_id=f"session of {user}", summary=words[0], context=words[1], tags=(words[0],),
        metadata={"of": user},
    )  # fmt: skip
    (new,) = await tenant.remember(tenant.write(f"The newer {words[0]}.", user_id=user, supersedes=ids[1]))
    assert new.memory_id is not None
    return [*ids, new.memory_id]


async def _revised(tenant: Tenant, user: str, memory_id: UUID, text: str) -> None:
    stored = await PostgresMemories(tenant.database).get(tenant.principal, memory_id)
    assert stored is not None
    write = replace(tenant.write(text, user_id=user), memory_id=memory_id)
    life = PostgresMemoryLife(tenant.database)
    outcome = await life.revise(tenant.principal, Revision(stored, write, "active", text_changed=True))
    assert outcome.status == "done"


async def _hash(observer: AsyncConnection[Any], tenant: Tenant, kind: str, subject: str) -> bytes:
    cursor = await observer.execute(
        "SELECT subject_hash(subject_key, %s, %s) FROM organizations WHERE org_id = %s", (kind, subject, tenant.org_id)
    )
    row = await cursor.fetchone()
    assert row is not None
    return bytes(row[0])


async def test_of_an_erased_end_user_nothing_is_left_in_any_table_or_key(scene: Scene) -> None:
    ids_before = [str(identifier) for identifier in scene.ids[scene.ann]]
    before = await scene.traces(scene.ann, *scene.words[scene.ann], *ids_before)

    erasure = await scene.erase("user", scene.ann)

    assert len(set(before)) > 8, "the scene knows too little of the one who is to be erased"
    assert erasure.state == "done"
    assert await scene.traces(scene.ann, *scene.words[scene.ann]) == []
    # The audit trail names memories that are gone, without whose they were.
    assert set(await scene.traces(*ids_before)) == {"audit_entries"}


async def test_the_others_keep_all_that_is_theirs(scene: Scene) -> None:
    tables = (
        "memories", "memory_versions", "feedback", "sessions", "profiles", "idempotency_keys", "memory_vectors",
        "conversations", "conversation_turns", "end_users",
    )  # fmt: skip

    await scene.erase("user", scene.ann)

    left = {table: await scene.tenant.fetch(f"SELECT count(*) FROM {table}") for table in tables}
    assert left == {
        "memories": [(len(scene.ids[scene.bob]) + 1,)], "memory_versions": [(1,)], "feedback": [(1,)],
        "sessions": [(2,)], "profiles": [(1,)], "idempotency_keys": [(1,)],
        "memory_vectors": [(len(scene.ids[scene.bob]),)], "conversations": [(1,)],
        "conversation_turns": [(len(scene.words[scene.bob]),)], "end_users": [(1,)],
    }  # fmt: skip
    assert await scene.by_words(scene.words[scene.bob][0]) == {scene.ids[scene.bob][0], scene.ids[scene.bob][-1]}
    (row,) = await scene.tenant.fetch(
        "SELECT indexed_documents, vectors FROM agents WHERE agent_id = %s", scene.tenant.agent_id
    )
    assert row == (len(scene.ids[scene.bob]), len(scene.ids[scene.bob]))
    returned = await scene.tenant.fetch(
        "SELECT cardinality(returned), cardinality(returned_at) FROM sessions WHERE user_id IS NULL"
    )
    assert returned == [(len(scene.ids[scene.bob]) + 1,) * 2]


async def test_the_words_of_the_erased_leave_the_index_itself(scene: Scene) -> None:
    asked = scene.tenant.wanted(" ".join(scene.words[scene.ann]))
    terms = [term for term, word in zip(asked.terms, asked.word, strict=True) if word >= 0]

    await scene.erase("user", scene.ann)

    assert await scene.tenant.fetch("SELECT count(*) FROM index_blocks WHERE term = ANY(%s)", terms) == [(0,)]
    packed = [bytes(row[0]) for row in await scene.tenant.fetch("SELECT terms FROM term_documents")]
    wanted = [term.to_bytes(8, order, signed=True) for term in terms for order in ("little", "big")]
    assert not any(term in document for term in wanted for document in packed)


async def test_the_record_says_who_and_what_and_never_names_the_subject(scene: Scene) -> None:
    erasure = await scene.erase("user", scene.ann)

    (row,) = await scene.tenant.fetch(
        "SELECT kind, subject, subject_hash, requested_by, state, finished_at IS NOT NULL FROM erasures"
    )
    keyed = await _hash(scene.observer, scene.tenant, "user", scene.ann)
    assert row == ("user", None, keyed, scene.tenant.principal.key_id, "done", True)
    assert erasure.counts == {
        "memories": len(scene.ids[scene.ann]), "versions": 1, "relations": 2, "feedback": 1, "sessions": 1,
        "profiles": 1, "clusters": 1, "requests": 1, "mentions": 1, "keys": 2, "conversations": 1, "settings": 1,
        "turns": len(scene.words[scene.ann]),
    }  # fmt: skip


async def test_a_key_for_the_erased_alone_is_revoked_and_the_others_lose_the_name(scene: Scene) -> None:
    await scene.erase("user", scene.ann)

    keys = await scene.tenant.fetch(
        "SELECT end_users, revoked_at IS NOT NULL FROM api_keys WHERE end_users IS NOT NULL"
    )
    assert sorted(keys) == [([], True), ([scene.bob], False)]


async def test_a_key_that_ends_with_its_end_user_is_not_put_back_by_who_has_read_it_before(
    scene: Scene, redis: RedisClient
) -> None:
    """Redis is as an instance leaves it that has read the key before the erasure, and writes it after it."""

    class Reading(PostgresCredentials):
        async def resolve(self, key_sha256: bytes) -> Principal | None:
            found = await super().resolve(key_sha256)
            await scene.erase("user", scene.ann)
            return found

    key = uuid4().bytes * 2
    await scene.observer.execute(
        "INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes, end_users) "
        "VALUES (%s, %s, %s, 'production', 'key', %s, '{query}', %s)",
        (uuid4(), scene.tenant.org_id, scene.tenant.principal.project_id, key, [scene.ann]),
    )
    slow = CachedCredentials(Reading(scene.tenant.database), redis, SystemClock())
    assert await slow.resolve(key) is not None

    other = CachedCredentials(PostgresCredentials(scene.tenant.database), redis, SystemClock())
    assert await other.resolve(key) is None


async def test_prefixes_in_keys_survive_the_erasure_of_everybody(scene: Scene) -> None:
    """Of who is called like the beginning, and of who was once called like the prefix itself."""
    prefix, tenant = f"{scene.ann}*", scene.tenant
    await scene.observer.execute("DELETE FROM api_keys WHERE org_id = %s AND end_users IS NOT NULL", [tenant.org_id])
    for end_users in ([prefix], [prefix, scene.ann]):
        place = {"project_id": tenant.principal.project_id, "environment": "production", "scopes": ["query"]}
        await tenant.insert(
            "api_keys", key_id=uuid4(), name="key", key_sha256=uuid4().bytes * 2, end_users=end_users, **place
        )
    (memory_id,) = await tenant.remember_texts("Of a time when names could have a star.", user_id=prefix)

    await scene.erase("user", scene.ann)
    await scene.eraser.request_everywhere(tenant.org_id, ErasureRequest("user", prefix), seconds=ENOUGH)

    keys = await tenant.fetch("SELECT end_users, revoked_at IS NOT NULL FROM api_keys WHERE end_users IS NOT NULL")
    assert keys == [([prefix], False)] * 2
    assert await tenant.fetch("SELECT 1 FROM memories WHERE memory_id = %s", memory_id) == []


async def test_repeating_it_is_harmless(scene: Scene) -> None:
    await scene.erase("user", scene.ann)
    left = await scene.tenant.fetch("SELECT count(*) FROM memories")

    again = await scene.erase("user", scene.ann)

    assert (again.state, again.counts) == ("done", {})
    assert await scene.tenant.fetch("SELECT count(*) FROM memories") == left
    assert await scene.traces(scene.ann) == []


async def test_an_erasure_that_was_cut_off_is_one_with_its_repetition_and_goes_on_later(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erase, "MEMORIES", 1)
    cut_off = await scene.erase("user", scene.ann, seconds=0)
    repeated = await scene.erase("user", scene.ann, seconds=0)
    left = await scene.tenant.fetch("SELECT count(*) FROM memories WHERE user_id = %s", scene.ann)

    done = await scene.eraser.catch_up(until=SystemClock().monotonic() + ENOUGH)
    found = await scene.eraser.erasures.find(scene.tenant.principal, cut_off.erasure_id)

    assert repeated.erasure_id == cut_off.erasure_id
    # The first step was to erase conversations, so that no memory is made of them any more.
    assert left == [(len(scene.ids[scene.ann]) - 1,)]
    assert done == {"erased": 1}
    assert found is not None and (found.state, found.counts["memories"]) == ("done", len(scene.ids[scene.ann]))
    assert await scene.traces(scene.ann, *scene.words[scene.ann]) == []


class FailingErasures(PostgresErasures):
    """The store's own, until they come to the memories of this end user."""

    failing = ""

    async def erase_memories(self, erasure: Erasure, limit: int) -> ErasedMemories | None:
        if erasure.subject == self.failing:
            raise StoreTimeout("too many", cause="QueryCanceled")
        return await super().erase_memories(erasure, limit)


async def test_an_erasure_that_fails_keeps_no_other_one_waiting(scene: Scene) -> None:
    for user in (scene.ann, scene.bob):
        assert (await scene.erase("user", user, seconds=0)).state == "running"
    erasures = FailingErasures(scene.tenant.database)
    erasures.failing = scene.ann

    done = await replace(scene.eraser, erasures=erasures).catch_up(until=SystemClock().monotonic() + ENOUGH)

    left = await scene.tenant.fetch("SELECT DISTINCT user_id FROM memories WHERE user_id IS NOT NULL")
    assert done == {"erased": 1, "erasures_failed": 1}
    assert left == [(scene.ann,)]


@dataclass
class Letters:
    """Serves DeadLetters with one message, held by somebody else or by this erasure."""

    are_all: bool = True
    held: list[DeadLetter] = field(default_factory=list)

    async def receive(self) -> tuple[Sequence[DeadLetter], bool]:
        self.held = [DeadLetter("queue", "handle", "{}")]
        return list(self.held), self.are_all

    async def delete(self, letters: Sequence[DeadLetter]) -> None:
        self.held = [letter for letter in self.held if letter not in letters]

    async def release(self, letters: Sequence[DeadLetter]) -> None:
        await self.delete(letters)


async def test_an_erasure_is_not_done_while_there_are_dead_letters_that_it_could_not_look_at(scene: Scene) -> None:
    letters = Letters(are_all=False)
    eraser = replace(scene.eraser, dead_letters=letters)

    begun = await replace(scene, eraser=eraser).erase("user", scene.ann)
    letters.are_all = True
    done = await eraser.resume(scene.tenant.org_id, seconds=ENOUGH)

    assert (begun.state, letters.held, done) == ("running", [], {"erased": 1})


async def test_dead_letters_are_not_held_when_the_store_fails(scene: Scene) -> None:
    class Silent(PostgresErasures):
        async def beyond(self, *_: Any) -> Any:
            raise StoreTimeout("silent", cause="QueryCanceled")

    letters = Letters()
    eraser = replace(scene.eraser, dead_letters=letters, erasures=Silent(scene.tenant.database))

    begun = await replace(scene, eraser=eraser).erase("user", scene.ann)

    assert (begun.state, letters.held) == ("running", [])


async def test_of_a_long_conversation_a_step_erases_as_many_turns_as_it_may(scene: Scene) -> None:
    await converse(scene.tenant, *(f"Turn {number}." for number in range(7)), user_id="long")
    erasures = scene.eraser.erasures
    erasure = await erasures.request(Asking(scene.tenant.org_id), uuid4(), "user", "long")
    assert erasure is not None

    steps = [await erasures.erase_conversations(erasure, 3) for _ in range(4)]

    # The last turn goes with its conversation.
    assert steps == [3, 3, 2, 0]


async def test_a_worker_that_makes_memories_of_a_conversation_has_finished_before_it_is_erased_or_finds_none(
    scene: Scene,
) -> None:
    tenant = scene.tenant
    async with tenant.database.transaction(tenant.org_id) as worker:
        await worker.fetch("SELECT 1 FROM conversations WHERE user_id = %s FOR UPDATE", [scene.ann])
        erasing = asyncio.ensure_future(scene.erase("user", scene.ann))
        await asyncio.sleep(0.3)
        was_waiting = not erasing.done()
        await worker.execute("UPDATE memories SET context = 'made of a turn' WHERE user_id = %s", [scene.ann])

    erasure = await erasing

    assert was_waiting
    assert erasure.state == "done"
    assert await tenant.fetch("SELECT 1 FROM memories WHERE user_id = %s", scene.ann) == []


async def test_without_redis_the_rows_go_and_the_erasure_ends_when_the_caches_are_swept(
    scene: Scene, stoppable_valkey: Cache
) -> None:
    stoppable_valkey.stop()
    erasure = await scene.erase("user", scene.ann)
    left = await scene.tenant.fetch("SELECT count(*) FROM memories WHERE user_id = %s", scene.ann)
    stoppable_valkey.start()
    await scene.raw.connection_pool.disconnect()

    done = await scene.eraser.resume(scene.tenant.org_id, seconds=ENOUGH)

    assert erasure.state == "running"
    assert left == [(0,)]
    assert done == {"erased": 1}
    assert await scene.traces(scene.ann, *scene.words[scene.ann]) == []


async def test_of_an_erased_agent_nothing_is_left_and_the_other_agents_are_whole(scene: Scene) -> None:
    other = await scene.tenant.with_agent("other")
    (kept,) = await other.remember_texts("The other agent's own.")
    directory = PostgresDirectory(scene.tenant.database)
    await directory.put_directive(scene.tenant.org_id, scene.tenant.agent_id, "Be xylophonic.", "system_first")

    erasure = await scene.erase("agent", str(scene.tenant.agent_id))

    assert erasure.state == "done"
    assert await scene.traces(*scene.words[scene.ann], *scene.words[scene.bob], "xylophonic") == []
    assert set(await scene.traces(str(scene.tenant.agent_id))) == {"audit_entries"}
    assert await other.fetch("SELECT memory_id FROM memories") == [(kept,)]


async def test_of_an_erased_organization_only_the_record_is_left(scene: Scene, stranger: Tenant) -> None:
    (kept,) = await stranger.remember_texts("Another organization's own.")
    org_id = str(scene.tenant.org_id)

    await scene.erase("organization", org_id)

    names = scene.ann, scene.bob, str(scene.tenant.agent_id)
    assert await scene.traces(*names, *scene.words[scene.ann], *scene.words[scene.bob]) == []
    assert await scene.traces(org_id) == ["erasures"]
    assert await stranger.fetch("SELECT memory_id FROM memories") == [(kept,)]


async def test_another_organization_cannot_be_named_and_another_ones_user_is_safe(
    scene: Scene, stranger: Tenant
) -> None:
    of_stranger = replace(scene.eraser, erasures=PostgresErasures(stranger.database))

    with pytest.raises(NotFound):
        await of_stranger.request(
            ErasureRequest("organization", str(scene.tenant.org_id)), stranger.principal, seconds=ENOUGH
        )
    agent = ErasureRequest("agent", str(scene.tenant.agent_id))
    with pytest.raises(NotFound):
        await of_stranger.request(agent, stranger.principal, seconds=ENOUGH)
    await of_stranger.request(ErasureRequest("user", scene.ann), stranger.principal, seconds=ENOUGH)

    left = await scene.tenant.fetch("SELECT count(*) FROM memories WHERE user_id = %s", scene.ann)
    assert left == [(len(scene.ids[scene.ann]),)]
    seen = await scene.cache.read(scene.tenant.org_id, scene.tenant.agent_id, EndUser(scene.ann), 50)
    assert seen.change != Change(0, 0)


async def test_a_credential_of_another_environment_erases_there_and_nothing_here(scene: Scene) -> None:
    """The same end user has memories, a session, a profile, an opinion and a key in both."""
    tenant, now = scene.tenant, SystemClock().now()
    staging = await tenant.with_agent("staging", environment="staging")
    (there,) = await staging.remember_texts("Staging's own.", user_id=scene.ann)
    used = UsageEvent(uuid4(), tenant.org_id, staging.agent_id, (there,), "query", now, "in staging", scene.ann)
    await PostgresUsage(tenant.database).apply(tenant.org_id, [used])
    opinion = replace(staging.principal, user_id=scene.ann)
    await PostgresMemoryLife(tenant.database).rate(opinion, there, uuid4(), positive=True)
    await converse(staging, "Staging's own turn.", user_id=scene.ann)
    await PostgresDirectory(tenant.database).set_time_zone(staging.principal, scene.ann, "Asia/Tokyo")
    tables = (
        "memories", "memory_versions", "feedback", "sessions", "profiles", "idempotency_keys", "api_keys",
        "conversations", "conversation_turns", "end_users",
    )  # fmt: skip
    everything = {table: await tenant.fetch(f"SELECT t::text FROM {table} t ORDER BY 1") for table in tables}

    of_user = await scene.eraser.request(ErasureRequest("user", scene.ann), staging.principal, seconds=ENOUGH)
    left = {table: await tenant.fetch(f"SELECT t::text FROM {table} t ORDER BY 1") for table in tables}
    lost = {table: len(everything[table]) - len(left[table]) for table in tables}
    for kind, subject, refusal in (
        ("agent", tenant.agent_id, NotFound),
        ("organization", tenant.org_id, Forbidden),
        ("agent", uuid4(), NotFound),
    ):
        with pytest.raises(refusal):
            await scene.eraser.request(ErasureRequest(kind, str(subject)), staging.principal, seconds=ENOUGH)

    assert lost == {
        "memories": 1, "memory_versions": 0, "feedback": 1, "sessions": 1, "profiles": 1,
        # Nobody knows where the key of these requests is from.
        "idempotency_keys": 1, "api_keys": 0, "conversations": 1, "conversation_turns": 1, "end_users": 1,
    }  # fmt: skip
    assert all(set(left[table]) <= set(everything[table]) for table in tables)
    assert await staging.fetch("SELECT count(*) FROM memories WHERE agent_id = %s", staging.agent_id) == [(0,)]
    assert await scene.eraser.erasures.find(tenant.principal, of_user.erasure_id) is None
    assert await scene.eraser.erasures.find(staging.principal, of_user.erasure_id) is not None


async def test_who_acts_for_an_end_user_erases_nobody_else(scene: Scene) -> None:
    tenant, eraser = scene.tenant, scene.eraser
    ann, bob = (replace(tenant.principal, user_id=user) for user in (scene.ann, scene.bob))

    for kind, subject in (("user", scene.bob), ("agent", tenant.agent_id), ("organization", tenant.org_id)):
        with pytest.raises(Forbidden):
            await eraser.request(ErasureRequest(kind, str(subject)), ann, seconds=ENOUGH)
    own = await eraser.request(ErasureRequest("user", scene.ann), ann, seconds=ENOUGH)

    assert await tenant.fetch("SELECT DISTINCT user_id FROM memories WHERE user_id IS NOT NULL") == [(scene.bob,)]
    assert await eraser.erasures.find(ann, own.erasure_id) is not None
    assert await eraser.erasures.find(bob, own.erasure_id) is None


async def test_the_operator_erases_an_end_user_everywhere(scene: Scene) -> None:
    staging = await scene.tenant.with_agent("staging", environment="staging")
    await staging.remember_texts("Staging's own.", user_id=scene.ann)
    task = ErasureTask(scene.eraser)
    event = {"task": "erase", "org_id": str(scene.tenant.org_id), "user_id": scene.ann}

    answer = await task.erase(event)
    again = await task.erase(event)

    assert (answer["status"], again["status"]) == ("done", "done")
    assert await scene.traces(scene.ann, *scene.words[scene.ann]) == []
    assert await scene.tenant.fetch("SELECT DISTINCT requested_by FROM erasures") == [(None,)]
    assert await scene.tenant.fetch("SELECT DISTINCT user_id FROM memories WHERE user_id IS NOT NULL") == [(scene.bob,)]


async def test_the_operator_finds_the_erasures_of_a_name_that_no_record_holds(scene: Scene) -> None:
    task = ErasureTask(scene.eraser)
    event = {"task": "find_erasures", "org_id": str(scene.tenant.org_id)}
    before = await task.find(event | {"user_id": scene.ann})
    here = await scene.erase("user", scene.ann)
    everywhere = await task.erase(event | {"user_id": scene.ann})

    found = await task.find(event | {"user_id": scene.ann})
    other = await task.find(event | {"user_id": scene.bob})
    elsewhere = await task.find(event | {"org_id": str(uuid4()), "user_id": scene.ann})

    assert before == other == elsewhere == {"erasures": []}
    assert [one["erasure_id"] for one in found["erasures"]] == [everywhere["erasure_id"], str(here.erasure_id)]
    assert [one["environment"] for one in found["erasures"]] == [None, scene.tenant.principal.environment]
    assert {one["status"] for one in found["erasures"]} == {"done"}
    assert found["erasures"][1]["counts"]["memories"] > 0
    assert json.dumps(found)


async def test_an_agent_that_is_erased_again_is_the_same_erasure(scene: Scene) -> None:
    subject = str(scene.tenant.agent_id)

    first, again = await scene.erase("agent", subject), await scene.erase("agent", subject)

    assert again == first
    assert again.state == "done"


async def test_an_event_of_another_environment_keeps_its_end_user(scene: Scene) -> None:
    """Who is erased in staging is not forgotten in production, not even by events that are on their way."""
    tenant, before = scene.tenant, SystemClock().now()
    staging = await tenant.with_agent("staging", environment="staging")
    (there,) = await staging.remember_texts("Staging's own.")
    await scene.eraser.request(ErasureRequest("user", scene.ann), staging.principal, seconds=ENOUGH)
    of_both = (there, scene.ids[""][0])
    late = UsageEvent(uuid4(), tenant.org_id, None, of_both, "query", before, "on its way", scene.ann)

    await PostgresUsage(tenant.database).apply(tenant.org_id, [late])

    sessions = await tenant.fetch("SELECT agent_id FROM sessions WHERE session_id = 'on its way'")
    assert sessions == [(tenant.agent_id,)]
    assert await tenant.fetch("SELECT usage_count FROM memories WHERE memory_id = %s", there) == [(1,)]


async def test_an_event_of_the_time_before_brings_nothing_of_the_erased_back(scene: Scene) -> None:
    tenant, before = scene.tenant, SystemClock().now()
    await scene.erase("user", scene.ann)
    late = UsageEvent(
        uuid4(), tenant.org_id, tenant.agent_id, (scene.ids[""][0],), "query", before, f"of {scene.ann}", scene.ann
    )
    new = replace(late, event_id=uuid4(), at=SystemClock().now() + timedelta(seconds=1), session_id="new")

    await PostgresUsage(tenant.database).apply(tenant.org_id, [late])
    traces = await scene.traces(scene.ann)
    await PostgresUsage(tenant.database).apply(tenant.org_id, [new])

    assert traces == []
    assert await tenant.fetch("SELECT session_id FROM sessions WHERE user_id = %s", scene.ann) == [("new",)]
