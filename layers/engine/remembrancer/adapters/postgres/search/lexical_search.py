"""Lexical search: one read of all postings, BM25 over arrays, one read of the best rows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, MEMORY_WIDTH, to_memory
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.vector_tables import VectorTables, in_table
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.lexical_index import bm25
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.lexical_index.postings import BLOCK, POSTING, Collection, Postings, slots, unpack_terms
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import LexicalAnswer, SearchAnswer

MOST_POSTINGS = 100_000
"""Most postings that one search reads: rarest terms first, each completely; of a single term the newest documents."""
_FIRST = 2
_GROWTH = 4
"""Factor for requested rows: twice the limit at first, then, while filters leave too few, four times as many."""

_COLLECTION, _BLOCK, _TAIL, _LEFT, _UNREAD = range(5)


def _scope(in_scope: str) -> str:
    """The owners whose documents are in the scope, by agent, with their totals."""
    return f"""
        SELECT t.agent_id, t.user_id, t.documents, t.content_words, t.context_words, t.merged_documents
        FROM index_owners t
        WHERE {in_scope} AND t.agent_id IN (SELECT agent_id FROM agents WHERE {conditions.place("agents")})"""  # noqa: S608


def _postings(in_scope: str) -> str:
    """One statement, hence one snapshot: a concurrent merge is visible completely or not at all.

    Every row is a kind, an agent, three numbers and bytes; their meaning depends on the kind. `in_scope` is the
    condition on rows of the index under the alias t.
    """
    return f"""
    WITH scope AS MATERIALIZED ({_scope(in_scope)}
    ), stored AS MATERIALIZED (
        SELECT t.term, t.agent_id, t.user_id, t.block, t.postings, t.packed FROM index_blocks t
        WHERE {in_scope} AND t.term = ANY(%(terms)s::bigint[]) AND t.agent_id IN (SELECT agent_id FROM scope)
    ), sizes AS (
        SELECT term, sum(postings) AS postings, sum(sum(postings)) OVER rarest AS together, row_number() OVER rarest
        FROM stored GROUP BY term WINDOW rarest AS (ORDER BY sum(postings), term)
    ), counted AS (
        SELECT stored.*, sizes.row_number = 1 AS rarest, sizes.together <= %(most)s::integer AS fits,
               sum(stored.postings) OVER newest_first AS newest
        FROM stored JOIN sizes USING (term)
        WINDOW newest_first AS (PARTITION BY stored.term ORDER BY stored.block DESC, stored.agent_id, stored.user_id)
    ), chosen AS (
        SELECT *, fits OR (rarest AND newest <= %(most)s::integer) AS read FROM counted
    )
    SELECT {_COLLECTION}, agent_id, documents, content_words, context_words, ''::bytea FROM scope
    UNION ALL
    SELECT {_BLOCK}, agent_id, term, block::bigint, postings::bigint, packed FROM chosen WHERE read
    UNION ALL
    SELECT {_UNREAD}, NULL, term, sum(postings)::bigint, 0, ''::bytea FROM chosen WHERE NOT read GROUP BY term
    UNION ALL
    SELECT {_TAIL}, t.agent_id, t.document, t.content_words, t.context_words, t.terms
    FROM scope CROSS JOIN LATERAL (
        SELECT * FROM term_documents t
        WHERE t.org_id = %(org_id)s AND t.agent_id = scope.agent_id AND t.user_id = scope.user_id
          AND t.document >= scope.merged_documents AND t.left_at IS NULL
        -- One range of an index for each owner; as a join, all documents of the organization may look cheaper.
        ORDER BY t.document LIMIT 1000000) AS t
    UNION ALL
    SELECT {_LEFT}, t.agent_id, 0, 0, 0, string_agg(int4send(t.document), '') FROM term_documents t
    WHERE {in_scope} AND t.left_at IS NOT NULL GROUP BY t.agent_id"""  # noqa: S608 - constants only


def _in_scope(*, one_agent: bool, everybody: bool) -> str:
    agent = " AND t.agent_id = %(agent_id)s" if one_agent else ""
    return f"t.org_id = %(org_id)s{agent} AND {conditions.owner('t', everybody=everybody)}"


_SCOPES = {(one, every): _in_scope(one_agent=one, everybody=every) for one in (True, False) for every in (True, False)}
POSTINGS = {of: _postings(in_scope) for of, in_scope in _SCOPES.items()}
"""Keyed by whether the scope is one agent, and whether it covers all end users."""


def _winners(wanted: str, partition: str) -> str:
    return f"""
    WITH w AS MATERIALIZED (
        SELECT f.memory_id, f.agent_id, wanted.rank
        FROM {wanted} CROSS JOIN LATERAL (
            SELECT * FROM memories o
            WHERE o.org_id = %(org_id)s AND o.agent_id = wanted.agent_id AND o.document = wanted.document
            OFFSET 0) f
        WHERE f.status = 'active' AND {conditions.filters("f")}
        ORDER BY wanted.rank
        LIMIT %(limit)s::integer)
    SELECT {MEMORY_COLUMNS}, w.rank FROM w
    CROSS JOIN LATERAL (
        SELECT * FROM memories o WHERE o.org_id = %(org_id)s AND o.memory_id = w.memory_id OFFSET 0) m
    LEFT JOIN LATERAL (
        SELECT * FROM memory_vectors o
        WHERE o.agent_id = {partition} AND o.memory_id = w.memory_id AND o.embedding_model = %(model)s
        OFFSET 0) v ON true
    ORDER BY w.rank"""  # noqa: S608


WINNERS = _winners(
    """(SELECT (%(agents)s::uuid[])[place] AS agent_id, document, rank
         FROM unnest(%(places)s::integer[], %(documents)s::integer[]) WITH ORDINALITY AS d (place, document, rank)
        ) AS wanted""",
    "w.agent_id",
)
# The agent id selects the partition of its vectors, which the join alone does not.
WINNERS_OF_AGENT = _winners(
    """(SELECT %(agent_id)s::uuid AS agent_id, document, rank
         FROM unnest(%(documents)s::integer[]) WITH ORDINALITY AS d (document, rank)) AS wanted""",
    "%(agent_id)s",
)
# Look-ups by keys, the same for every agent: planning takes longer than running them.
ONE_AGENT_SETTINGS = {"plan_cache_mode": "force_generic_plan"}


def _known(in_scope: str) -> str:
    """A document's terms are packed big-endian, as the server sends a bigint."""
    return f"""
    WITH scope AS MATERIALIZED ({_scope(in_scope)})
    SELECT term FROM unnest(%(terms)s::bigint[]) AS wanted (term)
    WHERE EXISTS (
        SELECT FROM scope JOIN index_blocks b ON b.agent_id = scope.agent_id AND b.user_id = scope.user_id
        WHERE b.org_id = %(org_id)s AND b.term = wanted.term)
       OR EXISTS (
        SELECT FROM scope JOIN term_documents t ON t.agent_id = scope.agent_id AND t.user_id = scope.user_id
             AND t.document >= scope.merged_documents
        WHERE t.org_id = %(org_id)s AND t.left_at IS NULL AND position(int8send(wanted.term) IN t.terms) > 0)"""  # noqa: S608


