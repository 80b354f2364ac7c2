"""Two texts of which one is left out say the same; in doubt both stay. What happens has its day."""

from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.memories.duplicates import Reading, Wording
from tests.builders import memory

DISTINCT = [
    ["Ada takes 25 mg of metoprolol.", "Ada takes 50 mg of metoprolol.", "Ada takes 2.5 mg of metoprolol."],
    ["The door code is 4417.", "The door code is 4471.", "The door code is 04417."],
    ["My blood pressure was 120 over 80.", "My blood pressure was 80 over 120."],
    ["Anna is allergic to nuts.", "Hanna is allergic to nuts.", "Anna is allergic to eggs."],
    ["Tom eats fish.", "Tom does not eat fish.", "Tom never eats fish.", "Tom no longer eats fish."],
    ["The alarm is switched on.", "The alarm is switched off."],
    ["My left knee hurts.", "My right knee hurts."],
    ["The dentist is on 12 May.", "The dentist is on 21 May.", "The dentist is on 12 June."],
    ["The bins go out on Monday.", "The bins go out on Tuesday.", "The bins go out before Monday."],
    ["We ordered five chairs.", "We ordered six chairs.", "We ordered fifteen chairs."],
    ["The service runs on Python 3.11.", "The service runs on Python 3.12."],
    ["The ferry leaves at 9:00.", "The ferry leaves at 21:00.", "The ferry leaves at 9:30."],
    ["Ben lent money to Carl.", "Carl lent money to Ben."],
    ["Jonas isst Fleisch.", "Jonas isst kein Fleisch."],
    ["她吃肉。", "她不吃肉。"],
    ["It is 5 degrees.", "It is -5 degrees.", "It is 5% degrees."],
    ["She is coming.", "Is she coming?"],
    ["The plan costs $5.", "The plan costs €5."],
    ["I take vitamin A.", "I take vitamin B.", "I take vitamin."],
    ["The box is in the car.", "The box is on the car."],
]
SAME = [
    ("Ada drinks tea in the morning.", "Ada drinks tea in the morning!"),
    ("We ordered five chairs.", "We ordered 5 chairs"),
    ("I don't eat meat.", "I do not eat meat."),
    ("The plan costs 1,200 euros.", "The plan costs 1200 euros."),
    ("Ada takes 25mg of metoprolol.", "Ada takes 25 mg of metoprolol."),
    ("It's the red key.", "It is the red key."),
    ("Ann lives in Berlin.", "ann lives in berlin"),
    ("The key is under the mat.", "Key is under the mat!"),
    ("I'm allergic to nuts", "I am allergic to nuts."),
    ("I'm allergic to nuts", "I am really allergic to nuts!"),
    ("I don't eat meat.", "I do not eat meat"),
    ("She’ll come on Friday.", "She'll come Friday."),
    ("It's due on Friday.", "It is due Friday"),
    ("Ada has five cats.", "Ada has 5 cats"),
    ("Ada takes 5 mg of ramipril.", "Ada takes 5mg of ramipril"),
    ("The rent is 1,200 euros.", "The rent is 1200 euros"),
    ("The discount is 5 %.", "The discount is 5%"),
    ("One pillow in the room is enough; Ada coughs.", "one pillow in her room is enough: Ada coughs"),
    ("Oh, Ben moved to Leeds, actually.", "Ben moved to Leeds."),
    ('Her cat is called "Mia".', "Her cat is called Mia"),
    ("Is Ann married?", "is Ann married ?"),
    ("Ich esse kein Fleisch.", "ich esse kein Fleisch!"),
    ("我不吃肉。", "我不吃肉"),
    ("मैं शाकाहारी हूँ।", "मैं शाकाहारी हूँ"),
]

