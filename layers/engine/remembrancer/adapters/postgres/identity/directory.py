"""API keys as credentials, organizations, agents and directives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.idempotent_requests import claimed
from remembrancer.adapters.postgres.memories.quotas import DEFAULT_QUOTAS, require_room
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.domain.encryption.sealed_text import TERM_KEY, Sealed
from remembrancer.domain.identity.agent import Agent, AgentState, DirectiveVersion
from remembrancer.domain.identity.organization import AUDIT_ALL, AUDIT_DAYS, Extraction, Organization
from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.domain.lexical_index.stop_words import ENGLISH
from remembrancer.domain.memories.memory import LIFE_BITS, NO_DIRECTIVE, Change, Directive
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.personal_data.redaction import Redaction
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.encryption import Cipher
from remembrancer.usecases.encryption.opening import Keyless

_KEY = """
    SELECT org_id, project_id, environment, key_id, scopes, end_users, end_user_required, rate_per_second, rate_burst,
        expires_at
    FROM api_keys WHERE key_sha256 = %s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())"""

_LIMIT = "SELECT rate_per_second, rate_burst FROM organizations WHERE org_id = %s"

_ORGANIZATION = """
    SELECT org_id, term_key, sealed_term_key, languages, former_languages, memory_tokens, settings, embedding_model
    FROM organizations WHERE org_id = %s"""

_ENABLED = "(o.settings -> 'enabled') IS DISTINCT FROM 'false'::jsonb"
"""The switch of an organization `o`: on, unless its settings say otherwise."""

_NONCE_KEY = "sha256('nonce:'::bytea || coalesce(o.term_key, o.sealed_term_key))"
"""A key made of what is secret and stored: it needs no KMS, and nothing of the term key can be learnt from it."""

_COLUMNS = f"""agent_id, project_id, environment, name, created_at, enabled,
    (SELECT {_ENABLED} FROM organizations o WHERE o.org_id = agents.org_id), capture,
    time_zone, placement, (SELECT o.settings ->> 'placement' FROM organizations o WHERE o.org_id = agents.org_id),
    (SELECT {_NONCE_KEY} FROM organizations o WHERE o.org_id = agents.org_id)"""  # noqa: S608
"""The columns of an Agent, in the order of its fields."""

_AGENT = f"SELECT {_COLUMNS} FROM agents WHERE org_id = %s AND agent_id = %s"  # noqa: S608

_AGENT_NAMED = f"""
    SELECT {_COLUMNS} FROM agents
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s AND name = %(name)s"""  # noqa: S608

_NAMES_LIKE = """
    SELECT name FROM agents
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s
    ORDER BY lower(name) = lower(%(name)s) DESC, name LIMIT 100"""

_AGENTS = f"""
    SELECT {_COLUMNS} FROM agents
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s
      AND (%(after)s::text IS NULL OR name > %(after)s)
    ORDER BY name LIMIT %(limit)s"""  # noqa: S608

_NEW_AGENT = f"""
    INSERT INTO agents (agent_id, org_id, project_id, environment, name, time_zone) VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (org_id, project_id, environment, name) DO NOTHING
    RETURNING {_COLUMNS}"""  # noqa: S608

_SWITCH_AGENT = f"""
    UPDATE agents SET enabled = coalesce(%(enabled)s::boolean, enabled),
                      capture = coalesce(%(capture)s::boolean, capture),
                      time_zone = nullif(coalesce(%(time_zone)s::text, time_zone), ''),
                      placement = nullif(coalesce(%(placement)s::text, placement), '')
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s
      AND agent_id = %(agent_id)s
    RETURNING {_COLUMNS}"""  # noqa: S608

# Steps from each name to the next: as many steps as end users on the page, however many memories each has.
END_USERS = """
    WITH RECURSIVE named AS (
        (SELECT user_id FROM memories
         WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND user_id IS NOT NULL AND status <> 'deleted'
           AND (%(all_users)s::boolean OR user_id = %(user_id)s::text)
           AND (%(after)s::text IS NULL OR user_id > %(after)s)
         ORDER BY user_id LIMIT 1)
        UNION ALL
        SELECT following.user_id FROM named CROSS JOIN LATERAL (
            SELECT m.user_id FROM memories m
            WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND m.user_id IS NOT NULL
              AND m.status <> 'deleted' AND m.user_id > named.user_id AND %(all_users)s::boolean
            ORDER BY m.user_id LIMIT 1) AS following)
    SELECT user_id FROM named LIMIT %(limit)s"""

_TIME_ZONE = """
    SELECT time_zone FROM end_users
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s
      AND user_id = %(user_id)s"""
_SET_TIME_ZONE = """
    INSERT INTO end_users (org_id, project_id, environment, user_id, time_zone)
    VALUES (%(org_id)s, %(project_id)s, %(environment)s, %(user_id)s, %(time_zone)s)
    ON CONFLICT (org_id, project_id, environment, user_id) DO UPDATE SET time_zone = excluded.time_zone"""
_NO_TIME_ZONE = """
    DELETE FROM end_users
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s
      AND user_id = %(user_id)s"""

_ACTIVE_DIRECTIVE = """
    SELECT version, text, injection_mode FROM directives WHERE org_id = %s AND agent_id = %s AND active"""

_STATE = f"""
    SELECT a.version, a.removals, a.enabled AND {_ENABLED}, a.capture,
           EXISTS (SELECT FROM memories m
                   WHERE m.org_id = a.org_id AND m.agent_id = a.agent_id AND m.pinned_at IS NOT NULL),
           d.version, d.text, d.injection_mode
    FROM agents a JOIN organizations o ON o.org_id = a.org_id
    LEFT JOIN directives d ON d.org_id = a.org_id AND d.agent_id = a.agent_id AND d.active
    WHERE a.org_id = %s AND a.agent_id = %s"""  # noqa: S608

_DIRECTIVES = """
    SELECT version, text, injection_mode, active, created_at FROM directives
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND (%(before)s::integer IS NULL OR version < %(before)s)
    ORDER BY version DESC LIMIT %(limit)s"""

# The lock on the agent's row orders concurrent versions.
_LOCK_AGENT = "SELECT 1 FROM agents WHERE org_id = %s AND agent_id = %s FOR UPDATE"
_RETIRE_DIRECTIVE = "UPDATE directives SET active = false WHERE org_id = %s AND agent_id = %s AND active"
_NEW_DIRECTIVE = """
    INSERT INTO directives (org_id, agent_id, version, text, injection_mode, active)
    SELECT %(org_id)s, %(agent_id)s, coalesce(max(version), 0) + 1, %(text)s, %(injection_mode)s, true
    FROM directives WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s
    RETURNING version, text, injection_mode"""


# Settings that every assembly reads have their own columns.
_CONFIGURE = """
    UPDATE organizations
    SET settings = jsonb_strip_nulls(settings || %(settings)s),
        memory_tokens = CASE WHEN %(caps)s THEN %(memory_tokens)s::integer ELSE memory_tokens END
    WHERE org_id = %(org_id)s
    RETURNING settings, memory_tokens, languages"""
# Queries look for the terms of former languages until maintenance has made all terms anew.
_CHANGE_LANGUAGES = """
    UPDATE organizations
    SET languages = coalesce(%(languages)s::text[], '{english}'), languages_changed_at = now(),
        former_languages = ARRAY(SELECT DISTINCT unnest(former_languages || languages))
    WHERE org_id = %(org_id)s"""


_BEGIN_LIFE = """
    UPDATE agents SET version = greatest(version + %(one)s, %(life)s), removals = greatest(removals + %(one)s, %(life)s)
    WHERE org_id = current_org()"""


class PostgresCredentials:
    """Serves the Credentials port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        """Row-level security shows one row at most: the presented key's."""
        settings = {"remembrancer.key_sha256": key_sha256.hex()}
        (rows,) = await self._database.read(None, (_KEY, [key_sha256]), settings=settings)
        return to_principal(rows[0]) if rows else None

    async def limit(self, org_id: UUID) -> RateLimit | None:
        (rows,) = await self._database.read(org_id, (_LIMIT, [org_id]))
        return rate_limit(*rows[0]) if rows else None


