"""Words to keyed term hashes, and BM25 over postings (Robertson & Zaragoza 2009).

Terms are stored as 64 bits of an HMAC under the organization's key, so that the index reveals no words.
"""

import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.lexical_index.postings import MOST, MOST_WORDS, Collection, Postings
from remembrancer.domain.lexical_index.spellings import spelling_key
from remembrancer.domain.lexical_index.stop_words import ENGLISH
from remembrancer.domain.lexical_index.subjects import HANDLE_SPELLING, NAMINGS, SPELLING, named, subjects
from remembrancer.domain.lexical_index.words import ENGLISH_STOP_WORDS, TIME_WORDS, asks_for_time, words

K1 = 1.2
B = 0.25
"""Low, since long memories contain more facts. Chosen by measurement, like the other constants here
(docs/adr/0004-fusion.md).
"""
CONTEXT_WEIGHT = 1.0
"""Weight of a word in a memory's context, relative to its content, where both are scored together."""
TIME_WEIGHT = 0.75
"""Weight of a time in a memory when the query asks for one, relative to a word of the query."""

KIND_WEIGHT = 0.3
"""Weight of a kind of a noun in the query, relative to the noun itself: a query for sports also finds tennis."""

REFERRED_WEIGHT = 0.15
"""Weight of a word that the query only refers to, relative to its own (docs/adr/0057-turns-in-conversations.md)."""

MOST_QUERY_WORDS = 64
MOST_KINDS = 256
"""Most kinds for all words of a query together."""

Stem = Callable[[Sequence[str]], list[str]]
Kinds = Callable[[str], Sequence[str]]
"""The stems of the kinds of a noun, most common first; the noun is one stem, or two with a space between."""


def no_kinds(_: str) -> Sequence[str]:
    """Kinds of no noun; turns expansion off."""
    return ()


def term_hash(key: bytes, stem: str) -> int:
    """The signed 64-bit name under which a stem is indexed for one organization."""
    digest = hmac.digest(key, stem.encode(), hashlib.sha256)
    return int.from_bytes(digest[:8], "big", signed=True)


def naming(kind: str, name: str) -> str:
    """What a memory is indexed under for a word of its subject, by a kind of `Subject.kinds`; no stem has this form.
    Empty for the spelling of a name that has no key.
    """
    name = spelling_key(name) if kind in (SPELLING, HANDLE_SPELLING) else name
    return f"{kind}:{name}" if name else ""


def speaker_hashes(key: bytes, name: str) -> tuple[int, ...]:
    """The hashes under which a memory is indexed for a word of its speaker."""
    return tuple(term_hash(key, naming(kind, name)) for kind in ("speaker", "handle"))


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The index entries of one memory: (term, frequency in content, frequency in context), and its lengths in words.

    Stop words are excluded. Words of its subject have extra terms, which do not count in the lengths. `languages` are
    the organization's, one of which the text was taken for.
    """

    terms: tuple[tuple[int, int, int], ...] = ()
    content_words: int = 0
    context_words: int = 0
    languages: tuple[str, ...] = (ENGLISH,)


def index(
    content: str,
    context: str | None,
    *,
    key: bytes,
    stem: Stem,
    stop_words: Set[str] = ENGLISH_STOP_WORDS,
    languages: tuple[str, ...] = (ENGLISH,),
) -> IndexedText:
    """Builds the entries of one memory from both fields."""
    in_content = Counter(stem(words(content, stop_words)))
    in_context = Counter(stem(words(context or "", stop_words)))
    terms = [
        (term_hash(key, word), min(in_content[word], MOST), min(in_context[word], MOST))
        for word in sorted(in_content.keys() | in_context.keys())
    ]
    about = subjects(content, stop_words)
    called = dict.fromkeys(naming(kind, name) for kind in about.kinds for name in about.names)
    terms += [(term_hash(key, name), 1, 0) for name in called if name]
    content_words, context_words = (min(counts.total(), MOST_WORDS) for counts in (in_content, in_context))
    return IndexedText(tuple(terms), content_words, context_words, languages)


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The terms of a query: `terms` are the hashes to read; `word` gives for each the number of its word in the query.

    A word scores as the best of its terms, each times its `weight`. Terms of weight 1 are the same word in different
    languages: their documents are counted together. Terms whose word is −1 are subjects; `names` gives for these, by
    the ways of `NAMINGS`, the number of the whole name that they are part of. `called` names the terms in
    explanations; keys of spellings, which nobody can read, are left out. The words of the numbers `referred` are not
    the query's own, and count `REFERRED_WEIGHT`.
    """

    terms: tuple[int, ...] = ()
    word: tuple[int, ...] = ()
    weight: tuple[float, ...] = ()
    names: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    called: Mapping[int, str] = field(default_factory=dict)
    referred: range = range(0)

    @classmethod
    def of(cls, terms: Sequence[int]) -> "QueryTerms":
        """A query in which each term is a word of its own."""
        return cls(tuple(terms), tuple(range(len(terms))), (1.0,) * len(terms))

    def __bool__(self) -> bool:
        return bool(self.terms)


