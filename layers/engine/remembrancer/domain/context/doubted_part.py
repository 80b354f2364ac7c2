"""The part of a memory that a newer one may contradict, where the memory says several things.

It is read from the two texts alone, so that the prompt stays the same as long as these do.
"""

import re
from functools import lru_cache

from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS
from remembrancer.domain.lexical_index.words import written

MOST_BYTES = 40
"""A longer part says little less than the memory. A byte is a token or less, so the part has no more tokens."""


LEAST_WORDS = 3
"""Words from which on a piece without a figure is a clause of its own; a shorter one belongs to the one before it."""


@lru_cache(maxsize=1024)
def doubted_part(older: str, newer: str) -> str:
    """The clause of the older memory that has most in common with the newer one; empty where none stands out, or there
    is only one.
    """
    clauses = _clauses(_NOTE.sub("", _SPEAKER.sub("", older, count=1)))
    if len(clauses) < 2:
        return ""
    said = _meaning(newer)
    others = [_has_other_figure(_meaning(clause), said) and _has_figure(said) for clause in clauses]
    scores = [len(_meaning(clause) & said) + is_other for clause, is_other in zip(clauses, others, strict=True)]
    best = max(scores)
    place = scores.index(best)
    is_clear = best > 0 and scores.count(best) == 1 and (others[place] or not any(others))
    return clauses[place] if is_clear and len(clauses[place].encode()) <= MOST_BYTES else ""


def _clauses(text: str) -> list[str]:
    """Its clauses that mean something, as they are written."""
    starts = [0]
    for end in _CLAUSE_END.finditer(text):
        following = _CLAUSE_END.split(text[end.end() :], maxsplit=1)[0]
        is_short = len(list(written(following))) < LEAST_WORDS and not _has_figure(_meaning(following))
        if "." in end[0] or not is_short:
            starts.append(end.end())
    pieces = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    clauses = [_CONNECTOR.sub("", piece).strip(" ,;:.!?–—-") for piece in pieces]
    return [clause for clause in clauses if _meaning(clause)]


def _meaning(text: str) -> frozenset[str]:
    """Its words that mean something, cut so that forms of a word are alike."""
    return frozenset(word.lower()[:6] for word in written(text) if word.lower() not in _MEANINGLESS)


def _has_other_figure(words: frozenset[str], said: frozenset[str]) -> bool:
    return _has_figure(words - said)


def _has_figure(words: frozenset[str]) -> bool:
    return any(char.isdigit() for word in words for char in word)


_MEANINGLESS = STOP_WORDS[ENGLISH] | {"user", "assistant", "corrects", "asked"}
_SPEAKER = re.compile(r"^[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}: ")
_CONNECTOR = re.compile(r"^\s*(?:and|but|und|y|et)\s|\s(?:and|but|und|y|et)\s*$")
_NOTE = re.compile(r" \((?:asked|corrects|about): .*\)$", re.DOTALL)
_CLAUSE_END = re.compile(r"[,;:()]\s+|(?<![.!?])[.!?]+\s+| [-–—] | and | but | und | y | et ")
