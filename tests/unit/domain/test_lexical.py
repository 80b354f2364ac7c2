"""Words, keyed terms, and BM25 against a textbook implementation."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from remembrancer.adapters.snowball import SnowballStemmer
from remembrancer.domain import lexical, postings
from remembrancer.domain.lexical import LexicalScores
from remembrancer.domain.postings import Collection, inverted

KEY = b"key of the organization"
VOCABULARY = ["amber", "birch", "cedar", "delta", "ember", "frost", "grove", "heath"]
Document = tuple[list[str], list[str]]
"""The words of a memory's content and of its context."""

documents = st.lists(
    st.tuples(
        st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=12),
        st.lists(st.sampled_from(VOCABULARY), max_size=6),
    ),
    min_size=1,
    max_size=12,
)
queries = st.lists(st.sampled_from([*VOCABULARY, "unknown", "unheard"]), min_size=1, max_size=6, unique=True)


def unchanged(words: Sequence[str]) -> list[str]:
    return list(words)


def textbook(corpus: Sequence[Document], query: Sequence[str]) -> list[float]:
    """BM25 as Robertson & Zaragoza write it, with weighted fields; a score for each document."""

    def frequency(word: str, document: Document) -> float:
        return document[0].count(word) + 0.4 * document[1].count(word)

    def length(document: Document) -> float:
        return len(document[0]) + 0.4 * len(document[1])

    mean = sum(map(length, corpus)) / len(corpus)
    scores = []
    for document in corpus:
        score = 0.0
        for word in query:
            holding = sum(1 for other in corpus if word in other[0] or word in other[1])
            idf = math.log(1 + (len(corpus) - holding + 0.5) / (holding + 0.5))
            tf = frequency(word, document)
            score += idf * tf * (1.2 + 1) / (tf + 1.2 * (1 - 0.75 + 0.75 * length(document) / mean))
        scores.append(score)
    return scores


def scores_of(corpus: Sequence[Document], query: Sequence[str]) -> LexicalScores:
    """From what `index` made of each document."""
    index = inverted([packed(number, document) for number, document in enumerate(corpus)])
    return lexical.bm25(index.postings(terms(query)), index.collection)


def packed(number: int, document: Document) -> postings.Document:
    entry = lexical.index(" ".join(document[0]), " ".join(document[1]), key=KEY, stem=unchanged)
    return postings.Document(number, entry.content_words, entry.context_words, postings.pack_terms(entry.terms))


def terms(query: Sequence[str]) -> list[int]:
    return list(lexical.query_terms(" ".join(query), key=KEY, stem=unchanged))


@given(corpus=documents, query=queries)
def test_scores_are_those_of_a_textbook(corpus: list[Document], query: list[str]) -> None:
    scores = scores_of(corpus, query)

    assert scores.score.tolist() == pytest.approx(textbook(corpus, query), abs=1e-9)


@given(corpus=documents, query=queries)
def test_scores_of_the_content_alone_are_those_of_a_textbook_that_knows_no_context(
    corpus: list[Document], query: list[str]
) -> None:
    scores = scores_of(corpus, query)

    expected = textbook([(content, []) for content, _ in corpus], query)
    assert scores.content_score.tolist() == pytest.approx(expected, abs=1e-9)


@given(corpus=documents, query=queries)
def test_no_document_exceeds_the_ideal(corpus: list[Document], query: list[str]) -> None:
    scores = scores_of(corpus, query)

    assert scores.score.max() < scores.ideal
    assert scores.content_score.max() < scores.content_ideal


@given(corpus=documents, query=queries)
def test_the_order_of_the_terms_does_not_matter(corpus: list[Document], query: list[str]) -> None:
    assert scores_of(corpus, query[::-1]).score.tolist() == pytest.approx(scores_of(corpus, query).score.tolist())


@given(corpus=documents, query=queries)
def test_a_document_with_any_of_the_words_is_found(corpus: list[Document], query: list[str]) -> None:
    scores = scores_of(corpus, query).score

    assert [score > 0 for score in scores] == [bool({*content, *context} & {*query}) for content, context in corpus]


def test_a_query_of_unknown_words_finds_nothing_and_has_a_high_bar() -> None:
    scores = scores_of([(["amber"], [])] * 9, ["unknown"])

    assert scores.score.tolist() == [0.0] * 9
    assert scores.ideal == pytest.approx(math.log(1 + 8.5 / 1.5) * 2.2)


def test_an_unknown_word_beside_a_known_one_lowers_what_the_known_one_is_worth() -> None:
    corpus: list[Document] = [(["amber"], []), (["birch"], [])]

    alone = scores_of(corpus, ["amber"])
    beside = scores_of(corpus, ["amber", "unknown"])

    assert beside.score.max() / beside.ideal < alone.score.max() / alone.ideal


def test_a_word_is_worth_less_the_more_documents_hold_it_that_were_not_read() -> None:
    index = inverted([packed(0, (["amber"], []))])
    read = index.postings(terms(["amber"]))
    collection = Collection(100, 100, 0)

    rare, common = (
        lexical.bm25(replace(read, unread=np.array([unread])), collection).score.item() for unread in (0, 90)
    )

    assert 0 < common < rare


def test_no_terms_score_nothing() -> None:
    scores = scores_of([(["amber"], [])], [])

    assert (scores.score.tolist(), scores.ideal) == ([0.0], 0.0)


