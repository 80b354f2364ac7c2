"""Search over agents of very different sizes: what is found, and by which plan."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import psycopg
import pytest
from pgvector import HalfVector
from psycopg import AsyncConnection

from benchmarks import corpus
from benchmarks.corpus import CorpusAgent
from local.servers import PostgresServer
from local.servers.postgres import APPLICATION, OWNER, SUPERUSER
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories.rows import to_memories, unpacked
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.postgres.search import conditions, lexical_search, vector_search
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.vector_index import use_vector_index
from remembrancer.domain.identity.scope import EndUser, Scope
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import ConfigurationError
from remembrancer.ports.search import VectorHits
from tests.integration.engine.tenant import MODEL, Tenant

LIMIT = 50
EVERYTHING = 1_000_000
EXACT_ROWS = 300
PROJECT = corpus.PROJECT_SCOPE


@dataclass(frozen=True, slots=True)
class Crowd:
    """A database of its own with a few large agents, many small ones, and one whose words are indexed."""

    agents: list[CorpusAgent]
    owner_url: str
    database: Database

    def search(self, exact_rows: int, *, index: str = "hnsw") -> PostgresSearch:
        return PostgresSearch(self.database, model=corpus.MODEL, exact_rows=exact_rows, vector_index=index)

    async def nearest(
        self, scope: Scope, vector: Any, exact_rows: int, *, index: str = "hnsw", filters: Filters | None = None
    ) -> VectorHits:
        return await self.search(exact_rows, index=index).nearest(
            scope, vector, filters or Filters(), model=corpus.MODEL, limit=LIMIT, now=corpus.NOW
        )

    async def explain(
        self, statement: str, scope: Scope, parameters: dict[str, object], settings: dict[str, str] | None = None
    ) -> str:
        """The plan as it runs, under the setting with which the functions plan; tables are small here, so that without
        one more setting reading all of a partition would often be the cheapest."""
        values = conditions.parameters(scope, Filters(), corpus.NOW) | {"model": corpus.MODEL, "limit": LIMIT}
        planned = {"plan_cache_mode": "force_custom_plan", "enable_seqscan": "off"} | (settings or {})
        explained = ("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + statement, values | parameters)
        (rows,) = await self.database.read(scope.org_id, explained, settings=planned)
        return "\n".join(row[0] for row in rows)

    async def words(self, scope: Scope, asked: dict[str, object]) -> str:
        """How the postings of a scope's words are read."""
        one_agent = scope.agent_id is not None
        settings = lexical_search.ONE_AGENT_SETTINGS if one_agent else None
        return await self.explain(lexical_search.POSTINGS[one_agent, scope.end_user.is_all], scope, asked, settings)


@pytest.fixture(scope="module")
def loaded(postgres_server: PostgresServer) -> Iterator[tuple[list[CorpusAgent], str, str]]:
    """Built once, in some seconds: 6,000 vectors, a third of them of one agent, and 2,000 memories with words."""
    agents = corpus.agents(6000, 120)
    superuser = postgres_server.url(SUPERUSER)
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE crowd OWNER {OWNER}")
    urls = [postgres_server.url(role, "crowd") for role in (SUPERUSER, OWNER, APPLICATION)]
    asyncio.run(_load(agents, *urls))
    yield agents, urls[1], urls[2]
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("DROP DATABASE crowd WITH (FORCE)")


async def _load(agents: list[CorpusAgent], superuser_url: str, owner_url: str, app_url: str) -> None:
    await migrate(owner_url, packaged())
    corpus.load(superuser_url, agents)
    database = Database(app_url)
    await corpus.load_words(database, superuser_url, 2000)
    await database.close()


@pytest.fixture
async def crowd(loaded: tuple[list[CorpusAgent], str, str]) -> AsyncIterator[Crowd]:
    agents, owner_url, app_url = loaded
    database = Database(app_url, statement_ms=60_000)
    yield Crowd(agents, owner_url, database)
    await database.close()


