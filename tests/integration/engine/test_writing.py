"""The use cases of writing, embedding and maintenance on the servers, whole and with parts of them gone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from numpy.typing import NDArray
from psycopg import AsyncConnection

from local.servers import Cache, PostgresServer
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory, configure_organization
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.identity_cache import CachedDirectory
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.personal_data.redaction import KINDS
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import Forbidden, InvalidRequest, NotFound, StoreUnavailable
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.embed import EmbedMessage, MemoryEmbedder
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.remember import Rememberer
from tests.builders import MODELS, NOW
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import maintenance, memory_embedder, side_effects

COFFEE = "The coffee machine is in the kitchen."


@dataclass(frozen=True, slots=True)
class Desk:
    """One warm instance of the writing side, and an agent."""

    tenant: Tenant
    rememberer: Rememberer
    embedder: MemoryEmbedder
    cache: RedisAgentCache
    redis: RedisClient

    def body(self, content: str = COFFEE, **changes: Any) -> dict[str, Any]:
        return {"agent_id": str(self.tenant.agent_id), "content": content, **changes}

    async def write(self, content: str = COFFEE, *, later: LaterWork | None = None, **changes: Any) -> UUID:
        written = await self.rememberer.write_one(
            self.body(content, **changes), self.tenant.principal, later or LaterWork()
        )
        assert written.memory_id is not None
        return written.memory_id

    async def hot(self) -> set[UUID]:
        snapshot = await self.cache.read(self.tenant.org_id, self.tenant.agent_id, EVERYBODY, 50)
        return {memory.id for memory in snapshot.hot}

    async def change(self) -> Change | None:
        return (await self.cache.read(self.tenant.org_id, self.tenant.agent_id, EVERYBODY, 50)).change

    async def by_words(self, query: str) -> set[UUID]:
        search = PostgresSearch(self.tenant.database, model=MODEL)
        found = await search.matching(
            self.tenant.scope(), self.tenant.wanted(query), Filters(), limit=50, now=SystemClock().now()
        )
        return {matched.memory.id for matched in found.found}

    def message(self, memory_id: UUID, *, last_try: bool = False) -> EmbedMessage:
        return EmbedMessage(self.tenant.org_id, memory_id, last_try)


@pytest.fixture(scope="module")
def counter() -> Iterator[TiktokenCounter]:
    counter = TiktokenCounter(MODELS)
    yield counter
    counter.close()


@pytest.fixture
async def desk(tenant: Tenant, redis: RedisClient, counter: TiktokenCounter) -> Desk:
    cache = RedisAgentCache(redis)
    queue = SentMessages()
    rememberer = Rememberer(
        memories=PostgresMemories(tenant.database),
        directory=CachedDirectory(PostgresDirectory(tenant.database), redis, SystemClock()),
        redactor=Redactor(find_phones),
        deriver=Deriver(counter, SnowballStemmer(), Keyless()),
        announcer=Announcer(cache, queue),
        clock=SystemClock(),
        new_id=uuid4,
    )
    return Desk(tenant, rememberer, memory_embedder(tenant.database, redis), cache, redis)


def sent(desk: Desk) -> Sequence[Any]:
    queue = desk.rememberer.announcer.embed_queue
    assert isinstance(queue, SentMessages)
    return queue.messages


async def test_a_written_memory_is_found_by_its_words_at_once_and_queued_for_its_vector(desk: Desk) -> None:
    later = LaterWork()

    identifier = await desk.write(later=later)
    found = await desk.by_words("Where is the coffee?")
    await later.do("queue_embedding")

    assert found == {identifier}
    assert sent(desk) == [{"org_id": str(desk.tenant.org_id), "memory_id": str(identifier)}]


async def test_every_write_is_announced_and_a_duplicate_is_not(desk: Desk) -> None:
    await desk.write()
    first = await desk.change()
    later = LaterWork()
    await desk.write(later=later)
    duplicate = await desk.change()
    await desk.write("Another text.")

    assert first is not None
    assert duplicate == first
    assert later.names == []
    assert await desk.change() == Change(first.version + 1, first.removals)


async def test_a_superseded_memory_leaves_the_hot_set_with_the_write(desk: Desk) -> None:
    old = await desk.write()
    await desk.embedder.embed([desk.message(old)])
    before = await desk.hot()

    await desk.write("The coffee machine is in the cellar.", supersedes=str(old))

    assert before == {old}
    assert await desk.hot() == set()


async def test_a_batch_gives_a_result_for_each_in_order_whatever_the_others_are(desk: Desk, stranger: Tenant) -> None:
    bodies = [
        desk.body("One."),
        desk.body("", client_ref="empty"),
        {"agent_id": str(stranger.agent_id), "content": "Two."},
        "not an object",
        desk.body("One."),
        desk.body("Three.", supersedes=str(uuid4())),
        desk.body("Four.", client_ref="four"),
    ]

    written = await desk.rememberer.write_batch({"memories": bodies}, desk.tenant.principal, LaterWork())

    assert [one.status for one in written] == [
        "accepted", "error", "error", "error", "duplicate", "error", "accepted",
    ]  # fmt: skip
    assert [type(one.error) for one in written] == [
        type(None), InvalidRequest, NotFound, InvalidRequest, type(None), InvalidRequest, type(None),
    ]  # fmt: skip
    assert written[4].memory_id == written[0].memory_id
    assert [one.client_ref for one in written] == [None, "empty", None, None, None, None, "four"]
    assert await desk.tenant.fetch("SELECT count(*) FROM memories") == [(2,)]
    assert await stranger.fetch("SELECT count(*) FROM memories") == [(0,)]


PERSONAL = "Ann is ann@quokka.example, card 4111 1111 1111 1111, SSN 078-05-1120, phone 212-736-5000, order 2127365000."
CLEAN = "Ann is [EMAIL], card [CARD], SSN [SSN], phone [PHONE], order 2127365000."


async def test_without_the_organizations_wish_nothing_is_redacted(desk: Desk) -> None:
    await desk.write(PERSONAL)

    assert await desk.tenant.fetch("SELECT content, redactions FROM memories") == [(PERSONAL, {})]


async def test_an_operator_sets_how_much_memory_is_injected_and_takes_it_back(
    desk: Desk, migrated: PostgresServer
) -> None:
    url, org_id = migrated.owner_url, desk.tenant.org_id
    directory = PostgresDirectory(desk.tenant.database)

    async def cap() -> int | None:
        organization = await directory.organization(org_id)
        assert organization is not None
        return organization.memory_tokens

    answers, caps = [], [await cap()]
    for settings in ({"memory_tokens": 500}, {"phone_region": "DE"}, {"memory_tokens": 0}, {"memory_tokens": None}):
        answers.append(await configure_organization(url, org_id, settings))
        caps.append(await cap())

    region = {"phone_region": "DE"}
    assert caps == [None, 500, 500, 0, None]
    assert answers == [{"memory_tokens": 500}, region | {"memory_tokens": 500}, region | {"memory_tokens": 0}, region]


async def test_personal_data_is_gone_before_anything_is_made_of_the_text(desk: Desk, migrated: PostgresServer) -> None:
    """Two texts that differ in it alone are one, and what was found is counted and stands nowhere."""
    wish = {"redact_pii": list(KINDS)}
    in_force = await configure_organization(migrated.owner_url, desk.tenant.org_id, wish)
    bodies = [
        desk.body(PERSONAL, context="Said ann@quokka.example.", tags=["bob@okapi.example"], metadata={"m": ["c@d.io"]}),
        desk.body(PERSONAL.replace("ann@", "bob@")),
    ]

    first, second = await desk.rememberer.write_batch({"memories": bodies}, desk.tenant.principal, LaterWork())

    assert in_force == wish
    assert (first.status, second.status) == ("accepted", "duplicate")
    assert first.redacted == {"email": 4, "card": 1, "ssn": 1, "phone": 1}
    rows = await desk.tenant.fetch("SELECT content, context, tags, metadata, redactions, memories::text FROM memories")
    assert [row[:5] for row in rows] == [(CLEAN, "Said [EMAIL].", ["[EMAIL]"], {"m": ["[EMAIL]"]}, first.redacted)]
    assert not any(word in rows[0][5] for word in ("quokka", "okapi", "4111 1111", "078-05"))
    assert await desk.by_words("quokka") == set()
    assert await desk.by_words("order") == {first.memory_id}


async def test_a_caller_that_acts_for_an_end_user_writes_for_nobody_else(desk: Desk) -> None:
    acting = replace(desk.tenant.principal, user_id="ann")

    with pytest.raises(Forbidden):
        await desk.rememberer.write_one(desk.body(user_id="bob"), acting, LaterWork())

    assert await desk.tenant.fetch("SELECT count(*) FROM memories") == [(0,)]


async def test_with_redis_down_a_write_is_stored_and_announced_again_afterwards(
    desk: Desk, stoppable_valkey: Cache
) -> None:
    stoppable_valkey.stop()
    later = LaterWork()

    identifier = await desk.write(later=later)
    stoppable_valkey.start()
    await later.do("announce_change")

    assert await desk.by_words("coffee") == {identifier}
    assert await desk.change() is not None


async def test_with_postgres_down_a_write_fails_and_nothing_is_announced(
    desk: Desk, stoppable_postgres: PostgresServer
) -> None:
    await desk.rememberer.directory.organization(desk.tenant.org_id)
    await desk.rememberer.directory.agent(desk.tenant.org_id, desk.tenant.agent_id)
    stoppable_postgres.stop()
    later = LaterWork()

    with pytest.raises(StoreUnavailable):
        await desk.write(later=later)

    assert later.names == []
    assert await desk.change() is None


async def test_a_message_of_an_unknown_organization_is_done_and_stops_no_other(desk: Desk) -> None:
    identifier = await desk.write()
    unknown = EmbedMessage(uuid4(), uuid4())

    failed = await desk.embedder.embed([desk.message(identifier), unknown])

    assert failed == {}
    assert await desk.hot() == {identifier}


async def test_with_postgres_down_every_embedding_message_comes_again(
    desk: Desk, stoppable_postgres: PostgresServer
) -> None:
    identifier = await desk.write()
    messages = [desk.message(identifier), desk.message(uuid4())]
    stoppable_postgres.stop()

    failed = await desk.embedder.embed(messages)
    stoppable_postgres.start()
    again = await desk.embedder.embed(messages)

    assert failed.keys() == set(messages)
    assert again == {}
    assert await desk.hot() == {identifier}


async def test_with_redis_down_vectors_are_stored_all_the_same(desk: Desk, stoppable_valkey: Cache) -> None:
    identifier = await desk.write()
    stoppable_valkey.stop()

    failed = await desk.embedder.embed([desk.message(identifier)])

    assert failed == {}
    assert await desk.tenant.fetch("SELECT embedding_state FROM memories") == [("ready",)]


class BrokenEmbedder(HashEmbedder):
    """A model service that is down."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise StoreUnavailable("The embedder is unavailable", cause="ConnectError")


