"""What the sources found, merged by memory."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import LexicalAnswer, Matched, SearchAnswer, Similar
from remembrancer.usecases.retrieval.evidence import Evidence, merge
from tests.builders import at_cosine, identifier, memory, unit_vector

MODEL = "model"

numbers = st.lists(st.integers(1, 12), unique=True, max_size=12)


def hot(*memories: int) -> AgentSnapshot:
    return AgentSnapshot(None, None, [memory(number) for number in memories])


def cold(*found: tuple[int, float]) -> SearchAnswer:
    return SearchAnswer([Similar(memory(number), similarity) for number, similarity in found], "exact")


def words(*found: tuple[int, float]) -> LexicalAnswer:
    return LexicalAnswer([Matched(memory(number), score, score) for number, score in found])


def shown(evidence: Sequence[Evidence]) -> dict[int, tuple[float | None, float | None, bool]]:
    """What is known of each memory, by its number."""
    return {item.memory.id.int - identifier(0).int: (item.dense, item.lexical, item.hot) for item in evidence}


def test_each_source_adds_what_it_knows() -> None:
    evidence = merge(hot(1, 2), cold((2, 0.7), (3, 0.6)), words((3, 0.5), (4, 0.4)), None, MODEL)

    assert shown(evidence) == {
        1: (None, None, True),
        2: (0.7, None, True),
        3: (0.6, 0.5, False),
        4: (None, 0.4, False),
    }


@pytest.mark.parametrize("vector", [None, unit_vector()], ids=["no vector", "a vector"])
def test_no_source_gives_no_evidence(vector: None) -> None:
    assert merge(None, None, None, vector, MODEL) == []
    assert merge(hot(), cold(), words(), vector, MODEL) == []


@given(in_hot=numbers, in_cold=numbers, in_words=numbers)
def test_no_memory_appears_twice_and_none_is_lost(in_hot: list[int], in_cold: list[int], in_words: list[int]) -> None:
    evidence = merge(
        hot(*in_hot),
        cold(*((number, 0.5) for number in in_cold)),
        words(*((number, 0.5) for number in in_words)),
        unit_vector(),
        MODEL,
    )

    assert len(evidence) == len(shown(evidence))
    assert set(shown(evidence)) == {*in_hot, *in_cold, *in_words}
    assert {number for number, (_, _, is_hot) in shown(evidence).items() if is_hot} == set(in_hot)


def test_a_hot_memory_gets_its_true_similarity_to_the_query() -> None:
    query = unit_vector()
    near = memory(1, vector=at_cosine(query, 0.8))

    evidence = merge(AgentSnapshot(None, None, [near]), None, None, query, MODEL)

    assert evidence[0].dense == pytest.approx(0.8, abs=1e-5)


@pytest.mark.parametrize(("cosine", "similarity"), [(-0.6, 0.0), (1.0, 1.0)])
def test_a_similarity_is_clamped(cosine: float, similarity: float) -> None:
    query = unit_vector()
    stored = memory(1, vector=at_cosine(query, cosine))

    dense = merge(AgentSnapshot(None, None, [stored]), None, None, query, MODEL)[0].dense

    assert dense == pytest.approx(similarity, abs=1e-5)
    assert dense is not None
    assert 0.0 <= dense <= 1.0


def test_a_memory_found_by_its_words_alone_gets_its_similarity_too() -> None:
    query = unit_vector()
    found = Matched(memory(1, vector=at_cosine(query, 0.5)), 0.9)

    assert merge(None, None, LexicalAnswer([found]), query, MODEL)[0].dense == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize("has_vector", [True, False])
@pytest.mark.parametrize("has_query", [True, False])
def test_without_both_vectors_a_hot_memory_has_no_similarity(has_vector: bool, has_query: bool) -> None:
    stored = memory(1, vector=unit_vector() if has_vector else None)

    dense = merge(AgentSnapshot(None, None, [stored]), None, None, unit_vector() if has_query else None, MODEL)[0].dense

    assert (dense is not None) == (has_vector and has_query)


def test_the_similarity_of_the_search_is_the_one_that_counts() -> None:
    query = unit_vector()
    stored = memory(1, vector=at_cosine(query, 0.2))
    found = SearchAnswer([Similar(stored, 0.9)], "exact")

    evidence = merge(AgentSnapshot(None, None, [stored]), found, None, query, MODEL)

    assert evidence[0].dense == 0.9


@pytest.mark.parametrize("source", ["cold", "words"])
def test_a_stored_row_replaces_the_cached_one(source: str) -> None:
    cached, stored = memory(1, status="active"), memory(1, status="superseded")
    found_cold = SearchAnswer([Similar(stored, 0.5)], "exact") if source == "cold" else None
    found_words = LexicalAnswer([Matched(stored, 0.5)]) if source == "words" else None

    evidence = merge(AgentSnapshot(None, None, [cached]), found_cold, found_words, None, MODEL)

    assert [item.memory for item in evidence] == [stored]
    assert evidence[0].hot


def test_a_vector_of_another_model_is_no_evidence() -> None:
    query = unit_vector()
    stored = memory(1, vector=query, vector_model="another")

    (evidence,) = merge(AgentSnapshot(None, None, [stored]), None, None, query, MODEL)

    assert evidence.dense is None
