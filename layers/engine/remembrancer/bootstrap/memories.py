"""Memories, agents, API keys and the description of all routes."""

from uuid import uuid4

from remembrancer.adapters.postgres.erasure.erasures import PostgresErasures
from remembrancer.adapters.postgres.identity.api_keys import PostgresApiKeys
from remembrancer.adapters.postgres.memories.exports import PostgresExports
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.memories.relations import PostgresRelations
from remembrancer.adapters.text.phone_numbers import CataloguedPhoneNumbers
from remembrancer.bootstrap.instance import Instance
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.agents_api import AgentsApi
from remembrancer.runtime.endpoints.keys_api import KeysApi
from remembrancer.runtime.endpoints.memories_api import MemoriesApi
from remembrancer.runtime.endpoints.readiness_api import ReadinessApi
from remembrancer.runtime.endpoints.records_api import RecordsApi
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.usecases.identity.admission import AddressBuckets
from remembrancer.usecases.identity.key_keeper import KeyKeeper
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.remember import Rememberer
from remembrancer.usecases.memories.revise import Reviser
from remembrancer.usecases.memories.sealed_memories import MemoryReader

READINESS_LIMIT = RateLimit(10, 50)
"""Of questions from one address in each instance; health checks ask every few seconds."""


def memories_api(instance: Instance) -> MemoriesApi:
    """Loads no model."""
    memories = PostgresMemories(instance.database, instance.quotas)
    reader = MemoryReader(memories, instance.key_ring)
    deriver = Deriver(instance.counter, instance.stemmer, instance.key_ring)
    announcer = Announcer(instance.agent_cache, instance.queue(instance.settings.embed_queue_url))
    redactor = Redactor(CataloguedPhoneNumbers())
    api = MemoriesApi(
        rememberer=Rememberer(
            memories=memories,
            directory=instance.directory,
            redactor=redactor,
            deriver=deriver,
            announcer=announcer,
            clock=instance.clock,
            new_id=uuid4,
        ),
        reviser=Reviser(
            memories=reader,
            life=PostgresMemoryLife(instance.database, instance.quotas),
            relations=PostgresRelations(instance.database),
            directory=instance.directory,
            redactor=redactor,
            deriver=deriver,
            announcer=announcer,
            clock=instance.clock,
            new_id=uuid4,
        ),
        reader=reader,
        agents=AgentsApi(
            agents=instance.stored_directory,
            directives=instance.stored_directory,
            directory=instance.directory,
            cache=instance.agent_cache,
            authenticator=instance.authenticator,
            new_id=uuid4,
        ),
        records=RecordsApi(
            eraser=instance.eraser,
            erasures=PostgresErasures(instance.database),
            exports=PostgresExports(instance.database),
            reader=reader,
            directory=instance.directory,
            authenticator=instance.authenticator,
        ),
        directory=instance.directory,
        authenticator=instance.authenticator,
        readiness=ReadinessApi(
            {"postgres": instance.database, "redis": instance.redis},
            AddressBuckets(instance.clock, READINESS_LIMIT),
            instance.clock,
        ),
        new_id=uuid4,
    )
    instance.settle()
    return api


def keys_api(instance: Instance) -> KeysApi:
    """Administration of API keys."""
    keeper = KeyKeeper(PostgresApiKeys(instance.database, instance.quotas), instance.credentials, uuid4)
    return KeysApi(keeper, instance.directory, instance.authenticator, instance.clock)


async def openapi(request: HttpRequest, work: Work) -> HttpResponse:
    """`GET /openapi.json`; the document is made when it is first asked for."""
    from remembrancer.runtime.openapi import document

    return HttpResponse(200, document(), {"cache-control": "public, max-age=300"})
