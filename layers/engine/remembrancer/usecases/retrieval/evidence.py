"""Merges the results of all sources: one entry a memory, with the best score of each source."""

from collections.abc import Mapping, Sequence

import numpy as np

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.evidence import Evidence, Vectors
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import MemorySearch
from remembrancer.usecases.retrieval.search import Search, Searched

_Scores = tuple[float | None, float | None, float, tuple[int, ...]]
"""Content, context, subject and terms, as `Evidence` names them."""
_NO_SCORES: _Scores = (None, None, 0.0, ())


def vectors_of(searched: Searched) -> dict[str, Vectors]:
    """Vectors of the query and of its hypotheses, by model."""
    own, model, others = searched.embedded.vectors, searched.embedded.model, searched.hypothesised.vectors
    by_model = {} if own is None else {model: own}
    if len(others):
        before = by_model.get(searched.hypothesised.model)
        by_model[searched.hypothesised.model] = others if before is None else np.concatenate([before, others])
    return by_model


def merge(hot: Sequence[Memory], searched: Searched, place: MemorySearch) -> list[Evidence]:
    """One entry a memory; a row from a search replaces a cached row, since it is newer.

    The similarity is the best that any search gave; for a memory that only other sources found, that of its own vector.
    """
    # Keyed by number, since hashing and comparing a UUID runs in Python.
    rows = {memory.id.int: memory for memory in hot}
    hot_ids = set(rows)
    lexical: dict[int, _Scores] = {}
    if (words := searched.words) is not None:
        found = {memory.id.int: memory for memory in words.memories}
        rows |= found
        scores = zip(words.content, words.context, words.subject, words.terms, strict=True)
        lexical = dict(zip(found, scores, strict=True))
    similarity: dict[int, float] = {}
    answers = [searched.nearest] if searched.nearest else []
    for answer in (*answers, *searched.hypothesised.answers):
        for memory, cosine in zip(answer.memories, answer.similarity, strict=True):
            identifier = memory.id.int
            rows[identifier] = memory
            if cosine >= similarity.get(identifier, 0.0):
                similarity[identifier] = cosine
    _complete(similarity, rows, searched, place)
    return [
        Evidence(memory, similarity.get(identifier), *lexical.get(identifier, _NO_SCORES), hot=identifier in hot_ids)
        for identifier, memory in rows.items()
    ]


def _complete(
    similarity: dict[int, float], rows: Mapping[int, Memory], searched: Searched, place: MemorySearch
) -> None:
    """Adds missing similarities. With several vectors, the similarity from one search may not be the best of all."""
    vectors = vectors_of(searched)
    if not vectors:
        return
    memories = list(rows.values())
    if not len(searched.hypothesised.vectors):
        memories = [memory for identifier, memory in rows.items() if identifier not in similarity]
    for identifier, cosine in place.cosines(memories, vectors).items():
        similarity[identifier] = max(similarity.get(identifier, 0.0), cosine)


def hot_memories(snapshot: AgentSnapshot, known: MemoryMap | None, search: Search) -> Sequence[Memory]:
    """The best of the hot memories that the scope's end user may see.

    When the cache has only ids, which it sends to a reader that has the same state, the memories come from the map,
    without their vectors.
    """
    if known is None or not snapshot.hot_ids:
        return snapshot.hot
    found: list[Memory] = []
    for identifier in snapshot.hot_ids:
        place = known.places.get(identifier)
        if place is not None and search.scope.end_user.sees((row := known.row(place)).user_id):
            found.append(row)
            if len(found) == search.hot_limit:
                break
    return found