def test_an_empty_collection_scores_nothing() -> None:
    scores = scores_of([], ["unknown"])

    assert scores.score.tolist() == []
    assert math.isfinite(scores.ideal)


def test_a_count_of_documents_that_lags_behind_the_postings_gives_no_nonsense() -> None:
    index = inverted([packed(number, (["amber"], [])) for number in range(5)])

    scores = lexical.bm25(index.postings(terms(["amber"])), Collection(2, 0, 0))

    assert (scores.score > 0).all()
    assert scores.score.max() < scores.ideal


def test_a_word_in_the_context_counts_less_than_one_in_the_content() -> None:
    corpus = [(["amber", "birch"], []), (["birch"], ["amber"])]

    in_content, in_context = scores_of(corpus, ["amber"]).score

    assert 0 < in_context < in_content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t…!?", []),
        ("The cat sat on the mat", ["cat", "sat", "mat"]),
        ("Anna's e-mail: anna@example.org", ["anna", "e", "mail", "anna", "example", "org"]),
        ("snake_case and CamelCase", ["snake", "case", "camelcase"]),
        ("Café, NAÏVE, Ångström", ["cafe", "naive", "angstrom"]),
        ("cafe\u0301", ["cafe"]),
        ("Acme™ at 50㎐", ["acmetm", "50hz"]),
        ("don't", []),
        ("2024-05-01", ["2024", "05", "01"]),
        ("Привет, мир", ["привет", "мир"]),
        ("ﬁne ① Ⅷ", ["fine", "1", "viii"]),
        ("İstanbul STRASSE", ["istanbul", "strasse"]),
    ],
)
def test_words_are_lower_case_runs_of_letters_and_digits(text: str, expected: list[str]) -> None:
    assert lexical.words(text) == expected


@given(text=st.text())
def test_the_words_of_words_are_the_same_words(text: str) -> None:
    words = lexical.words(text)

    assert lexical.words(" ".join(words)) == words
    assert not set(words) & lexical.STOP_WORDS


@given(text=st.text(alphabet="aeioubcdfg '-.", max_size=60))
def test_case_does_not_matter(text: str) -> None:
    assert lexical.words(text.upper()) == lexical.words(text)


def test_stop_words_are_words_themselves() -> None:
    assert all(word.isalpha() and word == word.lower() for word in lexical.STOP_WORDS)


@given(stem=st.text(min_size=1, max_size=20))
def test_a_term_is_a_signed_number_of_64_bits(stem: str) -> None:
    assume(stem.isprintable())

    assert -(2**63) <= lexical.term_hash(KEY, stem) < 2**63


def test_each_organization_has_its_own_terms() -> None:
    ours, theirs = (lexical.term_hash(key, "coffee") for key in (KEY, b"another key"))

    assert ours != theirs
    assert ours == lexical.term_hash(KEY, "coffee")


def test_an_index_entry_counts_content_and_context_apart() -> None:
    entry = lexical.index("amber birch amber", "birch cedar", key=KEY, stem=unchanged)

    expected = {"amber": (2, 0), "birch": (1, 1), "cedar": (0, 1)}
    assert {term: counts for term, *counts in entry.terms} == {
        lexical.term_hash(KEY, word): list(counts) for word, counts in expected.items()
    }
    assert (entry.content_words, entry.context_words) == (3, 2)


def test_a_word_repeated_for_ever_fits_into_a_byte() -> None:
    entry = lexical.index("amber " * 1000, "amber " * 999, key=KEY, stem=unchanged)

    assert entry.terms == ((lexical.term_hash(KEY, "amber"), 255, 255),)
    assert (entry.content_words, entry.context_words) == (1000, 999)


@pytest.mark.parametrize("text", ["", "the and of", "…"])
def test_a_text_without_words_has_an_empty_index_entry(text: str) -> None:
    assert lexical.index(text, None, key=KEY, stem=unchanged) == lexical.IndexedText()


def test_query_terms_are_distinct_and_in_their_order() -> None:
    terms = lexical.query_terms("birch amber birch cedar", key=KEY, stem=unchanged)

    assert list(terms.values()) == ["birch", "amber", "cedar"]
    assert list(terms) == [lexical.term_hash(KEY, word) for word in terms.values()]


def test_a_long_query_is_cut_to_its_first_terms() -> None:
    words = [f"word{number}" for number in range(200)]

    terms = lexical.query_terms(" ".join(words), key=KEY, stem=unchanged, most=64)

    assert list(terms.values()) == words[:64]


def test_different_forms_of_a_word_meet_in_its_stem() -> None:
    stem = SnowballStemmer("english").stem

    asked = lexical.query_terms("meeting schedules", key=KEY, stem=stem)
    stored = lexical.index("She scheduled two meetings.", None, key=KEY, stem=stem)

    assert set(asked) <= {term for term, _, _ in stored.terms}


@given(content=st.lists(st.sampled_from(VOCABULARY), max_size=30), context=st.lists(st.sampled_from(VOCABULARY)))
def test_an_index_entry_holds_every_word_once(content: list[str], context: list[str]) -> None:
    entry = lexical.index(" ".join(content), " ".join(context), key=KEY, stem=unchanged)

    counts = Counter(content), Counter(context)
    assert sorted(entry.terms) == sorted(
        (lexical.term_hash(KEY, word), counts[0][word], counts[1][word]) for word in {*content, *context}
    )
