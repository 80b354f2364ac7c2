"""Builds the memories function: memories, conversations, agents, API keys, and the OpenAPI document."""

from typing import Any
from uuid import uuid4

from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.erasure.erasures import PostgresErasures
from remembrancer.adapters.postgres.identity.api_keys import PostgresApiKeys
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.bootstrap import snapshot
from remembrancer.bootstrap.instance import Instance
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.runtime.endpoints import (
    agents_api,
    audit_api,
    conflicts_api,
    conversations_api,
    inspector_api,
    keys_api,
    memories_api,
    readiness_api,
    records_api,
)
from remembrancer.runtime.http.messages import Endpoint
from remembrancer.runtime.http.operations import served
from remembrancer.usecases.capture.read import ConversationReader
from remembrancer.usecases.identity.admission import AddressBuckets
from remembrancer.usecases.identity.key_keeper import KeyKeeper
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.conflicts import ConflictSettler
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.remember import Rememberer
from remembrancer.usecases.memories.revise import Reviser
from remembrancer.usecases.memories.sealed_memories import MemoryReader

READINESS_LIMIT = RateLimit(10, 50)
"""Rate of readiness requests per address in each instance; health checks ask every few seconds."""


def routes(instance: Instance) -> dict[str, Endpoint]:
    """All routes of the function; loads no model."""
    memories = PostgresMemories(instance.database, instance.quotas)
    reader = MemoryReader(memories, instance.key_ring)
    deriver = Deriver(instance.counter, instance.stemmer, instance.key_ring)
    announcer = Announcer(instance.writers_cache, instance.work_queue(instance.settings.embed_queue_url))
    redactor = Redactor(find_phones)
    rememberer = Rememberer(
        memories=memories,
        directory=instance.directory,
        redactor=redactor,
        deriver=deriver,
        announcer=announcer,
        clock=instance.clock,
        new_id=uuid4,
    )
    reviser = Reviser(
        memories=reader,
        life=PostgresMemoryLife(instance.database, instance.quotas),
        directory=instance.directory,
        redactor=redactor,
        deriver=deriver,
        announcer=announcer,
        clock=instance.clock,
        new_id=uuid4,
    )
    keeper = KeyKeeper(PostgresApiKeys(instance.database, instance.quotas), instance.credentials.revoke, uuid4)
    directory, stored = instance.directory, instance.stored_directory
    erasures = PostgresErasures(instance.database)
    pings = {"postgres": instance.database.ping, "redis": instance.redis.ping}
    addresses = AddressBuckets(instance.clock, READINESS_LIMIT)
    inspector = inspector_api.OPERATIONS if instance.settings.inspector else ()
    apis = (
        (conversations_api.OPERATIONS, _conversations(instance)),
        (memories_api.OPERATIONS, memories_api.MemoriesApi(rememberer, reviser, reader, directory, uuid4)),
        (
            agents_api.OPERATIONS,
            agents_api.AgentsApi(
                stored,
                directory,
                directory,
                instance.writers_cache,
                uuid4,
                instance.writers_cache.wait_until_current,
            ),
        ),
        (
            conflicts_api.OPERATIONS,
            conflicts_api.ConflictsApi(
                ConflictSettler(PostgresConflicts(instance.database), reader, announcer), directory
            ),
        ),
        (records_api.OPERATIONS, records_api.RecordsApi(instance.eraser, erasures, memories, reader, directory)),
        (audit_api.OPERATIONS, audit_api.AuditApi(instance.auditor, directory)),
        (keys_api.OPERATIONS, keys_api.KeysApi(keeper, directory, instance.clock)),
        (inspector, inspector_api.InspectorApi(instance.settings.stage)),
        (readiness_api.OPERATIONS, readiness_api.ReadinessApi(pings, addresses, instance.clock, _openapi)),
    )
    instance.finish_start()
    snapshot.prepare(instance)
    return {
        route: endpoint
        for operations, api in apis
        for route, endpoint in served(operations, api, instance.authenticator, instance.auditor.note_read).items()
    }


def other_routes() -> list[str]:
    """The routes of other functions, as front doors know them; imported with the first refusal that may name them."""
    from remembrancer.runtime.endpoints import assembly_api, forget_api, mcp_api, query_api

    served_elsewhere = (*assembly_api.OPERATIONS, *query_api.OPERATIONS, *forget_api.OPERATIONS)
    return [*(operation.route for operation in served_elsewhere), mcp_api.ROUTE]


def _openapi() -> dict[str, Any]:
    """The document of all functions' operations; its modules are imported with the first request for it."""
    from remembrancer.runtime.openapi import document

    return document()


def _conversations(instance: Instance) -> conversations_api.ConversationsApi:
    reader = ConversationReader(PostgresConversations(instance.database), instance.key_ring)
    return conversations_api.ConversationsApi(instance.conversation_intake, reader, instance.directory)
