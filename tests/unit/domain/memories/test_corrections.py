"""Which memories a turn corrects: by example, and for any text."""

import re
from dataclasses import replace
from uuid import UUID

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remembrancer.domain.memories import correction_cue, correction_cue_weights
from remembrancer.domain.memories.conflicts import DIFFERENCES
from remembrancer.domain.memories.corrected_clauses import BESIDE, CUT
from remembrancer.domain.memories.correction_features import FEATURES, Known, Said, Similarity, features, likelihoods
from remembrancer.domain.memories.correction_reading import body, parse, reading
from remembrancer.domain.memories.corrections import (
    LEAST_LIKELY,
    MOST_ABOUT,
    MOST_LINKED,
    Candidate,
    Correction,
    certain,
    compared_texts,
    linked,
    may_correct,
    similarity,
)
from tests.builders import NOW

WORDS = """No Actually I was wrong not but 26 28 inches my the rear front wheel is it's Tuesday Thursday moved from to
any more don't take blue pills sister Tom , . ? : instead of now make that 9:30 12 May also if last year"""
texts = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join) | st.text(max_size=60)


def candidate(content: str, number: int = 1, *, is_near: bool = False, similarity: float | None = None) -> Candidate:
    similar = None if similarity is None else alike(similarity)
    return Candidate(UUID(int=number), content, "episodic", NOW, is_near, similarity=similar)


def alike(cosine: float) -> Similarity:
    """The same for the wholes, sentences and clauses."""
    return Similarity(cosine, cosine, cosine)


def said(text: str, *, is_assistant: bool = False, before: str = "") -> Said:
    words = Said(text, is_assistant=is_assistant, before=before)
    return replace(words, cue=correction_cue.cue(words, vector=None, model=""))


def found(text: str, memory: str, *, is_near: bool = False, similarity: float | None = None) -> Correction | None:
    """What the text does to the memory, which stands beside another; that is far from the text."""
    other = candidate("User: The cat likes the sofa.", 2, similarity=None if similarity is None else 0.05)
    links = linked(said(text), [other, candidate(f"User: {memory}", is_near=is_near, similarity=similarity)])
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
        ("I said March but I meant May.", "The wedding is in March.", "The wedding is in March"),
        (
            "I don't take the blue pills any more.",
            "I take the blue pills every morning.",
            "I take the blue pills every morning",
        ),
        ("Actually it's Hanna, not Anna.", "My sister is called Anna.", "My sister is called Anna"),
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


@pytest.mark.parametrize(
    "text",
    [
        "My rear wheel stays at 28 inches",
        "The rear wheel hasn't changed, 28 inches",
        "The rear wheel is still 28 inches.",
        "If the rear wheel was 28 inches it would fit.",
    ],
)
def test_what_is_as_it_was_or_only_supposed_corrects_nothing(text: str) -> None:
    assert not may_correct(text)
    assert found(text, "My rear wheel is 26 inches.", similarity=0.9) is None


@pytest.mark.parametrize(
    "text",
    [
        "The saddle stays. My rear wheel is 28 inches",
        "My rear wheel is 28 inches, the front one stays",
        "No, my rear wheel is still 28 inches, not 26.",
    ],
)
def test_a_turn_that_says_more_than_that_may_correct(text: str) -> None:
    assert may_correct(text)


def test_a_memory_that_says_more_is_never_superseded() -> None:
    correction = found(
        "No, my rear wheel is 28 inches, not 26.",
        "My rear wheel is 26 inches, and Theo is four.",
        similarity=0.7,
    )

    assert correction is not None
    assert not correction.is_certain


def test_what_else_a_memory_says_is_not_said_again() -> None:
    """It would be found and forgotten with the other memory alone."""
    correction = found("Wraps are no longer a thing.", "Anil brings wraps. He owes me money.", similarity=0.7)

    assert correction is not None
    assert correction.about == "Anil brings wraps"


def test_the_turn_before_tells_which_clause_is_meant() -> None:
    memory = candidate("User: 3 hours, on Tuesdays. I work for a wine importer", similarity=0.7)
    asked = said("No longer! It's a cheese company now", before="You told me that you work for a wine importer.")

    ((_, correction),) = linked(asked, [memory])

    assert correction.about == "I work for a wine importer"


@pytest.mark.parametrize(
    ("text", "memory", "about"),
    [
        ("Actually I moved to 3 Quayside.", "I live at 14 Elm Road, and I like tea.", "I live at 14 Elm Road"),
        ("It moved to 21:00 now", "Then the ferry comes to 356 dollars.", "Then the ferry comes to 356 dollars"),
        ("No, 21:00.", f"We like {'very ' * 40}much tea. They sing at 20:00.", "They sing at …"),
        ("No, 28 now.", f"It is 26 for {'blue ' * 40}wheels.", f"It is … for {'blue ' * 21}…"),
        ("Now it is late.", f"We like {'very ' * 40}much tea. They sing {'very ' * 40}loud.", ""),
        ("My rear wheel is now 28.", "My rear wheel is 26. I like tea.", ""),
        ("Now it is 5.", "Ida is 4. We like tea. Mats is 4. We like beer. Tom is 4.", ""),
    ],
)
def test_a_note_quotes_what_is_meant_and_no_more(text: str, memory: str, about: str) -> None:
    correction = found(text, memory, is_near=True, similarity=0.7)

    assert correction is not None
    assert correction.about == about


