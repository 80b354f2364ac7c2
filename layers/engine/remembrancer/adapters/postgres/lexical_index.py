"""The lexical index in Postgres: a memory's terms are found at once, and merged into packed blocks later.

`term_documents` holds what each document contains, `term_blocks` where each term occurs, for the documents numbered
below the agent's `merged_documents`. Document numbers only grow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.database import Database, Transaction
from remembrancer.domain import postings
from remembrancer.domain.lexical import IndexedText
from remembrancer.domain.postings import Document, Packed

TAIL = 128
"""Unmerged documents that make a merge worth its writes."""
LEFT = 128
"""Documents to be ignored that make it worth to take them out."""
AT_ONCE = 512
"""Documents that one merge takes in, and takes out, at most: it holds the agent's row."""

_NUMBER = """
    UPDATE memories m SET document = numbered.document, change = %(change)s
    FROM unnest(%(ids)s::uuid[], %(documents)s::integer[]) AS numbered (memory_id, document)
    WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND m.memory_id = numbered.memory_id"""
_INSERT = """
    INSERT INTO term_documents (org_id, agent_id, document, content_words, context_words, terms)
    SELECT %(org_id)s, %(agent_id)s, document, content_words, context_words, terms
    FROM unnest(%(documents)s::integer[], %(content_words)s::integer[], %(context_words)s::integer[],
                %(terms)s::bytea[]) AS entering (document, content_words, context_words, terms)"""
_LEAVE = """
    WITH leaving AS (
        SELECT memory_id, document FROM memories
        WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s) AND document IS NOT NULL
    ), unnumbered AS (
        UPDATE memories m SET document = NULL FROM leaving WHERE m.memory_id = leaving.memory_id)
    UPDATE term_documents t SET left_at = now() FROM leaving
    WHERE t.org_id = %(org_id)s AND t.agent_id = %(agent_id)s AND t.document = leaving.document
    RETURNING t.content_words, t.context_words"""

_LOCK = """
    SELECT merged_documents, next_document FROM agents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s FOR NO KEY UPDATE"""
_TAIL = """
    SELECT document, content_words, context_words, terms FROM term_documents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND document >= %(merged)s AND left_at IS NULL
    ORDER BY document LIMIT %(limit)s"""
_LEFT = """
    SELECT document, content_words, context_words, terms FROM term_documents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND left_at IS NOT NULL
    ORDER BY document LIMIT %(limit)s"""
_BLOCKS = """
    SELECT b.term, b.block, b.packed
    FROM unnest(%(terms)s::bigint[], %(blocks)s::integer[]) AS place (term, block)
    JOIN term_blocks b ON b.term = place.term AND b.block = place.block
    WHERE b.org_id = %(org_id)s AND b.agent_id = %(agent_id)s"""
_PUT = """
    INSERT INTO term_blocks (org_id, agent_id, term, block, postings, packed)
    SELECT %(org_id)s, %(agent_id)s, term, block, postings, packed
    FROM unnest(%(terms)s::bigint[], %(blocks)s::integer[], %(postings)s::integer[], %(packed)b::bytea[])
         AS new (term, block, postings, packed)
    ON CONFLICT (org_id, term, agent_id, block) DO UPDATE
        SET postings = EXCLUDED.postings, packed = EXCLUDED.packed"""
_DROP = """
    DELETE FROM term_blocks b USING unnest(%(terms)s::bigint[], %(blocks)s::integer[]) AS place (term, block)
    WHERE b.org_id = %(org_id)s AND b.agent_id = %(agent_id)s AND b.term = place.term AND b.block = place.block"""
_FORGET = """
    DELETE FROM term_documents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND document = ANY(%(documents)s)"""
_MERGED = """
    UPDATE agents SET merged_documents = %(merged)s, merged_at = now()
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"""

_WAITING = """
    SELECT next_document - merged_documents,
           (SELECT count(*) FROM term_documents t
            WHERE t.org_id = %(org_id)s AND t.agent_id = %(agent_id)s AND t.left_at IS NOT NULL)
    FROM agents WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"""
_UNTIDY = """
    SELECT agent_id FROM agents
    WHERE org_id = %(org_id)s AND next_document > merged_documents
      AND (merged_at < %(older_than)s OR next_document - merged_documents >= %(tail)s)
    UNION
    SELECT agent_id FROM term_documents WHERE org_id = %(org_id)s AND left_at < %(older_than)s
    LIMIT %(limit)s"""