def wanted(
    query: str,
    *,
    key: bytes,
    stem: Stem,
    kinds: Kinds = no_kinds,
    most: int = MOST_QUERY_WORDS,
    stop_words: Set[str] = ENGLISH_STOP_WORDS,
    other_stems: Sequence[Stem] = (),
    referred: str = "",
) -> QueryTerms:
    """A query's distinct words in order, at most `most`; their kinds; times, if it asks for one; and subjects.

    `other_stems`: of further languages that the searched memories may be in. `referred`: texts that the query refers
    to; where it has no words itself, theirs are its own.
    """
    mentioned = named(query, stop_words)
    own = words(query, stop_words)
    read = own + words(referred, stop_words)
    stemmed = stem(read)
    stems = list(dict.fromkeys(stemmed))[:most]
    terms = {term_hash(key, word): (place, 1.0) for place, word in enumerate(stems)}
    called = dict(zip(terms, stems, strict=True))
    place_of = {word: place for place, word in enumerate(stems)}
    same = [
        (place_of[word], 1.0, other)
        for other_stem in other_stems
        for word, other in zip(stemmed, other_stem(read), strict=True)
        if word in place_of
    ]
    nouns = [word if not (mentioned.certain and word in mentioned.names) else "" for word in read]
    others = [(place_of[noun], KIND_WEIGHT, kind) for noun, kind in _kinds(stem(nouns), kinds) if noun in place_of]
    if asks_for_time(query):
        others += [(len(stems), TIME_WEIGHT, word) for word in dict.fromkeys(stem(TIME_WORDS))]
    for place, weight, word in same + others:
        term = term_hash(key, word)
        if term not in terms:
            terms[term] = (place, weight)
            called[term] = word
    wholes: dict[str, dict[int, int]] = {way: {} for way in NAMINGS}
    first = 0
    for several in (mentioned, named(referred, stop_words)) if referred else (mentioned,):
        namings = several.namings(most)
        for way, kind, name, whole in namings:
            if written := naming(kind, name):
                term = term_hash(key, written)
                terms[term] = (-1, 0.0)
                wholes[way].setdefault(term, first + whole)
                if way != "spelling":
                    called[term] = written
        first += 1 + max((whole for *_, whole in namings), default=-1)
    own_stems = len(dict.fromkeys(stemmed[: len(own)]))
    return QueryTerms(
        terms=tuple(terms),
        word=tuple(place for place, _ in terms.values()),
        weight=tuple(weight for _, weight in terms.values()),
        names=wholes,
        called=called,
        referred=range(own_stems, len(stems)) if own_stems else range(0),
    )


