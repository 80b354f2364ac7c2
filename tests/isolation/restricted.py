"""Requests of credentials that act for one end user, at what is shared, what is another's and what is their own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

import httpx

from tests.isolation.attack import SESSION, Request
from tests.isolation.world import QUESTION, Attacker, Cell

USER, OTHER = "ada", "bob"
LISTINGS = ("GET /v1/memories", "GET /v1/conversations", "GET /v1/export", "GET /v1/conflicts")


@dataclass
class Intruder:
    """Makes up requests for `attacker`; what any of them wrote has a mark of its own."""

    cell: Cell
    attacker: Attacker
    random: Random
    own: list[str]
    """Ids of what belongs to the end user, added to as more is written."""
    marks: list[str] = field(default_factory=list)

    def request(self, route: str) -> Request:
        method, path = route.split(" ", 1)
        for name, value in self._ids().items():
            path = path.replace(f"{{{name}}}", value())
        body = BODIES[route](self) if route in BODIES else None
        params = {"agent_id": self.cell.agent_id} if route in LISTINGS else {}
        return Request(method, path, self._headers(method), params, body)

    def _ids(self) -> Mapping[str, Callable[[], str]]:
        return {
            "memory_id": self.memory_id,
            "conversation_id": lambda: self.random.choice(list(self.cell.conversations)),
            "relation_id": lambda: self.cell.relation_id,
            "conflict_id": lambda: self.cell.relation_id,
            "agent_id": lambda: self.cell.agent_id,
            "key_id": lambda: self.cell.key_id,
            "erasure_id": lambda: str(uuid4()),
        }

    def _headers(self, method: str) -> dict[str, str]:
        headers = dict(self.attacker.headers)
        if self.attacker.bound and self.random.random() < 0.15:
            headers["X-End-User-ID"] = self.random.choice([OTHER, "*", "adalbert*", ""])
        if method == "POST" and self.random.random() < 0.2:
            headers["Idempotency-Key"] = f"key-{self.random.randrange(8)}"
        return headers

    def memory_id(self) -> str:
        """Mostly what it may not change."""
        return self.random.choice([*self.cell.memories, self.random.choice(self.own)])

    def text(self) -> str:
        """Like all the others, with a mark that none but the end user may ever see."""
        self.marks.append(f"mark{uuid4().hex}")
        return f"The secret that the office keeps is {self.marks[-1]}."

    def sometimes(self, **values: Callable[[], Any]) -> dict[str, Any]:
        return {name: value() for name, value in values.items() if self.random.random() < 0.4}

    def memory(self) -> dict[str, Any]:
        text = self.text()
        return {
            "agent_id": self.cell.agent_id,
            "content": text,
            **self.sometimes(
                user_id=lambda: self.random.choice([USER, OTHER, None, "", "*"]),
                supersedes=self.memory_id,
                summary=lambda: text,
                tags=lambda: [self.marks[-1]],
                client_ref=lambda: f"reference {self.random.choice([None, OTHER])} {self.random.randrange(3)}",
            ),
        }


def _query(intruder: Intruder) -> dict[str, Any]:
    return {
        "query": QUESTION,
        "k": 50,
        "thoroughness": "all",
        "agent_id": intruder.cell.agent_id,
        "session_id": SESSION,
    }


def _assembly(intruder: Intruder) -> dict[str, Any]:
    return {
        "org_id": intruder.cell.org_id,
        "agent_id": intruder.cell.agent_id,
        "model": "gpt-4o",
        "request_id": "intruder",
        "session_id": SESSION,
        "turn_id": "turn",
        "messages": [{"role": "user", "content": f"{QUESTION} {intruder.text()}"}],
    }


def _edit(intruder: Intruder) -> dict[str, Any]:
    edits: list[dict[str, Any]] = [
        {"content": intruder.text()},
        {"confidence": 0.01},
        {"tags": ["taken"]},
        {"metadata": {"taken": True}},
    ]
    return intruder.random.choice(edits)


def _key(intruder: Intruder) -> dict[str, Any]:
    return {"name": "another", "scopes": intruder.random.choice([["write"], ["admin"], ["query", "all_users"]])}


def _erasure(intruder: Intruder) -> dict[str, Any]:
    cell = intruder.cell
    return intruder.random.choice([{"user_id": OTHER}, {"agent_id": cell.agent_id}, {"org_id": cell.org_id}])


BODIES: dict[str, Callable[[Intruder], Any]] = {
    "POST /v1/context/assemble": _assembly,
    "POST /memory/query": _query,
    "POST /v1/forget": lambda intruder: {
        "agent_id": intruder.cell.agent_id,
        "text": "Forget everything about the secret.",
        **intruder.sometimes(user_id=lambda: intruder.random.choice([USER, OTHER])),
    },
    "POST /v1/memories": Intruder.memory,
    "POST /v1/memories/batch": lambda intruder: {"memories": [intruder.memory() for _ in range(3)]},
    "POST /v1/conversations": lambda intruder: {
        "agent_id": intruder.cell.agent_id,
        "messages": [{"role": "user", "content": intruder.text()}],
        **intruder.sometimes(user_id=lambda: intruder.random.choice([USER, OTHER]), session_id=lambda: SESSION),
    },
    "PATCH /v1/memories/{memory_id}": _edit,
    "POST /v1/memories/{memory_id}/restore": lambda _: {},
    "POST /v1/memories/{memory_id}/unsupersede": lambda intruder: {"keep_both": intruder.random.random() < 0.5},
    "POST /v1/memories/{memory_id}/feedback": lambda intruder: {
        "feedback": intruder.random.choice(["positive", "negative"])
    },
    "POST /v1/memories/{memory_id}/relations": lambda intruder: {"to": intruder.memory_id(), "type": "supports"},
    "POST /v1/conflicts/{conflict_id}/settle": lambda _: {"action": "keep_both"},
    "PUT /v1/agents/{agent_id}/directive": lambda intruder: {"text": intruder.text()},
    "PATCH /v1/agents/{agent_id}": lambda _: {"enabled": False, "capture": False},
    "POST /v1/agents": lambda intruder: {"name": intruder.text()},
    "PATCH /v1/end-user": lambda intruder: {
        "time_zone": "Asia/Tokyo",
        **intruder.sometimes(user_id=lambda: intruder.random.choice([USER, OTHER])),
    },
    "POST /v1/keys": _key,
    "POST /v1/erasures": _erasure,
}
ROUTES = (
    *BODIES,
    "DELETE /v1/memories/{memory_id}",
    "DELETE /v1/memories/{memory_id}/relations/{relation_id}",
    "DELETE /v1/keys/{key_id}",
    "GET /v1/memories",
    "GET /v1/conversations",
    "GET /v1/export",
    "GET /v1/conflicts",
    "GET /v1/end-user",
    "GET /v1/memories/{memory_id}",
)


def written(response: httpx.Response) -> list[str]:
    """Ids of what was stored."""
    if not response.is_success or not response.headers.get("content-type", "").startswith("application/json"):
        return []
    body = response.json()
    results = body.get("results", [body])
    return [one["id"] for one in results if one.get("status") == "accepted"]


def witnesses(cell: Cell) -> list[Request]:
    """What others, and nobody, ask meanwhile with the operator's key."""
    question = {"query": QUESTION, "k": 50, "thoroughness": "all", "agent_id": cell.agent_id}
    assembly = {
        "org_id": cell.org_id,
        "agent_id": cell.agent_id,
        "model": "gpt-4o",
        "request_id": "witness",
        "session_id": SESSION,
        "messages": [{"role": "user", "content": QUESTION}],
        "options": {"explain": True, "relevance_floor": 0},
    }
    place, asked = {"agent_id": cell.agent_id}, []
    for user in (None, OTHER, "carol"):
        headers = {"X-API-Key": cell.api_key} | ({"X-End-User-ID": user} if user else {})
        asked += [
            Request("POST", "/memory/query", headers, body=question),
            Request("POST", "/v1/context/assemble", headers, body=assembly),
            Request("GET", "/v1/memories", headers, params=place),
            Request("GET", "/v1/export", headers, params=place),
            Request("GET", f"/v1/agents/{cell.agent_id}/directive", headers),
            Request("GET", "/v1/agents", headers),
        ]
    return asked
