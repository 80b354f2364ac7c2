"""Search by the vector index before, while and after a part of an agent's vectors is replaced by new ones.

`python -m benchmarks.drift --keep DIRECTORY`, on a database that `benchmarks.search --keep` has made; with the same
`--memories` and `--agents`.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector_async
from rich.console import Console

from benchmarks import corpus, figures, search
from benchmarks.corpus import Agent
from local.servers import PostgresServer
from remembrancer.adapters.postgres.database import Database
from remembrancer.adapters.postgres.search import PostgresSearch

BATCH = 100
"""Vectors of a transaction, as the embedding function writes them."""

_CHOSEN = "SELECT memory_id FROM memory_vectors WHERE agent_id = %s ORDER BY md5(memory_id::text) LIMIT %s"
# A new row version with a new place in every index, as after a change of the memory's text.
_REPLACE = "UPDATE memory_vectors SET embedding = %s WHERE agent_id = %s AND memory_id = %s"


async def main() -> None:
    """Prints the table and writes it and `benchmarks/results/drift.json`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument("--rank", type=int, default=1, help="of the agent by size, 0 is the largest")
    parser.add_argument("--share", type=float, default=0.1, help="of its vectors that are replaced")
    parser.add_argument("--queries", type=int, default=60)
    arguments = parser.parse_args()
    agent = corpus.agents(arguments.memories, arguments.agents)[arguments.rank]
    number = int(agent.size * arguments.share)
    with search.kept_server(arguments.keep) as server:
        search.show_only(server, "hnsw")
        before = await _searched(server, agent, arguments.queries)
        writing = asyncio.ensure_future(_replace(server, agent, number))
        meanwhile = await _searched(server, agent, arguments.queries, until=writing)
        seconds = await writing
        after = await _searched(server, agent, arguments.queries)
    results = {
        "agent": agent.size,
        "replaced": number,
        "writes_per_second": round(number / seconds, 1),
        "before": before,
        "meanwhile": meanwhile,
        "after": after,
    }
    figures.document("drift", markdown(results))
    figures.write("drift", results)
    Console().print("\n".join(markdown(results)), highlight=False)


async def _replace(server: PostgresServer, agent: Agent, number: int) -> float:
    """Seconds that it took, in transactions of BATCH."""
    url = server.superuser_url
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        await register_vector_async(connection)
        cursor = await connection.execute(_CHOSEN, [agent.agent_id, number])
        chosen = [row[0] for row in await cursor.fetchall()]
        started = time.perf_counter()
        for ids, vectors in _batches(chosen, corpus.new_points(agent, number)):
            async with connection.transaction():
                for memory_id, vector in zip(ids, vectors, strict=True):
                    await connection.execute(_REPLACE, (HalfVector(vector), agent.agent_id, memory_id), binary=True)
        return time.perf_counter() - started


def _batches(ids: list[Any], vectors: np.ndarray[Any, Any]) -> Iterator[tuple[list[Any], np.ndarray[Any, Any]]]:
    for start in range(0, len(ids), BATCH):
        yield ids[start : start + BATCH], vectors[start : start + BATCH]


async def _searched(
    server: PostgresServer, agent: Agent, queries: int, until: "asyncio.Future[float] | None" = None
) -> dict[str, Any]:
    """Recall against exact search at the same moment, and milliseconds; round and round `until` that is done."""
    database = Database(server.app_url, connections=1, statement_ms=60_000)
    by_index = PostgresSearch(database, model=corpus.MODEL, exact_rows=0, statement_ms=60_000)
    exact = PostgresSearch(database, model=corpus.MODEL, exact_rows=search.EVERYTHING, statement_ms=60_000)
    vectors = corpus.queries(agent, queries)
    milliseconds, recall = [], []
    while True:
        for vector in vectors:
            answer, took = await search.timed(lambda: search.nearest(by_index, agent.scope, vector))  # noqa: B023
            milliseconds.append(took)
            if until is None:
                truth = {similar.memory.id for similar in (await search.nearest(exact, agent.scope, vector)).found}
                recall.append(len(truth & {similar.memory.id for similar in answer.found}) / max(len(truth), 1))
        if until is None or until.done():
            break
    await database.close()
    return {"recall": round(float(np.mean(recall)), 4) if recall else None, "ms": figures.summary(milliseconds)}


def markdown(results: dict[str, Any]) -> list[str]:
    """The table for docs/benchmarks.md."""
    lines = [
        f"{results['replaced']:,} of the {results['agent']:,} vectors of one agent are replaced, in transactions of "
        f"{BATCH}, {results['writes_per_second']:.0f} a second beside one searching client.",
        "",
        "| search by the index | recall@50 | p50 ms | p99 ms |",
        "|---|---|---|---|",
    ]
    for name in ("before", "meanwhile", "after"):
        cell = results[name]
        recall = "" if cell["recall"] is None else f"{cell['recall']:.3f}"
        lines.append(f"| {name} | {recall} | {cell['ms']['p50']:.1f} | {cell['ms']['p99']:.1f} |")
    return lines


if __name__ == "__main__":
    asyncio.run(main())
