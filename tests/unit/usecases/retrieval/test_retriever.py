"""What the sources found, merged by memory."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.memory import Memory, Vector
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.ports.search import VectorHits, WordHits
from remembrancer.usecases.retrieval import evidence as merging
from remembrancer.usecases.retrieval.query_embedding import QueryVector
from remembrancer.usecases.retrieval.search import SearchResult
from tests.builders import at_cosine, identifier, memory, unit_vector

MODEL = "model"

numbers = st.lists(st.integers(1, 12), unique=True, max_size=12)


def merge(hot: Sequence[Memory], cold: VectorHits | None, words: WordHits | None, vector: Vector | None) -> Candidates:
    """Of what the store's searches gave."""
    return merging.merge(hot, SearchResult(QueryVector(vector, MODEL, "embedder"), cold, words))


def hot(*memories: int) -> list[Memory]:
    return [memory(number) for number in memories]


def cold(*found: tuple[int, float]) -> VectorHits:
    return VectorHits([memory(number) for number, _ in found], [similarity for _, similarity in found], "exact")


def words(*found: tuple[int, float]) -> WordHits:
    return matched([(memory(number), score) for number, score in found])


def matched(found: Sequence[tuple[Memory, float]]) -> WordHits:
    scores, count = [score for _, score in found], len(found)
    return WordHits([one for one, _ in found], scores, scores, [0.0] * count, [()] * count)


def shown(evidence: Sequence[Evidence]) -> dict[int, tuple[float | None, float | None, bool]]:
    """What is known of each memory, by its number."""
    return {item.memory.id.int - identifier(0).int: (item.dense, item.lexical, item.hot) for item in evidence}


def test_each_source_adds_what_it_knows() -> None:
    evidence = merge(hot(1, 2), cold((2, 0.7), (3, 0.6)), words((3, 0.5), (4, 0.4)), None)

    assert shown(evidence) == {
        1: (None, None, True),
        2: (0.7, None, True),
        3: (0.6, 0.5, False),
        4: (None, 0.4, False),
    }


@pytest.mark.parametrize("vector", [None, unit_vector()], ids=["no vector", "a vector"])
def test_no_source_gives_no_evidence(vector: None) -> None:
    assert list(merge((), None, None, vector)) == []
    assert list(merge(hot(), cold(), words(), vector)) == []


@given(in_hot=numbers, in_cold=numbers, in_words=numbers)
def test_no_memory_appears_twice_and_none_is_lost(in_hot: list[int], in_cold: list[int], in_words: list[int]) -> None:
    evidence = merge(
        hot(*in_hot),
        cold(*((number, 0.5) for number in in_cold)),
        words(*((number, 0.5) for number in in_words)),
        unit_vector(),
    )

    assert len(evidence) == len(shown(evidence))
    assert set(shown(evidence)) == {*in_hot, *in_cold, *in_words}
    assert {number for number, (_, _, is_hot) in shown(evidence).items() if is_hot} == set(in_hot)


def test_a_hot_memory_gets_its_true_similarity_to_the_query() -> None:
    query = unit_vector()
    near = memory(1, vector=at_cosine(query, 0.8))

    evidence = merge([near], None, None, query)

    assert evidence[0].dense == pytest.approx(0.8, abs=1e-5)


@pytest.mark.parametrize(("cosine", "similarity"), [(-0.6, 0.0), (1.0, 1.0)])
def test_a_similarity_is_clamped(cosine: float, similarity: float) -> None:
    query = unit_vector()
    stored = memory(1, vector=at_cosine(query, cosine))

    dense = merge([stored], None, None, query)[0].dense

    assert dense == pytest.approx(similarity, abs=1e-5)
    assert dense is not None
    assert 0.0 <= dense <= 1.0


def test_a_memory_found_by_its_words_alone_gets_its_similarity_too() -> None:
    query = unit_vector()
    found = matched([(memory(1, vector=at_cosine(query, 0.5)), 0.9)])

    assert merge((), None, found, query)[0].dense == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize("has_vector", [True, False])
@pytest.mark.parametrize("has_query", [True, False])
def test_without_both_vectors_a_hot_memory_has_no_similarity(has_vector: bool, has_query: bool) -> None:
    stored = memory(1, vector=unit_vector() if has_vector else None)

    dense = merge([stored], None, None, unit_vector() if has_query else None)[0].dense

    assert (dense is not None) == (has_vector and has_query)


def test_the_similarity_of_the_search_is_the_one_that_counts() -> None:
    query = unit_vector()
    stored = memory(1, vector=at_cosine(query, 0.2))
    found = VectorHits([stored], [0.9], "exact")

    evidence = merge([stored], found, None, query)

    assert evidence[0].dense == 0.9


@pytest.mark.parametrize("source", ["cold", "words"])
def test_a_stored_row_replaces_the_cached_one(source: str) -> None:
    cached, stored = memory(1, status="active"), memory(1, status="superseded")
    found_cold = VectorHits([stored], [0.5], "exact") if source == "cold" else None
    found_words = matched([(stored, 0.5)]) if source == "words" else None

    evidence = merge([cached], found_cold, found_words, None)

    assert [item.memory for item in evidence] == [stored]
    assert evidence[0].hot


def test_a_vector_of_another_model_is_no_evidence() -> None:
    query = unit_vector()
    stored = memory(1, vector=query, vector_model="another")

    (evidence,) = merge([stored], None, None, query)

    assert evidence.dense is None
