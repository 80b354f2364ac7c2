"""A textbook BM25 over the texts of memories, to compare the stored index with."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.lexical_index.words import words
from remembrancer.domain.memories.prepared_write import MemoryWrite


def stems(text: str | None) -> list[str]:
    return SnowballStemmer().stem(words(text or ""))


def textbook(writes: Sequence[MemoryWrite], question: str) -> dict[UUID, float]:
    """What matches are ranked by: both ways to read a memory count the same."""
    content, context = of_content(writes, question), of_context(writes, question)
    return {identifier: (content.get(identifier, 0.0) + score) / 2 for identifier, score in context.items()}


def of_content(writes: Sequence[MemoryWrite], question: str) -> dict[UUID, float]:
    """As if there were no context."""
    return _bm25({write.memory_id: stems(write.memory.content) for write in writes}, question)


def of_context(writes: Sequence[MemoryWrite], question: str) -> dict[UUID, float]:
    """Of content and context as one text."""
    texts = {write.memory_id: stems(write.memory.content) + stems(write.memory.context) for write in writes}
    return _bm25(texts, question)


def _bm25(texts: Mapping[UUID, Sequence[str]], question: str) -> dict[UUID, float]:
    """Robertson & Zaragoza 2009 with the non-negative idf, over the most that the question's words could reach."""
    query = list(dict.fromkeys(stems(question)))
    mean = max(sum(map(len, texts.values())) / max(len(texts), 1), 1.0)
    idf = {}
    for word in query:
        holders = max(sum(1 for text in texts.values() if word in text), 1)
        idf[word] = math.log(1 + (len(texts) - holders + 0.5) / (holders + 0.5))
    ideal = sum(idf.values()) * (1.2 + 1)
    scores = {}
    for one, text in texts.items():
        counts = Counter(text)
        total = 0.0
        for word in query:
            norm = 1.2 * (1 - 0.25 + 0.25 * len(text) / mean)
            total += idf[word] * counts[word] * (1.2 + 1) / (counts[word] + norm)
        if total > 0:
            scores[one] = total / ideal
    return scores
