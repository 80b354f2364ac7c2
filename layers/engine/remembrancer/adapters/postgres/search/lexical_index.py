"""The lexical index in Postgres: a memory's terms are found at once, and merged into packed blocks later.

`term_documents` holds what each document contains, `index_blocks` where each term occurs in the documents of one owner
(an end user, or '' for nobody), for those numbered below the owner's `merged_documents` in `index_owners`. Triggers
keep the counts there. Document numbers are an agent's and only grow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.domain.lexical_index import postings
from remembrancer.domain.lexical_index.bm25 import IndexedText
from remembrancer.domain.lexical_index.postings import Document, Packed
from remembrancer.domain.lexical_index.words import VERSION

TAIL = 128
"""Unmerged documents of shared memories that are worth a merge."""
OWN_TAIL = 512
"""The same for one end user; fewer are searched unmerged, since blocks of few documents take more space."""
LEFT = 128
"""Removed documents that are worth a merge."""
AT_ONCE = 512
"""Most documents added, and removed, by one merge, which locks the agent's row."""

_NUMBER = """
    UPDATE memories m SET document = numbered.document, change = %(change)s
    FROM unnest(%(ids)s::uuid[], %(documents)s::integer[]) AS numbered (memory_id, document)
    WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND m.memory_id = numbered.memory_id"""
