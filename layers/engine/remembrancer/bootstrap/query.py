"""Builds the memory query function from the settings of its environment."""

from uuid import uuid4

from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.bootstrap.instance import Instance
from remembrancer.runtime.endpoints.query_api import OPERATIONS, QueryApi
from remembrancer.runtime.http.messages import Endpoint
from remembrancer.runtime.http.operations import served
from remembrancer.usecases.memories.idempotent_reads import Repeats
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
    return served(OPERATIONS, api, instance.authenticator)
