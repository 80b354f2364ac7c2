"""Recognises what an assistant repeats of memories that it was given."""

import re
from collections.abc import Sequence

from remembrancer.domain.capture.phrases import SMALL_TALK
from remembrancer.domain.lexical_index.words import written

SHARE = 0.75
"""The least share of a sentence's words with a meaning that one memory must contain."""

_SENTENCE = re.compile(r"[^.!?。！？\n]+")


def is_echo(text: str, memories: Sequence[str]) -> bool:
    """Whether each sentence of `text` repeats one of the memories: nearly all of its words, and all names and numbers.

    Function words and small talk do not count. A text without other words repeats nothing.
    """
    known = [frozenset(word.lower() for word in written(memory)) for memory in memories]
    sentences = [words for sentence in _SENTENCE.findall(text) if (words := _meaning_words(sentence))]
    return bool(sentences) and all(any(_repeats(words, one) for one in known) for words in sentences)


def _repeats(words: Sequence[str], known: frozenset[str]) -> bool:
    lowered = [word.lower() for word in words]
    values = (word.lower() for place, word in enumerate(words) if _is_value(word, is_first=place == 0))
    return all(value in known for value in values) and sum(word in known for word in lowered) >= SHARE * len(lowered)


def _is_value(word: str, *, is_first: bool) -> bool:
    """A number, or a name as far as its capital letter tells: every sentence begins with one."""
    return any(character.isdigit() for character in word) or (word[0].isupper() and not is_first)


def _meaning_words(sentence: str) -> list[str]:
    return [word for word in written(sentence.replace("’", "'")) if word.lower() not in SMALL_TALK]
