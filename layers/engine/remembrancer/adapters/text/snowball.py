"""Stems of words by Snowball's algorithms, and kinds of nouns."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import Stemmer

from remembrancer.adapters.text.irregular_forms import BASE_FORMS
from remembrancer.domain.lexical_index.stop_words import ENGLISH

CACHED_WORDS = 10_000


class SnowballStemmer:
    """Serves the Stemmer port; the most frequent words are cached. Not thread-safe.

    In English, irregular forms are first mapped to their base form: went and going both become go. Kinds are known for
    English nouns only.
    """

    def __init__(self, language: str = ENGLISH) -> None:
        """Raises KeyError for a language without a Snowball stemmer."""
        self._others: dict[str, SnowballStemmer] = {}
        self._language = language
        self._stemmer = Stemmer.Stemmer(language, CACHED_WORDS)
        self._base_forms = BASE_FORMS if language == ENGLISH else {}

    def of(self, language: str) -> "SnowballStemmer":
        """Made on first use, and kept."""
        if language == self._language:
            return self
        if language not in self._others:
            self._others[language] = SnowballStemmer(language)
        return self._others[language]

    def stem(self, words: Sequence[str]) -> list[str]:
        """Expects lower-case words; in English, irregular forms are replaced by their base forms first."""
        stems: list[str] = self._stemmer.stemWords([self._base_forms.get(word, word) for word in words])
        return stems

    def kinds(self, noun: str) -> Sequence[str]:
        """At most 128 kinds; empty for a word that is no noun, or has no kinds."""
        return _english_kinds().get(noun, "").split() if self._language == ENGLISH else ()


@cache
def _english_kinds() -> Mapping[str, str]:
    """Kinds by noun, separated by spaces; read on first use."""
    text = (Path(__file__).parent / "kinds.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return {noun: kinds for noun, _, kinds in lines}
