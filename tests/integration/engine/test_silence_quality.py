"""Turns that need no memory get none, and turns that do are not silent: our own labelled set, the packaged model.

The verdicts come from an in-process map of each agent's memories, without servers.
"""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from benchmarks import silence as labelled
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.scope import NOBODY
from remembrancer.domain.lexical_index import bm25, subjects
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memory_map import memory_map
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.rows import MapPostings, MapRows
from remembrancer.domain.ranking.helpfulness import LINES, Signals, in_prompt
from remembrancer.domain.retrieval.filters import Filters
from tests import builders
from tests.builders import NOW

ROOT = Path(__file__).resolve().parents[3]
AGENTS = ("workshop", "clinic", "classroom")
KEY = b"k" * 32
CANDIDATES = 100
MOST_HEARD = 0.12
"""Of the turns that need nothing: more of them than this must not get any memory."""
MOST_LOST = 0.20
"""Of the turns that need a memory: no more may be silent."""


@pytest.fixture
async def embedder() -> AsyncIterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(ROOT / "layers" / "models" / "build")
    yield embedder
    embedder.close()


async def mapped(agent: str, embedder: OnnxEmbedder) -> MemoryMap:
    lines = [line for line in labelled.memories() if line["agent"] == agent]
    stemmer = SnowballStemmer()
    indexed = [bm25.index(line["content"], None, key=KEY, stem=stemmer.stem) for line in lines]
    postings = np.array([(term, place, count) for place, one in enumerate(indexed) for term, count, _ in one.terms])
    rows = MapRows(
        [
            builders.memory(number, content=line["content"], created_at=datetime.fromisoformat(line["created_at"]))
            for number, line in enumerate(lines, start=1)
        ],
        await embedder.embed([line["content"] for line in lines]),
        np.ones(len(lines), bool),
        np.arange(len(lines), dtype=np.int32),
        np.array([one.content_words for one in indexed], np.uint16),
        np.zeros(len(lines), np.uint16),
        MapPostings(
            postings[:, 0],
            postings[:, 1].astype(np.int32),
            postings[:, 2].astype(np.uint8),
            np.zeros(len(postings), np.uint8),
        ),
    )
    return memory_map.extended(memory_map.empty(UUID(int=0), UUID(int=0), 384), rows, Change(1, 0))


async def is_silent(turn: labelled.Turn, known: MemoryMap, embedder: OnnxEmbedder) -> bool:
    stemmer = SnowballStemmer()
    named = subjects.named(turn.text)
    hashes = {term: name for name in named.names for term in bm25.speaker_hashes(KEY, name)}
    speakers = frozenset(hashes[term] for term in known.known(list(hashes), end_user=NOBODY))
    vector = (await embedder.embed([subjects.without(turn.text, named, speakers)]))[0]
    eligible = known.eligible(Filters(), end_user=NOBODY, now=NOW)
    wanted = bm25.wanted(turn.text, key=KEY, stem=stemmer.stem, kinds=stemmer.kinds)
    near = known.nearest(vector, eligible, CANDIDATES)
    words = known.matching(wanted, eligible, CANDIDATES, end_user=NOBODY)
    places = np.union1d(near.places, words.places)
    signals = Signals(
        near.similarity[places].astype(np.float64),
        words.scores.rank[places],
        words.scores.subject[places],
        # Alone, for the order is not examined here.
        near.similarity[places] + words.scores.rank[places],
        known.columns.order.tokens[places].astype(np.float64),
        words.scores.information,
    )
    evidence = signals.evidence(turn.text, vector, embedder.model)
    return bool(in_prompt(evidence, signals.likely(evidence)).max() < LINES["balanced"])


async def judged(embedder: OnnxEmbedder, turns: Sequence[labelled.Turn]) -> dict[bool, Counter[bool]]:
    """How many are silent of the turns that need a memory, and of those that need none."""
    found: dict[bool, Counter[bool]] = {True: Counter(), False: Counter()}
    for agent in AGENTS:
        known = await mapped(agent, embedder)
        for turn in turns:
            if turn.agent == agent:
                found[turn.gold is not None][await is_silent(turn, known, embedder)] += 1
    return found


async def test_turns_that_need_nothing_are_silent_and_the_others_are_not(embedder: OnnxEmbedder) -> None:
    turns = list(labelled.turns())

    found = await judged(embedder, turns)

    needed, unneeded = found[True], found[False]
    assert needed.total() == unneeded.total() == 25 * len(AGENTS)
    heard = 1 - unneeded[True] / unneeded.total()
    lost = needed[True] / needed.total()
    assert heard <= MOST_HEARD, found
    assert lost <= MOST_LOST, found


def test_the_set_has_the_size_and_the_halves_that_it_says() -> None:
    turns = list(labelled.turns())
    memories = Counter(line["agent"] for line in labelled.memories())
    kinds = Counter((turn.gold is not None, turn.half) for turn in turns)

    assert set(memories.values()) == {labelled.MEMORIES}
    assert min(kinds.values()) >= 72
    assert len({(turn.agent, turn.text) for turn in turns}) == len(turns) == 300
    assert len({turn.text for turn in turns if turn.gold is None}) == 150
    assert list(labelled.memories()) == list(labelled.memories())
