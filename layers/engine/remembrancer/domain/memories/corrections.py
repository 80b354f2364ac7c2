"""Whether a turn corrects a memory, by documented rules (docs/capture.md, Corrections).

1. A sentence corrects if it has words of correction ("no, …", "not X but Y", "has changed to"), or follows a sentence of
   nothing but these; or if it states the same as a memory with another value (`conflicts`). Questions, conditions, what
   others say, additions ("also", "another") and other times ("last year") correct nothing.
2. It corrects a sentence of a memory that has the value which it names as wrong, or that says the same with one other
   value of the same kind, of the same persons and things.
3. Certain is a correction of a memory that says little else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from remembrancer.domain.capture import language, selection
from remembrancer.domain.capture.clauses import plain
from remembrancer.domain.lexical_index.words import ENGLISH_STOP_WORDS
from remembrancer.domain.memories import conflicts
from remembrancer.domain.memories.statements import Token, stem, stems, tokens
from remembrancer.domain.times.vocabulary import MONTHS

MOST_CHARACTERS = 600
"""Longer texts correct nothing: what they say is about more than one memory."""
MOST_LEFT = 3
"""Most meaning words of a corrected sentence that the correction neither repeats nor replaces."""
LONGEST_VALUE = 5
"""Most meaning words of a value that is named as wrong."""


@dataclass(frozen=True, slots=True)
class Correcting:
    """A sentence with words of correction.

    `old` are the meaning words of what it names as wrong, `new` all others. `ends`: something is no longer so.
    `is_bare`: it says nothing but what is wrong.
    """

    text: str
    new: tuple[Token, ...]
    old: tuple[Token, ...] = ()
    named: str = ""
    ends: bool = False

    @property
    def things(self) -> frozenset[str]:
        """The meaning words beside values."""
        return frozenset(token.text for token in self.new if token.kind in _WORDS)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a turn does to a memory: `differs_in` is one of DIFFERENCES. `about` is the corrected sentence, with … for
    its old value, where the turn means nothing without it; else empty.
    """

    differs_in: str
    is_certain: bool
    about: str = ""


@lru_cache(maxsize=256)
def corrections_in(text: str) -> tuple[Correcting, ...]:
    """The sentences of a text that correct something, by their words."""
    return tuple(_read(text)) if len(text) <= MOST_CHARACTERS else ()


def corrects(text: str, memory: str, *, is_near: bool = False) -> Correction | None:
    """What a turn's text corrects in a memory's content; None when nothing.

    `is_near`: the memory was said just before, so that the turn may mean it without a word about it.
    """
    found = [
        correction
        for correcting in corrections_in(_without_speaker(text))
        for sentence in _sentences(memory)
        if (correction := _corrects(correcting, sentence, memory, is_near=is_near)) is not None
    ]
    if found:
        return max(found, key=lambda correction: correction.is_certain)
    difference = conflicts.texts_differ(memory, text)
    return None if difference is None else Correction(difference, _is_alone(memory, _meaning(tokens(text))))


def _read(text: str) -> Iterator[Correcting]:
    is_cued = False
    for sentence in _SENTENCE.findall(plain(text)):
        said = selection.QUOTED.sub(" ", sentence).strip()
        if not said:
            continue
        if said.endswith("?") or _EXCLUDED.search(said):
            is_cued = False
            continue
        is_cue = _CUE.search(said) is not None
        read = _named(said)
        if not _meaning(read.new) and not read.old:
            # "No, that's wrong.": of what, the next sentence says.
            is_cued = is_cue or (is_cued and not said.strip(" .!"))
            continue
        if is_cue or is_cued:
            yield read
        is_cued = False


def _named(sentence: str) -> Correcting:
    """The sentence, and in it what is named as wrong."""
    ends = _ENDING.search(sentence) is not None
    for pattern in _OLD:
        if (match := pattern.search(sentence)) is None:
            continue
        named = match["old"].strip(" ,.")
        old = _meaning(tokens(f"so {named}"))
        if old and len(old) <= LONGEST_VALUE:
            rest = f"{sentence[: match.start('old')]} , {sentence[match.end('old') :]}"
            new = _meaning(tokens(rest))
            return Correcting(sentence, new, old, named, ends and not new)
    return Correcting(sentence, _meaning(tokens(sentence)), ends=ends)


def _corrects(correcting: Correcting, sentence: str, memory: str, *, is_near: bool) -> Correction | None:
    read = _meaning(tokens(sentence))
    there = frozenset(token.text for token in read)
    if not there or (not correcting.old and _says_all(correcting, there) and not correcting.ends):
        return None
    if correcting.ends and not correcting.old:
        return _ended(correcting, sentence, memory, there)
    old = _old_value(correcting, read, sentence)
    if not old:
        return None
    replaced = frozenset(token.text for token in old)
    new = frozenset(token.text for token in correcting.new)
    left, added = there - replaced - new, correcting.things - there
    shared = (there - replaced) & new
    if _persons(left) or _persons(added - _value_words(correcting, old)):
        return None
    is_elliptic = not shared
    if is_elliptic and not (is_near and len(added) <= LONGEST_VALUE):
        return None
    is_other = bool(left) and bool(added - _value_words(correcting, old))
    if is_other and not correcting.old:
        return None
    kinds = {token.kind for token in old}
    is_certain = not is_other and len(left) <= MOST_LEFT and _is_alone(memory, read)
    about = _without(sentence, correcting, old) if is_elliptic or not _is_clear(correcting, left) else ""
    return Correction("day" if kinds & _DAYS else "value", is_certain, about)


