"""Lexical search: one read of all postings, BM25 over arrays, one read of the best rows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.postgres.connection.arrays import BigIntegers
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.rows import MEMORY_WIDTH, STORED_COLUMNS, StoredRows, together, unpacked
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.read_postings import BLOCKS, COLLECTION, LEFT, TAIL, UNREAD, ReadPostings
from remembrancer.adapters.postgres.search.vector_tables import VectorTables, in_table
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.lexical_index import bm25
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.lexical_index.postings import Postings
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_rows import JoinedRows, MemoryRows, as_rows
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import VectorHits, WordHits

MOST_POSTINGS = 100_000
"""Most postings that one search reads: rarest terms first, each completely; of a single term the newest documents."""
_FIRST = 2
_GROWTH = 32
"""Factor for the rows that may be read: twice the limit at first, then, while filters leave too few, 32 times as many.
The server stops at the limit, so more rows cost less than another round trip.
"""


def _scope(in_scope: str) -> str:
    """The owners whose documents are in the scope, by agent, with their totals."""
    return f"""
        SELECT t.agent_id, t.user_id, t.documents, t.content_words, t.context_words, t.merged_documents, t.waiting
        FROM index_owners t
        WHERE {in_scope} AND t.agent_id IN (SELECT agent_id FROM agents WHERE {conditions.place("agents")})"""  # noqa: S608


_TOGETHER = 8
"""Blocks of all terms whose postings are one row. Smaller rows wake the client up more often; for larger ones the
server asks the system for memory, and returns it, in each search.
"""


def _postings(in_scope: str, in_place: str) -> str:
    """One statement, hence one snapshot: a concurrent merge is visible completely or not at all.

    Every row is a kind, an agent, three numbers, and twice bytes; their meaning depends on the kind. Heads and bodies
    are aggregated from the same rows, hence in the same order. Terms are chosen only if there are too many postings
    for all. `in_scope` is the condition on rows of the index under the alias t, `in_place` that on their agents.
    """
    return f"""
    WITH scope AS MATERIALIZED ({_scope(in_scope)}
    ), stored AS MATERIALIZED (
        SELECT t.term, t.agent_id, t.user_id, t.block, t.postings, t.packed FROM index_blocks t
        WHERE {in_scope} AND t.term = ANY(%(terms)s::bigint[]) AND {in_place}
    ), total AS MATERIALIZED (
        SELECT coalesce(sum(postings), 0) <= %(most)s::integer AS fits FROM stored
    ), sizes AS MATERIALIZED (
        SELECT term, sum(postings) AS postings, sum(sum(postings)) OVER rarest <= %(most)s::integer AS fits,
               row_number() OVER rarest = 1 AS rarest
        FROM stored WHERE NOT (SELECT fits FROM total)
        GROUP BY term WINDOW rarest AS (ORDER BY sum(postings), term)
    ), newest AS MATERIALIZED (
        SELECT * FROM (
            SELECT *, sum(postings) OVER (ORDER BY block DESC, agent_id, user_id) AS together FROM stored
            WHERE NOT (SELECT fits FROM total) AND term = (SELECT term FROM sizes WHERE rarest AND NOT fits)
        ) AS of_rarest
        WHERE together <= %(most)s::integer
    ), fitting AS NOT MATERIALIZED (
        SELECT agent_id, term, block, postings, packed FROM stored
        WHERE (SELECT fits FROM total) OR term = ANY(ARRAY(SELECT term FROM sizes WHERE fits))
        UNION ALL
        SELECT agent_id, term, block, postings, packed FROM newest
    )
    SELECT {COLLECTION}, NULL::uuid, coalesce(sum(documents), 0)::bigint, coalesce(sum(content_words), 0)::bigint,
           coalesce(sum(context_words), 0)::bigint, ''::bytea, ''::bytea FROM scope
    UNION ALL
    SELECT {BLOCKS}, agent_id, 0, 0, 0, string_agg(int8send(term) || int4send(block) || int4send(postings), ''),
           string_agg(packed, '')
    FROM fitting GROUP BY agent_id, block / {_TOGETHER}
    UNION ALL
    SELECT {UNREAD}, NULL, term, postings::bigint - coalesce((
        SELECT sum(n.postings) FROM newest n WHERE n.term = sizes.term), 0)::bigint, 0, '', ''
    FROM sizes WHERE NOT fits
    UNION ALL
    SELECT {TAIL}, t.agent_id, 0, 0, 0,
           string_agg(int4send(t.document) || int4send(t.content_words::integer) || int4send(t.context_words::integer)
                      || int4send(length(t.terms)), ''),
           string_agg(t.terms, '')
    FROM scope CROSS JOIN LATERAL (
        SELECT * FROM term_documents t
        WHERE t.org_id = %(org_id)s AND t.agent_id = scope.agent_id AND t.user_id = scope.user_id
          AND t.document >= scope.merged_documents AND t.left_at IS NULL
        -- One range of an index for each owner; as a join, all documents of the organization may look cheaper.
        ORDER BY t.document LIMIT 1000000) AS t
    WHERE scope.waiting > 0
    GROUP BY t.agent_id
    UNION ALL
    SELECT {LEFT}, t.agent_id, 0, 0, 0, string_agg(int4send(t.document), ''), '' FROM term_documents t
    WHERE {in_scope} AND t.left_at IS NOT NULL GROUP BY t.agent_id"""  # noqa: S608 - constants only


def _in_scope(*, one_agent: bool, everybody: bool) -> str:
    agent = " AND t.agent_id = %(agent_id)s" if one_agent else ""
    return f"t.org_id = %(org_id)s{agent} AND {conditions.owner('t', everybody=everybody)}"


_SCOPES = {(one, every): _in_scope(one_agent=one, everybody=every) for one in (True, False) for every in (True, False)}
_IN_PLACE = {True: "EXISTS (SELECT FROM scope)", False: "t.agent_id IN (SELECT agent_id FROM scope)"}
POSTINGS = {of: _postings(in_scope, _IN_PLACE[of[0]]) for of, in_scope in _SCOPES.items()}
"""Keyed by whether the scope is one agent, and whether it covers all end users."""


def _winners(wanted: str, partition: str, *, plain: bool = False) -> str:
    # OFFSET 0 forces look-ups row by row (see `vector_search`). The numbers come in the order of their ranks, so that
    # the server stops at the limit.
    return together(
        f"""
    SELECT m.*, v.embedding, v.embedding_model, wanted.rank
    FROM {wanted} CROSS JOIN LATERAL (
        SELECT {STORED_COLUMNS} FROM memories o
        WHERE o.org_id = %(org_id)s AND o.agent_id = wanted.agent_id AND o.document = wanted.document
        OFFSET 0) m
    LEFT JOIN LATERAL (
        SELECT o.embedding, o.embedding_model FROM memory_vectors o
        WHERE o.org_id = %(org_id)s AND o.agent_id = {partition} AND o.memory_id = m.memory_id
          AND o.embedding_model = %(model)s
        OFFSET 0) v ON true
    WHERE m.status = 'active' AND {conditions.filters("m", plain=plain)}
    ORDER BY wanted.rank
    LIMIT %(limit)s::integer""",  # noqa: S608 - constants only
        "rank",
    )


WINNERS = _winners(
    """(SELECT (%(agents)s::uuid[])[place] AS agent_id, document, rank
         FROM unnest(%(places)s::integer[], %(documents)s::integer[]) WITH ORDINALITY AS d (place, document, rank)
        ) AS wanted""",
    "m.agent_id",
)
# The agent id selects the partition of its vectors, which the join alone does not.
_OF_AGENT = """(SELECT %(agent_id)s::uuid AS agent_id, document, rank
         FROM unnest(%(documents)s::integer[]) WITH ORDINALITY AS d (document, rank)) AS wanted"""
WINNERS_OF_AGENT = _winners(_OF_AGENT, "%(agent_id)s")
PLAIN_WINNERS_OF_AGENT = _winners(_OF_AGENT, "%(agent_id)s", plain=True)
ONE_AGENT_SETTINGS = {"enable_memoize": "off"}
"""For look-ups by keys in one agent: no key comes twice."""


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
        self,
        scope: Scope,
        query: QueryTerms,
        filters: Filters,
        *,
        limit: int,
        now: datetime,
        names_terms: bool = True,
    ) -> WordHits:
        """Of memories with equal scores, the newer document comes first; empty without terms."""
        if not query or limit < 1:
            return WordHits()
        parameters = conditions.parameters(scope, filters, now)
        read = await self._read(scope, parameters, query.terms)
        scores = bm25.bm25(read.postings, read.collection, query)
        statement = _winners_of(scope, filters)
        found, places = await self._fetch(scope, statement, parameters, read, scores.rank, limit)

        def columns(memories: Sequence[Memory], rows: NDArray[np.intp]) -> WordHits:
            contained = _contained(rows, read.postings, query.terms) if names_terms else {}
            return WordHits(
                memories,
                scores.content[rows].tolist(),
                scores.context[rows].tolist(),
                scores.subject[rows].tolist(),
                [contained.get(row, ()) for row in rows.tolist()],
                left_out=read.left_out,
                information=scores.information,
                called=query.called,
                with_found=with_found,
            )

        def with_found(answers: Sequence[VectorHits]) -> WordHits:
            parts = [found, *(as_rows(answer.memories) for answer in answers)]
            known = set(found.ids)
            others: list[int] = []
            first = len(found)
            for part in parts[1:]:
                for place, identifier in enumerate(part.ids, first):
                    if identifier not in known:
                        known.add(identifier)
                        others.append(place)
                first += len(part)
            agents = [agent for part in parts for agent in part.agents]
            documents = [*[None] * len(found), *(document for answer in answers for document in answer.documents)]
            rows = read.rows([agents[place] for place in others], [documents[place] for place in others])
            matched = np.flatnonzero(rows >= 0)
            matched = matched[scores.matched[rows[matched]]]
            chosen = [*range(len(found)), *(others[row] for row in matched.tolist())]
            return columns(JoinedRows(parts, chosen), np.concatenate([places, rows[matched]]))

        return columns(found, places)

    async def _read(self, scope: Scope, parameters: dict[str, Any], terms: Sequence[int]) -> ReadPostings:
        asked = parameters | {"terms": BigIntegers(terms), "most": self._most_postings}
        return ReadPostings.of(await self._rows(scope, POSTINGS[_kind(scope)], asked), terms)

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """Terms of memories that the scope's end user may read, including memories that left since the last merge."""
        if not terms:
            return frozenset()
        asked = conditions.of_scope(scope) | {"terms": BigIntegers(terms)}
        (rows,) = await self._database.read(scope.org_id, (KNOWN[_kind(scope)], asked), statement_ms=self._statement_ms)
        return frozenset(row[0] for row in rows)

    async def _fetch(
        self,
        scope: Scope,
        statement: str,
        parameters: dict[str, Any],
        read: ReadPostings,
        score: NDArray[np.float64],
        limit: int,
    ) -> tuple[MemoryRows, NDArray[np.intp]]:
        """The best memories that pass the filters, and the row number of each in the scores."""
        model, table = await self._tables.serving(scope.org_id, self._model)
        statement, parameters = in_table(statement, table), parameters | {"model": model}
        found: list[Row] = []
        places = [np.empty(0, np.intp)]
        tried, batch = 0, _FIRST * limit
        while len(found) < limit:
            best = read.best(score, tried + batch)[tried:]
            if not len(best):
                break
            wanted = read.identities(best) | {"limit": limit - len(found)}
            # Memories that ended between the two reads are missing from the second.
            rows = unpacked(await self._rows(scope, statement, parameters | wanted))
            places.append(best[np.array([row[MEMORY_WIDTH] - 1 for row in rows], np.intp)])
            found += rows
            tried += len(best)
            batch *= _GROWTH
        return StoredRows.of(found), np.concatenate(places)

    async def _rows(self, scope: Scope, statement: str, parameters: dict[str, Any]) -> Sequence[Row]:
        (rows,) = await self._database.read(
            scope.org_id,
            (statement, parameters),
            settings=None if scope.agent_id is None else ONE_AGENT_SETTINGS,
            plan_once=scope.agent_id is not None,
            statement_ms=self._statement_ms,
        )
        return rows


def _winners_of(scope: Scope, filters: Filters) -> str:
    if scope.agent_id is None:
        return WINNERS
    return PLAIN_WINNERS_OF_AGENT if conditions.is_plain(filters) else WINNERS_OF_AGENT


def _kind(scope: Scope) -> tuple[bool, bool]:
    return scope.agent_id is not None, scope.end_user.is_all


def _contained(rows: NDArray[np.intp], postings: Postings, terms: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The query's terms in each of these documents."""
    wanted = np.zeros(postings.rows, dtype=np.bool_)
    wanted[rows] = True
    hits = np.flatnonzero(wanted[postings.document])
    # By document, and there in the order of the terms.
    hits = hits[np.lexsort((postings.slot[hits], postings.document[hits]))]
    document, firsts = np.unique(postings.document[hits], return_index=True)
    held = np.array(terms, dtype=np.int64)[postings.slot[hits]].tolist()
    ends = [*firsts.tolist(), len(held)][1:]
    return {
        row: tuple(held[first:end]) for row, first, end in zip(document.tolist(), firsts.tolist(), ends, strict=True)
    }