@given(texts, texts, st.booleans())
@example("C", "B.:0", False)
def test_a_note_is_short_and_says_what_the_turn_does_not(text: str, memory: str, is_near: bool) -> None:
    links = linked(said(text), [candidate(f"User: {memory}", is_near=is_near, similarity=0.9)])

    for _, correction in links:
        about = correction.about
        assert len(about) <= MOST_ABOUT
        assert about.count("(") == about.count(")")
        assert about.count('"') % 2 == 0
        assert not about or reading(about).words - reading(text).words
        whole = [word for quote in about.split(BESIDE) for word in quote.split() if CUT not in word]
        assert all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", body(memory)) for word in whole)


def test_without_a_vector_nothing_is_only_likely() -> None:
    assert found("No, my rear wheel is 28 inches, not 26.", "My rear wheel is 26 inches, and Theo is four.") is None


@given(texts, texts, st.lists(st.tuples(texts, st.floats(0, 1)), max_size=4), st.booleans(), st.booleans())
def test_any_texts_can_be_compared(
    text: str, before: str, memories: list[tuple[str, float]], is_near: bool, is_assistant: bool
) -> None:
    candidates = [
        candidate(content, number, is_near=is_near, similarity=similarity)
        for number, (content, similarity) in enumerate(memories)
    ]

    links = linked(said(text, is_assistant=is_assistant, before=before), candidates)

    assert len(links) <= MOST_LINKED
    assert len({one.id for one, _ in links}) == len(links)
    assert all(correction.differs_in in DIFFERENCES for _, correction in links)
    if any(correction.is_certain for _, correction in links):
        assert len(links) == 1
        assert not is_assistant


@given(texts)
def test_no_text_corrects_itself_for_certain(text: str) -> None:
    assert certain(text, [candidate(text)]) is None


@given(texts, texts, st.lists(st.tuples(texts, st.floats(0, 1)), min_size=1, max_size=4))
def test_each_feature_is_finite_and_does_not_depend_on_the_order(
    text: str, before: str, memories: list[tuple[str, float]]
) -> None:
    known = [Known(parse(content), alike(cosine)) for content, cosine in memories]

    figures = features(said(text, before=before), known)

    assert figures.shape == (len(known), len(FEATURES))
    assert np.isfinite(figures).all()
    assert np.allclose(features(said(text, before=before), known[::-1])[::-1], figures)


def test_a_turn_is_likelier_to_correct_what_has_another_value_of_the_same() -> None:
    same = [
        Known(parse("User: My rear wheel is 26 inches, and Theo is four."), alike(0.6)),
        Known(parse("User: I like soup."), alike(0.1)),
    ]

    corrects = likelihoods(said("Turns out the rear wheel is 28 inches"), same)
    repeats = likelihoods(said("My rear wheel is 26 inches"), same)

    assert corrects[0] > LEAST_LIKELY > corrects[1]
    assert repeats[0] < corrects[0]


def test_what_was_said_just_before_tells_what_a_turn_is_about() -> None:
    memories = ["User: I work for a wine importer.", "User: My sister lives in Cadiz."]
    known = [Known(parse(content), alike(0.2), is_of_session=False) for content in memories]

    asked = likelihoods(
        said("Used to! It's a cheese company now", before="You work for a wine importer, right?"), known
    )
    alone = likelihoods(said("Used to! It's a cheese company now"), known)

    assert asked[0] > alone[0]
    assert asked[0] > asked[1]


@pytest.mark.parametrize(
    ("corrects", "another"),
    [
        ("Turns out my rear wheel is 28 inches.", "My rear wheel is 28 inches."),
        ("They moved the rehearsal to Monday.", "The rehearsal is on Monday."),
        ("I was wrong about that, it is Lena who drives.", "Lena drives, and I like that."),
    ],
)
def test_words_tell_whether_a_turn_corrects_anything(corrects: str, another: str) -> None:
    assert correction_cue.is_worth_comparing(said(corrects))
    assert said(corrects).cue > said(another).cue


def test_words_that_say_so_are_always_compared() -> None:
    unlikely = correction_cue.LEAST - 1

    assert correction_cue.is_worth_comparing(Said("No, my rear wheel is 28 inches, not 26.", cue=unlikely))
    assert not correction_cue.is_worth_comparing(Said("I like soup.", cue=unlikely))


def test_names_and_numbers_are_read_as_such() -> None:
    read = correction_cue.figures(said("Ask Lena, not Tom. At 9:30!"))

    assert {"user:", "ask @", "@ ,", "not @", "<time> !", "ask … ,", "^ ask", "! $", "length 2"} <= read
    assert "lena" not in read


def test_a_long_answer_before_a_turn_says_no_more_than_its_end() -> None:
    end = "Shall I book the large van for you on the ninth then?"
    long = said("No, the small one.", before="The vans are all in the yard behind the shop. " + end)

    assert "before book" in correction_cue.figures(long)
    assert correction_cue.figures(long) == correction_cue.figures(said("No, the small one.", before=end))
    assert "before nothing" in correction_cue.figures(said("No, the small one."))


@given(texts)
def test_a_vector_counts_for_its_own_model_alone(text: str) -> None:
    vector = np.ones(384, np.float32)
    known = correction_cue.cue(said(text), vector=vector, model=correction_cue_weights.MODEL)
    other = correction_cue.cue(said(text), vector=np.ones(8, np.float32), model="another")

    assert np.isfinite(known)
    assert other == correction_cue.cue(said(text), vector=None, model=correction_cue_weights.MODEL)


def test_sentences_of_a_turn_are_compared_with_clauses_of_a_memory() -> None:
    memory = "User: I work in Leeds, and Theo is four."
    vector = np.array([1.0, 0.0], np.float32)

    assert compared_texts("I moved. It is York now.", [memory]) == (
        ["I moved.", "It is York now."],
        [["I work in Leeds", "Theo is four."]],
    )
    assert similarity(0.4, vector, vector[None], -vector[None]) == Similarity(0.4, -1.0, -1.0)
