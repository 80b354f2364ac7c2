"""Organizations, projects, environments and end users whose every text has a word of its own: a canary."""

import re
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

import httpx
import jwt
import psycopg
from cryptography.hazmat.primitives.asymmetric import rsa

from local.stack import Stack
from remembrancer.adapters.postgres.identity.directory import FirstKey, create_organization
from remembrancer.keys import fingerprint, new_api_key
from tests import patience
from tests.e2e.conftest import Loop
from tests.identity_provider import IdentityProvider

ENDLESS = 4_000_000_000
"""Longer than any attack."""
USERS = (None, "ada", "bob")
CANARY = re.compile(r"canary[0-9a-f]{16}")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
QUESTION = "Which secret does the office keep?"


def new_canary() -> str:
    return f"canary{secrets.token_hex(8)}"


@dataclass
class Cell:
    """One project and environment of one organization, with an agent; nothing of it is for anybody else."""

    org_id: str
    project_id: str
    environment: str
    api_key: str
    key_id: str
    agent_id: str = ""
    agent_name: str = ""
    directive: str = ""
    relation_id: str = ""
    memories: dict[str, str | None] = field(default_factory=dict)
    """End user by the id of a memory that no attack may change."""
    expendable: list[str] = field(default_factory=list)
    conversations: dict[str, str | None] = field(default_factory=dict)
    """End user by id; of each turn a memory is made."""
    canaries: dict[str, str | None] = field(default_factory=dict)
    """End user by canary."""

    def visible(self, user: str | None) -> set[str]:
        """What may be shown to whoever acts for this end user, or for nobody."""
        return {canary for canary, owner in self.canaries.items() if owner in {None, user}}

    @property
    def ids(self) -> set[str]:
        own = {self.org_id, self.key_id, self.agent_id, self.relation_id}
        return {*own, *self.memories, *self.expendable, *self.conversations}

    def canary(self, user: str | None = None) -> str:
        made = new_canary()
        self.canaries[made] = user
        return made


@dataclass(frozen=True)
class Attacker:
    """Who asks: the key or token that they really have, and the end user that it makes them act for."""

    cell: Cell
    api_key: str
    user: str | None
    token: str = ""
    bound: bool = False
    """Whether the credential itself is for that end user only, so that another may be tried."""

    @property
    def headers(self) -> dict[str, str]:
        if self.token:
            return {"Authorization": f"Bearer {self.token}"}
        return {"X-API-Key": self.api_key} | ({"X-End-User-ID": self.user} if self.user else {})


@dataclass(frozen=True)
class World:
    cells: list[Cell]
    attackers: list[Attacker]
    forgeries: list[str]
    """Tokens that say to be an administrator of one of the cells, and are not the provider's."""

    def foreign(self, attacker: Attacker) -> list[Cell]:
        return [cell for cell in self.cells if cell is not attacker.cell]

    def has_several_places(self, org_id: str) -> bool:
        """Whether the organization has more than one project and environment."""
        return sum(cell.org_id == org_id for cell in self.cells) > 1


def found(stack: Stack, loop: Loop, provider: IdentityProvider) -> World:
    """Three organizations, the last one encrypted; the first has two projects and two environments."""
    first = _organization(stack, loop)
    cells = [first]
    for project_id, environment in (("proj_one", "staging"), ("proj_two", "production")):
        api_key, key_id = _key(stack, first, project_id, environment)
        other = replace(first, project_id=project_id, environment=environment)
        cells.append(replace(other, api_key=api_key, key_id=key_id))
    cells += [_organization(stack, loop), _organization(stack, loop)]
    loop.run(stack.invoke("MigrateFunction", {"task": "encrypt_organization", "org_id": cells[-1].org_id}))
    cells = [replace(cell, memories={}, expendable=[], conversations={}, canaries={}) for cell in cells]
    for cell in cells:
        _furnish(stack, cell)
    attackers = [Attacker(cell, cell.api_key, user) for cell in cells for user in USERS]
    limited, _ = _key(stack, first, "proj_one", "production", end_users=["ada*"])
    attackers.append(Attacker(cells[0], limited, "ada", bound=True))
    for cell in (cells[0], cells[2], cells[-1]):
        claims = _claims(cell, "query assemble write")
        attackers.append(Attacker(cell, "", "bob", provider.token("ec-1", sub="bob", exp=ENDLESS, **claims), True))
    forgeries = [token for cell in cells for token in _forged(provider, cell)]
    loop.run(stack.drain())
    return World(cells, attackers, forgeries)


def beset(stack: Stack, loop: Loop, provider: IdentityProvider) -> tuple[Cell, list[Attacker]]:
    """An organization of its own, and every kind of credential that acts for one of its end users."""
    cell = _organization(stack, loop)
    _furnish(stack, cell)
    limited, _ = _key(stack, cell, "proj_one", "production", end_users=["ada*"])
    demanding, _ = _key(stack, cell, "proj_one", "production", demands_one=True)
    token = provider.token("ec-1", sub="ada", exp=ENDLESS, **_claims(cell, "admin"))
    loop.run(stack.drain())
    return cell, [
        Attacker(cell, limited, "ada", bound=True),
        Attacker(cell, demanding, "ada"),
        Attacker(cell, "", "ada", token, bound=True),
    ]


def _claims(cell: Cell, scope: str) -> dict[str, Any]:
    return {
        "org_id": cell.org_id,
        "project_id": cell.project_id,
        "environment": cell.environment,
        "scope": scope,
    }


