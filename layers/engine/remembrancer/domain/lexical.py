"""Words to keyed term hashes, and BM25 over postings (Robertson & Zaragoza 2009).

Terms are stored as 64 bits of an HMAC under the organization's key, so that the index reveals no words.
"""

import hashlib
import hmac
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.postings import MOST, MOST_WORDS, Collection, Postings

K1 = 1.2
B = 0.75
CONTEXT_WEIGHT = 0.4
"""A word in a memory's context counts this much of a word in its content."""

Stem = Callable[[Sequence[str]], list[str]]


def words(text: str) -> list[str]:
    """Lower-case runs of letters and digits without English stop words; apostrophes split, accents fold."""
    folded = unicodedata.normalize("NFKD", text).lower()
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return [word for word in _WORD.findall(plain) if word not in STOP_WORDS]


def term_hash(key: bytes, stem: str) -> int:
    """The signed 64-bit name under which a stem is indexed for one organization."""
    digest = hmac.digest(key, stem.encode(), hashlib.sha256)
    return int.from_bytes(digest[:8], "big", signed=True)


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The index entries of one memory: (term, frequency in content, frequency in context), and its lengths in words.

    Stop words are in none of them.
    """

    terms: tuple[tuple[int, int, int], ...] = ()
    content_words: int = 0
    context_words: int = 0


def index(content: str, context: str | None, *, key: bytes, stem: Stem) -> IndexedText:
    """Both fields of one memory."""
    in_content = Counter(stem(words(content)))
    in_context = Counter(stem(words(context or "")))
    terms = tuple(
        (term_hash(key, word), min(in_content[word], MOST), min(in_context[word], MOST))
        for word in sorted(in_content.keys() | in_context.keys())
    )
    return IndexedText(terms, min(in_content.total(), MOST_WORDS), min(in_context.total(), MOST_WORDS))


def query_terms(query: str, *, key: bytes, stem: Stem, most: int = 64) -> dict[int, str]:
    """Term hash → stem of a query's distinct words, at most `most`, in their order."""
    stems = list(dict.fromkeys(stem(words(query))))[:most]
    return {term_hash(key, word): word for word in stems}


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """BM25 of each document, 0 where nothing matched, and the most that a document could reach.

    `score` is over content and context together, `content_score` over content alone as if there were no other field.
    """

    score: NDArray[np.float64]
    ideal: float
    content_score: NDArray[np.float64]
    content_ideal: float


def bm25(postings: Postings, collection: Collection) -> LexicalScores:
    """OR semantics; one entry a row of the postings' documents.

    An ideal is the sum of idf·(k1 + 1) over the query's terms, the bound that no document exceeds; a term that no
    document contains counts as if one did, so that a query of unknown words scores low, not high.
    """
    total = max(collection.documents, 1)
    mean = (collection.content_words + CONTEXT_WEIGHT * collection.context_words) / total
    score, ideal = _bm25(
        postings,
        postings.content + CONTEXT_WEIGHT * postings.context,
        postings.content_words + CONTEXT_WEIGHT * postings.context_words,
        mean,
        total,
    )
    content_score, content_ideal = _bm25(
        postings,
        postings.content.astype(np.float64),
        postings.content_words.astype(np.float64),
        collection.content_words / total,
        total,
    )
    return LexicalScores(score, ideal, content_score, content_ideal)


def _bm25(
    postings: Postings, frequency: NDArray[np.float64], length: NDArray[np.float64], mean: float, documents: int
) -> tuple[NDArray[np.float64], float]:
    """Scores by row and the ideal, of one way to read the fields: the weighted frequency and length of each posting."""
    terms = len(postings.unread)
    holders = np.bincount(postings.slot[frequency > 0], minlength=terms) + postings.unread
    holders = np.maximum(holders, 1)
    total = max(documents, int(holders.max(initial=1)))
    idf = np.log(1 + (total - holders + 0.5) / (holders + 0.5))
    norm = K1 * (1 - B) + (K1 * B / max(mean, 1.0)) * length
    gain = idf[postings.slot] * frequency * (K1 + 1) / (frequency + norm)
    score = np.bincount(postings.document, weights=gain, minlength=postings.rows)
    return np.asarray(score, dtype=np.float64), float(idf.sum() * (K1 + 1))


_WORD = re.compile(r"[^\W_]+")

STOP_WORDS = frozenset(
    [
        "a",
        "about",
        "after",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "but",
        "by",
        "can",
        "could",
        "d",
        "did",
        "do",
        "does",
        "doing",
        "don",
        "for",
        "from",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "ll",
        "m",
        "me",
        "my",
        "no",
        "nor",
        "not",
        "now",
        "of",
        "on",
        "or",
        "our",
        "out",
        "own",
        "re",
        "s",
        "she",
        "should",
        "so",
        "some",
        "such",
        "t",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "to",
        "too",
        "up",
        "us",
        "ve",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)
