"""Word stems by Snowball's algorithms."""

from collections.abc import Sequence

import Stemmer

CACHED_WORDS = 10_000


class SnowballStemmer:
    """Serves the Stemmer port; the most used words are cached. Not for several threads at once."""

    def __init__(self, language: str = "english") -> None:
        """KeyError for a language that Snowball does not have."""
        self._stemmer = Stemmer.Stemmer(language, CACHED_WORDS)

    def stem(self, words: Sequence[str]) -> list[str]:
        """One stem a word, in order; words are expected in lower case."""
        stems: list[str] = self._stemmer.stemWords(words)
        return stems
