"""What the reader of wishes says, and degenerate input. Needs the built models."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from remembrancer.adapters.models import onnx_embedder
from remembrancer.adapters.models.onnx_embedder import BEFORE_TOKENS, READ_TOKENS, OnnxEmbedder
from remembrancer.adapters.models.onnx_reader import OnnxReader
from remembrancer.domain.capture import wishes
from remembrancer.errors import StoreUnavailable
from tests import capture_cases
from tests.builders import MODELS
from tests.unit.adapters.models.test_onnx_embedder import DEGENERATE
from tests.unit.domain.capture.test_rules import conversation, turn


@pytest.fixture(scope="module")
def embedder() -> Iterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(MODELS)
    yield embedder
    embedder.close()


@pytest.mark.parametrize(
    ("wish", "other"),
    [
        ("Please forget my key number.", "Don't forget the keys."),
        ("I'd rather the bit about my sister didn't hang around with you.", "My sister hangs around with the band."),
        ("Lose what I said about the loan, will you?", "I lost the papers about the loan."),
    ],
)
async def test_a_wish_reads_otherwise_than_what_has_its_words(embedder: OnnxEmbedder, wish: str, other: str) -> None:
    reader = OnnxReader(embedder)

    assert await reader.wishes("", wish) > 1
    assert await reader.wishes("", other) < -1


async def test_words_and_reader_tell_labelled_wishes_from_others_but_for_a_few(embedder: OnnxEmbedder) -> None:
    reader, said = OnnxReader(embedder), capture_cases.wishes()
    found = {}
    for one in said:
        read = [await reader.wishes("", turn.text) for turn in wishes.worth_reading(conversation(turn(1, one.text)))]
        found[one.text] = wishes.wish(one.text, *read)

    missed = [one.text for one in said if one.is_wish and found[one.text] is None]
    taken = [one.text for one in said if not one.is_wish and (wish := found[one.text]) is not None and wish.is_sure]
    assert len(missed) <= 5, missed
    assert len(taken) <= 20, taken


@pytest.mark.parametrize("text", DEGENERATE.values(), ids=DEGENERATE)
async def test_any_text_is_read_behind_any_other(embedder: OnnxEmbedder, text: str) -> None:
    reader = OnnxReader(embedder)

    assert -30 < await reader.wishes(text, text) < 30


async def test_the_end_of_the_turn_before_and_the_beginning_of_the_turn_are_read(embedder: OnnxEmbedder) -> None:
    reader = OnnxReader(embedder)
    before, text = "word " * BEFORE_TOKENS, "word " * READ_TOKENS

    lower, begins = await embedder.lower(before, text)
    assert lower.shape[1] == BEFORE_TOKENS + READ_TOKENS + 3
    assert begins == BEFORE_TOKENS + 2
    assert await reader.wishes(f"Something else. {before}", f"{text} Something else.") == await reader.wishes(
        before, text
    )


async def test_a_reader_without_its_file_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "embedding").mkdir()
    for name in ("model.onnx", "model.json", "tokenizer.json"):
        (tmp_path / "embedding" / name).symlink_to(MODELS / "embedding" / name)
    embedder = OnnxEmbedder(tmp_path)

    with pytest.raises(StoreUnavailable):
        await OnnxReader(embedder).wishes("", "Forget my key number.")
    embedder.close()


async def test_a_model_without_lower_layers_is_unavailable(
    embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pair_ids(*_: object) -> object:
        raise RuntimeError("damaged")

    monkeypatch.setattr(onnx_embedder, "pair_ids", pair_ids)

    with pytest.raises(StoreUnavailable):
        await OnnxReader(embedder).wishes("", "Forget my key number.")
