"""Stems of words by Snowball's algorithms, and kinds of nouns."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import Stemmer

from remembrancer.adapters.text.irregular_forms import BASE_FORMS

CACHED_WORDS = 10_000


class SnowballStemmer:
    """Serves the Stemmer port; the most used words are cached. Not for several threads at once.

    In English, irregular forms are led back to their base form first: went and going are both go. Kinds are known of
    English nouns only.
    """

    def __init__(self, language: str = "english") -> None:
        """KeyError for a language that Snowball does not have."""
        self._stemmer = Stemmer.Stemmer(language, CACHED_WORDS)
        self._base_forms = BASE_FORMS if language == "english" else {}
        self._english = language == "english"

    def stem(self, words: Sequence[str]) -> list[str]:
        """Words are expected in lower case."""
        stems: list[str] = self._stemmer.stemWords([self._base_forms.get(word, word) for word in words])
        return stems

    def kinds(self, noun: str) -> Sequence[str]:
        """At most 128; empty for what is no noun, or has no kinds."""
        return _english_kinds().get(noun, "").split() if self._english else ()


@cache
def _english_kinds() -> Mapping[str, str]:
    """By noun, the kinds with spaces between; read when they are first asked for."""
    text = (Path(__file__).parent / "kinds.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return {noun: kinds for noun, _, kinds in lines}
