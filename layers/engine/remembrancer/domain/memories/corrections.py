"""Which memories a turn corrects, by documented rules (docs/capture.md, Corrections).

1. Questions, conditions, quotes, what others say, other times ("last year") and wishes to forget correct nothing.
2. A turn is compared with each clause of a memory: words of its subject that both have, the value that it names as
   wrong, another value of the same kind (number, time, day), words of a change, a negation more or less. Persons that
   the clause does not have exclude it. What speaks for a correction is added up.
3. A correction is certain if the memory says nothing else, and the turn names its value as wrong, says the same with
   another value of the same kind, or says that it is no longer so; or if both are the same statement (`conflicts`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from uuid import UUID

from remembrancer.domain.capture import language, selection
from remembrancer.domain.capture.clauses import plain
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS
from remembrancer.domain.lexical_index.subjects import subjects
from remembrancer.domain.lexical_index.words import language_of, written
from remembrancer.domain.memories import conflicts, correction_words
from remembrancer.domain.memories.statements import Token, statements, stem, stems, tokens
from remembrancer.domain.times.vocabulary import MONTHS

MOST_CHARACTERS = 600
"""Longer texts correct nothing: what they say is about more than one memory."""
MOST_LEFT = 3
"""Most meaning words of a corrected clause that the correction neither repeats nor replaces."""
MOST_OLD = 5
"""Most meaning words of a value that is named as wrong."""
LEAST_SCORE = 2.25
"""The score from which on a text corrects a clause."""
CUED = 1.0
"""What words of a correction add to the score."""
SHORT = 8
"""Most meaning words of a short text: a longer one needs a value to correct anything."""
MOST_CLAUSES = 4
"""Most clauses of a memory that is corrected without a value."""
MOST_LINKED = 2
"""Most memories that one turn may correct."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that a turn may correct; `is_near`: it was said just before, or the assistant has just repeated it.

    What is pinned is never superseded: it stands in every prompt, and a person has decided that.
    """

    id: UUID
    content: str
    category: str
    created_at: datetime
    is_near: bool = False
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """What a turn does to a memory: `differs_in` is one of DIFFERENCES. `about` is the corrected clause, with … for its
    old value, where the turn means little without it; else empty.
    """

    differs_in: str
    is_certain: bool
    about: str = ""


def linked(text: str, candidates: Sequence[Candidate]) -> list[tuple[Candidate, Correction]]:
    """The memories that a turn's text corrects: one for certain, or at most two that it may correct, the best first."""
    found: list[tuple[float, int, Correction]] = []
    said, stated = _said(text), statements(text)
    clauses = [_clauses(candidate.content) for candidate in candidates]
    having = Counter(word for one in clauses for word in frozenset().union(*(clause.everything for clause in one)))
    rare = frozenset(word for word, number in having.items() if number == 1)
    for place, candidate in enumerate(candidates):
        difference = conflicts.statements_differ(statements(candidate.content), stated)
        if difference is not None:
            is_certain = len(clauses[place]) == 1 and not candidate.is_pinned
            found.append((LEAST_SCORE + 2, place, Correction(difference, is_certain)))
            continue
        score, correction = _compared(said, candidate, clauses[place], rare)
        if correction is not None:
            found.append((score, place, correction))
    found.sort(key=lambda one: (one[2].is_certain, one[0], one[1]), reverse=True)
    if found and found[0][2].is_certain:
        return [(candidates[found[0][1]], found[0][2])]
    return [
        (candidates[place], correction)
        for score, place, correction in found[:MOST_LINKED]
        if score >= found[0][0] - 0.5
    ]


def may_correct(text: str) -> bool:
    """Whether a turn's text may correct anything: most do not, and nothing has to be read for them."""
    return any(said.values or _signal(said) for said in _said(text)) or bool(statements(text))


def may_refer_back(text: str) -> bool:
    """Whether it may correct something without a word about it."""
    return any(_signal(said) >= CUED for said in _said(text))


def is_of_speaker(memory: str, role: str, speaker: str | None) -> bool:
    """Whether a memory is of this speaker, of nobody by name, or what the assistant said."""
    own = spoken(role, speaker, "").rstrip()
    return not subjects(memory).speaks or memory.startswith((own, spoken("assistant", None, "").rstrip()))


