import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories import embedding_text

BOILER = "The boiler was serviced in May by a firm from Oban, which Ann knows."
BOAT = "The boat goes on Tuesdays, weather permitting. Ann has the key."
LONG = f"{BOILER} {BOAT}"


def test_a_memory_with_a_context_is_embedded_alone_and_with_it() -> None:
    texts = embedding_text.texts("Yes, a goose.", "Do you keep animals?")

    assert texts == (("Yes, a goose.", 1), ("Yes, a goose.\nDo you keep animals?", 1))


@pytest.mark.parametrize("context", [None, ""])
def test_a_memory_without_a_context_is_embedded_alone(context: str | None) -> None:
    assert embedding_text.texts("Yes, a goose.", context) == (("Yes, a goose.", 1),)


def test_a_long_memory_is_embedded_in_passages_too() -> None:
    texts = embedding_text.texts(LONG, "What of the house?")

    assert texts == (
        (LONG, 1),
        (f"{LONG}\nWhat of the house?", 1),
        (BOILER, 0.75),
        (BOAT, 0.75),
    )


def test_a_long_memory_of_one_sentence_has_no_passages() -> None:
    assert embedding_text.texts("goose " * 40, None) == (("goose " * 40, 1),)


def test_passages_end_where_sentences_and_lines_do_in_any_script() -> None:
    assert embedding_text.passages("它住在湖边。" * 15) == ["它住在湖边。" * 13, "它住在湖边。" * 2]
    assert embedding_text.passages("goose\n" * 15) == [("goose\n" * 13).strip(), "goose\ngoose"]
    assert embedding_text.passages("Dr. No has 3.5 geese.") == ["Dr. No has 3.5 geese."]


@given(content=st.text(st.sampled_from("ab.!? \n。"), max_size=4000))
def test_passages_have_every_word_in_order_and_are_not_many(content: str) -> None:
    passages = embedding_text.passages(content)

    assert "".join("".join(passages).split()) == "".join(content.split())
    assert len(passages) <= 2 * embedding_text.MOST_PASSAGES + 1 or len(content) < 16 * embedding_text.PASSAGE
    assert all(passages)


def test_the_vector_of_a_memory_is_the_direction_of_its_texts_weighted_sum() -> None:
    vectors = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], np.float32)

    combined = embedding_text.combined(vectors, [[1, 1], [1.5, 2]])

    assert np.allclose(combined, [[0.5**0.5, 0.5**0.5, 0], [0.8, 0, 0.6]])
    assert combined.dtype == np.float32


def test_opposite_texts_leave_a_zero_vector_and_no_memories_leave_none() -> None:
    opposite = np.array([[1, 0], [-1, 0]], np.float32)

    assert embedding_text.combined(opposite, [[1, 1]]).tolist() == [[0, 0]]
    assert embedding_text.combined(opposite[:0], []).shape == (0, 2)
