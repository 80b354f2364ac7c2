"""Requests that take effect once: the answer is stored in the transaction that has the effect."""

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

# Whoever comes second waits here until the first is done or gone. A row that has served its time is taken over.
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
    """A request's own place among the answers, held by one transaction.

    `before` is what it came to when it first came: then nothing is to be done. Answers are ids, counts and states and
    no text: what else a response shows, the repeated request says again.
    """

    def __init__(self, before: Any = None) -> None:
        self.before = before
        self._answer: Any = None
        self._about: list[tuple[str, str]] = []

    def keep(self, answer: object, *, agents: Sequence[UUID] = (), users: Sequence[str | None] = ()) -> None:
        """What the request comes to with this transaction, and whose erasure takes the answer along."""
        self._answer = answer
        self._about = [("agent", str(agent_id)) for agent_id in set(agents)]
        self._about += [("user", user) for user in set(users) if user is not None]

    async def settle(self, transaction: Transaction, parameters: dict[str, Any]) -> None:
        """Without an answer to keep, the key is as if it had never come."""
        if self._answer is None:
            await transaction.execute(_RELEASE, parameters)
            return
        about = {"kinds": [kind for kind, _ in self._about], "subjects": [subject for _, subject in self._about]}
        await transaction.execute(_KEEP, parameters | about | {"answer": Jsonb(self._answer)})


@asynccontextmanager
async def claimed(
    transaction: Transaction, org_id: UUID, key_id: UUID | None, once: Once | None
) -> AsyncIterator[RequestClaim]:
    """Before any other lock is taken; without a key nothing happens. Conflict when it came with another request."""
    if once is None:
        yield RequestClaim()
        return
    parameters = _parameters(org_id, key_id, once)
    if await transaction.execute(_CLAIM, parameters) == 0:
        yield RequestClaim(_answer(await transaction.fetch(_KNOWN, parameters)))
        return
    claim = RequestClaim()
    yield claim
    await claim.settle(transaction, parameters)


async def find(database: Database, principal: Principal, once: Once) -> Any:
    """What the request came to when it first came; None when it did not. Conflict as above."""
    (rows,) = await database.read(principal.org_id, (_KNOWN, _parameters(principal.org_id, principal.key_id, once)))
    return _answer(rows)


def _answer(rows: Sequence[Any]) -> Any:
    """None too when the organization is gone meanwhile: its rows decide what the request comes to."""
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
