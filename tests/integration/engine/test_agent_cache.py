"""An agent's directive, version counter and hot set in Redis."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from redis.asyncio import Redis

from local.servers import Cache
from remembrancer.adapters.redis.agent_cache import (
    CHANGE_SECONDS,
    CONFIRMATION_SECONDS,
    DIRECTIVE_SECONDS,
    HOT_SECONDS,
    RedisAgentCache,
)
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.context.prefix import Hashed, Prompt
from remembrancer.domain.context.told import MOST_BLOCKS, ToldBlock
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memories.pins import Pins
from remembrancer.domain.retrieval.freshness import StoreState
from remembrancer.domain.retrieval.hot_score import CAPACITY
from remembrancer.ports.cache import AgentSnapshot, HotEntry
from tests import builders
from tests.builders import NOW, unit_vector
from tests.cache import KIND

ORG_ID, AGENT_ID = uuid4(), uuid4()
START = Change(0, 0)
CHANGE = Change(5, 2)
EMPTY = AgentSnapshot(None, None, [])


@pytest.fixture
async def raw(valkey_server: Cache) -> AsyncIterator["Redis"]:
    """The server as it is, emptied: to see keys, and to damage them."""
    client = Redis.from_url(valkey_server.url)
    await client.flushall()
    yield client
    await client.aclose()


@pytest.fixture
def cache(raw: "Redis", redis: RedisClient) -> RedisAgentCache:
    return RedisAgentCache(redis)


async def read(cache: RedisAgentCache, end_user: EndUser = EVERYBODY, limit: int = 100) -> AgentSnapshot:
    return await cache.read(ORG_ID, AGENT_ID, end_user, limit)


async def put(cache: RedisAgentCache, *entries: tuple[Memory, float], as_of: Change = START) -> None:
    await cache.put_hot(ORG_ID, AGENT_ID, [HotEntry(memory, score) for memory, score in entries], as_of)


def hot_memory(number: int = 1, **changes: Any) -> Memory:
    return builders.memory(number, agent_id=AGENT_ID, **changes)


def numbers(snapshot: AgentSnapshot) -> list[int]:
    return [memory.id.int & 0xFFFF for memory in snapshot.hot]


async def keys(raw: "Redis") -> list[str]:
    return [one.decode() if isinstance(one, bytes) else one for one in await raw.keys()]


async def key(raw: "Redis", name: str) -> str:
    (found,) = [one for one in await keys(raw) if f":{name}:" in one]
    return found


async def test_an_unknown_agent_is_empty(cache: RedisAgentCache) -> None:
    assert await read(cache) == EMPTY


FULL = hot_memory(
    content='Umlauts äöü, 漢字, "quotes", <tags>, back\\slash\nand lines.',
    category="episodic",
    source="inferred",
    confidence=0.123456789,
    importance=0.25,
    status="superseded",
    user_id="ann",
    session_id="session",
    summary="Summary",
    tags=("one", "two"),
    quality=0.75,
    tier="warm",
    created_at=NOW - timedelta(microseconds=1),
    valid_from=NOW - timedelta(days=1),
    expires_at=NOW + timedelta(days=1),
    occurred_from=NOW - timedelta(days=3),
    occurred_to=NOW + timedelta(days=3),
    contradicts=(uuid4(),),
    contradicted_by=(uuid4(), uuid4()),
    last_accessed_at=NOW - timedelta(hours=1),
    pinned_at=NOW - timedelta(days=2),
    usage_count=3,
    retrieval_count=4,
    positive_count=5,
    negative_count=6,
    supersedes=uuid4(),
    vector_model="another",
    version=7,
    tokens={"o200k_base": 11, "cl100k_base": 12},
    vector=unit_vector(1),
)


def test_the_full_memory_has_a_value_of_its_own_in_every_field() -> None:
    plain = builders.memory(1)
    same = [field.name for field in fields(Memory) if field.name != "id" and _equal(FULL, plain, field.name)]

    # What is sealed has no text: it has a test of its own.
    assert same == ["sealed"]


def _equal(one: Memory, other: Memory, name: str) -> bool:
    return bool(np.all(getattr(one, name) == getattr(other, name)))


@pytest.mark.parametrize("memory", [FULL, hot_memory(2)], ids=["every field", "defaults"])
async def test_every_field_of_a_memory_comes_back(cache: RedisAgentCache, memory: Memory) -> None:
    await put(cache, (memory, 0.5))

    (found,) = (await read(cache)).hot

    for field in fields(Memory):
        if field.name != "vector":
            assert getattr(found, field.name) == getattr(memory, field.name), field.name
    if memory.vector is None:
        assert found.vector is None
    else:
        assert found.vector is not None
        assert found.vector.dtype == np.float32
        np.testing.assert_allclose(found.vector, memory.vector, atol=1e-3)


async def test_text_that_was_sealed_is_kept_sealed_only_opened_or_not(cache: RedisAgentCache, raw: "Redis") -> None:
    opened = replace(FULL, sealed=b"\x00sealed\xff", content="The opened text", summary="Its summary")
    await put(cache, (opened, 0.5))

    (found,) = (await read(cache)).hot
    stored = str(await raw.hgetall(await key(raw, "hot_records")))

    assert (found.sealed, found.content, found.summary) == (b"\x00sealed\xff", "", None)
    assert "opened" not in stored
    assert "summary" in stored


async def test_what_is_pinned_comes_back_whole_to_its_end_user_and_to_nobody_else(
    cache: RedisAgentCache, raw: "Redis"
) -> None:
    opened = replace(FULL, sealed=b"\x00sealed\xff", content="The opened text", summary=None)
    await cache.put_pinned(ORG_ID, AGENT_ID, EndUser("ann"), Pins(START, [FULL, opened]))
    await cache.put_pinned(ORG_ID, AGENT_ID, NOBODY, Pins(START))

    of_ann, of_bob = [(await read(cache, EndUser(name))).pinned for name in ("ann", "bob")]
    of_nobody, of_all = [(await read(cache, end_user)).pinned for end_user in (NOBODY, EVERYBODY)]
    stored = str([await raw.get(name) for name in await keys(raw) if ":pinned:" in name])

    assert of_bob is None
    assert of_nobody == of_all == Pins(START, [])
    assert of_ann is not None
    assert of_ann.as_of == START
    whole, sealed = of_ann.memories
    assert whole == FULL.with_vector(None)
    assert (sealed.sealed, sealed.content) == (b"\x00sealed\xff", "")
    assert "opened" not in stored


async def test_a_reader_with_the_current_state_gets_nothing_pinned(cache: RedisAgentCache) -> None:
    await cache.changed(ORG_ID, AGENT_ID, START)
    await cache.put_pinned(ORG_ID, AGENT_ID, NOBODY, Pins(START, [hot_memory()]))

    snapshots = [await cache.read(ORG_ID, AGENT_ID, NOBODY, 9, known=known) for known in (START, CHANGE, None)]

    assert [snapshot.pinned is None for snapshot in snapshots] == [True, False, False]


@pytest.mark.parametrize(
    "record", [b"damaged", b"6[1, 0, [1]]", b'6[1, 0, ["6\\u0000{}\\u0000"]]', b"6[1, 0]", b"5[1, 0, []]"]
)
async def test_what_cannot_be_read_whole_is_not_there(cache: RedisAgentCache, raw: "Redis", record: bytes) -> None:
    await cache.put_pinned(ORG_ID, AGENT_ID, NOBODY, Pins(START))
    (name,) = [name for name in await keys(raw) if ":pinned:" in name]
    await raw.set(name, record)

    assert (await read(cache, NOBODY)).pinned is None


async def test_hot_memories_come_best_first_up_to_the_limit(cache: RedisAgentCache) -> None:
    await put(cache, (hot_memory(1), 0.1), (hot_memory(2), 0.9), (hot_memory(3), 0.5))

    assert numbers(await read(cache)) == [2, 3, 1]
    assert numbers(await read(cache, limit=2)) == [2, 3]


async def test_an_end_user_sees_the_own_memories_and_nobodys_and_the_limit_counts_only_these(
    cache: RedisAgentCache,
) -> None:
    owners = {1: "ann", 2: None, 3: "bob", 4: "an", 5: "anna", 6: "ann"}
    await put(cache, *((hot_memory(number, user_id=owner), 1 / number) for number, owner in owners.items()))

    assert numbers(await read(cache, EndUser("ann"))) == [1, 2, 6]
    assert numbers(await read(cache, EndUser("ann"), limit=3)) == [1, 2, 6]
    assert numbers(await read(cache, EndUser("carol"))) == [2]
    assert numbers(await read(cache)) == [1, 2, 3, 4, 5, 6]


async def test_the_set_is_trimmed_to_its_capacity_and_keeps_the_best(cache: RedisAgentCache, raw: "Redis") -> None:
    for start in (0, 40, 80):
        await put(cache, *((hot_memory(number), number / 1000) for number in range(start + 1, start + 41)))

    assert numbers(await read(cache)) == list(range(120, 120 - CAPACITY, -1))
    assert await raw.zcard(await key(raw, "hot_memories")) == CAPACITY
    assert await raw.hlen(await key(raw, "hot_records")) == CAPACITY


async def test_more_entries_than_the_capacity_at_once_are_trimmed_too(cache: RedisAgentCache) -> None:
    await put(cache, *((hot_memory(number), number / 1000) for number in range(1, 201)))

    assert numbers(await read(cache)) == list(range(200, 150, -1))


async def test_an_entry_again_replaces_itself(cache: RedisAgentCache) -> None:
    await put(cache, (hot_memory(1), 0.1), (hot_memory(2), 0.2))
    await put(cache, (hot_memory(1, content="Changed."), 0.3))

    snapshot = await read(cache)
    assert snapshot.hot[0].content == "Changed."
    assert numbers(snapshot) == [1, 2]


async def test_nothing_put_is_nothing_kept(cache: RedisAgentCache, raw: "Redis") -> None:
    await put(cache)

    assert await keys(raw) == []


async def test_agents_and_organizations_do_not_share_keys(cache: RedisAgentCache) -> None:
    await put(cache, (hot_memory(1), 0.5))
    await cache.put_directive(ORG_ID, AGENT_ID, builders.directive())
    await cache.changed(ORG_ID, AGENT_ID, Change(1, 0))

    assert await cache.read(ORG_ID, uuid4(), EVERYBODY, 10) == EMPTY
    assert await cache.read(uuid4(), AGENT_ID, EVERYBODY, 10) == EMPTY


async def test_every_key_lives_for_a_time_and_shares_the_agents_slot(cache: RedisAgentCache, raw: "Redis") -> None:
    await put(cache, (hot_memory(1), 0.5))
    await cache.put_directive(ORG_ID, AGENT_ID, builders.directive())
    await cache.changed(ORG_ID, AGENT_ID, Change(1, 0))
    await cache.changed(ORG_ID, AGENT_ID, Change(2, 0))
    await confirmed(cache)

    lives = {one.split(":")[1]: await raw.ttl(one) for one in await keys(raw)}

    longest = {
        "hot_memories": HOT_SECONDS,
        "hot_records": HOT_SECONDS,
        "directive": DIRECTIVE_SECONDS,
        "confirmed": CONFIRMATION_SECONDS,
        "change": CHANGE_SECONDS,
    }
    assert lives.keys() == longest.keys()
    assert all(0 < lives[name] <= longest[name] for name in longest), lives
    assert all(f"{{{AGENT_ID}}}" in one and str(ORG_ID) in one for one in await keys(raw))


async def test_putting_refreshes_the_life_of_the_set_and_reading_does_not(cache: RedisAgentCache, raw: "Redis") -> None:
    await put(cache, (hot_memory(1), 0.5))
    for name in ("hot_memories", "hot_records"):
        await raw.expire(await key(raw, name), 20)

    await read(cache)
    after_read = await raw.ttl(await key(raw, "hot_records"))
    await put(cache, (hot_memory(2), 0.5))

    assert after_read <= 20
    for name in ("hot_memories", "hot_records"):
        assert await raw.ttl(await key(raw, name)) > 20


async def test_the_latest_change_is_kept_in_whatever_order_they_arrive(cache: RedisAgentCache) -> None:
    changes = [Change(2, 1), Change(10, 2), Change(9, 2), Change(1, 0)]

    await asyncio.gather(*(cache.changed(ORG_ID, AGENT_ID, change) for change in changes))

    assert (await read(cache)).change == Change(10, 2)


async def test_a_large_count_is_kept_exactly(cache: RedisAgentCache) -> None:
    await cache.changed(ORG_ID, AGENT_ID, Change(2**50, 2**49))
    await cache.changed(ORG_ID, AGENT_ID, Change(2**50 + 1, 2**49))

    assert (await read(cache)).change == Change(2**50 + 1, 2**49)


async def test_a_change_takes_out_what_is_gone(cache: RedisAgentCache, raw: "Redis") -> None:
    await put(cache, *((hot_memory(number), number / 10) for number in range(1, 5)))

    await cache.changed(ORG_ID, AGENT_ID, Change(1, 1), [hot_memory(2).id, hot_memory(4).id, uuid4()])

    assert numbers(await read(cache)) == [3, 1]
    assert await raw.hlen(await key(raw, "hot_records")) == 2


async def test_an_older_directive_never_replaces_a_newer_one(cache: RedisAgentCache) -> None:
    seen = []
    for version in (2, 1, 10, 9, 0, 10):
        directive = builders.directive(version=version, text=f"Version {version}.", injection_mode="user_prepend")
        await cache.put_directive(ORG_ID, AGENT_ID, directive)
        seen.append((await read(cache)).directive)

    assert [directive.version for directive in seen if directive] == [2, 2, 10, 10, 10, 10]
    assert seen[-1] == builders.directive(version=10, text="Version 10.", injection_mode="user_prepend")


GARBAGE = [
    b"",
    b"1",
    b"\0",
    b"1\0\0",
    b"1\0not json\0",
    b"1\0{}\0",
    b"1\0[]\0",
    b'1\0{"id": 3}\0',
    b"1\xff\xfe\0{}\0",
    b"9ann\0{}\0",
    bytes(range(256)),
    b"1" * 1000,
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
async def test_an_unreadable_record_is_left_out_and_the_others_come(
    cache: RedisAgentCache, raw: "Redis", garbage: bytes
) -> None:
    await put(cache, (hot_memory(1), 0.9), (hot_memory(2), 0.5), (hot_memory(3, user_id="ann"), 0.1))
    await raw.hset(await key(raw, "hot_records"), str(hot_memory(1).id), garbage)

    assert numbers(await read(cache)) == [2, 3]
    assert numbers(await read(cache, EndUser("ann"))) == [2, 3]


async def test_a_record_with_a_torn_vector_is_left_out(cache: RedisAgentCache, raw: "Redis") -> None:
    await put(cache, (hot_memory(1, vector=unit_vector(1)), 0.9), (hot_memory(2), 0.5))
    records = await key(raw, "hot_records")
    whole = await raw.hget(records, str(hot_memory(1).id))
    assert isinstance(whole, bytes)
    await raw.hset(records, str(hot_memory(1).id), whole[:-1])

    assert numbers(await read(cache)) == [2]


async def test_a_record_of_a_later_schema_is_left_out(cache: RedisAgentCache, raw: "Redis") -> None:
    await put(cache, (hot_memory(1), 0.9), (hot_memory(2), 0.5))
    records = await key(raw, "hot_records")
    record = await raw.hget(records, str(hot_memory(1).id))
    assert isinstance(record, bytes)
    await raw.hset(records, str(hot_memory(1).id), b"9" + record[1:])

    assert numbers(await read(cache)) == [2]


async def test_a_missing_record_is_left_out(cache: RedisAgentCache, raw: "Redis") -> None:
    await put(cache, (hot_memory(1), 0.9), (hot_memory(2), 0.5))
    await raw.hdel(await key(raw, "hot_records"), str(hot_memory(1).id))

    assert numbers(await read(cache)) == [2]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
async def test_an_unreadable_directive_is_a_miss_and_can_be_replaced(
    cache: RedisAgentCache, raw: "Redis", garbage: bytes
) -> None:
    await cache.put_directive(ORG_ID, AGENT_ID, builders.directive())
    await raw.set(await key(raw, "directive"), garbage)

    missed = (await read(cache)).directive
    await cache.put_directive(ORG_ID, AGENT_ID, builders.directive())

    assert missed is None
    assert (await read(cache)).directive == builders.directive()


@pytest.mark.parametrize("garbage", [b"", b"abc", b"7", b"7 ", b"-1 0", b"1.5 0", b"\xff\xfe"])
async def test_an_unreadable_change_is_a_miss_and_ends_with_the_next_one(
    cache: RedisAgentCache, raw: "Redis", garbage: bytes
) -> None:
    await cache.changed(ORG_ID, AGENT_ID, Change(3, 1))
    await raw.set(await key(raw, "change"), garbage)

    missed = (await read(cache)).change
    await cache.changed(ORG_ID, AGENT_ID, Change(4, 1))

    assert missed is None
    assert (await read(cache)).change == Change(4, 1)


async def test_what_was_read_before_something_went_does_not_come_after_it(cache: RedisAgentCache) -> None:
    await put(cache, (hot_memory(1), 0.9), (hot_memory(2), 0.5))

    await cache.changed(ORG_ID, AGENT_ID, Change(1, 1), [hot_memory(1).id])
    await put(cache, (hot_memory(1), 0.9), (hot_memory(2), 0.5))
    after_old_rows = numbers(await read(cache))
    await put(cache, (hot_memory(1), 0.9), as_of=Change(2, 1))

    assert after_old_rows == [2]
    assert numbers(await read(cache)) == [1, 2]


async def test_a_removal_that_was_not_told_empties_the_set_with_the_next_one(cache: RedisAgentCache) -> None:
    await put(cache, *((hot_memory(number), number / 10) for number in range(1, 5)), as_of=Change(5, 2))

    await cache.changed(ORG_ID, AGENT_ID, Change(7, 4), [hot_memory(2).id])

    snapshot = await read(cache)
    assert (numbers(snapshot), snapshot.change) == ([], Change(7, 4))


async def test_a_removal_that_was_not_told_empties_the_set_with_the_next_addition_too(cache: RedisAgentCache) -> None:
    await put(cache, (hot_memory(1), 0.9), as_of=Change(5, 2))

    await cache.changed(ORG_ID, AGENT_ID, Change(7, 3))

    assert numbers(await read(cache)) == []


async def test_newer_rows_replace_a_set_that_missed_a_removal(cache: RedisAgentCache) -> None:
    await put(cache, (hot_memory(1), 0.9), as_of=Change(5, 2))

    await put(cache, (hot_memory(2), 0.5), as_of=Change(7, 3))

    snapshot = await read(cache)
    assert (numbers(snapshot), snapshot.change) == ([2], Change(7, 3))


async def test_additions_leave_the_set_alone(cache: RedisAgentCache) -> None:
    await put(cache, (hot_memory(1), 0.9), as_of=Change(5, 2))

    await cache.changed(ORG_ID, AGENT_ID, Change(9, 2))

    assert numbers(await read(cache)) == [1]


async def test_removals_told_in_another_order_take_both_away(cache: RedisAgentCache) -> None:
    await put(cache, *((hot_memory(number), number / 10) for number in range(1, 4)), as_of=Change(5, 2))

    await cache.changed(ORG_ID, AGENT_ID, Change(7, 4), [hot_memory(1).id])
    await put(cache, *((hot_memory(number), number / 10) for number in range(1, 4)), as_of=Change(6, 3))
    await cache.changed(ORG_ID, AGENT_ID, Change(6, 3), [hot_memory(2).id])

    snapshot = await read(cache)
    assert (numbers(snapshot), snapshot.change) == ([], Change(7, 4))


async def test_a_set_of_unknown_age_is_not_kept(cache: RedisAgentCache, raw: "Redis") -> None:
    await put(cache, (hot_memory(1), 0.9), as_of=Change(5, 2))
    await raw.delete(await key(raw, "change"))

    await cache.changed(ORG_ID, AGENT_ID, Change(6, 2))

    assert numbers(await read(cache)) == []


async def confirmed(cache: RedisAgentCache, *, seconds_ago: float = 0.0, change: Change = CHANGE) -> AgentSnapshot:
    """The agent's data after an instance told that the store has confirmed it so long ago."""
    seen = await read(cache)
    await cache.confirm(ORG_ID, AGENT_ID, seen.server, change, seen.at_ms - round(1000 * seconds_ago))
    return await read(cache)