KNOWN = {of: _known(in_scope) for of, in_scope in _SCOPES.items()}


class LexicalSearch:
    """BM25 in numpy over the postings of the query's terms."""

    def __init__(
        self,
        database: Database,
        tables: VectorTables | None = None,
        *,
        model: str,
        statement_ms: int,
        most_postings: int = MOST_POSTINGS,
    ) -> None:
        self._database = database
        self._tables = tables or VectorTables()
        self._model = model
        self._statement_ms = statement_ms
        self._most_postings = most_postings

    async def matching(
        self, scope: Scope, query: QueryTerms, filters: Filters, *, limit: int, now: datetime
    ) -> LexicalAnswer:
        """Of memories with equal scores, the newer document comes first; empty without terms."""
        if not query or limit < 1:
            return LexicalAnswer()
        parameters = conditions.parameters(scope, filters, now)
        read = await self._read(scope, parameters, query.terms)
        scores = bm25.bm25(read.postings, read.collection, query)
        found = await self._fetch(scope, parameters, read, scores.rank, limit)

        def columns(pairs: Sequence[tuple[Memory, int]]) -> LexicalAnswer:
            rows = [row for _, row in pairs]
            contained = _contained(rows, read.postings, query.terms)
            return LexicalAnswer(
                [memory for memory, _ in pairs],
                scores.content[rows].tolist(),
                scores.context[rows].tolist(),
                scores.subject[rows].tolist(),
                [contained[row] for row in rows],
            )

        def others(answer: SearchAnswer) -> LexicalAnswer:
            numbered = zip(answer.memories, answer.documents, strict=True)
            pairs = [(memory, read.row(memory.agent_id, document)) for memory, document in numbered]
            return columns([(memory, row) for memory, row in pairs if row is not None and scores.matched[row]])

        return replace(columns(found), left_out=read.left_out, information=scores.information, others=others)

    async def _read(self, scope: Scope, parameters: dict[str, Any], terms: Sequence[int]) -> "_ReadPostings":
        asked = parameters | {"terms": list(terms), "most": self._most_postings}
        return _ReadPostings.of(await self._rows(scope, POSTINGS[_kind(scope)], asked), terms)

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """Terms of memories that the scope's end user may read, including memories that left since the last merge."""
        if not terms:
            return frozenset()
        asked = conditions.of_scope(scope) | {"terms": list(terms)}
        (rows,) = await self._database.read(scope.org_id, (KNOWN[_kind(scope)], asked), statement_ms=self._statement_ms)
        return frozenset(row[0] for row in rows)

    async def _fetch(
        self, scope: Scope, parameters: dict[str, Any], read: "_ReadPostings", score: NDArray[np.float64], limit: int
    ) -> list[tuple[Memory, int]]:
        """The best memories that pass the filters, each with its row number in the scores."""
        model, table = await self._tables.serving(scope.org_id, self._model)
        statement = in_table(WINNERS if scope.agent_id is None else WINNERS_OF_AGENT, table)
        parameters = parameters | {"model": model}
        found: list[tuple[Memory, int]] = []
        tried, batch = 0, _FIRST * limit
        while len(found) < limit:
            best = read.best(score, tried + batch)[tried:]
            if not len(best):
                break
            wanted = read.identities(best) | {"limit": limit - len(found)}
            # Memories that ended between the two reads are missing from the second.
            rows = await self._rows(scope, statement, parameters | wanted)
            found += [(to_memory(row), int(best[row[MEMORY_WIDTH] - 1])) for row in rows]
            tried += len(best)
            batch *= _GROWTH
        return found

    async def _rows(self, scope: Scope, statement: str, parameters: dict[str, Any]) -> Sequence[Row]:
        (rows,) = await self._database.read(
            scope.org_id,
            (statement, parameters),
            settings=None if scope.agent_id is None else ONE_AGENT_SETTINGS,
            statement_ms=self._statement_ms,
        )
        return rows


