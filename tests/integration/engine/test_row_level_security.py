"""Nobody sees another organization's rows: attacked table by table, as the catalogue lists them."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier

from local.servers import PostgresServer
from remembrancer.adapters.postgres.identity.directory import PostgresCredentials
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from tests.integration.engine.every_table import furnish
from tests.integration.engine.tenant import Tenant

# The runner's own: it belongs to the database, and the functions' role may not read it at all.
OF_THE_DEPLOYMENT = {"schema_migrations", "embedding_models"}
"""Nothing of an organization is in these: the runner's own, and names of models."""

_TABLES = """
    SELECT relname, relispartition, relrowsecurity, relforcerowsecurity FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'm', 'v', 'f') ORDER BY relname"""


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    is_partition: bool
    secured: bool
    forced: bool


@pytest.fixture
async def tables(observer: AsyncConnection[Any]) -> list[Table]:
    """Everything that holds or shows rows of organizations."""
    cursor = await observer.execute(_TABLES)
    return [Table(*row) for row in await cursor.fetchall() if row[0] not in OF_THE_DEPLOYMENT]


@pytest.fixture
def names(tables: list[Table]) -> list[str]:
    """Tables that the functions name; partitions are read through their parent."""
    return [table.name for table in tables if not table.is_partition]


@pytest.fixture
async def app(migrated: PostgresServer, tenant: Tenant, stranger: Tenant) -> AsyncConnection[Any]:
    """The functions' role; two organizations have rows in every table. To be closed by the test's `async with`."""
    await furnish(tenant)
    await furnish(stranger)
    return await AsyncConnection.connect(migrated.app_url)


async def act_for(connection: AsyncConnection[Any], org_id: UUID) -> None:
    await connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(org_id)])


async def owners_of(connection: AsyncConnection[Any], table: str) -> list[UUID]:
    """The organization of each row that a statement without a condition gets."""
    cursor = await connection.execute(SQL("SELECT org_id FROM {}").format(Identifier(table)))
    return [row[0] for row in await cursor.fetchall()]


def test_every_table_and_every_partition_forces_row_level_security(tables: list[Table]) -> None:
    unprotected = [table.name for table in tables if not (table.secured and table.forced)]

    assert [table.name for table in tables if table.is_partition]
    assert unprotected == []


async def test_every_table_names_the_organization_of_its_rows_and_never_leaves_it_open(
    names: list[str], observer: AsyncConnection[Any]
) -> None:
    cursor = await observer.execute(
        "SELECT table_name FROM information_schema.columns "
        "WHERE table_schema = 'public' AND column_name = 'org_id' AND is_nullable = 'NO' AND data_type = 'uuid'"
    )

    assert {row[0] for row in await cursor.fetchall()} >= set(names)


async def test_without_an_organization_no_table_shows_a_row(names: list[str], app: AsyncConnection[Any]) -> None:
    async with app:
        visible = {name: await owners_of(app, name) for name in names}

        assert visible == {name: [] for name in names}


@pytest.mark.parametrize("setting", ["", "00000000-0000-0000-0000-000000000000"])
async def test_an_empty_or_unknown_organization_sees_nothing(
    names: list[str], app: AsyncConnection[Any], setting: str
) -> None:
    async with app:
        await app.execute("SELECT set_config('remembrancer.org_id', %s, true)", [setting])

        visible = {name: await owners_of(app, name) for name in names}

        assert visible == {name: [] for name in names}


async def test_a_statement_without_a_condition_sees_only_its_own_organization(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant, observer: AsyncConnection[Any], stranger: Tenant
) -> None:
    async with app:
        await act_for(app, tenant.org_id)

        for name in names:
            everything = await owners_of(observer, name)
            assert {tenant.org_id, stranger.org_id} <= set(everything), f"this test needs rows in {name}"
            assert set(await owners_of(app, name)) == {tenant.org_id}, name