class PostgresDirectory:
    """Serves the Directory, Agents and AgentStates ports."""

    def __init__(self, database: Database, opener: Cipher | None = None, quotas: Quotas = DEFAULT_QUOTAS) -> None:
        self._database = database
        self._quotas = quotas
        self._opener = opener or Keyless()

    async def organization(self, org_id: UUID) -> Organization | None:
        """Reads an organization by id; decrypts the term key of an encrypted one here, so that it is stored sealed
        only.
        """
        (rows,) = await self._database.read(org_id, (_ORGANIZATION, [org_id]))
        if not rows:
            return None
        identifier, term_key, sealed_term_key, languages, former_languages, memory_tokens, settings, model = rows[0]
        if sealed_term_key is not None:
            answer = await self._opener.open(org_id, [Sealed(org_id, TERM_KEY, sealed_term_key)])
            (term_key,) = answer.values
            if term_key is None:
                raise StoreUnavailable("The organization's term key does not open", cause=answer.causes[0])
        boosts = settings.get("relation_boosts")
        return Organization(
            org_id=identifier,
            term_key=term_key,
            languages=tuple(languages),
            former_languages=tuple(former_languages),
            memory_tokens=memory_tokens,
            encrypted=sealed_term_key is not None,
            relation_boosts=boosts if isinstance(boosts, dict) else {},
            redaction=Redaction.of(settings),
            extraction=Extraction.of(settings),
            pins_instructions=settings.get("pin_instructions") is True,
            forgets_at_once=settings.get("forget_at_once") is True,
            audits_reads=settings.get("audit") == AUDIT_ALL,
            audit_days=settings.get("audit_days", AUDIT_DAYS),
            embedding_model=model,
        )

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        (rows,) = await self._database.read(org_id, (_AGENT, [org_id, agent_id]))
        return Agent(*rows[0]) if rows else None

    async def agent_named(self, principal: Principal, name: str) -> Agent | None:
        """Uses the index that keeps names unique."""
        (rows,) = await self._database.read(principal.org_id, (_AGENT_NAMED, place(principal) | {"name": name}))
        return Agent(*rows[0]) if rows else None

    async def names_like(self, principal: Principal, name: str) -> Sequence[str]:
        (rows,) = await self._database.read(principal.org_id, (_NAMES_LIKE, place(principal) | {"name": name}))
        return [row[0] for row in rows]

    async def time_zone(self, org_id: UUID, project_id: str, environment: str, end_user: str) -> str | None:
        parameters = {"org_id": org_id, "project_id": project_id, "environment": environment, "user_id": end_user}
        (rows,) = await self._database.read(org_id, (_TIME_ZONE, parameters))
        return rows[0][0] if rows else None

    def remembered_id(self, principal: Principal, name: str) -> UUID | None:
        """Always None: nothing is cached here."""
        return None

    async def create(
        self,
        principal: Principal,
        agent_id: UUID,
        name: str,
        *,
        time_zone: str | None = None,
        once: Once | None = None,
    ) -> Agent | None:
        values = (agent_id, principal.org_id, principal.project_id, principal.environment, name, time_zone)
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                rows = await transaction.fetch(_AGENT, (principal.org_id, UUID(claim.before["agent_id"])))
            else:
                await require_room(transaction, principal.org_id, "agents", self._quotas)
                if rows := await transaction.fetch(_NEW_AGENT, values):
                    claim.keep({"agent_id": str(agent_id)}, agents=[agent_id])
        return Agent(*rows[0]) if rows else None

    async def switch(
        self,
        principal: Principal,
        agent_id: UUID,
        *,
        enabled: bool | None = None,
        capture: bool | None = None,
        time_zone: str | None = None,
        placement: str | None = None,
    ) -> Agent | None:
        switches = {"enabled": enabled, "capture": capture, "time_zone": time_zone, "placement": placement}
        values = place(principal) | {"agent_id": agent_id} | switches
        async with self._database.transaction(principal.org_id, actor=principal.actor) as transaction:
            rows = await transaction.fetch(_SWITCH_AGENT, values)
        return Agent(*rows[0]) if rows else None

    async def list(self, principal: Principal, *, after: str | None = None, limit: int = 100) -> Sequence[Agent]:
        parameters = place(principal) | {"after": after, "limit": limit}
        (rows,) = await self._database.read(principal.org_id, (_AGENTS, parameters))
        return [Agent(*row) for row in rows]

    async def end_users(
        self, principal: Principal, agent_id: UUID, *, after: str | None = None, limit: int = 100
    ) -> Sequence[str]:
        """Lists end users with keyset pagination."""
        parameters = place(principal) | {"agent_id": agent_id, "after": after, "limit": limit}
        (rows,) = await self._database.read(principal.org_id, (END_USERS, parameters))
        return [user_id for (user_id,) in rows]

    async def set_time_zone(self, principal: Principal, end_user: str, time_zone: str | None) -> None:
        values = place(principal) | {"user_id": end_user, "time_zone": time_zone}
        async with self._database.transaction(principal.org_id, actor=principal.actor) as transaction:
            await transaction.execute(_NO_TIME_ZONE if time_zone is None else _SET_TIME_ZONE, values)

    async def directive(self, org_id: UUID, agent_id: UUID) -> Directive | None:
        (rows,) = await self._database.read(org_id, (_ACTIVE_DIRECTIVE, [org_id, agent_id]))
        return Directive(*rows[0]) if rows else None

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        (rows,) = await self._database.read(org_id, (_STATE, [org_id, agent_id]))
        if not rows:
            return None
        version, removals, uses_memories, capture, has_pinned, *directive = rows[0]
        active = NO_DIRECTIVE if directive[0] is None else Directive(*directive)
        return AgentState(Change(version, removals), active, uses_memories, capture, has_pinned)

    async def directive_versions(
        self, org_id: UUID, agent_id: UUID, *, before: int | None, limit: int
    ) -> Sequence[DirectiveVersion]:
        parameters = {"org_id": org_id, "agent_id": agent_id, "before": before, "limit": limit}
        (rows,) = await self._database.read(org_id, (_DIRECTIVES, parameters))
        return [DirectiveVersion(Directive(*row[:3]), *row[3:]) for row in rows]

    async def put_directive(
        self, org_id: UUID, agent_id: UUID, text: str, injection_mode: str, *, actor: str = ""
    ) -> Directive:
        """One transaction retires the old version and activates the new one."""
        values = {"org_id": org_id, "agent_id": agent_id, "text": text, "injection_mode": injection_mode}
        async with self._database.transaction(org_id, actor=actor) as transaction:
            await require_room(transaction, org_id, "directives", self._quotas)
            await transaction.execute(_LOCK_AGENT, [org_id, agent_id])
            await transaction.execute(_RETIRE_DIRECTIVE, [org_id, agent_id])
            rows = await transaction.fetch(_NEW_DIRECTIVE, values)
        return Directive(*rows[0])


