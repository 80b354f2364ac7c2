"""Pinning: by whom and when, in which order, and how much of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.memories import pins
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.errors import Forbidden, InvalidRequest, PinnedFull
from remembrancer.ports.memories import Listing
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.remember import Rememberer, WriteOutcome
from tests.integration.engine.desk import Desk
from tests.integration.engine.later import LaterWork, SentMessages

SAM = "Call me Sam."
LONG = "Never suggest pork, nor anything with gelatine, and mind that lentils are fine. " * 10


@dataclass(frozen=True, slots=True)
class Pinboard:
    """The writing side, with both its use cases."""

    desk: Desk
    rememberer: Rememberer

    async def write(self, *contents: str, **changes: Any) -> Sequence[WriteOutcome]:
        agent_id = str(self.desk.tenant.agent_id)
        bodies = [{"agent_id": agent_id, "content": content, **changes} for content in contents]
        return await self.rememberer.write_batch({"memories": bodies}, self.desk.tenant.principal, LaterWork())

    async def written(self, content: str, **changes: Any) -> UUID:
        (outcome,) = await self.write(content, **changes)
        assert outcome.memory_id is not None, outcome.error
        return outcome.memory_id

    async def stored(self, memory_id: UUID) -> StoredMemory:
        found = await PostgresMemories(self.desk.tenant.database).get(self.desk.tenant.principal, memory_id)
        assert found is not None
        return found

    async def pinned_at(self, memory_id: UUID) -> datetime | None:
        return (await self.stored(memory_id)).memory.pinned_at

    async def change(self) -> Change:
        ((version, removals),) = await self.desk.tenant.fetch(
            "SELECT version, removals FROM agents WHERE agent_id = %s", self.desk.tenant.agent_id
        )
        return Change(version, removals)


@pytest.fixture
def board(desk: Desk, redis: RedisClient, counter: TiktokenCounter) -> Pinboard:
    rememberer = Rememberer(
        memories=PostgresMemories(desk.tenant.database),
        directory=PostgresDirectory(desk.tenant.database),
        redactor=Redactor(find_phones),
        deriver=Deriver(counter, SnowballStemmer(), Keyless()),
        announcer=Announcer(desk.cache, SentMessages()),
        clock=desk.clock,
        new_id=uuid4,
    )
    return Pinboard(desk, rememberer)


async def test_pinning_and_unpinning_change_no_text_and_count_as_removals(board: Pinboard) -> None:
    memory_id = await board.written(SAM)
    before = await board.change()

    pinned = await board.desk.revise(memory_id, pinned=True)
    then = await board.change()
    await board.desk.revise(memory_id, pinned=True, confidence=0.9)
    again = await board.stored(memory_id)
    unpinned = await board.desk.revise(memory_id, pinned=False)

    assert (pinned.version, pinned.versions, pinned.embedding_state) == (1, (), "pending")
    assert pinned.memory.pinned_at is not None
    assert again.memory.pinned_at == pinned.memory.pinned_at
    assert unpinned.memory.pinned_at is None
    assert then == Change(before.version + 1, before.removals + 1)
    assert (await board.change()).removals == before.removals + 3
    await board.desk.assert_counts_are_true()


@pytest.mark.parametrize("value", [None, "yes", 1])
async def test_anything_but_true_and_false_is_refused_by_name(board: Pinboard, value: object) -> None:
    memory_id = await board.written(SAM)

    with pytest.raises(InvalidRequest) as refused:
        await board.desk.revise(memory_id, pinned=value)

    assert list(refused.value.fields) == ["pinned"]


async def test_a_time_of_pinning_needs_a_pin(board: Pinboard) -> None:
    (outcome,) = await board.write(SAM, pinned_at="2026-01-01T00:00:00Z")

    assert isinstance(outcome.error, InvalidRequest)
    assert outcome.error.fields == {"pinned_at": "needs pinned"}


async def test_a_person_pins_only_what_is_theirs(board: Pinboard) -> None:
    shared, own = await board.written(SAM), await board.written("I am Ann.", user_id="ann")
    ann = replace(board.desk.tenant.principal, sees_all=False, user_id="ann", user_is_fixed=True)

    with pytest.raises(Forbidden):
        await board.desk.revise(shared, principal=ann, pinned=True)
    await board.desk.revise(own, principal=ann, pinned=True)

    assert await board.pinned_at(shared) is None
    assert await board.pinned_at(own) is not None


async def test_written_pinned_at_its_time_and_an_addition_that_no_map_may_lack(board: Pinboard) -> None:
    before = await board.change()

    memory_id = await board.written(SAM, pinned=True, pinned_at="2026-01-01T00:00:00Z")
    now = await board.written("Answer in German.", pinned=True)

    assert await board.pinned_at(memory_id) == datetime(2026, 1, 1, tzinfo=UTC)
    at = await board.pinned_at(now)
    assert at is not None
    assert abs(board.desk.clock.now() - at) < timedelta(minutes=1)
    assert await board.change() == Change(before.version + 2, before.removals + 2)


async def test_the_bound_refuses_what_does_not_fit_and_says_how_much_is_pinned(board: Pinboard) -> None:
    await board.written(SAM, pinned=True)

    outcomes = await board.write(LONG, LONG.replace("pork", "beef"), LONG.replace("pork", "veal"), pinned=True)

    assert [outcome.status for outcome in outcomes] == ["accepted", "accepted", "error"]
    error = outcomes[2].error
    assert isinstance(error, PinnedFull)
    assert error.message.startswith("The pinned memories of a prompt may have 500 tokens together: ")
    assert error.fields == {"pinned": "has no room: unpin another memory, or shorten one"}
    unpinned = await board.written(LONG.replace("pork", "veal"))
    with pytest.raises(PinnedFull):
        await board.desk.revise(unpinned, pinned=True)
    assert await board.pinned_at(unpinned) is None


async def test_for_a_shared_memory_the_one_counts_who_has_pinned_most_and_is_not_named(board: Pinboard) -> None:
    for owner, texts in {"ann": [LONG, LONG.replace("pork", "beef")], "bob": [SAM]}.items():
        for text in texts:
            await board.written(text, user_id=owner, pinned=True)
    shared = await board.written(LONG.replace("pork", "veal"))
    of_bob = await board.written(LONG, user_id="bob")

    with pytest.raises(PinnedFull) as refused:
        await board.desk.revise(shared, pinned=True)
    await board.desk.revise(of_bob, pinned=True)

    assert "ann" not in str(refused.value)
    assert await board.pinned_at(of_bob) is not None


async def test_a_pinned_text_may_not_grow_past_the_bound_and_may_change_otherwise(board: Pinboard) -> None:
    memory_id = await board.written(SAM, pinned=True)
    await board.write(LONG, LONG.replace("pork", "beef"), pinned=True)

    with pytest.raises(PinnedFull):
        await board.desk.revise(memory_id, content=LONG.replace("pork", "veal"))
    edited = await board.desk.revise(memory_id, content="Call me Samuel.", importance=1.0)

    assert (edited.version, edited.memory.content) == (2, "Call me Samuel.")
    assert edited.memory.pinned_at is not None


async def test_what_becomes_active_again_has_to_fit(board: Pinboard) -> None:
    first = await board.written(LONG, pinned=True)
    await board.desk.forget(first)
    await board.write(LONG.replace("pork", "beef"), LONG.replace("pork", "veal"), pinned=True)

    with pytest.raises(PinnedFull):
        await board.desk.restore(first)

    (kept,) = await board.desk.tenant.fetch("SELECT status FROM memories WHERE memory_id = %s", first)
    assert kept == ("deleted",)


@pytest.mark.parametrize(("asked", "is_pinned"), [({}, True), ({"pinned": True}, True), ({"pinned": False}, False)])
async def test_what_supersedes_a_pinned_memory_takes_its_pin_unless_it_is_told_not_to(
    board: Pinboard, asked: dict[str, Any], is_pinned: bool
) -> None:
    old = await board.written(SAM, pinned=True, pinned_at="2026-01-01T00:00:00Z")

    new = await board.written("Call me Samuel.", supersedes=str(old), **asked)

    at = await board.pinned_at(new)
    assert (at is not None) == is_pinned
    if not asked:
        assert at == await board.pinned_at(old)
    await board.desk.assert_counts_are_true()


async def test_a_superseded_memory_leaves_its_room_to_its_successor_only(board: Pinboard) -> None:
    old = await board.written(LONG, pinned=True)
    await board.written(LONG.replace("pork", "beef"), pinned=True)

    new = await board.written(LONG.replace("pork", "veal"), supersedes=str(old))
    (twice,) = await board.write(LONG * 3, supersedes=str(new))

    assert await board.pinned_at(new) is not None
    assert isinstance(twice.error, PinnedFull)
    assert (await board.stored(new)).memory.status == "active"


async def test_undoing_a_supersession_brings_the_pin_back(board: Pinboard) -> None:
    old = await board.written(SAM, pinned=True)
    new = await board.written("Call me Samuel.", supersedes=str(old))

    await board.desk.unsupersede(old)

    assert (await board.stored(old)).memory.status == "active"
    assert await board.pinned_at(old) is not None
    assert (await board.stored(new)).memory.status == "superseded"


async def test_a_listing_of_those_that_are_pinned(board: Pinboard) -> None:
    pinned = await board.written(SAM, pinned=True)
    other = await board.written("The tea is in the attic.")
    memories = PostgresMemories(board.desk.tenant.database)

    found = {
        wanted: [one.memory.id for one in await memories.list(board.desk.tenant.principal, Listing(pinned=wanted))]
        for wanted in (True, False)
    }

    assert found == {True: [pinned], False: [other]}


def test_the_bound_leaves_room_for_some_wishes() -> None:
    assert pins.MOST_TOKENS == 500
