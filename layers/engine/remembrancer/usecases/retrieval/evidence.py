"""What the sources know of each memory, brought together: one entry a memory, the best of each source."""

from dataclasses import dataclass

from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.memories.memory import Memory, Vector
from remembrancer.domain.memory_map.memory_map import Matching, MemoryMap, Nearest
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import LexicalAnswer, SearchAnswer


@dataclass(frozen=True, slots=True)
class Evidence:
    """A memory and what each source knows of it; None where a source did not find it."""

    memory: Memory
    dense: float | None = None
    lexical: float | None = None
    hot: bool = False
    subject: float = 0.0
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class InMap:
    """What the searches of a map found."""

    map: MemoryMap
    nearest: Nearest | None
    matching: Matching | None

    def evidence(self, hot: AgentSnapshot | None, end_user: EndUser, hot_rows: int) -> list[Evidence]:
        """One entry a memory, as `merge` makes them of rows."""
        found = self.map
        places: dict[int, float | None] = {}
        is_hot = hot_places(found, hot, end_user, hot_rows) if hot is not None else set()
        for place in is_hot:
            places[place] = None
        subject: dict[int, float] = {}
        if self.matching is not None:
            chosen, scores = self.matching.places, self.matching.scores
            places |= dict(zip(chosen.tolist(), scores.rank[chosen].tolist(), strict=True))
            subject = dict(zip(chosen.tolist(), scores.subject[chosen].tolist(), strict=True))
        for place in self.nearest.places.tolist() if self.nearest is not None else ():
            places.setdefault(place, None)
        similarity = self.nearest.similarity if self.nearest is not None else None
        evidence = []
        for place, score in places.items():
            vector = found.vector(place)
            dense = None if vector is None or similarity is None else float(similarity[place])
            evidence.append(Evidence(found.row(place), dense, score, place in is_hot, subject.get(place, 0.0), vector))
        return evidence


def hot_places(known: MemoryMap, hot: AgentSnapshot, end_user: EndUser, limit: int) -> set[int]:
    """Where the map has the best of the hot memories that this end user may see."""
    places: set[int] = set()
    for identifier in hot.hot_ids or [memory.id.int for memory in hot.hot]:
        place = known.places.get(identifier)
        if place is not None and end_user.sees(known.row(place).user_id):
            places.add(place)
            if len(places) == limit:
                break
    return places


def merge(
    hot: AgentSnapshot | None,
    cold: SearchAnswer | None,
    words: LexicalAnswer | None,
    vector: Vector | None,
    model: str,
) -> list[Evidence]:
    """One entry a memory, the best evidence of each source; dense evidence wherever there is a vector of `model`.

    A stored row is newer than a cached one, so it is the one kept.
    """
    # By number: a UUID hashes and compares in Python.
    rows: dict[int, Memory] = {memory.id.int: memory for memory in hot.hot} if hot else {}
    hot_ids = set(rows)
    similarity: dict[int, float] = {}
    lexical_score: dict[int, float] = {}
    subject: dict[int, float] = {}
    for matched in words.found if words else ():
        rows[matched.memory.id.int] = matched.memory
        lexical_score[matched.memory.id.int] = matched.score
        subject[matched.memory.id.int] = matched.subject
    for similar in cold.found if cold else ():
        rows[similar.memory.id.int] = similar.memory
        similarity[similar.memory.id.int] = similar.similarity
    for identifier, memory in rows.items():
        if identifier in similarity or vector is None or memory.vector is None or memory.vector_model != model:
            continue
        similarity[identifier] = min(max(float(memory.vector @ vector), 0.0), 1.0)
    return [
        Evidence(
            memory,
            similarity.get(identifier),
            lexical_score.get(identifier),
            identifier in hot_ids,
            subject.get(identifier, 0.0),
            memory.vector,
        )
        for identifier, memory in rows.items()
    ]
