"""What of long messages is stored, and that no personal data stays in it."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.domain.capture import conversation
from remembrancer.domain.capture.long_texts import MESSAGE_CHARACTERS, SPEAKER_CHARACTERS, TURN_CHARACTERS
from remembrancer.domain.capture.turns import Conversation, Turn
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.personal_data.redaction import KINDS, Redaction
from remembrancer.ports.capture import Added
from remembrancer.usecases.capture.add import ConversationIntake, IntakeReceipt
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.redaction import Redactor
from tests.builders import AGENT_ID, ENVIRONMENT, NOW, ORG_ID, PROJECT_ID, SetClock

PERSONAL = {
    "phone": ["+1 415 555 2671", "(415) 555-2671", "+49 30 901820"],
    "email": ["ann.b+news@mail.example.co.uk"],
    "card": ["4111 1111 1111 1111", "5555-5555-5555-4444"],
}
SECRETS = [(kind, text) for kind, texts in PERSONAL.items() for text in texts]
FILLINGS = ("x" * 50, "word " * 10, "A sentence. ", "line\n", "日本語", "。")


@dataclass
class Store:
    """Keeps the turns that it is given, and knows one organization; stands for the queue, too, which is not used."""

    redaction: Redaction = field(default_factory=lambda: Redaction(KINDS))
    turns: Sequence[Turn] = ()

    async def organization(self, org_id: UUID) -> Organization:
        return Organization(org_id, bytes(32), redaction=self.redaction)

    async def add(
        self, principal: Principal, conversation: Conversation, turns: Sequence[Turn], *, once: Any = None
    ) -> Added:
        self.turns = turns
        return Added(conversation.conversation_id, list(range(1, len(turns) + 1)), frozenset())


def stored(store: Store, *messages: dict[str, Any]) -> IntakeReceipt:
    intake = ConversationIntake(
        conversations=store,  # type: ignore[arg-type]
        directory=store,  # type: ignore[arg-type]
        redactor=Redactor(find_phones),
        sealer=Keyless(),
        capture_queue=store,  # type: ignore[arg-type]
        clock=SetClock(NOW),
        new_id=uuid4,
    )
    principal = Principal(ORG_ID, PROJECT_ID, ENVIRONMENT, uuid4(), frozenset({"write"}), user_id="ada")
    request = conversation.parse({"agent_id": str(AGENT_ID), "messages": list(messages)}, now=NOW)
    return asyncio.run(intake.store(request, principal))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(SECRETS),
    st.sampled_from(FILLINGS),
    st.integers(TURN_CHARACTERS - 40, TURN_CHARACTERS + 5),
    st.booleans(),
)
def test_no_piece_has_part_of_a_number_that_stands_where_a_text_is_split(
    secret: tuple[str, str], filling: str, at: int, is_alone: bool
) -> None:
    kind, written = secret
    before = (filling * TURN_CHARACTERS)[:at]
    blank = " " if is_alone else "\n"
    store = Store()

    stored(store, {"role": "user", "content": f"{before}{blank}{written}{blank}{filling * 40}"})

    whole = "".join(turn.text for turn in store.turns)
    assert f"[{kind.upper()}]" in "".join(whole.split())
    assert not _leaks(whole, written)
    assert sum((Counter(turn.redactions) for turn in store.turns), Counter())[kind] <= 1


@pytest.mark.parametrize("secret", [written for _, written in SECRETS])
@pytest.mark.parametrize("from_end", [False, True])
def test_no_part_of_a_number_stays_where_the_middle_of_a_text_is_left_out(secret: str, from_end: bool) -> None:
    half = MESSAGE_CHARACTERS // 2
    for shift in range(-24, 25, 4):
        before, after = half + shift, half + 200
        if from_end:
            before, after = after, before
        store = Store()

        accepted = stored(store, {"role": "user", "content": f"{'x' * before} {secret} {'y' * after}"})

        assert accepted.skipped == {"cut": 1}
        assert not _leaks("".join(turn.text for turn in store.turns), secret)


def _leaks(text: str, secret: str) -> bool:
    """Whether four characters of the secret in a row are there."""
    return any(secret[place : place + 4] in text for place in range(len(secret) - 3))


def test_counts_of_replacements_are_those_of_each_piece() -> None:
    store = Store()
    filling = "A sentence. " * (TURN_CHARACTERS // 12)

    stored(store, {"role": "user", "content": f"+1 415 555 2671 {filling} ann@mail.example.co.uk and [PHONE]"})

    assert [turn.redactions for turn in store.turns] == [{"phone": 1}, {"email": 1, "phone": 1}]


def test_a_name_is_redacted_before_it_is_cut_and_the_cut_is_counted() -> None:
    store = Store()

    accepted = stored(
        store,
        {"role": "user", "content": "I keep bees.", "name": "x" * 58 + " +1 415 555 2671"},
        {"role": "user", "content": "I keep hens.", "name": "Ada"},
    )

    assert accepted.skipped == {"cut": 1}
    assert [turn.speaker for turn in store.turns] == ["x" * 58 + " [PHO…", "Ada"]
    assert len(store.turns[0].speaker or "") <= SPEAKER_CHARACTERS


def test_of_a_very_long_message_the_beginning_and_the_end_are_stored_and_counted() -> None:
    store = Store(Redaction())
    middle = "The tenant shall keep the stairs clean. " * 5000

    accepted = stored(
        store,
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": f"I keep bees. {middle} My locker code is 4417."},
    )

    assert accepted.skipped == {"system": 1, "cut": 1}
    assert store.turns[0].text.startswith("I keep bees.")
    assert store.turns[-1].text.endswith("My locker code is 4417.")
    assert sum(len(turn.text) for turn in store.turns) <= MESSAGE_CHARACTERS


def test_a_message_that_fits_is_stored_whole_in_as_many_pieces_as_it_needs() -> None:
    store = Store(Redaction())
    # Cut in the middle of what a turn may have: into more than sixteen pieces.
    paragraph = "x" * (TURN_CHARACTERS // 2 + 10)
    text = "\n\n".join([paragraph] * 31)

    accepted = stored(store, {"role": "user", "content": text})

    assert accepted.skipped == {}
    assert "\n\n".join(turn.text for turn in store.turns) == text
