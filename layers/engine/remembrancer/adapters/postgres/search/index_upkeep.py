"""Upkeep of the lexical index: merges, and terms of other languages than the organization's or of earlier rules."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, MEMORY_WIDTH, to_memory
from remembrancer.adapters.postgres.search import lexical_index
from remembrancer.adapters.postgres.search.lexical_index import AgentIndex
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.lexical_index import postings
from remembrancer.domain.lexical_index.bm25 import IndexedText
from remembrancer.domain.lexical_index.words import VERSION
from remembrancer.domain.memories.memory import Change
from remembrancer.ports.upkeep import OutdatedText

_IS_WORTH_IT = "(user_id = '' AND waiting >= %(tail)s OR waiting >= %(own_tail)s)"
_WAITING = f"""
    SELECT EXISTS (SELECT FROM index_owners
                   WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND {_IS_WORTH_IT}),
           (SELECT count(*) FROM term_documents t
            WHERE t.org_id = %(org_id)s AND t.agent_id = %(agent_id)s AND t.left_at IS NOT NULL)"""  # noqa: S608
_UNTIDY = f"""
    SELECT agent_id FROM index_owners
    WHERE org_id = %(org_id)s AND waiting > 0
      AND ({_IS_WORTH_IT} OR user_id = '' AND merged_at < %(older_than)s)
    UNION
    SELECT agent_id FROM term_documents WHERE org_id = %(org_id)s AND left_at < %(older_than)s
    LIMIT %(limit)s"""  # noqa: S608

_ORGANIZATIONS = (
    "SELECT org_id FROM organizations WHERE languages_changed_at < %s ORDER BY languages_changed_at, org_id"
)
_AGENTS = "SELECT agent_id FROM agents WHERE org_id = %s ORDER BY agent_id"
_OUTDATED = f"""
    SELECT {MEMORY_COLUMNS}, t.document, m.context, m.sealed_context
    FROM term_documents t
    JOIN memories m ON m.agent_id = t.agent_id AND m.document = t.document
    LEFT JOIN LATERAL (SELECT NULL::halfvec AS embedding, NULL AS embedding_model) v ON true
    WHERE t.org_id = %(org_id)s AND t.agent_id = %(agent_id)s AND t.document > %(after)s AND t.left_at IS NULL
      AND (t.languages, t.words) IS DISTINCT FROM (%(languages)s, %(words)s::smallint)
    ORDER BY t.document LIMIT %(limit)s"""  # noqa: S608 - constants only
# A text that has changed since has another number, and new terms already.
_UNCHANGED = """
    SELECT m.memory_id, t.content_words, t.context_words, t.terms
    FROM memories m JOIN unnest(%(ids)s::uuid[], %(documents)s::integer[]) AS seen (memory_id, document)
        ON m.memory_id = seen.memory_id AND m.document = seen.document
    JOIN term_documents t ON t.agent_id = m.agent_id AND t.document = m.document
    WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND t.org_id = %(org_id)s
    ORDER BY m.memory_id FOR UPDATE OF m"""
_CONFIRM = """
    UPDATE term_documents SET languages = %(languages)s, words = %(words)s
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND document = ANY(%(documents)s)"""
_FINISH = """
    UPDATE organizations SET former_languages = '{}', languages_changed_at = NULL
    WHERE org_id = %s AND languages_changed_at < %s"""


class PostgresLexicalIndex:
    """Serves the LexicalIndex port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tidy(self, org_id: UUID, agent_id: UUID) -> None:
        """Merges when the thresholds are reached."""
        asked = {"org_id": org_id, "agent_id": agent_id, "tail": lexical_index.TAIL, "own_tail": lexical_index.OWN_TAIL}
        (rows,) = await self._database.read(org_id, (_WAITING, asked))
        if rows[0][0] or rows[0][1] >= lexical_index.LEFT:
            await self.merge(org_id, agent_id)

    async def merge(self, org_id: UUID, agent_id: UUID) -> None:
        """One transaction for each part, so that writers of the agent can run in between."""
        done = False
        while not done:
            async with self._database.transaction(org_id) as transaction:
                done = await AgentIndex(transaction, org_id, agent_id).merge()

    async def untidy(self, org_id: UUID, older_than: datetime, limit: int) -> Sequence[UUID]:
        """Owners that need a merge, in no order."""
        parameters = {
            "org_id": org_id,
            "older_than": older_than,
            "tail": lexical_index.TAIL,
            "own_tail": lexical_index.OWN_TAIL,
            "limit": limit,
        }
        (rows,) = await self._database.read(org_id, (_UNTIDY, parameters))
        return [row[0] for row in rows]

    async def outdated_organizations(self, changed_before: datetime) -> Sequence[UUID]:
        """Only the maintenance run may call this."""
        (rows,) = await self._database.read(
            None, (_ORGANIZATIONS, [changed_before]), settings={"remembrancer.maintenance": "on"}
        )
        return [row[0] for row in rows]

    async def agents(self, org_id: UUID) -> Sequence[UUID]:
        (rows,) = await self._database.read(org_id, (_AGENTS, [org_id]))
        return [row[0] for row in rows]

    async def outdated_texts(
        self, org_id: UUID, agent_id: UUID, languages: Sequence[str], *, after: int, limit: int
    ) -> Sequence[OutdatedText]:
        parameters = {
            "org_id": org_id,
            "agent_id": agent_id,
            "languages": ",".join(languages),
            "words": VERSION,
            "after": after,
            "limit": limit,
        }
        (rows,) = await self._database.read(org_id, (_OUTDATED, parameters))
        return [OutdatedText(to_memory(row), *row[MEMORY_WIDTH:]) for row in rows]

    async def replace_terms(
        self, org_id: UUID, agent_id: UUID, entries: Sequence[tuple[OutdatedText, IndexedText]]
    ) -> Change | None:
        """One transaction, which locks the agent's row; the memories get the highest document numbers. Those that have
        these terms already are only marked as up to date.
        """
        async with self._database.transaction(org_id) as transaction:
            live = await LiveSet.lock(transaction, org_id, agent_id)
            if live is None:
                return None
            seen = {
                "org_id": org_id,
                "agent_id": agent_id,
                "ids": [text.memory.id for text, _ in entries],
                "documents": [text.document for text, _ in entries],
            }
            stored = {row[0]: row[1:] for row in await transaction.fetch(_UNCHANGED, seen)}
            present = [(text, indexed) for text, indexed in entries if text.memory.id in stored]
            same = {text.document for text, indexed in present if _has(stored[text.memory.id], indexed)}
            if same:
                tag = {"languages": ",".join(present[0][1].languages), "words": VERSION}
                await transaction.execute(_CONFIRM, seen | tag | {"documents": list(same)})
            chosen = [(text.memory.id, indexed) for text, indexed in present if text.document not in same]
            if not chosen:
                return None
            await live.reindexed(chosen)
            return await live.finish()

    async def finish_reindexing(self, org_id: UUID, changed_before: datetime) -> None:
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_FINISH, (org_id, changed_before))


def _has(stored: Row, indexed: IndexedText) -> bool:
    """Whether a document has these lengths and terms, in any order."""
    content_words, context_words, packed = stored
    lengths = (indexed.content_words, indexed.context_words)
    before, after = (
        np.sort(np.frombuffer(each, postings.TERM)) for each in (packed, postings.pack_terms(indexed.terms))
    )
    return (content_words, context_words) == lengths and np.array_equal(before, after)