def _kinds(stems: Sequence[str], kinds: Kinds) -> list[tuple[str, str]]:
    """Pairs of noun and kind, at most `MOST_KINDS`; an empty stem is no noun. For two words that form one noun, the
    second represents both: kinds of martial arts, not of arts.
    """
    found: list[tuple[str, str]] = []
    for before, noun in zip(["", *stems], stems, strict=False):
        if noun:
            found += [(noun, kind) for kind in (before and kinds(f"{before} {noun}")) or kinds(noun)]
    return list(dict.fromkeys(found))[:MOST_KINDS]


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """BM25 of each document divided by the highest that the query's words could reach, in [0, 1]; 0 without a match.

    `context` scores content and context together, `content` the content alone as if there were no other field.
    `subject` is what the query's naming of a document's subject is worth (`NAMINGS`), 0 where it does not name it. Of a
    name of several words it must have as many as any document has: where one is about Ada Byron, others about Ada Smith
    are not. `information` is the sum of the words' idf, in units of the idf of a word that a single document contains:
    how many rare words the query is worth.
    """

    content: NDArray[np.float64]
    context: NDArray[np.float64]
    subject: NDArray[np.float64]
    information: float = 0.0

    @property
    def matched(self) -> NDArray[np.bool_]:
        """Whether a document contains a word or has a subject of the query."""
        return (self.context > 0) | (self.subject > 0)

    @property
    def rank(self) -> NDArray[np.float64]:
        """The order in which the best are chosen: both scores count the same."""
        if self.content is self.context:
            return self.content
        return (self.content + self.context) / 2


def bm25(postings: Postings, collection: Collection, query: QueryTerms) -> LexicalScores:
    """BM25 with OR semantics; one entry for each row of the postings' documents.

    The highest possible score of a query is the sum of idf·(k1 + 1) over its words. A word that no document contains
    counts as if one document did, so that a query of unknown words scores low.
    """
    total = max(collection.documents, 1)
    terms = _Terms.of(postings, query)
    content, ideal = _bm25(
        terms,
        terms.postings.content.astype(np.float64),
        terms.postings.content_words.astype(np.float64),
        collection.content_words / total,
        total,
    )
    context = content
    if _has_context(postings, collection):
        context, ideal = _bm25(
            terms,
            terms.postings.content + CONTEXT_WEIGHT * terms.postings.context,
            terms.postings.content_words + CONTEXT_WEIGHT * terms.postings.context_words,
            (collection.content_words + CONTEXT_WEIGHT * collection.context_words) / total,
            total,
        )
    return LexicalScores(content, context, terms.subject(), ideal / math.log(1 + (total - 0.5) / 1.5))


def _has_context(postings: Postings, collection: Collection) -> bool:
    """Without any context both scores are the same, to the last bit."""
    return bool(collection.context_words or postings.context.any() or postings.context_words.any())