@dataclass(frozen=True, slots=True)
class FirstKey:
    """The first API key of a new organization, by the SHA-256 of its text, which is never stored."""

    name: str
    key_sha256: bytes
    scopes: tuple[str, ...]
    end_users: tuple[str, ...] | None = None
    end_user_required: bool = False


async def create_organization(url: str, *, name: str, project_id: str, environment: str, key: FirstKey) -> Principal:
    """Creates an organization with one project and one key, for `remembrancer keys create` and the sample; needs the
    owner's URL.
    """
    org_id, key_id = uuid4(), uuid4()
    async with await psycopg.AsyncConnection.connect(url, connect_timeout=5) as connection:
        await connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(org_id)])
        await connection.execute(
            "INSERT INTO organizations (org_id, name, term_key) VALUES (%s, %s, uuid_send(gen_random_uuid()) "
            "|| uuid_send(gen_random_uuid()))",
            (org_id, name),
        )
        await connection.execute("INSERT INTO projects VALUES (%s, %s, %s)", (org_id, project_id, name))
        await connection.execute(
            "INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes, end_users, "
            "end_user_required) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                key_id,
                org_id,
                project_id,
                environment,
                key.name,
                key.key_sha256,
                list(key.scopes),
                None if key.end_users is None else list(key.end_users),
                key.end_user_required,
            ),
        )
    return Principal(
        org_id, project_id, environment, key_id, frozenset(key.scopes), key.end_users, key.end_user_required
    )