async def test_an_embedder_that_is_down_marks_only_what_was_tried_for_the_last_time(desk: Desk) -> None:
    first, last = await desk.write("One."), await desk.write("Two.")
    messages = [desk.message(first), desk.message(last, last_try=True)]

    failed = await replace(desk.embedder, embedder=BrokenEmbedder()).embed(messages)
    states = await desk.tenant.fetch("SELECT memory_id, embedding_state FROM memories ORDER BY content")
    mended = await desk.embedder.embed(messages)

    assert failed.keys() == set(messages)
    assert states == [(first, "pending"), (last, "failed")]
    assert mended == {}
    assert await desk.hot() == {first, last}


async def test_maintenance_queues_lost_memories_of_every_organization_once(
    desk: Desk, stranger: Tenant, observer: AsyncConnection[Any]
) -> None:
    own = await desk.write()
    (foreign,) = await stranger.remember_texts(COFFEE)
    fresh = await desk.write("Not lost.")
    await observer.execute(
        "UPDATE memories SET queued_at = now() - interval '2 minutes' WHERE memory_id = ANY(%s)", [[own, foreign]]
    )
    queue = SentMessages()
    upkeep = maintenance(desk.tenant.database, desk.redis, queue, of=[desk.tenant, stranger])

    await upkeep.run()
    await upkeep.run()

    queued = [(UUID(str(one["org_id"])), UUID(str(one["memory_id"]))) for one in queue.messages]
    assert queued.count((desk.tenant.org_id, own)) == 1
    assert queued.count((stranger.org_id, foreign)) == 1
    assert fresh not in {memory_id for _, memory_id in queued}


