"""The memories that are made of a model's proposals."""

from remembrancer.domain.capture import extracted, gate
from remembrancer.domain.capture.extracted import BEFORE_CHARACTERS, TURN_CHARACTERS
from remembrancer.domain.capture.extraction import Proposal
from remembrancer.domain.capture.gate import Line, Window
from remembrancer.domain.capture.turns import Conversation, Turn
from tests.builders import AGENT_ID, ENVIRONMENT, NOW, ORG_ID, PROJECT_ID, identifier

QUOTE = "I live in York."
FILLING = "The stairs are swept. "


def context_of(before: str, text: str) -> tuple[str, str]:
    """The context of the memory of QUOTE, and the part of it that its provenance points at."""
    turns = [
        Turn(identifier(1), "assistant", before, NOW, number=1, state="dropped"),
        Turn(identifier(2), "user", text, NOW, number=2, after=1),
    ]
    conversation = Conversation(
        identifier(99), ORG_ID, PROJECT_ID, ENVIRONMENT, AGENT_ID, "ada", "session", NOW, NOW, 1, turns
    )
    proposal = Proposal("User lives in York.", "factual", "User", None, QUOTE, (2,), "add", None)
    judgement = gate.judge([proposal], Window([Line(2, "user", None, text, NOW)]))
    (made,) = extracted.outcome(conversation, judgement, {}, is_reviewed=False).memories
    context, (start, end) = str(made.memory.context), (made.memory.provenance or {})["quote_at"]
    return context, context[start:end]


def test_a_turn_that_fits_is_whole_in_the_context() -> None:
    assert context_of("Hello!", f"{FILLING}{QUOTE}") == (f"Assistant: Hello!\nUser: {FILLING}{QUOTE}", QUOTE)


def test_what_is_left_out_of_a_context_shows_on_either_side() -> None:
    context, quoted = context_of("x" * 4000, FILLING * 170 + QUOTE + " " + FILLING * 190)

    before, said = context.split("\n")
    assert quoted == QUOTE
    assert before == "…" + "x" * (BEFORE_CHARACTERS - 1)
    assert said.startswith("User: …")
    assert said.endswith("…")
    assert len(said) <= TURN_CHARACTERS + len("User: …")
