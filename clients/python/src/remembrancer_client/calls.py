"""Every route but assembly as a value: what to send, and how to read the answer."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from remembrancer_client.end_users import end_user, is_blank
from remembrancer_client.errors import InvalidAnswer
from remembrancer_client.results import (
    Agent,
    Captured,
    Conflict,
    Conversation,
    Deleted,
    Directive,
    Erasure,
    FeedbackCounts,
    Forgotten,
    Found,
    Key,
    Memory,
    Readiness,
    Relation,
    SettledConflict,
    Written,
    parsed,
    parsed_all,
)

Answer = TypeVar("Answer")

_HEADER = re.compile(r"[!-~](?:[ -~]*[!-~])?")


@dataclass(frozen=True)
class Call(Generic[Answer]):
    """One request. A GET may be repeated; a POST too, by its own `Idempotency-Key`."""

    method: str
    path: str
    read: Callable[[Any], Answer]
    body: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    user_id: str | None = None
    accepted: tuple[int, ...] = ()
    """Statuses of 400 or more that are answers."""

    @property
    def end_user(self) -> Mapping[str, str]:
        """The header that names the end user; ValueError when neither a header nor the body can."""
        named, header = named_end_user(self.user_id)
        if named and not (
            isinstance(self.body, Mapping) and end_user(self.body.get("user_id")) == end_user(self.user_id)
        ):
            raise ValueError("user_id: must have visible ASCII characters only in this call, as a header names it")
        return header

    @property
    def is_repeatable(self) -> bool:
        """Whether sending it again does no more than sending it once."""
        return self.method == "GET" or "idempotency-key" in self.headers


@dataclass(frozen=True)
class Page(Generic[Answer]):
    """Some of a listing; `next_cursor` is None on the last page."""

    items: tuple[Answer, ...]
    next_cursor: str | None


def named_end_user(user_id: str | None) -> tuple[dict[str, str], dict[str, str]]:
    """Fields of the body and headers that name the end user: a header, unless the name has characters that none can.

    Raises BlankEndUser.
    """
    name = end_user(user_id)
    if name is None:
        return {}, {}
    return ({}, {"x-end-user-id": name}) if _HEADER.fullmatch(name) else ({"user_id": name}, {})


def write(memory: Mapping[str, Any], user_id: str | None) -> Call[Written]:
    return _post("/v1/memories", memory, lambda body: parsed(Written, body), user_id)


def write_many(memories: Sequence[Mapping[str, Any]], user_id: str | None) -> Call[tuple[Written, ...]]:
    return _post(
        "/v1/memories/batch",
        {"memories": list(memories)},
        lambda body: parsed_all(Written, _field(body, "results")),
        user_id,
    )


def query(body: Mapping[str, Any], user_id: str | None) -> Call[Found]:
    named, _ = named_end_user(user_id)
    return _post("/v1/memories/query", {**body, **named}, lambda answer: parsed(Found, answer), user_id)


def forget(body: Mapping[str, Any], user_id: str | None) -> Call[Forgotten]:
    named, _ = named_end_user(user_id)
    return _post("/v1/forget", {**body, **named}, lambda answer: parsed(Forgotten, answer), user_id)


def memory(memory_id: str, user_id: str | None) -> Call[Memory]:
    return Call("GET", _path("/v1/memories/{}", memory_id), lambda body: parsed(Memory, body), user_id=user_id)


def memories(parameters: Mapping[str, Any], user_id: str | None) -> Call[Page[Memory]]:
    return Call("GET", "/v1/memories", _page(Memory, "memories"), query=_query(parameters), user_id=user_id)


def change(memory_id: str, fields: Mapping[str, Any], version: int | None, user_id: str | None) -> Call[Memory]:
    path = _path("/v1/memories/{}", memory_id)
    return Call("PATCH", path, lambda body: parsed(Memory, body), fields, headers=_only(version), user_id=user_id)


def delete(memory_id: str, user_id: str | None) -> Call[Deleted]:
    return Call("DELETE", _path("/v1/memories/{}", memory_id), lambda body: parsed(Deleted, body), user_id=user_id)


def restore(memory_id: str, user_id: str | None) -> Call[Memory]:
    return _post(_path("/v1/memories/{}/restore", memory_id), None, lambda body: parsed(Memory, body), user_id)


def unsupersede(memory_id: str, keep_both: bool, version: int | None, user_id: str | None) -> Call[Memory]:
    path, body = _path("/v1/memories/{}/unsupersede", memory_id), {"keep_both": keep_both}
    return _post(path, body, lambda answer: parsed(Memory, answer), user_id, version)


def rate(memory_id: str, feedback: str, user_id: str | None) -> Call[FeedbackCounts]:
    path = _path("/v1/memories/{}/feedback", memory_id)
    return _post(path, {"feedback": feedback}, lambda body: parsed(FeedbackCounts, body), user_id)


def relate(memory_id: str, to: str, kind: str, confidence: float | None, user_id: str | None) -> Call[Relation]:
    body = _present({"to": to, "type": kind, "confidence": confidence})
    return _post(_path("/v1/memories/{}/relations", memory_id), body, lambda one: parsed(Relation, one), user_id)


def unrelate(memory_id: str, relation_id: str, user_id: str | None) -> Call[Relation]:
    path = _path("/v1/memories/{}/relations/{}", memory_id, relation_id)
    return Call("DELETE", path, lambda body: parsed(Relation, body), user_id=user_id)


def add_conversation(body: Mapping[str, Any], user_id: str | None) -> Call[Captured]:
    return _post("/v1/conversations", body, lambda answer: parsed(Captured, answer), user_id)


def conversation(conversation_id: str, user_id: str | None) -> Call[Conversation]:
    path = _path("/v1/conversations/{}", conversation_id)
    return Call("GET", path, lambda body: parsed(Conversation, body), user_id=user_id)


def conversations(parameters: Mapping[str, Any], user_id: str | None) -> Call[Page[Conversation]]:
    read = _page(Conversation, "conversations")
    return Call("GET", "/v1/conversations", read, query=_query(parameters), user_id=user_id)


def conflicts(parameters: Mapping[str, Any], user_id: str | None) -> Call[Page[Conflict]]:
    read = _page(Conflict, "conflicts")
    return Call("GET", "/v1/conflicts", read, query=_query(parameters), user_id=user_id)


def settle_conflict(conflict_id: str, action: str, keep: str | None, user_id: str | None) -> Call[SettledConflict]:
    path = _path("/v1/conflicts/{}/settle", conflict_id)
    return _post(path, _present({"action": action, "keep": keep}), lambda body: parsed(SettledConflict, body), user_id)


def put_directive(agent_id: str, text: str, injection_mode: str | None) -> Call[Directive]:
    body = _present({"text": text, "injection_mode": injection_mode})
    return Call("PUT", _path("/v1/agents/{}/directive", agent_id), lambda one: parsed(Directive, one), body)


def directive(agent_id: str) -> Call[Directive]:
    return Call("GET", _path("/v1/agents/{}/directive", agent_id), lambda body: parsed(Directive, body))


def directive_versions(agent_id: str, parameters: Mapping[str, Any]) -> Call[Page[Directive]]:
    def read(body: Any) -> Page[Directive]:
        before = _field(body, "next_before")
        return Page(parsed_all(Directive, _field(body, "versions")), None if before is None else str(before))

    return Call("GET", _path("/v1/agents/{}/directive/versions", agent_id), read, query=_query(parameters))


def make_agent(name: str) -> Call[Agent]:
    return _post("/v1/agents", {"name": name}, lambda body: parsed(Agent, body), None)


def agent(name: str) -> Call[Agent]:
    return Call("PUT", _path("/v1/agents/{}", name), lambda body: parsed(Agent, body))


def switch_agent(
    agent_id: str, enabled: bool | None, capture: bool | None, time_zone: str | None, placement: str | None
) -> Call[Agent]:
    body = _present({"enabled": enabled, "capture": capture, "time_zone": time_zone, "placement": placement})
    return Call("PATCH", _path("/v1/agents/{}", agent_id), lambda one: parsed(Agent, one), body)


def set_time_zone(time_zone: str | None, user_id: str) -> Call[None]:
    body = {"user_id": user_id, "time_zone": time_zone}
    return Call("PATCH", "/v1/end-user", lambda body: None, body, user_id=user_id)


def end_users(agent_id: str, parameters: Mapping[str, Any], user_id: str | None) -> Call[Page[str]]:
    def read(body: Any) -> Page[str]:
        return Page(tuple(str(_field(one, "user_id")) for one in _field(body, "end_users")), body.get("next_cursor"))

    return Call("GET", _path("/v1/agents/{}/end-users", agent_id), read, query=_query(parameters), user_id=user_id)


def agents(parameters: Mapping[str, Any]) -> Call[Page[Agent]]:
    return Call("GET", "/v1/agents", _page(Agent, "agents"), query=_query(parameters))


def make_key(body: Mapping[str, Any]) -> Call[Key]:
    return _post("/v1/keys", body, lambda answer: parsed(Key, answer), None)


def keys(parameters: Mapping[str, Any]) -> Call[Page[Key]]:
    return Call("GET", "/v1/keys", _page(Key, "keys"), query=_query(parameters))


def revoke_key(key_id: str) -> Call[Key]:
    return Call("DELETE", _path("/v1/keys/{}", key_id), lambda body: parsed(Key, body))


def erase(body: Mapping[str, Any]) -> Call[Erasure]:
    return _post("/v1/erasures", body, lambda answer: parsed(Erasure, answer), None)


def erasure(erasure_id: str) -> Call[Erasure]:
    return Call("GET", _path("/v1/erasures/{}", erasure_id), lambda body: parsed(Erasure, body))


def ready() -> Call[Readiness]:
    return Call("GET", "/v1/ready", lambda body: parsed(Readiness, body), accepted=(503,))


def _post(
    path: str, body: Any, read: Callable[[Any], Answer], user_id: str | None, version: int | None = None
) -> Call[Answer]:
    headers = {"idempotency-key": str(uuid.uuid4())} | _only(version)
    return Call("POST", path, read, body, headers=headers, user_id=user_id)


def _only(version: int | None) -> dict[str, str]:
    """The header of a request that is for this version only."""
    return {} if version is None else {"if-match": f'"{version}"'}


def _path(template: str, *names: str) -> str:
    if any(map(is_blank, names)):
        raise ValueError(f"{template}: needs a name or an id that is not blank")
    return template.format(*(quote(name, safe="") for name in names))


def _page(kind: type[Answer], name: str) -> Callable[[Any], Page[Answer]]:
    def read(body: Any) -> Page[Answer]:
        cursor = body.get("next_cursor") if isinstance(body, dict) else None
        return Page(parsed_all(kind, _field(body, name)), cursor)

    return read


def _field(body: Any, name: str) -> Any:
    if not isinstance(body, dict) or name not in body:
        raise InvalidAnswer(f"The answer lacks {name}.")
    return body[name]


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _query(parameters: Mapping[str, Any]) -> dict[str, str]:
    """An object is JSON in text, and so is true or false."""
    return {
        name: json.dumps(value) if isinstance(value, Mapping | bool) else str(value)
        for name, value in _present(parameters).items()
    }
