"""Which memories a turn corrects: by example, for the chosen conversations, and for any text."""

from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.evaluation.conversations import Conversation, Label, read
from remembrancer.domain.memories.conflicts import DIFFERENCES
from remembrancer.domain.memories.corrections import MOST_LINKED, Candidate, Correction, is_told, linked
from tests.builders import NOW

CHOSEN = read([Path("benchmarks/conversations/chosen.txt")])
WORDS = """No Actually I was wrong not but 26 28 inches my the rear front wheel is it's Tuesday Thursday moved from to
any more don't take blue pills sister Tom , . ? : instead of now make that 9:30 12 May also if last year"""
texts = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join) | st.text(max_size=60)


def candidate(content: str, number: int = 1, *, is_near: bool = False) -> Candidate:
    return Candidate(UUID(int=number), content, "episodic", NOW, is_near)


def found(text: str, memory: str, *, is_near: bool = False) -> Correction | None:
    """What the text does to the memory, which stands beside another."""
    other = candidate("User: The cat likes the sofa.", 2)
    links = linked(f"User: {text}", [other, candidate(f"User: {memory}", is_near=is_near)])
    return next((correction for one, correction in links if one is not other), None)


@pytest.mark.parametrize(
    ("text", "memory", "differs_in"),
    [
        ("No, my rear wheel is 28 inches, not 26.", "My rear wheel is 26 inches.", "value"),
        ("Actually, my appointment is on Friday.", "My appointment is on Thursday at 10.", "day"),
        ("I was wrong about that. The door code is 4711.", "The door code is 4712.", "value"),
        ("I don't take the blue pills any more.", "I take the blue pills.", "negation"),
        ("We no longer live in Ghent.", "We live in Ghent.", "negation"),
        ("From now on I train on Wednesdays.", "I train on Mondays.", "day"),
        ("My dog isn't called Rex, it's Max.", "My dog is called Rex.", "negation"),
        ("The rent is 1,050 euros a month.", "The rent is 950 euros a month.", "value"),
    ],
)
def test_a_correction_of_a_memory_that_says_nothing_else_is_certain(text: str, memory: str, differs_in: str) -> None:
    assert found(text, memory) == Correction(differs_in, is_certain=True)


@pytest.mark.parametrize(
    ("text", "memory", "about"),
    [
        ("No, it's 28 inches.", "My rear wheel is 26 inches.", "My rear wheel is … inches"),
        ("Make that Friday.", "Let's meet on Thursday at noon.", "Let's meet on … at noon"),
        ("I said March but I meant May.", "The wedding is in March.", "The wedding is in …"),
        (
            "I don't take the blue pills any more.",
            "I take the blue pills every morning.",
            "I take the blue pills every morning",
        ),
        ("Actually it's Hanna, not Anna.", "My sister is called Anna.", "My sister is called …"),
    ],
)
def test_a_turn_may_mean_what_was_said_just_before(text: str, memory: str, about: str) -> None:
    near, far = found(text, memory, is_near=True), found("Make that 28.", memory)

    assert near is not None
    assert (near.is_certain, near.about) == (True, about)
    assert far is None


@pytest.mark.parametrize(
    "text",
    [
        "My sister's rear wheel is 28 inches, not 26.",
        "No, the front wheel is 28 inches.",
        "I also have a wheel of 28 inches.",
        "If the rear wheel was 28 inches, not 26, it would fit.",
        "Is the rear wheel 28 inches, not 26?",
        'The shop said "no, the rear wheel is 28 inches, not 26".',
        "Last year my rear wheel was 28 inches.",
        "Please forget my rear wheel of 26 inches.",
        "No, thanks.",
        "",
    ],
)
def test_other_persons_things_times_and_talk_correct_nothing(text: str) -> None:
    correction = found(text, "My rear wheel is 26 inches.")

    assert correction is None or not correction.is_certain


def test_a_memory_that_says_more_is_never_superseded() -> None:
    correction = found("No, my rear wheel is 28 inches, not 26.", "My rear wheel is 26 inches, and Theo is four.")

    assert correction is not None
    assert not correction.is_certain


def test_what_the_assistant_has_just_repeated_is_near() -> None:
    assert is_told("User: My rear wheel is 26 inches.", "Your rear wheel is 26 inches, so take this tyre.")
    assert not is_told("User: My rear wheel is 26 inches.", "Your rear wheel is large.")


@given(texts, st.lists(texts, max_size=4), st.booleans())
def test_any_texts_can_be_compared(text: str, memories: list[str], is_near: bool) -> None:
    candidates = [candidate(content, number, is_near=is_near) for number, content in enumerate(memories)]

    links = linked(text, candidates)

    assert len(links) <= MOST_LINKED
    assert len({one.id for one, _ in links}) == len(links)
    assert all(correction.differs_in in DIFFERENCES for _, correction in links)
    if any(correction.is_certain for _, correction in links):
        assert len(links) == 1


@given(texts)
def test_no_text_corrects_itself_for_certain(text: str) -> None:
    assert not any(correction.is_certain for _, correction in linked(text, [candidate(text)]))


def turns(conversation: Conversation, act: str, *, alike: bool) -> list[Label]:
    return [label for label in conversation.labels if label.act == act and bool(label.kind) == alike]


def test_the_chosen_conversations_are_read_as_documented() -> None:
    """Each label by itself, among all that the end user has said before; nothing was said just before."""
    linked_right = labelled = superseded_wrong = doubted_wrong = alike = 0
    for conversation in CHOSEN:
        order = list(conversation.turns)
        for label in [*turns(conversation, "correct", alike=False), *turns(conversation, "correct", alike=True)]:
            before = [conversation.turns[name] for name in order[: order.index(label.turn)]]
            known = [turn for turn in before if turn.role != "assistant"]
            candidates = [candidate(f"User: {turn.text}", number) for number, turn in enumerate(known)]
            links = linked(f"User: {conversation.turns[label.turn].text}", candidates)
            hit = any(known[one.id.int].id == label.target for one, _ in links)
            labelled += not label.kind
            linked_right += not label.kind and hit
            alike += bool(label.kind)
            superseded_wrong += bool(label.kind) and any(correction.is_certain for _, correction in links)
            doubted_wrong += bool(label.kind) and bool(links)

    assert linked_right >= 0.7 * labelled
    assert superseded_wrong == 0
    assert doubted_wrong <= 0.1 * alike
