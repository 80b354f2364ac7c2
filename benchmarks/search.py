"""Search in Postgres: recall and time of each strategy by the agent's size, and search by words.

`make bench-search` runs it; the full size (500,000 memories of 1,000 agents) takes most of an hour to load and index.
`--keep` keeps the database for another run; `--prepare` only loads it.
"""

import argparse
import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from rich.console import Console

from benchmarks import corpus, figures
from benchmarks.corpus import CorpusAgent
from local.servers import PostgresServer
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.vector_index import DEFINITIONS
from remembrancer.adapters.postgres.search.vector_tables import EXACT_ROWS
from remembrancer.domain.identity.scope import EndUser, Scope
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import VectorHits

EVERYTHING = 1_000_000_000
SIZES = (10, 100, 1_000, 5_000, 10_000, 50_000, 100_000, EVERYTHING)
LIMIT = 50
SEVENTY_PER_CENT = Filters(min_confidence=0.3)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A search strategy: exact up to `exact_rows` vectors, else by the index; `ef_search` replaces the product's."""

    exact_rows: int
    index: str = "hnsw"
    ef_search: int | None = None


STRATEGIES = {
    "exact": Strategy(EVERYTHING),
    "adaptive": Strategy(EXACT_ROWS),
    "hnsw, ef_search 100": Strategy(0, ef_search=100),
    "hnsw, ef_search 400": Strategy(0, ef_search=400),
    "hnsw, ef_search 1000": Strategy(0, ef_search=1000),
    "ivfflat, probes 10": Strategy(0, "ivfflat"),
}
"""Exact search runs first, because the others are compared with it."""