def _old_value(correcting: Correcting, read: Sequence[Token], sentence: str) -> tuple[Token, ...]:
    """The tokens of the memory's sentence that are corrected; empty when none are."""
    if correcting.old:
        wanted = {token.text for token in correcting.old}
        if {"number"} >= {token.kind for token in correcting.old}:
            found = tuple(token for token in read if token.text in wanted or _numbers(token, sentence) & wanted)
            return found if found else ()
        found = tuple(token for token in read if token.text in wanted)
        return found if {token.text for token in found} == wanted else ()
    for kind in _VALUES:
        olds = [token for token in read if token.kind == kind]
        news = [token for token in correcting.new if token.kind == kind]
        if len(olds) == 1 and len(news) == 1:
            return (olds[0],) if olds[0].text != news[0].text else ()
        if olds or news:
            return ()
    return _replaced_words(correcting, read)


def _replaced_words(correcting: Correcting, read: Sequence[Token]) -> tuple[Token, ...]:
    """The last words of the memory's sentence, where the other begins with the same and ends with other words."""
    new = [token.text for token in correcting.new]
    old = [token.text for token in read]
    same = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)
    if not same or not old[same:] or not new[same:] or max(len(old), len(new)) - same > 2:
        return ()
    return tuple(read[same:]) if set(old[same:]).isdisjoint(new) else ()


def _ended(correcting: Correcting, sentence: str, memory: str, there: frozenset[str]) -> Correction | None:
    """Whether all that is no longer so stands in the sentence."""
    new = frozenset(token.text for token in correcting.new)
    if not new or not new <= there or _ENDING.search(sentence) or _NEGATIVE.search(sentence):
        return None
    left = there - new
    if _persons(left):
        return None
    return Correction("negation", len(left) <= MOST_LEFT and _is_alone(memory, correcting.new))


def _says_all(correcting: Correcting, there: frozenset[str]) -> bool:
    return {token.text for token in correcting.new} <= there


def _value_words(correcting: Correcting, old: Sequence[Token]) -> frozenset[str]:
    """The words of the new value: those that are no values, where the old one is of words."""
    if {token.kind for token in old} <= _WORDS:
        return frozenset(token.text for token in correcting.new if token.kind in _WORDS)
    return frozenset()


def _is_clear(correcting: Correcting, left: frozenset[str]) -> bool:
    """Whether the correction says itself what it is about."""
    return not left or len(correcting.things) >= 2


def _is_alone(memory: str, said: Sequence[Token]) -> bool:
    """Whether the memory says little beside what these words are about."""
    known = {token.text for token in said}
    others = [_meaning(tokens(sentence)) for sentence in _sentences(memory)]
    return sum(len({token.text for token in other} - known) > MOST_LEFT for other in others) == 0 and (
        sum(known.isdisjoint(token.text for token in other) for other in others if other) == 0
    )


def _without(sentence: str, correcting: Correcting, old: Sequence[Token]) -> str:
    """The sentence with … for the old value."""
    start, end = min(token.start for token in old), max(token.end for token in old)
    return " ".join(f"{sentence[:start]}…{sentence[end:]}".split()).rstrip(" .!")


def _persons(words: frozenset[str]) -> frozenset[str]:
    return words & _PERSONS


def _numbers(token: Token, sentence: str) -> frozenset[str]:
    """The numbers that a value is written with: 9:30 with 9 and 30."""
    return frozenset(_DIGITS.findall(sentence[token.start : token.end]))


def _meaning(read: Sequence[Token]) -> tuple[Token, ...]:
    return tuple(
        Token(token.text, "month", token.start, token.end) if token.text in _MONTHS and token.kind != "date" else token
        for token in read
        if token.text not in _EMPTY
    )


def _sentences(memory: str) -> list[str]:
    body = _NOTE.sub("", _without_speaker(memory))
    return [sentence.strip() for sentence in _SENTENCE.findall(plain(body)) if sentence.strip()]


def _without_speaker(text: str) -> str:
    return _SPEAKER.sub("", text, count=1)