_INSERT = """
    INSERT INTO term_documents (
        org_id, agent_id, user_id, document, content_words, context_words, terms, languages, words)
    SELECT %(org_id)s, %(agent_id)s, coalesce(m.user_id, ''), entering.document, content_words, context_words, terms,
           languages, %(words)s
    FROM unnest(%(ids)s::uuid[], %(documents)s::integer[], %(content_words)s::integer[], %(context_words)s::integer[],
                %(terms)s::bytea[], %(languages)s::text[])
         AS entering (memory_id, document, content_words, context_words, terms, languages)
    JOIN memories m ON m.org_id = %(org_id)s AND m.memory_id = entering.memory_id"""
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
    SELECT next_document FROM agents WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s FOR NO KEY UPDATE"""
_IS_DUE = "(user_id = '' AND waiting > 0 OR waiting >= %(own_tail)s)"
_DUE = f"""
    SELECT user_id, merged_documents FROM index_owners
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND {_IS_DUE}
    ORDER BY user_id LIMIT 2"""  # noqa: S608 - constants only
_TAIL = """
    SELECT document, content_words, context_words, terms FROM term_documents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND user_id = %(user_id)s AND document >= %(merged)s
      AND left_at IS NULL
    ORDER BY document LIMIT %(limit)s"""
_LEFT = """
    SELECT document, content_words, context_words, terms, user_id FROM term_documents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND left_at IS NOT NULL
    ORDER BY document LIMIT %(limit)s"""
_BLOCKS = """
    SELECT b.term, b.block, b.packed
    FROM unnest(%(terms)s::bigint[], %(blocks)s::integer[]) AS place (term, block)
    JOIN index_blocks b ON b.term = place.term AND b.block = place.block
    WHERE b.org_id = %(org_id)s AND b.agent_id = %(agent_id)s AND b.user_id = %(user_id)s"""
_PUT = """
    INSERT INTO index_blocks (org_id, agent_id, user_id, term, block, postings, packed)
    SELECT %(org_id)s, %(agent_id)s, %(user_id)s, term, block, postings, packed
    FROM unnest(%(terms)s::bigint[], %(blocks)s::integer[], %(postings)s::integer[], %(packed)b::bytea[])
         AS new (term, block, postings, packed)
    ON CONFLICT (org_id, term, agent_id, user_id, block) DO UPDATE
        SET postings = EXCLUDED.postings, packed = EXCLUDED.packed"""
_DROP = """
    DELETE FROM index_blocks b USING unnest(%(terms)s::bigint[], %(blocks)s::integer[]) AS place (term, block)
    WHERE b.org_id = %(org_id)s AND b.agent_id = %(agent_id)s AND b.user_id = %(user_id)s AND b.term = place.term
      AND b.block = place.block"""
_FORGET = """
    DELETE FROM term_documents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND document = ANY(%(documents)s)"""
# Removes owners without documents.
_FORGET_OWNERS = """
    DELETE FROM index_owners o
    WHERE o.org_id = %(org_id)s AND o.agent_id = %(agent_id)s AND o.user_id = ANY(%(owners)s) AND o.documents = 0
      AND NOT EXISTS (SELECT FROM term_documents t WHERE t.agent_id = o.agent_id AND t.user_id = o.user_id)"""
_MERGED = """
    UPDATE index_owners SET merged_documents = %(merged)s, merged_at = now(),
                            waiting = CASE WHEN %(all)s THEN 0 ELSE greatest(waiting - %(entered)s, 1) END
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND user_id = %(user_id)s"""
# Deletes the blocks of earlier versions of the code, which then read their documents as unmerged.
_FORGET_OLD_BLOCKS = """
    WITH unmerged AS (
        UPDATE agents SET merged_documents = 0
        WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND merged_documents > 0)
    DELETE FROM term_blocks WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"""


@dataclass(frozen=True, slots=True)
class AgentIndex:
    """The index of one agent, inside a transaction that has locked the agent's row."""

    transaction: Transaction
    org_id: UUID
    agent_id: UUID

    async def enter(self, first: int, entries: Sequence[tuple[UUID, IndexedText]], change: int) -> None:
        """Adds memories; numbers them from `first` on, in their order."""
        columns = {
            "ids": [memory_id for memory_id, _ in entries],
            "documents": list(range(first, first + len(entries))),
            "content_words": [entry.content_words for _, entry in entries],
            "context_words": [entry.context_words for _, entry in entries],
            "terms": [postings.pack_terms(entry.terms) for _, entry in entries],
            "languages": [",".join(entry.languages) for _, entry in entries],
            "words": VERSION,
            "change": change,
        }
        await self.transaction.execute(_NUMBER, self._place | columns)
        await self.transaction.execute(_INSERT, self._place | columns)

    async def leave(self, memory_ids: Sequence[UUID]) -> postings.Collection:
        """Removes memories; those not in the index are ignored."""
        rows = await self.transaction.fetch(_LEAVE, self._place | {"ids": list(memory_ids)})
        return postings.Collection(len(rows), sum(row[0] for row in rows), sum(row[1] for row in rows))

    async def merge(self) -> bool:
        """Moves the oldest unmerged documents of an owner into the blocks, and removes those that left.

        Returns whether all are merged: shared ones always, those of an end user once there are `OWN_TAIL`.
        """
        ((following,),) = await self.transaction.fetch(_LOCK, self._place)
        await self.transaction.execute(_FORGET_OLD_BLOCKS, self._place)
        due = await self.transaction.fetch(_DUE, self._place | {"own_tail": OWN_TAIL})
        left = await self.transaction.fetch(_LEFT, self._place | {"limit": AT_ONCE})
        done = True
        if due:
            owner, merged = due[0]
            done = await self._take_in(owner, merged, following) and len(due) == 1
        if left:
            await self._take_out(left)
        return done and len(left) < AT_ONCE

    async def _take_in(self, owner: str, merged: int, following: int) -> bool:
        bound = {"user_id": owner, "merged": merged, "limit": AT_ONCE}
        entering = [Document(*row) for row in await self.transaction.fetch(_TAIL, self._place | bound)]
        await self._change(owner, entering, [])
        is_all = len(entering) < AT_ONCE
        through = following if is_all else entering[-1].number + 1
        progress = {"user_id": owner, "merged": through, "all": is_all, "entered": len(entering)}
        await self.transaction.execute(_MERGED, self._place | progress)
        return is_all

    async def _take_out(self, left: Sequence[Row]) -> None:
        """Documents that were never merged are in no block, and only forgotten."""
        owners = sorted({row[4] for row in left})
        for owner in owners:
            await self._change(owner, [], [Document(*row[:4]) for row in left if row[4] == owner])
        numbers = [row[0] for row in left]
        await self.transaction.execute(_FORGET, self._place | {"documents": numbers})
        await self.transaction.execute(_FORGET_OWNERS, self._place | {"owners": owners})

    async def _change(self, owner: str, entering: Sequence[Document], leaving: Sequence[Document]) -> None:
        stored = await self._blocks(owner, postings.places(entering) | postings.places(leaving))
        await self._put(owner, postings.merged(stored, entering, leaving))

    async def _blocks(self, owner: str, places: set[tuple[int, int]]) -> Packed:
        if not places:
            return {}
        rows = await self.transaction.fetch(_BLOCKS, self._place | {"user_id": owner} | _columns(sorted(places)))
        return {(term, block): packed for term, block, packed in rows}

    async def _put(self, owner: str, changed: Packed) -> None:
        # In the lock order of every writer.
        full = sorted(place for place, packed in changed.items() if packed)
        empty = sorted(place for place, packed in changed.items() if not packed)
        of_owner = self._place | {"user_id": owner}
        if full:
            packed = [changed[place] for place in full]
            values = {"packed": packed, "postings": [len(one) // postings.POSTING.itemsize for one in packed]}
            await self.transaction.execute(_PUT, of_owner | _columns(full) | values)
        if empty:
            await self.transaction.execute(_DROP, of_owner | _columns(empty))

    @property
    def _place(self) -> dict[str, Any]:
        return {"org_id": self.org_id, "agent_id": self.agent_id}


def _columns(places: Sequence[tuple[int, int]]) -> dict[str, list[int]]:
    return {"terms": [term for term, _ in places], "blocks": [block for _, block in places]}
