"""The candidates of labelled turns as assembly compares them, found in a memory map of each agent, without servers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

import numpy as np
from numpy.typing import NDArray

from benchmarks.turns import Turn
from local.evaluation.dataset import Dataset, Question
from local.stack import StackSettings
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.context import follow_ups, formatter
from remembrancer.domain.context.chat_messages import Message
from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.lexical_index import bm25, subjects
from remembrancer.domain.memories import embedding_text, write_request
from remembrancer.domain.memories.memory import Change, Memory, NewMemory
from remembrancer.domain.memory_map import memory_map
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.rows import MapPostings, MapRows
from remembrancer.domain.ranking import ownership
from remembrancer.domain.retrieval.candidates import Candidates, FoundMemories
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.usecases.assembly.scoring import relevance

Floats = NDArray[np.float64]

KEY = b"k" * 32
NEAREST, WORDS = 150, 100
"""Candidates of each search, as in assembly."""
_TEXTS_AT_ONCE = 64
_TOKENIZER = "o200k_base"


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """A labelled turn and its vector."""

    text: str
    half: str
    needs_memory: bool
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A labelled turn, with the columns of its candidates, (n,) each, as `Signals` has them, and `content`, the score
    of the words of the memory itself.

    `right` says which candidates are evidence, of `needed` memories in all. `vector` is the turn's.
    """

    agent: str
    half: str
    kind: str
    text: str
    needed: int
    found: tuple[str, ...]
    right: NDArray[np.bool_]
    dense: Floats
    content: Floats
    lexical: Floats
    subject: Floats
    relative: Floats
    tokens: Floats
    information: float
    vector: NDArray[np.float32]

    @property
    def read(self) -> ReadTurn:
        """Without its candidates."""
        return ReadTurn(self.text, self.half, self.needed > 0, self.vector)


@dataclass(frozen=True, slots=True)
class Engine:
    """What reads texts, as the functions do."""

    embedder: OnnxEmbedder
    counter: TiktokenCounter
    stemmer: SnowballStemmer

    @classmethod
    def of_this_checkout(cls) -> "Engine":
        """With the models that `make models` builds."""
        models = StackSettings().models
        return cls(OnnxEmbedder(models), TiktokenCounter(models), SnowballStemmer())


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """An agent's memories in a map, with the file's ids by position; equal texts are one memory."""

    map: MemoryMap
    ids: Sequence[frozenset[str]]


async def judged_turns(data: Dataset, halves: Mapping[tuple[str, str], str], engine: Engine) -> list[JudgedTurn]:
    """The candidates of each question; `halves` by agent and text, or by agent and an empty text."""
    turns = []
    for agent, lines in data.memories.items():
        known = await _known(agent, lines, engine)
        for question in data.questions:
            if question.agent == agent:
                half = halves.get((agent, question.text)) or halves.get((agent, ""), "")
                turns.append(await _judged(question, half, known, engine))
    return turns


async def read_turns(turns: Sequence[Turn], engine: Engine) -> list[ReadTurn]:
    """Turns that have no memories, with their vectors."""
    vectors = await _embedded([turn.text for turn in turns], engine)
    return [
        ReadTurn(turn.text, turn.half, turn.needs_memory, vector) for turn, vector in zip(turns, vectors, strict=True)
    ]


async def _known(agent: str, lines: Sequence[tuple[str, Mapping[str, Any]]], engine: Engine) -> KnownAgent:
    names: dict[tuple[str, str], set[str]] = {}
    parsed: list[NewMemory] = []
    agent_id = uuid5(UUID(int=0), agent)
    for identifier, fields in lines:
        memory = write_request.parse({**fields, "agent_id": str(agent_id)}, now=datetime.now(UTC))
        text = (memory.user_id or "", memory.content)
        if text not in names:
            parsed.append(memory)
        names.setdefault(text, set()).add(identifier)
    indexed = [bm25.index(one.content, one.context, key=KEY, stem=engine.stemmer.stem) for one in parsed]
    terms = [(term, place, *counts) for place, one in enumerate(indexed) for term, *counts in one.terms]
    term, place, content, context = (np.array(column) for column in zip(*terms, strict=True))
    stored = [await _stored(number, memory, engine) for number, memory in enumerate(parsed, start=1)]
    rows = MapRows(
        stored,
        await _vectors(parsed, engine),
        np.ones(len(parsed), bool),
        np.arange(len(parsed), dtype=np.int32),
        np.array([one.content_words for one in indexed], np.uint16),
        np.array([one.context_words for one in indexed], np.uint16),
        MapPostings(term, place.astype(np.int32), content.astype(np.uint8), context.astype(np.uint8)),
        engine.embedder.model,
    )
    empty = memory_map.empty(UUID(int=0), agent_id, engine.embedder.dimensions)
    ids = [frozenset(names[one.user_id or "", one.content]) for one in parsed]
    return KnownAgent(memory_map.extended(empty, rows, Change(1, 0)), ids)


