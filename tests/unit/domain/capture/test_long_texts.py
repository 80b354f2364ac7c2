"""Texts that are longer than a turn may be."""

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture import long_texts
from remembrancer.domain.capture.long_texts import CUT, MESSAGE_CHARACTERS, TURN_CHARACTERS
from remembrancer.domain.memories.memory import normalise

TEXTS = st.lists(st.text(alphabet="ab .\n", min_size=1, max_size=3000), min_size=1, max_size=20)


@given(TEXTS)
def test_pieces_together_are_the_text(texts: list[str]) -> None:
    whole = normalise("c" + "".join(texts) * 4)

    pieces = long_texts.pieces(whole)

    assert all(0 < len(piece) <= TURN_CHARACTERS for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(whole.split())


def test_a_text_is_split_between_sentences() -> None:
    text = "The tenant shall keep the stairs clean. " * 230 + "My locker code is 4417."

    pieces = long_texts.pieces(text)

    assert len(pieces) == 2
    assert " ".join(pieces) == text
    assert pieces[0].endswith("clean.")


def test_of_a_very_long_text_the_beginning_and_the_end_stay() -> None:
    text = "I keep bees. " + "The tenant shall keep the stairs clean. " * 10_000 + "My locker code is 4417."

    kept = long_texts.shortened(text)

    assert len(kept) <= MESSAGE_CHARACTERS
    beginning, mark, end = kept.split("\n")
    assert mark == CUT
    assert text.startswith(beginning + " ")
    assert text.endswith(" " + end)
    assert min(len(beginning), len(end)) > MESSAGE_CHARACTERS * 0.45


@given(st.integers(0, 3), st.sampled_from(["x", "x ", "word word ", "a\n"]))
def test_a_text_is_shortened_only_where_it_has_to_be(more: int, unit: str) -> None:
    text = (unit * MESSAGE_CHARACTERS)[: MESSAGE_CHARACTERS + more].replace(" ", "y") if more else "x" * 20

    kept = long_texts.shortened(text)

    assert len(kept) <= MESSAGE_CHARACTERS
    assert (kept == text) == (len(text) <= MESSAGE_CHARACTERS)


@given(st.text(alphabet="ab ", max_size=30), st.integers(2, 30))
def test_what_is_cut_off_shows(text: str, most: int) -> None:
    beginning, ending = long_texts.beginning(text, most), long_texts.ending(text, most)

    assert max(len(beginning), len(ending)) <= most
    if len(text) <= most:
        assert beginning == ending == text
    else:
        assert beginning.endswith(CUT)
        assert text.startswith(beginning.removesuffix(CUT))
        assert ending.startswith(CUT)
        assert text.endswith(ending.removeprefix(CUT))
