"""Word stems by Snowball's algorithms."""

from collections.abc import Sequence

import Stemmer

from remembrancer.adapters.irregular import BASE_FORMS

CACHED_WORDS = 10_000


class SnowballStemmer:
    """Serves the Stemmer port; the most used words are cached. Not for several threads at once.

    In English, irregular forms are led back to their base form first: went and going are both go.
    """

    def __init__(self, language: str = "english") -> None:
        """KeyError for a language that Snowball does not have."""
        self._stemmer = Stemmer.Stemmer(language, CACHED_WORDS)
        self._base_forms = BASE_FORMS if language == "english" else {}

    def stem(self, words: Sequence[str]) -> list[str]:
        """One stem a word, in order; words are expected in lower case."""
        stems: list[str] = self._stemmer.stemWords([self._base_forms.get(word, word) for word in words])
        return stems