def is_told(memory: str, before: str) -> bool:
    """Whether a clause of the memory stands in the text before, with a value: the assistant has just repeated it."""
    told = {word for clause in _clauses(before) for word in clause.everything}
    return any(clause.values and clause.everything <= told for clause in _clauses(memory))


@dataclass(frozen=True, slots=True)
class _Reading:
    """The meaning words and values of a text; `old` are those that it names as wrong, `named` as it is written.
    `is_part`: it is a sentence of a longer text.
    """

    text: str
    words: frozenset[str]
    values: tuple[tuple[str, Token], ...]
    old: frozenset[str] = frozenset()
    named: str = ""
    names: frozenset[str] = frozenset()
    is_part: bool = False

    @property
    def everything(self) -> frozenset[str]:
        return self.words.union(token.text for _, token in self.values)

    @property
    def persons(self) -> frozenset[str]:
        return self.words & _PERSONS

    @property
    def is_negative(self) -> bool:
        return correction_words.NEGATIVE.search(self.text) is not None


def _compared(
    said: Sequence[_Reading], candidate: Candidate, clauses: Sequence[_Reading], rare: Set[str]
) -> tuple[float, Correction | None]:
    """`rare` are the words and values that only one of all candidates has."""
    is_short = len(clauses) <= MOST_CLAUSES
    scored = [
        (_score(one, clause, candidate, rare, is_short=is_short), one, clause) for one in said for clause in clauses
    ]
    if not scored:
        return 0.0, None
    score, best, clause = max(scored, key=lambda one: one[0])
    if score < LEAST_SCORE:
        return score, None
    old = _old_value(best, clause)
    is_alone = len(clauses) == 1 and not candidate.is_pinned
    is_certain = is_alone and _is_certain(best, clause, old, is_near=candidate.is_near)
    # Its words let a question that finds the old memory find the new one.
    named = "" if correction_words.ENDING.search(best.text) else best.named
    about = _without(clause.text, named, old) if clause.words - best.words else ""
    return score, Correction(_difference(old, best, clause), is_certain, about)


def _score(said: _Reading, clause: _Reading, candidate: Candidate, rare: Set[str], *, is_short: bool) -> float:
    """How much speaks for it that a text corrects a clause of a memory. `is_short`: the memory has few clauses."""
    others = said.persons - clause.persons - said.old
    if (others and not said.persons & clause.persons) or _is_of_another(said, clause):
        return 0.0
    is_named = bool(said.old) and 2 * len(said.old & clause.everything) >= len(said.old)
    is_valued = _old_value(said, clause) is not None
    signal = _signal(said)
    shared = said.words & clause.words
    # Of two numbers of a kind, one of them in the clause, the other replaces it.
    anchors = {
        token.text for kind, token in clause.values if (kind == "day" or is_valued) and token.text in said.everything
    }
    common = len(shared) + len(anchors)
    if is_valued and anchors and not signal:
        signal = 0.75
    is_rare = not rare.isdisjoint(shared | anchors)
    is_brief = len(said.words) <= SHORT
    left, added = clause.words - said.words, said.words - clause.words
    if is_named:
        is_linked = bool(shared - said.old) or candidate.is_near or is_rare
    elif is_valued:
        is_plain = len(left) <= 2 and len(added) <= 3
        is_plain |= is_rare and is_brief and not said.is_part and said.names <= clause.words
        is_linked = common > 0 and (signal > 0 or is_plain)
        is_linked |= candidate.is_near and signal >= CUED and len(said.words) <= 3
    else:
        # Without a value, a long text has words in common with many memories.
        is_linked = signal > 0 and is_brief and not said.is_part and common > 0
        is_linked &= is_short
        is_linked &= common > 1 or signal > CUED or (is_rare and len(clause.words) <= SHORT)
    if not is_linked:
        return 0.0
    return (
        2.0 * is_named
        + min(common, 2)
        + 1.0 * is_valued
        + signal
        + 0.5 * candidate.is_near
        + 0.5 * is_rare
        - 1.0 * (not signal and correction_words.ADDITION.search(said.text) is not None)
        - 1.0 * bool(clause.persons - said.persons and not is_named)
    )


