"""Stems."""

import pytest

from remembrancer.adapters.text.snowball import SnowballStemmer, _english_kinds


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


@pytest.mark.parametrize(("noun", "kind"), [("martial art", "karat"), ("citi", "chicago"), ("exercis", "yoga")])
def test_english_nouns_have_kinds(noun: str, kind: str) -> None:
    assert kind in SnowballStemmer().kinds(noun)


def test_what_is_no_english_noun_has_none() -> None:
    assert not SnowballStemmer().kinds("zzz")
    assert not SnowballStemmer("german").kinds("citi")


def test_every_noun_and_kind_is_a_stem_as_queries_and_memories_have_them() -> None:
    table = _english_kinds()

    assert len(table) > 5000
    assert max(len(kinds.split()) for kinds in table.values()) <= 128
    assert all(word.isascii() and word.isalpha() for noun, kinds in table.items() for word in f"{noun} {kinds}".split())
