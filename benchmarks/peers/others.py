"""Memories of others, which share the tables with the measured ones: the same texts and vectors for each system.

The texts are generated facts, embedded by the packaged model. There are fewer texts than memories: each copy has a
vector near its text's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector import Vector
from pgvector.psycopg import register_vector

from benchmarks import corpus, talkative
from benchmarks.peers import questions
from benchmarks.talkative import TalkativeLine
from local.stack import StackSettings

TEXTS = 1_000
OWNERS = 100
_SEED = 2


@dataclass(frozen=True, slots=True)
class OtherMemory:
    """A row of the table `others`."""

    owner: str
    ref: str
    text: str
    vector: NDArray[np.float32]


async def lines() -> tuple[list[TalkativeLine], str]:
    """The embedded texts, and the model's name."""
    texts = [fact.text for fact in questions.facts(TEXTS, seed=_SEED)]
    return await talkative.lines_of([(text, "factual") for text in texts], StackSettings().models)


def sizes(number: int) -> list[int]:
    """Memories of each other agent, all different (`talkative` names agents by their size), `number` in all."""
    mean = number // OWNERS
    found = [mean - OWNERS // 2 + place + (place >= OWNERS // 2) for place in range(OWNERS)]
    return [size for size in found if size > 0]


def memories(known: Sequence[TalkativeLine], number: int) -> Iterator[OtherMemory]:
    """`number` memories of the owners in turn."""
    random = np.random.default_rng(_SEED)
    for place in range(number):
        line = known[int(random.integers(len(known)))]
        noise = random.standard_normal((1, corpus.DIMENSIONS), dtype=np.float32)
        (vector,) = talkative.near(line.vector[None], noise)
        yield OtherMemory(f"other{place % OWNERS}", f"o{place}", line.text, vector)


def load(url: str, statement: str, rows: Iterator[OtherMemory]) -> None:
    """Adds rows by a system's statement OTHERS; its indexes are built anew afterwards."""
    with psycopg.connect(url, autocommit=True) as connection:
        register_vector(connection)
        connection.execute("SET maintenance_work_mem = '1GB'")
        connection.execute("CREATE TEMPORARY TABLE others (owner text, ref text, content text, embedding vector)")
        with connection.cursor().copy("COPY others FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(("text", "text", "text", "vector"))
            for row in rows:
                copy.write_row((row.owner, row.ref, row.text, Vector(row.vector)))
        connection.execute("ANALYZE others")
        definitions = corpus.drop_indexes(connection)
        connection.execute(statement.encode())
        for _, definition in definitions:
            connection.execute(definition.encode())
        connection.execute("VACUUM ANALYZE")