INVOICES = [f"Paid the plumber invoice {number}: {number * 17} euros." for number in range(441, 453)]
DOSES = [
    f"Ada takes {dose} of ramipril."
    for dose in ("5 mg", "10 mg", "2.5 mg", "2,5 mg", "50 mg", "5 g", "5 µg", "two mg", "1.25 mg", "5 mg/d", "5-10 mg")
]
DOOR_CODES = [
    f"The door code is {code}."
    for code in ("4417", "4471", "4417#", "*4417", "44-17", "4417A", "4417a", "04417", "-4417", "Xk7Q", "xk7q", "XK7q")
]
BLOOD_PRESSURES = [
    f"Blood pressure {up}/{down} at {hour}:00." for up in (128, 135) for down in (78, 82) for hour in (9, 21)
]
BLOOD_PRESSURES += [
    "Blood pressure 128:78 at 9:00.",
    "Blood pressure 12.8/7.8 at 9:00.",
    "Blood pressure 128/78 at 9:30.",
]
RUNS = [
    f"Benchmark run on {machine}: p99 {milliseconds} ms with Python {version}"
    for machine in ("c7g", "c7i")
    for milliseconds in ("41", "4.1", "41.2")
    for version in ("3.11", "3.12")
]
NAMES = [
    f"{name} lives in Berlin."
    for name in (
        "Anna",
        "Hanna",
        "Anne",
        "Ann",
        "anna-lena",
        "Joanna",
        "Аня",
        "Ганна",
        "O'Brien",
        "Brien",
        "李娜",
        "李娟",
    )
]
NEGATIONS = [
    f"Ben {eats} meat on Sundays."
    for eats in ("eats", "doesn't eat", "never eats", "no longer eats", "only eats", "ate", "may eat", "hardly eats")
] + ["Does Ben eat meat on Sundays?", "Ben eats no meat on Sundays.", "Ben eats meat except on Sundays."]
OTHER_NEGATIONS = [
    "Ich esse Fleisch.", "Ich esse kein Fleisch.", "Ich esse nie Fleisch.", "Je mange de la viande.",
    "Je ne mange pas de viande.", "Como carne.", "No como carne.", "Mangio carne.", "Non mangio carne.",
    "Não como carne.", "Ik eet vlees.", "Ik eet geen vlees.", "Я ем мясо.", "Я не ем мясо.", "我吃肉。", "我不吃肉。",
    "मैं मांस खाता हूँ।", "मैं मांस नहीं खाता हूँ।", "أنا آكل اللحم", "أنا لا آكل اللحم",
]  # fmt: skip
DATES = [
    f"The dentist has time {when}."
    for when in (
        "on 12 May", "on 13 May", "on 12 June", "on 2026-05-12", "on 2026-12-05", "on Monday", "on Tuesday", "tomorrow",
        "today", "at 9:00", "at 21:00", "at 9 am", "at 9 pm", "before 9:00", "after 9:00", "in May 2026", "in May 2027",
    )
]  # fmt: skip
STATES = [
    f"The {thing}."
    for thing in (
        "key hangs on the left", "key hangs on the right", "heating is on", "heating is off", "shop is open",
        "shop is closed", "red key is lost", "blue key is lost", "mother pays", "father pays", "key is in the drawer",
        "key is on the drawer", "bonds go up", "bonds go down", "dog bit the man", "man bit the dog",
        "user sent her the file", "user sent him the file",
    )
]  # fmt: skip
CODES = [
    f"The order is {code}"
    for code in (
        "INV-00441", "INV-00414", "inv-00441", "B-AB 1234", "B-AB 1243", "3f2504e0-4f89", "3f2504e0-4f98",
        "ada@example.org", "ada@example.com", "https://example.org/a", "https://example.org/b", "report-v2.pdf",
        "report-v3.pdf", "+49 30 1234567", "+49 30 1234576", "C", "C++", "C#", "A+", "A-", "$5", "€5", "5%", "5", "-5",
        "<5", ">5", "5'", '5"', "m²", "m2", "½",
    )
]  # fmt: skip
KINDS = [
    INVOICES, DOSES, DOOR_CODES, BLOOD_PRESSURES, RUNS, NAMES, NEGATIONS, OTHER_NEGATIONS, DATES, STATES, CODES,
]  # fmt: skip


def say_the_same(text: str, other: str) -> bool:
    return Reading.of(text).says_the_same(Reading.of(other))


@pytest.mark.parametrize(("one", "other"), [pair for texts in DISTINCT for pair in permutations(texts, 2)])
def test_texts_that_differ_in_what_they_say_both_stay(one: str, other: str) -> None:
    assert not say_the_same(one, other)


@pytest.mark.parametrize("texts", KINDS)
def test_no_two_of_a_kind_say_the_same(texts: list[str]) -> None:
    assert len(texts) > 9
    same = [(one, other) for place, one in enumerate(texts) for other in texts[:place] if say_the_same(one, other)]

    assert same == []


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_that_differ_in_how_they_are_written_say_the_same(one: str, other: str) -> None:
    assert say_the_same(one, other)
    assert say_the_same(other, one)


@given(
    before=st.text(st.characters(codec="utf-8"), max_size=40),
    after=st.text(st.characters(codec="utf-8"), max_size=40),
    numbers=st.lists(st.integers(0, 10**9), min_size=2, max_size=2, unique=True),
)
def test_texts_with_different_numbers_never_say_the_same(before: str, after: str, numbers: list[int]) -> None:
    one, other = (f"{before} {number} {after}" for number in numbers)

    assert not say_the_same(one, other)


