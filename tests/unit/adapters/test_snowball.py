"""Stems."""

import pytest

from remembrancer.adapters.snowball import SnowballStemmer


def test_forms_of_a_word_share_a_stem() -> None:
    stems = SnowballStemmer().stem(["prefers", "preferred", "preferring", "memories", "memory"])

    assert stems == ["prefer", "prefer", "prefer", "memori", "memori"]


def test_another_language_has_its_own_rules() -> None:
    stems = SnowballStemmer("german").stem(["häuser", "haus"])

    assert stems == ["haus", "haus"]


def test_no_words_give_no_stems() -> None:
    assert SnowballStemmer().stem([]) == []


def test_more_distinct_words_than_are_cached_keep_their_order() -> None:
    words = [f"word{number}s" for number in range(25_000)]

    stems = SnowballStemmer().stem(words)

    assert stems == [f"word{number}" for number in range(25_000)]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(KeyError):
        SnowballStemmer("klingon")
