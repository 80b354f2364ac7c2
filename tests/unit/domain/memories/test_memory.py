"""A memory's text in normal form, its visibility and its quality."""

import hmac
import unicodedata
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.memories.memory import SOURCES, STATUSES, fingerprint, normalise, quality, rated
from remembrancer.domain.personal_data import invisible_characters
from tests.builders import AGENT_ID, NOW, memory, new_memory

OTHER_AGENT = UUID("0b000000-0000-4000-8000-000000000002")
rough = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("ae \t\n\r\v\f\x00\x1c\x85\u2028\u0301\u00a0\u0344"))
)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("", ""),
        (" \t\r\n ", ""),
        ("\x00\x01\x7f", ""),
        ("plain", "plain"),
        ("  two   blanks\tand a tab ", "two blanks and a tab"),
        ("wide\u00a0\u3000blanks", "wide blanks"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one \n two", "one\ntwo"),
        ("one\n\n\n\n\ntwo", "one\n\ntwo"),
        ("one\n\ntwo", "one\n\ntwo"),
        ("page one\x0cpage two", "page one\npage two"),
        ("next\x85line\u2028and\u2029more", "next\nline\nand\nmore"),
        ("cafe\u0301", "café"),
        ("cafe\x00\u0301", "café"),
        ("bell\x07 and escape\x1b[31m", "bell and escape[31m"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
    ],
)
def test_text_has_one_normal_form(text: str, normal: str) -> None:
    assert normalise(text) == normal


@given(text=rough)
def test_what_is_normal_stays_as_it_is(text: str) -> None:
    normal = normalise(text)

    assert normalise(normal) == normal


@given(text=rough)
def test_normal_text_has_no_control_characters_and_no_needless_blanks(text: str) -> None:
    normal = normalise(text)

    assert unicodedata.is_normalized("NFC", normal)
    assert not any(unicodedata.category(letter) == "Cc" for letter in normal if letter != "\n")
    assert "\n\n\n" not in normal
    assert "  " not in normal
    assert all(line == line.strip() for line in normal.split("\n"))


@given(text=rough)
def test_no_word_is_lost(text: str) -> None:
    # Fillers count as letters of Unicode, and nobody sees them.
    seen = invisible_characters.removed(unicodedata.normalize("NFC", text))
    letters = [letter for letter in unicodedata.normalize("NFC", seen) if letter.isalnum()]

    assert [letter for letter in normalise(text) if letter.isalnum()] == letters


def test_the_fingerprint_is_keyed_and_tells_equal_texts_from_others() -> None:
    digest = fingerprint("Köln", key=b"k" * 32)

    assert digest == hmac.digest(b"k" * 32, b"content:" + sha256("Köln".encode()).digest(), "sha256")
    assert digest != fingerprint("Köln", key=b"l" * 32)
    assert digest != fingerprint("Koln", key=b"k" * 32)


def test_sealed_text_is_closed_then_open_or_redacted() -> None:
    closed = memory(content="", sealed=b"sealed")
    opened = replace(closed, content="The lift.")
    failed = replace(closed, content=UNREADABLE_TEXT)

    assert (closed.is_closed, opened.is_closed, failed.is_closed) == (True, False, False)
    assert (closed.is_unreadable, opened.is_unreadable, failed.is_unreadable) == (False, False, True)
    assert not memory(content=UNREADABLE_TEXT).is_unreadable


@pytest.mark.parametrize("status", STATUSES)
def test_only_an_active_memory_is_visible(status: str) -> None:
    assert memory(status=status).is_visible(agent_id=AGENT_ID, end_user=EVERYBODY, now=NOW) is (status == "active")


@pytest.mark.parametrize(
    ("expires_at", "visible"),
    [
        (None, True),
        (NOW + timedelta(microseconds=1), True),
        (NOW, False),
        (NOW - timedelta(days=1), False),
    ],
)
def test_a_memory_is_visible_until_it_expires(expires_at: datetime | None, visible: bool) -> None:
    assert memory(expires_at=expires_at).is_visible(agent_id=AGENT_ID, end_user=EVERYBODY, now=NOW) is visible


@pytest.mark.parametrize(
    ("valid_from", "visible"),
    [
        (None, True),
        (NOW + timedelta(microseconds=1), False),
        (NOW, True),
        (NOW - timedelta(days=1), True),
    ],
)
def test_a_memory_is_visible_from_the_moment_it_is_valid(valid_from: datetime | None, visible: bool) -> None:
    assert memory(valid_from=valid_from).is_visible(agent_id=AGENT_ID, end_user=EVERYBODY, now=NOW) is visible


@pytest.mark.parametrize(("agent_id", "visible"), [(AGENT_ID, True), (None, True), (OTHER_AGENT, False)])
def test_a_memory_is_visible_for_its_agent(agent_id: UUID | None, visible: bool) -> None:
    assert memory().is_visible(agent_id=agent_id, end_user=EVERYBODY, now=NOW) is visible


@pytest.mark.parametrize(
    ("owner", "asking", "visible"),
    [
        (None, NOBODY, True),
        (None, EVERYBODY, True),
        (None, EndUser("anna"), True),
        ("anna", EndUser("anna"), True),
        ("anna", EVERYBODY, True),
        ("anna", NOBODY, False),
        ("anna", EndUser("ben"), False),
        ("anna", EndUser("ANNA"), False),
        ("anna", EndUser("ann"), False),
    ],
)
def test_a_memory_of_an_end_user_is_hidden_from_every_other(owner: str | None, asking: EndUser, visible: bool) -> None:
    assert memory(user_id=owner).is_visible(agent_id=AGENT_ID, end_user=asking, now=NOW) is visible


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"source": "user_provided"}, 0.5 * 1.0),
        ({"source": "imported"}, 0.5 * 0.8),
        ({"source": "extracted"}, 0.5 * 0.7),
        ({"source": "inferred"}, 0.5 * 0.4),
        ({"tags": ("travel",)}, 0.35 + 0.15),
        ({"context": "They spoke of travel."}, 0.35 + 0.15),
        ({"tags": ("travel",), "context": "They spoke of travel."}, 0.35 + 0.3),
    ],
)
def test_quality_is_trust_in_the_source_completeness_and_length(changes: dict[str, Any], expected: float) -> None:
    long_enough = new_memory(content="x" * 40, **changes)
    half_as_long = new_memory(content="x" * 20, **changes)

    assert quality(long_enough) == pytest.approx(expected + 0.2)
    assert quality(half_as_long) == pytest.approx(expected + 0.1)


@given(
    source=st.sampled_from(SOURCES),
    content=st.text(max_size=200),
    context=st.none() | st.text(max_size=10),
    tags=st.lists(st.text(), max_size=2),
)
def test_quality_lies_between_zero_and_one(source: str, content: str, context: str | None, tags: list[str]) -> None:
    written = new_memory(source=source, content=content, context=context, tags=tuple(tags))

    assert 0.0 <= quality(written) <= 1.0


@given(st.floats(0, 1), st.integers(0, 10**9), st.integers(0, 10**9))
def test_feedback_moves_quality_towards_what_people_say_and_by_half_at_most(
    quality: float, positive: int, negative: int
) -> None:
    after = rated(quality, positive, negative)

    assert 0 <= after <= 1
    assert abs(after - quality) <= 0.5 * 1.000001
    assert rated(quality, positive + 1, negative) >= after - 0.1
    assert rated(quality, 0, 0) == quality


def test_praise_raises_and_complaint_lowers_quality() -> None:
    assert rated(0.5, 3, 0) > 0.5 > rated(0.5, 0, 3)
