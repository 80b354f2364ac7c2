"""Which clauses of a memory a text is about, and how these are quoted."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.corrected_clauses import CUT, differing, in_question, quoted, shortened, without
from remembrancer.domain.memories.correction_reading import body, parse, reading

WORDS = """rear wheel Bed 12 (Mr Ferris) (26 28) inches is Tuesday 30 x 20 39.4 "Okonjo" " ( ) [ ] , . and but
who Monday 8 June Tom lives in Ghent 3k ; don't"""
texts = st.lists(st.sampled_from(WORDS.split()), max_size=16).map(" ".join) | st.text(max_size=60)


def quote(said: str, memory: str) -> str:
    return quoted(in_question(reading(said), parse(memory).clauses), body(memory))


def is_paired(text: str) -> bool:
    """Whether brackets and quotation marks are closed in the order in which they are opened."""
    while True:
        shorter = re.sub(r"\([^()\[\]{}\"]*\)|\[[^()\[\]{}\"]*\]|\{[^()\[\]{}\"]*\}|\"[^()\[\]{}\"]*\"", "", text)
        if shorter == text:
            return not re.search(r'[()\[\]{}"]', text)
        text = shorter


def words_of(text: str) -> list[str]:
    """The whole words, without those that a value was cut from."""
    return [word for word in text.split() if CUT not in word]


@pytest.mark.parametrize(
    ("said", "memory", "quote_of"),
    [
        ("My rear wheel is 28.", "I ride on gravel, and my rear wheel is 26 inches.", "my rear wheel is 26 inches"),
        ("Ruben is no vegan.", "We have 2 bikes. And Ruben comes, he is vegan.", "And Ruben comes, he is vegan"),
        ("Lena and Orin paid.", "Lena owes 5. I like tea. Orin owes 3.", "Lena owes 5; Orin owes 3"),
        ("Bed 14 is at 61.", "40 ampoules for ward 7. Bed 12 (Mr Ferris) gets tea.", "Bed 12 (Mr Ferris) gets tea"),
        (
            "The van is red.",
            "Tea is at 9. The (old) white van of the firm (Ida, Tom) is kind.",
            "white van of the firm (Ida, Tom)",
        ),
        ("The long side is 4.6.", "It's Zara. Kitchen is 3.2 by 4.1 m. We like tea.", "Kitchen is 3.2 by 4.1 m"),
        (
            "Mrs Pham is eighty-four.",
            "I teach. Here is Mrs Pham, she is 83. I like tea.",
            "Here is Mrs Pham, she is 83",
        ),
        ("Finn turned five.", "We like tea. Our son Finn, who's 4, swims.", "Our son Finn, who's 4"),
        ("Mondays are fine.", "I live in Bonn. No Mondays in an office. I care for dad.", "No Mondays in an office"),
        ("The gloves in L for me.", "4 boxes, and 2 packs of gloves, size M.", "2 packs of gloves, size M"),
        ("Mr Osei may have fluids.", "Tea. Bed 4 on ward 7, Mr Osei, is nil by mouth.", "Mr Osei, is nil by mouth"),
        ("The cat likes the sofa.", "I ride on gravel, and my rear wheel is 26 inches.", ""),
        ("The cat likes the sofa.", "My rear wheel is 26 inches.", "My rear wheel is 26 inches"),
    ],
)
def test_the_clauses_that_a_text_is_about_are_quoted_whole(said: str, memory: str, quote_of: str) -> None:
    assert quote(said, memory) == quote_of


@pytest.mark.parametrize(
    ("said", "clause", "quote_of"),
    [
        (
            "Monday 15 June at the earliest",
            "he comes for four days from Monday 8 June",
            "he comes for four days from …",
        ),
        ("I measured it, 35 x 25", "my dish is 30 x 20 cm", "my dish is … cm"),
        ("it is 52.4 now", "gelding 39.4 same week", "gelding … same week"),
        ("£855, as there are more of you", "A hog roast for 80 comes to £720", "A hog roast for 80 comes to £…"),
        ("It is 8443", "the url is api.heron.example:8080", "the url is api.heron.example:…"),
    ],
)
def test_a_value_is_left_out_with_those_beside_it(said: str, clause: str, quote_of: str) -> None:
    (read,) = parse(clause).clauses
    found = differing(reading(said), read)

    assert found is not None
    assert without(quoted([read], clause), read, found[0]) == quote_of


@given(texts, texts)
def test_a_quote_has_whole_words_of_the_memory_and_pairs_of_brackets(said: str, memory: str) -> None:
    clauses = parse(memory).clauses
    meant = in_question(reading(said), clauses)

    text = quoted(meant, body(memory))

    assert is_paired(text)
    assert all(part in body(memory) for part in text.split("; "))
    assert len(meant) < len(clauses) or len(clauses) == 1
    for clause in meant:
        if (found := differing(reading(said), clause)) is not None:
            assert is_paired(without(quoted([clause], body(memory)), clause, found[0]))


@given(texts, st.integers(1, 70))
def test_a_long_quote_is_cut_between_words(memory: str, most: int) -> None:
    text = quoted(parse(memory).clauses, body(memory))

    short = shortened(text, most)

    assert len(short) <= most
    assert is_paired(short)
    assert set(words_of(short)) <= {word.strip(' ,;:.!?–—-()[]{}"') or word for word in text.split()} | set(
        text.split()
    )
    assert short == text or short in ("", text) or short.endswith(f" {CUT}")
