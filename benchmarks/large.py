"""Searches in a database of a million memories: alone, beside writes, and while autovacuum runs.

One agent of 100,000 memories is searched by vectors and by words at the same time, as an assembly does. Another process
writes new memories that supersede older ones, and gives them vectors. Garbage is collected as seldom as in an instance
of a function. `make bench-large` loads the database, which takes most of an hour, and measures for ten minutes at most;
`--keep` keeps it for another run.
"""

import argparse
import asyncio
import gc
import secrets
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import psycopg
from rich.console import Console

from benchmarks import corpus, figures, search, talkative
from benchmarks.corpus import ORGANIZATION, CorpusAgent
from benchmarks.talkative import TalkativeLine
from local.servers import PostgresServer
from local.stack import StackSettings
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.bootstrap.instance import COLLECT_AFTER
from remembrancer.domain.context import budget
from remembrancer.domain.identity.scope import EVERYBODY, Principal, Scope
from remembrancer.domain.lexical_index import bm25
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.memory import NewMemory, Vector, fingerprint
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.settings import Bounds

SIZE = 100_000
AGENT = talkative.agent_id(SIZE)
SCOPE = Scope(ORGANIZATION, None, None, AGENT, EVERYBODY)
LIMIT, WORDS_LIMIT = budget.MOST_ROWS, budget.LEXICAL_ROWS
BOUND_MS = min(Bounds().cold_ms, Bounds().lexical_ms)
BATCH = 10
"""Memories of one write, as many as the embedding function takes at once."""
QUESTIONS = 60
PROJECT_QUESTIONS = 20
EXACT = 10
"""Searches whose recall is measured in each phase."""
TABLES = "^(memories|memory_vectors|term_documents|index_blocks)"
PHASES = {
    "alone": {"autovacuum": "off"},
    "writes": {"autovacuum": "off"},
    "writes, autovacuum": {
        "autovacuum": "on",
        "autovacuum_naptime": "1s",
        "autovacuum_vacuum_scale_factor": "0",
        "autovacuum_vacuum_threshold": "200",
        "autovacuum_vacuum_insert_threshold": "-1",
    },
    "alone afterwards": {"autovacuum": "off"},
}
"""The settings of the server in each phase; autovacuum runs much more often than by its defaults."""


@dataclass(slots=True)
class Phase:
    """Measurements of one phase, in milliseconds."""

    vectors: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    both: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    written: int = 0
    vacuums: int = 0
    vacuum_seconds: float = 0.0
    dead: int = 0

    def as_json(self) -> dict[str, Any]:
        """The phase for the result file."""
        return {
            "vectors_ms": figures.summary(self.vectors),
            "words_ms": figures.summary(self.words),
            "both_ms": figures.summary(self.both),
            "searches": len(self.both),
            "within_bound": round(sum(took <= BOUND_MS for took in self.both) / len(self.both), 4),
            "recall": round(float(np.mean(self.recall)), 4),
            "written": self.written,
            "autovacuums": self.vacuums,
            "autovacuum_seconds": round(self.vacuum_seconds, 1),
            "dead_rows_after": self.dead,
        }