def _signal(said: _Reading) -> float:
    """How clearly the words of a text say that something was wrong or has changed; from CUED on, it corrects."""
    if correction_words.WRONG.search(said.text):
        return 1.5
    if correction_words.CUE.search(said.text) and (len(said.words) <= SHORT or said.old):
        return CUED
    return 0.75 if correction_words.CHANGE.search(said.text) else 0.0


def _is_of_another(said: _Reading, clause: _Reading) -> bool:
    """Whether one is of the front and the other of the rear."""
    return any(said.words & pair and clause.words & pair and not said.words & clause.words & pair for pair in _PLACES)


def _is_certain(said: _Reading, clause: _Reading, old: Token | None, *, is_near: bool) -> bool:
    """Whether the text corrects a memory that says nothing but this clause."""
    if _signal(said) < CUED or correction_words.ADDITION.search(said.text):
        return False
    shared = (said.words & clause.words) - said.old
    left = clause.words - said.words - said.old
    added = said.words - clause.words
    if (left & _PERSONS and not (is_near and said.old)) or len(left) > MOST_LEFT:
        return False
    is_of_nothing_else = not added - said.old and not said.values and not clause.is_negative
    if correction_words.ENDING.search(said.text) and is_of_nothing_else and said.words:
        return said.old <= clause.words
    if said.old:
        # With words left and words added, it may be of another thing: the front wheel, and the rear one.
        return said.old <= clause.everything and (bool(shared) or is_near) and not (left and added and old is not None)
    return old is not None and (bool(shared) or is_near) and not (left and added)


def _old_value(said: _Reading, clause: _Reading) -> Token | None:
    """The value of the clause that the text has another value for; None when there is none, or more than one."""
    there = {token.text for _, token in clause.values}
    found: list[Token] = [
        token
        for kind, token in clause.values
        if any(kind == other and new.text not in there for other, new in said.values)
    ]
    named = [token for token in found if token.text in said.old]
    return next(iter(named or found), None)


def _difference(old: Token | None, said: _Reading, clause: _Reading) -> str:
    if old is not None:
        return "day" if "day" in _kinds(old, clause.text) else "value"
    is_denied = not said.old or correction_words.ENDING.search(said.text) is not None
    return "negation" if is_denied and said.is_negative != clause.is_negative else "value"


def _without(clause: str, named: str, old: Token | None) -> str:
    """The clause with … for the old value."""
    start, end = (old.start, old.end) if old is not None else (0, 0)
    if old is None and named and (place := clause.lower().find(named.lower())) >= 0:
        start, end = place, place + len(named)
    text = f"{clause[:start]}…{clause[end:]}" if end else clause
    return " ".join(text.split()).strip(" .,;:!")


def _said(text: str) -> tuple[_Reading, ...]:
    """What a turn says that may correct something: a short turn as a whole, a longer one sentence by sentence."""
    body = selection.QUOTED.sub(" ", plain(_SPEAKER.sub("", text, count=1)))
    if len(body) > MOST_CHARACTERS or correction_words.FORGETTING.search(body):
        return ()
    kept = [one.strip() for one in _SENTENCE.findall(body) if one.strip() and not _says_nothing(one.strip())]
    stop_words = _stop_words_of(body)
    whole = _corrective(" ".join(kept), stop_words)
    if len(whole.words) <= SHORT + 4:
        return (whole,) if whole.everything else ()
    readings: list[_Reading] = []
    before = ""
    for sentence in kept:
        reading = _corrective(f"{before} {sentence}".strip(), stop_words)
        # "I was wrong about that.": what is right stands in the next sentence.
        before = sentence if not reading.everything else ""
        readings += [replace(reading, is_part=True)] if reading.everything else []
    return tuple(readings)


def _says_nothing(sentence: str) -> bool:
    return sentence.endswith("?") or correction_words.EXCLUDED.search(sentence) is not None


