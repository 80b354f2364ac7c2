"""Whose the records of another product are here, and how they are sent."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from local.transfer import facts, lines
from local.transfer.lines import BATCH_BYTES, AgentMapping, ImportLine
from local.transfer.take_over.records import Conversation, Fact, Record

USER = "{user}"
"""In a pattern of namespaces: the label that is the end user."""
_MESSAGES = 2000


class NobodyError(Exception):
    """The file names no end user, and no option does."""


@dataclass(frozen=True, slots=True)
class Owners:
    """`names` are end users by their names in the file; `rest` is for what has none, or with `is_shared` nobody.

    `namespace` has a label for each of a record's: a text, `*` for any, and once `{user}`.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    rest: str | None = None
    is_shared: bool = False
    namespace: Sequence[str] = ()

    def owner(self, record: Fact | Conversation) -> str | None:
        """The end user; None for what is shared. Raises NobodyError."""
        named = record.user or self._in_namespace(record.namespace)
        if named is not None:
            return self.names.get(named, named)
        if self.rest is None and not self.is_shared:
            raise NobodyError
        return self.rest

    def _in_namespace(self, labels: Sequence[str]) -> str | None:
        pairs = list(zip(self.namespace, labels, strict=False))
        if len(self.namespace) != len(labels) or any(known not in {label, "*", USER} for known, label in pairs):
            return None
        return next((label for known, label in pairs if known == USER), None)


def import_line(fact: Fact, number: int, agent: str, owners: Owners) -> ImportLine:
    """The fact as a line of an import, with the problem for which the service would refuse it. Raises NobodyError."""
    owner = owners.owner(fact)
    fields = {**fact.fields, **({} if owner is None else {"user_id": owner})}
    return facts.checked(lines.importable(number, 0, fields, AgentMapping(all_of=agent)))


def refusal(conversation: Conversation, agent: str, owners: Owners) -> str:
    """Why the service would refuse its end user; empty where it would not. Raises NobodyError."""
    named = Fact(conversation.place, {"content": "Tea."}, conversation.user, conversation.namespace)
    return import_line(named, 0, agent, owners).problem


def requests(conversation: Conversation, agent: str, owners: Owners) -> Iterator[dict[str, Any]]:
    """Bodies of POST /v1/conversations, within the API's limits; several continue one session. Raises NobodyError."""
    known = {
        "agent_id": agent,
        "session_id": conversation.session_id,
        "observed_at": conversation.observed_at,
        "user_id": owners.owner(conversation),
    }
    body = {name: value for name, value in known.items() if value is not None}
    messages: list[Mapping[str, Any]] = []
    size = 0
    for message in conversation.messages:
        added = len(json.dumps(message, ensure_ascii=False).encode("utf-8", "backslashreplace")) + 1
        if messages and (len(messages) == _MESSAGES or size + added > BATCH_BYTES):
            yield {**body, "messages": messages}
            messages, size = [], 0
        messages.append(message)
        size += added
    yield {**body, "messages": messages}


def oldest_first(records: Iterable[Record], agent: str, owners: Owners) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The place and the requests of each conversation: a correction comes after what it corrects.

    Those that the service would refuse are left out. All wait in a temporary file until their turn.
    """
    waiting: list[tuple[tuple[bool, str], int, str]] = []
    with tempfile.TemporaryFile() as file:
        for record in records:
            if isinstance(record, Conversation) and not refusal(record, agent, owners):
                waiting.append((record.age, file.tell(), record.place))
                file.write(json.dumps(list(requests(record, agent, owners))).encode() + b"\n")
        for _, offset, place in sorted(waiting):
            file.seek(offset)
            yield place, json.loads(file.readline())