async def main() -> None:
    """Prints the table, writes it to docs/benchmarks.md and `benchmarks/results/large.json`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=1_000_000, help="of all agents together")
    parser.add_argument("--agents", type=int, default=1_000, help="the others, of Zipf sizes")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each phase; 120 at most")
    parser.add_argument("--rate", type=float, default=50.0, help="memories written a second")
    parser.add_argument("--keep", type=Path, help="a directory for the database, used again if it has one")
    parser.add_argument("--write", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    lines, model = await talkative.lines(StackSettings().models)
    if arguments.write:
        await write(arguments.write, lines, model, arguments.seconds, arguments.rate)
        return
    console = Console()
    with search.kept_server(arguments.keep) as server:
        await _prepare(server, arguments, lines, model)
        counts = _counts(server)
        # As in an instance of a function.
        gc.freeze()
        gc.set_threshold(COLLECT_AFTER, *gc.get_threshold()[1:])
        phases = {}
        for name, settings in PHASES.items():
            phases[name] = await _measure(server, name, settings, arguments, lines, model)
            console.print(name, phases[name].as_json(), highlight=False)
        _set(server, dict.fromkeys(PHASES["writes, autovacuum"]))
        project = await _project(server, corpus.agents(arguments.memories - SIZE, arguments.agents))
        results = {
            **counts,
            "rate": arguments.rate,
            "phases": {name: one.as_json() for name, one in phases.items()},
            "project": project,
        }
    figures.document("large", _markdown(results))
    console.print(f"Written to {figures.write('large', results)}", highlight=False)


async def _prepare(
    server: PostgresServer, arguments: argparse.Namespace, lines: list[TalkativeLine], model: str
) -> None:
    await migrate(server.owner_url, packaged())
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_prewarm")
        if connection.execute("SELECT FROM agents WHERE agent_id = %s", (AGENT,)).fetchone() is None:
            others = corpus.agents(arguments.memories - SIZE, arguments.agents)
            also = lambda loading: talkative.load(loading, [SIZE], lines, model)  # noqa: E731
            await asyncio.to_thread(corpus.load, server.superuser_url, others, also=also)
            database = Database(server.app_url, statement_ms=60_000)
            await talkative.merge(database, [SIZE])
            await database.close()
            connection.execute("VACUUM ANALYZE")
        connection.execute(search.WARM)


def _counts(server: PostgresServer) -> dict[str, int]:
    with psycopg.connect(server.superuser_url) as connection:
        row = connection.execute(
            "SELECT (SELECT count(*) FROM memories), (SELECT count(*) FROM memory_vectors), "
            "pg_database_size(current_database())"
        ).fetchone()
    return dict(zip(("memories", "vectors", "bytes"), row or (), strict=True))


def _set(server: PostgresServer, settings: dict[str, Any]) -> None:
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        for name, value in settings.items():
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'" if value else f"ALTER SYSTEM RESET {name}")
        connection.execute("SELECT pg_reload_conf()")


async def _measure(
    server: PostgresServer,
    name: str,
    settings: dict[str, str],
    arguments: argparse.Namespace,
    lines: Sequence[TalkativeLine],
    model: str,
) -> Phase:
    """Searches for the seconds of one phase, with another process that writes if the phase has one."""
    phase, seconds = Phase(), min(arguments.seconds, 120.0)
    _set(server, settings)
    before = _vacuums(server)
    database = Database(server.app_url, connections=2, statement_ms=60_000)
    found = PostgresSearch(database, model=model, statement_ms=60_000)
    exact = PostgresSearch(database, model=model, statement_ms=60_000, exact_rows=10 * SIZE)
    questions = _questions(lines)
    for vector, terms in questions[:10]:
        await asyncio.gather(_nearest(found, vector, model), _matching(found, terms))
    writer = _writer(server, seconds, arguments.rate) if name.startswith("writes") else None
    until = time.monotonic() + seconds
    number = 0
    while time.monotonic() < until:
        vector, terms = questions[number % len(questions)]
        started = time.perf_counter()
        (_, vectors_ms), (_, words_ms) = await asyncio.gather(
            search.timed(lambda: _nearest(found, vector, model)),  # noqa: B023
            search.timed(lambda: _matching(found, terms)),  # noqa: B023
        )
        phase.both.append((time.perf_counter() - started) * 1000)
        phase.vectors.append(vectors_ms)
        phase.words.append(words_ms)
        number += 1
        await asyncio.sleep(0.02)
    if writer is not None:
        phase.written = int(writer.communicate(timeout=60)[0].split()[-1])
    for vector, _ in questions[:EXACT]:
        truth = set(await _nearest(exact, vector, model))
        phase.recall.append(len(truth & set(await _nearest(found, vector, model))) / len(truth))
    await database.close()
    after = _vacuums(server)
    phase.vacuums, phase.vacuum_seconds, phase.dead = int(after[0] - before[0]), after[1] - before[1], int(after[2])
    return phase


async def _project(server: PostgresServer, others: Sequence[CorpusAgent]) -> dict[str, Any]:
    """Searches in all agents of a project, exactly and by the index."""
    database = Database(server.app_url, connections=1, statement_ms=60_000)
    found = PostgresSearch(database, model=corpus.MODEL, statement_ms=60_000)
    exact = PostgresSearch(database, model=corpus.MODEL, statement_ms=60_000, exact_rows=100 * SIZE)
    ranks = np.linspace(1, len(others) - 1, PROJECT_QUESTIONS).round().astype(int).tolist()
    near = {
        "the largest agent": corpus.queries(others[0], PROJECT_QUESTIONS),
        "other agents": np.concatenate([corpus.queries(others[rank], 1) for rank in ranks]),
    }
    results: dict[str, Any] = {}
    for name, vectors in near.items():
        durations, recall = [], []
        for vector in vectors:
            truth = set(await _of_project(exact, vector))
            await _of_project(found, vector)
            ids, took = await search.timed(lambda: _of_project(found, vector))  # noqa: B023
            durations.append(took)
            recall.append(len(truth & set(ids)) / len(truth))
        results[name] = {"ms": figures.summary(durations), "recall": round(float(np.mean(recall)), 4)}
    await database.close()
    return results


async def _of_project(found: PostgresSearch, vector: Vector) -> list[UUID]:
    return [memory.id for memory in (await search.nearest(found, corpus.PROJECT_SCOPE, vector)).memories]


def _questions(lines: Sequence[TalkativeLine]) -> list[tuple[Vector, QueryTerms]]:
    stemmer = SnowballStemmer()
    chosen = [lines[round(place)] for place in np.linspace(0, len(lines) - 1, QUESTIONS)]
    return [
        (line.vector, bm25.wanted(line.text, key=talkative.KEY, stem=stemmer.stem, kinds=stemmer.kinds))
        for line in chosen
    ]


async def _nearest(found: PostgresSearch, vector: Vector, model: str) -> list[UUID]:
    answer = await found.nearest(SCOPE, vector, Filters(), model=model, limit=LIMIT, now=corpus.NOW)
    return [memory.id for memory in answer.memories]


async def _matching(found: PostgresSearch, terms: QueryTerms) -> list[UUID]:
    answer = await found.matching(SCOPE, terms, Filters(), limit=WORDS_LIMIT, now=corpus.NOW, names_terms=False)
    return [memory.id for memory in answer.memories]


def _vacuums(server: PostgresServer) -> tuple[float, float, float]:
    """Automatic vacuums of the large tables so far, their seconds, and the dead rows that are left."""
    with psycopg.connect(server.superuser_url) as connection:
        row = connection.execute(
            "SELECT sum(autovacuum_count), sum(total_autovacuum_time) / 1000, sum(n_dead_tup) "
            "FROM pg_stat_user_tables WHERE relname ~ %s",
            (TABLES,),
        ).fetchone()
    counted, seconds, dead = (float(value or 0) for value in row or (0, 0, 0))
    return counted, seconds, dead


def _writer(server: PostgresServer, seconds: float, rate: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "benchmarks.large", "--write", server.app_url]
    command += ["--seconds", str(seconds), "--rate", str(rate)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def write(url: str, lines: Sequence[TalkativeLine], model: str, seconds: float, rate: float) -> None:
    """Writes batches that supersede memories of the agent, and embeds and merges them; prints how many memories."""
    database = Database(url, connections=1, statement_ms=60_000)
    principal = Principal(
        ORGANIZATION, corpus.PROJECT, corpus.ENVIRONMENT, uuid4(), frozenset({"admin"}), sees_all=True
    )
    memories, store = PostgresMemories(database), PostgresEmbeddingStore(database)
    chosen = "SELECT memory_id FROM memories WHERE agent_id = %s AND status = 'active' ORDER BY created_at LIMIT 20000"
    (rows,) = await database.read(ORGANIZATION, (chosen, (AGENT,)))
    older = iter([row[0] for row in rows])
    random = np.random.default_rng(secrets.randbits(32))
    until, written = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        following = time.monotonic() + BATCH / rate
        picked = [lines[place] for place in random.integers(0, len(lines), BATCH).tolist()]
        writes = [_write(line, next(older)) for line in picked]
        await memories.write(principal, dict(enumerate(writes)))
        pending = await store.pending(ORGANIZATION, [one.memory_id for one in writes], model)
        line_of = {one.memory_id: line for one, line in zip(writes, picked, strict=True)}
        noise = random.standard_normal((len(pending), corpus.DIMENSIONS), dtype=np.float32)
        vectors = talkative.near(np.stack([line_of[one.memory.id].vector for one in pending]), noise)
        await store.store(ORGANIZATION, pending, vectors, model)
        await PostgresLexicalIndex(database).tidy(ORGANIZATION, AGENT)
        written += len(pending)
        await asyncio.sleep(max(following - time.monotonic(), 0))
    await database.close()
    print(written)


def _write(line: TalkativeLine, supersedes: UUID) -> MemoryWrite:
    content = f"{line.text} ({secrets.token_hex(4)})"
    memory = NewMemory(AGENT, content, line.category, "extracted", 0.9, 0.5, line.created_at)
    indexed = bm25.index(content, None, key=talkative.KEY, stem=SnowballStemmer().stem)
    tokens = dict(zip(("o200k_base", "cl100k_base"), line.tokens, strict=True))
    return MemoryWrite(
        uuid4(), replace(memory, supersedes=supersedes), 0.5, indexed, tokens, fingerprint(content, key=talkative.KEY)
    )


def _markdown(results: dict[str, Any]) -> list[str]:
    lines = [
        f"{results['memories']:,} memories, {results['vectors']:,} with vectors, {results['bytes'] / 1e9:.1f} GB; an "
        f"agent of {SIZE:,} is searched, {LIMIT} results by vectors and {WORDS_LIMIT} by words. "
        f"{results['rate']:.0f} memories a second supersede others. Milliseconds, p50/p95/p99; both searches run at "
        f"the same time, and both are within {BOUND_MS:g} ms in the share of the column before last.",
        "",
        "| phase | searches | vectors | words | both | within the bound | recall |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, phase in results["phases"].items():
        cells = [
            " / ".join(f"{phase[kind][share]:.1f}" for share in ("p50", "p95", "p99"))
            for kind in ("vectors_ms", "words_ms", "both_ms")
        ]
        lines.append(
            f"| {name} | {phase['searches']:,} | {' | '.join(cells)} | {phase['within_bound']:.1%} | "
            f"{phase['recall']:.3f} |"
        )
    lines += [
        "",
        "| phase | memories written | vacuums | seconds in them | dead rows afterwards |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {phase['written']:,} | {phase['autovacuums']} | {phase['autovacuum_seconds']} | "
        f"{phase['dead_rows_after']:,} |"
        for name, phase in results["phases"].items()
    ]
    lines += [
        "",
        f"All agents of a project together, without naming one, {search.LIMIT} results, 70 % pass the filter:",
        "",
        "| questions near memories of | ms | recall |",
        "|---|---|---|",
    ]
    for name, found in results["project"].items():
        durations = " / ".join(f"{found['ms'][share]:.1f}" for share in ("p50", "p95", "p99"))
        lines.append(f"| {name} | {durations} | {found['recall']:.3f} |")
    return lines


if __name__ == "__main__":
    asyncio.run(main())