async def test_what_is_found_is_nearly_what_there_is_at_every_size(crowd: Crowd) -> None:
    chosen = [crowd.agents[rank] for rank in (0, 1, 2, 5, 20, 60, 119)]

    recall = {}
    for agent in chosen:
        shares = []
        for vector in corpus.queries(agent, 5):
            truth = {one.memory.id for one in (await crowd.nearest(agent.scope, vector, EVERYTHING)).found}
            answer = await crowd.nearest(agent.scope, vector, EXACT_ROWS)
            assert answer.strategy == ("exact" if agent.size <= EXACT_ROWS else "hnsw")
            assert len(answer.found) == min(LIMIT, agent.size)
            assert not answer.short
            shares.append(len(truth & {one.memory.id for one in answer.found}) / len(truth))
        recall[agent.size] = np.mean(shares)

    assert min(recall.values()) >= 0.99, recall


async def test_scopes_of_end_users_and_projects_are_exact_while_they_are_small(crowd: Crowd) -> None:
    vector = corpus.queries(crowd.agents[0], 1)[0]
    user = replace(crowd.agents[0].scope, end_user=EndUser("user3"))
    scopes = {"user": user, "project": PROJECT, "user of project": replace(PROJECT, end_user=EndUser("user3"))}

    found = {name: await crowd.nearest(scope, vector, EXACT_ROWS) for name, scope in scopes.items()}
    exact = {name: await crowd.nearest(scope, vector, EVERYTHING) for name, scope in scopes.items()}

    assert {name: answer.strategy for name, answer in found.items()} == {
        "user": "exact",
        "project": "hnsw",
        "user of project": "exact" if await _own(crowd) <= vector_search.EXACT_ACROSS * EXACT_ROWS else "hnsw",
    }
    assert {one.memory.user_id for one in found["user"].found} <= {"user3", None}
    for name, answer in found.items():
        truth = {one.memory.id for one in exact[name].found}
        assert len(truth & {one.memory.id for one in answer.found}) >= 0.98 * len(truth), name


@pytest.mark.parametrize("least", [0.3, 0.97])
async def test_a_project_is_searched_nearly_exactly_also_where_few_pass_the_filters(crowd: Crowd, least: float) -> None:
    filters = Filters(min_confidence=least)
    shares = []
    for agent in (crowd.agents[rank] for rank in (0, 1, 5, 20, 60)):
        for vector in corpus.queries(agent, 2):
            truth = {one.memory.id for one in (await crowd.nearest(PROJECT, vector, EVERYTHING, filters=filters)).found}
            answer = await crowd.nearest(PROJECT, vector, EXACT_ROWS, filters=filters)
            assert answer.strategy == "hnsw"
            assert len(answer.found) == len(truth) == LIMIT
            shares.append(len(truth & {one.memory.id for one in answer.found}) / len(truth))

    assert np.mean(shares) >= 0.97, shares


async def _own(crowd: Crowd) -> int:
    statement = "SELECT count(*) FROM memory_vectors WHERE user_id = 'user3' OR user_id IS NULL"
    (rows,) = await crowd.database.read(corpus.ORGANIZATION, (statement, ()))
    return int(rows[0][0])