def _clauses(memory: str) -> tuple[_Reading, ...]:
    body = _NOTE.sub("", _SPEAKER.sub("", memory, count=1))
    stop_words = _stop_words_of(body)
    found = (
        _reading(clause, stop_words)
        for sentence in _SENTENCE.findall(plain(body))
        if correction_words.EXCLUDED.search(sentence) is None
        for clause in _CLAUSE_END.split(sentence)
        if clause.strip()
    )
    return tuple(clause for clause in found if clause.everything)


def _reading(text: str, stop_words: frozenset[str]) -> _Reading:
    meaning = list(_meaning(text, stop_words))
    return _Reading(
        text,
        frozenset(token.text for kind, token in meaning if not kind),
        tuple((kind, token) for kind, token in meaning if kind),
        names=frozenset(token.text for kind, token in meaning if token.kind == "name"),
    )


def _corrective(text: str, stop_words: frozenset[str]) -> _Reading:
    """With what the text names as wrong: finding that takes a time that grows with the square of its length, so only
    short texts are read like this, and not memories.
    """
    old, named = _named(text, stop_words)
    return replace(_reading(text, stop_words), old=old, named=named)


def _meaning(text: str, stop_words: frozenset[str]) -> Iterator[tuple[str, Token]]:
    """The kind of value, empty for a word, and the token of each meaning word. Words are cut, so that `allergy` is
    `allergic`.
    """
    for token in tokens(text):
        written_as = text[token.start : token.end]
        if written_as.lower() == "one":
            continue
        kinds = _kinds(token, text)
        for kind in kinds:
            # `25th` is `25`.
            yield kind, replace(token, text=token.text.rstrip("dhnrst") if token.kind == "number" else token.text)
        if kinds or token.kind not in {"word", "name"}:
            continue
        if token.text in _MOVING:
            yield "", replace(token, text=_MOVING[token.text])
        elif token.text not in correction_words.MEANINGLESS and token.text not in stop_words:
            yield "", replace(token, text=token.text[:6])


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


def _named(text: str, stop_words: frozenset[str]) -> tuple[frozenset[str], str]:
    """What is named as wrong: its meaning words and values, and as it is written."""
    for pattern in correction_words.OLD_VALUES:
        if match := pattern.search(text):
            named = match["old"].strip(" ,.")
            old = frozenset(token.text for _, token in _meaning(f"so {named}", stop_words))
            if old and len(old) <= MOST_OLD:
                return old, named
    return frozenset(), ""


def _stop_words_of(text: str) -> frozenset[str]:
    """The stems of the stop words of its language: English unless the words tell clearly."""
    name = language_of(text, _LANGUAGES)
    words = {word.lower() for word in written(text)}
    is_clear = len(words & STOP_WORDS[name]) > 2 * len(words & STOP_WORDS[ENGLISH]) + 1
    return _stop_words(name if is_clear else ENGLISH)


@cache
def _stop_words(name: str) -> frozenset[str]:
    return stems(" ".join(STOP_WORDS[name]))


_MOVING = {
    stem(moving): stem(living)
    for moving, living in (("moved", "lives"), ("moving", "lives"), ("relocated", "lives"), ("umgezogen", "wohne"))
}
"""Who has moved does not live any more where they lived."""
_LANGUAGES = (ENGLISH, *(name for name in STOP_WORDS if name != ENGLISH))
_HOUR = re.compile(r" (?:o'clock|in the (?:morning|afternoon|evening))\b", re.IGNORECASE)
_DAYS = frozenset(("weekday", "date", "month"))
_MONTHS = frozenset(map(stem, MONTHS)) - stems("may march")
_PLACES = tuple(stems(pair) for pair in ("front rear back", "left right", "upper lower", "first second third"))
_PERSONS = frozenset(stem(word)[:6] for word in language.RELATIONS)
_SPEAKER = re.compile(r"^\s*[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}: ")
_NOTE = re.compile(r" \((?:asked|corrects|about): .*\)$", re.DOTALL)
_SENTENCE = re.compile(
    r"(?:[^.!?;]|[.](?=\w)|(?<=\bDr)[.]|(?<=\bMr)[.]|(?<=\bMrs)[.]|(?<=\bMs)[.]|(?<=\b[ap]\.m)[.])+[.!?;]*"
)
_CLAUSE_END = re.compile(r"[,;:()]\s+| [-–—] | and | but | und | y | et ")