@given(text=st.text(st.characters(codec="utf-8"), max_size=80))
def test_a_text_says_what_it_says(text: str) -> None:
    assert say_the_same(text, text)


numbers = st.integers(-(10**9), 10**9) | st.decimals(-1000, 1000, places=2)
sentences = st.sampled_from(["{} euros are due.", "The code is {}", "({})", "at {}:30?", "{}", "from {} mg", "v{}!"])


@given(one=numbers, other=numbers, sentence=sentences)
def test_one_sentence_with_two_numbers_never_says_the_same(one: object, other: object, sentence: str) -> None:
    assert say_the_same(sentence.format(one), sentence.format(other)) == (str(one) == str(other))


@given(st.lists(numbers, min_size=2, max_size=4, unique_by=str), st.randoms(use_true_random=False))
def test_numbers_in_another_order_are_other_numbers(values: list[object], chance: Any) -> None:
    moved = chance.sample(values, len(values))

    said = [" to Ann, ".join(map(str, several)) for several in (values, moved)]

    assert say_the_same(*said) == (list(map(str, values)) == list(map(str, moved)))


@given(st.text(), st.text(alphabet=st.characters(categories=["Lu", "Ll", "Lo", "Nd"]), min_size=1))
def test_a_text_never_says_the_same_as_with_another_word_at_its_place(text: str, word: str) -> None:
    assert not say_the_same(f"{text} {word}", f"{text} {word}x1")


def told(day: int, category: str = "episodic", **changes: Any) -> Wording:
    created_at = datetime(2026, 3, day, 8, tzinfo=UTC)
    return Wording.of(memory(content="Ada took her pills.", category=category, created_at=created_at, **changes))


def test_what_happens_repeats_only_what_happened_on_its_day() -> None:
    first = datetime(2026, 3, 1, tzinfo=UTC)

    assert told(1).repeats(told(1))
    assert not told(1).repeats(told(8))
    assert told(8, occurred_from=first).repeats(told(1))
    assert not told(1, "factual", occurred_from=first).repeats(told(8))


@pytest.mark.parametrize("category", ["factual", "preference", "procedural", "behavioral"])
def test_what_is_so_on_any_day_repeats_what_was_told_on_another(category: str) -> None:
    assert told(1, category).repeats(told(8, category))
    assert told(1, category).repeats(told(8))


@pytest.mark.parametrize("content", ["", UNREADABLE_TEXT])
def test_a_text_that_is_not_open_repeats_nothing(content: str) -> None:
    closed = Wording.of(memory(content=content, sealed=b"sealed"))

    assert not closed.repeats(closed)


PARAPHRASES = [
    ("User: My dog is called Milo.", "User: I have a dog named Milo."),
    ("User: My dog's name is Milo.", "User: My dog is called Milo!"),
    ("User: I live in Ghent.", "User: I reside in Ghent."),
    ("User: My favourite colour is red.", "User: my favorite color is red"),
    ("User: I have 2 kids.", "User: We have two children."),
]
NO_PARAPHRASES = [
    ("User: My dog is called Milo.", "User: My cat is called Milo."),
    ("User: I called Ana.", "User: My name is Ana."),
    ("User: I live in Ghent.", "User: I'm back in Ghent."),
    ("User: I have two kids.", "User: I have three kids."),
    ("User: I live in Ghent.", "User: I do not live in Ghent."),
    ("User: I live in Ghent.", "Ada: I live in Ghent."),
    ("User: My dog bit Ana.", "User: Ana bit my dog."),
    ("User: I like his flat.", "User: I like her apartment."),
    ("", ""),
]


@pytest.mark.parametrize(("one", "other"), PARAPHRASES)
def test_other_words_of_the_same_meaning_are_a_paraphrase(one: str, other: str) -> None:
    assert Reading.of(one).paraphrases(Reading.of(other))
    assert Reading.of(other).paraphrases(Reading.of(one))


@pytest.mark.parametrize(("one", "other"), NO_PARAPHRASES)
def test_another_value_name_or_order_is_no_paraphrase(one: str, other: str) -> None:
    assert not Reading.of(one).paraphrases(Reading.of(other))


@pytest.mark.parametrize("kind", [*KINDS, *DISTINCT], ids=lambda kind: kind[0])
def test_what_differs_in_one_thing_is_no_paraphrase(kind: list[str]) -> None:
    for one, other in permutations(kind, 2):
        assert not Reading.of(one).paraphrases(Reading.of(other))