async def test_the_searches_themselves_find_nothing_foreign_without_their_condition(
    app: AsyncConnection[Any], tenant: Tenant, stranger: Tenant
) -> None:
    """As if somebody forgot the organization in the query: the agent named is another's, and it is there."""
    async with app:
        query = (
            "SELECT m.content FROM memories m JOIN memory_vectors v USING (memory_id) "
            "WHERE v.agent_id = %s ORDER BY v.embedding <=> v.embedding LIMIT 10"
        )
        await act_for(app, stranger.org_id)
        own = await (await app.execute(query, [stranger.agent_id])).fetchall()
        await act_for(app, tenant.org_id)
        foreign = await (await app.execute(query, [stranger.agent_id])).fetchall()

        assert own != []
        assert foreign == []


async def test_the_setting_ends_with_its_transaction(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant
) -> None:
    async with app:
        await act_for(app, tenant.org_id)
        await app.commit()

        assert {name: await owners_of(app, name) for name in names} == {name: [] for name in names}


async def test_the_owner_is_bound_too(
    migrated: PostgresServer, names: list[str], app: AsyncConnection[Any], tenant: Tenant
) -> None:
    await app.close()
    async with await AsyncConnection.connect(migrated.owner_url) as owner:
        before = {name: await owners_of(owner, name) for name in names}
        await act_for(owner, tenant.org_id)
        after = {name: set(await owners_of(owner, name)) for name in names}

    assert before == {name: [] for name in names}
    assert after == {name: {tenant.org_id} for name in names}


async def test_a_row_of_another_organization_cannot_be_inserted(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant, stranger: Tenant, observer: AsyncConnection[Any]
) -> None:
    async with app:
        for name in names:
            cursor = await observer.execute(
                SQL("SELECT to_jsonb(t)::text FROM {} t WHERE org_id = %s LIMIT 1").format(Identifier(name)),
                [stranger.org_id],
            )
            row = await cursor.fetchone()
            assert row is not None
            await act_for(app, tenant.org_id)

            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
                await app.execute(
                    SQL("INSERT INTO {0} SELECT * FROM jsonb_populate_record(NULL::{0}, %s::jsonb)").format(
                        Identifier(name)
                    ),
                    [row[0]],
                )
            await app.rollback()


async def test_a_row_cannot_be_handed_to_another_organization(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant, stranger: Tenant
) -> None:
    async with app:
        for name in names:
            await act_for(app, tenant.org_id)

            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
                await app.execute(SQL("UPDATE {} SET org_id = %s").format(Identifier(name)), [stranger.org_id])
            await app.rollback()


async def test_changes_without_a_condition_reach_only_the_own_rows(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant, stranger: Tenant, observer: AsyncConnection[Any]
) -> None:
    async with app:
        for name in names:
            own = (await owners_of(observer, name)).count(tenant.org_id)
            await act_for(app, tenant.org_id)
            updated = await app.execute(SQL("UPDATE {} SET org_id = org_id").format(Identifier(name)))
            deleted = await app.execute(SQL("DELETE FROM {}").format(Identifier(name)))
            assert (updated.rowcount, deleted.rowcount) == (own, own), name
            await app.rollback()


async def test_every_reference_between_rows_names_the_organization_on_both_sides(
    observer: AsyncConnection[Any],
) -> None:
    cursor = await observer.execute(
        "SELECT c.conname, ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.conrelid "
        "       AND attnum = ANY(c.conkey)), "
        "       ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.confrelid AND attnum = ANY(c.confkey)) "
        "FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace"
    )
    found = await cursor.fetchall()

    assert len(found) > 10
    assert [name for name, own, other in found if "org_id" not in own or "org_id" not in other] == []


