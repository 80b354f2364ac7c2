"""Reads turns and memories as clauses with the words and values that mean something."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from remembrancer.domain.capture import language
from remembrancer.domain.capture.clauses import plain
from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS
from remembrancer.domain.lexical_index.words import language_of, written
from remembrancer.domain.memories import correction_words
from remembrancer.domain.memories.statements import Token, stem, stems, tokens
from remembrancer.domain.times.vocabulary import MONTHS


@dataclass(frozen=True, slots=True)
class Reading:
    """The meaning words and values of a text, each value with its kind; `names` are words with a capital inside it."""

    text: str
    words: frozenset[str]
    values: tuple[tuple[str, Token], ...]
    names: frozenset[str] = frozenset()

    @property
    def everything(self) -> frozenset[str]:
        """The meaning words, and the values without their kinds: all that two texts can share."""
        return self.words.union(token.text for _, token in self.values)

    @property
    def persons(self) -> frozenset[str]:
        """What people are to the speaker: sister, boss."""
        return self.words & PERSONS

    @property
    def is_negative(self) -> bool:
        """Whether a word of it denies: `not`, `never`, `kein`."""
        return correction_words.NEGATIVE.search(self.text) is not None

    def unit(self, value: Token) -> frozenset[str]:
        """The word behind a value of this text."""
        return frozenset(stem(word)[:6] for word in written(self.text[value.end : value.end + 20])[:1])


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text as it was read: as a whole, and its clauses that mean something, the whole where there are none."""

    text: str
    whole: Reading
    clauses: tuple[Reading, ...]


def parse(text: str) -> Parsed:
    """A text without its speaker and its note, as a whole and by clauses."""
    said = body(text)
    stop_words = stop_words_of(said)
    whole = read(said, stop_words)
    return Parsed(text, whole, read_clauses(written_clauses(said), stop_words) or (whole,))


def written_clauses(said: str) -> list[str]:
    """The clauses of a text in one line, as they are written."""
    return [
        clause for sentence in SENTENCE.findall(said) for clause in _CLAUSE_END.split(sentence) if clause.strip(_MARKS)
    ]


def sentences(text: str) -> list[str]:
    """The sentences of a text, without its speaker and its note."""
    said = body(text)
    return [one.strip() for one in SENTENCE.findall(said) if one.strip()] or [said]


def read_clauses(clauses: Iterable[str], stop_words: frozenset[str]) -> tuple[Reading, ...]:
    """The clauses that have a word or value which means something, in their order."""
    return tuple(found for clause in clauses if (found := read(clause, stop_words)).everything)


def reading(text: str) -> Reading:
    """A text as a whole, without its speaker and its note."""
    said = body(text)
    return read(said, stop_words_of(said))


def body(text: str) -> str:
    """In one line, without the speaker before it and the note behind it."""
    return plain(_NOTE.sub("", _SPEAKER.sub("", text, count=1)))


def read(text: str, stop_words: frozenset[str]) -> Reading:
    """The words and values of a text, without these words."""
    meaning = list(meaning_of(text, stop_words))
    return Reading(
        text,
        frozenset(token.text for kind, token in meaning if not kind),
        tuple((kind, token) for kind, token in meaning if kind),
        frozenset(token.text for kind, token in meaning if token.kind == "name"),
    )


def meaning_of(text: str, stop_words: frozenset[str]) -> Iterator[tuple[str, Token]]:
    """The kind of value, empty for a word, and the token of each meaning word. Words are cut, so that `allergy` is
    `allergic`.
    """
    for token in tokens(text):
        if text[token.start : token.end].lower() == "one":
            continue
        if kinds := _kinds(token, text):
            # `25th` is `25`.
            value = token.text.rstrip("dhnrst") if token.kind == "number" else token.text
            yield from ((kind, Token(value, token.kind, token.start, token.end)) for kind in kinds)
        elif token.kind in {"word", "name"} and (word := _word(token.text, stop_words)):
            yield "", Token(word, token.kind, token.start, token.end)


def _word(stemmed: str, stop_words: frozenset[str]) -> str:
    """Empty for a word without a meaning of its own."""
    if stemmed in _MOVING:
        return _MOVING[stemmed]
    return "" if stemmed in correction_words.MEANINGLESS or stemmed in stop_words else stemmed[:6]


def is_day(token: Token, text: str) -> bool:
    """Whether a value of the text is a day, or a month."""
    return "day" in _kinds(token, text)


def stop_words_of(text: str) -> frozenset[str]:
    """The stems of the stop words of its language: English unless the words tell clearly."""
    name = language_of(text, _LANGUAGES)
    words = {word.lower() for word in written(text)}
    is_clear = len(words & STOP_WORDS[name]) > 2 * len(words & STOP_WORDS[ENGLISH]) + 1
    return _stop_words(name if is_clear else ENGLISH)


@cache
def _stop_words(name: str) -> frozenset[str]:
    return stems(" ".join(STOP_WORDS[name]))


def _kinds(token: Token, text: str) -> tuple[str, ...]:
    """What a value may be: `6.50` a time or an amount; empty for a word."""
    if token.kind in _DAYS or token.text in _MONTHS:
        return ("day",)
    if token.kind == "time":
        return ("time", "amount") if "." in text[token.start : token.end] else ("time",)
    if token.kind == "number":
        is_ordinal = token.text[-2:] in {"st", "nd", "rd", "th"}
        return ("time",) if _HOUR.match(text, token.end) else ("day",) if is_ordinal else ("amount",)
    return ("amount",) if token.kind == "duration" else ()


PERSONS = frozenset(stem(word)[:6] for word in language.RELATIONS)
SENTENCE = re.compile(
    r"(?:[^.!?;]|[.](?=\w)|(?<=\bDr)[.]|(?<=\bMr)[.]|(?<=\bMrs)[.]|(?<=\bMs)[.]|(?<=\b[ap]\.m)[.])+[.!?;]*"
)
_MOVING = {
    stem(moving): stem(living)
    for moving, living in (("moved", "lives"), ("moving", "lives"), ("relocated", "lives"), ("umgezogen", "wohne"))
}
"""Who has moved does not live any more where they lived."""
_LANGUAGES = (ENGLISH, *(name for name in STOP_WORDS if name != ENGLISH))
_HOUR = re.compile(r" (?:o'clock|in the (?:morning|afternoon|evening))\b", re.IGNORECASE)
_DAYS = frozenset(("weekday", "date", "month"))
_MONTHS = frozenset(map(stem, MONTHS)) - stems("may march")
_SPEAKER = re.compile(r"^\s*[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}: ")
_NOTE = re.compile(r" \((?:asked|corrects|about): .*\)$", re.DOTALL)
_MARKS = " .!?;"
_JOINER = "and|but|und|y|et"
_CLAUSE_END = re.compile(rf"[,;:()]\s+(?:(?:{_JOINER})\s+)?| [-–—] | (?:{_JOINER}) ")