def _forged(provider: IdentityProvider, cell: Cell) -> list[str]:
    """Without a signature, by another hand, with the public key as a secret, changed, too late, for somebody else."""
    claims = provider.claims(exp=ENDLESS, **_claims(cell, "admin"))
    other_hand = rsa.generate_private_key(65537, 2048)
    header, _, signature = provider.token(exp=ENDLESS).split(".")
    unsigned = jwt.encode(claims, "", "none")
    secret = urlsafe_b64encode(provider.public_pem("rsa-1"))
    return [
        unsigned,
        jwt.encode(claims, other_hand, "RS256", {"kid": "rsa-1"}),
        jwt.encode(claims, secret, "HS256", {"kid": "rsa-1"}),
        f"{header}.{unsigned.split('.')[1]}.{signature}",
        provider.token(**_claims(cell, "admin"), exp=1_700_000_000),
        provider.token(**_claims(cell, "admin"), aud="somebody else", exp=ENDLESS),
    ]


def _organization(stack: Stack, loop: Loop) -> Cell:
    api_key = new_api_key()
    key = FirstKey("attack", fingerprint(api_key), ("admin",))
    principal = loop.run(
        create_organization(
            stack.owner_database_url, name="Attacked", project_id="proj_one", environment="production", key=key
        )
    )
    return Cell(str(principal.org_id), "proj_one", "production", api_key, str(principal.key_id))


def _key(
    stack: Stack,
    cell: Cell,
    project_id: str,
    environment: str,
    *,
    end_users: list[str] | None = None,
    demands_one: bool = False,
) -> tuple[str, str]:
    api_key, key_id = new_api_key(), str(uuid4())
    with psycopg.connect(stack.owner_database_url) as connection:
        connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [cell.org_id])
        connection.execute(
            "INSERT INTO projects (org_id, project_id, name) VALUES (%s, %s, 'p') ON CONFLICT DO NOTHING",
            [cell.org_id, project_id],
        )
        connection.execute(
            "INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes, end_users, "
            "end_user_required) VALUES (%s, %s, %s, %s, 'attack', %s, '{admin}', %s, %s)",
            [key_id, cell.org_id, project_id, environment, fingerprint(api_key), end_users, demands_one],
        )
    return api_key, key_id


def _furnish(stack: Stack, cell: Cell) -> None:
    with patience.client(stack, {"X-API-Key": cell.api_key}) as client:
        agent = _made(client.post("/v1/agents", json={"name": f"agent {cell.canary()}"}))
        cell.agent_id, cell.agent_name = agent["agent_id"], agent["name"]
        cell.directive = f"Keep {cell.canary()} to yourself."
        _made(client.put(f"/v1/agents/{cell.agent_id}/directive", json={"text": cell.directive}))
        memories = [_memory(cell, user, number) for user in USERS for number in range(3)]
        written = _made(client.post("/v1/memories/batch", json={"memories": memories}))["results"]
        for memory, result in zip(memories, written, strict=True):
            cell.memories[result["id"]] = memory.get("user_id")
        spare = [{"agent_id": cell.agent_id, "content": f"A spare note, number {number}."} for number in range(5)]
        written = _made(client.post("/v1/memories/batch", json={"memories": spare}))["results"]
        cell.expendable += [result["id"] for result in written]
        for user in USERS:
            said = _made(client.post("/v1/conversations", json=_conversation(cell, user)))
            cell.conversations[said["conversation_id"]] = user
        _made(client.patch(f"/v1/agents/{cell.agent_id}", json={"capture": True}))
        one, other, *_ = cell.memories
        related = client.post(f"/v1/memories/{one}/relations", json={"to": other, "type": "supports"})
        cell.relation_id = _made(related)["relation_id"]


def _memory(cell: Cell, user: str | None, number: int) -> dict[str, Any]:
    """The same words everywhere but for the canaries, so that every search would find every cell's."""
    memory = {
        "agent_id": cell.agent_id,
        "content": f"The secret that the office keeps is {cell.canary(user)}.",
        "summary": f"secret {cell.canary(user)}",
        "context": f"They spoke of {cell.canary(user)} before.",
        "tags": [cell.canary(user)],
        "metadata": {"note": cell.canary(user)},
        "session_id": "shared session",
        "client_ref": f"reference {user} {number}",
    }
    return memory if user is None else {**memory, "user_id": user}


def _conversation(cell: Cell, user: str | None) -> dict[str, Any]:
    messages = [
        {"role": "user", "content": f"I keep the secret {cell.canary(user)} in the office.", "name": cell.canary(user)},
        {"role": "assistant", "content": f"Is {cell.canary(user)} the secret that the office keeps?"},
        {"role": "user", "content": "Yes."},
    ]
    said = {"agent_id": cell.agent_id, "session_id": "shared session", "messages": messages}
    return said if user is None else {**said, "user_id": user}


def _made(response: httpx.Response) -> Any:
    assert response.status_code < 300, response.text
    return response.json()


def leaks(
    world: World, attacker: Attacker, sent: str, response: httpx.Response, *, named: str | None = None
) -> list[str]:
    """Everything in the answer that belongs to somebody else: canaries, and ids that were not in the request.

    `named` is the end user whom the request names, as it may with a credential for anybody.
    """
    user = attacker.user or named
    text = response.text + "\n" + "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    visible = attacker.cell.visible(user)
    foreign_canaries = set(CANARY.findall(text)) - visible
    strangers = {identifier for cell in world.foreign(attacker) for identifier in cell.ids} - attacker.cell.ids
    owned = attacker.cell.memories | attacker.cell.conversations
    own_hidden = {identifier for identifier, owner in owned.items() if owner not in {None, user}}
    foreign_ids = (set(UUID.findall(text)) - set(UUID.findall(sent))) & (strangers | own_hidden)
    return sorted(foreign_canaries | foreign_ids)
