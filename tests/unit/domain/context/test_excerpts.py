"""Long memories are shortened to what matches the question."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context import excerpts
from remembrancer.domain.context.excerpts import Excerpt
from tests.builders import memory

WEATHER = [f"On day {number} it rained again and nobody went out for long." for number in range(40)]
DENTIST = "The new dentist is Dr. Moyo on Mill Lane."
LONG = " ".join(["Ada: Let me tell you.", *WEATHER[:20], DENTIST, *WEATHER[20:]])
QUESTION = "Which dentists did Ada choose?"


def shown(text: str, question: str, most: int = 200) -> str:
    passages = excerpts.excerpt_of(text, excerpts.roots(question), most=most)
    return excerpts.shown(memory(content=text), passages).content


def test_the_beginning_and_the_passages_that_match_are_kept_with_their_neighbours() -> None:
    excerpt = shown(LONG, QUESTION, most=220)

    assert excerpt.startswith("Ada: Let me tell you.")
    assert DENTIST in excerpt
    assert WEATHER[19] in excerpt and WEATHER[5] not in excerpt
    assert len(excerpt) < 260


def test_what_is_left_out_is_marked() -> None:
    beginning, middle, end = shown(LONG, QUESTION, most=120).split("…")

    assert beginning == "Ada: Let me tell you. On day 0 it rained again and nobody went out for long. "
    assert middle.strip() == DENTIST
    assert end == ""


@pytest.mark.parametrize("question", ["Whose piano is it?", "", "?"])
def test_where_nothing_matches_nothing_is_left_out(question: str) -> None:
    assert shown(LONG, question) == LONG


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wo sind die Schlüssel?", "Die Schlussel liegen im Schrank."),
        ("医生叫什么", "我的新医生叫王伟。"),
        ("What do we paint?", "We painted the garden fence."),
    ],
)
def test_forms_accents_and_scripts_without_blanks_match(question: str, text: str) -> None:
    filler = "。".join(["天气很好"] * 60) if not text.isascii() else " ".join(WEATHER)

    assert text in shown(f"{filler} {text}\n{filler}", question, most=100)


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("Welche Zahnärztin hat sie?", "Neue Zahnärzte: Moyo & Co.", "Sie hat keine Ahnung, welche gemeint war."),
        ("Où habite la sœur de Chloé ?", "Leurs sœurs partent pour Brest.", "Où la mène tout ceci, nul ne le sait."),
        ("¿Qué médico tiene ella?", "Nuevos médicos: Moyo y Cía.", "Ella tiene claro qué va a ser."),
        ("Quale dentista ha lei?", "Nuovi dentisti: Moyo e soci.", "Lei ha capito quale fosse."),
        ("Qual dentista ela tem?", "Novos dentistas: Moyo e sócios.", "Ela tem certeza de qual seria."),
        ("Welke tandarts heeft zij?", "Nieuwe tandartsen: Moyo en Co.", "Zij heeft geen idee welke het was."),
        ("Which dentist does she have?", "New dentists: Moyo & Co.", "She does have an idea which it was."),
        ("她的牙医叫什么？", "新的牙医是王伟。", "这是她的，什么都有吗？"),
        ("犬はどこにいますか。", "白い犬が庭で寝る。", "店はどこにありますか。"),
    ],
)
def test_passages_are_not_preferred_for_stop_words_of_any_language(question: str, answer: str, other: str) -> None:
    filler = [f"{number}. 123456789 98765432101." for number in range(40)]
    text = " ".join([*filler[:10], other, *filler[10:25], answer, *filler[25:]])

    excerpt = shown(text, question, most=100)

    assert answer in excerpt
    assert other not in excerpt


def test_a_question_of_nothing_but_function_characters_looks_for_these() -> None:
    assert excerpts.roots("はいしゃはどこ?") == tuple(
        unicodedata.normalize("NFD", pair) for pair in ("はい", "いし", "しゃ", "ゃは", "はど", "どこ")
    )
    assert excerpts.roots("Wer war das?") == ()


def test_a_word_matches_at_its_beginning_only() -> None:
    assert shown(f"{LONG} He is a freelancer.", "Who carries the lance?") == LONG + " He is a freelancer."


@given(
    st.text(max_size=2_000) | st.lists(st.sampled_from(["Dr. ", "word ", "x" * 300, "\n", "。", "!? "])).map("".join)
)
def test_passages_are_the_text_in_parts_of_bounded_length(text: str) -> None:
    passages = excerpts.passages_of(text)

    assert "".join(passages) == text
    assert all(0 < len(passage) <= excerpts.PASSAGE_CHARACTERS for passage in passages)


def test_the_best_stay_whole_until_they_fill_a_quarter_of_the_budget() -> None:
    memories = [memory(number, content=LONG) for number in range(1, 5)]

    found = excerpts.shortened(memories, [600] * 4, QUESTION, 2_000)

    assert set(found) == {1, 2, 3}
    texts = [excerpts.shown(memories[place], excerpt.passages).content for place, excerpt in found.items()]
    assert all(DENTIST in text for text in texts)
    assert all(excerpt.cost + excerpt.saved == 600 for excerpt in found.values())
    assert found[1].cost <= 1.1 * (excerpts.KEPT_TOKENS + excerpts.KEPT_SHARE * 600)


def test_nothing_is_shortened_that_is_short_or_sealed_or_fits() -> None:
    memories = [memory(number, content=LONG) for number in range(1, 5)]
    sealed = [replace(one, sealed=b"sealed") for one in memories]

    assert excerpts.shortened(memories, [600] * 4, QUESTION, 2_400) == {}
    assert excerpts.shortened(sealed, [600] * 4, QUESTION, 1_000) == {}
    assert excerpts.shortened(memories, [excerpts.LONG_TOKENS] * 4, QUESTION, 300) == {}
    assert excerpts.shortened([], [], QUESTION, 0) == {}


def test_the_best_of_the_chosen_are_whole_again_where_there_is_room() -> None:
    some = {place: Excerpt((0,), 100, saved) for place, saved in ((1, 300), (2, 50), (4, 60), (5, 10))}

    assert excerpts.restored(some, (0, 1, 2, 4), 120) == {1: some[1]}
