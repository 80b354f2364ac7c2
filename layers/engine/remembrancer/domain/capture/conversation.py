"""Parses requests that add messages to a conversation."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.context import authored_text, chat_messages
from remembrancer.domain.context.authored_text import ROLES, Message
from remembrancer.domain.identity import agent_reference
from remembrancer.domain.memories.memory import normalise
from remembrancer.domain.memories.write_request import LATEST
from remembrancer.domain.requests.field_types import agent, end_user, moment_of, text, timestamp
from remembrancer.domain.requests.fields import Fields, Given
from remembrancer.errors import NothingToCapture


@dataclass(frozen=True, slots=True)
class Utterance:
    """The whole text of one message; `speaker` is the message's `name`, if it has one. `is_dated`: the message has a
    time of its own.
    """

    role: str
    text: str
    speaker: str | None
    observed_at: datetime
    is_dated: bool = False


@dataclass(frozen=True, slots=True)
class ConversationRequest:
    """A validated request; `skipped` counts the messages that are not stored, by reason.

    With `agent_name`, `agent_id` has no meaning until the name was resolved.
    """

    agent_id: UUID
    user_id: str | None
    session_id: str | None
    utterances: Sequence[Utterance]
    skipped: Mapping[str, int] = field(default_factory=dict)
    client_ref: str | None = None
    turn_id: str | None = None
    agent_name: str | None = None


NEW_CONVERSATION = Fields(
    "NewConversation",
    agent_id=agent(required=True),
    user_id=end_user(),
    session_id=text().described(description="Turns of one session continue one conversation."),
    messages=chat_messages.FIELD,
    observed_at=timestamp(),
    turn_id=text(),
    client_ref=text(),
)


def parse(body: object, *, now: datetime) -> ConversationRequest:
    """Raises InvalidRequest naming every bad field, unknown ones included; NothingToCapture where no message has a word
    of a user or an assistant.
    """
    given = NEW_CONVERSATION.read(body)
    observed_at = given["observed_at"] or now
    if observed_at > LATEST:
        given.fail("observed_at", "is out of range")
    messages = [message if isinstance(message, Mapping) else {} for message in given["messages"]]
    for index, message in enumerate(messages):
        _check_time(message, given, f"messages[{index}]")
        _check_shape(message, given, f"messages[{index}]")
    values = given.finish()
    utterances, skipped = heard(values["messages"], observed_at)
    if not utterances:
        raise NothingToCapture(skipped)
    reference: dict[str, Any] = agent_reference.fields_of(values["agent_id"], absent=UUID(int=0))
    named = {name: values[name] for name in ("user_id", "session_id", "client_ref", "turn_id")}
    return ConversationRequest(utterances=utterances, skipped=skipped, **named, **reference)


def heard(messages: Sequence[Message], observed_at: datetime) -> tuple[list[Utterance], Mapping[str, int]]:
    """What users and assistants said, in order, and the number of messages left out, by reason.

    Left out are messages of other roles (`system`, `tool`, …), those that have only tool calls, pictures or text that
    assembly injected (`empty`), what an assistant says while it calls a tool (`tool_call`), and texts that no user
    wrote (`not_written`): of hosts, of models to themselves, and pasted logs and code. A message without a time that
    can be read was said at `observed_at`.
    """
    utterances: list[Utterance] = []
    skipped: Counter[str] = Counter()
    for message in messages:
        role, text = authored_text.role_of(message), chat_messages.text_of(message)
        written = normalise(authored_text.authored(text) if role == "user" else authored_text.written(text))
        if reason := _left_out(message, role, text, written):
            skipped[reason] += 1
            continue
        name = message.get("name")
        speaker = normalise(name) if isinstance(name, str) else ""
        _, moment = _time_of(message)
        utterances.append(Utterance(role, written, speaker or None, moment or observed_at, moment is not None))
    return utterances, dict(skipped)


def spoken(role: str, speaker: str | None, text: str) -> str:
    """The turn's text in a memory, after its speaker."""
    return f"{speaker or role.capitalize()}: {text}"


def _left_out(message: Message, role: str, text: str, written: str) -> str:
    """The reason why a message is not kept; empty for one that is."""
    if role not in ROLES:
        return role if role in _OTHER_ROLES else "other"
    if not text.strip():
        return "empty"
    if not written:
        return "not_written"
    return "tool_call" if role == "assistant" and not authored_text.is_final(message) else ""


def _check_time(message: Message, given: Given, place: str) -> None:
    """Notes a time that cannot be read."""
    name, moment = _time_of(message)
    if name and moment is None:
        given.fail(f"{place}.{name}", "must be an ISO 8601 date-time, or seconds or milliseconds since 1970")


def _time_of(message: Message) -> tuple[str, datetime | None]:
    """The first of `TIME_FIELDS` that the message has, and when that says it was said; None if it cannot be read."""
    name = next((name for name in TIME_FIELDS if message.get(name) is not None), "")
    moment = _moment(message[name]) if name else None
    return name, None if moment is not None and moment > LATEST else moment


def _moment(value: object) -> datetime | None:
    """From ISO 8601, or from seconds or milliseconds since 1970; None for anything else."""
    if isinstance(value, str):
        try:
            return moment_of(value.strip())
        except (ValueError, OverflowError):
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e14:
        return None
    return datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS_FROM else value, UTC)


def _check_shape(message: Message, given: Given, place: str) -> None:
    """Notes content that is missing without a reason, or whose text this function would miss."""
    if authored_text.role_of(message) not in ROLES:
        return
    if message.get("content") is None and message.get("parts") is None and not any(map(message.get, _INSTEAD)):
        given.fail(f"{place}.content", "is missing; send its text")
    field = "content" if message.get("content") is not None else "parts"
    for index, part in enumerate(authored_text.parts_of(message)):
        if not authored_text.is_readable(part):
            kind = ".type" if isinstance(part, Mapping) and part.get("type") is not None else ""
            given.fail(f"{place}.{field}[{index}]{kind}", "is not a known kind of content; send its text as `text`")


CUT = "cut"
"""Counts in `skipped` messages that are stored, but not whole."""
TIME_FIELDS = ("timestamp", "created_at", "createdAt", "time", "date")
_MILLISECONDS_FROM = 1e11
"""Seconds until the year 5138; smaller numbers of milliseconds are before 1973."""
_OTHER_ROLES = ("system", "developer", "tool", "function")
_INSTEAD = (
    "tool_calls", "toolCalls", "function_call", "functionCall", "tool_call_id", "tool_invocations", "toolInvocations",
    "refusal", "audio", "images", "files", "attachments", "reasoning", "reasoning_content", "reasoning_details",
    "thinking", "thinking_blocks", "additional_kwargs", "error",
)  # fmt: skip
"""What messages without content have in its place."""
