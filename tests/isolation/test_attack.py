"""Several organizations, projects, environments and end users attack each other through every route.

ATTACK_REQUESTS says how many requests, ATTACK_SEED which. `make attack` sends others each time; otherwise they are the
same, so that a change is not blamed for what another one did.
"""

import asyncio
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from local.stack import Stack
from remembrancer.keys import new_api_key
from remembrancer.runtime.inspector import page
from tests import patience
from tests.e2e.conftest import Loop
from tests.identity_provider import IdentityProvider
from tests.isolation import restricted
from tests.isolation import world as worlds
from tests.isolation.attack import (
    BODIES,
    MCP,
    PATHS,
    SESSION,
    STRANGER,
    Forger,
    Loot,
    Request,
    assembly_of,
    without_time,
)
from tests.isolation.conftest import Overheard
from tests.isolation.world import UUID, Attacker, World
from tests.served_routes import ROUTES

REQUESTS = int(os.environ.get("ATTACK_REQUESTS", "300"))
SEED = int(os.environ.get("ATTACK_SEED", "7"))
WORKERS = 4
LATE_SECONDS = 2
STARTING = 0 if REQUESTS < 3000 else 1000
"""So many first answers are not timed: they start functions, an instance for each of the workers."""
WITNESSED = 4
"""Of so many requests of restricted credentials, one is followed by somebody else's."""
INSPECTOR = page("local").html
MARK = re.compile(r"mark[0-9a-f]{32}")


def routes() -> list[str]:
    """Of the handlers, so that none is forgotten."""
    # One failed probe of a dependency would be a 503 that says nothing about isolation.
    return sorted({route for route in ROUTES if not route.endswith("/ready")} | {MCP})


def test_every_route_that_takes_a_body_is_attacked_with_one() -> None:
    assert {route for route in routes() if route.split()[0] in {"POST", "PUT", "PATCH"}} == BODIES.keys()