async def test_exact_search_reads_the_scopes_rows_and_no_others(crowd: Crowd) -> None:
    vector: dict[str, object] = {"vector": HalfVector(corpus.queries(crowd.agents[0], 1)[0])}
    agent = crowd.agents[5].scope

    of_agent = await crowd.explain(vector_search.EXACT, agent, vector)
    settings = vector_search.EXACT_OF_AGENT_SETTINGS
    of_whole_agent = await crowd.explain(vector_search.EXACT_OF_AGENT, agent, vector, settings)
    user = replace(crowd.agents[0].scope, end_user=EndUser("user3"))
    of_user = await crowd.explain(vector_search.EXACT, user, vector)
    of_users = await crowd.explain(vector_search.EXACT, replace(PROJECT, end_user=EndUser("user3")), vector)

    for plan in (of_agent, of_whole_agent, of_user, of_users):
        assert "embedding_idx" not in plan
        assert "Seq Scan on memory_vectors" not in plan
    assert len(partitions(of_agent)) == len(partitions(of_whole_agent)) == len(partitions(of_user)) == 1
    assert "agent_id = " in conditions_of(of_whole_agent, "_org_id_agent_id_user_id_idx")
    assert "(agent_id = '" in conditions_of(of_agent, "memory_vectors_")
    assert "(user_id = 'user3'::text)" in conditions_of(of_user, "_org_id_agent_id_user_id_idx")
    assert "(user_id = 'user3'::text)" in conditions_of(of_users, "_org_id_project_id_environment_user_id_idx")


async def test_the_search_of_a_small_agent_is_planned_once_on_a_connection(
    crowd: Crowd, loaded: tuple[list[CorpusAgent], str, str]
) -> None:
    database = Database(loaded[2], connections=1)
    search = PostgresSearch(database, model=corpus.MODEL)
    small = [agent.scope for agent in crowd.agents if agent.size <= EXACT_ROWS][:3]

    for scope in small * 3:
        question = corpus.queries(crowd.agents[0], 1)[0]
        await search.nearest(scope, question, Filters(), model=corpus.MODEL, limit=LIMIT, now=corpus.NOW)
    counted = "SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE statement LIKE %s"
    (plans,) = await database.read(None, (counted, ("%f.embedding <#>%",)))
    await database.close()

    assert plans == [(0, 9)]


async def test_a_plan_for_any_agent_finds_the_same_as_one_for_each(crowd: Crowd) -> None:
    small = [agent.scope for agent in crowd.agents if agent.size <= EXACT_ROWS][:3]
    scopes = [*small, *(replace(scope, end_user=EndUser("user3")) for scope in small)]
    question = corpus.queries(crowd.agents[0], 1)[0]
    vector = {"vector": HalfVector(question), "model": corpus.MODEL, "limit": LIMIT}

    found: dict[str, list[list[Memory]]] = {"force_custom_plan": [], "force_generic_plan": []}
    for mode, answers in found.items():
        settings = vector_search.EXACT_OF_AGENT_SETTINGS | {"plan_cache_mode": mode}
        for scope in scopes:
            asked = conditions.parameters(scope, Filters(), corpus.NOW) | vector
            read = await crowd.database.read(scope.org_id, (vector_search.EXACT_OF_AGENT, asked), settings=settings)
            answers.append(sorted(to_memories(unpacked(read[0])), key=lambda one: one.id.int))

    assert [[one.id for one in answer] for answer in found["force_generic_plan"]] == [
        [one.id for one in answer] for answer in found["force_custom_plan"]
    ]
    for answer, scope in zip(found["force_generic_plan"], scopes, strict=True):
        assert {memory.agent_id for memory in answer} == {scope.agent_id}
        assert all(scope.end_user.sees(memory.user_id) for memory in answer)
        assert {one.id for one in answer} == {
            one.memory.id for one in (await crowd.nearest(scope, question, EXACT_ROWS)).found
        }


async def test_approximate_search_takes_the_order_of_its_index(crowd: Crowd) -> None:
    vector: dict[str, object] = {"vector": HalfVector(corpus.queries(crowd.agents[0], 1)[0])}

    of_agent = await crowd.explain(
        vector_search.APPROXIMATE, crowd.agents[0].scope, vector, vector_search.SETTINGS["hnsw"]
    )
    pool = vector | {"pool": vector_search.POOL * LIMIT}
    of_project = await crowd.explain(vector_search.ACROSS, PROJECT, pool, vector_search.ACROSS_SETTINGS)
    filtered = await crowd.explain(vector_search.APPROXIMATE, PROJECT, vector, vector_search.ACROSS_SETTINGS)

    for plan in (of_agent, of_project, filtered):
        assert "Order By: (embedding <=>" in plan
        assert "_embedding_idx" in plan
    assert len(partitions(of_agent)) == 1
    for plan in (of_project, filtered):
        assert len(partitions(plan)) == 32
        assert "Merge Append" in plan
    # The index's order is approximate, so the pool is sorted.
    assert re.search(r"Sort Key: \(\(\w+\.distance \+ ", of_project)


