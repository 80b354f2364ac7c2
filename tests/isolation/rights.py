"""The access rights: the table of docs/security.md, and for each of its rows the request that is made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import psycopg

from tests.isolation.world import QUESTION

OWN, SHARED, ANOTHERS, AGENT, ORGANIZATION, KEYS, NOTHING = (
    "own",
    "shared",
    "another's",
    "the agent",
    "the organization",
    "keys",
    "-",
)
USER, OTHER = "ada", "bob"
SECRETS = {
    OWN: "The office keeps the secret recipe in the kitchen drawer, number",
    SHARED: "Visitors park their cars behind the barn, a secret, number",
    ANOTHERS: "Lisbon is where the secret holiday goes in spring, number",
}
OWNERS: Mapping[str, str | None] = {OWN: USER, SHARED: None, ANOTHERS: OTHER}


@dataclass
class Scene:
    """An organization with an agent, a memory of each owner, and the client of its operator."""

    client: httpx.Client
    org_id: str
    agent_id: str
    rows: psycopg.Connection[Any]
    """Sees what is stored, whoever may see it."""
    memories: dict[str, str] = field(default_factory=dict)
    """By owner; made anew for each cell of the table."""
    conversations: dict[str, str] = field(default_factory=dict)
    erasures: dict[tuple[str, str], str] = field(default_factory=dict)
    """By organization and subject: one serves every credential that looks for it."""

    def furnish(self) -> None:
        """A new memory of each owner, written by the operator."""
        memories = [self._secret(owner) for owner in OWNERS]
        written = self.client.post("/v1/memories/batch", json={"memories": memories})
        results = written.json()["results"]
        assert {result["status"] for result in results} == {"accepted"}, written.text
        self.memories = {owner: result["id"] for owner, result in zip(OWNERS, results, strict=True)}
        assert len(self.state()) >= len(OWNERS)

    def remember(self, owner: str, **fields: Any) -> str:
        """A new memory of `owner`, written by the operator."""
        written = self.client.post("/v1/memories", json=self._secret(owner) | fields)
        assert written.status_code == 202, written.text
        return str(written.json()["id"])

    def _secret(self, owner: str) -> dict[str, Any]:
        content = f"{SECRETS[owner]} {uuid4()}."
        return {"agent_id": self.agent_id, "content": content, "user_id": OWNERS[owner]}

    def converse(self, owner: str) -> str:
        """A new conversation of `owner`, stored by the operator."""
        self.conversations[owner] = _sent_conversation(self, self.client.request, owner).json()["conversation_id"]
        return self.conversations[owner]

    def shown(self, memory_id: str, owner: str) -> dict[str, Any]:
        """The memory as its owner sees it."""
        answer = self.client.get(f"/v1/memories/{memory_id}", headers=acting_for(owner))
        return answer.json() if answer.status_code == 200 else {"status": "deleted"}

    def state(self) -> list[Any]:
        """All that a refused request must leave as it was: the memories and their relations, as they are stored."""
        ids = {"ids": list(self.memories.values())}
        return [*self.rows.execute(_MEMORIES, ids).fetchall(), *self.rows.execute(_RELATIONS, ids).fetchall()]


_MEMORIES = """
    SELECT memory_id, content, user_id, status, confidence, positive_count, superseded_by
    FROM memories WHERE memory_id = ANY(%(ids)s::uuid[]) ORDER BY memory_id"""
# Workers relate what is alike.
_RELATIONS = """
    SELECT relation_id, from_memory_id, to_memory_id, type FROM memory_relations
    WHERE type <> 'similar' AND (from_memory_id = ANY(%(ids)s::uuid[]) OR to_memory_id = ANY(%(ids)s::uuid[]))
    ORDER BY relation_id"""

Send = Callable[..., httpx.Response]
"""Method, path and the arguments of a request, sent by the credential of the cell."""
Act = Callable[[Scene, Send, str], httpx.Response]


Outcomes = tuple[str, str, str, str]
"""Of each of CREDENTIALS."""
CREDENTIALS = ("a key", "a key for all end users", "a key that names the end user", "a restricted credential")


@dataclass(frozen=True)
class Right:
    """What each kind of credential is answered.

    A key that names nobody; one with the scope `all_users` that says `*`; one that names the end user; one that must
    act for it.
    """

    route: str
    scope: str
    subject: str
    outcomes: Outcomes
    act: Act
    detail: str = ""


ALSO = {"POST /v1/forget": ("query",)}
"""Further scopes that a route needs."""


def acting_for(owner: str) -> dict[str, str]:
    user = OWNERS[owner]
    return {} if user is None else {"X-End-User-ID": user}


def _on(method: str, path: str = "", body: Any = None) -> Act:
    """A request to the memory of the subject."""
    return lambda scene, send, subject: send(method, f"/v1/memories/{scene.memories[subject]}{path}", json=body)


def _listed(path: str) -> Act:
    return lambda scene, send, subject: send("GET", path, params={"agent_id": scene.agent_id})


def _looked_up(params: Mapping[str, str], **fields: Any) -> Act:
    """A listing by what a memory of the subject was written with."""

    def act(scene: Scene, send: Send, subject: str) -> httpx.Response:
        scene.memories[subject] = scene.remember(subject, **fields)
        return send("GET", "/v1/memories", params={"agent_id": scene.agent_id, **params})

    return act


def _filtered(scene: Scene, send: Send, subject: str) -> httpx.Response:
    scene.memories[subject] = scene.remember(subject, metadata={"topic": "secrets"})
    body = {**_QUERY, "agent_id": scene.agent_id, "filters": {"metadata": {"topic": "secrets"}}}
    return send("POST", "/memory/query", json=body)


def _asked(path: str, **fields: Any) -> Act:
    return lambda scene, send, subject: send("POST", path, json={"agent_id": scene.agent_id, **fields})


def _topic_asked(scene: Scene, send: Send, subject: str) -> httpx.Response:
    body = {"agent_id": scene.agent_id, "text": SECRETS[subject], "dry_run": True}
    return send("POST", "/v1/forget", json=body)


def _assembled(scene: Scene, send: Send, subject: str) -> httpx.Response:
    body = {"org_id": scene.org_id, "agent_id": scene.agent_id, "model": "gpt-4o", "request_id": "request"}
    question = {"messages": [{"role": "user", "content": QUESTION}], "options": {"relevance_floor": 0}}
    return send("POST", "/v1/context/assemble", json=body | question)


def _called(scene: Scene, send: Send, subject: str) -> httpx.Response:
    path = "/remembrancer.context.v1.ContextAssemblyService/AssembleContext"
    body = {"orgId": scene.org_id, "agentId": scene.agent_id, "model": "gpt-4o", "requestId": "request"}
    question = {"messages": [{"role": "user", "content": QUESTION}], "options": {"relevanceFloor": 0}}
    return send("POST", path, json=body | question)


def _new(scene: Scene, subject: str, **fields: Any) -> dict[str, Any]:
    named = {} if OWNERS[subject] is None else {"user_id": OWNERS[subject]}
    return {"agent_id": scene.agent_id, "content": f"A note: {uuid4()}.", **named, **fields}


def _written(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("POST", "/v1/memories", json=_new(scene, subject))


def _written_in_batch(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("POST", "/v1/memories/batch", json={"memories": [_new(scene, subject)]})


def _sent_conversation(scene: Scene, send: Send, subject: str) -> httpx.Response:
    named = {} if OWNERS[subject] is None else {"user_id": OWNERS[subject]}
    # A value would be compared with those of the memories.
    word = uuid4().hex.translate(str.maketrans("0123456789", "ghijklmnop"))
    messages = [{"role": "user", "content": f"The lamp in the hall fell down beside {word}."}]
    return send("POST", "/v1/conversations", json={"agent_id": scene.agent_id, "messages": messages, **named})


def _settings_changed(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("PATCH", "/v1/end-user", json={"user_id": OWNERS[subject], "time_zone": "Europe/Berlin"})


def _conversation_read(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("GET", f"/v1/conversations/{scene.converse(subject)}")


def _conversations_listed(scene: Scene, send: Send, subject: str) -> httpx.Response:
    scene.converse(subject)
    return send("GET", "/v1/conversations", params={"agent_id": scene.agent_id})


def _superseded(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("POST", "/v1/memories", json=_new(scene, SHARED, supersedes=scene.memories[subject]))


def _superseded_for(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("POST", "/v1/memories", json=_new(scene, subject, supersedes=scene.memories[subject]))


def _superseded_in_batch(scene: Scene, send: Send, subject: str) -> httpx.Response:
    memory = _new(scene, SHARED, supersedes=scene.memories[subject])
    return send("POST", "/v1/memories/batch", json={"memories": [memory]})


def _restored(scene: Scene, send: Send, subject: str) -> httpx.Response:
    path = f"/v1/memories/{scene.memories[subject]}"
    assert scene.client.delete(path, headers=acting_for(subject)).status_code == 200
    return send("POST", f"{path}/restore")


def _unsuperseded(scene: Scene, send: Send, subject: str) -> httpx.Response:
    scene.memories[subject] = scene.remember(subject)
    scene.remember(subject, supersedes=scene.memories[subject])
    return send("POST", f"/v1/memories/{scene.memories[subject]}/unsupersede", json={})


def _related_to(scene: Scene, send: Send, subject: str) -> httpx.Response:
    own, other = scene.remember(OWN), scene.memories[subject]
    return send("POST", f"/v1/memories/{own}/relations", json={"to": other, "type": "supports"})


def _related_from(scene: Scene, send: Send, subject: str) -> httpx.Response:
    own, other = scene.remember(OWN), scene.memories[subject]
    return send("POST", f"/v1/memories/{other}/relations", json={"to": own, "type": "supports"})


def _unrelated(scene: Scene, send: Send, subject: str) -> httpx.Response:
    own, other = scene.remember(OWN), scene.memories[subject]
    # Two end users' memories are related by nobody but who sees both.
    everybody, relation = {"X-End-User-ID": "*"}, {"to": other, "type": "supports"}
    related = scene.client.post(f"/v1/memories/{own}/relations", json=relation, headers=everybody)
    return send("DELETE", f"/v1/memories/{own}/relations/{related.json()['relation_id']}")


def _conflict(scene: Scene, subject: str) -> str:
    """The id of a conflict between two memories of the subject."""
    older, newer = scene.memories[subject], scene.remember(subject)
    relation = {"to": older, "type": "may_contradict"}
    related = scene.client.post(f"/v1/memories/{newer}/relations", json=relation, headers={"X-End-User-ID": "*"})
    assert related.status_code == 201, related.text
    return str(related.json()["relation_id"])


def _conflicts_listed(scene: Scene, send: Send, subject: str) -> httpx.Response:
    _conflict(scene, subject)
    return send("GET", "/v1/conflicts", params={"agent_id": scene.agent_id})


def _settled(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("POST", f"/v1/conflicts/{_conflict(scene, subject)}/settle", json={"action": "keep_both"})


def _of_agent(method: str, path: str, body: Any = None) -> Act:
    return lambda scene, send, subject: send(method, path.format(scene.agent_id), json=body)


def _directed(act: Act) -> Act:
    """Of an agent that has a directive."""

    def directed(scene: Scene, send: Send, subject: str) -> httpx.Response:
        path = f"/v1/agents/{scene.agent_id}/directive"
        assert scene.client.put(path, json={"text": "Be brief."}).status_code == 200
        return act(scene, send, subject)

    return directed


def _agent_made(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("POST", "/v1/agents", json={"name": f"agent {uuid4()}"})


def _agent_put(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("PUT", f"/v1/agents/agent {uuid4()}")


def _key_made(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("POST", "/v1/keys", json={"name": "another", "scopes": ["query"], "end_users": [USER]})


def _key_revoked(scene: Scene, send: Send, subject: str) -> httpx.Response:
    made = scene.client.post("/v1/keys", json={"name": "another", "scopes": ["query"]})
    return send("DELETE", f"/v1/keys/{made.json()['key_id']}")


def _erasure(scene: Scene, subject: str) -> dict[str, str]:
    if subject in OWNERS:
        return {"user_id": OWNERS[subject] or ""}
    if subject == ORGANIZATION:
        return {"org_id": scene.org_id}
    made = scene.client.post("/v1/agents", json={"name": f"agent {uuid4()}"})
    return {"agent_id": made.json()["agent_id"]}


def _erased(scene: Scene, send: Send, subject: str) -> httpx.Response:
    return send("POST", "/v1/erasures", json=_erasure(scene, subject))


def _erasure_found(scene: Scene, send: Send, subject: str) -> httpx.Response:
    place = (scene.org_id, subject)
    if place not in scene.erasures:
        asked = scene.client.post("/v1/erasures", json=_erasure(scene, subject))
        assert asked.status_code == 202, asked.text
        scene.erasures[place] = asked.json()["erasure_id"]
    return send("GET", f"/v1/erasures/{scene.erasures[place]}")


def _rights(route: str, scope: str, cells: Mapping[str, Outcomes], act: Act, detail: str = "") -> list[Right]:
    return [Right(route, scope, subject, outcomes, act, detail) for subject, outcomes in cells.items()]


YES, NO, AS_OWN = "yes", "no", "as own"
READ_ONLY = "403 `shared_read_only`"
NOT_FOUND = "404 `memory_not_found`"
NO_CONVERSATION = "404 `conversation_not_found`"
NO_RELATION = "404 `relation_not_found`"
NO_CONFLICT = "404 `conflict_not_found`"
NO_ERASURE = "404 `erasure_not_found`"
NOT_ALLOWED = "403 `end_user_not_allowed`"
FORBIDDEN = "403 `forbidden`"
INVALID = "400 `invalid_request`"
NO_END_USER = "400 `missing_end_user`"


def _outcomes(own: Outcomes, shared: Outcomes, anothers: Outcomes) -> dict[str, Outcomes]:
    return {OWN: own, SHARED: shared, ANOTHERS: anothers}


# Of each: a key, a key for all end users, a key that names the end user, a restricted credential.
_SEEN = _outcomes((NO, YES, YES, YES), (YES, YES, YES, YES), (NO, YES, NO, NO))
_FOUND = _outcomes((NOT_FOUND, YES, YES, YES), (YES, YES, YES, YES), (NOT_FOUND, YES, NOT_FOUND, NOT_FOUND))
_CHANGED = {**_FOUND, SHARED: (YES, YES, YES, READ_ONLY)}
_WRITTEN = _outcomes((YES, YES, YES, YES), (YES, YES, YES, AS_OWN), (YES, YES, NOT_ALLOWED, NOT_ALLOWED))
_SPOKEN = {**_WRITTEN, SHARED: (YES, YES, AS_OWN, AS_OWN)}
_CONVERSATION = _outcomes(
    (NO_CONVERSATION, YES, YES, YES), (YES, YES, YES, YES), (NO_CONVERSATION, YES, NO_CONVERSATION, NO_CONVERSATION)
)
_REPLACED = _outcomes((INVALID, YES, YES, YES), (YES, YES, YES, READ_ONLY), (INVALID, YES, INVALID, INVALID))
_REPLACED_FOR = {OWN: (YES, YES, YES, YES), ANOTHERS: (YES, YES, NOT_ALLOWED, NOT_ALLOWED)}
_RELATED = _outcomes(
    (NOT_FOUND, YES, YES, YES), (NOT_FOUND, YES, YES, READ_ONLY), (NOT_FOUND, YES, NOT_FOUND, NOT_FOUND)
)
_UNRELATED = _outcomes(
    (NO_RELATION, YES, YES, YES), (NO_RELATION, YES, YES, READ_ONLY), (NO_RELATION, YES, NO_RELATION, NO_RELATION)
)
_SETTLED = _outcomes(
    (NO_CONFLICT, YES, YES, YES), (YES, YES, YES, READ_ONLY), (NO_CONFLICT, YES, NO_CONFLICT, NO_CONFLICT)
)
_ALL_OF_IT = {AGENT: (YES, YES, YES, YES)}
_OPERATORS = {AGENT: (YES, YES, YES, FORBIDDEN)}
_KEYS = {KEYS: (YES, YES, YES, FORBIDDEN)}
_BEYOND = (YES, YES, NOT_ALLOWED, NOT_ALLOWED)
_ERASED = {OWN: (YES, YES, YES, YES), ANOTHERS: _BEYOND, AGENT: _BEYOND, ORGANIZATION: _BEYOND}
_ERASURE_FOUND = {
    OWN: (YES, YES, YES, YES),
    ANOTHERS: (YES, YES, NO_ERASURE, NO_ERASURE),
    AGENT: (YES, YES, NO_ERASURE, NO_ERASURE),
}
_TOPIC = _outcomes(
    (NO_END_USER, NO_END_USER, YES, YES), (NO_END_USER, NO_END_USER, NO, NO), (NO_END_USER, NO_END_USER, NO, NO)
)
_OPEN = {NOTHING: (YES, YES, YES, YES)}
_FEEDBACK = {"feedback": "positive"}
_QUERY = {"query": QUESTION, "k": 50, "thoroughness": "all"}

RIGHTS: list[Right] = [
    *_rights("POST /v1/context/assemble", "assemble", _SEEN, _assembled),
    *_rights("POST /remembrancer.context.v1.ContextAssemblyService/AssembleContext", "assemble", _SEEN, _called),
    *_rights("POST /memory/query", "query", _SEEN, _asked("/memory/query", **_QUERY)),
    *_rights("POST /v1/memories/query", "query", _SEEN, _asked("/v1/memories/query", **_QUERY)),
    *_rights("POST /v1/forget", "write", _TOPIC, _topic_asked),
    *_rights("GET /v1/memories", "query", _SEEN, _listed("/v1/memories")),
    *_rights("GET /v1/memories", "query", _SEEN, _looked_up({"client_ref": "r"}, client_ref="r"), "by `client_ref`"),
    *_rights(
        "GET /v1/memories",
        "query",
        _SEEN,
        _looked_up({"metadata": '{"topic": "secrets"}'}, metadata={"topic": "secrets"}),
        "by `metadata`",
    ),
    *_rights("POST /memory/query", "query", _SEEN, _filtered, "by `metadata`"),
    *_rights("GET /v1/export", "query", _SEEN, _listed("/v1/export")),
    *_rights("GET /v1/memories/{memory_id}", "query", _FOUND, _on("GET")),
    *_rights("POST /v1/memories", "write", _WRITTEN, _written),
    *_rights("POST /v1/memories", "write", _REPLACED, _superseded, "`supersedes`"),
    *_rights("POST /v1/memories", "write", _REPLACED_FOR, _superseded_for, "`supersedes`, for its end user"),
    *_rights("POST /v1/memories/batch", "write", _WRITTEN, _written_in_batch),
    *_rights("POST /v1/memories/batch", "write", _REPLACED, _superseded_in_batch, "`supersedes`"),
    *_rights("POST /v1/conversations", "write", _SPOKEN, _sent_conversation),
    *_rights("GET /v1/conversations", "query", _SEEN, _conversations_listed),
    *_rights("GET /v1/conversations/{conversation_id}", "query", _CONVERSATION, _conversation_read),
    *_rights("PATCH /v1/memories/{memory_id}", "write", _CHANGED, _on("PATCH", body={"confidence": 0.25})),
    *_rights("DELETE /v1/memories/{memory_id}", "write", _CHANGED, _on("DELETE")),
    *_rights("POST /v1/memories/{memory_id}/restore", "write", _CHANGED, _restored),
    *_rights("POST /v1/memories/{memory_id}/unsupersede", "write", _CHANGED, _unsuperseded),
    *_rights("POST /v1/memories/{memory_id}/feedback", "write", _CHANGED, _on("POST", "/feedback", _FEEDBACK)),
    *_rights("POST /v1/memories/{memory_id}/relations", "write", _RELATED, _related_to, "from own to"),
    *_rights("POST /v1/memories/{memory_id}/relations", "write", _RELATED, _related_from, "to own from"),
    *_rights(
        "DELETE /v1/memories/{memory_id}/relations/{relation_id}",
        "write",
        _UNRELATED,
        _unrelated,
        "between own and",
    ),
    *_rights("GET /v1/conflicts", "query", _SEEN, _conflicts_listed, "between two of"),
    *_rights("POST /v1/conflicts/{conflict_id}/settle", "write", _SETTLED, _settled, "between two of"),
    *_rights(
        "PUT /v1/agents/{agent_id}/directive",
        "write",
        _OPERATORS,
        _of_agent("PUT", "/v1/agents/{}/directive", {"text": "Obey."}),
    ),
    *_rights(
        "GET /v1/agents/{agent_id}/directive",
        "query",
        _ALL_OF_IT,
        _directed(_of_agent("GET", "/v1/agents/{}/directive")),
    ),
    *_rights(
        "GET /v1/agents/{agent_id}/directive/versions",
        "query",
        _ALL_OF_IT,
        _directed(_of_agent("GET", "/v1/agents/{}/directive/versions")),
    ),
    *_rights("POST /v1/agents", "write", _OPERATORS, _agent_made),
    *_rights("PUT /v1/agents/{agent_id}", "write", _OPERATORS, _agent_put),
    *_rights(
        "PATCH /v1/agents/{agent_id}",
        "write",
        _OPERATORS,
        _of_agent("PATCH", "/v1/agents/{}", {"enabled": True}),
    ),
    *_rights(
        "GET /v1/agents/{agent_id}/end-users",
        "query",
        {owner: _SEEN[owner] for owner in (OWN, ANOTHERS)},
        _of_agent("GET", "/v1/agents/{}/end-users"),
        "the end user of",
    ),
    *_rights(
        "GET /v1/end-user", "query", {OWN: (NO_END_USER, NO_END_USER, YES, YES)}, _of_agent("GET", "/v1/end-user")
    ),
    *_rights("PATCH /v1/end-user", "write", {owner: _WRITTEN[owner] for owner in (OWN, ANOTHERS)}, _settings_changed),
    *_rights("GET /v1/agents", "query", _ALL_OF_IT, _of_agent("GET", "/v1/agents")),
    *_rights("POST /v1/keys", "admin", _KEYS, _key_made),
    *_rights("GET /v1/keys", "admin", _KEYS, _of_agent("GET", "/v1/keys")),
    *_rights("DELETE /v1/keys/{key_id}", "admin", _KEYS, _key_revoked),
    *_rights("POST /v1/erasures", "admin", _ERASED, _erased),
    *_rights("GET /v1/erasures/{erasure_id}", "admin", _ERASURE_FOUND, _erasure_found),
    *_rights(
        "GET /v1/audit", "admin", {ORGANIZATION: (FORBIDDEN, YES, FORBIDDEN, FORBIDDEN)}, _of_agent("GET", "/v1/audit")
    ),
    *_rights("GET /v1/health", "", _OPEN, _of_agent("GET", "/v1/health")),
    *_rights("GET /v1/ready", "", _OPEN, _of_agent("GET", "/v1/ready")),
    *_rights("GET /openapi.json", "", _OPEN, _of_agent("GET", "/openapi.json")),
    *_rights("GET /", "", _OPEN, _of_agent("GET", "/")),
    *_rights("GET /inspector", "", _OPEN, _of_agent("GET", "/inspector")),
]

LISTINGS = {right.route for right in RIGHTS if NO in right.outcomes}
"""Routes whose answer holds the memory or does not."""


def outcome(scene: Scene, right: Right, response: httpx.Response) -> str:  # noqa: PLR0911 - one for each kind
    """The answer as the table says it."""
    if response.status_code >= 400:
        return _refused(response.status_code, response.json())
    if right.route.endswith("/end-users"):
        return YES if {"user_id": OWNERS[right.subject]} in response.json()["end_users"] else NO
    if "/v1/conversations" in right.route:
        return _conversation_outcome(scene, right, response)
    if right.route in LISTINGS:
        return YES if scene.memories[right.subject] in response.text else NO
    if right.route.startswith("POST /v1/memories/batch"):
        (result,) = response.json()["results"]
        if error := result.get("error"):
            return _refused({"invalid_request": 400}.get(error["code"], 403), {"error": error})
        return _owned(scene, right, result["id"])
    return _owned(scene, right, response.json()["id"]) if right.route == "POST /v1/memories" else YES


def _conversation_outcome(scene: Scene, right: Right, response: httpx.Response) -> str:
    if right.route == "GET /v1/conversations":
        return YES if scene.conversations[right.subject] in response.text else NO
    path = f"/v1/conversations/{response.json()['conversation_id']}"
    stored = scene.client.get(path, headers={"X-End-User-ID": "*"})
    return YES if stored.json()["user_id"] == OWNERS[right.subject] else AS_OWN


def _owned(scene: Scene, right: Right, memory_id: str) -> str:
    """`as own` when what was to be shared became the end user's."""
    if right.detail:
        return YES
    seen = [shown for owner in OWNERS if "id" in (shown := scene.shown(memory_id, owner))]
    return YES if seen[0]["user_id"] == OWNERS[right.subject] else AS_OWN


def _refused(status: int, body: Any) -> str:
    code = body["error"]["code"] if "error" in body else body["code"]
    return f"{status} `{code}`"


def as_markdown() -> str:
    """The table as docs/security.md shows it."""
    lines = [
        f"| route | scope | of | {' | '.join(CREDENTIALS)} |",
        "|---|---|---|---|---|---|---|",
    ]
    for right in RIGHTS:
        scope = ", ".join(f"`{one}`" for one in (right.scope, *ALSO.get(right.route, ()))) if right.scope else "none"
        subject = f"{right.detail}: {right.subject}" if right.detail else right.subject
        lines.append(f"| `{right.route}` | {scope} | {subject} | {' | '.join(right.outcomes)} |")
    return "\n".join(lines)
