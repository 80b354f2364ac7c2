"""Text under an organization's data key: what is stored, what opens it, and what does not."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection

from local.servers import AwsServer
from remembrancer.adapters.aws.credentials import AwsCredentials
from remembrancer.adapters.aws.signed_calls import JsonService
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.encryption.keyring import KeyRing
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.encryption.sealed_text import TEXT, TURN, UNREADABLE_TEXT, Plain, Sealed, decode_text
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.errors import StaleDataKey, StoreUnavailable
from remembrancer.ports.capture import ConversationListing
from remembrancer.ports.memories import Listing, WriteResult
from remembrancer.usecases.capture.read import ConversationReader
from remembrancer.usecases.encryption.encrypt import Encryption, EncryptionProgress
from remembrancer.usecases.encryption.opening import opened
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.sealed_memories import sealed
from tests.builders import MODELS, SetClock
from tests.integration.engine.conversations import converse, stored_at
from tests.integration.engine.encryption import ANY_KEY, Vault, new_kms_key
from tests.integration.engine.tenant import Tenant

COFFEE = "The coffee machine stands on floor three."
LIFT = "The lift is out of order until Thursday."


@pytest.fixture
async def vault(tenant: Tenant, aws_server: AwsServer) -> Vault:
    """The tenant, with encryption on."""
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    return vault


async def test_text_is_stored_sealed_only_and_reads_back(vault: Vault, observer: AsyncConnection[Any]) -> None:
    (memory_id,) = await vault.remember_texts(COFFEE, summary="Coffee on three", context="Ada asked about floor three.")

    stored = await vault.reader.get(vault.tenant.principal, memory_id)
    cursor = await observer.execute("SELECT to_jsonb(m)::text FROM memories m WHERE memory_id = %s", [memory_id])
    row = (await cursor.fetchone() or [""])[0]

    assert stored is not None
    assert (stored.memory.content, stored.memory.summary) == (COFFEE, "Coffee on three")
    assert stored.context == "Ada asked about floor three."
    assert [word for word in ("coffee", "floor", "three", "Ada") if word in row] == []


async def test_the_term_key_is_stored_sealed_only_and_stays_the_same(
    vault: Vault, observer: AsyncConnection[Any]
) -> None:
    cursor = await observer.execute("SELECT term_key FROM organizations WHERE org_id = %s", [vault.tenant.org_id])
    organization = await PostgresDirectory(vault.tenant.database, vault.ring).organization(vault.tenant.org_id)

    assert await cursor.fetchall() == [(None,)]
    assert organization is not None
    assert organization.encrypted
    assert organization.term_key == vault.tenant.term_key


async def test_text_in_clear_or_under_no_key_is_refused(vault: Vault, stranger: Tenant) -> None:
    with pytest.raises(StaleDataKey) as raised:
        await vault.tenant.remember(vault.tenant.write(COFFEE))
    with pytest.raises(StoreUnavailable, match="no data key"):
        await vault.ring.seal(stranger.org_id, [Plain(uuid4(), TEXT, b"text")])

    assert raised.value.version == 1


async def test_a_row_is_either_clear_or_sealed(vault: Vault, observer: AsyncConnection[Any]) -> None:
    (memory_id,) = await vault.remember_texts(COFFEE)

    for change in (
        "content = 'clear'",
        "summary = 'clear'",
        "context = 'clear'",
        "key_version = NULL",
        "sealed = NULL",
    ):
        with pytest.raises(psycopg.errors.CheckViolation):
            await observer.execute(f"UPDATE memories SET {change} WHERE memory_id = %s", [memory_id])


async def test_what_was_moved_from_another_row_or_damaged_is_redacted_and_spoils_no_other(
    vault: Vault, observer: AsyncConnection[Any]
) -> None:
    ids = await vault.remember_texts(COFFEE, LIFT, "The kitchen closes at six.", "Ada prefers tea.")
    await observer.execute(
        "UPDATE memories a SET sealed = b.sealed FROM memories b WHERE a.memory_id = %s AND b.memory_id = %s", ids[:2]
    )
    await observer.execute(
        "UPDATE memories SET sealed = set_byte(sealed, length(sealed) - 1, get_byte(sealed, length(sealed) - 1) # 1) "
        "WHERE memory_id = %s",
        [ids[2]],
    )

    assert await vault.contents(ids) == [UNREADABLE_TEXT, LIFT, UNREADABLE_TEXT, "Ada prefers tea."]


async def test_the_context_of_a_memory_is_not_its_text(vault: Vault, observer: AsyncConnection[Any]) -> None:
    (memory_id,) = await vault.remember_texts(COFFEE, context=LIFT)
    await observer.execute("UPDATE memories SET sealed = sealed_context WHERE memory_id = %s", [memory_id])

    stored = await vault.reader.get(vault.tenant.principal, memory_id)

    assert stored is not None
    assert (stored.memory.content, stored.context) == (UNREADABLE_TEXT, LIFT)


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        (b"", "UnknownFormat"),
        (b"\x02" + bytes(40), "UnknownFormat"),
        (b"\x01\x00\x00\x00\x09" + bytes(40), "UnknownKeyVersion"),
        (b"\x01\x00\x00\x00\x01" + bytes(40), "InvalidTag"),
    ],
)
async def test_each_failure_has_its_cause(vault: Vault, value: bytes, cause: str) -> None:
    answer = await vault.ring.open(vault.tenant.org_id, [Sealed(uuid4(), TEXT, value)])

    assert (list(answer.values), list(answer.causes)) == ([None], [cause])


async def test_another_organization_opens_nothing_of_it(
    vault: Vault, stranger: Tenant, aws_server: AwsServer, observer: AsyncConnection[Any]
) -> None:
    """Not even with the wrapped key copied over: KMS unwraps it for its own organization only."""
    (memory_id,) = await vault.remember_texts(COFFEE)
    cursor = await observer.execute("SELECT sealed FROM memories WHERE memory_id = %s", [memory_id])
    ((value,),) = await cursor.fetchall()
    await observer.execute(
        "INSERT INTO data_keys (org_id, version, usable, kms_key_id, wrapped) "
        "SELECT %s, version, usable, kms_key_id, wrapped FROM data_keys WHERE org_id = %s",
        [stranger.org_id, vault.tenant.org_id],
    )

    answer = await Vault.of(stranger, aws_server, vault.kms_key_id).ring.open(
        stranger.org_id, [Sealed(memory_id, TEXT, value)]
    )

    assert list(answer.values) == [None]
    assert answer.causes[0] not in {"InvalidTag", ""}


async def test_concurrent_first_use_unwraps_once(vault: Vault) -> None:
    ids = await vault.remember_texts(COFFEE, LIFT)
    cold = KeyRing(vault.keys.of, vault.kms, vault.clock)
    vault.kms.unwrapped.clear()
    found = [await vault.reader.memories.get(vault.tenant.principal, identifier) for identifier in ids]
    memories = [stored.memory for stored in found if stored]

    answers = await asyncio.gather(*(opened(cold, vault.tenant.org_id, memories) for _ in range(20)))

    assert {tuple(memory.content for memory in answer.memories) for answer in answers} == {(COFFEE, LIFT)}
    assert len(vault.kms.unwrapped) == 1


async def test_a_kept_key_is_renewed_in_the_background_and_ends_with_its_lifetime(
    vault: Vault, tenant: Tenant, aws_server: AwsServer
) -> None:
    ids = await vault.remember_texts(COFFEE)
    clock = SetClock(start=None)
    warm = Vault.of(tenant, aws_server, vault.kms_key_id, clock)
    found = [await warm.contents(ids)]
    warm.kms.is_down = True

    for seconds in (200.0, 400.0, 590.0, 601.0):
        clock.seconds = seconds
        found.append(await warm.contents(ids))
        await asyncio.sleep(0)
        clock.seconds += 5
    asked_while_down = len(warm.kms.unwrapped) - 1
    warm.kms.is_down = False
    clock.seconds = 620.0
    found.append(await warm.contents(ids))

    assert found == [[COFFEE], [COFFEE], [COFFEE], [COFFEE], [UNREADABLE_TEXT], [COFFEE]]
    assert asked_while_down >= 2


async def test_while_kms_is_down_it_is_not_asked_for_every_request(vault: Vault, aws_server: AwsServer) -> None:
    ids = await vault.remember_texts(COFFEE, LIFT)
    cold = Vault.of(vault.tenant, aws_server, vault.kms_key_id)
    cold.kms.is_down = True

    contents = [await cold.contents(ids) for _ in range(5)]

    assert contents == [[UNREADABLE_TEXT, UNREADABLE_TEXT]] * 5
    assert len(cold.kms.unwrapped) == 1


async def test_a_kms_that_hangs_keeps_no_thread_that_texts_are_opened_on() -> None:
    """However many organizations wait for their keys."""
    waiting: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: waiting.append(writer), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    credentials = AwsCredentials("local", "local", "")
    service = JsonService("KMS", "kms", "TrentService", credentials, SystemClock(), f"http://127.0.0.1:{port}")
    calls = [asyncio.ensure_future(service.call("Decrypt", {}, arn=ANY_KEY, seconds=60)) for _ in range(40)]
    while not waiting:
        await asyncio.sleep(0.01)

    async with asyncio.timeout(30):
        opened_meanwhile = await asyncio.to_thread(lambda: "opened")

    assert opened_meanwhile == "opened"
    assert not any(call.done() for call in calls)
    server.close()
    while not all(call.done() for call in calls):
        for writer in waiting:
            writer.transport.abort()
        await asyncio.sleep(0.01)
    assert {type(call.exception()) for call in calls} == {StoreUnavailable}


async def test_turning_it_on_seals_what_was_stored_before_in_every_status(
    tenant: Tenant, aws_server: AwsServer, observer: AsyncConnection[Any]
) -> None:
    contents = [f"Fact number {number} about the building." for number in range(250)]
    ids = await tenant.remember_texts(*contents, summary="A summary", context="A context")
    await observer.execute("UPDATE memories SET status = 'deleted' WHERE memory_id = %s", [ids[0]])
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()

    progress = await vault.encryption.advance(tenant.org_id, until=math.inf)

    assert (progress.version, progress.left, progress.finished) == (1, 0, True)
    cursor = await observer.execute(
        "SELECT count(*) FILTER (WHERE key_version = 1), count(content), count(summary), count(context) "
        "FROM memories WHERE org_id = %s",
        [tenant.org_id],
    )
    assert await cursor.fetchone() == (250, 0, 0, 0)
    assert await vault.contents(ids[1:3]) == contents[1:3]


async def test_equal_text_is_still_a_duplicate_after_encryption_was_turned_on(
    tenant: Tenant, aws_server: AwsServer
) -> None:
    (before,) = await tenant.remember_texts(COFFEE)
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()

    (result,) = await tenant.remember(*await sealed(vault.ring, tenant.org_id, [tenant.write(COFFEE)]))

    assert (result.status, result.memory_id) == ("duplicate", before)


async def test_a_rotation_that_was_cut_off_goes_on_and_retires_the_old_key_when_nothing_is_left(vault: Vault) -> None:
    org_id = vault.tenant.org_id
    ids = await vault.remember_texts(*(f"Fact number {number} about the building." for number in range(250)))
    await vault.encryption.rotate(org_id, vault.kms_key_id)

    first = await vault.encryption.advance(org_id, until=-math.inf)
    again = await vault.encryption.rotate(org_id, vault.kms_key_id)
    mixed = await vault.contents(ids[::50])
    done = await vault.encryption.catch_up(until=math.inf)
    keys = await vault.keys.of(org_id)

    assert (first.left, first.finished) == (150, False)
    assert again.newest == 2
    assert UNREADABLE_TEXT not in mixed
    assert not any(done.values())
    assert [(key.version, key.retired_at is None) for key in keys] == [(1, False), (2, True)]
    assert await vault.contents(ids[::50]) == mixed


async def test_a_key_that_kms_refuses_keeps_no_other_organization_waiting(
    vault: Vault, stranger: Tenant, aws_server: AwsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Vault.of(stranger, aws_server, await new_kms_key(aws_server))
    await other.turn_on()
    for one in (vault, other):
        await one.remember_texts(COFFEE)
        await one.encryption.rotate(one.tenant.org_id, one.kms_key_id)
    advance = Encryption.advance

    async def refused(self: Encryption, org_id: UUID, *, until: float) -> EncryptionProgress:
        if org_id == vault.tenant.org_id:
            raise StoreUnavailable("KMS refuses the key", cause="DisabledException")
        return await advance(self, org_id, until=until)

    monkeypatch.setattr(Encryption, "advance", refused)
    done = await vault.encryption.catch_up(until=math.inf)

    states = [await one.keys.state(one.tenant.org_id) for one in (vault, other)]
    assert done == {"encryptions_failed": 1}
    assert [(state.left, state.older) for state in states if state is not None] == [(1, 1), (0, 0)]


async def _turns(vault: Vault) -> list[tuple[int | None, tuple[str, str | None] | None]]:
    """Of each turn the version of its key, and what it says and who, opened."""
    rows = await vault.tenant.fetch(
        "SELECT memory_id, sealed, key_version FROM conversation_turns ORDER BY conversation_id, number"
    )
    opened = await vault.ring.open(vault.tenant.org_id, [Sealed(row[0], TURN, bytes(row[1])) for row in rows if row[1]])
    texts = iter(opened.values)
    return [(row[2], decode_text(value) if row[1] and (value := next(texts)) else None) for row in rows]


async def test_turns_of_conversations_are_sealed_and_rotated_and_none_keeps_a_retired_key(
    tenant: Tenant, aws_server: AwsServer
) -> None:
    said = [f"Turn number {number}." for number in range(120)]
    await converse(tenant, *said, user_id="ann")
    await tenant.remember_texts(COFFEE)
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    first = await vault.encryption.advance(tenant.org_id, until=math.inf)
    sealed_first = await _turns(vault)
    in_clear = await tenant.fetch("SELECT count(content), count(speaker) FROM conversation_turns")

    await vault.encryption.rotate(tenant.org_id, vault.kms_key_id)
    cut_off = await vault.encryption.advance(tenant.org_id, until=-math.inf)
    second = await vault.encryption.advance(tenant.org_id, until=math.inf)

    assert (first.left, first.finished, in_clear) == (0, True, [(0, 0)])
    assert sealed_first == [(1, (text, "ann")) for text in said]
    assert (cut_off.left, cut_off.finished) == (21, False)
    assert (second.left, second.finished) == (0, True)
    assert await _turns(vault) == [(2, (text, "ann")) for text in said]
    assert [key.retired_at is None for key in await vault.keys.of(tenant.org_id)] == [False, True]


async def test_listed_conversations_open_their_own_first_words(tenant: Tenant, aws_server: AwsServer) -> None:
    said = {name: f"I am {name}." for name in ("ann", "ben")}
    for name, text in said.items():
        await converse(tenant, text, "Noted.", user_id=name, session_id=name)
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    await vault.encryption.advance(tenant.org_id, until=math.inf)
    reader = ConversationReader(PostgresConversations(tenant.database), vault.ring)

    listed = await reader.list(replace(tenant.principal, sees_all=True), ConversationListing(limit=5))

    assert {one.user_id: [turn.text for turn in one.turns] for one in listed} == {
        name: [text] for name, text in said.items()
    }


async def test_turns_without_text_hold_up_no_rotation(vault: Vault) -> None:
    tenant = vault.tenant
    conversation = await converse(tenant, "I moved to Lisbon.", state="kept")
    await stored_at(tenant, conversation, SystemClock().now() - timedelta(days=31))
    await vault.encryption.advance(tenant.org_id, until=math.inf)
    await PostgresUpkeep(tenant.database).forget(tenant.org_id, SystemClock().now(), 10)
    await vault.encryption.rotate(tenant.org_id, vault.kms_key_id)

    progress = await vault.encryption.advance(tenant.org_id, until=math.inf)

    assert (progress.left, progress.finished) == (0, True)
    assert await tenant.fetch("SELECT key_version, sealed, content FROM conversation_turns") == [(None, None, None)]


async def test_a_turn_does_not_open_as_the_memory_that_is_made_of_it(vault: Vault) -> None:
    await converse(vault.tenant, "I moved to Lisbon.")
    await vault.encryption.advance(vault.tenant.org_id, until=math.inf)
    ((memory_id, sealed_turn),) = await vault.tenant.fetch("SELECT memory_id, sealed FROM conversation_turns")

    opened = await vault.ring.open(vault.tenant.org_id, [Sealed(memory_id, TEXT, bytes(sealed_turn))])

    assert (opened.values, opened.causes) == ([None], ["InvalidTag"])


async def test_a_text_that_does_not_open_keeps_its_key_and_holds_up_no_other(
    vault: Vault, observer: AsyncConnection[Any]
) -> None:
    org_id = vault.tenant.org_id
    ids = await vault.remember_texts(COFFEE, LIFT)
    await observer.execute("UPDATE memories SET sealed = sealed || 'x'::bytea WHERE memory_id = %s", [ids[0]])
    await vault.encryption.rotate(org_id, vault.kms_key_id)

    progress = await vault.encryption.advance(org_id, until=math.inf)

    assert (progress.left, progress.unreadable, progress.finished) == (1, 1, False)
    assert [key.retired_at for key in await vault.keys.of(org_id)] == [None, None]
    assert await vault.contents(ids) == [UNREADABLE_TEXT, LIFT]


async def test_a_retired_key_still_opens_what_caches_hold_until_it_is_destroyed(vault: Vault) -> None:
    org_id = vault.tenant.org_id
    (memory_id,) = await vault.remember_texts(COFFEE)
    cached = await vault.reader.memories.get(vault.tenant.principal, memory_id)
    await vault.encryption.rotate(org_id, vault.kms_key_id)
    await vault.encryption.advance(org_id, until=math.inf)
    assert cached is not None

    before = await opened(vault.ring, org_id, [cached.memory])
    destroyed = await vault.keys.destroy(org_id, vault.clock.now() + timedelta(days=1))
    vault.ring.forget(org_id)
    after = await opened(vault.ring, org_id, [cached.memory])

    assert [memory.content for memory in before.memories] == [COFFEE]
    assert destroyed == 1
    assert (after.memories[0].content, list(after.causes)) == (UNREADABLE_TEXT, ["UnknownKeyVersion"])
    assert await vault.content(memory_id) == COFFEE


async def test_text_can_be_stored_under_the_newest_key_only(vault: Vault, aws_server: AwsServer) -> None:
    """By an instance too that has not heard of the rotation: it is told, and seals again."""
    stale = Vault.of(vault.tenant, aws_server, vault.kms_key_id)
    await stale.remember_texts(COFFEE)
    await vault.encryption.rotate(vault.tenant.org_id, vault.kms_key_id)
    write = vault.tenant.write(LIFT)

    with pytest.raises(StaleDataKey) as raised:
        await vault.tenant.remember(*await sealed(stale.ring, vault.tenant.org_id, [write]))
    again = await sealed(stale.ring, vault.tenant.org_id, [write], version=raised.value.version)
    (result,) = await vault.tenant.remember(*again)

    assert raised.value.version == 2
    assert result.status == "accepted"


async def test_a_write_is_sealed_again_however_fast_rotations_follow_each_other(
    vault: Vault, aws_server: AwsServer
) -> None:
    stale = Vault.of(vault.tenant, aws_server, vault.kms_key_id)
    await stale.remember_texts(COFFEE)
    attempts = 0

    async def store(writes: Sequence[MemoryWrite]) -> Sequence[WriteResult]:
        nonlocal attempts
        attempts += 1
        if attempts <= 3:
            await vault.encryption.rotate(vault.tenant.org_id, vault.kms_key_id)
            await vault.encryption.advance(vault.tenant.org_id, until=math.inf)
        return await vault.tenant.remember(*writes)

    deriver = Deriver(TiktokenCounter(MODELS), SnowballStemmer(), stale.ring)
    (result,) = await deriver.stored(vault.tenant.org_id, [vault.tenant.write(LIFT)], store)

    assert attempts == 4
    assert result.status == "accepted"


async def test_data_keys_move_to_another_kms_key_without_touching_any_text(vault: Vault, aws_server: AwsServer) -> None:
    ids = await vault.remember_texts(COFFEE, LIFT)
    new_key = await new_kms_key(aws_server)

    versions = await vault.encryption.rewrap(vault.tenant.org_id, new_key)

    cold = Vault.of(vault.tenant, aws_server, new_key)
    assert versions == 1
    assert [key.kms_key_id for key in await vault.keys.of(vault.tenant.org_id)] == [new_key]
    assert await cold.contents(ids) == [COFFEE, LIFT]


async def test_reads_and_writes_go_on_while_the_key_turns_over(vault: Vault, aws_server: AwsServer) -> None:
    """Through two instances that learn of the new key by themselves."""
    org_id = vault.tenant.org_id
    ids = await vault.remember_texts(*(f"Fact number {number} about the building." for number in range(300)))
    instances = [Vault.of(vault.tenant, aws_server, vault.kms_key_id) for _ in range(2)]
    running = True
    seen: list[str] = []

    async def read(instance: Vault) -> None:
        while running:
            listing = Listing(vault.tenant.agent_id, limit=50)
            seen.extend(one.memory.content for one in await instance.reader.list(vault.tenant.principal, listing))

    async def write(instance: Vault) -> None:
        number = 0
        while running:
            number += 1
            text = vault.tenant.write(f"Written meanwhile: {number}, {id(instance)}")
            try:
                await vault.tenant.remember(*await sealed(instance.ring, org_id, [text]))
            except StaleDataKey as stale:
                await vault.tenant.remember(*await sealed(instance.ring, org_id, [text], version=stale.version))

    work = [asyncio.ensure_future(each(instance)) for instance in instances for each in (read, write)]
    try:
        for _ in range(2):
            await vault.encryption.rotate(org_id, vault.kms_key_id)
            while not (await vault.encryption.advance(org_id, until=-math.inf)).finished:
                await asyncio.sleep(0)
    finally:
        running = False
        await asyncio.gather(*work)

    state = await vault.keys.state(org_id)
    assert state is not None
    assert (state.newest, state.older, state.left) == (3, 0, 0)
    assert len(seen) > 100
    assert [text for text in seen if text == UNREADABLE_TEXT] == []
    assert UNREADABLE_TEXT not in await vault.contents(ids[::60])


async def test_opening_many_large_texts_leaves_the_event_loop_to_others(vault: Vault) -> None:
    ids = await vault.remember_texts(*(f"{number} " + "x" * 8000 for number in range(40)))
    listing = Listing(vault.tenant.agent_id, limit=100)
    stored = await vault.reader.memories.list(vault.tenant.principal, listing)
    turns = 0

    opening = asyncio.ensure_future(opened(vault.ring, vault.tenant.org_id, [one.memory for one in stored]))
    while not opening.done():
        turns += 1
        await asyncio.sleep(0)

    assert len(opening.result().memories) == len(ids)
    # Done on the loop it would take three turns.
    assert turns > 5
