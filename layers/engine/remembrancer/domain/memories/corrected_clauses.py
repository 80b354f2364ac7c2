"""Which clauses of a memory a newer text is about, and how these are quoted: in the note of a correction, and in the
mark of a memory that may be out of date.

Both are read from the texts alone, so that a prompt stays the same as long as these do.
"""

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from remembrancer.domain.memories.correction_reading import Reading
from remembrancer.domain.memories.statements import Token

CUT = "…"
"""Stands for a value, or for what was cut off."""
BESIDE = "; "
"""Between two quotes of one memory."""
CLEAR = 0.8
"""A clause that has less in common with a text than the best one by so much, or half as much, is not in question."""
TOPIC_WORDS = 4
"""Most meaning words of a clause that may only name the thing of which the next one speaks."""
NAME, SAME, UNIT, BOTH, NEAR = 0.75, 0.4, 0.25, 0.75, 1.25
"""What counts beside a word or another value of the same kind, which count 1: a name, which people say in any turn; the
same value; the same unit; another value beside one in common; how near a number is. By a softmax over the clauses of
memories in `training`, rounded.
"""
_KINDS_ALIKE = {frozenset(("amount", "day")): 0.5, frozenset(("amount", "time")): 0.5}
"""How surely values of two kinds may stand for one thing: "the 14th" and "14"."""


def in_question(said: Reading, clauses: Sequence[Reading]) -> tuple[Reading, ...]:
    """The clauses that the text is most about, in their order; empty where none of several stands out."""
    if len(clauses) == 1:
        return tuple(clauses)
    scores = [_in_common(said, clause) for clause in clauses]
    least = max(max(scores) - CLEAR, max(scores) / 2)
    found = {place for place, score in enumerate(scores) if score > least}
    found |= {place + 1 for place in found if _goes_on(said, clauses[place])}
    found |= {place - 1 for place in range(1, len(clauses)) if place in found and _is_relative(clauses, place)}
    meant = tuple(clause for place, clause in enumerate(clauses) if place in found)
    return meant if len(meant) < len(clauses) else ()


def quoted(clauses: Sequence[Reading], memory: str) -> str:
    """Clauses of a memory (in one line) as they stand there, without marks around them; neighbours in one sentence
    together. A bracket or quotation mark that one opens is closed if the memory does so right behind it; otherwise the
    longer part beside it is quoted.
    """
    places: list[tuple[int, int]] = []
    end = 0
    for clause in clauses:
        begins = start = memory.find(clause.text, end)
        if places and _WITHIN.fullmatch(memory, places[-1][1], start):
            begins = places.pop()[0]
        end = start + len(clause.text)
        places.append((begins, start + len(clause.text.rstrip(_MARKS))))
    return BESIDE.join(dict.fromkeys(filter(None, (_quote(memory, start, end) for start, end in places))))


def _quote(memory: str, start: int, end: int) -> str:
    text, closed = memory[start:end], memory[start : end + 1]
    return _paired((closed if _unpaired(text) and not _unpaired(closed) else text).strip(_MARKS))


def shortened(quote: str, most: int) -> str:
    """At most so many characters from the beginning of a quote, cut between words, its brackets and quotation marks in
    pairs; empty if there is no word as short as that.
    """
    if len(quote) <= most:
        return quote
    kept = _paired(quote[: quote.rfind(" ", 0, most - len(CUT)) + 1].strip(_MARKS))
    return f"{kept} {CUT}" if kept else ""


def is_of_name(said: Reading, clause: Reading, old: Token) -> bool:
    """Whether a value of the clause stands beside a name, as in "14 Elm Road", and the text has another name: then the
    value is not all that is replaced.
    """
    before, after = clause.text[: old.start], clause.text[old.end :]
    is_beside = _NAME_BEFORE.search(before) or _NAME_BEHIND.match(after)
    return bool(is_beside and clause.names - said.words and said.names - clause.words)


def without(quote: str, clause: Reading, old: Token) -> str:
    """A quote of this clause with CUT for a value, and for others right beside that: "Monday 8 June", "30 x 20"."""
    start, end = old.start, old.end
    places = sorted((token.start, token.end) for _, token in clause.values)
    for begins, ends in places:
        if begins >= end and _BETWEEN.fullmatch(clause.text, end, begins):
            end = ends
    for begins, ends in reversed(places):
        if ends <= start and _BETWEEN.fullmatch(clause.text, ends, start):
            start = begins
    # A quote may have a closing bracket more than the clause.
    at = clause.text.find(quote[:-1])
    is_quoted = at >= 0 and at <= start and end - at <= len(quote)
    return f"{quote[: start - at]}{CUT}{quote[end - at :]}" if is_quoted else quote