async def promoted(raw: "Redis") -> None:
    """As after a failover: the same keys, on a server of another name."""
    await raw.replicaof("127.0.0.1", "9")
    await raw.replicaof("NO", "ONE")


async def test_a_confirmation_comes_back_with_its_age_by_the_servers_clock(cache: RedisAgentCache) -> None:
    found = (await confirmed(cache, seconds_ago=7.0)).confirmed

    assert found is not None
    assert found.said == StoreState(CHANGE)
    assert found.server == (await read(cache)).server
    assert 7.0 <= found.age_seconds < 60.0


@pytest.mark.parametrize("seconds_ago", [9.0, 7.0])
async def test_the_confirmation_of_the_later_question_is_kept(cache: RedisAgentCache, seconds_ago: float) -> None:
    await confirmed(cache, seconds_ago=8.0)

    found = (await confirmed(cache, seconds_ago=seconds_ago, change=Change(6, 2))).confirmed

    assert found is not None
    assert found.said == StoreState(Change(6, 2) if seconds_ago < 8.0 else CHANGE)


async def test_a_contradiction_ends_every_answer_to_an_earlier_question(cache: RedisAgentCache) -> None:
    seen = await confirmed(cache)

    await cache.contradict(ORG_ID, AGENT_ID)
    await cache.confirm(ORG_ID, AGENT_ID, seen.server, CHANGE, seen.at_ms)
    ended = (await read(cache)).confirmed
    while (later := await read(cache)).at_ms <= seen.at_ms + 50:
        await asyncio.sleep(0.01)
    again = (await confirmed(cache)).confirmed

    assert later.confirmed is not None
    assert ended is not None
    assert (ended.server, later.confirmed.server) == (None, None)
    assert again is not None
    assert again.server == seen.server


