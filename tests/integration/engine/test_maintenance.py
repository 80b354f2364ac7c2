"""What time does to memories, and that every organization has its turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from psycopg import AsyncConnection

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.memories.embedding_store import MOST_REQUEUES
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.unsent_work import PostgresUnsentWork
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.memories.embed import EmbedMessage
from remembrancer.usecases.upkeep.maintenance import RunLimits
from remembrancer.usecases.upkeep.recorded_queue import RecordedQueue
from tests.builders import SetClock, at_cosine, unit_vector
from tests.integration.engine.conversations import converse, stored_at
from tests.integration.engine.later import SentMessages
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import consolidation, maintenance, memory_embedder

BASE = unit_vector(70)


def now() -> datetime:
    return SystemClock().now()


async def age(observer: AsyncConnection[Any], days: float, *ids: UUID) -> None:
    await observer.execute(
        "UPDATE memories SET updated_at = now() - make_interval(hours => %s) WHERE memory_id = ANY(%s)",
        [round(days * 24), list(ids)],
    )


async def tiers(tenant: Tenant) -> list[tuple[str, str | None]]:
    return await tenant.fetch(
        "SELECT m.tier, v.tier FROM memories m LEFT JOIN memory_vectors v USING (memory_id) ORDER BY m.content"
    )


async def test_memories_cool_after_a_month_and_half_a_year_without_access(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    ids = await tenant.remember_texts(*(f"Memory {number}." for number in range(5)))
    await tenant.embed(ids[:4])
    for days, one in zip((29, 31, 31, 181, 31), ids, strict=True):
        await age(observer, days, one)
    await observer.execute("UPDATE memories SET last_accessed_at = now() WHERE memory_id = %s", [ids[2]])
    ageing = PostgresUpkeep(tenant.database)

    first = await ageing.cool(tenant.org_id, now(), 100)
    once = await tiers(tenant)
    second = await ageing.cool(tenant.org_id, now(), 100)
    third = await ageing.cool(tenant.org_id, now(), 100)

    assert [sum(one.memories for one in swept) for swept in (first, second, third)] == [3, 1, 0]
    assert once == [("hot", "hot"), ("warm", "warm"), ("hot", "hot"), ("warm", "warm"), ("warm", None)]
    assert (await tiers(tenant))[3] == ("cold", "cold")
    ((version, removals),) = await tenant.fetch("SELECT version, removals FROM agents")
    assert (second[-1].change.version, second[-1].change.removals) == (version, removals)


async def test_cooling_is_bounded_and_goes_on(tenant: Tenant, observer: AsyncConnection[Any]) -> None:
    ids = await tenant.remember_texts(*(f"Memory {number}." for number in range(7)))
    await age(observer, 40, *ids)
    ageing = PostgresUpkeep(tenant.database)

    cooled = [sum(one.memories for one in await ageing.cool(tenant.org_id, now(), 3)) for _ in range(4)]

    assert cooled == [3, 3, 1, 0]


async def test_what_has_expired_leaves_search_counts_and_hot_set(
    tenant: Tenant, redis: RedisClient, observer: AsyncConnection[Any]
) -> None:
    gone, kept = await tenant.remember_texts("Gone.", "Kept.")
    await memory_embedder(tenant.database, redis).embed([EmbedMessage(tenant.org_id, one) for one in (gone, kept)])
    for table in ("memories", "memory_vectors"):
        await observer.execute(
            f"UPDATE {table} SET expires_at = now() - interval '1 minute' WHERE memory_id = %s", [gone]
        )

    done = await maintenance(tenant.database, redis, SentMessages(), of=[tenant]).run()

    states = await tenant.fetch("SELECT memory_id, status FROM memories ORDER BY content")
    assert done["expired"] >= 1
    assert states == [(gone, "archived"), (kept, "active")]
    assert await tenant.fetch("SELECT memory_id FROM memory_vectors") == [(kept,)]
    assert await tenant.fetch("SELECT vectors, indexed_documents FROM agents") == [(1, 1)]
    assert await tenant.fetch("SELECT count(*) FROM memories m JOIN agents a USING (agent_id) WHERE m.change > 0") == [
        (2,)
    ]
    hot = (await RedisAgentCache(redis).read(tenant.org_id, tenant.agent_id, EVERYBODY, 9)).hot
    assert [memory.id for memory in hot] == [kept]


async def test_expiring_and_clusters_are_bounded_and_go_on(tenant: Tenant) -> None:
    over = now() - timedelta(minutes=1)
    await tenant.remember_texts(*(f"Over {number}." for number in range(7)), expires_at=over)
    ids = await tenant.remember_texts("One.", "Two.", "Three.")
    await tenant.set_vectors(ids, np.stack([unit_vector(number) for number in range(3)]))
    await consolidation(tenant.database).consolidate(tenant.org_id, ids, MODEL)
    ageing = PostgresUpkeep(tenant.database)

    expired = [await ageing.expire(tenant.org_id, now(), 3) for _ in range(4)]
    later = now() + timedelta(hours=2)
    refreshed = [await ageing.refresh_clusters(tenant.org_id, later, 2) for _ in range(3)]

    assert [sum(one.memories for one in swept) for swept in expired] == [3, 3, 1, 0]
    assert len({memory for swept in expired for one in swept for memory in one.gone}) == 7
    assert refreshed == [2, 1, 0]


async def test_centroids_are_computed_again_from_the_members_that_are_left_and_empty_clusters_go(
    tenant: Tenant,
) -> None:
    ids = await tenant.remember_texts("One.", "Two.", "Three.", "Four.")
    vectors = np.stack([BASE, at_cosine(BASE, 0.9), at_cosine(BASE, 0.9, seed=2), unit_vector(5)])
    await tenant.set_vectors(ids, vectors)
    await consolidation(tenant.database).consolidate(tenant.org_id, ids, MODEL)
    await tenant.remember(tenant.write("New one.", supersedes=ids[2]), tenant.write("New two.", supersedes=ids[3]))
    ageing = PostgresUpkeep(tenant.database)

    early = await ageing.refresh_clusters(tenant.org_id, now(), 10)
    refreshed = await ageing.refresh_clusters(tenant.org_id, now() + timedelta(hours=2), 10)
    again = await ageing.refresh_clusters(tenant.org_id, now() + timedelta(hours=4), 10)

    ((centroid, members),) = await tenant.fetch("SELECT centroid, members FROM memory_clusters")
    expected = vectors[:2].sum(axis=0)
    assert (early, refreshed, again) == (0, 2, 0)
    assert members == 2
    np.testing.assert_allclose(centroid.to_numpy(), expected / np.linalg.norm(expected), atol=2e-3)


async def test_clusters_of_older_code_are_taken_apart_and_their_members_compared_anew(
    tenant: Tenant, redis: RedisClient, observer: AsyncConnection[Any]
) -> None:
    """It kept all end users' memories of a category together."""
    ids = [one for owner in ("ada", "bo", None) for one in await tenant.remember_texts("One.", "Two.", user_id=owner)]
    await tenant.set_vectors(ids, np.stack([at_cosine(BASE, 0.9, seed=seed) for seed in range(6)]))
    mixed, empty = uuid4(), uuid4()
    for cluster_id in (mixed, empty):
        await observer.execute(
            "INSERT INTO memory_clusters (cluster_id, org_id, agent_id, category, centroid, members, embedding_model) "
            "VALUES (%s, %s, %s, 'factual', %s::text::halfvec, 6, 'hash')",
            [cluster_id, tenant.org_id, tenant.agent_id, str(BASE.tolist())],
        )
    await observer.execute(
        "UPDATE memories SET cluster_id = %s, queued_at = 'epoch' WHERE org_id = %s", [mixed, tenant.org_id]
    )
    queue = SentMessages()
    sometime = maintenance(tenant.database, redis, queue, of=[tenant], bounds=RunLimits(dissolved=4))

    done = await sometime.run()
    await sometime.run()

    own = [message for message in queue.messages if message["org_id"] == str(tenant.org_id)]
    assert done["dissolved"] == 6
    assert {message["memory_id"] for message in own} == set(map(str, ids))
    assert await tenant.fetch("SELECT FROM memory_clusters") == []


