"""Recognises what an assistant repeats of memories that it was given.

A sentence repeats a sentence of a memory when it has nearly all of its words from there, in the same order, and changes
nothing: no number and no name that is not there, no other word at the place of one, no negation more or less. Whatever
is in doubt is no echo: an echo is dropped, and what it says is lost.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import dropwhile

from remembrancer.domain.capture import language
from remembrancer.domain.capture.phrases import SMALL_TALK
from remembrancer.domain.lexical_index.words import written
from remembrancer.domain.memories.duplicates import words_of

SHARE = 0.75
"""The least share of a sentence's words with a meaning that a sentence of a memory must contain."""
MOST_WORDS = 200
"""Longer sentences repeat nothing: comparing them would take too long."""


def is_echo(text: str, memories: Sequence[str]) -> bool:
    """Whether each sentence of `text` repeats a sentence of the memories. Small talk does not count; a text without
    other words repeats nothing.
    """
    told = [
        sentence for sentence in _sentences(text) if any(word.lower() not in SMALL_TALK for word in written(sentence))
    ]
    there = [sentence for memory in memories for sentence in _sentences(memory)] if told else []
    known = [[word for word in words_of(sentence) if word not in _EMPTY] for sentence in there]
    return bool(told) and all(any(_repeats(sentence, words) for words in known) for sentence in told)


def _repeats(sentence: str, known: Sequence[str]) -> bool:
    told = list(dropwhile(language.OPENERS.__contains__, (word for word in words_of(sentence) if word not in _EMPTY)))
    there = {word.lower() for word in known}
    meant = [word for word in told if word not in SMALL_TALK]
    return (
        max(len(told), len(known)) <= MOST_WORDS
        and all(word.lower() in there for word in [*_names(sentence), *filter(_DIGIT.search, told)])
        and sum(word.lower() in there for word in meant) >= SHARE * len(meant)
        and _changes_nothing(known, told)
    )


def _changes_nothing(known: Sequence[str], told: Sequence[str]) -> bool:
    """Whether words were only left out or added, none of them a negation, and none moved."""
    steps = SequenceMatcher(None, known, told, autojunk=False).get_opcodes()
    changed = [(kind, known[start:end], told[first:last]) for kind, start, end, first, last in steps if kind != "equal"]
    return not any(
        kind == "replace" or _decides([*left, *added]) or not set(added).isdisjoint(known)
        for kind, left, added in changed
    )


def _decides(words: Iterable[str]) -> bool:
    return any(word in _DECIDING for word in words)


def _names(sentence: str) -> list[str]:
    """As far as capital letters tell: every sentence begins with one, and so does what is quoted."""
    return [
        word
        for word in written(sentence)[1:]
        if word[0].isupper() and not word.startswith("I'") and word.lower() not in _EMPTY | language.ARTICLES
    ]


def _sentences(text: str) -> list[str]:
    return [_TAG.sub("", sentence) for sentence in _SENTENCE_END.split(text.replace("’", "'")) if sentence]


_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？।])|\n+")
_TAG = re.compile(
    r",\s*(?:right|correct|yes|ok(?:ay)?|(?:is|are|was|were|do|does|did|have|has|had|ca|wo)n't \w+)\s*\?\s*$",
    re.IGNORECASE,
)
"""The end of a sentence that asks whether it is so."""
_DIGIT = re.compile(r"\d")
_EMPTY = (
    language.FILLERS
    | {"i", "you", "we", "me", "us", "mine", "yours", "ours", "user", "user:", "assistant", "assistant:", "?"}
    | {"am", "is", "are", "my", "your", "our"}
)
"""Words that differ with the person who speaks, or say nothing."""
_OTHER_NEGATIONS = """
nicht nichts kein keine keinen keinem keiner nie niemals niemand ohne
ne n pas jamais sans plus aucun aucune
nunca sin tampoco jamás nadie ningún ninguna ninguno
non mai senza nessun nessuno nessuna
não nem sem nenhum nenhuma ninguém
niet geen nooit zonder
не нет нет никогда без
nigdy bez
"""
_DECIDING = language.NEGATIONS | language.CONDITIONS | {"stopped", "quit", "formerly", "anymore"}
_DECIDING |= frozenset(_OTHER_NEGATIONS.split())
"""Words that decide whether a sentence is true, in more languages than those of the gate."""
