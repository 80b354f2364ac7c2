import numpy as np

from remembrancer.domain.memories import embedding_text


def test_a_memory_with_a_context_is_embedded_alone_and_with_it() -> None:
    texts = embedding_text.texts("Yes, a goose.", "Do you keep animals?")

    assert texts == ("Yes, a goose.", "Yes, a goose.\nDo you keep animals?")


def test_a_memory_without_a_context_is_embedded_alone() -> None:
    assert (
        embedding_text.texts("Yes, a goose.", None) == embedding_text.texts("Yes, a goose.", "") == ("Yes, a goose.",)
    )


def test_the_vector_of_a_memory_is_the_direction_of_its_texts_sum() -> None:
    vectors = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)

    combined = embedding_text.combined(vectors, [2, 1])

    assert np.allclose(combined, [[0.5**0.5, 0.5**0.5, 0], [0, 0, 1]])
    assert combined.dtype == np.float32


def test_opposite_texts_leave_a_zero_vector_and_no_memories_leave_none() -> None:
    opposite = np.array([[1, 0], [-1, 0]], np.float32)

    assert embedding_text.combined(opposite, [2]).tolist() == [[0, 0]]
    assert embedding_text.combined(opposite[:0], []).shape == (0, 2)