@dataclass
class Answers:
    """The statuses of all answers, and how long each took."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[tuple[float, str]] = field(default_factory=list)
    """Seconds and route of each answer."""

    def add(self, route: str, answers: Sequence[httpx.Response]) -> None:
        self.statuses[answers[-1].status_code] += 1
        if self.statuses.total() > STARTING:
            self.seconds += [(answer.elapsed.total_seconds(), route) for answer in answers]

    def __str__(self) -> str:
        took = sorted(self.seconds)
        half, most = took[len(took) // 2][0], took[len(took) * 99 // 100][0]
        seconds, route = took[-1]
        times = f"median {1000 * half:.0f} ms, 99 % within {1000 * most:.0f}, slowest {1000 * seconds:.0f} ({route})"
        late = Counter(route for one, route in took if one > LATE_SECONDS)
        times += f", {late.total()} above {LATE_SECONDS} s {dict(late)}"
        return f"ATTACK_SEED={SEED}: {self.statuses.total()} answers, {dict(sorted(self.statuses.items()))}; {times}"


async def attack(url: str, world: World) -> tuple[list[str], Answers]:
    """What was seen that should not have been, and all answers."""
    random = Random(SEED)
    loot = Loot()
    seen: list[str] = []
    answers = Answers()
    # Every route several times, the rest at random.
    plan = [(random.choice(world.attackers), route) for route in routes() for _ in range(5)]
    plan += [(random.choice(world.attackers), random.choice(routes())) for _ in range(REQUESTS - len(plan))]
    random.shuffle(plan)
    queue = iter(plan)

    async def work(client: httpx.AsyncClient) -> None:
        for attacker, route in queue:
            request = Forger(world, attacker, random, loot).request(route)
            *late, response = await _sent(client, request)
            answers.add(route, [*late, response])
            for answer in (*late, response):
                found = worlds.leaks(world, attacker, request.text, answer, named=_named(request))
                seen.extend(f"{route} by {attacker.cell.org_id} for {attacker.user}: {what}" for what in found)
            # The inspector's page, the same for everybody, explains this error.
            if response.status_code >= 500 or "internal_error" in response.text.replace(INSPECTOR, ""):
                seen.append(f"{route}: {response.status_code} {response.text}")
            owner = loot.erasures.get(request.path.rpartition("/")[2], attacker.cell.agent_id)
            if response.status_code == 200 and owner != attacker.cell.agent_id:
                seen.append(f"{route} by {attacker.cell.agent_id}: an erasure asked for with the key of {owner}")
            stolen = _foreign(response, request.text, attacker, loot)
            seen.extend(f"{route} by {attacker.cell.agent_id}: {what}, which was made for another" for what in stolen)
            _harvest(response, attacker, loot)

    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        await asyncio.gather(*(work(client) for _ in range(WORKERS)))
    return seen, answers


def _named(request: Request) -> str | None:
    """The end user of the body or the query string."""
    body = request.body if isinstance(request.body, dict) else {}
    named: str | None = body.get("user_id") or body.get("userId") or request.params.get("user_id")
    return named


def _foreign(response: httpx.Response, sent: str, attacker: Attacker, loot: Loot) -> list[str]:
    """Ids that were answered to a POST of another place before, by the same key for instance."""
    said = set(UUID.findall(sent))
    own = attacker.cell.agent_id
    return [one for one in UUID.findall(response.text) if one not in said and loot.made.get(one, own) != own]


def _harvest(response: httpx.Response, attacker: Attacker, loot: Loot) -> None:
    if response.request.method == "POST" and response.is_success:
        # Sessions have the names that clients give them; here all give the same.
        for identifier in set(UUID.findall(response.text)) - {SESSION}:
            loot.made.setdefault(identifier, attacker.cell.agent_id)
    if cursor := response.headers.get("x-next-cursor"):
        loot.cursors.append(cursor)
    body = response.json() if response.headers.get("content-type", "").startswith("application/json") else {}
    if isinstance(body, dict) and body.get("next_cursor"):
        loot.cursors.append(body["next_cursor"])
    if isinstance(body, dict) and body.get("erasure_id"):
        loot.erasures.setdefault(body["erasure_id"], attacker.cell.agent_id)


def test_nothing_foreign_ever_comes_back(stack: Stack, world: World) -> None:
    before = {cell.agent_id: contents(stack, cell) for cell in world.cells}

    seen, answers = asyncio.run(attack(stack.url, world))

    assert seen == [], f"ATTACK_SEED={SEED}"
    assert {cell.agent_id: contents(stack, cell) for cell in world.cells} == before, f"ATTACK_SEED={SEED}"
    # The attackers were answered, and refused, in numbers.
    statuses = answers.statuses
    assert statuses[200] > sum(statuses.values()) / 5
    assert statuses[404] + statuses[403] > sum(statuses.values()) / 10
    print(answers)  # noqa: T201


# What use and the workers change by themselves.
_OF_USE = ("usage_count", "retrieval_count", "last_accessed_at", "tier")
_KEPT = {
    "memories": f"SELECT to_jsonb(t) - '{{{','.join(_OF_USE)}}}'::text[] FROM memories t "
    "WHERE org_id = %s AND user_id IS DISTINCT FROM 'ada' ORDER BY memory_id",
    "versions": "SELECT to_jsonb(v) FROM memory_versions v JOIN memories m USING (memory_id) "
    "WHERE m.org_id = %s AND m.user_id IS DISTINCT FROM 'ada' ORDER BY v.memory_id, v.version",
    "relations": "SELECT to_jsonb(r) FROM memory_relations r JOIN memories f ON f.memory_id = r.from_memory_id "
    "JOIN memories t ON t.memory_id = r.to_memory_id WHERE r.org_id = %s AND r.type <> 'similar' AND "
    "(f.user_id IS DISTINCT FROM 'ada' OR t.user_id IS DISTINCT FROM 'ada') ORDER BY relation_id",
    "feedback": "SELECT to_jsonb(b) FROM feedback b JOIN memories m USING (memory_id) "
    "WHERE m.org_id = %s AND m.user_id IS DISTINCT FROM 'ada' ORDER BY b.memory_id",
    "conversations": "SELECT to_jsonb(c) FROM conversations c "
    "WHERE org_id = %s AND user_id IS DISTINCT FROM 'ada' AND session_id = 'shared session' ORDER BY conversation_id",
    "turns": "SELECT to_jsonb(t) FROM conversation_turns t JOIN conversations c USING (conversation_id) "
    "WHERE c.org_id = %s AND c.user_id IS DISTINCT FROM 'ada' AND session_id = 'shared session' ORDER BY t.memory_id",
    "directives": "SELECT to_jsonb(t) FROM directives t WHERE org_id = %s ORDER BY agent_id, version",
    "agents": "SELECT jsonb_build_array(agent_id, name) FROM agents t WHERE org_id = %s ORDER BY agent_id",
    "keys": "SELECT to_jsonb(t) FROM api_keys t WHERE org_id = %s ORDER BY key_id",
    "erasures": "SELECT to_jsonb(t) FROM erasures t WHERE org_id = %s ORDER BY erasure_id",
}
"""All of an organization that is not Ada's own, row by row; captured requests of others come on top."""


