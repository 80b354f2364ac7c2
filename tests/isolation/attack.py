"""Requests that try to reach what is not theirs, for every route of the template."""

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import quote

import httpx

from tests.isolation.world import QUESTION, Attacker, Cell, World

SESSION = "5e551000-0000-4000-8000-000000000001"
NOBODY = "00000000-0000-0000-0000-000000000000"
END_USERS = (
    *("ada", "bob", "ada lovelace", "*", "%", "", "ada,bob", "{ada}", "null", "../bob"),
    *("ADA", "Bob", "\u0430da", "b\u043eb", "ad\u200ba", "\uff42\uff4f\uff42", "\u200b", "\u3000"),
)
MCP = "POST /mcp"
TOOLS: Mapping[str, dict[str, Any]] = {
    "search_memories": {"query": QUESTION, "limit": 50},
    "assemble_context": {"message": QUESTION},
    "remember": {"content": "A note about the office."},
}


@dataclass(frozen=True)
class Request:
    """One request as it is sent."""

    method: str
    path: str
    headers: Mapping[str, str]
    params: Mapping[str, str] = field(default_factory=dict)
    body: Any = None

    @property
    def text(self) -> str:
        """All that the attacker said."""
        return json.dumps([self.path, dict(self.headers), dict(self.params), self.body])


@dataclass
class Loot:
    """What answers gave away, whoever asked, for everybody to replay."""

    cursors: list[str] = field(default_factory=list)
    erasures: dict[str, str] = field(default_factory=dict)
    """The agent of the cell whose key asked for it, by id."""
    made: dict[str, str] = field(default_factory=dict)
    """The same by the id of whatever was answered to a POST."""


@dataclass
class Forger:
    """Makes up requests for one attacker; what others were answered is there to be replayed."""

    world: World
    attacker: Attacker
    random: Random
    loot: Loot

    def request(self, route: str) -> Request:
        method, template = route.split(" ", 1)
        # What is made gets a name of nobody's.
        names = {"{agent_id}": "{name}"} if route == "PUT /v1/agents/{agent_id}" else {}
        path = "/".join(self._segment(names.get(part, part), method) for part in template.split("/"))
        body = BODIES[route](self) if method in {"POST", "PUT", "PATCH"} else None
        return Request(method, path, self._headers(method), self._params(route), body)

    def _segment(self, part: str, method: str) -> str:
        if not part.startswith("{"):
            return part
        name = part.strip("{}+")
        known: dict[str, Callable[[], str]] = {
            "memory_id": self.memory_id,
            "conversation_id": self.conversation_id,
            "agent_id": self.agent_id,
            "relation_id": self.relation_id,
            "conflict_id": self.relation_id,
            "key_id": self.key_id,
            "name": lambda: f"agent {self.random.randrange(5)}",
            "erasure_id": lambda: self.random.choice([*self.loot.erasures, self.anything()]),
        }
        value = known.get(name)
        if name == "memory_id" and method == "DELETE":
            return quote(self.disposable_id(), safe="")
        return quote(value() if value else self.anything(), safe="")

    def _headers(self, method: str) -> dict[str, str]:
        headers = {"Accept": "application/json, text/event-stream", "X-Agent-ID": self.agent_id()}
        headers |= self.attacker.headers
        tricks: dict[str, Callable[[], str]] = {
            "X-Org-ID": lambda: self.cell().org_id,
            "X-Tenant-ID": lambda: self.cell().org_id,
            "X-Project-ID": lambda: self.cell().project_id,
            "X-Environment": lambda: self.cell().environment,
            "Authorization": lambda: f"Bearer {self.random.choice(['x', NOBODY, *self.world.forgeries])}",
        }
        if self.attacker.bound:
            tricks["X-End-User-ID"] = self.user
        for name, value in tricks.items():
            if self.random.random() < 0.1:
                headers[name] = value()
        if self.random.random() < 0.02:
            # A forged token alone; beside a key, it is the key that counts.
            headers = {"Authorization": f"Bearer {self.random.choice(self.world.forgeries)}"}
        if method == "POST" and self.random.random() < 0.5:
            # The same few keys for everybody, with bodies that are the same for some.
            headers["Idempotency-Key"] = f"key-{self.random.randrange(4)}"
        return headers

    def _params(self, route: str) -> dict[str, str]:
        if not route.startswith("GET "):
            return {}
        params = {"agent_id": self.agent_id()} if "{" not in route and self.random.random() < 0.9 else {}
        if route == "GET /v1/memories" and self.random.random() < 0.3:
            params |= self.random.choice([{"client_ref": "reference None 1"}, {"metadata": '{"topic": "secret"}'}])
        if self.random.random() < 0.3:
            params["user_id"] = self.user()
        if self.random.random() < 0.5:
            params["limit"] = str(self.random.choice([1, 2, 50]))
        if self.random.random() < 0.4:
            params["cursor"] = self.cursor()
        return params

    # What requests are made of: mostly what is somebody else's.

    def cell(self) -> Cell:
        foreign = self.world.foreign(self.attacker)
        return self.attacker.cell if self.random.random() < 0.4 else self.random.choice(foreign)

    def org_id(self) -> str:
        return self.attacker.cell.org_id if self.random.random() < 0.7 else self.cell().org_id

    def agent_id(self) -> str:
        """By id, or by the name that another place's agent has and the attacker's has not."""
        own, foreign = self.attacker.cell, self.cell()
        known = [own.agent_id, own.agent_name, foreign.agent_id, foreign.agent_name]
        return self.random.choice([*known, self.anything()])

    def memory_id(self) -> str:
        return self.random.choice([*self.attacker.cell.memories, *self.cell().memories, self.anything()])

    def conversation_id(self) -> str:
        own, foreign = self.attacker.cell.conversations, self.cell().conversations
        return self.random.choice([*own, *foreign, self.anything()])

    def disposable_id(self) -> str:
        """Of the attacker's own only what may go."""
        foreign = self.random.choice(self.world.foreign(self.attacker))
        return self.random.choice([*self.attacker.cell.expendable, *foreign.memories, *foreign.expendable])

    def relation_id(self) -> str:
        foreign = self.random.choice(self.world.foreign(self.attacker))
        return self.random.choice([foreign.relation_id, self.anything()])

    def key_id(self) -> str:
        return self.random.choice([self.random.choice(self.world.foreign(self.attacker)).key_id, self.anything()])

    def user(self) -> str:
        return self.random.choice(END_USERS)

    def anything(self) -> str:
        return self.random.choice([NOBODY, "x", "%", "null", self.attacker.cell.agent_id.upper(), self.cell().org_id])

    def cursor(self) -> str:
        forged = f"2100-01-01T00:00:00+00:00|{self.random.choice(list(self.cell().memories))}"
        return self.random.choice([*self.loot.cursors[-20:], base64.urlsafe_b64encode(forged.encode()).decode(), "x"])

    def sometimes(self, **values: Callable[[], Any]) -> dict[str, Any]:
        return {name: value() for name, value in values.items() if self.random.random() < 0.4}


