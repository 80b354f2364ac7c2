"""The audit trail: every acknowledged change is in it once, and whoever changes it is found."""

import asyncio
import json
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.encryption.signatures import is_signed, signer
from remembrancer.adapters.postgres.audit.trail import PostgresAuditTrail
from remembrancer.adapters.postgres.erasure.erasures import PostgresErasures
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.audit import chain
from remembrancer.domain.audit.chain import Verdict
from remembrancer.domain.erasure.erasure import Asking
from remembrancer.domain.identity.scope import Principal
from remembrancer.errors import AuditTrailChanged
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.audit.auditor import Auditor
from remembrancer.usecases.upkeep.maintenance import RunLimits
from tests.builders import NOW, SetClock
from tests.integration.engine.conversations import converse
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import Tenant
from tests.integration.engine.workers import maintenance

Line = dict[str, Any]


def auditor(tenant: Tenant) -> Auditor:
    return Auditor(PostgresAuditTrail(tenant.database), PostgresDirectory(tenant.database), signer, SystemClock())


async def exported(tenant: Tenant, *, limit: int = 1000, principal: Principal | None = None) -> list[str]:
    """Every page, with whatever waits linked before."""
    lines: list[str] = []
    after = 0
    while True:
        page = await auditor(tenant).page(principal or tenant.principal, after, limit)
        lines += [json.dumps(entry) for entry in page.entries]
        if page.checkpoint is not None:
            told = {name: getattr(page.checkpoint, name) for name in page.checkpoint.__slots__}
            return [*lines, json.dumps({"checkpoint": told})]
        after = page.entries[-1]["position"]


async def entries(tenant: Tenant) -> list[Line]:
    return [json.loads(line) for line in await exported(tenant)][:-1]


def verify(lines: list[str], **options: Any) -> Verdict:
    return chain.verify(lines, is_signed, **options)


async def configure(tenant: Tenant, **settings: object) -> None:
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE organizations SET settings = settings || %s::jsonb", [json.dumps(settings)])


async def test_each_change_names_what_was_changed_and_who_has_changed_it_and_no_text_or_name(tenant: Tenant) -> None:
    """`tenant.insert` acts as a worker does."""
    life = PostgresMemoryLife(tenant.database)
    ((one,), (other,)) = [await tenant.remember_texts(text, user_id="ada") for text in ("Ada's own", "Another")]
    await life.forget(tenant.principal, one, datetime.now(UTC))
    await life.rate(replace(tenant.principal, user_id="ada"), other, uuid4(), positive=True)
    directory = PostgresDirectory(tenant.database)
    await directory.put_directive(tenant.org_id, tenant.agent_id, "Be brief", "system_first", actor="a-key")
    conversation = await converse(tenant, "Hello", "Hello yourself", user_id="ada")
    await configure(tenant, turn_days=3)
    lines = await exported(tenant)

    found = [json.loads(line) for line in lines[:-1]]
    mine = str(tenant.principal.key_id)
    told = [(one["action"], one["actor"], one.get("object")) for one in found]
    assert told == [
        ("key.created", "operator", mine),
        ("agent.created", mine, str(tenant.agent_id)),
        ("memory.created", mine, str(one)),
        ("memory.created", mine, str(other)),
        ("memory.deleted", mine, str(one)),
        ("feedback.created", mine, str(other)),
        ("directive.created", "a-key", "1"),
        ("conversation.stored", "service", str(conversation)),
        ("conversation.stored", "service", str(conversation)),
        ("organization.changed", "service", None),
    ]
    assert len({one["subject"] for one in found if "subject" in one}) == 1
    for secret in ("ada", "Ada's", "Another", "brief", "Hello"):
        assert secret not in "".join(lines)
    assert verify(lines).problems == []


