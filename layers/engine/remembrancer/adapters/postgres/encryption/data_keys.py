"""Wrapped data keys of organizations, and the texts to seal under the newest one."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import psycopg

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.domain.encryption.data_key import TURN, DataKey, KeyState, NewKey, Resealed, StoredText
from remembrancer.domain.encryption.sealed_text import split

_KEYS = """
    SELECT version, kms_key_id, wrapped, created_at, retired_at FROM data_keys
    WHERE org_id = %s AND wrapped IS NOT NULL ORDER BY version"""
_ADD = """
    INSERT INTO data_keys (org_id, version, usable, kms_key_id, wrapped)
    SELECT org_id, %(version)s, %(version)s, %(kms_key_id)s, %(wrapped)s FROM organizations
    WHERE org_id = %(org_id)s
    ON CONFLICT DO NOTHING"""
_REWRAP = """
    UPDATE data_keys SET kms_key_id = %(kms_key_id)s, wrapped = %(wrapped)s
    WHERE org_id = %(org_id)s AND version = %(version)s AND wrapped IS NOT NULL"""
_TERM_KEY = "UPDATE organizations SET sealed_term_key = %s, term_key = NULL WHERE org_id = %s"


@dataclass(frozen=True, slots=True)
class _Place:
    """A table with text: what identifies one of its texts beside `memory_id`, what says that a row is in clear, and its
    columns of a StoredText; both halves of the condition for old texts are served by indexes.
    """

    table: str
    number: str
    clear: str = "key_version IS NULL"
    columns: tuple[str, ...] = ("content", "summary", "context", "sealed", "sealed_context")

    @property
    def texts(self) -> str:
        """Up to `limit` of its old texts."""
        return f"""
            (SELECT memory_id, {self.number} AS number, {", ".join(self.columns)} FROM {self.table}
             WHERE org_id = %(org_id)s AND ({self.clear} OR key_version < %(version)s)
               AND (memory_id, {self.number}) > (%(after)s, %(after_number)s)
             ORDER BY memory_id, number LIMIT %(limit)s)"""  # noqa: S608 - constants only

    @property
    def left(self) -> str:
        """How many there are."""
        return f"""
            (SELECT count(*) FROM {self.table}
             WHERE org_id = o.org_id AND ({self.clear} OR key_version < k.newest))"""  # noqa: S608 - constants only

    @property
    def reseal(self) -> str:
        """Replaces one; a text written in between is newer, and stays."""
        content, second, *_ = self.columns
        context = "context" in self.columns
        also_set = ", context = NULL, sealed_context = %(sealed_context)s" if context else ""
        also_same = (
            " AND context IS NOT DISTINCT FROM %(context)s"
            " AND sealed_context IS NOT DISTINCT FROM %(sealed_context_before)s"
            if context
            else ""
        )
        return f"""
            UPDATE {self.table}
            SET {content} = NULL, {second} = NULL, sealed = %(sealed)s, key_version = %(version)s{also_set}
            WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s AND {self.number} = %(number)s
              AND {content} IS NOT DISTINCT FROM %(content)s AND {second} IS NOT DISTINCT FROM %(summary)s
              AND sealed IS NOT DISTINCT FROM %(sealed_before)s{also_same}"""  # noqa: S608 - constants only


_MEMORIES = _Place("memories", "0")
_VERSIONS = _Place("memory_versions", "version")
# Turns whose time is over have no text, and no key either.
_TURNS = _Place(
    "conversation_turns", str(TURN), "content IS NOT NULL", ("content", "speaker", "NULL", "sealed", "NULL::bytea")
)
_PLACES = (_TURNS, _MEMORIES, _VERSIONS)
_TEXTS = " UNION ALL ".join(place.texts for place in _PLACES) + " ORDER BY memory_id, number LIMIT %(limit)s"
_LEFT = " + ".join(place.left for place in _PLACES)
_STATE = f"""
    SELECT k.newest, k.keys - 1, o.sealed_term_key, {_LEFT}
    FROM organizations o,
         (SELECT max(usable) AS newest, count(usable) AS keys FROM data_keys WHERE org_id = %(org_id)s) k
    WHERE o.org_id = %(org_id)s AND k.newest IS NOT NULL"""  # noqa: S608
_ENCRYPTED = "SELECT org_id FROM organizations WHERE sealed_term_key IS NOT NULL ORDER BY org_id"
_LOCK_CONVERSATIONS = """
    SELECT FROM conversations WHERE org_id = %(org_id)s AND conversation_id IN (
        SELECT conversation_id FROM conversation_turns WHERE org_id = %(org_id)s AND memory_id = ANY(%(turns)s))
    ORDER BY conversation_id FOR UPDATE"""

# Foreign keys from the texts refuse a version for which a text was stored in between.
_RETIRE = """
    UPDATE data_keys k SET retired_at = now(), usable = NULL
    WHERE k.org_id = %(org_id)s AND k.version < %(version)s AND k.retired_at IS NULL
      AND NOT EXISTS (SELECT FROM memories m WHERE m.org_id = k.org_id AND m.key_version = k.version)
      AND NOT EXISTS (SELECT FROM memory_versions m WHERE m.org_id = k.org_id AND m.key_version = k.version)
      AND NOT EXISTS (SELECT FROM conversation_turns t WHERE t.org_id = k.org_id AND t.key_version = k.version)"""
_DESTROY = """
    UPDATE data_keys SET wrapped = NULL WHERE org_id = %s AND retired_at < %s AND wrapped IS NOT NULL"""


class PostgresDataKeys:
    """Serves the KeyStore port. Keys are stored wrapped by KMS; a destroyed one keeps its row, without the key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, org_id: UUID) -> Sequence[DataKey]:
        """Includes retired keys until they are destroyed: caches may hold text that they sealed."""
        (rows,) = await self._database.read(org_id, (_KEYS, [org_id]))
        return [DataKey(row[0], row[1], bytes(row[2]), row[3], row[4]) for row in rows]

    async def add(self, org_id: UUID, version: int, key: NewKey) -> bool:
        """When two callers add the same version, the primary key refuses the second."""
        parameters = _wrapped(org_id, version, key)
        async with self._database.transaction(org_id) as transaction:
            return await transaction.execute(_ADD, parameters) == 1

    async def rewrap(self, org_id: UUID, version: int, key: NewKey) -> None:
        """The key itself stays, and so does everything sealed with it."""
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_REWRAP, _wrapped(org_id, version, key))

    async def keep_term_key(self, org_id: UUID, sealed: bytes) -> None:
        """Removes the clear term key in the same statement."""
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_TERM_KEY, (sealed, org_id))

    async def texts_to_seal(
        self, org_id: UUID, version: int, after: tuple[UUID, int], limit: int
    ) -> Sequence[StoredText]:
        """Texts of any status: a deleted memory can be restored."""
        place = {"after": after[0], "after_number": after[1], "limit": limit}
        parameters = {"org_id": org_id, "version": version, **place}
        (rows,) = await self._database.read(org_id, (_TEXTS, parameters))
        return [StoredText(*row) for row in rows]

    @repeated
    async def reseal(self, org_id: UUID, version: int, texts: Sequence[Resealed]) -> int:
        """One transaction; rows are locked in the order of their ids, as everywhere, and conversations before turns."""
        turns = [text.before.memory_id for text in texts if text.before.number == TURN]
        async with self._database.transaction(org_id) as transaction:
            if turns:
                await transaction.execute(_LOCK_CONVERSATIONS, {"org_id": org_id, "turns": turns})
            counts = [
                await transaction.execute(_place(text.before.number).reseal, _resealed(org_id, version, text))
                for text in sorted(texts, key=lambda text: (text.before.memory_id, text.before.number))
            ]
        return sum(counts)

    async def state(self, org_id: UUID) -> KeyState | None:
        """Reads the state in one round trip, by the index on (org_id, key_version)."""
        (rows,) = await self._database.read(org_id, (_STATE, {"org_id": org_id}))
        if not rows:
            return None
        newest, older, term_key, left = rows[0]
        return KeyState(newest, older, left, None if term_key is None else split(bytes(term_key))[0])

    async def organizations(self) -> Sequence[UUID]:
        """Only the maintenance run may call this."""
        (rows,) = await self._database.read(None, (_ENCRYPTED, ()), settings={"remembrancer.maintenance": "on"})
        return [row[0] for row in rows]

    async def retire(self, org_id: UUID, before: int) -> None:
        """From then on no text can be stored under these versions."""
        # A text was being stored under one of them concurrently: retry later.
        with suppress(psycopg.errors.ForeignKeyViolation):
            async with self._database.transaction(org_id) as transaction:
                await transaction.execute(_RETIRE, {"org_id": org_id, "version": before})

    async def destroy(self, org_id: UUID, retired_before: datetime) -> int:
        """The destroyed keys could only open data in caches and backups."""
        async with self._database.transaction(org_id) as transaction:
            return await transaction.execute(_DESTROY, (org_id, retired_before))


def _place(number: int) -> _Place:
    if number == TURN:
        return _TURNS
    return _VERSIONS if number else _MEMORIES


def _wrapped(org_id: UUID, version: int, key: NewKey) -> dict[str, object]:
    return {"org_id": org_id, "version": version, "kms_key_id": key.kms_key_id, "wrapped": key.wrapped}


def _resealed(org_id: UUID, version: int, text: Resealed) -> dict[str, object]:
    before = text.before
    return {
        "org_id": org_id,
        "version": version,
        "memory_id": before.memory_id,
        "number": before.number,
        "sealed": text.sealed,
        "sealed_context": text.sealed_context,
        "content": before.content,
        "summary": before.summary,
        "context": before.context,
        "sealed_before": before.sealed,
        "sealed_context_before": before.sealed_context,
    }