async def test_events_sessions_and_profiles_are_forgotten_in_time(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    (one,) = await tenant.remember_texts("One.")
    for days in (1, 40, 200):
        at = now() - timedelta(days=days)
        event = UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, (one,), "query", at, f"s{days}", f"u{days}")
        await PostgresUsage(tenant.database).apply(tenant.org_id, [event])
        await observer.execute(
            "UPDATE applied_events SET applied_at = %s WHERE org_id = %s AND event_id = %s",
            [at, tenant.org_id, event.event_id],
        )
    ageing = PostgresUpkeep(tenant.database)

    bounded = await ageing.forget(tenant.org_id, now(), 1)
    rest = await ageing.forget(tenant.org_id, now(), 10)

    others = {"deleted": 0, "answers": 0, "turns": 0, "conversations": 0}
    assert bounded == {"events": 1, "sessions": 1, "profiles": 1, **others}
    assert rest == {"events": 1, "sessions": 1, "profiles": 0, **others}
    assert await tenant.fetch("SELECT session_id FROM sessions") == [("s1",)]
    assert await tenant.fetch("SELECT user_id FROM profiles ORDER BY user_id") == [("u1",), ("u40",)]


async def test_the_deleted_is_purged_after_a_week_and_answers_to_repeated_requests_after_a_day(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    young, old, kept = await tenant.remember_texts("Young.", "Old.", "Kept.")
    for days, one in ((6.9, young), (7.1, old)):
        await observer.execute(
            "UPDATE memories SET status = 'deleted', deleted_at = now() - make_interval(hours => %s) "
            "WHERE memory_id = %s",
            [round(days * 24), one],
        )
    for hours in (23, 25):
        await tenant.insert(
            "idempotency_keys",
            key_id=uuid4(),
            idempotency_key=b"key",
            request=b"request",
            subjects=[],
            answer="{}",
            created_at=now() - timedelta(hours=hours),
        )

    forgotten = await PostgresUpkeep(tenant.database).forget(tenant.org_id, now(), 10)

    assert (forgotten["deleted"], forgotten["answers"]) == (1, 1)
    assert {row[0] for row in await tenant.fetch("SELECT memory_id FROM memories")} == {young, kept}


TEXTS = """
    SELECT count(*), count(content), count(speaker), count(client_ref), count(fingerprint) FROM conversation_turns
    WHERE conversation_id = %s"""


async def test_the_texts_of_turns_go_after_a_month_and_their_conversation_half_a_year_after_its_last_turn(
    tenant: Tenant, stranger: Tenant
) -> None:
    texts = "I moved to Lisbon.", "How nice!", "Since May."
    young, old, older = [
        await converse(tenant, *texts, user_id="ann", session_id=str(days), state="kept") for days in (29, 31, 181)
    ]
    for conversation, days in ((young, 29), (old, 31), (older, 181)):
        await stored_at(tenant, conversation, now() - timedelta(days=days))
    elsewhere = await converse(stranger, *texts, user_id="ann", state="kept")
    await stored_at(stranger, elsewhere, now() - timedelta(days=500))
    ageing = PostgresUpkeep(tenant.database)

    bounded = await ageing.forget(tenant.org_id, now(), 2)
    await ageing.forget(tenant.org_id, now(), 2)
    rest = await ageing.forget(tenant.org_id, now(), 10)
    again = await ageing.forget(tenant.org_id, now(), 10)

    left = {one: (await tenant.fetch(TEXTS, one))[0] for one in (young, old, older)}
    assert (bounded["turns"], bounded["conversations"]) == (2, 2)
    assert (again["turns"], again["conversations"], rest["conversations"]) == (0, 0, 0)
    assert left == {young: (3, 3, 3, 3, 3), old: (3, 0, 0, 0, 3), older: (0, 0, 0, 0, 0)}
    assert await tenant.fetch("SELECT count(*) FROM conversations") == [(2,)]
    assert await stranger.fetch(TEXTS, elsewhere) == [(3, 3, 3, 3, 3)]


async def test_an_organization_sets_how_long_the_texts_of_turns_are_kept(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    conversation = await converse(tenant, "I moved to Lisbon.", "How nice!", state="kept")
    await stored_at(tenant, conversation, now() - timedelta(days=8))
    ageing = PostgresUpkeep(tenant.database)
    forgotten = []

    for days in (9, 7):
        await observer.execute(
            "UPDATE organizations SET settings = settings || jsonb_build_object('turn_days', %s::integer) "
            "WHERE org_id = %s",
            [days, tenant.org_id],
        )
        forgotten.append((await ageing.forget(tenant.org_id, now(), 10))["turns"])

    assert forgotten == [0, 2]


async def test_a_turn_that_waited_until_its_time_was_over_waits_no_more(tenant: Tenant) -> None:
    conversation = await converse(tenant, "I moved to Lisbon.", "How nice!")
    await stored_at(tenant, conversation, now() - timedelta(days=31))

    await PostgresUpkeep(tenant.database).forget(tenant.org_id, now(), 10)

    assert (
        await tenant.fetch("SELECT state, reason, content FROM conversation_turns")
        == [("dropped", "expired", None)] * 2
    )
    assert await tenant.fetch("SELECT pending, turns FROM conversations") == [(0, 2)]


async def test_a_conversation_that_a_worker_holds_is_passed_by_until_the_next_run(tenant: Tenant) -> None:
    held, free = [await converse(tenant, "I moved to Lisbon.", session_id=name, state="kept") for name in "ab"]
    for conversation in (held, free):
        await stored_at(tenant, conversation, now() - timedelta(days=200))
    ageing = PostgresUpkeep(tenant.database)

    async with tenant.database.transaction(tenant.org_id) as worker:
        await worker.fetch("SELECT 1 FROM conversations WHERE conversation_id = %s FOR UPDATE", [held])
        beside = await ageing.forget(tenant.org_id, now(), 10)
    after = await ageing.forget(tenant.org_id, now(), 10)

    assert [(done["turns"], done["conversations"]) for done in (beside, after)] == [(1, 2), (1, 2)]
    assert await tenant.fetch("SELECT 1 FROM conversations") == []


async def test_an_organization_with_much_to_do_keeps_no_other_waiting(
    tenant: Tenant, stranger: Tenant, redis: RedisClient, observer: AsyncConnection[Any]
) -> None:
    for one, count in ((tenant, 30), (stranger, 2)):
        ids = await one.remember_texts(*(f"Memory {number}." for number in range(count)))
        await observer.execute(
            "UPDATE memories SET queued_at = now() - interval '5 minutes', "
            "updated_at = now() - interval '40 days' WHERE memory_id = ANY(%s)",
            [ids],
        )
    queue = SentMessages()
    bounds = RunLimits(queued=10, cooled=10)

    await maintenance(tenant.database, redis, queue, of=[tenant, stranger], bounds=bounds).run()

    own = [str(one["org_id"]) for one in queue.messages]
    assert (own.count(str(tenant.org_id)), own.count(str(stranger.org_id))) == (30, 2)
    # In rounds: the other's came before the rest of the first's.
    assert max(position for position, owner in enumerate(own) if owner == str(stranger.org_id)) < len(own) - 10
    for one in (tenant, stranger):
        assert {tier for tier, _ in await tiers(one)} == {"warm"}


async def test_a_visit_is_due_after_an_hour_and_the_longest_overdue_comes_first(
    tenant: Tenant, stranger: Tenant, redis: RedisClient, observer: AsyncConnection[Any]
) -> None:
    await observer.execute("UPDATE organizations SET maintenance_due_at = now() + interval '1 day'")
    for days, one in ((2, tenant), (9, stranger)):
        await observer.execute(
            "UPDATE organizations SET maintenance_due_at = now() - make_interval(days => %s) WHERE org_id = %s",
            [days, one.org_id],
        )

    before = [visit.org_id for visit in await PostgresUpkeep(tenant.database).organizations()][:2]
    done = await maintenance(tenant.database, redis, SentMessages(), of=[tenant, stranger]).run()
    again = await maintenance(tenant.database, redis, SentMessages(), of=[tenant, stranger]).run()

    due = {visit.org_id: visit.due_at for visit in await PostgresUpkeep(tenant.database).organizations()}
    assert before == [stranger.org_id, tenant.org_id]
    assert (done["visited"], again["visited"]) == (2, 0)
    for one in (tenant, stranger):
        assert due[one.org_id] - now() == pytest.approx(timedelta(hours=1), abs=timedelta(minutes=5))


@dataclass(slots=True)
class RefusingQueue(SentMessages):
    """Refuses the next calls."""

    refusals: int = 0

    async def send(self, messages: Sequence[Mapping[str, Any]], *, delay_seconds: int = 0) -> None:
        if messages and self.refusals > 0:
            self.refusals -= 1
            raise StoreUnavailable("SQS is down", cause="ConnectionError")
        await SentMessages.send(self, messages, delay_seconds=delay_seconds)


async def test_what_the_queue_refused_is_queued_as_soon_as_it_takes_messages_however_long_it_was_away(
    tenant: Tenant, redis: RedisClient
) -> None:
    """Attempts that the queue refused count neither for the next wait nor for giving up."""
    (memory_id,) = await tenant.remember_texts("Tea.")
    sqs = RefusingQueue(refusals=MOST_REQUEUES + 2)
    queue = RecordedQueue(sqs, PostgresUnsentWork(tenant.database))
    clock = SetClock(start=now())
    bounds = RunLimits(retries=1, pause_seconds=0.01)

    with pytest.raises(StoreUnavailable):
        # As a writer after its response.
        await queue.send([{"org_id": str(tenant.org_id), "memory_id": str(memory_id)}])
    while sqs.refusals > 1:
        await maintenance(tenant.database, redis, queue, of=[tenant], clock=clock, bounds=bounds).run()
        clock.seconds += 60
    states = await tenant.fetch("SELECT embedding_state, requeues FROM memories")
    done = await maintenance(tenant.database, redis, queue, of=[tenant], clock=clock, bounds=bounds).run()
    again = await maintenance(tenant.database, redis, queue, of=[tenant], clock=clock, bounds=bounds).run()

    assert states == [("pending", 0)]
    assert (done["failed"], done["queued"], again["queued"]) == (1, 1, 0)
    assert [message["memory_id"] for message in sqs.messages] == [str(memory_id)]


async def test_a_conversation_that_the_queue_refused_is_queued_in_the_next_run(
    tenant: Tenant, redis: RedisClient
) -> None:
    conversation_id = await converse(tenant, "I moved to Lisbon.")
    sqs = RefusingQueue(refusals=1)
    queue = RecordedQueue(sqs, PostgresUnsentWork(tenant.database))
    run = maintenance(tenant.database, redis, SentMessages(), of=[tenant], capture_queue=queue).run

    before = (await run())["queued_conversations"]
    with pytest.raises(StoreUnavailable):
        await queue.send([{"org_id": str(tenant.org_id), "conversation_id": str(conversation_id)}])
    after = (await run())["queued_conversations"]

    assert (before, after) == (0, 1)
    assert [message["conversation_id"] for message in sqs.messages] == [str(conversation_id)]
