"""The answer to `assemble`, and the check that a body is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from remembrancer_client.errors import InvalidAnswer
from remembrancer_client.injected_text import AFTER, BEFORE

Message = Mapping[str, Any]

_ROLES = ("system", "developer", "user", "human")
"""Of the messages that the service may add to."""


@dataclass(frozen=True)
class Assembled:
    """Messages ready to send.

    `messages` is the very object that was given when nothing was injected. `reason` is empty when nothing is missing;
    else it says what is, in the service's words (`cold_timeout`), or in the client's when there was no usable answer
    (`timeout`, `unreachable`, `invalid_answer`, `circuit_open`, `http_502`, `too_large`, or the code of a refusal).
    `injected` is the text that was added. `metadata` is the service's whole account, empty without an answer.
    """

    messages: Sequence[Message]
    reason: str = ""
    injected: str = ""
    memory_ids: tuple[str, ...] = ()
    request_id: str = ""
    elapsed_ms: float = 0.0
    metadata: Mapping[str, Any] = field(default_factory=dict)


def read(body: Any, messages: Sequence[Message], *, request_id: str) -> Assembled:
    """`body` as an answer about `messages`; InvalidAnswer when it is none, or changed what was sent."""
    if not isinstance(body, dict) or not isinstance(body.get("messages"), list):
        raise InvalidAnswer("The answer has no messages.")
    metadata = body.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("fallback_reason"), str):
        raise InvalidAnswer("The answer has no metadata.")
    ids = metadata.get("memory_ids")
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        raise InvalidAnswer("The answer does not say which memories it has.")
    together, injected = _placed(body["messages"], messages)
    return Assembled(together, metadata["fallback_reason"], injected, tuple(ids), request_id, 0.0, metadata)


def _placed(received: list[Any], sent: Sequence[Message]) -> tuple[Sequence[Message], str]:
    """The messages that were sent, the same objects, with the one that is new or longer; and what is new in it."""
    first = next((place for place, one in enumerate(sent) if place >= len(received) or received[place] != one), None)
    place = len(sent) if first is None else first
    if len(received) == len(sent) + 1:
        if received[place + 1 :] != list(sent[place:]) or not isinstance(received[place], dict):
            raise InvalidAnswer("The answer changed the messages.")
        text = received[place].get("content")
        if received[place].get("role") not in ("system", "user") or not isinstance(text, str):
            raise InvalidAnswer("The answer added something that is no text.")
        return [*sent[:place], received[place], *sent[place:]], text
    if len(received) != len(sent):
        raise InvalidAnswer("The answer lost or added messages.")
    if first is None:
        return sent, ""
    if received[place + 1 :] != list(sent[place + 1 :]):
        raise InvalidAnswer("The answer changed the messages.")
    return [*sent[:place], received[place], *sent[place + 1 :]], _added(received[place], sent[place])


def _added(after: Any, before: Message) -> str:
    """What was added to a message of the system or of a user: to its text, or as one more part."""
    for name in ("content", "parts") if before.get("role") in _ROLES else ():
        old, new = before.get(name), after.get(name) if isinstance(after, dict) else None
        if old != new and {**before, name: new} == after:
            if isinstance(new, str) and isinstance(old, str | None):
                return _added_text(new, old or "")
            if isinstance(new, list) and isinstance(old, list):
                return _added_part(new, old)
    raise InvalidAnswer("The answer changed a message.")


def _added_text(new: str, old: str) -> str:
    if old and new.startswith(old + BEFORE):
        return new[len(old) + len(BEFORE) :]
    if new.endswith(AFTER + old):
        return new[: len(new) - len(AFTER + old)]
    raise InvalidAnswer("The answer changed a text.")


def _added_part(new: Sequence[Any], old: Sequence[Any]) -> str:
    place = next((place for place, part in enumerate(old) if new[place : place + 1] != [part]), len(old))
    part = new[place] if [*new[:place], *new[place + 1 :]] == list(old) else None
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        raise InvalidAnswer("The answer changed the parts of a message.")
    return text if old else text.removesuffix(AFTER)
