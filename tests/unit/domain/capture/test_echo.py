"""What an assistant repeats of memories is recognised, and what it adds is not lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture.echo import is_echo

COFFEE = "The coffee machine is in the kitchen on floor 3."
LISBON = "User: I moved to Lisbon in May."


@pytest.mark.parametrize(
    "text",
    [
        COFFEE,
        "I remember: the coffee machine is in the kitchen on floor 3.",
        "Sure! The coffee machine? In the kitchen, on floor 3.",
        "So you moved to Lisbon in May, right?",
        "You moved to Lisbon in May. And the coffee machine is in the kitchen, isn't it?",
    ],
)
def test_what_repeats_memories_is_an_echo(text: str) -> None:
    assert is_echo(text, [LISBON, COFFEE])


@pytest.mark.parametrize(
    "text",
    [
        "The coffee machine is in the kitchen on floor 4.",
        "Did you move to Porto in May?",
        "You moved to Lisbon in May. Shall I book the flight for Friday?",
        "Is your sister a dentist?",
        "OK.",
        "",
    ],
)
def test_another_value_or_anything_more_is_no_echo(text: str) -> None:
    assert not is_echo(text, [LISBON, COFFEE])


@pytest.mark.parametrize(
    ("memory", "repeated", "another"),
    [
        ("मुझे मूंगफली से एलर्जी है", "मुझे मूंगफली से एलर्जी है।", "मुझे मूंगफल और माँ से एलर्जी ही"),
        ("शर्मा जी की बिल्ली काली है", "शर्मा जी की बिल्ली काली है।", "शर्म जा का बल्ला कल हो"),
        ("أَنَا أَعِيشُ فِي القَاهِرَةِ", "أَنَا أَعِيشُ فِي القَاهِرَةِ.", "أَنْتَ عَاشَ فِي قَهْرٍ"),
        ("שָׂרָה גָּרָה בְּחֵיפָה", "שָׂרָה גָּרָה בְּחֵיפָה.", "שִׁירָה גֵּרָה בְּחוֹף"),
        ("நான் சென்னையில் வசிக்கிறேன்", "நான் சென்னையில் வசிக்கிறேன்.", "நீ சென்ன வாசி"),
        ("আমি ঢাকায় থাকি", "আমি ঢাকায় থাকি।", "আমা ঢেকে থাকা"),
        ("నేను హైదరాబాదులో నివసిస్తున్నాను", "నేను హైదరాబాదులో నివసిస్తున్నాను.", "నాను హదరబద నవసస"),
        ("ഞാൻ കൊച്ചിയിൽ താമസിക്കുന്നു", "ഞാൻ കൊച്ചിയിൽ താമസിക്കുന്നു.", "ഞാൻ കച്ച തമസക്കന്ന"),
        ("අපි ශ්‍රී ලංකාවේ ජීවත් වෙමු", "අපි ශ්‍රී ලංකාවේ ජීවත් වෙමු.", "අප ශර ලක ජවත වම"),
        ("من در تهران زندگی می‌کنم", "من در تهران زندگی می‌کنم.", "من در تهران زندگی نمی‌کنم و می کنم"),
    ],
)
def test_words_with_marks_are_compared_as_wholes(memory: str, repeated: str, another: str) -> None:
    assert is_echo(repeated, [memory])
    assert not is_echo(another, [memory])


TOLD = "User: I take 5 mg of ramipril every morning before breakfast. My sister Anna lives in Leeds."


@pytest.mark.parametrize(
    ("memory", "text"),
    [
        *(
            (TOLD, text)
            for text in (
                "You take 10 mg of ramipril every morning before breakfast.",
                "You take 5 mg of enalapril every morning before breakfast.",
                "You take 5 mg of ramipril every evening before breakfast.",
                "You take 5 mg of ramipril every morning after breakfast.",
                "You no longer take 5 mg of ramipril every morning before breakfast.",
                "You never take 5 mg of ramipril every morning before breakfast.",
                "You don't take 5 mg of ramipril every morning before breakfast.",
                "You should take 5 mg of ramipril every morning before breakfast.",
                "Hanna takes 5 mg of ramipril every morning before breakfast.",
                "Your sister Hanna lives in Leeds.",
                "Your brother Anna lives in Leeds.",
            )
        ),
        ("User: I eat no meat.", "You eat meat."),
        ("User: I eat meat only on Sundays.", "You eat meat."),
        ("User: Ich esse kein Fleisch.", "Du isst Fleisch."),
        ("User: No como carne.", "Como carne."),
        ("User: Anna visited Ben in Paris.", "Ben visited Anna in Paris."),
        ("The heating in the kitchen on floor 3 is on.", "The heating in the kitchen on floor 3 is off."),
        ("The key to the red car hangs on the left.", "The key to the red car hangs on the right."),
        ("The meeting with Klaus moved to Friday at 9:00.", "The meeting with Klaus moved to Friday at 21:00."),
        ("The door code of the office is 4417.", "The door code of the office is 4471."),
        ("Python 3.11 runs on the build server.", "Python 3.12 runs on the build server."),
        ("It was -5 degrees in the garden yesterday.", "It was 5 degrees in the garden yesterday."),
    ],
)
def test_a_sentence_that_changes_anything_is_no_echo(memory: str, text: str) -> None:
    assert not is_echo(text, [memory])


@pytest.mark.parametrize(
    "text",
    [
        "You take 5 mg of ramipril every morning before breakfast.",
        "Remember, you take 5mg of ramipril every morning!",
        "As you said, you take 5 mg of ramipril every morning before breakfast, right?",
        "Your sister Anna lives in Leeds. You take 5 mg of ramipril, don't you?",
    ],
)
def test_what_is_repeated_in_other_forms_is_an_echo(text: str) -> None:
    assert is_echo(text, [TOLD])


@given(one=st.integers(-(10**6), 10**6), other=st.integers(-(10**6), 10**6), words=st.integers(1, 12))
def test_another_number_is_never_an_echo(one: int, other: int, words: int) -> None:
    sentence = "{} " + " ".join(["meter", "kitchen", "garden", "boiler"] * 3)[: words * 6]

    assert is_echo(f"Reading {sentence.format(other)}", [f"User: Reading {sentence.format(one)}"]) == (one == other)


def test_without_memories_nothing_is_an_echo() -> None:
    assert not is_echo(COFFEE, [])


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_is_compared(text: str, memories: list[str]) -> None:
    assert is_echo(text, memories) in {True, False}