async def test_uses_vectors_and_repeated_writes_are_no_changes(tenant: Tenant) -> None:
    ids = await tenant.remember_texts("One", "Two")
    ada = replace(tenant.principal, user_id="ada")
    life, directory = PostgresMemoryLife(tenant.database), PostgresDirectory(tenant.database)

    async def repeat() -> None:
        await life.rate(ada, ids[0], uuid4(), positive=True)
        await directory.set_time_zone(ada, "ada", "Europe/Paris")
        await directory.switch(tenant.principal, tenant.agent_id, capture=True)

    await repeat()
    before = await entries(tenant)

    await tenant.embed(ids)
    await tenant.remember(tenant.write("One"))
    await repeat()
    event = UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, tuple(ids), "assembly", NOW)
    await PostgresUsage(tenant.database).apply(tenant.org_id, [event])

    assert await entries(tenant) == before
    await life.rate(ada, ids[0], uuid4(), positive=False)
    assert [one["action"] for one in (await entries(tenant))[len(before) :]] == ["feedback.changed"]


async def test_a_change_that_commits_late_is_linked_behind_those_that_overtook_it_and_nothing_waits(
    tenant: Tenant,
) -> None:
    async with tenant.database.transaction(tenant.org_id) as slow:
        await slow.execute("UPDATE organizations SET memory_tokens = 5")
        async with asyncio.timeout(5):
            (overtaking,) = await tenant.remember_texts("Overtakes")
            while_open = await entries(tenant)
            await tenant.remember_texts("Not kept waiting by the linking")
    whole = await exported(tenant)

    assert while_open[-1]["object"] == str(overtaking)
    assert [json.loads(line).get("action") for line in whole[-3:-1]] == ["organization.changed", "memory.created"]
    assert verify(whole).problems == []


async def test_whatever_was_acknowledged_is_there_once_however_many_write_and_link(tenant: Tenant) -> None:
    """Writers, linkers and those whose transaction fails, all at once."""
    chance = random.Random(7)
    acknowledged: list[UUID] = []

    async def write(number: int) -> None:
        for turn in range(4):
            acknowledged.extend(await tenant.remember_texts(f"Text {number} {turn}", user_id=chance.choice(["a", "b"])))
            await asyncio.sleep(chance.random() / 100)

    async def change_nothing() -> None:
        async with tenant.database.transaction(tenant.org_id) as transaction:
            await transaction.execute("UPDATE organizations SET memory_tokens = coalesce(memory_tokens, 0) + 1")
            await transaction.execute("SELECT 1/0")

    async def fail() -> None:
        for _ in range(4):
            with pytest.raises(psycopg.errors.DivisionByZero):
                await change_nothing()

    async def link() -> None:
        for _ in range(12):
            await auditor(tenant).link(tenant.org_id, limit=chance.randrange(1, 5))

    await asyncio.gather(*(write(number) for number in range(5)), fail(), link(), link())
    lines = await exported(tenant, limit=3)

    found = [json.loads(line) for line in lines[:-1]]
    created = Counter(one["object"] for one in found if one["action"] == "memory.created")
    assert created == Counter(map(str, acknowledged))
    assert [one["position"] for one in found] == list(range(1, len(found) + 1))
    assert not [one for one in found if one["action"] == "organization.changed"]
    assert verify(lines).problems == []


TAMPERING = {
    "changed": "UPDATE audit_entries SET action = 'memory.erased' WHERE position = 4",
    "actor changed": "UPDATE audit_entries SET actor = 'another' WHERE position = 4",
    "time changed": "UPDATE audit_entries SET at = at + interval '1 hour' WHERE position = 4",
    "removed": "DELETE FROM audit_entries WHERE position = 4",
    "first removed": "DELETE FROM audit_entries WHERE position = 1",
    "end removed": "DELETE FROM audit_entries WHERE position >= 5",
    "all removed": "DELETE FROM audit_entries",
    "exchanged": """
        UPDATE audit_entries e SET action = other.action, object = other.object FROM audit_entries other
        WHERE (e.position, other.position) IN ((2, 5), (5, 2))""",
    "inserted": """
        INSERT INTO audit_entries (org_id, action, actor, position, digest, hash)
        SELECT org_id, 'memory.created', 'forged', position + 1, digest, hash FROM audit_entries
        ORDER BY position DESC LIMIT 1""",
    "chain shortened": """
        WITH gone AS (DELETE FROM audit_entries WHERE position > 3)
        UPDATE audit_chains SET position = 3, hash = (SELECT hash FROM audit_entries WHERE position = 3)""",
}


