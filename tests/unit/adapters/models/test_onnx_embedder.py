"""Embeddings against the original model's, and degenerate input. Needs the built models."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.errors import ConfigurationError
from tests.builders import MODELS

ROOT = Path(__file__).parents[4]
REFERENCE = json.loads((ROOT / "tests" / "data" / "embedding_reference.json").read_text())["embeddings"]
TEXTS = [reference["text"] for reference in REFERENCE]
VECTORS: NDArray[np.float32] = np.array([reference["vector"] for reference in REFERENCE], np.float32)

DEGENERATE = {
    "empty": "",
    "only spaces": "   \n\t ",
    "emoji": "🎉🍕👍🏽",
    "10,000 letters in one word": "x" * 10_000,
    "10,000 characters of words": "memory " * 1_429,
    "half a surrogate pair": "broken \ud800 text",
    "null characters": "\0\0",
    "right-to-left": "يفضل العميل البريد",
    "special tokens by name": "[CLS] [SEP] [MASK]",
}


@pytest.fixture(scope="module")
def embedder() -> Iterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(MODELS)
    yield embedder
    embedder.close()


async def test_vectors_are_close_to_those_of_the_original_model(embedder: OnnxEmbedder) -> None:
    vectors = await embedder.embed(TEXTS)

    cosines = (vectors * VECTORS).sum(axis=1)
    assert cosines.min() >= 0.98
    assert cosines.mean() >= 0.993


async def test_similarities_between_texts_are_those_of_the_original_model(embedder: OnnxEmbedder) -> None:
    vectors = await embedder.embed(TEXTS)

    assert np.abs(vectors @ vectors.T - VECTORS @ VECTORS.T).max() < 0.05


async def test_each_question_finds_the_text_that_the_original_model_finds(embedder: OnnxEmbedder) -> None:
    vectors = await embedder.embed(TEXTS)

    ours, theirs = vectors @ vectors.T, VECTORS @ VECTORS.T
    np.fill_diagonal(ours, -1)
    np.fill_diagonal(theirs, -1)
    assert ours[:8].argmax(axis=1).tolist() == theirs[:8].argmax(axis=1).tolist() == [1, 0, 3, 2, 5, 4, 7, 6]


async def test_rows_are_float32_of_unit_length_and_the_stated_width(embedder: OnnxEmbedder) -> None:
    vectors = await embedder.embed(TEXTS)

    assert vectors.shape == (len(TEXTS), embedder.dimensions) == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_a_text_has_the_same_vector_alone_and_among_others(embedder: OnnxEmbedder) -> None:
    together = await embedder.embed(TEXTS)

    alone = await embedder.embed([TEXTS[0]])

    np.testing.assert_array_equal(together[0], alone[0])


async def test_no_texts_give_no_rows(embedder: OnnxEmbedder) -> None:
    vectors = await embedder.embed([])

    assert vectors.shape == (0, 384)


@pytest.mark.parametrize("text", DEGENERATE.values(), ids=DEGENERATE.keys())
async def test_a_degenerate_text_has_a_unit_vector(embedder: OnnxEmbedder, text: str) -> None:
    vectors = await embedder.embed([text])

    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_blank_space_around_a_text_changes_nothing(embedder: OnnxEmbedder) -> None:
    plain, padded = await embedder.embed([TEXTS[0], " " * 9_000 + TEXTS[0] + "\n"])

    np.testing.assert_array_equal(plain, padded)


async def test_a_long_text_is_represented_by_its_beginning(embedder: OnnxEmbedder) -> None:
    beginning = "The archive of week one is complete. " * 60

    one, other = await embedder.embed([beginning + "a" * 3_000, beginning + "Completely different. " * 100])

    np.testing.assert_array_equal(one, other)


async def test_the_event_loop_runs_on_while_texts_are_embedded(embedder: OnnxEmbedder) -> None:
    turns = 0
    embedding = asyncio.create_task(embedder.embed(TEXTS * 3))

    while not embedding.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns > len(TEXTS)


@pytest.mark.parametrize("text", ["", "Who?", *TEXTS])
async def test_a_short_text_has_the_same_vector_as_on_the_embedders_thread(embedder: OnnxEmbedder, text: str) -> None:
    await embedder.warm()

    here = await embedder.embed([text])
    there = await asyncio.to_thread(embedder._embed_one, text)

    np.testing.assert_array_equal(here[0], there)


async def test_what_begins_beside_a_short_text_goes_before_it(embedder: OnnxEmbedder) -> None:
    was_done: list[bool] = []
    await embedder.warm()

    async def sent_after_some_turns() -> None:
        for _ in range(8):
            await asyncio.sleep(0)
        was_done.append(embedding.done())

    embedding = asyncio.create_task(embedder.embed(["Who?"]))
    await asyncio.gather(embedding, sent_after_some_turns())

    assert was_done == [False]


async def test_a_caller_that_gives_up_leaves_the_embedder_usable(embedder: OnnxEmbedder) -> None:
    abandoned = asyncio.create_task(embedder.embed(TEXTS * 10_000))
    await asyncio.sleep(0)
    abandoned.cancel()

    vectors = await embedder.embed([TEXTS[0]])

    assert abandoned.cancelled()
    assert vectors.shape == (1, 384)


async def test_warming_loads_the_model() -> None:
    embedder = OnnxEmbedder(MODELS, threads=2)

    await embedder.warm()

    assert (await embedder.embed([TEXTS[0]]))[0] @ VECTORS[0] > 0.98
    embedder.close()


def test_a_folder_without_a_model_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="build the models layer"):
        OnnxEmbedder(tmp_path)