_WORDS = frozenset(("word", "name"))
_DAYS = frozenset(("weekday", "date", "month"))
_VALUES = ("date", "time", "duration", "weekday", "month", "number")
_MONTHS = frozenset(map(stem, MONTHS)) - {"may", "march"}
_PERSONS = frozenset(map(stem, language.RELATIONS)) | stems("he him his she her hers they their them")
_SPEAKER = re.compile(r"^\s*[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}: ")
_NOTE = re.compile(r" \((?:asked|corrects): .*\)$", re.DOTALL)
_SENTENCE = re.compile(r"(?:[^.!?;]|[.](?=\w)|(?<=\bDr)[.]|(?<=\bMr)[.]|(?<=\bMrs)[.]|(?<=\b[ap]\.m)[.])+[.!?;]?")
_DIGITS = re.compile(r"\d+")
_EMPTY = (
    stems(" ".join(ENGLISH_STOP_WORDS))
    | frozenset(map(stem, language.FILLERS))
    | stems(
        "no nope nah yes actually sorry wait oops correction correct meant mean mistake wrong right true false instead"
        " rather longer anymore any more now changed change switched switch moved move become became said say told tell"
        " turns turned turn out make made update updated one is are was it that got get gets has have let well hmm oh ah"
        " remember note thing fact again still already just think thought user , 's misspoke typo scratch ever since"
        " these days from on"
    )
)
"""Words that mean nothing here, those of correction among them."""

_CUE = re.compile(
    r"^\W*(?:no|nope|nah|actually|sorry|wait|oops|correction|update|scratch that|my (?:mistake|bad))\b(?=\s*[,.:;!–—-]|\s*$|"
    r" (?:it|that|i|the|my|its|it's|that's|i'm|not|make|wait|sorry|actually)\b)"
    r"|\b(?:i (?:was|am|'m) (?:wrong|mistaken)|i got (?:that|it|this) wrong|i misspoke|i meant|i mean|typo|my mistake"
    r"|(?:that|this|it)(?:'s| is| was) (?:not|n't) (?:right|correct|true)|(?:that|this|it)(?:'s| is| was)n't (?:right|correct|true)"
    r"|(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|false|outdated|out of date)"
    r"|make (?:that|it)|chang(?:e|ed) (?:that |it |my \w+ )?(?:from .+ )?to|(?:has|have|'s|'ve|got) (?:been )?(?:changed|moved|switched|become"
    r"|rescheduled|postponed|pushed)|from now on|no longer|any ?more|instead|rather than|not any longer|turns out"
    r"|turned out|these days|switched|rescheduled|i said .+ meant|actually|after all|new \w+ is|now)\b"
    r"|\bnot .+ but\b|[,;–—-] ?(?:and |but )?not\b|n't .+[,;] (?:it|that|he|she|they)(?:'s| is| are)\b",
    re.IGNORECASE,
)
_OLD = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bi (?:said|wrote|typed|told you)\s+(?P<old>.+?)[,;]?\s+(?:but|and|when)?\s*(?:i\s+)?(?:meant|mean)\s+.+$",
        r"\bfrom\s+(?P<old>(?:(?!\bto\b)[^,;])+?)\s+to\s+.+$",
        r"(?:\bnot|n't)\s+(?P<old>[^,;.]+?)(?:,?\s+but\s+|\s*[,;–—]\s*(?:(?:it|that|he|she|they|this)\b\s*(?:'s|is|are|was)?\s*)).+$",
        r"[,;–—-]\s*(?:and |but )?(?:not|no longer|rather than|instead of)\s+(?P<old>[^,;.!]+)",
        r"\b(?:instead of|rather than)\s+(?P<old>[^,;.!]+)",
        r"\bnot\s+(?P<old>[^,;.!]+?)\s*(?:any ?more|any longer)?[.!]?$",
    )
)
"""How a value is named as wrong."""
_ENDING = re.compile(
    r"\b(?:no longer|any ?more|any longer|stopped|quit|gave up|given up|never again)\b|\bnot .+ (?:these days|now)\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"\b(?:not|no|never|without)\b|n't\b", re.IGNORECASE)
_EXCLUDED = re.compile(
    r"\b(?:if|unless|maybe|perhaps|might|could|would|should|suppose|imagine|pretend|whether|wonder\w*|hope|wish"
    r"|thinking|considering|going to|want(?:s|ed)? to|plan(?:s|ning)? to"
    r"|also|another|both|as well|too|additional(?:ly)?|second|sometimes|either|besides|in addition|plus"
    r"|used to|back then|when i was|as a (?:child|kid|teenager)|last (?:time|year|month|week|summer|winter|spring"
    r"|autumn|fall)|this (?:time|once)|for (?:today|tonight|now)|just for|(?:years?|months?|weeks?|days?) ago|yesterday"
    r"|(?:he|she|they|\w+(?:er|or|an)) (?:said|says|told|thinks|thought|claims|wrote)|according to|the (?:film|book|story|song))\b",
    re.IGNORECASE,
)
"""What makes a sentence speak of something else."""



@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that a turn may correct; `is_near`: it was said just before."""

    id: object
    content: str
    is_near: bool = False


def linked(text: str, candidates: Sequence[Candidate]) -> list[tuple[Candidate, Correction]]:
    """The memories that a turn corrects."""
    return [
        (one, found) for one in candidates if (found := corrects(text, one.content, is_near=one.is_near)) is not None
    ]


def is_told(memory: str, before: str) -> bool:
    """Whether the assistant has just repeated a memory."""
    known = {token.text for sentence in _sentences(memory) for token in _meaning(tokens(sentence))}
    return len(known) > 0 and len(known & {token.text for token in _meaning(tokens(before))}) * 2 >= len(known)
