"""The part of a memory that a newer one may contradict, where the memory says several things.

It is read from the two texts alone, so that the prompt stays the same as long as these do.
"""

import re
from itertools import pairwise, zip_longest

from remembrancer.domain.context.reference_words import JOINERS
from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS
from remembrancer.domain.lexical_index.words import written

MOST_BYTES = 40
"""A longer part says little less than the memory. A byte is a token or less, so the part has no more tokens."""
MOST_CHARACTERS = 500
"""Of a longer memory, which has many clauses, the whole is in doubt: it is read while a request waits."""
LEAST_WORDS = 3
"""Words from which on a piece without a figure is a clause of its own; a shorter one belongs to the one before it."""


def doubted_part(older: str, newer: str) -> str:
    """The clause of the older memory that has most in common with the newer one; empty where none stands out, or there
    is only one.
    """
    if max(len(older), len(newer)) > MOST_CHARACTERS:
        return ""
    clauses = _clauses(_NOTE.sub("", _SPEAKER.sub("", older, count=1)))
    if len(clauses) < 2:
        return ""
    said = _meaning(newer)
    others = [_has_figure(said) and _has_figure(words - said) for _, words in clauses]
    scores = [len(words & said) + is_other for (_, words), is_other in zip(clauses, others, strict=True)]
    best = max(scores)
    place = scores.index(best)
    clause = " ".join(clauses[place][0].split())
    is_clear = best > 0 and scores.count(best) == 1 and (others[place] or not any(others))
    return clause if is_clear and len(clause.encode()) <= MOST_BYTES else ""


def _clauses(text: str) -> list[tuple[str, frozenset[str]]]:
    """Its clauses that mean something, as they are written, with the words that mean it."""
    ends = list(_CLAUSE_END.finditer(text))
    starts = [0]
    for end, following in zip_longest(ends, ends[1:]):
        piece = text[end.end() : following.start() if following else len(text)]
        is_short = len(written(piece)) < LEAST_WORDS and not _has_figure(_meaning(piece))
        if "." in end[0] or not is_short:
            starts.append(end.end())
    pieces = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    clauses = [_JOINED.sub("", piece).strip(" ,;:.!?–—-") for piece in pieces]
    return [(clause, words) for clause in clauses if (words := _meaning(clause))]


def _meaning(text: str) -> frozenset[str]:
    """Its words that mean something, cut so that forms of a word are alike."""
    return frozenset(word.lower()[:6] for word in written(text) if word.lower() not in _MEANINGLESS)


def _has_figure(words: frozenset[str]) -> bool:
    return any(char.isdigit() for word in words for char in word)


_MEANINGLESS = STOP_WORDS[ENGLISH] | {"user", "assistant", "corrects", "asked"}
_SPEAKER = re.compile(r"^[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}: ")
_NOTE = re.compile(r" \((?:asked|corrects|about): .*\)$", re.DOTALL)
_JOINER = "|".join(sorted(JOINERS))
_JOINED = re.compile(rf"^\s*(?:{_JOINER})\s|\s(?:{_JOINER})\s*$")
_CLAUSE_END = re.compile(rf"[,;:()]\s+|(?<![.!?])[.!?]+\s+| [-–—] | (?:{_JOINER}) ")