@pytest.mark.skipif(KIND != "server", reason="a node of a cluster takes REPLICAOF from nobody")
async def test_another_server_has_no_confirmation_though_it_has_the_key(cache: RedisAgentCache, raw: "Redis") -> None:
    before = await confirmed(cache)

    await promoted(raw)
    await cache.confirm(ORG_ID, AGENT_ID, before.server, CHANGE, before.at_ms + 1)
    after = await read(cache)

    assert await keys(raw) != []
    assert before.confirmed is not None
    assert after.confirmed is None


async def test_what_another_server_was_told_does_not_stand_in_the_way(cache: RedisAgentCache, raw: "Redis") -> None:
    """Also where its clock was ahead."""
    seen = await read(cache)
    await raw.set(f"{ORG_ID}:confirmed:{{{AGENT_ID}}}", f"{'0' * 40} {seen.at_ms + 3_600_000} 9 9")

    found = (await confirmed(cache)).confirmed

    assert found is not None
    assert found.said == StoreState(CHANGE)


@pytest.mark.parametrize("value", ["", "-", "{server}", "{server} soon 5 2", "{server} {later} 5 2", "{server} 1 5"])
async def test_a_damaged_confirmation_or_one_of_the_future_is_none(
    cache: RedisAgentCache, raw: "Redis", value: str
) -> None:
    seen = await read(cache)

    await raw.set(f"{ORG_ID}:confirmed:{{{AGENT_ID}}}", value.format(server=seen.server, later=seen.at_ms + 3_600_000))

    assert (await read(cache)).confirmed is None


