"""Counting from a vocabulary's file: the same counts as tiktoken's, on any text. Needs the built models."""

import json
import shutil
from functools import cache
from pathlib import Path

import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st

from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.models.vocabulary_file import LONGEST_PIECE, LongPieceError, VocabularyFile
from remembrancer.domain.context.token_counts import TokenCount
from remembrancer.errors import ConfigurationError
from tests.builders import MODELS

FAMILIES = ("cl100k_base", "o200k_base")

PROSE = "In week {} the team met, agreed on three points and wrote them down for the archive.\n"
SCRIPTS = (
    "The client's e-mail isn't what they'll read; WE'VE agreed: I'd say so. ",
    "Клиент предпочитает электронную почту, и никогда до девяти утра. ",
    "他上个月从柏林搬到里斯本，为一家金融科技公司远程工作。",
    "お客様は電話よりメールを好みます。",
    "고객은 전화보다 이메일을 선호합니다. ",
    "العميل يفضل البريد الإلكتروني على المكالمات الهاتفية. ",
    "ग्राहक फ़ोन कॉल की तुलना में ईमेल पसंद करते हैं। ",
    "Việt Nam, Đà Nẵng, çalışıyor ſpät Straße ﬁne ǅungla ",
    "def total(prices):\n    return sum(price for price in prices if price > 0)\n\n\n",
    '{"id": 1234567, "tags": ["a/b", "c//d"], "text": "…"}\r\n\r\n\t\t',
    "🎉 party 👍🏽 at 8 👩‍👩‍👧 <|endoftext|> <|fim_prefix|> ",
    "     \t \n\n   \u00a0\u2003\u3000 \u0085\u2028 \x1c\x00 ",
)

CHARACTERS = st.one_of(
    st.characters(exclude_categories=()),
    st.sampled_from("'sStTdDmMlLvVrReE \n\r\t/ſKİ1٣é\u0301\u200d\u00a0\ud83d\ude00"),
    st.characters(max_codepoint=127),
)
TEXTS = st.one_of(
    st.text(CHARACTERS, max_size=60),
    st.lists(st.sampled_from(SCRIPTS), max_size=4).map("".join),
    st.builds(
        lambda text, start, end: text[start:end], st.sampled_from(SCRIPTS), st.integers(0, 9), st.integers(9, 90)
    ),
    st.builds(lambda one, times: one * times, CHARACTERS, st.integers(0, 300)),
    st.text("abcdefghijklmnopqrstuvwxyz", max_size=80),
)


@cache
def reference(family: str) -> tiktoken.Encoding:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("TIKTOKEN_CACHE_DIR", str(MODELS / "tiktoken"))
        return tiktoken.get_encoding(family)


@cache
def vocabulary(family: str) -> VocabularyFile:
    folder = MODELS / "tiktoken"
    return VocabularyFile(folder, json.loads((folder / "encodings.json").read_text())[family])


@pytest.mark.parametrize("family", FAMILIES)
@given(text=TEXTS)
@example(text="half a pair \ud800, a whole one \ud83d\ude00 and a late one \udc00")
@example(text="".join(SCRIPTS))
@example(text="a" * LONGEST_PIECE)
@example(text="".join(PROSE.format(number) for number in range(40)))
def test_counts_are_those_of_tiktoken(family: str, text: str) -> None:
    assert vocabulary(family).count(text) == len(reference(family).encode_ordinary(text))


def test_characters_of_all_of_unicode_are_split_from_their_neighbours_as_tiktoken_does() -> None:
    """All of the first scripts, some of each later one: with Unicode of another version some counts differ."""
    characters = [chr(code) for code in (*range(0x3400), *range(0x3400, 0xD800, 99), *range(0xE000, 0x20000, 9))]
    for start in range(0, len(characters), 256):
        text = "".join(f"a{one}A {one}1\n" for one in characters[start : start + 256])

        assert vocabulary("o200k_base").count(text) == len(reference("o200k_base").encode_ordinary(text))


def test_an_endless_word_is_refused_and_a_vocabulary_s_own_word_is_not() -> None:
    with pytest.raises(LongPieceError):
        vocabulary("o200k_base").count("and " + "ab" * LONGEST_PIECE)


async def test_an_opened_counter_counts_exactly_and_loads_nothing_before_it_is_told_to() -> None:
    counter = TiktokenCounter(MODELS)
    await counter.open(["o200k_base"])

    before = [await counter.count_many(SCRIPTS, family) for family in FAMILIES]
    loaded_before = list(counter._encodings)
    await counter.warm()
    counter._cache.clear()
    after = [await counter.count_many(SCRIPTS, family) for family in FAMILIES]
    counter.close()

    expected = [
        [TokenCount(len(reference(family).encode_ordinary(text)), exact=True) for text in SCRIPTS]
        for family in FAMILIES
    ]
    assert (before, after) == (expected, expected)
    assert loaded_before == []
    assert (sorted(counter._encodings), counter._files) == (sorted(FAMILIES), {})


async def test_an_opened_counter_estimates_what_would_take_it_too_long_from_above() -> None:
    prose = "".join(PROSE.format(number) for number in range(300))
    endless = "ab" * LONGEST_PIECE
    counter = TiktokenCounter(MODELS)
    await counter.open([])

    counts = await counter.count_many([prose, endless, "brief"], "o200k_base")
    counter.close()

    exact = [len(reference("o200k_base").encode_ordinary(text)) for text in (prose, endless)]
    assert [count.exact for count in counts] == [False, False, True]
    assert all(true <= count.tokens <= 1.7 * true for count, true in zip(counts, exact, strict=False))


async def test_a_folder_without_the_index_is_a_configuration_error(tmp_path: Path) -> None:
    shutil.copytree(MODELS / "tiktoken", tmp_path / "tiktoken")
    (tmp_path / "tiktoken" / "o200k_base.index").unlink()

    with pytest.raises(ConfigurationError, match="build the models layer again"):
        await TiktokenCounter(tmp_path).open(["o200k_base"])
