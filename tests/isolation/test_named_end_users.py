"""A key for one end user names others on every route, in every place of a request: nothing of theirs comes back.

The routes are those of the OpenAPI document and the tools those that the MCP server lists, so that a new one is
attacked as it comes. Names are another's, nobody's, in another case, that look alike, and blank.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import pytest

from local.stack import Stack
from remembrancer.runtime.http.operations import Operation
from remembrancer.runtime.openapi import OPERATIONS
from tests import patience
from tests.e2e.conftest import Loop
from tests.identity_provider import IdentityProvider
from tests.isolation import restricted
from tests.isolation import world as worlds
from tests.isolation.test_attack import kept_rows
from tests.isolation.world import CANARY, QUESTION, UUID, Cell

pytestmark = pytest.mark.long

OWN, OTHER = restricted.USER, restricted.OTHER
FOREIGN = {
    "another's": OTHER,
    "nobody's": "dora",
    "all": "*",
    "another's in another case": "Bob",
    "own in another case": "ADA",
    "own with a Cyrillic letter": "\u0430da",
    "another's with a Cyrillic letter": "b\u043eb",
    "own in full width": "\uff41\uff44\uff41",
    "own with an invisible character": "ad\u200ba",
    "another's with one": "bob\u2060",
    "several": "ada,bob",
}
BLANK = {"empty": "", "blanks": "  ", "an invisible character": "\u200b"}
KINDS: Mapping[str, str | None] = {"none": None, "own": OWN, **FOREIGN, **BLANK}
NAMES = ("user_id", "userId", "user")
READINGS = ("assembleContext", "queryMemory", "queryMemories", "listMemories", "exportMemories", "listConversations")
"""Operations that show the end user's own memories, so that this test would see what it looks for."""
CREDENTIALLED = [operation for operation in OPERATIONS if operation.scope]


@dataclass(frozen=True)
class Target:
    """What the key for Ada is set on: the memories, conversations, conflict and erasure of Bob."""

    cell: Cell
    client: httpx.Client
    ids: Mapping[str, str]
    """Of Bob's, by the name of the path's parameter."""
    before: Mapping[str, Any]

    def learnt(self, sent: str, answer: httpx.Response) -> set[str]:
        """What of others is in an answer: words, and ids that were not in the request."""
        text = answer.text + json.dumps(dict(answer.headers))
        owned = {**self.cell.memories, **self.cell.conversations, self.ids["conflict_id"]: OTHER}
        hidden = {one for one, owner in owned.items() if owner not in {None, OWN}}
        words = set(CANARY.findall(text)) - self.cell.visible(OWN)
        return words | (set(UUID.findall(text)) - set(UUID.findall(sent))) & hidden

    def path(self, operation: Operation, ids: Mapping[str, str]) -> str:
        template = operation.route.partition(" ")[2]
        return re.sub(r"\{(\w+)\}", lambda match: ids.get(match[1]) or str(uuid4()), template)

    def body(self, operation: Operation) -> dict[str, Any]:
        """A right one, about Bob's."""
        made = _BODIES[operation.name](self) if operation.name in _BODIES else {}
        return {name: value for name, value in made.items() if name not in NAMES}


_BODIES: Mapping[str, Callable[[Target], dict[str, Any]]] = {
    "assembleContext": lambda on: _asked(on.cell),
    "assembleContextRpc": lambda on: _asked(on.cell),
    "queryMemory": lambda on: {"query": QUESTION, "agent_id": on.cell.agent_id, "k": 50, "thoroughness": "all"},
    "queryMemories": lambda on: {"query": QUESTION, "k": 50, "thoroughness": "all"},
    "forget": lambda on: {"agent_id": on.cell.agent_id, "text": "Forget everything about the secret."},
    "createMemory": lambda on: {"agent_id": on.cell.agent_id, "content": f"A note: {uuid4()}."},
    "createMemories": lambda on: {"memories": [{"agent_id": on.cell.agent_id, "content": f"A note: {uuid4()}."}]},
    "createConversation": lambda on: {
        "agent_id": on.cell.agent_id,
        "messages": [{"role": "user", "content": f"I took a note: {uuid4()}."}],
    },
    "changeMemory": lambda on: {"confidence": 0.25},
    "rateMemory": lambda on: {"feedback": "negative"},
    "createRelation": lambda on: {"to": on.ids["memory_id"], "type": "supports"},
    "settleConflict": lambda on: {"action": "keep_both"},
    "putDirective": lambda on: {"text": "Obey."},
    "createAgent": lambda on: {"name": f"agent {uuid4()}"},
    "switchAgent": lambda on: {"enabled": False},
    "createKey": lambda on: {"name": "another", "scopes": ["query"], "end_users": [OTHER]},
    "createErasure": lambda on: {},
    "setEndUser": lambda on: {"time_zone": "Europe/Berlin"},
}
"""By the operation's name."""


def test_every_body_is_known() -> None:
    fields = {operation.name for operation in OPERATIONS if operation.body and operation.body.by_name}

    assert fields - {"unsupersedeMemory", "restoreMemory"} <= _BODIES.keys()


def _asked(cell: Cell) -> dict[str, Any]:
    messages = [{"role": "user", "content": QUESTION}]
    options = {"explain": True, "relevance_floor": 0, "silence": False}
    return {"agent_id": cell.agent_id, "model": "gpt-4o", "request_id": "r", "messages": messages, "options": options}