@pytest.mark.parametrize("statement", TAMPERING.values(), ids=TAMPERING.keys())
async def test_who_changes_the_rows_is_found(tenant: Tenant, statement: str) -> None:
    """Whoever may write to the tables, but has not the organization's key."""
    (one, *_) = await tenant.remember_texts("One", "Two", "Three")
    await PostgresMemoryLife(tenant.database).forget(tenant.principal, one, datetime.now(UTC))
    assert verify(await exported(tenant)).problems == []

    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(statement)

    lines = await exported(tenant)
    # What stands behind the signed end is no part of an export.
    assert verify(lines).problems or (statement == TAMPERING["inserted"] and "forged" not in "".join(lines))


async def rewrite(tenant: Tenant, position: int) -> None:
    """Whoever may write to the tables, but has not the organization's key, forges an entry and all hashes behind it."""
    async with tenant.database.transaction(tenant.org_id) as transaction:
        forged = "UPDATE audit_entries SET digest = sha256('forged') WHERE position = %s"
        await transaction.execute(forged, [position])
        rows = await transaction.fetch("SELECT position, digest, hash FROM audit_entries ORDER BY position")
        before = rows[position - 2][2]
        for number, digest, _ in rows[position - 1 :]:
            before = chain.link(before, digest)
            statement = "UPDATE audit_entries SET hash = %s WHERE position = %s"
            await transaction.execute(statement, [before, number])
        await transaction.execute("UPDATE audit_chains SET hash = %s", [before])


async def test_what_somebody_has_rewritten_is_not_signed_with_the_next_entries(tenant: Tenant) -> None:
    await tenant.remember_texts("One", "Two", "Three")
    await exported(tenant)
    await rewrite(tenant, 3)
    await tenant.remember_texts("Four")

    with pytest.raises(AuditTrailChanged):
        await auditor(tenant).link(tenant.org_id)
    lines = await exported(tenant)

    assert "the checkpoint's signature is not valid" in verify(lines).problems
    waiting = await tenant.fetch("SELECT action FROM audit_entries WHERE position IS NULL")
    assert waiting == [("memory.created",)], "what is new was lost"


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit_entries WHERE position >= 4",
        "UPDATE audit_entries SET position = position + 1 WHERE position = 5",
        "DELETE FROM audit_chains",
        "UPDATE audit_chains SET signature = NULL, signed_at = NULL",
    ],
)
async def test_where_the_end_was_changed_nothing_is_signed_and_other_organizations_go_on(
    tenant: Tenant, stranger: Tenant, redis: RedisClient, statement: str
) -> None:
    for one in (tenant, stranger):
        await one.remember_texts("One", "Two", "Three")
        await exported(one)
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(statement)
    for one in (tenant, stranger):
        await one.remember_texts("Four")

    run = maintenance(
        tenant.database,
        redis,
        SentMessages(),
        of=[tenant, stranger],
        auditor=auditor(tenant),
        bounds=RunLimits(retries=0),
    )
    done = await run.run()

    assert done["audit_linked"] == 1
    assert done["failed"] > 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entries SET at = at - interval '400 days'",
        "UPDATE audit_entries SET at = at - interval '400 days', action = 'memory.changed' WHERE position <= 3",
        "DELETE FROM audit_entries WHERE position = 1",
    ],
)
async def test_what_was_changed_is_not_removed_as_old(tenant: Tenant, statement: str) -> None:
    """Or whoever may write to the tables could have the service sign away what happened today."""
    await tenant.remember_texts("One", "Two", "Three")
    await exported(tenant)
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(statement)
    before = await exported(tenant)

    with pytest.raises(AuditTrailChanged):
        await auditor(tenant).remove_old(tenant.org_id, SystemClock().now() + timedelta(days=380), 3)

    assert await exported(tenant) == before