async def main() -> None:
    """Prints the tables and writes them and `benchmarks/results/search.json`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument("--words", type=int, default=5_000, help="memories of the agent that is searched by words")
    parser.add_argument("--queries", type=int, default=60, help="of each size and strategy")
    parser.add_argument("--keep", type=Path, help="a directory for the database, used again if it has one")
    parser.add_argument("--prepare", action="store_true", help="load and index only")
    arguments = parser.parse_args()
    console = Console()
    with kept_server(arguments.keep) as server:
        everyone = corpus.agents(arguments.memories, arguments.agents)
        await _prepare(server, everyone, arguments, console)
        if arguments.prepare:
            return
        _warm(server)
        results: dict[str, Any] = {
            "memories": sum(agent.size for agent in everyone),
            "agents": len(everyone),
            "words_memories": arguments.words,
            "queries": arguments.queries,
            "limit": LIMIT,
            "vectors": await _vectors(server, everyone, arguments.queries, console),
            "scopes": await _scopes(server, everyone, arguments.queries),
            "words": await _words(server, arguments),
        }
    results["load"] = figures.read("search_load")
    figures.document("search", markdown(results))
    console.print("\n".join(markdown(results)), highlight=False)
    console.print(f"Written to {figures.write('search', results)}", highlight=False)


@contextmanager
def kept_server(kept: Path | None) -> Iterator[PostgresServer]:
    """Runs a server with enough memory for the data, in the directory `kept` or in a temporary one."""
    with tempfile.TemporaryDirectory() as directory:
        server = PostgresServer(kept or Path(directory))
        server.start()
        try:
            with psycopg.connect(server.superuser_url, autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET shared_buffers = '2GB'")
                connection.execute("ALTER SYSTEM SET max_parallel_maintenance_workers = 2")
                connection.execute("ALTER SYSTEM SET maintenance_work_mem = '2GB'")
            server.restart()
            yield server
        finally:
            server.stop()


async def _prepare(
    server: PostgresServer, everyone: Sequence[CorpusAgent], arguments: argparse.Namespace, console: Console
) -> None:
    await migrate(server.owner_url, packaged())
    with psycopg.connect(server.superuser_url) as connection:
        row = connection.execute("SELECT count(*) FROM organizations").fetchone()
    if row is None or not row[0]:
        seconds = corpus.load(server.superuser_url, list(everyone))
        console.print(f"Loaded: {seconds}", highlight=False)
        database = Database(server.app_url)
        merges = await corpus.load_words(database, server.superuser_url, arguments.words)
        await database.close()
        figures.write(
            "search_load",
            {"seconds": seconds, "merge_ms": figures.summary([1000 * one for one in merges]), "merges": len(merges)},
        )
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        for kind, definition in DEFINITIONS.items():
            connection.execute(definition.replace(" INDEX ", " INDEX IF NOT EXISTS ").encode())
            console.print(f"There is an index of the kind {kind}", highlight=False)
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_prewarm")


# Building an index takes longer than all measurements: both exist, and the planner sees one of them.
_SHOW_ONLY = """
    UPDATE pg_index SET indisvalid = (pg_am.amname = %s) FROM pg_class JOIN pg_am ON pg_am.oid = pg_class.relam
    WHERE pg_class.oid = indexrelid AND pg_am.amname IN ('hnsw', 'ivfflat')"""
WARM = """
    SELECT sum(pg_prewarm(oid)) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')
      AND relname ~ '^(memor|index_|term_|agents)'"""


def _warm(server: PostgresServer) -> None:
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        connection.execute(WARM)


def show_only(server: PostgresServer, kind: str) -> None:
    """Makes this kind of vector index visible to the planner, and the other one invisible."""
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        connection.execute(_SHOW_ONLY, [kind])


Timed = dict[str, Any]


async def _vectors(
    server: PostgresServer, everyone: Sequence[CorpusAgent], queries: int, console: Console
) -> dict[str, dict[str, Timed]]:
    """By strategy and size class: agents, recall against exact search, milliseconds, and number of short results."""
    exact: dict[tuple[CorpusAgent, int], set[Any]] = {}
    results: dict[str, dict[str, Timed]] = {}
    for strategy, how in STRATEGIES.items():
        show_only(server, how.index)
        database = Database(server.app_url, connections=1, statement_ms=60_000)
        search = PostgresSearch(
            database,
            model=corpus.MODEL,
            exact_rows=how.exact_rows,
            vector_index=how.index,
            ef_search=how.ef_search,
            statement_ms=60_000,
        )
        results[strategy] = {}
        for name, agents in _classes(everyone).items():
            milliseconds, recall, short, strategies = [], [], 0, set()
            for agent, numbers in _shared_out(agents, queries).items():
                vectors = corpus.queries(agent, len(numbers))
                await nearest(search, agent.scope, vectors[0])
                for number in numbers:
                    answer, took = await timed(lambda: nearest(search, agent.scope, vectors[number]))  # noqa: B023
                    found = {similar.memory.id for similar in answer.found}
                    truth = exact.setdefault((agent, number), found)
                    milliseconds.append(took)
                    recall.append(len(found & truth) / max(len(truth), 1))
                    short += answer.short
                    strategies.add(answer.strategy)
            results[strategy][name] = {
                "agents": len(agents),
                "recall": round(float(np.mean(recall)), 4),
                "lowest_recall": round(min(recall), 3),
                "ms": figures.summary(milliseconds),
                "short": short,
                "arms": sorted(strategies),
            }
            console.print(strategy, name, results[strategy][name], highlight=False)
        await database.close()
    show_only(server, "hnsw")
    return results


async def _scopes(server: PostgresServer, everyone: Sequence[CorpusAgent], queries: int) -> dict[str, Timed]:
    """Measures scopes: one end user of the largest agent, all agents of the project, and one end user of these.

    Near memories of small agents, the nearest lie in many partitions.
    """
    database = Database(server.app_url, connections=1, statement_ms=60_000)
    adaptive = PostgresSearch(database, model=corpus.MODEL, exact_rows=EXACT_ROWS, statement_ms=60_000)
    exact = PostgresSearch(database, model=corpus.MODEL, exact_rows=EVERYTHING, statement_ms=60_000)
    largest, project = everyone[0], corpus.PROJECT_SCOPE
    ranks = np.linspace(1, len(everyone) - 1, queries).round().astype(int).tolist()
    near_largest = corpus.queries(largest, queries)
    near_others = np.concatenate([corpus.queries(everyone[rank], 1) for rank in ranks])
    scopes = {
        "an end user of the largest agent": (replace(largest.scope, end_user=EndUser("user3")), near_largest),
        "the project": (project, near_largest),
        "the project, near memories of small agents": (project, near_others),
        "an end user of the project": (replace(project, end_user=EndUser("user3")), near_largest),
    }
    results = {}
    for name, (scope, vectors) in scopes.items():
        milliseconds, recall, answers = [], [], []
        for vector in vectors:
            truth = {similar.memory.id for similar in (await nearest(exact, scope, vector)).found}
            await nearest(adaptive, scope, vector)
            answer, took = await timed(lambda: nearest(adaptive, scope, vector))  # noqa: B023
            milliseconds.append(took)
            recall.append(len(truth & {similar.memory.id for similar in answer.found}) / max(len(truth), 1))
            answers.append(answer)
        results[name] = {
            "recall": round(float(np.mean(recall)), 4),
            "ms": figures.summary(milliseconds),
            "arms": sorted({answer.strategy for answer in answers}),
        }
    await database.close()
    return results


async def _words(server: PostgresServer, arguments: argparse.Namespace) -> dict[str, Timed]:
    database = Database(server.app_url, connections=1, statement_ms=60_000)
    search = PostgresSearch(database, model=corpus.MODEL, statement_ms=60_000)
    number = 4 * arguments.queries
    questions = corpus.questions(arguments.words, number)
    scope = corpus.LEXICAL.scope
    touched = [await _postings(database, terms) for terms in questions]
    results: dict[str, Timed] = {
        "size": await _size_of_words(database),
        "postings": {f"p{share}": int(np.percentile(touched, share)) for share in (50, 95, 99)},
    }
    for name, place, filters, asked in (
        ("no filter", scope, Filters(), questions),
        ("70 % pass", scope, SEVENTY_PER_CENT, questions),
        ("1 % pass", scope, Filters(min_confidence=0.99), questions),
        ("one end user", replace(scope, end_user=EndUser("user3")), Filters(), questions),
        ("the project", corpus.PROJECT_SCOPE, Filters(), questions),
        ("3 of the 20 commonest words", scope, Filters(), corpus.common_questions(3, 20, number)),
        ("all of the 30 commonest words", scope, Filters(), corpus.common_questions(30, 30, number)),
    ):
        milliseconds, left_out = [], 0
        for terms in [asked[0], *asked]:
            answer, took = await timed(
                lambda: search.matching(place, QueryTerms.of(terms), filters, limit=LIMIT, now=corpus.NOW)  # noqa: B023
            )
            milliseconds.append(took)
            left_out += bool(answer.left_out)
        read = [await _postings(database, terms) for terms in asked]
        results[name] = {
            "ms": figures.summary(milliseconds[1:]),
            "postings_p50": int(np.median(read)),
            "queries_with_words_left_out": left_out,
        }
    await database.close()
    return results


async def _postings(database: Database, terms: Sequence[int]) -> int:
    statement = "SELECT coalesce(sum(postings), 0)::bigint FROM index_blocks WHERE org_id = %s AND term = ANY(%s)"
    (rows,) = await database.read(corpus.ORGANIZATION, (statement, (corpus.ORGANIZATION, list(terms))))
    return int(rows[0][0])


async def _size_of_words(database: Database) -> dict[str, int]:
    statement = """
        SELECT pg_total_relation_size('index_blocks'), pg_total_relation_size('term_documents'), count(*),
               sum(postings)::bigint FROM index_blocks"""
    (rows,) = await database.read(corpus.ORGANIZATION, (statement, ()))
    return dict(zip(("blocks_bytes", "documents_bytes", "rows", "postings"), rows[0], strict=True))


def _classes(everyone: Sequence[CorpusAgent]) -> dict[str, list[CorpusAgent]]:
    classes: dict[str, list[CorpusAgent]] = defaultdict(list)
    for agent in sorted(everyone, key=lambda one: one.size):
        for low, high in pairwise(SIZES):
            if low <= agent.size < high:
                classes[f"{low:,}–{high - 1:,}" if high < EVERYTHING else f"{low:,}+"].append(agent)
    return classes


def _shared_out(agents: Sequence[CorpusAgent], queries: int) -> dict[CorpusAgent, range]:
    """Divides queries equally among agents; with fewer queries than agents, evenly over the sizes, one each."""
    chosen = [agents[round(place)] for place in np.linspace(0, len(agents) - 1, min(len(agents), queries))]
    return {agent: range(max(queries // len(chosen), 1)) for agent in chosen}


async def nearest(search: PostgresSearch, scope: Scope, vector: np.ndarray[Any, np.dtype[np.float32]]) -> VectorHits:
    """The measured search: 50 memories among the 70 % of the scope that pass the filter."""
    return await search.nearest(scope, vector, SEVENTY_PER_CENT, model=corpus.MODEL, limit=LIMIT, now=corpus.NOW)


async def timed(work: Callable[[], Awaitable[Any]]) -> tuple[Any, float]:
    """The answer, and the milliseconds that it took."""
    started = time.perf_counter()
    answer = await work()
    return answer, (time.perf_counter() - started) * 1000


def markdown(results: dict[str, Any]) -> list[str]:
    """The tables for docs/benchmarks.md."""
    classes = list(results["vectors"]["exact"])
    lines = [
        f"{results['memories']:,} memories of {results['agents']:,} agents, clustered vectors of 384 dimensions; 70 % "
        f"pass the filter; {results['queries']} queries of each size and strategy, one client. Each cell: recall@"
        f"{results['limit']} against exact, p50/p99 in milliseconds.",
        "",
        "| strategy | " + " | ".join(classes) + " |",
        "|---" * (len(classes) + 1) + "|",
    ]
    for strategy, cells in results["vectors"].items():
        figures_of = [
            f"{cell['recall']:.3f} {cell['ms']['p50']:.1f}/{cell['ms']['p99']:.1f}"
            for cell in (cells[name] for name in classes)
        ]
        lines.append(f"| {strategy} | " + " | ".join(figures_of) + " |")
    lines += ["", "| scope | arm | recall | p50 ms | p99 ms |", "|---|---|---|---|---|"]
    for name, cell in results["scopes"].items():
        lines.append(
            f"| {name} | {', '.join(cell['arms'])} | {cell['recall']:.3f} | {cell['ms']['p50']:.1f} | "
            f"{cell['ms']['p99']:.1f} |"
        )
    words = results["words"]
    size, touched = words["size"], words["postings"]
    lines += [
        "",
        f"Search by words in {results['words_memories']:,} memories of one agent: {size['postings']:,} postings in "
        f"{size['blocks_bytes'] / 1e6:.0f} MB of blocks and {size['documents_bytes'] / 1e6:.0f} MB of documents; a "
        f"query's words have {touched['p50']:,} postings at the median, {touched['p99']:,} at the 99th percentile.",
        "",
        "| search by words | postings, median | p50 ms | p95 ms | p99 ms |",
        "|---|---|---|---|---|",
    ]
    for name, cell in words.items():
        if "ms" in cell:
            lines.append(
                f"| {name} | {cell['postings_p50']:,} | {cell['ms']['p50']:.1f} | {cell['ms']['p95']:.1f} | "
                f"{cell['ms']['p99']:.1f} |"
            )
    return lines


if __name__ == "__main__":
    asyncio.run(main())
