"""Hashed words as vectors."""

import numpy as np
import pytest

from remembrancer.adapters.models.hash_embedder import HashEmbedder


async def test_the_same_text_has_the_same_vector_in_every_process() -> None:
    (vector,) = await HashEmbedder().embed(["the quick fox"])

    places = np.flatnonzero(vector).tolist()
    assert places == [49, 74, 96, 130, 154, 179, 242, 296, 340, 343, 346, 352]


async def test_rows_have_unit_length_and_the_chosen_width() -> None:
    vectors = await HashEmbedder(64).embed(["one", "two words", "and a third, longer text"])

    assert vectors.shape == (3, 64)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


async def test_texts_that_share_words_are_nearer_than_those_that_do_not() -> None:
    one, similar, other = await HashEmbedder().embed(["Ana likes tea", "ana LIKES coffee", "servers need patches"])

    assert one @ similar > 0.5
    assert abs(one @ other) < 0.2


@pytest.mark.parametrize("text", ["", "   ", "!?", "🎉", "\ud800", "x" * 10_000])
async def test_a_degenerate_text_has_a_unit_vector(text: str) -> None:
    (vector,) = await HashEmbedder().embed([text])

    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


async def test_no_texts_give_no_rows() -> None:
    vectors = await HashEmbedder().embed([])

    assert vectors.shape == (0, 384)


def test_the_name_tells_it_from_a_real_model() -> None:
    embedder = HashEmbedder()

    assert (embedder.model, embedder.dimensions) == ("hash", 384)