async def test_a_removal_during_an_export_is_no_false_alarm(tenant: Tenant) -> None:
    """Pages are of one moment each: a chain that is read beside other entries than its own looks tampered with."""
    await tenant.remember_texts("One", "Two", "Three", "Four")
    await exported(tenant)
    later = SystemClock().now() + timedelta(days=400)

    async def remove() -> None:
        while await auditor(tenant).remove_old(tenant.org_id, later, 1):
            pass

    async def export() -> list[str]:
        page = await PostgresAuditTrail(tenant.database).page(tenant.principal, 0, 1000)
        assert page.checkpoint is not None
        told = {name: getattr(page.checkpoint, name) for name in page.checkpoint.__slots__}
        return [*(json.dumps(entry) for entry in page.entries), json.dumps({"checkpoint": told})]

    removing = asyncio.ensure_future(remove())
    while not removing.done():
        assert verify(await export()).problems == []
    await removing


async def test_organizations_have_chains_of_their_own(tenant: Tenant, stranger: Tenant) -> None:
    (mine,) = await tenant.remember_texts("Mine")
    (theirs,) = await stranger.remember_texts("Theirs")

    own, other = "".join(await exported(tenant)), "".join(await exported(stranger))

    assert str(mine) in own and str(theirs) not in own
    assert str(theirs) in other and str(mine) not in other
    assert str(stranger.org_id) not in own
    spliced = [*(await exported(tenant))[:-1], (await exported(stranger))[-1]]
    assert verify(spliced).problems


async def test_another_project_sees_hashes_only_and_can_verify_them(tenant: Tenant) -> None:
    await tenant.insert("projects", project_id="proj_other", name="Other")
    other = await tenant.with_agent("other", project_id="proj_other")
    (mine,) = await tenant.remember_texts("Mine", user_id="ada")
    (theirs,) = await other.remember_texts("Theirs", user_id="ada")

    mine_lines, their_lines = await exported(tenant), await exported(tenant, principal=other.principal)

    assert str(theirs) not in "".join(mine_lines) and str(mine) not in "".join(their_lines)
    assert verify(mine_lines).problems == verify(their_lines).problems == []
    assert 0 < verify(mine_lines).hidden < verify(their_lines).hidden
    subjects = [one.get("subject") for lines in (mine_lines, their_lines) for one in map(json.loads, lines)]
    assert len({one for one in subjects if one}) == 2, "an end user of two projects would be recognised"


async def test_reads_are_recorded_only_where_the_organization_wants_it(tenant: Tenant) -> None:
    (one,) = await tenant.remember_texts("One", user_id="ada")
    acting = replace(tenant.principal, user_id="ada")

    async def read() -> list[Line]:
        before = len(await entries(tenant))
        later = LaterWork()
        auditor(tenant).note_read(acting, "getMemory", str(one), later)
        auditor(tenant).note_read(tenant.principal, "exportMemories", None, later)
        await later.do_all()
        used = UsageEvent(
            uuid4(),
            tenant.org_id,
            tenant.agent_id,
            (one,),
            "assembly",
            NOW,
            user_id="ada",
            actor=tenant.principal.actor,
        )
        for _ in range(2):
            await PostgresUsage(tenant.database).apply(tenant.org_id, [used])
        return (await entries(tenant))[before:]

    assert await read() == []
    await configure(tenant, audit="all")
    found = await read()
    await configure(tenant, audit="off")
    assert (await entries(tenant))[-1]["action"] == "organization.changed"
    await tenant.remember_texts("Written while it is off")
    assert await read() == []

    assert [(one["action"], one.get("object"), one.get("memory_ids")) for one in found] == [
        ("getMemory", str(one), None),
        ("exportMemories", "*", None),
        ("assembleContext", None, [str(one)]),
    ]
    assert {one["actor"] for one in found} == {str(tenant.principal.key_id)}
    assert {one["project_id"] for one in found} == {tenant.principal.project_id}
    subjects = [one.get("subject") for one in found]
    assert subjects[0] == subjects[2] is not None
    assert subjects[1] is None
    assert found[2]["at"] == NOW.astimezone(UTC).isoformat()


