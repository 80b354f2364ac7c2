"""Turns about the speaker, and what they are worth to own memories."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.ranking import ownership


@pytest.mark.parametrize(
    ("query", "is_own"),
    [
        ("Who is missing from our team?", True),
        ("Plan MY weekend", True),
        ("When did I see the surgeon?", True),
        ("I slept terribly last night.", False),
        ("What is the capital of Mongolia?", False),
        ("Explain mining", False),
        ("Wie heißt mein Hund?", True),
        ("Où est-ce que j'ai garé la voiture ?", True),
        ("¿Cuándo es nuestro aniversario?", True),
        ("Wat is onze wachtwoord?", True),
        ("我的猫叫什么？", True),
        ("Danke schön!", False),
        ("¿Cuál es la capital de Mongolia?", False),
        ("Who is Mia?", False),
    ],
)
def test_turns_about_the_speaker(query: str, is_own: bool) -> None:
    assert ownership.is_own(query) == is_own


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What colour is my bike?", True),
        ("my bike", True),
        ("Which desk is mine?", True),
        ("What did I order?", True),
        ("What do I like to drink?", True),
        ("How do I like my coffee?", True),
        ("I slept terribly last night.", False),
        ("Can I return my order?", False),
        ("May my daughter join?", False),
        ("What do I do when my bike is stolen?", False),
        ("How do I get a new key?", False),
        ("When do we open?", False),
        ("Where is our meeting room?", False),
        ("What is the capital of Mongolia?", False),
        ("Wie heißt mein Hund?", True),
        ("Was habe ich bestellt?", True),
        ("Darf ich meinen Hund mitbringen?", False),
        ("Wann öffnen wir?", False),
        ("¿De qué color es mi bicicleta?", True),
        ("¿Puedo devolver mi pedido?", False),
        ("我的猫叫什么？", True),
        ("我们的会议室在哪里？", False),
        ("", False),
    ],
)
def test_what_asks_for_the_own_things_of_the_speaker(query: str, expected: bool) -> None:
    assert ownership.asks_for_own(query) == expected


@given(query=st.text(max_size=80))
def test_whoever_asks_for_own_things_speaks_of_themselves(query: str) -> None:
    assert ownership.is_own(query) or not ownership.asks_for_own(query) or "myself" in query.lower()


@given(evidence=st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=20))
def test_own_memories_keep_their_evidence_and_are_overtaken_by_no_shared_one(
    evidence: list[tuple[float, bool]],
) -> None:
    before = np.array([value for value, _ in evidence])
    own = np.array([is_own for _, is_own in evidence], bool)

    after = ownership.favouring_own(before, own)

    assert after[own].tolist() == before[own].tolist()
    assert ((after >= 0) & (after <= before)).all()
    for shared in np.flatnonzero(~own):
        ahead = own & (before > before[shared] - ownership.OWN)
        assert (after[ahead] > after[shared]).all() or before[shared] <= ownership.OWN
