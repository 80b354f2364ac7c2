"""A textbook BM25 over the texts of memories, to compare the stored index with."""

import math
from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from remembrancer.adapters.snowball import SnowballStemmer
from remembrancer.domain import lexical
from remembrancer.ports.memories import MemoryWrite


def stems(text: str | None) -> list[str]:
    return SnowballStemmer().stem(lexical.words(text or ""))


def textbook(writes: Sequence[MemoryWrite], question: str) -> dict[UUID, float]:
    """Robertson & Zaragoza 2009 with the non-negative idf, over the most that the question's words could reach."""
    query = list(dict.fromkeys(stems(question)))
    content = {write.memory_id: Counter(stems(write.memory.content)) for write in writes}
    context = {write.memory_id: Counter(stems(write.memory.context)) for write in writes}
    length = {
        write.memory_id: content[write.memory_id].total() + 0.4 * context[write.memory_id].total() for write in writes
    }
    mean = max(sum(length.values()) / max(len(writes), 1), 1.0)
    idf = {}
    for word in query:
        holders = max(sum(1 for one in content if content[one][word] + context[one][word]), 1)
        idf[word] = math.log(1 + (len(writes) - holders + 0.5) / (holders + 0.5))
    ideal = sum(idf.values()) * (1.2 + 1)
    scores = {}
    for one in content:
        total = 0.0
        for word in query:
            frequency = content[one][word] + 0.4 * context[one][word]
            total += idf[word] * frequency * (1.2 + 1) / (frequency + 1.2 * (1 - 0.75 + 0.75 * length[one] / mean))
        if total > 0:
            scores[one] = total / ideal
    return scores