async def test_an_end_users_own_token_is_not_named(tenant: Tenant) -> None:
    """Its id is computed of the end user's name, which could be guessed."""
    acting = replace(tenant.principal, user_id="ada", user_is_fixed=True, sees_all=False)
    await replace(tenant, principal=acting).remember_texts("By ada", user_id="ada")

    (*_, last) = await entries(tenant)

    assert last["actor"] == "end_user"


async def erase(tenant: Tenant, user_id: str, *, until_finished: bool = True) -> None:
    erasures = PostgresErasures(tenant.database)
    asking = Asking(tenant.org_id, tenant.principal.project_id, tenant.principal.environment, uuid4(), "the-admin")
    erasure = await erasures.request(asking, uuid4(), "user", user_id)
    assert erasure is not None
    while await erasures.erase_memories(erasure, 10) is not None:
        pass
    if until_finished:
        await erasures.finish(erasure)


async def test_nothing_leads_from_entries_to_an_erased_end_user_and_the_chain_stays_whole(tenant: Tenant) -> None:
    await tenant.remember_texts("One", "Two", user_id="ada")
    await tenant.remember_texts("Bob's", user_id="bob")
    before = await exported(tenant)
    late = UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, (uuid4(),), "query", datetime.now(UTC), user_id="ada")
    await configure(tenant, audit="all")

    await erase(tenant, "ada")
    # Of before, delivered afterwards.
    await PostgresUsage(tenant.database).apply(tenant.org_id, [late])
    after = await exported(tenant)

    assert verify(after, earlier=before).problems == []
    subjects = Counter(json.loads(line).get("subject") for line in after)
    then = {json.loads(line).get("subject") for line in before} - {None}
    assert len(then) == 2, "ada and bob"
    assert sorted(subjects[one] for one in then) == [1, 2], "a later entry has the number of one who was erased"
    rows = await tenant.fetch("SELECT user_id FROM audit_subjects")
    assert rows == [("bob",)]
    assert await tenant.fetch("SELECT 1 FROM audit_entries WHERE user_id IS NOT NULL") == []
    assert [one["action"] for one in map(json.loads, after[:-1]) if one["actor"] == "the-admin"] == ["erasure.created"]


async def test_a_read_that_was_answered_before_the_erasure_and_is_stored_after_it_names_nobody(tenant: Tenant) -> None:
    await tenant.remember_texts("One", user_id="ada")
    await configure(tenant, audit="all")
    later = LaterWork()
    auditor(tenant).note_read(replace(tenant.principal, user_id="ada"), "listMemories", None, later)

    await erase(tenant, "ada")
    await later.do_all()
    lines = await exported(tenant)

    assert [json.loads(line).get("action") for line in lines[:-1]].count("listMemories") == 1
    assert await tenant.fetch("SELECT 1 FROM audit_subjects") == []
    assert verify(lines).problems == []


async def test_what_has_no_place_any_more_names_nobody(tenant: Tenant) -> None:
    """No erasure would find the name: it asks for the project and environment."""
    await configure(tenant, audit="all")
    gone = UsageEvent(uuid4(), tenant.org_id, uuid4(), (uuid4(),), "query", datetime.now(UTC), user_id="ada")
    await PostgresUsage(tenant.database).apply(tenant.org_id, [gone])

    assert await tenant.fetch("SELECT user_id FROM audit_entries WHERE action = 'queryMemories'") == [(None,)]
    await exported(tenant)
    assert await tenant.fetch("SELECT 1 FROM audit_subjects") == []


async def test_an_end_user_of_two_projects_is_erased_from_one_and_stays_in_the_other(tenant: Tenant) -> None:
    await tenant.insert("projects", project_id="proj_other", name="Other")
    other = await tenant.with_agent("other", project_id="proj_other")
    for one in (tenant, other):
        await one.remember_texts("Ada's", user_id="ada")
    await exported(tenant)
    await other.remember_texts("Waits", user_id="ada")

    await erase(tenant, "ada")
    lines = [json.loads(line) for line in await exported(tenant, principal=other.principal)]

    rows = await tenant.fetch("SELECT project_id, user_id, subject::text FROM audit_subjects")
    assert [row[:2] for row in rows] == [("proj_other", "ada")]
    assert [line["subject"] for line in lines if "subject" in line] == [rows[0][2]] * 2