@pytest.fixture(scope="module")
def target(stack: Stack, loop: Loop, provider: IdentityProvider) -> Iterator[Target]:
    cell, _ = worlds.beset(stack, loop, provider)
    headers = {"X-API-Key": cell.api_key}
    one, other, *_ = (memory for memory, owner in cell.memories.items() if owner == OTHER)
    with patience.client(stack, headers) as operator:
        relation, as_bob = {"to": one, "type": "may_contradict"}, {"X-End-User-ID": OTHER}
        marked = operator.post(f"/v1/memories/{other}/relations", json=relation, headers=as_bob)
        assert marked.is_success, marked.text
        made = operator.post("/v1/keys", json={"name": "of Ada", "scopes": ["admin"], "end_users": [OWN]})
        assert made.status_code == 201, made.text
        erased = operator.post("/v1/erasures", json={"user_id": "dora"})
        assert erased.status_code == 202, erased.text
    loop.run(stack.drain())
    ids = {
        "memory_id": one,
        "conversation_id": next(one for one, owner in cell.conversations.items() if owner == OTHER),
        "relation_id": marked.json()["relation_id"],
        "conflict_id": marked.json()["relation_id"],
        "agent_id": cell.agent_id,
        "key_id": cell.key_id,
        "erasure_id": erased.json()["erasure_id"],
    }
    with patience.client(stack, {"X-API-Key": made.json()["api_key"]}) as client:
        yield Target(cell, client, ids, kept_rows(stack, cell.org_id))


def named(name: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The places where a request may name an end user, as arguments of the client."""
    if name is None:
        yield "nowhere", {}
        return
    # HTTP's clients refuse blanks at the ends of a header.
    if name == name.strip(" "):
        yield "header", {"headers": {b"X-End-User-ID": name.encode()}}
    for field in NAMES:
        yield f"body {field}", {"json": {field: name}}
        yield f"query {field}", {"params": {field: name}}


@pytest.mark.parametrize("operation", CREDENTIALLED, ids=lambda operation: operation.name)
def test_nothing_is_learnt_of_another_end_user(target: Target, operation: Operation) -> None:
    method = operation.route.partition(" ")[0]
    learnt: dict[tuple[str, str], Any] = {}
    own_words: set[str] = set()
    for kind, name in KINDS.items():
        for place, arguments in named(name):
            has_body = method not in {"GET", "DELETE"}
            if "json" in arguments and not has_body:
                continue
            body = {**target.body(operation), **arguments.get("json", {})}
            params = {"agent_id": target.cell.agent_id} if "{" not in operation.route and not has_body else {}
            connect = {b"connect-protocol-version": b"1"} if operation.is_connect else {}
            sent: dict[str, Any] = {
                "params": {**params, **arguments.get("params", {})},
                "headers": {**connect, **arguments.get("headers", {})},
            }
            answer = target.client.request(
                method, target.path(operation, target.ids), **sent, json=body if has_body else None
            )
            found = target.learnt(f"{answer.request.url} {body}", answer)
            own_words |= set(CANARY.findall(answer.text))
            is_refused = answer.status_code >= 400 or not _is_read(operation, place)
            if found or answer.status_code >= 500 or (kind in FOREIGN | BLANK and not is_refused):
                learnt[kind, place] = found or (answer.status_code, answer.text[:200])

    assert learnt == {}
    assert own_words or operation.name not in READINGS


def _is_read(operation: Operation, place: str) -> bool:
    """Whether an end user who is named there must be refused where the key is for another."""
    where, _, field = place.partition(" ")
    fields = {"body": operation.body, "query": operation.query}.get(where)
    return where == "header" or (fields is not None and field == "user_id" and field in fields.by_name)


def _tool(target: Target, headers: Mapping[str, str], method: str, **params: Any) -> httpx.Response:
    accepted = {"Accept": "application/json, text/event-stream", "X-Agent-ID": target.cell.agent_id}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    encoded = {name.encode(): value.encode() for name, value in {**accepted, **headers}.items()}
    return target.client.post("/mcp", json=message, headers=encoded)


def test_no_tool_tells_of_another_end_user(target: Target) -> None:
    own = {"X-End-User-ID": OWN}
    tools = _tool(target, own, "tools/list").json()["result"]["tools"]
    assert len(tools) >= 7
    learnt: dict[tuple[str, str], set[str]] = {}
    seen: set[str] = set()
    for tool in tools:
        schema = tool["inputSchema"]
        wanted = {
            name: target.ids["memory_id"] if name.endswith("id") else QUESTION
            for name in schema.get("required", ())
            if schema["properties"][name].get("type") == "string"
        }
        for kind, name in KINDS.items():
            header = {} if name is None or name != name.strip(" ") else {"X-End-User-ID": name}
            for headers, extra in ((header, {}), (own, dict.fromkeys(NAMES, name))):
                answer = _tool(target, headers, "tools/call", name=tool["name"], arguments={**wanted, **extra})
                found = target.learnt(json.dumps(wanted), answer)
                seen |= set(CANARY.findall(answer.text))
                if found or answer.status_code >= 500:
                    learnt[tool["name"], kind] = found or {answer.text[:200]}

    assert learnt == {}
    # What is Ada's own is found.
    assert {target.cell.canaries[word] for word in seen} >= {None, OWN}


def test_nothing_of_another_end_user_was_changed(stack: Stack, loop: Loop, target: Target) -> None:
    loop.run(stack.drain())

    assert kept_rows(stack, target.cell.org_id) == target.before