async def configure_organization(url: str, org_id: UUID, settings: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Changes these settings, None restores a default; returns the settings in force, None without the organization.
    Needs the owner's URL.
    """
    rest = {name: value for name, value in settings.items() if name not in {"memory_tokens", "languages"}}
    values = {
        "org_id": org_id,
        "settings": Jsonb(rest),
        "caps": "memory_tokens" in settings,
        "memory_tokens": settings.get("memory_tokens"),
    }
    async with await psycopg.AsyncConnection.connect(url, connect_timeout=5) as connection:
        await connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(org_id)])
        if "languages" in settings:
            await connection.execute(_CHANGE_LANGUAGES, {"org_id": org_id, "languages": settings["languages"]})
        changed = await connection.execute(_CONFIGURE, values)
        row = await changed.fetchone()
    if row is None:
        return None
    in_force, memory_tokens, languages = row
    columns = {"memory_tokens": memory_tokens, "languages": None if languages == [ENGLISH] else languages}
    return {**in_force, **{name: value for name, value in columns.items() if value is not None}}


async def limit_organization(url: str, org_id: UUID, limit: RateLimit | None) -> bool:
    """Sets or removes an organization's own rate limit; returns whether the organization exists. Needs the owner's
    URL.
    """
    columns = (None, None) if limit is None else (limit.per_second, limit.burst)
    async with await psycopg.AsyncConnection.connect(url, connect_timeout=5) as connection:
        await connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(org_id)])
        changed = await connection.execute(
            "UPDATE organizations SET rate_per_second = %s, rate_burst = %s WHERE org_id = %s", (*columns, org_id)
        )
    return changed.rowcount == 1


async def begin_life(url: str, now: datetime) -> int:
    """Raises the counters of every agent above all earlier values; returns the number of agents. Needs the owner's URL.

    Counters include the minute, so that two restores of one backup are two lives. Runs per organization, since
    row-level security applies to the owner too.
    """
    life = int(now.timestamp() / 60) << LIFE_BITS
    agents = 0
    async with await psycopg.AsyncConnection.connect(url, connect_timeout=5) as connection:
        await connection.execute("SELECT set_config('remembrancer.maintenance', 'on', true)")
        listed = await connection.execute("SELECT org_id FROM organizations")
        for (org_id,) in await listed.fetchall():
            await connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(org_id)])
            raised = await connection.execute(_BEGIN_LIFE, {"life": life, "one": 1 << LIFE_BITS})
            agents += raised.rowcount
    return agents


def to_principal(row: Row) -> Principal:
    """The principal from the columns of a key."""
    org_id, project_id, environment, key_id, scopes, end_users, required, per_second, burst, expires_at = row
    return Principal(
        org_id,
        project_id,
        environment,
        key_id,
        frozenset(scopes),
        None if end_users is None else tuple(end_users),
        required,
        limit=rate_limit(per_second, burst),
        expires_at=expires_at,
    )


def rate_limit(per_second: float | None, burst: int | None) -> RateLimit | None:
    """The limit from its two columns; the default burst is two seconds of the rate."""
    if per_second is None:
        return None
    return RateLimit(per_second, burst or max(1, round(2 * per_second)))
