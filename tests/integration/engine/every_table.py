"""An organization with rows in every table."""

from dataclasses import replace
from uuid import uuid4

from remembrancer.adapters.encryption.signatures import signer
from remembrancer.adapters.postgres.audit.trail import PostgresAuditTrail
from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.encryption.data_keys import PostgresDataKeys
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.queues import PostgresQueue
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.domain.capture.turns import Conversation, Turn
from remembrancer.domain.encryption.data_key import NewKey
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.ports.usage import UsageEvent
from tests.builders import NOW
from tests.integration.engine.tenant import ENVIRONMENT, MODEL, PROJECT_ID, Tenant
from tests.integration.engine.workers import consolidation


async def furnish(tenant: Tenant) -> None:
    """At least one row in every table."""
    first, second = await tenant.remember_texts("The office has a coffee machine.", "The lift is out of order.")
    await PostgresLexicalIndex(tenant.database).merge(tenant.org_id, tenant.agent_id)
    await tenant.embed([first])
    await PostgresDirectory(tenant.database).put_directive(tenant.org_id, tenant.agent_id, "Be brief.", "system_first")
    await PostgresDirectory(tenant.database).set_time_zone(tenant.principal, "ada", "Europe/Berlin")
    await PostgresMemoryLife(tenant.database).relate(tenant.principal, Relation(uuid4(), first, second, "similar", 0.5))
    life = PostgresMemoryLife(tenant.database)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, second)
    assert stored is not None
    write = tenant.write("The lift works again.", metadata={"floor": 2})
    await life.revise(tenant.principal, Revision(stored, replace(write, memory_id=second), "active", text_changed=True))
    await life.rate(tenant.principal, first, uuid4(), positive=True)
    await tenant.insert(
        "idempotency_keys",
        key_id=uuid4(),
        idempotency_key=b"key",
        request=b"request",
        subjects=[],
        answer="{}",
    )
    conversation = Conversation(
        uuid4(), tenant.org_id, PROJECT_ID, ENVIRONMENT, tenant.agent_id, None, "session", NOW, NOW
    )
    turn = Turn(uuid4(), "user", "The office has a coffee machine.", NOW, fingerprint=b"print")
    await PostgresConversations(tenant.database).add(tenant.principal, conversation, [turn])
    await PostgresUsage(tenant.database).reserve_tokens(tenant.org_id, NOW.date(), 1, most=None)
    # Of versions that did not know whose words they index.
    await tenant.insert("term_blocks", term=1, agent_id=tenant.agent_id, block=0, postings=1, packed=b"")
    await tenant.insert(
        "erasures",
        erasure_id=uuid4(),
        kind="user",
        subject_hash=(await tenant.fetch("SELECT subject_hash(subject_key, 'user', 'ann') FROM organizations"))[0][0],
        requested_by=uuid4(),
        project_id=PROJECT_ID,
        environment=ENVIRONMENT,
    )
    event = UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, (first,), "query", NOW, "session", "ada")
    await PostgresUsage(tenant.database).apply(tenant.org_id, [event])
    # Compared with nothing yet, and in a conflict.
    (third,) = await tenant.remember_texts("The office has no coffee machine.")
    await tenant.embed([third])
    doubt = Relation(uuid4(), third, first, "may_contradict", 0.5)
    await PostgresMemoryLife(tenant.database).relate(tenant.principal, doubt)
    await PostgresDataKeys(tenant.database).add(tenant.org_id, 1, NewKey(bytes(32), b"wrapped", "key"))
    await consolidation(tenant.database).consolidate(tenant.org_id, [first], MODEL)
    await PostgresQueue(tenant.database, f"queue-of-{tenant.org_id}").send([{"org_id": str(tenant.org_id)}])
    await PostgresAuditTrail(tenant.database).link(tenant.org_id, signer(tenant.term_key), 1000)