def _assemble(forger: Forger) -> dict[str, Any]:
    names = forger.random.choice([["org_id"], ["tenant_id"], ["tenantId"], ["orgId"], ["org_id", "tenant_id"]])
    return {
        **{name: forger.org_id() for name in names},
        "agent_id": forger.agent_id(),
        "model": "gpt-4o",
        "request_id": "attack",
        "messages": [{"role": "user", "content": QUESTION}],
        **forger.sometimes(
            session_id=lambda: SESSION,
            turn_id=lambda: f"turn-{forger.random.randrange(3)}",
            user_id=forger.user,
            options=lambda: {"explain": True},
        ),
    }


def _connect(forger: Forger) -> dict[str, Any]:
    body = _assemble(forger)
    return {
        "orgId": forger.org_id(),
        "agentId": body["agent_id"],
        "model": "gpt-4o",
        "requestId": "attack",
        "messages": [{"role": "user", "content": QUESTION}],
        **forger.sometimes(sessionId=lambda: SESSION, turnId=lambda: "turn-1", userId=forger.user),
    }


def _query(forger: Forger) -> dict[str, Any]:
    return {
        "query": QUESTION,
        "k": 50,
        "thoroughness": "all",
        **forger.sometimes(
            agent_id=forger.agent_id,
            session_id=lambda: SESSION,
            traversal_depth=lambda: 3,
            computation_tier=lambda: forger.random.choice(["low", "medium", "high"]),
            user_id=forger.user,
            org_id=forger.org_id,
        ),
    }


def _memory(forger: Forger) -> dict[str, Any]:
    return {
        "agent_id": forger.agent_id(),
        "content": f"A note about the office, {forger.random.randrange(1000)}.",
        **forger.sometimes(
            user_id=forger.user,
            supersedes=forger.disposable_id,
            client_ref=lambda: f"reference None {forger.random.randrange(3)}",
        ),
    }


def _conversation(forger: Forger) -> dict[str, Any]:
    return {
        "agent_id": forger.agent_id(),
        "messages": [{"role": "user", "content": f"I took a note about the office, {forger.random.randrange(1000)}."}],
        **forger.sometimes(user_id=forger.user, session_id=lambda: SESSION),
    }


def _relation(forger: Forger) -> dict[str, Any]:
    return {"to": forger.memory_id(), "type": "supports", "confidence": 0.5}


def _erasure(forger: Forger) -> dict[str, Any]:
    """Of nobody, or of elsewhere: an administrator's key may erase whatever is of its own project and environment."""
    stranger = forger.random.choice(forger.world.foreign(forger.attacker))
    choices: list[dict[str, Any]] = [{"user_id": "nobody"}, {"agent_id": stranger.agent_id}]
    own = forger.attacker.cell.org_id
    if stranger.org_id != own or forger.world.has_several_places(own):
        choices += [{"org_id": stranger.org_id}, {"tenant_id": stranger.org_id, "user_id": "nobody"}]
    # Whoever acts for an end user erases nobody else.
    choices += [{"user_id": user} for user in ("ada", "bob") if forger.attacker.user not in {None, user}]
    return forger.random.choice(choices)