async def _stored(number: int, memory: NewMemory, engine: Engine) -> Memory:
    line = formatter.dated_line(memory.content, memory.created_at, replaces=False, until=memory.ends_at)
    (counted,) = await engine.counter.count_many([line], _TOKENIZER)
    names = ("content", "category", "source", "confidence", "importance", "created_at", "user_id", "session_id")
    return Memory(
        id=UUID(int=number),
        agent_id=memory.agent_id,
        status="active",
        tokens={_TOKENIZER: counted.tokens},
        **{name: getattr(memory, name) for name in names},
    )


async def _vectors(memories: Sequence[NewMemory], engine: Engine) -> NDArray[np.float32]:
    texts = [embedding_text.texts(one.content, one.context) for one in memories]
    flat = [text for several in texts for text, _ in several]
    vectors = await _embedded(flat, engine)
    return embedding_text.combined(vectors, [[weight for _, weight in several] for several in texts])


async def _embedded(texts: Sequence[str], engine: Engine) -> NDArray[np.float32]:
    batches = [texts[start : start + _TEXTS_AT_ONCE] for start in range(0, len(texts), _TEXTS_AT_ONCE)]
    return np.concatenate([await engine.embedder.embed(batch) for batch in batches])


async def _judged(question: Question, half: str, known: KnownAgent, engine: Engine) -> JudgedTurn:
    messages: list[Message] = [*question.messages, {"role": "user", "content": question.text}]
    turn = follow_ups.resolved(messages, question.text)
    asked = follow_ups.meaning(turn.own, turn.referred)
    end_user, now = EndUser(question.user_id), datetime.now(UTC)
    vector = (await engine.embedder.embed([_without_speakers(asked, known.map, end_user)]))[0]
    eligible = known.map.eligible(Filters(), end_user=end_user, now=now)
    wanted = bm25.wanted(turn.own, key=KEY, stem=engine.stemmer.stem, referred=turn.referred)
    near = known.map.nearest(vector, eligible, NEAREST)
    words = known.map.matching(wanted, eligible, WORDS, end_user=end_user)
    places = np.union1d(near.places, words.places)
    memories, scores = FoundMemories(known.map, places), words.scores
    matched = scores.matched[places]
    found = Candidates(
        memories,
        near.similarity[places].astype(np.float64),
        np.where(matched, scores.content[places], np.nan),
        np.where(matched, scores.context[places], np.nan),
        scores.subject[places],
        np.zeros(len(places), bool),
    )
    described = memories.columns
    _, relative = relevance(found, described, turn.own, now)
    if ownership.asks_for_own(turn.own) and (own := memories.owned(end_user)).any():
        relative = ownership.favouring_own(relative, own)
    ids = [known.ids[place] for place in places.tolist()]
    return JudgedTurn(
        question.agent,
        half,
        question.kind,
        asked,
        len(question.gold),
        tuple(min(one) for one in ids),
        np.array([bool(one & question.gold) for one in ids]),
        found.dense,
        np.fmax(found.content, 0.0),
        found.lexical,
        found.subject,
        relative,
        described.tokens.astype(np.float64),
        scores.information,
        vector,
    )


def _without_speakers(text: str, known: MemoryMap, end_user: EndUser) -> str:
    named = subjects.named(text)
    if not named.certain or not named.names:
        return text
    hashes = {term: name for name in named.names for term in bm25.speaker_hashes(KEY, name)}
    return subjects.without(text, named, frozenset(hashes[one] for one in known.known(list(hashes), end_user=end_user)))
