"""Idempotent write requests: the answer is stored in the transaction that has the effect."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests import idempotency as requests
from remembrancer.domain.requests.idempotency import Once

KEPT = timedelta(hours=24)

# A concurrent request with the same key waits here until the first has ended. An expired row is replaced.
_CLAIM = """
    INSERT INTO idempotency_keys AS kept (org_id, key_id, idempotency_key, request, subjects, answer)
    SELECT org_id, %(key_id)s, sha256(subject_key || %(key)s), sha256(subject_key || %(request)s), '{}', 'null'
    FROM organizations WHERE org_id = %(org_id)s
    ON CONFLICT (org_id, key_id, idempotency_key) DO UPDATE
    SET request = excluded.request, subjects = excluded.subjects, answer = excluded.answer, created_at = now()
    WHERE kept.created_at <= now() - %(kept)s"""
_KNOWN = """
    SELECT k.request = sha256(o.subject_key || %(request)s), k.answer
    FROM organizations o
    JOIN idempotency_keys k ON k.org_id = o.org_id AND k.key_id = %(key_id)s
                           AND k.idempotency_key = sha256(o.subject_key || %(key)s)
    WHERE o.org_id = %(org_id)s AND k.created_at > now() - %(kept)s"""
_KEEP = """
    UPDATE idempotency_keys k
    SET answer = %(answer)s,
        subjects = ARRAY(SELECT subject_hash(o.subject_key, kind, subject)
                         FROM unnest(%(kinds)s::text[], %(subjects)s::text[]) AS about (kind, subject))
    FROM organizations o
    WHERE o.org_id = %(org_id)s AND k.org_id = o.org_id AND k.key_id = %(key_id)s
      AND k.idempotency_key = sha256(o.subject_key || %(key)s)"""
_RELEASE = """
    DELETE FROM idempotency_keys k USING organizations o
    WHERE o.org_id = %(org_id)s AND k.org_id = o.org_id AND k.key_id = %(key_id)s
      AND k.idempotency_key = sha256(o.subject_key || %(key)s)"""


class RequestClaim:
    """The record of a request's idempotency key, held by one transaction.

    `before` is the answer of the first request with this key; if set, the request must not take effect again. Answers
    are ids, counts and states without text: the repeated request reads everything else again.
    """

    def __init__(self, before: Any = None) -> None:
        self.before = before
        self._answer: Any = None
        self._about: list[tuple[str, str]] = []

    def keep(self, answer: object, *, agents: Sequence[UUID] = (), users: Sequence[str | None] = ()) -> None:
        """Stores the answer with this transaction, and the end user whose erasure deletes it."""
        self._answer = answer
        self._about = [("agent", str(agent_id)) for agent_id in set(agents)]
        self._about += [("user", user) for user in set(users) if user is not None]

    async def finish(self, transaction: Transaction, parameters: dict[str, Any]) -> None:
        """Without an answer to store, the key counts as unused."""
        if self._answer is None:
            await transaction.execute(_RELEASE, parameters)
            return
        about = {"kinds": [kind for kind, _ in self._about], "subjects": [subject for _, subject in self._about]}
        await transaction.execute(_KEEP, parameters | about | {"answer": Jsonb(self._answer)})


@asynccontextmanager
async def claimed(
    transaction: Transaction, org_id: UUID, key_id: UUID | None, once: Once | None
) -> AsyncIterator[RequestClaim]:
    """Claims the key before any other lock; does nothing without a key. Raises Conflict when it was used for another
    request.
    """
    if once is None:
        yield RequestClaim()
        return
    parameters = _parameters(org_id, key_id, once)
    if await transaction.execute(_CLAIM, parameters) == 0:
        yield RequestClaim(_answer(await transaction.fetch(_KNOWN, parameters)))
        return
    claim = RequestClaim()
    yield claim
    await claim.finish(transaction, parameters)


async def find(database: Database, principal: Principal, once: Once) -> Any:
    """The answer of the first request with this key, None when there is none. Raises Conflict as above."""
    (rows,) = await database.read(principal.org_id, (_KNOWN, _parameters(principal.org_id, principal.key_id, once)))
    return _answer(rows)


def _answer(rows: Sequence[Any]) -> Any:
    """None too when the organization was erased meanwhile: its rows decide the result."""
    if not rows:
        return None
    is_same, answer = rows[0]
    if not is_same:
        raise requests.reused()
    return answer


def _parameters(org_id: UUID, key_id: UUID | None, once: Once) -> dict[str, Any]:
    return {
        "org_id": org_id,
        "key_id": key_id,
        "key": once.key,
        "request": once.request,
        "kept": KEPT,
    }