async def test_while_an_end_user_is_being_erased_no_number_is_given(tenant: Tenant) -> None:
    await tenant.remember_texts("One", "Two", user_id="ada")
    await erase(tenant, "ada", until_finished=False)
    await exported(tenant)

    assert await tenant.fetch("SELECT 1 FROM audit_subjects") == []


async def test_who_comes_back_after_an_erasure_is_somebody_new(tenant: Tenant) -> None:
    await tenant.remember_texts("Before", user_id="ada")
    (*_, before) = await entries(tenant)
    await erase(tenant, "ada")
    await tenant.remember_texts("After", user_id="ada")

    (*_, after) = await entries(tenant)

    assert after["action"] == "memory.created"
    assert after["subject"] != before["subject"]
    assert len(await tenant.fetch("SELECT 1 FROM audit_subjects")) == 1


async def test_an_erased_organization_leaves_no_entry(tenant: Tenant, observer: psycopg.AsyncConnection[Any]) -> None:
    await tenant.remember_texts("One", user_id="ada")
    await exported(tenant)
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("DELETE FROM organizations WHERE org_id = %s", [tenant.org_id])

    for table in ("audit_entries", "audit_subjects", "audit_chains"):
        rows = await observer.execute(f"SELECT 1 FROM {table} WHERE org_id = %s", [tenant.org_id])
        assert await rows.fetchall() == []


async def test_old_entries_are_removed_and_the_rest_is_verified_from_a_signed_beginning(tenant: Tenant) -> None:
    await tenant.remember_texts("One", "Two", user_id="ada")
    earlier = await exported(tenant)
    count = len(earlier) - 1
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE audit_subjects SET used_at = used_at - interval '9 days'")
    await tenant.remember_texts("Three")
    now = SystemClock().now()

    assert await auditor(tenant).remove_old(tenant.org_id, now, 2) == 0
    await configure(tenant, audit_days=7)
    assert await auditor(tenant).remove_old(tenant.org_id, now + timedelta(days=8), 2) == 2
    lines = await exported(tenant)

    assert json.loads(lines[0])["position"] == 3
    assert verify(lines, earlier=earlier).problems == []
    assert await tenant.fetch("SELECT 1 FROM audit_subjects") == [], "names of whom no entry is left"
    while await auditor(tenant).remove_old(tenant.org_id, now + timedelta(days=8), 2):
        pass
    (last,) = await exported(tenant)
    assert json.loads(last)["checkpoint"]["from_position"] > count
    assert verify([last]).problems == []


async def test_the_scheduled_run_links_each_minute_and_removes_each_hour(tenant: Tenant, redis: RedisClient) -> None:
    await tenant.remember_texts("One", "Two")
    await configure(tenant, audit_days=1)
    own = auditor(tenant)
    later = SetClock(None, timedelta(days=2).total_seconds())

    linked = await maintenance(tenant.database, redis, SentMessages(), of=[tenant], auditor=own).run()
    removed = await maintenance(tenant.database, redis, SentMessages(), of=[tenant], auditor=own, clock=later).run()

    assert (linked["audit_linked"], linked["audit_removed"]) == (5, 0)
    assert (removed["audit_linked"], removed["audit_removed"]) == (0, 5)
    assert await tenant.fetch("SELECT 1 FROM audit_entries") == []


async def test_a_removal_that_is_not_signed_is_found(tenant: Tenant) -> None:
    await tenant.remember_texts("One", "Two")
    await exported(tenant)
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("""
            UPDATE audit_chains SET from_position = 2,
                from_hash = (SELECT hash FROM audit_entries WHERE position = 2)""")
        await transaction.execute("DELETE FROM audit_entries WHERE position <= 2")

    assert verify(await exported(tenant)).problems == ["the checkpoint's signature is not valid"]