async def test_a_row_cannot_refer_to_another_organizations(
    app: AsyncConnection[Any], tenant: Tenant, stranger: Tenant, observer: AsyncConnection[Any]
) -> None:
    """Even by who is bound by no policy."""
    await app.close()
    theirs = "(SELECT memory_id FROM memories WHERE agent_id = %(agent)s LIMIT 1)"
    for statement in (
        "UPDATE directives SET agent_id = %(agent)s, active = false, version = 9 WHERE org_id = %(org)s",
        f"UPDATE memory_relations SET to_memory_id = {theirs} WHERE org_id = %(org)s",
        f"UPDATE memories SET supersedes = {theirs} WHERE org_id = %(org)s",
        "UPDATE conversations SET agent_id = %(agent)s, session_id = 'another' WHERE org_id = %(org)s",
        "UPDATE conversation_turns SET number = number + 9, fingerprint = 'other', conversation_id = "
        "(SELECT conversation_id FROM conversations WHERE agent_id = %(agent)s) WHERE org_id = %(org)s",
    ):
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            await observer.execute(statement, {"org": tenant.org_id, "agent": stranger.agent_id})


async def test_naming_the_other_organization_in_the_condition_finds_nothing(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant, stranger: Tenant
) -> None:
    async with app:
        await act_for(app, tenant.org_id)
        for name in names:
            query = SQL("SELECT count(*) FROM {} WHERE org_id = %s").format(Identifier(name))
            cursor = await app.execute(query, [stranger.org_id])
            assert await cursor.fetchall() == [(0,)], name


async def test_a_presented_key_shows_exactly_its_own_row(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant
) -> None:
    async with app:
        await app.execute("SELECT set_config('remembrancer.key_sha256', %s, true)", [tenant.key_sha256.hex()])

        visible = {name: await owners_of(app, name) for name in names}
        changed = await app.execute("UPDATE api_keys SET revoked_at = now()")

        assert visible == {name: [tenant.org_id] if name == "api_keys" else [] for name in names}
        assert changed.rowcount == 0


async def test_a_key_that_nobody_has_shows_nothing(tenant: Tenant) -> None:
    assert await PostgresCredentials(tenant.database).resolve(uuid4().bytes * 2) is None


async def test_a_known_key_gives_its_principal_and_a_revoked_one_nothing(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    credentials = PostgresCredentials(tenant.database)

    before = await credentials.resolve(tenant.key_sha256)
    await observer.execute("UPDATE api_keys SET revoked_at = now() WHERE key_sha256 = %s", [tenant.key_sha256])
    after = await credentials.resolve(tenant.key_sha256)

    assert before == replace(tenant.principal, sees_all=False)
    assert after is None


async def test_maintenance_sees_organizations_and_nothing_else(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant, stranger: Tenant
) -> None:
    async with app:
        await app.execute("SELECT set_config('remembrancer.maintenance', 'on', true)")

        visible = {name: await owners_of(app, name) for name in names}
        changed = await app.execute("UPDATE organizations SET name = 'changed'")

        assert {tenant.org_id, stranger.org_id} <= set(visible.pop("organizations"))
        assert not any(visible.values())
        assert changed.rowcount == 0


async def test_a_worker_sees_messages_of_queues_and_nothing_else(
    names: list[str], app: AsyncConnection[Any], tenant: Tenant, stranger: Tenant
) -> None:
    async with app:
        await app.execute("SELECT set_config('remembrancer.worker', 'on', true)")

        visible = {name: await owners_of(app, name) for name in names}

        assert {tenant.org_id, stranger.org_id} <= set(visible.pop("queue_messages"))
        assert not any(visible.values())


async def test_maintenance_lists_every_organization(tenant: Tenant, stranger: Tenant) -> None:
    listed = await PostgresUpkeep(tenant.database).organizations()

    due = [visit.due_at for visit in listed]
    assert {tenant.org_id, stranger.org_id} <= {visit.org_id for visit in listed}
    assert due == sorted(due)


async def test_a_setting_does_not_stay_with_a_pooled_connection(tenant: Tenant, stranger: Tenant) -> None:
    await PostgresUpkeep(tenant.database).organizations()
    await PostgresCredentials(tenant.database).resolve(tenant.key_sha256)

    counts = await tenant.database.read(
        None, ("SELECT count(*) FROM organizations", ()), ("SELECT count(*) FROM api_keys", ())
    )
    (own,) = await tenant.database.read(stranger.org_id, ("SELECT org_id FROM organizations", ()))

    assert counts == [[(0,)], [(0,)]]
    assert own == [(stranger.org_id,)]