class _ReadPostings:
    """The store's answer as arrays; only documents with a posting have a row, in ascending order of their places.

    A document's place is its block's index here combined with its offset in the block; `places` gives that of each row.
    """

    def __init__(
        self,
        postings: Postings,
        places: NDArray[np.intp],
        collection: Collection,
        left_out: tuple[int, ...],
        blocks: list[tuple[UUID, int]],
    ) -> None:
        self.postings = postings
        self.collection = collection
        self.left_out = left_out
        self._place_of = places
        self._places = {block: place for place, block in enumerate(blocks)}
        self._agents = sorted({agent for agent, _ in blocks})
        number = {agent: place for place, agent in enumerate(self._agents)}
        self._agent = np.array([number[agent] for agent, _ in blocks], dtype=np.intp)
        self._block = np.array([block for _, block in blocks], dtype=np.intp)

    @classmethod
    def of(cls, rows: Sequence[Row], terms: Sequence[int]) -> "_ReadPostings":
        kinds: list[list[Row]] = [[], [], [], [], []]
        for row in rows:
            kinds[row[0]].append(row)
        collection = sum((Collection(*row[2:5]) for row in kinds[_COLLECTION]), Collection(0, 0, 0))
        slot_of = {term: slot for slot, term in enumerate(terms)}
        unread = np.zeros(len(terms), dtype=np.int64)
        for row in kinds[_UNREAD]:
            unread[slot_of[row[2]]] = row[3]
        blocks: dict[tuple[UUID, int], int] = {}
        parts = [
            _from_blocks(kinds[_BLOCK], slot_of, blocks),
            _from_tail(kinds[_TAIL], terms, blocks),
        ]
        slot, document, content, context, content_words, context_words = (
            np.concatenate(columns) for columns in zip(*parts, strict=True)
        )
        left = _places(kinds[_LEFT], blocks)
        rows, row_of = _numbered(document, left, len(blocks) * BLOCK)
        postings = Postings(slot, row_of[document], content, context, content_words, context_words, len(rows), unread)
        left_out = tuple(row[2] for row in kinds[_UNREAD])
        return cls(_live(postings) if len(left) else postings, rows, collection, left_out, list(blocks))

    def best(self, score: NDArray[np.float64], number: int) -> NDArray[np.intp]:
        """Rows of the highest scores above 0, at most `number`, in an order that does not depend on `number`."""
        matched = np.flatnonzero(score)
        if len(matched) > number:
            threshold = np.partition(score[matched], len(matched) - number)[len(matched) - number]
            matched = matched[score[matched] >= threshold]
        agent, document = self._documents(matched)
        return matched[np.lexsort((-document, agent, -score[matched]))[:number]]

    def row(self, agent_id: UUID, document: int | None) -> int | None:
        """The row of a document; None when no posting of it was read."""
        block = None if document is None else self._places.get((agent_id, document // BLOCK))
        if block is None or document is None:
            return None
        place = block * BLOCK + document % BLOCK
        row = int(np.searchsorted(self._place_of, place))
        return row if row < len(self._place_of) and self._place_of[row] == place else None

    def identities(self, rows: NDArray[np.intp]) -> dict[str, list[Any]]:
        """Document number of each row, and its agent's index in `agents`, from 1."""
        agent, document = self._documents(rows)
        return {"agents": self._agents, "places": (agent + 1).tolist(), "documents": document.tolist()}

    def _documents(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The index of each row's agent, and its document number."""
        block, offset = np.divmod(self._place_of[rows], BLOCK)
        return self._agent[block], self._block[block] * BLOCK + offset


def _kind(scope: Scope) -> tuple[bool, bool]:
    return scope.agent_id is not None, scope.end_user.is_all


_Columns = tuple[NDArray[Any], ...]


def _from_blocks(rows: Sequence[Row], slot_of: dict[int, int], blocks: dict[tuple[UUID, int], int]) -> _Columns:
    rows = sorted(rows, key=lambda row: slot_of[row[2]])
    packed = np.frombuffer(b"".join(row[5] for row in rows), dtype=POSTING)
    counts = [row[4] for row in rows]
    slot = np.array([slot_of[row[2]] for row in rows], dtype=np.intp)
    base = np.array([blocks.setdefault((row[1], row[3]), len(blocks)) for row in rows], dtype=np.intp) * BLOCK
    return (
        np.repeat(slot, counts),
        np.repeat(base, counts) + packed["offset"],
        packed["content"],
        packed["context"],
        packed["content_words"],
        packed["context_words"],
    )


def _from_tail(rows: Sequence[Row], terms: Sequence[int], blocks: dict[tuple[UUID, int], int]) -> _Columns:
    owner, entries = unpack_terms([row[5] for row in rows])
    hits, slot = slots(entries["term"].astype(np.int64), terms)
    owner, entries = owner[hits], entries[hits]
    base = np.array([blocks.setdefault((row[1], row[2] // BLOCK), len(blocks)) for row in rows], dtype=np.intp)
    document = base * BLOCK + np.array([row[2] % BLOCK for row in rows], dtype=np.intp)
    lengths = np.array([row[3:5] for row in rows], dtype=np.uint16).reshape(-1, 2)
    return slot, document[owner], entries["content"], entries["context"], lengths[owner, 0], lengths[owner, 1]


def _places(rows: Sequence[Row], blocks: dict[tuple[UUID, int], int]) -> NDArray[np.intp]:
    """Rows of packed document numbers; those in other blocks are ignored."""
    found = [np.empty(0, dtype=np.intp)]
    for row in rows:
        document = np.frombuffer(row[5] or b"", dtype=">i4").astype(np.intp)
        found += [
            document[document // BLOCK == block] % BLOCK + place * BLOCK
            for block in np.unique(document // BLOCK).tolist()
            if (place := blocks.get((row[1], block))) is not None
        ]
    return np.concatenate(found)


def _numbered(
    document: NDArray[np.intp], left: NDArray[np.intp], places: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of the live documents, ascending, and for each place its index among them, −1 for one that left."""
    occurs = np.zeros(places, dtype=np.bool_)
    occurs[document] = True
    occurs[left] = False
    live = np.flatnonzero(occurs)
    row_of = np.full(places, -1, dtype=np.intp)
    row_of[live] = np.arange(len(live))
    return live, row_of


def _live(postings: Postings) -> Postings:
    """The postings without those of row −1."""
    live = postings.document >= 0
    return Postings(
        postings.slot[live],
        postings.document[live],
        postings.content[live],
        postings.context[live],
        postings.content_words[live],
        postings.context_words[live],
        postings.rows,
        postings.unread,
    )


def _contained(rows: Sequence[int], postings: Postings, terms: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The query's terms in each of these documents."""
    wanted = np.zeros(postings.rows, dtype=np.bool_)
    wanted[list(rows)] = True
    hits = np.flatnonzero(wanted[postings.document])
    held: dict[int, list[int]] = {row: [] for row in rows}
    for row, slot in zip(postings.document[hits].tolist(), postings.slot[hits].tolist(), strict=True):
        held[row].append(terms[slot])
    return {row: tuple(contained) for row, contained in held.items()}