async def test_events_of_several_organizations_are_applied_and_only_failed_ones_come_again(
    desk: Desk, stranger: Tenant, stoppable_postgres: PostgresServer
) -> None:
    own = await desk.write()
    (foreign,) = await stranger.remember_texts(COFFEE)
    events = [
        UsageEvent(uuid4(), desk.tenant.org_id, desk.tenant.agent_id, (own,), "query", NOW),
        UsageEvent(uuid4(), stranger.org_id, stranger.agent_id, (foreign,), "assembly", NOW + timedelta(seconds=1)),
    ]
    effects = side_effects(desk.tenant.database, desk.redis)
    stoppable_postgres.stop()

    failed = await effects.apply(events)
    stoppable_postgres.start()
    again = await effects.apply(events)

    assert failed.keys() == {event.event_id for event in events}
    assert again == {}
    assert await desk.tenant.fetch("SELECT usage_count, retrieval_count FROM memories") == [(1, 0)]
    assert await stranger.fetch("SELECT usage_count, retrieval_count FROM memories") == [(1, 1)]


async def test_an_event_of_an_organization_that_is_gone_is_done_and_stops_no_other(desk: Desk) -> None:
    identifier = await desk.write()
    events = [
        UsageEvent(uuid4(), uuid4(), None, (uuid4(),), "query", NOW),
        UsageEvent(uuid4(), desk.tenant.org_id, desk.tenant.agent_id, (identifier,), "query", NOW),
    ]

    failed = await side_effects(desk.tenant.database, desk.redis).apply(events)

    assert failed == {}
    assert await desk.tenant.fetch("SELECT usage_count FROM memories") == [(1,)]
