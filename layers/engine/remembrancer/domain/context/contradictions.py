"""Which of the memories of one block may contradict each other, and in which order a reader should meet them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from uuid import UUID

from remembrancer.domain.memories.memory import Memory


@dataclass(frozen=True, slots=True)
class Contradictions:
    """`newer` has the ids of the memories of the block that may contradict a memory, by its id; `older` the other way
    round. Only memories of the block stand in them. `timed` are the ids of those where the day alone does not tell
    which is newer.
    """

    newer: Mapping[UUID, Collection[UUID]]
    older: Mapping[UUID, Collection[UUID]]
    timed: Collection[UUID]

    @classmethod
    def of(cls, memories: Sequence[Memory]) -> "Contradictions":
        """Of each pair, the row of one memory is enough: that of the other may have no room for its id."""
        marked = [memory for memory in memories if memory.contradicts or memory.contradicted_by]
        if not marked:
            return NONE
        days = {memory.id: memory.created_at.date() for memory in memories}
        pairs = [(newer, memory.id) for memory in marked for newer in memory.contradicted_by if newer in days]
        pairs += [(memory.id, older) for memory in marked for older in memory.contradicts if older in days]
        newer_of: dict[UUID, set[UUID]] = {}
        older_of: dict[UUID, set[UUID]] = {}
        for newer, older in pairs:
            newer_of.setdefault(older, set()).add(newer)
            older_of.setdefault(newer, set()).add(older)
        timed = {one for pair in pairs if days[pair[0]] == days[pair[1]] for one in pair}
        return cls(newer_of, older_of, timed)

    def together(self, memories: Sequence[Memory]) -> Iterator[list[Memory]]:
        """All memories: one alone, or all that contradict each other, directly or by others, the newest first. These
        stand where the first of them stood.
        """
        if not self.newer:
            yield from ([memory] for memory in memories)
            return
        left = {memory.id: memory for memory in memories}
        for memory in memories:
            if memory.id in left:
                reached = self._reached(memory.id)
                yield self._newest_first([left.pop(one) for one in reached if one in left])

    def _reached(self, start: UUID) -> list[UUID]:
        reached = {start: None}
        waiting = [start]
        while waiting:
            one = waiting.pop()
            others = [*self.newer.get(one, ()), *self.older.get(one, ())]
            waiting += [other for other in others if other not in reached]
            reached |= dict.fromkeys(others)
        return list(reached)

    def _newest_first(self, memories: Sequence[Memory]) -> list[Memory]:
        """By the time when they were written, but each after all newer ones; ties by id. Of a circle, which only
        memories of one moment can make, the first by this order begins.
        """
        by_time = sorted(memories, key=lambda memory: (memory.created_at, memory.id.int), reverse=True)
        place = {memory.id: number for number, memory in enumerate(by_time)}
        before = {memory.id: len(self.newer.get(memory.id, ())) for memory in by_time}
        ready = [place[one] for one, number in before.items() if not number]
        heapify(ready)
        placed: dict[UUID, Memory] = {}
        rest = iter(by_time)
        while len(placed) < len(by_time):
            memory = by_time[heappop(ready)] if ready else next(one for one in rest if one.id not in placed)
            if memory.id in placed:
                continue
            placed[memory.id] = memory
            for older in self.older.get(memory.id, ()):
                before[older] -= 1
                if not before[older]:
                    heappush(ready, place[older])
        return list(placed.values())


NONE = Contradictions({}, {}, ())
