"""Words, keyed terms, and BM25 against a textbook implementation."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.lexical_index import bm25, postings
from remembrancer.domain.lexical_index.bm25 import LexicalScores, QueryTerms
from remembrancer.domain.lexical_index.postings import Collection, Postings
from remembrancer.domain.lexical_index.words import ENGLISH_STOP_WORDS, words

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


def textbook(corpus: Sequence[Sequence[str]], query: Sequence[str]) -> list[float]:
    """BM25 as Robertson & Zaragoza write it, over the most that the query could reach; a score for each document."""
    ideal = sum(idf_of(corpus, word) * (1.2 + 1) for word in query)
    return [sum(gains) / ideal for gains in zip(*(gains_of(corpus, word) for word in query), strict=True)]


def idf_of(corpus: Sequence[Sequence[str]], word: str) -> float:
    holding = max(sum(1 for document in corpus if word in document), 1)
    return math.log(1 + (len(corpus) - holding + 0.5) / (holding + 0.5))


def gains_of(corpus: Sequence[Sequence[str]], word: str) -> list[float]:
    """What the word adds to the score of each document."""
    mean = max(sum(map(len, corpus)) / len(corpus), 1.0)
    counts = [(document.count(word), len(document)) for document in corpus]
    return [
        idf_of(corpus, word) * tf * (1.2 + 1) / (tf + 1.2 * (1 - 0.25 + 0.25 * length / mean)) for tf, length in counts
    ]


def scores_of(corpus: Sequence[Document], query: Sequence[str]) -> LexicalScores:
    """From what `index` made of each document."""
    return scores_of_texts([(" ".join(content), " ".join(context)) for content, context in corpus], " ".join(query))


def scores_of_texts(corpus: Sequence[tuple[str, str]], query: str) -> LexicalScores:
    asked = wanted(query)
    held = [packed(number, *texts) for number, texts in enumerate(corpus)]
    return bm25.bm25(postings_of(held, asked.terms), collection_of(held), asked)


def postings_of(documents: Sequence[postings.Document], terms: Sequence[int]) -> Postings:
    """Of each of these terms in turn, looked for in one document after the other."""
    held = [np.frombuffer(document.terms, dtype=postings.TERM).tolist() for document in documents]
    found = [
        (slot, row, content, context, documents[row].content_words, documents[row].context_words)
        for slot, term in enumerate(terms)
        for row, entries in enumerate(held)
        for name, content, context in entries
        if name == term
    ]
    slot, document, content, context, content_words, context_words = np.array(found, dtype=np.intp).reshape(-1, 6).T
    return Postings(
        slot,
        document,
        content.astype(np.uint8),
        context.astype(np.uint8),
        content_words.astype(np.uint16),
        context_words.astype(np.uint16),
        rows=len(documents),
        unread=np.zeros(len(terms), dtype=np.int64),
    )


def collection_of(documents: Sequence[postings.Document]) -> Collection:
    lengths = [(document.content_words, document.context_words) for document in documents]
    return Collection(len(lengths), sum(content for content, _ in lengths), sum(context for _, context in lengths))


def packed(number: int, content: str, context: str = "") -> postings.Document:
    entry = bm25.index(content, context, key=KEY, stem=unchanged)
    return postings.Document(number, entry.content_words, entry.context_words, postings.pack_terms(entry.terms))


def wanted(query: str, *, most: int = 64) -> QueryTerms:
    return bm25.wanted(query, key=KEY, stem=unchanged, most=most)


@given(corpus=documents, query=queries)
def test_scores_of_content_and_context_are_those_of_a_textbook_over_one_text(
    corpus: list[Document], query: list[str]
) -> None:
    scores = scores_of(corpus, query)

    expected = textbook([[*content, *context] for content, context in corpus], query)
    assert scores.context.tolist() == pytest.approx(expected, abs=1e-9)


@given(corpus=documents, query=queries)
def test_scores_of_the_content_are_those_of_a_textbook_that_knows_no_context(
    corpus: list[Document], query: list[str]
) -> None:
    scores = scores_of(corpus, query)

    expected = textbook([content for content, _ in corpus], query)
    assert scores.content.tolist() == pytest.approx(expected, abs=1e-9)


@given(corpus=documents, query=queries)
def test_no_document_reaches_more_than_the_query_could(corpus: list[Document], query: list[str]) -> None:
    scores = scores_of(corpus, query)

    assert scores.context.max() < 1
    assert scores.content.max() < 1


@given(corpus=documents, query=queries)
def test_the_order_of_the_words_does_not_matter(corpus: list[Document], query: list[str]) -> None:
    assert scores_of(corpus, query[::-1]).rank.tolist() == pytest.approx(scores_of(corpus, query).rank.tolist())


@given(corpus=documents, query=queries)
def test_a_document_with_any_of_the_words_is_found(corpus: list[Document], query: list[str]) -> None:
    scores = scores_of(corpus, query).rank

    assert [score > 0 for score in scores] == [bool({*content, *context} & {*query}) for content, context in corpus]


def test_a_query_of_unknown_words_finds_nothing() -> None:
    assert scores_of([(["amber"], [])] * 9, ["unknown"]).rank.tolist() == [0.0] * 9


def test_an_unknown_word_beside_a_known_one_lowers_what_the_known_one_is_worth() -> None:
    corpus: list[Document] = [(["amber"], []), (["birch"], [])]

    alone, beside = (scores_of(corpus, query).rank.max() for query in (["amber"], ["amber", "unknown"]))

    assert 0 < beside < alone


def test_a_word_is_worth_less_the_more_documents_hold_it_that_were_not_read() -> None:
    asked = wanted("amber unknown")
    read = postings_of([packed(0, "amber birch")], asked.terms)
    collection = Collection(100, 200, 0)

    rare, common = (
        bm25.bm25(
            replace(read, unread=np.array([unread] + [0] * (len(asked.terms) - 1))), collection, asked
        ).rank.item()
        for unread in (0, 90)
    )

    assert 0 < common < rare


def test_no_words_score_nothing() -> None:
    assert scores_of([(["amber"], [])], []).rank.tolist() == [0.0]


def test_an_empty_collection_scores_nothing() -> None:
    assert scores_of([], ["unknown"]).rank.tolist() == []


def test_a_count_of_documents_that_lags_behind_the_postings_gives_no_nonsense() -> None:
    held = [packed(number, "amber") for number in range(5)]
    asked = wanted("amber")

    scores = bm25.bm25(postings_of(held, asked.terms), Collection(2, 0, 0), asked)

    assert (scores.rank > 0).all()
    assert scores.rank.max() < 1


def test_a_word_in_the_context_counts_less_than_one_in_the_content() -> None:
    corpus = [(["amber", "birch"], []), (["birch"], ["amber"])]

    in_content, in_context = scores_of(corpus, ["amber"]).rank

    assert 0 < in_context < in_content


def test_who_speaks_and_whom_a_memory_is_about_is_told_from_who_is_mentioned() -> None:
    memories = ["Ada: hello Bea", "Bea: hello Ada", "Ada Byron likes geese.", "Geese like Ada."]

    scores = scores_of_texts([(memory, "") for memory in memories], "What does Ada say?")

    assert scores.subject.tolist() == [1, 0, 1, 0]
    # The name is a word like any other besides.
    assert (scores.content > 0).all()


def test_a_name_may_be_said_more_often_than_there_are_words() -> None:
    memories = ["Ada Byron likes geese.", "Bea sleeps."]

    scores = scores_of_texts([(memory, "") for memory in memories], "ada ada ada ada bea")

    assert scores.subject.tolist() == [1, 1]
    assert (scores.content > 0).all()


@given(query=st.lists(st.sampled_from(["Ada", "ada", "Byron", "Bea", "geese", "the", ",", "Like"]), max_size=90))
def test_any_query_has_scores(query: list[str]) -> None:
    scores = scores_of_texts([("Ada Byron likes geese.", ""), ("Bea: hello", "Ada Norris")], " ".join(query))

    assert set(scores.subject.tolist()) <= {0, 1}
    assert (scores.content >= 0).all()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What does Ada Byron eat?", [1, 0, 0, 0, 0]),
        ("What does Ada eat?", [1, 1, 0, 1, 0]),
        ("What do Ada, Byron and Bea eat?", [1, 1, 1, 1, 0]),
        ("What does Ada Norris eat?", [1, 1, 0, 1, 0]),
        ("what does ada byron eat?", [1, 1, 1, 1, 0]),
        ("Is Bea Byron at home, and Ada Smith?", [1, 1, 1, 0, 0]),
    ],
)
def test_who_shares_a_part_of_a_name_is_somebody_else_where_the_whole_name_is_known(
    query: str, expected: list[int]
) -> None:
    memories = ["Ada Byron likes geese.", "Ada Smith: hello", "Byron slept.", "Ada slept.", "Geese like Ada Byron."]

    assert scores_of_texts([(memory, "") for memory in memories], query).subject.tolist() == expected


@pytest.mark.parametrize(
    ("memories", "query", "expected"),
    [
        # In lower case: of the speaker, of the name in the query, of both.
        (["anna: my bike is blue", "ben: mine is red"], "When did Anna buy it?", [1, 0]),
        (["Anna: my bike is blue", "Ben: mine is red"], "When did anna buy it?", [1, 0]),
        (["anna: my bike is blue", "ben: mine is red"], "When did anna buy it?", [1, 0]),
        (["anna: my bike is blue", "ben: mine is red"], "when did anna buy it?", [1, 0]),
        (["Anna rides a blue bike"], "When did anna buy it?", [0]),
        # In another spelling, by half, and only where no name is known.
        (["Mohammed: my bike is blue", "Ben: mine is red"], "What colour is Muhhamed's bike?", [0.5, 0]),
        (["mohammed: my bike is blue", "ben: mine is red"], "what colour is muhhamed's bike?", [0.5, 0]),
        (["mohammed: my bike is blue", "ben: mine is red"], "What colour is muhhamed's bike?", [0.5, 0]),
        (["Mohammed prefers tea", "Ben prefers milk"], "What does Muhammad prefer?", [0.5, 0]),
        (["Mohammed: blue", "Muhhamed: red"], "What is Muhhamed's colour?", [0, 1]),
        (["Mohammed: blue", "Ben: red"], "Did Ben meet Muhhamed?", [0, 1]),
        (["Mohammed Rashid: blue", "Mohammed Karim: red"], "What did Muhammad Kareem say?", [0, 0.5]),
        # A speaker in lower case is no match beside a name that is known.
        (["Anna: blue", "ben: red"], "Did Anna meet ben?", [1, 0]),
    ],
)
def test_names_in_lower_case_and_in_other_spellings(memories: list[str], query: str, expected: list[float]) -> None:
    assert scores_of_texts([(memory, "") for memory in memories], query).subject.tolist() == expected


NAMES = st.sampled_from(["Mohammed", "Muhhamed", "anna", "Anna", "Ana", "Ben", "ben", "Lena", "Lina"])


@given(speakers=st.lists(NAMES, min_size=1, max_size=6), others=st.lists(NAMES, max_size=4), asked=NAMES)
def test_no_exact_match_changes_with_other_speakers(speakers: list[str], others: list[str], asked: str) -> None:
    query = f"What did {asked.title()} say about it?"
    texts = [(f"{speaker}: hello", "") for speaker in [asked, *speakers]]

    alone = scores_of_texts(texts, query).subject
    beside = scores_of_texts([*texts, *[(f"{other}: hello", "") for other in others]], query).subject

    assert alone[0] == 1
    assert set(beside.tolist()) <= {0, 1}
    assert beside[: len(texts)].tolist() == alone.tolist()
    assert [value == 1 for value in alone] == [name.lower() == asked.lower() for name in [asked, *speakers]]


def test_a_name_that_was_not_read_is_known() -> None:
    asked = wanted("What did Muhhamed say?")
    read = postings_of([packed(0, "Mohammed: hello")], asked.terms)
    exact = asked.terms.index(bm25.term_hash(KEY, "subject:muhhamed"))
    unread = np.zeros(len(asked.terms), np.int64)
    unread[exact] = 200_000

    scores = [
        bm25.bm25(replace(read, unread=missing), Collection(300_000, 300_000, 0), asked).subject.item()
        for missing in (np.zeros_like(unread), unread)
    ]

    assert scores == [0.5, 0]


def test_a_question_for_a_time_finds_texts_that_tell_one() -> None:
    memories = [("The goose came yesterday.", ""), ("The goose came quickly.", "")]

    when, what = (scores_of_texts(memories, question) for question in ("When did a goose come?", "Did a goose come?"))

    assert when.content[0] > when.content[1] > 0
    assert what.content[0] == what.content[1]


def test_words_that_a_query_refers_to_count_less_than_its_own_and_alone_as_its_own() -> None:
    texts = [("amber", ""), ("birch", ""), ("cedar", ""), ("Delta: hello", "")]
    held = [packed(number, content, context) for number, (content, context) in enumerate(texts)]

    def scored(query: str, referred: str = "") -> LexicalScores:
        terms = bm25.wanted(query, key=KEY, stem=unchanged, referred=referred)
        return bm25.bm25(postings_of(held, terms.terms), collection_of(held), terms)

    both, own = scored("amber", "amber birch of Delta"), scored("amber")
    alone, birch = scored("and", "birch"), scored("birch")

    assert both.content[1] == pytest.approx(both.content[0] * bm25.REFERRED_WEIGHT)
    assert both.information == pytest.approx(own.information * (1 + 2 * bm25.REFERRED_WEIGHT))
    assert both.subject.tolist() == [0, 0, 0, 1]
    assert (alone.content.tolist(), alone.information) == (birch.content.tolist(), birch.information)
    assert bm25.wanted("amber", key=KEY, stem=unchanged, referred="") == bm25.wanted("amber", key=KEY, stem=unchanged)


def test_a_query_with_what_it_refers_to_has_a_bounded_number_of_words() -> None:
    numbers = " ".join(f"w{number}" for number in range(200))

    terms = bm25.wanted("amber birch", key=KEY, stem=unchanged, referred=numbers)

    assert len({*terms.word} - {-1}) == bm25.MOST_QUERY_WORDS
    assert terms.referred == range(2, bm25.MOST_QUERY_WORDS)


def test_a_word_of_several_terms_is_worth_the_best_of_them() -> None:
    amber, birch = (bm25.term_hash(KEY, word) for word in ("amber", "birch"))
    held = [packed(0, "amber birch"), packed(1, "birch cedar"), packed(2, "cedar delta")]
    both = QueryTerms(terms=(amber, birch), word=(0, 0), weight=(1.0, 0.5))

    scores = bm25.bm25(postings_of(held, both.terms), collection_of(held), both)
    alone = bm25.bm25(postings_of(held, [amber]), collection_of(held), QueryTerms.of([amber]))

    assert scores.content.tolist() == pytest.approx([alone.content[0], scores.content[1], 0])
    assert 0 < scores.content[1] < scores.content[0]


@given(
    corpus=documents,
    query=st.lists(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=4), min_size=1, max_size=4),
    random=st.randoms(use_true_random=False),
)
def test_words_of_several_terms_have_the_sum_of_their_best_terms_in_whatever_order_postings_come(
    corpus: list[Document], query: list[list[str]], random: Random
) -> None:
    first = {term: place for place, word in reversed(list(enumerate(query))) for term in word}
    query = [[term for term in dict.fromkeys(word) if first[term] == place] for place, word in enumerate(query)]
    places = [
        (term, place, 0.5 if number else 1.0) for place, word in enumerate(query) for number, term in enumerate(word)
    ]
    random.shuffle(places)
    held = [packed(number, " ".join(content), " ".join(context)) for number, (content, context) in enumerate(corpus)]
    terms = [bm25.term_hash(KEY, term) for term, _, _ in places]
    asked = QueryTerms(tuple(terms), tuple(place for _, place, _ in places), tuple(weight for *_, weight in places))
    read = postings_of(held, terms)

    scores = bm25.bm25(read.select(np.array(shuffled(len(read.slot), random), np.intp)), collection_of(held), asked)

    in_order = bm25.bm25(read, collection_of(held), asked)
    assert scores.content.tolist() == in_order.content.tolist()
    assert scores.context.tolist() == in_order.context.tolist()
    for found, texts in (
        (scores.content, [content for content, _ in corpus]),
        (scores.context, [[*content, *context] for content, context in corpus]),
    ):
        gains = {term: [weight * gain for gain in gains_of(texts, term)] for term, _, weight in places}
        most = {term: weight * idf_of(texts, term) * 2.2 for term, _, weight in places}
        words = [word for word in query if word]
        ideal = sum(max(most[term] for term in word) for word in words)
        expected = [sum(max(gains[term][row] for term in word) for word in words) / ideal for row in range(len(corpus))]
        assert found.tolist() == pytest.approx(expected, abs=1e-9)


def shuffled(number: int, random: Random) -> list[int]:
    order = list(range(number))
    random.shuffle(order)
    return order


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
    assert words(text) == expected


@given(text=st.text())
def test_the_words_of_words_are_the_same_words(text: str) -> None:
    found = words(text)

    assert words(" ".join(found)) == found
    assert not set(found) & ENGLISH_STOP_WORDS


@given(text=st.text(alphabet="aeioubcdfg '-.", max_size=60))
def test_case_does_not_matter(text: str) -> None:
    assert words(text.upper()) == words(text)


def test_stop_words_are_words_themselves() -> None:
    assert all(word.isalpha() and word == word.lower() for word in ENGLISH_STOP_WORDS)


@given(stem=st.text(min_size=1, max_size=20))
def test_a_term_is_a_signed_number_of_64_bits(stem: str) -> None:
    assume(stem.isprintable())

    assert -(2**63) <= bm25.term_hash(KEY, stem) < 2**63


def test_each_organization_has_its_own_terms() -> None:
    ours, theirs = (bm25.term_hash(key, "coffee") for key in (KEY, b"another key"))

    assert ours != theirs
    assert ours == bm25.term_hash(KEY, "coffee")


def test_an_index_entry_counts_content_and_context_apart() -> None:
    entry = bm25.index("amber birch amber", "birch cedar", key=KEY, stem=unchanged)

    expected = {"amber": (2, 0), "birch": (1, 1), "cedar": (0, 1)}
    assert {term: counts for term, *counts in entry.terms} == {
        bm25.term_hash(KEY, word): list(counts) for word, counts in expected.items()
    }
    assert (entry.content_words, entry.context_words) == (3, 2)


def test_a_word_repeated_for_ever_fits_into_a_byte() -> None:
    entry = bm25.index("amber " * 1000, "amber " * 999, key=KEY, stem=unchanged)

    assert entry.terms == ((bm25.term_hash(KEY, "amber"), 255, 255),)
    assert (entry.content_words, entry.context_words) == (1000, 999)


@pytest.mark.parametrize("text", ["", "the and of", "…"])
def test_a_text_without_words_has_an_empty_index_entry(text: str) -> None:
    assert bm25.index(text, None, key=KEY, stem=unchanged) == bm25.IndexedText()


def test_a_query_looks_for_its_distinct_words_in_their_order_and_for_whom_they_may_name() -> None:
    asked = wanted("birch Amber birch cedar")

    named = ["subject:amber", "handle:birch", "handle:cedar"]
    keys = ["spelling:ambar", "handle spelling:ambar", "handle spelling:barch", "handle spelling:sadar"]
    assert list(asked.called.values()) == ["birch", "amber", "cedar", *named]
    assert asked.terms == (*asked.called, *(bm25.term_hash(KEY, name) for name in keys))
    assert asked.terms[0] == bm25.term_hash(KEY, "birch")
    assert asked.word == (0, 1, 2, *[-1] * 7)


def test_a_long_query_is_cut_to_its_first_words() -> None:
    named = [f"word{number}" for number in range(200)]

    asked = wanted(" ".join(named), most=64)

    assert list(asked.called.values()) == named[:64] + [f"subject:{word}" for word in named[:64]]


KINDS = {"sport": ["tennis", "judo"], "art": ["painting"], "martial art": ["judo", "karate"], "rose": ["tea"]}


def known_kinds(noun: str) -> Sequence[str]:
    return KINDS.get(noun, ())


def with_kinds(query: str) -> dict[str, tuple[int, float]]:
    """What is looked for, by name: the place of its word, and its weight."""
    asked = bm25.wanted(query, key=KEY, stem=unchanged, kinds=known_kinds)
    return {
        asked.called[term]: (place, weight)
        for term, place, weight in zip(asked.terms, asked.word, asked.weight, strict=True)
        if term in asked.called
    }


def test_who_asks_for_a_noun_is_told_of_its_kinds_at_less_than_the_noun() -> None:
    asked = with_kinds("Which sport does Ada like")

    assert asked == {
        "sport": (0, 1.0), "ada": (1, 1.0), "like": (2, 1.0), "tennis": (0, 0.3), "judo": (0, 0.3),
        "subject:ada": (-1, 0.0), "handle:sport": (-1, 0.0), "handle:like": (-1, 0.0),
    }  # fmt: skip


def test_two_words_that_are_one_noun_have_its_kinds_and_not_those_of_the_second() -> None:
    assert [name for name, (_, weight) in with_kinds("Any martial art?").items() if weight == 0.3] == ["judo", "karate"]
    assert [name for name, (_, weight) in with_kinds("Any art?").items() if weight == 0.3] == ["painting"]


def test_a_name_is_nobodys_kind_and_a_word_of_the_query_stays_a_word() -> None:
    assert "tea" not in with_kinds("What does Rose drink?")
    assert with_kinds("sport tennis")["tennis"] == (1, 1.0)


def test_a_document_with_a_kind_matches_below_one_with_the_word() -> None:
    texts = ["a sport day", "a judo day", "a quiet day"]
    held = [packed(number, text) for number, text in enumerate(texts)]
    asked = bm25.wanted("sport", key=KEY, stem=unchanged, kinds=known_kinds)

    scores = bm25.bm25(postings_of(held, asked.terms), collection_of(held), asked).content

    assert scores[0] > scores[1] > scores[2] == 0.0


def test_the_kinds_of_all_words_of_a_query_are_bounded() -> None:
    query = " ".join(f"noun{number}" for number in range(20))

    asked = bm25.wanted(
        query, key=KEY, stem=unchanged, kinds=lambda noun: [f"{noun}kind{number}" for number in range(100)]
    )

    assert asked.weight.count(0.3) == bm25.MOST_KINDS


def test_a_query_of_stop_words_looks_for_nothing() -> None:
    assert not wanted("To be or not to be")


def test_different_forms_of_a_word_meet_in_its_stem() -> None:
    stem = SnowballStemmer("english").stem

    asked = bm25.wanted("Meeting schedules, going to the children", key=KEY, stem=stem)
    stored = bm25.index("She scheduled two meetings and went to her child.", None, key=KEY, stem=stem)

    words = {term for term, word in zip(asked.terms, asked.word, strict=True) if word >= 0}
    assert words <= {term for term, _, _ in stored.terms}


@given(content=st.lists(st.sampled_from(VOCABULARY), max_size=30), context=st.lists(st.sampled_from(VOCABULARY)))
def test_an_index_entry_holds_every_word_once(content: list[str], context: list[str]) -> None:
    entry = bm25.index(" ".join(content), " ".join(context), key=KEY, stem=unchanged)

    counts = Counter(content), Counter(context)
    assert sorted(entry.terms) == sorted(
        (bm25.term_hash(KEY, word), counts[0][word], counts[1][word]) for word in {*content, *context}
    )
