"""Administration of the API keys of a project and environment; their text is not stored."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.identity.directory import rate_limit
from remembrancer.adapters.postgres.memories.idempotent_requests import claimed
from remembrancer.adapters.postgres.memories.quotas import DEFAULT_QUOTAS, require_room
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.domain.identity.api_key import ApiKey
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.requests.idempotency import Once

_COLUMNS = """key_id, name, scopes, end_users, end_user_required, rate_per_second, rate_burst, created_at, revoked_at,
    expires_at"""

_NEW = f"""
    INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes, end_users,
        end_user_required, rate_per_second, rate_burst, expires_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    RETURNING {_COLUMNS}"""  # noqa: S608

_GET = f"SELECT {_COLUMNS} FROM api_keys WHERE org_id = %s AND key_id = %s"  # noqa: S608

_LIST = f"""
    SELECT {_COLUMNS} FROM api_keys
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s
      AND (%(after_at)s::timestamptz IS NULL OR (created_at, key_id) > (%(after_at)s, %(after_id)s))
    ORDER BY created_at, key_id LIMIT %(limit)s"""  # noqa: S608

_REVOKE = f"""
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now())
    WHERE org_id = %s AND project_id = %s AND environment = %s AND key_id = %s
    RETURNING key_sha256, {_COLUMNS}"""  # noqa: S608


class PostgresApiKeys:
    """Serves the ApiKeys port."""

    def __init__(self, database: Database, quotas: Quotas = DEFAULT_QUOTAS) -> None:
        self._database = database
        self._quotas = quotas

    async def create(
        self, principal: Principal, key_id: UUID, key_sha256: bytes, key: KeyRequest, *, once: Once | None = None
    ) -> ApiKey:
        limit = key.limit
        values = (
            key_id,
            *_place(principal),
            key.name,
            key_sha256,
            list(key.scopes),
            None if key.end_users is None else list(key.end_users),
            key.end_user_required,
            None if limit is None else limit.per_second,
            None if limit is None else limit.burst,
            key.expires_at,
        )
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                [row] = await transaction.fetch(_GET, (principal.org_id, UUID(claim.before["key_id"])))
            else:
                await require_room(transaction, principal.org_id, "keys", self._quotas)
                [row] = await transaction.fetch(_NEW, values)
                claim.keep({"key_id": str(key_id)})
        return _key(row)

    async def list(
        self, principal: Principal, *, after: tuple[datetime, UUID] | None = None, limit: int = 100
    ) -> Sequence[ApiKey]:
        after_at, after_id = after or (None, None)
        parameters = place(principal) | {"after_at": after_at, "after_id": after_id, "limit": limit}
        (rows,) = await self._database.read(principal.org_id, (_LIST, parameters))
        return [_key(row) for row in rows]

    async def revoke(self, principal: Principal, key_id: UUID) -> tuple[ApiKey, bytes] | None:
        """A repeated revocation keeps the first time."""
        async with self._database.transaction(principal.org_id, actor=principal.actor) as transaction:
            rows = await transaction.fetch(_REVOKE, (*_place(principal), key_id))
        return (_key(rows[0][1:]), bytes(rows[0][0])) if rows else None


def _place(principal: Principal) -> tuple[UUID, str, str]:
    return principal.org_id, principal.project_id, principal.environment


def _key(row: Row) -> ApiKey:
    key_id, name, scopes, end_users, required, per_second, burst, created_at, revoked_at, expires_at = row
    return ApiKey(
        key_id,
        name,
        tuple(scopes),
        None if end_users is None else tuple(end_users),
        required,
        rate_limit(per_second, burst),
        created_at,
        revoked_at,
        expires_at,
    )