@dataclass(frozen=True, slots=True)
class AgentIndex:
    """One agent's, inside a transaction that holds the agent's row."""

    transaction: Transaction
    org_id: UUID
    agent_id: UUID

    async def enter(self, first: int, entries: Sequence[tuple[UUID, IndexedText]], change: int) -> None:
        """Numbers memories from `first` on, in their order."""
        columns = {
            "ids": [memory_id for memory_id, _ in entries],
            "documents": list(range(first, first + len(entries))),
            "content_words": [entry.content_words for _, entry in entries],
            "context_words": [entry.context_words for _, entry in entries],
            "terms": [postings.pack_terms(entry.terms) for _, entry in entries],
            "change": change,
        }
        await self.transaction.execute(_NUMBER, self._place | columns)
        await self.transaction.execute(_INSERT, self._place | columns)

    async def leave(self, memory_ids: Sequence[UUID]) -> postings.Collection:
        """What left; memories that are not in the index do not count."""
        rows = await self.transaction.fetch(_LEAVE, self._place | {"ids": list(memory_ids)})
        return postings.Collection(len(rows), sum(row[0] for row in rows), sum(row[1] for row in rows))

    async def merge(self) -> bool:
        """Moves the oldest unmerged documents into the blocks and those that left out of them; whether all are done."""
        merged, following = (await self.transaction.fetch(_LOCK, self._place))[0]
        bound = {"merged": merged, "limit": AT_ONCE}
        entering = [Document(*row) for row in await self.transaction.fetch(_TAIL, self._place | bound)]
        left = [Document(*row) for row in await self.transaction.fetch(_LEFT, self._place | bound)]
        leaving = [document for document in left if document.number < merged]
        stored = await self._blocks(postings.places(entering) | postings.places(leaving))
        await self._put(postings.merged(stored, entering, leaving))
        if left:
            numbers = [document.number for document in left]
            await self.transaction.execute(_FORGET, self._place | {"documents": numbers})
        through = entering[-1].number + 1 if len(entering) == AT_ONCE else following
        await self.transaction.execute(_MERGED, self._place | {"merged": through})
        return through == following and len(left) < AT_ONCE

    async def _blocks(self, places: set[tuple[int, int]]) -> Packed:
        if not places:
            return {}
        rows = await self.transaction.fetch(_BLOCKS, self._place | _columns(sorted(places)))
        return {(term, block): packed for term, block, packed in rows}

    async def _put(self, changed: Packed) -> None:
        # In one order, as everyone writes them.
        full = sorted(place for place, packed in changed.items() if packed)
        empty = sorted(place for place, packed in changed.items() if not packed)
        if full:
            packed = [changed[place] for place in full]
            values = {"packed": packed, "postings": [len(one) // postings.POSTING.itemsize for one in packed]}
            await self.transaction.execute(_PUT, self._place | _columns(full) | values)
        if empty:
            await self.transaction.execute(_DROP, self._place | _columns(empty))

    @property
    def _place(self) -> dict[str, Any]:
        return {"org_id": self.org_id, "agent_id": self.agent_id}


class PostgresLexicalIndex:
    """Serves the LexicalIndex port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tidy(self, org_id: UUID, agent_id: UUID) -> None:
        """Merges when enough has come together."""
        place = {"org_id": org_id, "agent_id": agent_id}
        (rows,) = await self._database.read(org_id, (_WAITING, place))
        if rows and (rows[0][0] >= TAIL or rows[0][1] >= LEFT):
            await self.merge(org_id, agent_id)

    async def merge(self, org_id: UUID, agent_id: UUID) -> None:
        """A transaction for each part, so that writers of the agent get their turn between them."""
        done = False
        while not done:
            async with self._database.transaction(org_id) as transaction:
                done = await AgentIndex(transaction, org_id, agent_id).merge()

    async def untidy(self, org_id: UUID, older_than: datetime, limit: int) -> Sequence[UUID]:
        """In no order."""
        parameters = {"org_id": org_id, "older_than": older_than, "tail": TAIL, "limit": limit}
        (rows,) = await self._database.read(org_id, (_UNTIDY, parameters))
        return [row[0] for row in rows]


def _columns(places: Sequence[tuple[int, int]]) -> dict[str, list[int]]:
    return {"terms": [term for term, _ in places], "blocks": [block for _, block in places]}