def differing(said: Reading, clause: Reading) -> tuple[Token, float, bool] | None:
    """The value of the clause for which the text has another one, how surely, and whether both have the same unit; None
    where there is none. One that the text names beside the other comes first, then one with the same unit, then a
    number near to the other one.
    """
    theirs = {token.text for _, token in clause.values}
    mine = {token.text for _, token in said.values}
    news = [(kind, new.text, said.unit(new)) for kind, new in said.values if new.text not in theirs]
    found = [
        (_alike(kind, other), old.text in mine, bool(clause.unit(old) & unit), _near(old.text, new), old)
        for kind, old in clause.values
        for other, new, unit in news
    ]
    surely, _, unit, _, old = max(found, key=lambda one: one[:4], default=(0.0, False, False, 0.0, None))
    return (old, surely, unit) if old is not None and surely else None


def has_both(said: Reading, clause: Reading) -> bool:
    """Whether the text has a value of the clause, and another one of its kind: "28, not 26"."""
    theirs = {(kind, token.text) for kind, token in clause.values}
    mine = {(kind, token.text) for kind, token in said.values}
    return any(kind == other for kind, _ in theirs & mine for other, _ in mine - theirs)


def nearest_number(said: Reading, content: Reading) -> float:
    """From 0 to 1: how near a number that only the text has is to one of the memory. What is corrected by a number is
    rarely far from it.
    """
    theirs, mine = ({token.text for _, token in one.values} for one in (content, said))
    return max((_near(old, new) for old in theirs for new in mine - theirs), default=0.0)


def _goes_on(said: Reading, clause: Reading) -> bool:
    """Whether the next clause of its sentence may have what the text replaces: "Bed 4, Mr Osei", "two packs, size M",
    "Bed 12 (Mr Ferris) is free".
    """
    _, surely, _ = differing(said, clause) or (None, 0.0, False)
    is_topic = len(clause.words) <= TOPIC_WORDS and surely < 1.0
    return not _ends(clause) and (is_topic or bool(_unpaired(clause.text)))


def _is_relative(clauses: Sequence[Reading], place: int) -> bool:
    """Whether a clause means nothing without the one before it: "who is 4"."""
    return _RELATIVE.match(clauses[place].text) is not None and not _ends(clauses[place - 1])


def _ends(clause: Reading) -> bool:
    """Whether its sentence ends with it."""
    return clause.text.rstrip().endswith((".", "!", "?", ";"))


def _in_common(said: Reading, clause: Reading) -> float:
    common = said.words & clause.words
    names = common & (said.names | clause.names)
    _, surely, unit = differing(said, clause) or (None, 0.0, False)
    return (
        len(common - names)
        + NAME * len(names)
        + SAME * len({token.text for _, token in said.values} & {token.text for _, token in clause.values})
        + surely * (1 + UNIT * unit)
        + BOTH * has_both(said, clause)
        + NEAR * nearest_number(said, clause)
    )


def _alike(kind: str, other: str) -> float:
    return 1.0 if kind == other else _KINDS_ALIKE.get(frozenset((kind, other)), 0.0)


def _near(old: str, new: str) -> float:
    """0 where one of them is no positive number."""
    try:
        one, other = float(old.replace(",", ".")), float(new.replace(",", "."))
    except ValueError:
        return 0.0
    return math.exp(-2 * abs(math.log(one / other))) if 0 < one < math.inf and 0 < other < math.inf else 0.0


def _paired(text: str) -> str:
    """The longest part of a text in which each bracket and quotation mark has its other one."""
    while alone := _unpaired(text):
        bounds = [-1, *alone, len(text)]
        parts = [text[start + 1 : end] for start, end in pairwise(bounds)]
        text = max(parts, key=len).strip(_MARKS)
    return text


def _unpaired(text: str) -> list[int]:
    """The places of brackets and quotation marks without their other one."""
    alone: list[int] = []
    open_: list[tuple[int, str]] = []
    for place, character in enumerate(text):
        if open_ and character == open_[-1][1]:
            open_.pop()
        elif character in _PAIRS:
            open_.append((place, _PAIRS[character]))
        elif character in _CLOSING:
            alone.append(place)
    return sorted([*alone, *(place for place, _ in open_)])


_PAIRS = {"(": ")", "[": "]", "{": "}", '"': '"', "“": "”", "„": "“", "«": "»"}
_CLOSING = frozenset(_PAIRS.values())
_MARKS = " ,;:.!?–—-"
_RELATIVE = re.compile(r"\s*(?:who|whom|whose|which|where)\b", re.IGNORECASE)
_WITHIN = re.compile(r"[^.!?;]{0,8}")
"""What stands between two clauses of one sentence: a comma, "and", a bracket."""
_NAME_BEFORE = re.compile(r"\b[^\W\d_a-z]\w+ $")
_NAME_BEHIND = re.compile(r" [^\W\d_a-z]\w+")
_BETWEEN = re.compile(r"[ ,./–-]{0,2}|[ ]?[x×][ ]?")
