"""Builds the memory query function from the settings of its environment."""

from functools import cache, partial
from uuid import uuid4

from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.bootstrap.instance import Instance
from remembrancer.runtime.endpoints import forget_api
from remembrancer.runtime.endpoints.forget_api import ForgetApi
from remembrancer.runtime.endpoints.query_api import OPERATIONS, QueryApi
from remembrancer.runtime.http.messages import Endpoint
from remembrancer.runtime.http.operations import served
from remembrancer.usecases.capture.forget import Forgetter
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.idempotent_reads import Repeats
from remembrancer.usecases.memories.sealed_memories import MemoryReader
from remembrancer.usecases.query.memory_query import QueryMemories
from remembrancer.usecases.query.popular import PopularQueries
from remembrancer.usecases.query.rows import CandidateRows


def routes(instance: Instance) -> dict[str, Endpoint]:
    """The routes, warmed as for assembly."""
    recall = PostgresRecall(instance.database, instance.vector_tables)
    queries = QueryMemories(
        directory=instance.directory,
        opener=instance.key_ring,
        retrieval=instance.retrieval(instance.query_embedding(instance.directory)),
        rows=CandidateRows(recall, instance.known_agents, instance.clock),
        store=recall,
        popular=PopularQueries(instance.directory, instance.query_cache, recall),
        usage=instance.usage,
        clock=instance.clock,
        new_id=uuid4,
    )
    instance.warm(queries.warm)
    api = QueryApi(queries, Repeats(instance.query_cache), instance.authenticator, instance.clock)
    forget = ForgetApi(cache(partial(_forgetter, instance)))
    authenticator = instance.authenticator
    forgetting = served(forget_api.OPERATIONS, forget, authenticator, instance.auditor.note_read)
    return served(OPERATIONS, api, authenticator) | forgetting


def _forgetter(instance: Instance) -> Forgetter:
    memories = PostgresMemories(instance.database, instance.quotas)
    return Forgetter(
        search=instance.forget_search,
        memories=MemoryReader(memories, instance.key_ring),
        life=PostgresMemoryLife(instance.database, instance.quotas),
        directory=instance.directory,
        announcer=Announcer(instance.writers_cache, instance.work_queue(instance.settings.embed_queue_url)),
    )
