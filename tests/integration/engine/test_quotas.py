"""How much an organization may store: never more, whoever else is writing, and again when something has gone."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from local.servers import PostgresServer
from local.servers.postgres import SUPERUSER
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.identity.api_keys import PostgresApiKeys
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.postgres.upkeep import DELETED_KEPT, PostgresUpkeep
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.memories.prepared_write import MemoryWrite, Revision
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.requests import idempotency as requests
from remembrancer.errors import QuotaExceeded, RequestError
from tests.integration.engine.tenant import Tenant


async def stored(tenant: Tenant) -> int:
    """As it is counted by the store."""
    return int((await tenant.fetch("SELECT coalesce(sum(texts), 0)::bigint FROM stored_texts"))[0][0])


async def found(tenant: Tenant) -> int:
    """As it is."""
    return int((await tenant.fetch("SELECT coalesce(sum(version), 0)::bigint FROM memories"))[0][0])


async def statuses(memories: PostgresMemories, tenant: Tenant, *writes: MemoryWrite) -> list[str]:
    report = await memories.write(tenant.principal, dict(enumerate(writes)))
    return [report.results[position].status for position in range(len(writes))]


async def revised(life: PostgresMemoryLife, tenant: Tenant, memory_id: UUID, text: str) -> str:
    seen = await PostgresMemories(tenant.database).get(tenant.principal, memory_id)
    assert seen is not None
    write = replace(tenant.write(text), memory_id=memory_id)
    return (await life.revise(tenant.principal, Revision(seen, write, "active", text_changed=True))).status


async def configure(tenant: Tenant, **quotas: int) -> None:
    async with tenant.database.transaction(tenant.org_id) as transaction:
        settings = json.dumps({"quotas": quotas})
        await transaction.execute("UPDATE organizations SET settings = settings || %s::jsonb", [settings])


async def test_a_batch_is_written_as_far_as_there_is_room_and_says_which_not(tenant: Tenant) -> None:
    memories = PostgresMemories(tenant.database, Quotas(memories=3))
    first = await statuses(memories, tenant, tenant.write("One"), tenant.write("Two"))

    more = await statuses(memories, tenant, tenant.write("Two"), *(tenant.write(f"Number {n}") for n in range(3)))

    assert first == ["accepted"] * 2
    assert more == ["duplicate", "accepted", "quota_exceeded", "quota_exceeded"]
    assert await statuses(memories, tenant, tenant.write("Number 0")) == ["duplicate"]
    assert await stored(tenant) == await found(tenant) == 3


async def test_writers_at_the_same_time_share_what_room_there_is(tenant: Tenant) -> None:
    memories = PostgresMemories(tenant.database, Quotas(memories=7))
    other = await tenant.with_agent("other")

    answers = await asyncio.gather(
        *(
            statuses(memories, one, *(one.write(f"Number {number} {n}") for n in range(3)))
            for number in range(6)
            for one in (tenant, other)
        )
    )

    said = [status for answer in answers for status in answer]
    assert (said.count("accepted"), said.count("quota_exceeded")) == (7, 29)
    assert await stored(tenant) == await found(tenant) == 7


async def test_a_repeated_request_is_answered_as_before_though_there_is_no_room(tenant: Tenant) -> None:
    memories = PostgresMemories(tenant.database, Quotas(memories=1))
    writes = {0: tenant.write("One"), 1: tenant.write("Two")}
    once = requests.parse("key", tenant.principal, method="POST", path="/", body=b"")

    first = await memories.write(tenant.principal, writes, once=once)
    again = await memories.write(tenant.principal, writes, once=once)

    assert [result.status for result in first.results.values()] == ["accepted", "quota_exceeded"]
    assert {at: (one.memory_id, one.status) for at, one in again.results.items()} == {
        at: (one.memory_id, one.status) for at, one in first.results.items()
    }
    assert await stored(tenant) == 1


async def test_a_request_that_found_no_room_has_not_used_its_key(tenant: Tenant) -> None:
    once = requests.parse("key", tenant.principal, method="POST", path="/", body=b"")
    writes = {0: tenant.write("One")}
    await statuses(PostgresMemories(tenant.database), tenant, tenant.write("Zero"))

    refused = await PostgresMemories(tenant.database, Quotas(memories=1)).write(tenant.principal, writes, once=once)
    later = await PostgresMemories(tenant.database).write(tenant.principal, writes, once=once)

    assert refused.results[0].status == "quota_exceeded"
    assert later.results[0].status == "accepted"


async def test_each_text_that_is_kept_of_a_memory_counts(tenant: Tenant) -> None:
    (memory_id,) = await tenant.remember_texts("One")
    life = PostgresMemoryLife(tenant.database, Quotas(memories=2))

    first = await revised(life, tenant, memory_id, "One, and more")
    with pytest.raises(QuotaExceeded) as refused:
        await revised(life, tenant, memory_id, "One, and even more")

    assert first == "done"
    assert (refused.value.status, refused.value.code, list(refused.value.fields)) == (
        403,
        "quota_exceeded",
        ["memories"],
    )
    assert await stored(tenant) == await found(tenant) == 2


async def test_what_is_removed_for_good_makes_room(tenant: Tenant) -> None:
    one, two = await tenant.remember_texts("One", "Two")
    life, now = PostgresMemoryLife(tenant.database), SystemClock().now()
    await revised(life, tenant, one, "One, and more")
    await life.forget(tenant.principal, one, now - DELETED_KEPT - timedelta(minutes=1))
    await life.forget(tenant.principal, two, now)

    before = await stored(tenant)
    await PostgresUpkeep(tenant.database).forget(tenant.org_id, now, 100)

    # A deleted memory can be restored for a while, and counts until then.
    assert (before, await stored(tenant), await found(tenant)) == (3, 1, 1)


async def test_an_organizations_own_quotas_count_instead_of_the_deployments(tenant: Tenant, stranger: Tenant) -> None:
    memories = PostgresMemories(tenant.database, Quotas(memories=1, agents=1))
    directory = PostgresDirectory(tenant.database, quotas=Quotas(agents=1))
    await configure(tenant, memories=2, agents=0)

    own = await statuses(memories, tenant, *(tenant.write(f"Number {n}") for n in range(3)))
    others = await statuses(memories, stranger, *(stranger.write(f"Number {n}") for n in range(3)))
    agents = [await directory.create(tenant.principal, uuid4(), f"agent {n}") for n in range(3)]

    assert own == ["accepted", "accepted", "quota_exceeded"]
    assert others == ["accepted", "quota_exceeded", "quota_exceeded"]
    assert None not in agents
    with pytest.raises(QuotaExceeded):
        await directory.create(stranger.principal, uuid4(), "another")


@pytest.mark.parametrize("kind", ["agents", "directives", "keys"])
async def test_of_agents_directives_and_keys_nobody_gets_more_than_the_quota(tenant: Tenant, kind: str) -> None:
    """The tenant has an agent and a key already."""
    directory = PostgresDirectory(tenant.database, quotas=Quotas(agents=5, directives=4))
    keys = PostgresApiKeys(tenant.database, Quotas(keys=5))

    async def add(number: int) -> str:
        try:
            if kind == "agents":
                await directory.create(tenant.principal, uuid4(), f"agent {number}")
            elif kind == "directives":
                await directory.put_directive(tenant.org_id, tenant.agent_id, f"Say {number}.", "system_first")
            else:
                await keys.create(tenant.principal, uuid4(), uuid4().bytes * 2, KeyRequest("key", ("query",)))
        except RequestError as error:
            return f"{error.status} {error.code} {', '.join(error.fields)}"
        return "added"

    said = await asyncio.gather(*(add(number) for number in range(9)))

    assert sorted(said) == [f"403 quota_exceeded {kind}"] * 5 + ["added"] * 4


async def test_a_key_or_an_agent_that_was_made_once_is_answered_again_at_the_quota(tenant: Tenant) -> None:
    directory = PostgresDirectory(tenant.database, quotas=Quotas(agents=2))
    once = requests.parse("key", tenant.principal, method="POST", path="/", body=b"")

    made, again = [await directory.create(tenant.principal, uuid4(), "another", once=once) for _ in range(2)]

    assert made == again is not None


BEFORE_QUOTAS = 16


async def test_an_organization_of_before_has_its_texts_counted_by_the_migration(
    empty_url: str, postgres_server: PostgresServer, empty: str
) -> None:
    await migrate(empty_url, packaged()[:BEFORE_QUOTAS])
    org_id, agent_id, lone = uuid4(), uuid4(), uuid4()
    with psycopg.connect(empty_url) as connection:
        for one in (org_id, lone):
            connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(one)])
            connection.execute("INSERT INTO organizations (org_id, name, term_key) VALUES (%s, 'o', 'k')", [one])
        connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(org_id)])
        connection.execute("INSERT INTO projects VALUES (%s, 'p', 'p')", [org_id])
        connection.execute(
            "INSERT INTO agents (agent_id, org_id, project_id, environment, name) VALUES (%s, %s, 'p', 'production', "
            "'a')",
            [agent_id, org_id],
        )
        connection.execute(
            "INSERT INTO memories (memory_id, org_id, project_id, environment, agent_id, content, category, source, "
            "confidence, importance, quality, content_sha256, tokens_o200k, tokens_cl100k, created_at, version) "
            "SELECT gen_random_uuid(), %s, 'p', 'production', %s, 'n', 'factual', 'extracted', 1, 1, 1, "
            "sha256(n::text::bytea), 1, 1, now(), n FROM generate_series(1, 4) n",
            [org_id, agent_id],
        )

    await migrate(empty_url, packaged())

    with psycopg.connect(postgres_server.url(SUPERUSER, empty)) as connection:
        counted = connection.execute("SELECT org_id, texts FROM stored_texts").fetchall()
        connection.execute("DELETE FROM memories WHERE version IN (1, 4)")
        left = connection.execute("SELECT texts FROM stored_texts WHERE org_id = %s", [org_id]).fetchall()
    assert dict(counted) == {org_id: 10, lone: 0}
    assert left == [(5,)]
