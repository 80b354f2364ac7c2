"""Token counts against tiktoken itself, and estimates against exact counts. Needs the built models."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import tiktoken

from remembrancer.adapters.models.tiktoken_counter import FAMILIES, TiktokenCounter, _key
from remembrancer.domain.context.token_counts import TokenCount
from remembrancer.errors import ConfigurationError
from tests.builders import MODELS

TEXTS = {
    "empty": "",
    "spaces": " " * 100,
    "english": "The customer prefers email over phone calls, and never before 9 am.",
    "special token": "ignore this <|endoftext|> and <|fim_prefix|> go on",
    "chinese": "他上个月从柏林搬到里斯本，为一家金融科技公司远程工作。",
    "emoji": "🎉 party 👍🏽 at 8",
    "code": "def total(prices):\n    return sum(price for price in prices if price > 0)\n",
    "one long word": "a" * 5_000,
    "half a surrogate pair": "broken \ud800 text",
}
PROSE = "In week {} the team met, agreed on three points and wrote them down for the archive. "
LONG_TEXTS = {
    "prose": "".join(PROSE.format(number) for number in range(600)),
    "chinese": TEXTS["chinese"] * 1_500,
    "code": TEXTS["code"] * 600,
    "prose, then numbers": "".join(PROSE.format(number) for number in range(300)) + "3.14159,2.71828;" * 1_500,
}


@pytest.fixture(scope="module")
def counter() -> Iterator[TiktokenCounter]:
    counter = TiktokenCounter(MODELS)
    yield counter
    counter.close()


@pytest.mark.parametrize("family", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_counts_are_those_of_tiktoken(
    counter: TiktokenCounter, monkeypatch: pytest.MonkeyPatch, text: str, family: str
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(MODELS / "tiktoken"))
    expected = len(tiktoken.get_encoding(family).encode_ordinary(text))

    assert counter.count(text, family) == TokenCount(expected, exact=True)


@pytest.mark.parametrize("family", ["claude", "claude_4_7", "other", "a family that nobody knows"])
def test_other_families_are_estimated_from_above(counter: TiktokenCounter, family: str) -> None:
    base = counter.count(TEXTS["english"], "cl100k_base").tokens

    count = counter.count(TEXTS["english"], family)

    assert not count.exact
    assert 1.2 * base < count.tokens < 1.8 * base


@pytest.mark.parametrize("family", FAMILIES)
def test_an_empty_text_has_no_tokens(counter: TiktokenCounter, family: str) -> None:
    assert counter.count("", family).tokens == 0


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS.keys())
def test_a_text_over_the_bound_is_estimated_from_above_and_says_so(counter: TiktokenCounter, text: str) -> None:
    exact = counter.count(text, "o200k_base").tokens
    bounded = TiktokenCounter(MODELS, exact_characters=10_000)

    count = bounded.count(text, "o200k_base")

    assert not count.exact
    assert exact <= count.tokens <= 1.7 * exact


def test_an_estimate_is_never_more_than_a_token_a_byte() -> None:
    bounded = TiktokenCounter(MODELS, exact_characters=10)

    assert bounded.count("~`^" * 7, "cl100k_base").tokens <= 21


async def test_many_counts_come_in_the_order_of_their_texts(counter: TiktokenCounter) -> None:
    texts = [*TEXTS.values(), *LONG_TEXTS.values()]

    counts = await counter.count_many(texts, "o200k_base")

    assert counts == [counter.count(text, "o200k_base") for text in texts]


async def test_no_texts_have_no_counts(counter: TiktokenCounter) -> None:
    assert await counter.count_many([], "o200k_base") == []


async def test_of_a_call_over_the_bound_only_the_longest_texts_are_estimated() -> None:
    bounded = TiktokenCounter(MODELS, exact_characters=1_000)

    counts = await bounded.count_many(["word " * 150, "short", "word " * 100, "brief"], "o200k_base")

    assert [count.exact for count in counts] == [False, True, True, True]


async def test_a_text_that_was_counted_before_takes_nothing_from_the_bound() -> None:
    bounded = TiktokenCounter(MODELS, exact_characters=1_000)
    long, other = "word " * 190, "term " * 195
    await bounded.count_many([long], "o200k_base")

    counts = await bounded.count_many([long, other], "o200k_base")

    assert [count.exact for count in counts] == [True, True]


async def test_texts_that_were_counted_before_need_no_thread() -> None:
    counter = TiktokenCounter(MODELS)
    texts = [f"{number}: {'word ' * 400}" for number in range(40)]
    counted = await counter.count_many(texts, "o200k_base")

    # Without its thread.
    counter.close()

    assert await counter.count_many([*texts, "a new one"], "o200k_base") == [*counted, TokenCount(3, exact=True)]


def test_the_least_recently_counted_text_is_forgotten_first() -> None:
    small = TiktokenCounter(MODELS, cached_texts=2)
    for text in ("one", "two", "one", "three"):
        small.count(text, "o200k_base")

    assert list(small._cache) == [_key("o200k_base", "one"), _key("o200k_base", "three")]
    assert small._cache[_key("o200k_base", "one")] == 1


def test_threads_that_need_a_vocabulary_at_once_load_one() -> None:
    counter = TiktokenCounter(MODELS)
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda number: counter.count(f"text {number}", "cl100k_base").tokens, range(20)))

    assert counts == [2 + (number >= 0) for number in range(20)]
    assert len(counter._encodings) == 1


async def test_warming_loads_both_vocabularies() -> None:
    counter = TiktokenCounter(MODELS)

    await counter.warm()

    assert sorted(counter._encodings) == ["cl100k_base", "o200k_base"]
    counter.close()


@pytest.mark.parametrize("damage", ["changed", "missing"])
def test_a_damaged_vocabulary_is_a_configuration_error_and_nothing_is_fetched(tmp_path: Path, damage: str) -> None:
    folder = shutil.copytree(MODELS / "tiktoken", tmp_path / "tiktoken")
    vocabulary = folder / "fb374d419588a4632f3f557e76b4b70aebbca790"
    vocabulary.unlink()
    if damage == "changed":
        vocabulary.write_bytes(b"YQ== 0\n")

    with pytest.raises(ConfigurationError, match="missing or damaged"):
        TiktokenCounter(tmp_path).count("text", "o200k_base")


def test_a_folder_without_vocabularies_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="build the models layer"):
        TiktokenCounter(tmp_path)
