"""Wrapped data keys of organizations, and the texts to seal under the newest one."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

import psycopg

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.domain.encryption.data_key import DataKey, KeyState, NewKey, Resealed, StoredText
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

# The tables with text, and the columns that identify a text of a memory: the current one, and earlier ones.
_PLACES = {"memories": "0", "memory_versions": "version"}
# Both halves of the condition are served by the index on (org_id, key_version).
_OLD = "org_id = %(org_id)s AND (key_version IS NULL OR key_version < %(version)s)"
_TEXTS_OF = """
    (SELECT memory_id, {number} AS number, content, summary, context, sealed, sealed_context FROM {place}
     WHERE {old} AND (memory_id, {number}) > (%(after)s, %(after_number)s)
     ORDER BY memory_id, number LIMIT %(limit)s)"""
_TEXTS = (
    " UNION ALL ".join(_TEXTS_OF.format(place=place, number=number, old=_OLD) for place, number in _PLACES.items())
    + " ORDER BY memory_id, number LIMIT %(limit)s"
)
_LEFT = " + ".join(
    f"(SELECT count(*) FROM {place} WHERE org_id = o.org_id AND (key_version IS NULL OR key_version < k.newest))"  # noqa: S608 - constants only
    for place in _PLACES
)
_STATE = f"""
    SELECT k.newest, k.keys - 1, o.sealed_term_key, {_LEFT}
    FROM organizations o,
         (SELECT max(usable) AS newest, count(usable) AS keys FROM data_keys WHERE org_id = %(org_id)s) k
    WHERE o.org_id = %(org_id)s AND k.newest IS NOT NULL"""  # noqa: S608
_ENCRYPTED = "SELECT org_id FROM organizations WHERE sealed_term_key IS NOT NULL ORDER BY org_id"
# A text written in between is newer, and stays.
_RESEAL = {
    place: f"""
    UPDATE {place} SET content = NULL, summary = NULL, context = NULL, sealed = %(sealed)s,
                        sealed_context = %(sealed_context)s, key_version = %(version)s
    WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s AND {number} = %(number)s
      AND content IS NOT DISTINCT FROM %(content)s AND summary IS NOT DISTINCT FROM %(summary)s
      AND context IS NOT DISTINCT FROM %(context)s AND sealed IS NOT DISTINCT FROM %(sealed_before)s
      AND sealed_context IS NOT DISTINCT FROM %(sealed_context_before)s"""  # noqa: S608
    for place, number in _PLACES.items()
}

# Foreign keys from the texts refuse a version for which a text was stored in between.
_RETIRE = """
    UPDATE data_keys k SET retired_at = now(), usable = NULL
    WHERE k.org_id = %(org_id)s AND k.version < %(version)s AND k.retired_at IS NULL
      AND NOT EXISTS (SELECT FROM memories m WHERE m.org_id = k.org_id AND m.key_version = k.version)
      AND NOT EXISTS (SELECT FROM memory_versions m WHERE m.org_id = k.org_id AND m.key_version = k.version)"""
_DESTROY = """
    UPDATE data_keys SET wrapped = NULL WHERE org_id = %s AND retired_at < %s AND wrapped IS NOT NULL"""


class PostgresDataKeys:
    """Serves the DataKeys and KeyStore ports."""

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

    async def reseal(self, org_id: UUID, version: int, texts: Sequence[Resealed]) -> int:
        """One transaction; rows are locked in the order of their ids, like in every transaction."""
        async with self._database.transaction(org_id) as transaction:
            counts = [
                await transaction.execute(
                    _RESEAL["memory_versions" if text.before.number else "memories"], _resealed(org_id, version, text)
                )
                for text in sorted(texts, key=lambda text: (text.before.memory_id, text.before.number))
            ]
        return sum(counts)

    async def state(self, org_id: UUID) -> KeyState | None:
        """In one round trip, by the index on (org_id, key_version)."""
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