def _forget(forger: Forger) -> dict[str, Any]:
    """With a wish that finds much: of the attacker's own agent it is only tried, since it is granted."""
    own, agent_id = forger.attacker.cell, forger.agent_id()
    is_own = agent_id.lower() in {own.agent_id, own.agent_name}
    return {
        "agent_id": agent_id,
        "text": forger.random.choice(["Forget everything about the office.", "the secret note", "Forget my number."]),
        "dry_run": is_own or forger.random.random() < 0.5,
        **forger.sometimes(user_id=forger.user),
    }


def _tool_call(forger: Forger) -> dict[str, Any]:
    """Of a tool, mostly with arguments that it does not have."""
    name = forger.random.choice(list(TOOLS))
    named = forger.sometimes(user_id=forger.user, agent_id=forger.agent_id, org_id=forger.org_id)
    params = {"name": name, "arguments": {**TOOLS[name], **named}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


BODIES: dict[str, Callable[[Forger], Any]] = {
    MCP: _tool_call,
    "POST /v1/context/assemble": _assemble,
    "POST /remembrancer.context.v1.ContextAssemblyService/AssembleContext": _connect,
    "POST /memory/query": _query,
    "POST /v1/memories/query": _query,
    "POST /v1/forget": _forget,
    "POST /v1/memories": _memory,
    "POST /v1/memories/batch": lambda forger: {"memories": [_memory(forger) for _ in range(3)]},
    "POST /v1/conversations": _conversation,
    "PATCH /v1/memories/{memory_id}": lambda forger: {"confidence": forger.random.choice([0.5, 0.9])},
    "POST /v1/memories/{memory_id}/restore": lambda forger: {},
    "POST /v1/memories/{memory_id}/unsupersede": lambda forger: {"keep_both": forger.random.random() < 0.5},
    "POST /v1/memories/{memory_id}/feedback": lambda forger: {"feedback": "positive"},
    "POST /v1/memories/{memory_id}/relations": _relation,
    "POST /v1/conflicts/{conflict_id}/settle": lambda forger: {
        "action": forger.random.choice(["supersede", "keep_both"])
    },
    "PUT /v1/agents/{agent_id}/directive": lambda forger: {"text": forger.attacker.cell.directive},
    "POST /v1/erasures": _erasure,
    "POST /v1/keys": lambda forger: {"name": "another", "scopes": ["query"], "end_users": [forger.user() or "ada"]},
    "PUT /v1/agents/{agent_id}": lambda forger: None,
    # Without memories the attacker's own agent would show nothing that could leak.
    "PATCH /v1/agents/{agent_id}": lambda forger: {"enabled": True, "capture": forger.random.random() < 0.9},
    "POST /v1/agents": lambda forger: {"name": f"agent {forger.random.randrange(5)}"},
    "PATCH /v1/end-user": lambda forger: {
        "time_zone": forger.random.choice([None, "Europe/Berlin"]),
        **forger.sometimes(user_id=forger.user),
    },
}
"""By route of the template: a new one needs its own here."""


PATHS = ("/v1/context/assemble", "/remembrancer.context.v1.ContextAssemblyService/AssembleContext")
STRANGER = "127.0.0.9"
"""The address of callers without a right to anything: what is refused there does not count for other attackers."""


def assembly_of(org_id: str, agent_id: str, question: str) -> dict[str, Any]:
    """The same for both paths, whatever is stored there."""
    return {
        "org_id": org_id,
        "agent_id": agent_id,
        "model": "gpt-4o",
        "request_id": "stranger",
        "messages": [{"role": "user", "content": question}],
    }


def without_time(response: httpx.Response) -> tuple[str, str]:
    """Which kind of answer it was, and all that it said but how long it took; what only an accepted caller is told."""
    body = response.json()
    body.pop("request_id", None)
    for detail in body.get("details", []):
        detail.pop("value")
        detail["debug"].pop("request_id")
    metadata = body.get("metadata", {})
    timings = metadata.pop("timings_ms", {})
    for name in ("deadline_ms", "deadline_met"):
        metadata.pop(name, None)
    headers = {name: value for name, value in response.headers.items() if name not in _OF_THE_FRONT_DOOR}
    stages = [entry.partition(";")[0] for entry in headers.pop("server-timing", "").split(", ")]
    kind = f"{response.status_code} {metadata.get('fallback_reason', '')}"
    said = re.sub(r"\b\d+ s\b", "n s", json.dumps([body, headers, sorted(timings), stages], sort_keys=True))
    return kind, said


_OF_THE_FRONT_DOOR = frozenset({"date", "content-length", "apigw-requestid", "x-request-id", "retry-after"})