async def test_a_confirmation_of_the_future_is_not_kept(cache: RedisAgentCache) -> None:
    assert (await confirmed(cache, seconds_ago=-60.0)).confirmed is None


async def test_the_last_prompt_of_a_session_stays_where_its_older_blocks_go(cache: RedisAgentCache) -> None:
    prompt = Prompt((bytes(8),) * 4, 5, "turn", 0, [Hashed(b"own-hash", b"with-us.", 7)])
    blocks = [ToldBlock(number, f"{number:x}", "0") for number in range(1, MOST_BLOCKS + 2)]
    await cache.put_told(ORG_ID, AGENT_ID, "s", blocks[:-1], prompt=replace(prompt, tool_tokens=1))

    await cache.put_told(ORG_ID, AGENT_ID, "s", blocks[-1:], prompt=prompt)
    await cache.put_told(ORG_ID, AGENT_ID, "s", [], blocks[-1:])
    seen = await cache.read(ORG_ID, AGENT_ID, EVERYBODY, 100, session="s")
    other = await cache.read(ORG_ID, AGENT_ID, EVERYBODY, 100, session="t")

    assert (seen.prompt, other.prompt) == (prompt, None)
    assert {block.number for block in seen.told} == {block.number for block in blocks[MOST_BLOCKS // 2 + 1 : -1]}