def kept_rows(stack: Stack, org_id: str) -> dict[str, list[Any]]:
    with psycopg.connect(stack.postgres.superuser_url) as connection:
        return {name: connection.execute(query, [org_id]).fetchall() for name, query in _KEPT.items()}


async def intrude(url: str, cell: worlds.Cell, attackers: list[Attacker], own: list[str]) -> tuple[list[str], Answers]:
    """What restricted credentials bring others to see, and all answers."""
    random, marks = Random(SEED), list[str]()
    seen: list[str] = []
    answers = Answers()
    watched = restricted.witnesses(cell)
    plan = [route for route in restricted.ROUTES for _ in attackers]
    plan += [random.choice(restricted.ROUTES) for _ in range(max(0, REQUESTS // 3 - len(plan)))]
    random.shuffle(plan)
    queue = iter(enumerate(plan))

    async def watch(client: httpx.AsyncClient, witness: Request) -> None:
        *late, response = await _sent(client, witness)
        answers.add(f"{witness.method} {witness.path}", [*late, response])
        if response.status_code != 200 or MARK.search(response.text):
            seen.append(f"{witness.method} {witness.path} for {witness.headers.get('X-End-User-ID')}: {response.text}")

    async def work(client: httpx.AsyncClient) -> None:
        for number, route in queue:
            attacker = random.choice(attackers)
            intruder = restricted.Intruder(cell, attacker, random, own, marks)
            *late, response = await _sent(client, intruder.request(route))
            answers.add(route, [*late, response])
            own.extend(restricted.written(response))
            if response.status_code >= 500:
                seen.append(f"{route}: {response.status_code} {response.text}")
            if number % WITNESSED == 0:
                await watch(client, random.choice(watched))

    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        await asyncio.gather(*(work(client) for _ in range(WORKERS)))
        for witness in watched:
            await watch(client, witness)
    return seen, answers


async def _sent(client: httpx.AsyncClient, request: Request) -> list[httpx.Response]:
    """All answers: a busy machine may be late with a dependency, and the service says so."""
    headers = {name.encode(): value.encode() for name, value in request.headers.items()}
    return await patience.sent(
        lambda: client.request(request.method, request.path, headers=headers, params=request.params, json=request.body)
    )


def test_who_acts_for_one_end_user_changes_nothing_that_others_get(
    stack: Stack, loop: Loop, provider: IdentityProvider
) -> None:
    """Shared memories, directives, agents, keys and other end users' memories are the same, row by row."""
    cell, attackers = worlds.beset(stack, loop, provider)
    own = [identifier for identifier, owner in cell.memories.items() if owner == restricted.USER]
    cell.memories = {identifier: owner for identifier, owner in cell.memories.items() if identifier not in own}
    before = kept_rows(stack, cell.org_id)

    seen, answers = asyncio.run(intrude(stack.url, cell, attackers, own))
    loop.run(stack.drain())

    assert seen == [], f"ATTACK_SEED={SEED}"
    assert kept_rows(stack, cell.org_id) == before, f"ATTACK_SEED={SEED}"
    statuses = answers.statuses
    assert statuses[403] > sum(statuses.values()) / 10
    assert len(own) > sum(statuses.values()) / 50
    print(answers)  # noqa: T201


def test_no_log_has_a_word_of_anybody_or_a_key(overheard: Overheard, loop: Loop, world: World) -> None:
    """After the attack, most of which was refused, and messages that no worker can read."""
    for function in ("EmbedFunction", "CaptureFunction", "SideEffectsFunction"):
        poison = json.dumps({"org_id": world.cells[0].canary(), "memory_ids": [world.cells[0].canary()]})
        record = {"messageId": "1", "body": poison, "attributes": {"ApproximateReceiveCount": "1"}}
        loop.run(overheard.stack.invoke(function, {"Records": [record]}))
    secrets = {canary for cell in world.cells for canary in cell.canaries}
    secrets |= {attacker.token or attacker.api_key for attacker in world.attackers} | set(world.forgeries)
    logs = overheard.logs()

    found = {(name, secret) for name, text in logs.items() for secret in secrets if secret.encode() in text}

    functions = {name for name, text in logs.items() if name.startswith("logs/") and text}
    assert {
        f"logs/{name}Function.log" for name in ("Assemble", "Query", "Memories", "Capture", "SideEffects")
    } <= functions
    assert found == set()


def contents(stack: Stack, cell: worlds.Cell) -> dict[str, Any]:
    """Every memory that no attack may change, as its owner sees it, and the directive."""
    with patience.client(stack, {"X-API-Key": cell.api_key}) as client:
        memories = {
            identifier: client.get(
                f"/v1/memories/{identifier}", headers={"X-End-User-ID": owner} if owner else {}
            ).json()
            for identifier, owner in cell.memories.items()
        }
        said = {
            identifier: client.get(
                f"/v1/conversations/{identifier}", headers={"X-End-User-ID": owner} if owner else {}
            ).json()
            for identifier, owner in cell.conversations.items()
        }
        directive = client.get(f"/v1/agents/{cell.agent_id}/directive").json()["text"]
    shown = ("content", "summary", "context", "status", "user_id", "tags", "metadata")
    turns = {
        identifier: [[turn[name] for name in ("text", "speaker", "state", "memory_id")] for turn in one["turns"]]
        for identifier, one in said.items()
    }
    contents = {identifier: [one.get(name) for name in shown] for identifier, one in memories.items()}
    return contents | turns | {"": directive}


OF_A_MEMORY = (
    "GET /v1/memories/{}",
    "DELETE /v1/memories/{}",
    "PATCH /v1/memories/{}",
    "POST /v1/memories/{}/restore",
    "POST /v1/memories/{}/unsupersede",
    "POST /v1/memories/{}/feedback",
    "POST /v1/memories/{}/relations",
)
OF_AN_AGENT = (
    "GET /v1/agents/{}/directive",
    "PUT /v1/agents/{}/directive",
    "GET /v1/agents/{}/directive/versions",
    "GET /v1/memories?agent_id={}",
    "GET /v1/conversations?agent_id={}",
)
OF_A_CONVERSATION = ("GET /v1/conversations/{}",)
OF_A_KEY = ("DELETE /v1/keys/{}",)
NOWHERE = "5e551000-0000-4000-8000-00000000000f"
BODY_BY_END: dict[str, Any] = {
    "feedback": {"feedback": "positive"},
    "relations": {"to": NOWHERE[:-1] + "e", "type": "supports"},
    "directive": {"text": "Obey."},
    "restore": {},
    "unsupersede": {},
}


@pytest.mark.parametrize("route", [*OF_A_MEMORY, *OF_A_CONVERSATION, *OF_AN_AGENT, *OF_A_KEY])
def test_what_exists_elsewhere_is_refused_as_what_exists_nowhere(stack: Stack, world: World, route: str) -> None:
    """Word for word, header for header."""
    attacker = world.attackers[0]
    nowhere = _refusal(stack, attacker, route, NOWHERE)

    elsewhere = [_refusal(stack, attacker, route, _identifier(cell, route)) for cell in world.foreign(attacker)]

    assert nowhere[0] == 404
    assert elsewhere == [nowhere] * len(elsewhere)


def _identifier(cell: worlds.Cell, route: str) -> str:
    if route in OF_A_KEY:
        return cell.key_id
    if route in OF_A_CONVERSATION:
        return next(iter(cell.conversations))
    return next(iter(cell.memories)) if route in OF_A_MEMORY else cell.agent_id


def _refusal(stack: Stack, attacker: Attacker, route: str, identifier: str) -> tuple[int, str, list[str]]:
    method, path = route.format(identifier).split(" ", 1)
    body = BODY_BY_END.get(path.rpartition("/")[2], {"confidence": 0.5}) if method in {"POST", "PUT", "PATCH"} else None
    with patience.client(stack, attacker.headers) as client:
        response = client.request(method, path, json=body)
    text = response.text.replace(response.json().get("request_id", ""), "").replace(identifier, "")
    return response.status_code, text, sorted(response.headers)


WORD = "zymurgy"
"""Of one memory of one organization, and of nothing else."""
DEADLINES_MS = range(5, 61, 1 if REQUESTS >= 3000 else 5)


def test_who_was_not_accepted_is_told_the_same_whatever_is_stored(stack: Stack, loop: Loop, world: World) -> None:
    """Made-up keys, others' keys and none, at every deadline, where they would find something or nothing."""
    first, other, foreign = world.cells[0], world.cells[3], world.cells[4]
    with patience.client(stack, {"X-API-Key": first.api_key}) as client:
        agent_id = client.post("/v1/agents", json={"name": f"brewer {uuid4()}"}).json()["agent_id"]
        content = f"The {WORD} of the house was told to nobody."
        client.post("/v1/memories", json={"agent_id": agent_id, "content": content}).raise_for_status()
    loop.run(stack.drain())
    places = [
        (first.org_id, agent_id),
        (first.org_id, first.agent_id),
        (first.org_id, NOWHERE),
        (other.org_id, other.agent_id),
        (NOWHERE, agent_id),
    ]
    credentials: dict[str, Callable[[], dict[str, str]]] = {
        "made up": lambda: {"X-API-Key": new_api_key()},
        "no key": dict,
        "of another organization": lambda: {"X-API-Key": foreign.api_key},
        "of another project": lambda: {"X-API-Key": world.cells[2].api_key},
        "forged": lambda: {"Authorization": f"Bearer {world.forgeries[0]}"},
    }

    said: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    with patience.client(stack, local_address=STRANGER) as client:
        for deadline_ms in DEADLINES_MS:
            for path in PATHS:
                for name, credential in credentials.items():
                    for place in places:
                        body = assembly_of(*place, f"Who knows of the {WORD}?")
                        headers = {**credential(), "X-Deadline-Ms": str(deadline_ms)}
                        response = client.post(path, json=body, headers=headers)
                        kind, text = without_time(response)
                        said[name, path, kind].add(text)

    assert {kind for *_, kind in said} <= {
        "401 ",
        "403 ",
        "404 ",
        "429 ",
        "200 credential_timeout",
        "200 assembly_timeout",
    }
    several = {key: texts for key, texts in said.items() if len(texts) > 1}
    assert several == {}
    answers = [text for (*_, kind), texts in said.items() for text in texts if kind.startswith("200")]
    assert answers
    assert all('"sources": {}' in text and '["total"], ["total"]' in text for text in answers)
    print(f"strangers: {sorted({(name, kind) for name, _, kind in said})}")  # noqa: T201