@dataclass(frozen=True, slots=True)
class _Terms:
    """The postings of a query in the order of its terms: those of term i from `starts[i]` to `starts[i + 1]`.

    `words` are the terms of each word: first the words of one term in the order of the terms, then the others in
    theirs.
    """

    postings: Postings
    query: QueryTerms
    counts: NDArray[np.intp]
    starts: Sequence[int]
    words: Sequence[Sequence[int]]

    @classmethod
    def of(cls, postings: Postings, query: QueryTerms) -> "_Terms":
        if (postings.slot[1:] < postings.slot[:-1]).any():
            postings = postings.select(np.argsort(postings.slot, kind="stable"))
        counts = np.bincount(postings.slot, minlength=len(query.terms))
        of_word: dict[int, list[int]] = {}
        for slot, word in enumerate(query.word):
            if word >= 0:
                of_word.setdefault(word, []).append(slot)
        words = [slots for slots in of_word.values() if len(slots) == 1]
        words += [slots for _, slots in sorted(of_word.items()) if len(slots) > 1]
        return cls(postings, query, counts, [0, *np.cumsum(counts).tolist()], words)

    @property
    def all_single(self) -> bool:
        """Whether every term is a word of its own, as in most queries."""
        return len(self.words) == len(self.counts)

    def held(self, slots: Sequence[int]) -> list[slice]:
        """The postings of each of these terms that has any; no document has two of one term."""
        starts = self.starts
        return [slice(starts[slot], starts[slot + 1]) for slot in slots if starts[slot] < starts[slot + 1]]

    def holders(self, frequency: NDArray[np.float64]) -> NDArray[np.intp]:
        """The number of documents in which each term occurs; `frequency` is 0 where it does so in another field."""
        counts = self.counts
        if not frequency.all():
            counts = np.bincount(self.postings.slot[frequency > 0], minlength=len(counts))
        return counts + self.postings.unread

    def ideal(self, idf: NDArray[np.float64]) -> float:
        """The sum over the words of the highest idf among the word's terms."""
        if self.all_single:
            return float(idf.sum())
        each = idf.tolist()
        ideal = float(idf[[slots[0] for slots in self.words if len(slots) == 1]].sum())
        for slots in self.words:
            if len(slots) > 1:
                ideal += max(each[slot] for slot in slots)
        return ideal

    def sums(self, gain: NDArray[np.float64]) -> NDArray[np.float64]:
        """(rows,): the sum over the words of the best gain among the word's terms; `gain` has one for each posting.

        A word's postings are contiguous and its documents distinct, so that they are added without a pass over all.
        """
        document, rows = self.postings.document, self.postings.rows
        score, best = np.zeros(rows), np.zeros(rows)
        if self.all_single:
            score += np.bincount(document, weights=gain, minlength=rows)
            return score
        for slots in self.words:
            held = self.held(slots)
            if len(held) == 1:
                score[document[held[0]]] += gain[held[0]]
            elif held:
                best.fill(0.0)
                for place in held:
                    best[document[place]] = np.maximum(best[document[place]], gain[place])
                score += best
        return score

    def subject(self) -> NDArray[np.float64]:
        """(rows,): what the first way of naming is worth that any document meets, for those that meet it."""
        known = self.counts + self.postings.unread
        slots = {term: slot for slot, term in enumerate(self.query.terms)} if self.query.names else {}
        for way, worth in NAMINGS.items():
            wholes = self.query.names.get(way, {})
            if any(known[slots[term]] for term in wholes):
                return worth * self._named([(slots[term], whole) for term, whole in wholes.items()])
        return np.zeros(self.postings.rows)

    def _named(self, parts: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
        """(rows,): for each whole name, 1 for the documents whose subject has the most of its words. `parts` are the
        term of each word, as its place in the query, and the number of the whole name.
        """
        subject = np.zeros(self.postings.rows)
        of_name: dict[int, list[int]] = {}
        for slot, whole in parts:
            of_name.setdefault(whole, []).append(slot)
        for slots in of_name.values():
            words = np.zeros(self.postings.rows, np.intp)
            held = self.held(slots)
            for place in held:
                words[self.postings.document[place]] += 1
            if held:
                subject[words == words.max()] = 1.0
        return subject


def _bm25(
    terms: _Terms, frequency: NDArray[np.float64], length: NDArray[np.float64], mean: float, documents: int
) -> tuple[NDArray[np.float64], float]:
    """BM25 for one weighting of the fields: weighted frequency and length of each posting; the latter is overwritten.
    Also returns the sum of the words' idf.
    """
    weight = np.array(terms.query.weight)
    holders = terms.holders(frequency)
    if not terms.all_single:
        holders = _together(holders, np.array(terms.query.word, dtype=np.intp), weight)
    holders = np.maximum(holders, 1)
    total = max(documents, int(holders.max(initial=1)))
    idf = np.log(1 + (total - holders + 0.5) / (holders + 0.5)) * weight
    if referred := terms.query.referred:
        word = np.array(terms.query.word, dtype=np.intp)
        idf[(word >= referred.start) & (word < referred.stop)] *= REFERRED_WEIGHT
    # In place, since arrays of all postings take longer to make than to compute.
    length *= K1 * B / max(mean, 1.0)
    length += K1 * (1 - B)
    length += frequency
    gain = np.repeat(idf, terms.counts)
    gain *= frequency
    gain *= K1 + 1
    gain /= length
    score, ideal = terms.sums(gain), terms.ideal(idf)
    if ideal > 0:
        score /= ideal * (K1 + 1)
    return score, ideal


def _together(holders: NDArray[np.intp], word: NDArray[np.intp], weight: NDArray[np.float64]) -> NDArray[np.intp]:
    """The holders of each term; those of one word in different languages are added up: a stem that occurs nowhere
    would otherwise make the word look rare.
    """
    same = weight >= 1.0
    of_word = np.bincount(word[same], weights=holders[same], minlength=len(word))
    return np.where(same, of_word[word], holders).astype(np.intp)
