"""Queues in Postgres, for deployments without SQS: what SQS promises, as far as workers rely on it.

A received message stays in its table, hidden for a time: if its worker dies, another one receives it then. After
`most_receives` deliveries it becomes a dead letter. Messages are delivered at least once, without a fixed order.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection
from psycopg.errors import ForeignKeyViolation

from remembrancer.adapters.postgres.connection.database import CONNECT_SECONDS, Database
from remembrancer.adapters.postgres.connection.login import Login, conninfo
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.domain.erasure.dead_letters import DeadLetter
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.system import MOST_RECEIVES

DEAD: Final = ".dead"
SEND_MS = 1000
HELD_SECONDS = 60
LEADER_LOCK = 7_267_343_019_882
"""An arbitrary number that every worker uses."""
DEAD_DAYS = 14
_BATCH = 10
_SENT_AT_ONCE = 1000
_MOST_LETTERS = 1000
# For all organizations, not within one: their messages, and to send, whether they exist.
_ALL: Final = {"remembrancer.worker": "on"}
_SENDING: Final = {**_ALL, "remembrancer.maintenance": "on"}

# An organization that was erased meanwhile gets no messages.
_SEND = """
    INSERT INTO queue_messages (org_id, queue, is_bulk, body, visible_at)
    SELECT org_id, %(queue)s, %(is_bulk)s, body, now() + %(delay)s * interval '1 second'
    FROM unnest(%(org_ids)s::uuid[], %(bodies)s::text[]) AS sent (org_id, body) JOIN organizations USING (org_id)
    RETURNING message_id"""

# A group is an organization's single messages, or those it sent in bulk; the index gives one group after the other.
# Four times as many candidates as wanted, since other workers may lock some at the same moment.
_RECEIVE = """
    WITH RECURSIVE groups AS (
        (SELECT org_id, is_bulk FROM queue_messages WHERE queue = %(queue)s ORDER BY org_id, is_bulk LIMIT 1)
        UNION ALL
        SELECT following.org_id, following.is_bulk FROM groups g CROSS JOIN LATERAL (
            SELECT org_id, is_bulk FROM queue_messages
            WHERE queue = %(queue)s AND (org_id, is_bulk) > (g.org_id, g.is_bulk)
            ORDER BY org_id, is_bulk LIMIT 1) following
    ), candidates AS (
        SELECT m.message_id, m.visible_at, g.is_bulk,
            row_number() OVER (PARTITION BY g.org_id, g.is_bulk ORDER BY m.visible_at, m.message_id) AS place
        FROM groups g CROSS JOIN LATERAL (
            SELECT message_id, visible_at FROM queue_messages
            WHERE queue = %(queue)s AND org_id = g.org_id AND is_bulk = g.is_bulk AND visible_at <= now()
            ORDER BY visible_at LIMIT 4 * %(most)s) m
    ), chosen AS (
        SELECT m.message_id FROM queue_messages m JOIN (
            SELECT message_id, row_number() OVER (ORDER BY place, is_bulk, visible_at) AS turn FROM candidates
            ORDER BY turn LIMIT 4 * %(most)s) c USING (message_id)
        WHERE m.queue = %(queue)s AND m.visible_at <= now()
        ORDER BY c.turn LIMIT %(most)s FOR UPDATE OF m SKIP LOCKED
    )
    UPDATE queue_messages m SET
        queue = CASE WHEN receives < %(most_receives)s THEN queue ELSE queue || %(dead)s END,
        visible_at = now() + CASE WHEN receives < %(most_receives)s THEN %(hidden)s ELSE 0 END * interval '1 second',
        receives = receives + 1
    FROM chosen WHERE chosen.message_id = m.message_id
    RETURNING m.message_id, m.body, m.receives"""
# A message that was delivered again meanwhile belongs to the worker that has it now.
_DELETE = """
    DELETE FROM queue_messages m USING unnest(%(ids)s::bigint[], %(receives)s::integer[]) AS done (message_id, receives)
    WHERE m.message_id = done.message_id AND m.receives = done.receives AND m.queue = %(queue)s
    RETURNING m.message_id"""
_BACKLOG = """
    SELECT queue, count(*), extract(epoch FROM now() - min(sent_at))::float8 FROM queue_messages GROUP BY queue"""
_EXPIRE = """
    DELETE FROM queue_messages WHERE queue LIKE %s AND sent_at < now() - make_interval(days => %s)
    RETURNING message_id"""

_HELD_ELSEWHERE = "SELECT FROM queue_messages WHERE queue = ANY(%(queues)s::text[]) AND visible_at > now() LIMIT 1"
_HOLD = """
    UPDATE queue_messages SET visible_at = now() + %(seconds)s * interval '1 second' WHERE message_id = ANY(ARRAY(
        SELECT message_id FROM queue_messages WHERE queue = ANY(%(queues)s::text[]) AND visible_at <= now()
        ORDER BY message_id LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
    RETURNING queue, message_id, body"""
_DELETE_LETTERS = "DELETE FROM queue_messages WHERE message_id = ANY(%s::bigint[]) RETURNING message_id"
_RELEASE = "UPDATE queue_messages SET visible_at = now() WHERE message_id = ANY(%s::bigint[]) RETURNING message_id"


@dataclass(frozen=True, slots=True)
class Received:
    """A message as delivered; `receives` counts its deliveries, this one included."""

    message_id: int
    body: str
    receives: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """The messages of a queue, received ones too, and the age of the oldest in seconds."""

    queue: str
    messages: int
    oldest_seconds: float


class PostgresQueue:
    """Serves the DelayedQueue port for one queue; workers receive from it and delete what is done."""

    def __init__(
        self, database: Database, name: str, *, hidden_seconds: float = 60.0, most_receives: int = MOST_RECEIVES
    ) -> None:
        """`hidden_seconds` is how long a message stays away that a worker received but did not delete: longer than a
        batch takes.
        """
        self._database = database
        self._name = name
        self._hidden_seconds = hidden_seconds
        self._most_receives = most_receives

    async def send(self, messages: Sequence[Mapping[str, Any]], *, delay_seconds: int = 0) -> None:
        """Sends a thousand in a statement. What names an organization that does not exist is dropped."""
        for start in range(0, len(messages), _SENT_AT_ONCE):
            some = messages[start : start + _SENT_AT_ONCE]
            parameters = {
                "queue": self._name,
                "is_bulk": len(messages) > _BATCH,
                "org_ids": [str(message["org_id"]) for message in some],
                "bodies": [json.dumps(message, default=str) for message in some],
                "delay": delay_seconds,
            }
            try:
                await self._send(parameters)
            except ForeignKeyViolation:
                # An organization was erased between the two looks at it.
                await self._send(parameters)

    async def receive(self, most: int) -> list[Received]:
        """Up to `most` visible messages, hidden from now on: organizations in turn, and of each the oldest."""
        parameters = {
            "queue": self._name,
            "most": most,
            "most_receives": self._most_receives,
            "dead": DEAD,
            "hidden": self._hidden_seconds,
        }
        received = [Received(*row) for row in await self._run(_RECEIVE, parameters)]
        return [message for message in received if message.receives <= self._most_receives]

    async def delete(self, messages: Sequence[Received]) -> None:
        """Deletes what is done, unless it was delivered again."""
        if messages:
            ids, receives = [one.message_id for one in messages], [one.receives for one in messages]
            await self._run(_DELETE, {"queue": self._name, "ids": ids, "receives": receives})

    async def _send(self, parameters: Mapping[str, Any]) -> None:
        await self._database.read(None, (_SEND, parameters), settings=_SENDING, statement_ms=SEND_MS)

    async def _run(self, statement: str, parameters: Mapping[str, Any]) -> list[Row]:
        (rows,) = await self._database.read(None, (statement, parameters), settings=_ALL)
        return rows


class PostgresDeadLetters:
    """Serves the DeadLetters port for these queues of dead letters."""

    def __init__(self, database: Database, names: Sequence[str]) -> None:
        self._database = database
        self._names = list(names)

    async def receive(self) -> tuple[Sequence[DeadLetter], bool]:
        parameters = {"queues": self._names, "seconds": HELD_SECONDS, "limit": _MOST_LETTERS}
        elsewhere, held = await self._database.read(
            None, (_HELD_ELSEWHERE, parameters), (_HOLD, parameters), settings=_ALL
        )
        letters = [DeadLetter(queue, str(message_id), body) for queue, message_id, body in held]
        return letters, not elsewhere and len(letters) < _MOST_LETTERS

    async def delete(self, letters: Sequence[DeadLetter]) -> None:
        await self._change(_DELETE_LETTERS, letters)

    async def release(self, letters: Sequence[DeadLetter]) -> None:
        await self._change(_RELEASE, letters)

    async def _change(self, statement: str, letters: Sequence[DeadLetter]) -> None:
        if letters:
            ids = [int(letter.handle) for letter in letters]
            await self._database.read(None, (statement, [ids]), settings=_ALL)


async def backlogs(database: Database) -> list[Backlog]:
    """Each queue that has messages, queues of dead letters too."""
    (rows,) = await database.read(None, (_BACKLOG, ()), settings=_ALL)
    return [Backlog(*row) for row in rows]


async def expire(database: Database) -> None:
    """Deletes dead letters after `DEAD_DAYS`, as SQS does."""
    await database.read(None, (_EXPIRE, (f"%{DEAD}", DEAD_DAYS)), settings=_ALL)


class Leadership:
    """Which of several workers does what is to be done once: the one that holds a lock, as long as it is connected."""

    def __init__(self, url: str, login: Login) -> None:
        """A connection of its own: the lock belongs to its session."""
        self._url = url
        self._login = login
        self._connection: AsyncConnection[Row] | None = None
        self._is_mine = False

    async def is_mine(self) -> bool:
        """Asks for the lock if this process does not have it. Raises StoreError while Postgres does not answer."""
        try:
            if self._connection is None or self._connection.closed:
                self._is_mine = False
                url = conninfo(self._url, await self._login.parameters())
                self._connection = await AsyncConnection.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)
            statement = "SELECT true" if self._is_mine else f"SELECT pg_try_advisory_lock({LEADER_LOCK})"
            row = await (await self._connection.execute(statement.encode())).fetchone()
        except psycopg.OperationalError as error:
            self._connection = None
            raise StoreUnavailable("Postgres is unavailable", cause=type(error).__name__) from error
        self._is_mine = bool(row and row[0])
        return self._is_mine
