"""Text under an organization's data key: what is stored, what opens it, and what does not."""

import asyncio
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import AsyncConnection

from local.servers import AwsServer
from remembrancer.adapters.keyring import KeyRing
from remembrancer.adapters.postgres.identity import PostgresDirectory
from remembrancer.domain.sealing import REDACTED, TEXT, Plain, Sealed
from remembrancer.errors import StaleDataKey, StoreUnavailable
from remembrancer.usecases.sealing import opened
from tests.integration.engine.encryption import Vault, new_kms_key
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

    assert await vault.contents(ids) == [REDACTED, LIFT, REDACTED, "Ada prefers tea."]


async def test_the_context_of_a_memory_is_not_its_text(vault: Vault, observer: AsyncConnection[Any]) -> None:
    (memory_id,) = await vault.remember_texts(COFFEE, context=LIFT)
    await observer.execute("UPDATE memories SET sealed = sealed_context WHERE memory_id = %s", [memory_id])

    stored = await vault.reader.get(vault.tenant.principal, memory_id)

    assert stored is not None
    assert (stored.memory.content, stored.context) == (REDACTED, LIFT)


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
    cold = KeyRing(vault.keys, vault.kms, vault.clock)
    vault.kms.unwrapped.clear()
    found = [await vault.reader.memories.get(vault.tenant.principal, identifier) for identifier in ids]
    memories = [stored.memory for stored in found if stored]

    answers = await asyncio.gather(*(opened(cold, vault.tenant.org_id, memories) for _ in range(20)))

    assert {tuple(memory.content for memory in answer.memories) for answer in answers} == {(COFFEE, LIFT)}
    assert len(vault.kms.unwrapped) == 1