async def test_ivfflat_serves_approximate_search_when_it_is_chosen(crowd: Crowd) -> None:
    largest = crowd.agents[0]
    vector = corpus.queries(largest, 1)[0]
    settings = vector_search.SETTINGS["ivfflat"]

    made = await use_vector_index(crowd.owner_url, "ivfflat")
    again = await use_vector_index(crowd.owner_url, "ivfflat")
    plan = await crowd.explain(vector_search.APPROXIMATE, largest.scope, {"vector": HalfVector(vector)}, settings)
    answer = await crowd.nearest(largest.scope, vector, 0, index="ivfflat")
    opposite = await crowd.nearest(largest.scope, -vector, 0, index="ivfflat")
    # Ten of a hundred lists have little of a small agent.
    small = crowd.agents[40]
    few = [await crowd.nearest(small.scope, other, 0, index="ivfflat") for other in corpus.queries(largest, 5)]
    (kept,) = await crowd.database.read(None, ("SELECT current_setting('ivfflat.probes')", ()))
    (kind,) = await crowd.database.read(
        None, ("SELECT indexdef FROM pg_indexes WHERE indexname LIKE 'memory_vectors_0%embedding_idx' LIMIT 1", ())
    )
    back = await use_vector_index(crowd.owner_url, "hnsw")

    assert (made, again, back) == (True, False, True)
    assert "_embedding_idx" in plan
    assert "Order By: (embedding <=>" in plan
    assert "USING ivfflat" in kind[0][0]
    assert answer.strategy == "ivfflat"
    assert len(answer.found) == LIMIT
    assert all(one.dense is not None and 0.0 <= one.dense <= 1.0 for one in [*answer.found, *opposite.found])
    assert (answer.found[0].dense or 0.0) > 0.5
    assert any(one.short for one in few)
    assert all(one.short == (len(one.found) < min(LIMIT, small.size)) for one in few)
    assert kept == [("1",)]


async def test_an_unknown_kind_of_index_is_refused(crowd: Crowd) -> None:
    with pytest.raises(ConfigurationError, match="VECTOR_INDEX='flat' is not one of hnsw, ivfflat"):
        await use_vector_index(crowd.owner_url, "flat")


async def test_search_by_words_looks_everything_up_by_keys(crowd: Crowd) -> None:
    asked: dict[str, object] = {"terms": corpus.questions(2000, 1)[0], "most": 100_000}
    everybody, user = corpus.LEXICAL.scope, EndUser("user3")
    of_agent = await crowd.words(everybody, asked)
    of_user = await crowd.words(replace(everybody, end_user=user), asked)
    of_project = await crowd.words(PROJECT, asked)
    of_project_user = await crowd.words(replace(PROJECT, end_user=user), asked)

    for plan in (of_agent, of_user, of_project, of_project_user):
        condition = conditions_of(plan, "index_blocks_pkey")
        assert "term = ANY" in condition
        assert "org_id =" in condition
        assert "Seq Scan on term_" not in plan
        assert "Seq Scan on index_" not in plan
        assert "Seq Scan on memories" not in plan
        assert "document >= scope" in plan.replace("scope_1", "scope")
    assert "agent_id =" in conditions_of(of_agent, "index_blocks_pkey")
    assert "user_id = ANY" in conditions_of(of_user, "index_blocks_pkey")


