"""The answer to `assemble`, and the check that a body is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from remembrancer_client.errors import InvalidAnswer
from remembrancer_client.explanations import explanation
from remembrancer_client.injected_text import AFTER, BEFORE, without_blocks

Message = Mapping[str, Any]

_ROLES = ("system", "developer", "user", "human")
"""Of the messages that the service may add to."""
_MARKED_ROLES = ("system", "developer")
"""In which a text becomes a part beside one that ends with a mark of the provider's cache."""
MOST_PARTS = 2
"""That the service adds to one message: the directive and memories."""


@dataclass(frozen=True)
class Assembled:
    """Messages ready to send.

    `messages` is the very object that was given when nothing was injected. `reason` is empty when nothing is missing;
    else it says what is, in the service's words (`cold_timeout`), or in the client's when there was no usable answer
    (`timeout`, `unreachable`, `invalid_answer`, `circuit_open`, `http_502`, `too_large`, or the code of a refusal);
    `explanation` says it in sentences.
    `injected` is all text that was added, and `added` the text by the position of the given message that it was added
    to: before a text of the user, else to one of the system; -1 is a new system message before all. `metadata` is the
    service's whole account, empty without an answer.
    """

    messages: Sequence[Message]
    reason: str = ""
    injected: str = ""
    memory_ids: tuple[str, ...] = ()
    request_id: str = ""
    elapsed_ms: float = 0.0
    metadata: Mapping[str, Any] = field(default_factory=dict)
    added: tuple[tuple[int, str], ...] = ()

    def standing(self, before: int) -> str:
        """The text that was added to the first messages, so many, or to a new one before them."""
        return "".join(text for place, text in self.added if place < before)

    def after(self, before: int, given: Sequence[Message]) -> Sequence[Message]:
        """`given`, which were sent after so many messages, with their texts; the same object without any."""
        if not any(place >= before for place, _ in self.added):
            return given
        return self.messages[len(self.messages) - len(given) :]

    @property
    def explanation(self) -> str:
        """What is missing and what to do, in words; empty when nothing is missing."""
        return explanation(self.reason)


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
    together, added = _placed(body["messages"], messages)
    injected = "".join(text for _, text in added)
    return Assembled(together, metadata["fallback_reason"], injected, tuple(ids), request_id, 0.0, metadata, added)


def _placed(received: list[Any], sent: Sequence[Message]) -> tuple[Sequence[Message], tuple[tuple[int, str], ...]]:
    """The messages that were sent, the same objects, with those that are new or longer; and what is new in each."""
    more = len(received) - len(sent)
    if more not in (0, 1):
        raise InvalidAnswer("The answer lost or added messages.")
    new = [(-1, _text_of_new(one)) for one in received[:more]]
    longer = [place for place, one in enumerate(sent) if received[place + more] != one]
    added = (*new, *((place, _added(received[place + more], sent[place])) for place in longer))
    if not added:
        return sent, ()
    messages = list(sent)
    for place in longer:
        messages[place] = received[place + more]
    return [*received[:more], *messages], added


def _text_of_new(message: Any) -> str:
    text = message.get("content") if isinstance(message, dict) else None
    if not isinstance(text, str | list) or message.get("role") not in ("system", "user"):
        raise InvalidAnswer("The answer added something that is no text.")
    return text if isinstance(text, str) else _added_texts(text)


def _added(after: Any, before: Message) -> str:
    """What was added to a message of the system or of a user: to its text, or as one more part."""
    for name in ("content", "parts") if before.get("role") in _ROLES else ():
        old, new = before.get(name), after.get(name) if isinstance(after, dict) else None
        if old != new and {**before, name: new} == after:
            if isinstance(new, str) and isinstance(old, str | None):
                return _added_text(new, old or "")
            if isinstance(new, list) and isinstance(old, list):
                return _added_part(new, old)
            if isinstance(new, list) and isinstance(old, str | None) and before.get("role") in _MARKED_ROLES:
                return _added_part(new, [{"type": "text", "text": old}] if old else [])
    raise InvalidAnswer("The answer changed a message.")


def _added_text(new: str, old: str) -> str:
    if old and new.startswith(old + BEFORE):
        return new[len(old) + len(BEFORE) :]
    if new.endswith(AFTER + old):
        return new[: len(new) - len(AFTER + old)]
    raise InvalidAnswer("The answer changed a text.")


def _added_part(new: Sequence[Any], old: Sequence[Any]) -> str:
    """The text of the added parts: the directive and the memories may be one each."""
    place = next((place for place, part in enumerate(old) if new[place : place + 1] != [part]), len(old))
    end = place + len(new) - len(old)
    added = _added_texts(new[place:end])
    if [*new[:place], *new[end:]] != list(old):
        raise InvalidAnswer("The answer changed the parts of a message.")
    return added if old else added.removesuffix(AFTER)


def _added_texts(parts: Sequence[Any]) -> str:
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    known = [text for text in texts if isinstance(text, str)]
    # Two are blocks both: a copy of the user's own part is none.
    is_blocks = len(known) < 2 or not any(map(without_blocks, known))
    if not 1 <= len(texts) <= MOST_PARTS or len(known) < len(texts) or not is_blocks:
        raise InvalidAnswer("The answer changed the parts of a message.")
    return "".join(known)
