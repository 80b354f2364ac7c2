"""Words to keyed term hashes, and BM25 over postings (Robertson & Zaragoza 2009).

Terms are stored as 64 bits of an HMAC under the organization's key, so that the index reveals no words.
"""

import hashlib
import hmac
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    """The index entries of one memory: (term, frequency in content, frequency in context), and its length in words."""

    terms: tuple[tuple[int, int, int], ...]
    length: int


def index(content: str, context: str | None, *, key: bytes, stem: Stem) -> IndexedText:
    """Both fields of one memory; the length counts context words by their weight."""
    in_content = Counter(stem(words(content)))
    in_context = Counter(stem(words(context or "")))
    terms = tuple(
        (term_hash(key, word), min(in_content[word], 255), min(in_context[word], 255))
        for word in sorted(in_content.keys() | in_context.keys())
    )
    return IndexedText(terms, round(in_content.total() + CONTEXT_WEIGHT * in_context.total()))


def query_terms(query: str, *, key: bytes, stem: Stem, most: int = 64) -> dict[int, str]:
    """Term hash → stem of a query's distinct words, at most `most`, in their order."""
    stems = list(dict.fromkeys(stem(words(query))))[:most]
    return {term_hash(key, word): word for word in stems}


@dataclass(frozen=True, slots=True)
class Postings:
    """Every posting of a query's terms in one scope, as parallel arrays, and the scope's totals.

    `document` numbers the documents 0..n-1; `eligible` (one flag a document) says which pass the request's filters:
    all postings count for document frequencies, only eligible documents are scored.
    """

    term: NDArray[np.int64]
    document: NDArray[np.int64]
    content_frequency: NDArray[np.int64]
    context_frequency: NDArray[np.int64]
    length: NDArray[np.float64]
    eligible: NDArray[np.bool_]
    documents: int
    mean_length: float


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """BM25 score of each document (0 where nothing matched or not eligible), and the most a document could reach."""

    score: NDArray[np.float64]
    ideal: float


def bm25(postings: Postings, terms: Iterable[int]) -> LexicalScores:
    """OR semantics; `length` is one entry a document, all other arrays one entry a posting.

    `ideal` is the sum of idf·(k1 + 1) over the query's terms, the bound that no document exceeds; a term that no
    document contains counts as if one did, so that a query of unknown words scores low, not high.
    """
    names = np.fromiter(terms, dtype=np.int64)
    order = np.argsort(names)
    slot = order[np.searchsorted(names, postings.term, sorter=order)] if len(postings.term) else postings.term
    frequency = np.maximum(np.bincount(slot, minlength=len(names)), 1)
    total = max(postings.documents, int(frequency.max(initial=1)))
    idf = np.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
    tf = postings.content_frequency + CONTEXT_WEIGHT * postings.context_frequency
    norm = K1 * (1 - B + B * postings.length[postings.document] / max(postings.mean_length, 1.0))
    gain = idf[slot] * tf * (K1 + 1) / (tf + norm)
    score = np.bincount(postings.document, weights=gain, minlength=len(postings.eligible))
    return LexicalScores(np.where(postings.eligible, score, 0.0), float(idf.sum() * (K1 + 1)))


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