async def test_the_winners_rows_are_looked_up_by_document(crowd: Crowd) -> None:
    documents: dict[str, object] = {
        "documents": list(range(0, 200, 2)),
        "places": [1] * 100,
        "agents": [corpus.LEXICAL.agent_id],
    }

    of_agent, plain = [
        await crowd.explain(statement, corpus.LEXICAL.scope, documents, lexical_search.ONE_AGENT_SETTINGS)
        for statement in (lexical_search.WINNERS_OF_AGENT, lexical_search.PLAIN_WINNERS_OF_AGENT)
    ]
    of_project = await crowd.explain(lexical_search.WINNERS, PROJECT, documents)

    for plan in (of_agent, plain, of_project):
        assert "memories_document" in plan
        assert "Seq Scan on memor" not in plan
        # Read in the order of the ranks, so that reading ends at the limit.
        assert "Sort" not in plan
    assert len(partitions(of_agent)) == len(partitions(plain)) == 1
    assert "Memoize" not in of_agent + plain


async def test_what_is_asked_before_a_search_is_looked_up_by_keys(crowd: Crowd) -> None:
    asked: dict[str, object] = {"terms": corpus.questions(2000, 1)[0]}
    user = replace(crowd.agents[0].scope, end_user=EndUser("user3"))

    known = await crowd.explain(lexical_search.KNOWN[True, True], corpus.LEXICAL.scope, asked)
    size = await crowd.explain(vector_search.SIZE, user, {"exact_rows": EXACT_ROWS})

    assert "term =" in conditions_of(known, "index_blocks_pkey")
    assert "Seq Scan on term_" not in known
    assert "Seq Scan on memory_vectors" not in size
    assert len(partitions(size)) == 1
    assert "(user_id = 'user3'::text)" in conditions_of(size, "_org_id_agent_id_user_id_idx")


def partitions(plan: str) -> set[str]:
    """The partitions of memory_vectors that are read."""
    lines = [line for line in plan.splitlines() if " on memory_vectors_" in line and "never executed" not in line]
    return {line.split(" on memory_vectors_")[1][:2] for line in lines}


def conditions_of(plan: str, index: str) -> str:
    """The conditions that scans of an index look up by."""
    lines = plan.splitlines()
    return "\n".join(following for line, following in pairwise(lines) if index in line and "Index Cond" in following)


async def test_rows_are_looked_up_one_by_one_also_before_a_table_has_statistics(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    """The planner then takes everything of the organization for one row, and may read all of it for each."""
    await tenant.remember_texts(*(f"Guest {number} wants fish." for number in range(60)))
    await observer.execute(
        "UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relname ~ '^memor' AND relkind IN ('r', 'p')"
    )
    await observer.execute("DELETE FROM pg_statistic WHERE starelid = 'memories'::regclass")
    scope = Scope(tenant.org_id, None, None, tenant.agent_id)
    values = conditions.parameters(scope, Filters(), corpus.NOW) | {"model": MODEL, "limit": LIMIT}
    statements = {
        "nearest": (vector_search.EXACT, values | {"vector": HalfVector(np.ones(384, np.float32))}),
        "nearest of agent": (vector_search.EXACT_OF_AGENT, values | {"vector": HalfVector(np.ones(384, np.float32))}),
        "matching": (lexical_search.WINNERS_OF_AGENT, values | {"documents": list(range(60))}),
        "plain matching": (lexical_search.PLAIN_WINNERS_OF_AGENT, values | {"documents": list(range(60))}),
    }

    plans = {}
    for name, (statement, parameters) in statements.items():
        (rows,) = await tenant.database.read(tenant.org_id, ("EXPLAIN (COSTS OFF) " + statement, parameters))
        plans[name] = "\n".join(row[0] for row in rows)

    of_words = ["document = d.document", "memory_id = m.memory_id"]
    for name, plan in plans.items():
        look_ups = ["memory_id = v.memory_id"] if "nearest" in name else of_words
        assert all(look_up in plan for look_up in look_ups), (name, plan)
        assert "Join Filter" not in plan, (name, plan)
