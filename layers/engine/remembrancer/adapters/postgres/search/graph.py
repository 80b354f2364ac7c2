"""Statements for relations: all edges of many memories at once, with the rows at their ends."""

from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, MEMORY_WIDTH, SEEN, to_memory
from remembrancer.adapters.postgres.search import conditions
from remembrancer.domain.retrieval.graph import Edge
from remembrancer.ports.search import MOST_EDGES, Neighbour

# A possible conflict says nothing about what a question wants, nor does its settlement.
_LEADING = "type <> ALL('{may_contradict,compatible}')"

# Outgoing edges first, then incoming ones: each part reads one index.
NEIGHBOURS = f"""
    WITH RECURSIVE edge AS MATERIALIZED (
        SELECT either.* FROM (
            SELECT relation_id, from_memory_id, to_memory_id, type, confidence, to_memory_id AS far
            FROM memory_relations WHERE org_id = %(org_id)s AND from_memory_id = ANY(%(ids)s) AND {_LEADING}
            UNION ALL
            SELECT relation_id, from_memory_id, to_memory_id, type, confidence, from_memory_id
            FROM memory_relations
            WHERE org_id = %(org_id)s AND to_memory_id = ANY(%(ids)s) AND from_memory_id <> ALL(%(ids)s)
              AND {_LEADING}) AS either
        -- Before they are counted: edges to what others remember take nobody's place.
        JOIN memories f ON f.org_id = %(org_id)s AND f.memory_id = either.far AND {conditions.user("f")}
        ORDER BY confidence DESC, relation_id
        LIMIT %(limit)s),
    chain (far, memory_id, step) AS (
        SELECT DISTINCT far, far, 0 FROM edge
        UNION ALL
        SELECT chain.far, m.superseded_by, chain.step + 1
        FROM chain JOIN memories m ON m.memory_id = chain.memory_id
        WHERE m.org_id = %(org_id)s AND m.status = 'superseded' AND m.superseded_by IS NOT NULL AND chain.step < 100),
    newest AS (SELECT DISTINCT ON (far) far, memory_id FROM chain ORDER BY far, step DESC)
    SELECT {MEMORY_COLUMNS}, edge.from_memory_id, edge.to_memory_id, edge.type, edge.confidence, edge.far
    FROM edge JOIN newest USING (far) JOIN memories m ON m.memory_id = newest.memory_id
    LEFT JOIN memory_vectors v ON v.agent_id = m.agent_id AND v.memory_id = m.memory_id
         AND v.embedding_model = %(model)s
         -- Names the partition, which the join alone does not.
         AND (%(agent_id)s::uuid IS NULL OR v.agent_id = %(agent_id)s)
    WHERE {SEEN}
    ORDER BY edge.confidence DESC, edge.relation_id"""  # noqa: S608 - constants only

EDGES_AMONG = f"""
    SELECT from_memory_id, to_memory_id, type, confidence FROM memory_relations
    WHERE org_id = %(org_id)s AND from_memory_id = ANY(%(ids)s) AND to_memory_id = ANY(%(ids)s) AND {_LEADING}
    ORDER BY confidence DESC, relation_id LIMIT {MOST_EDGES}"""  # noqa: S608 - constants only
# Of the memories first: a planner that begins with the organization's edges would read all of them.
EDGES_OF_AGENT = f"""
    SELECT r.from_memory_id, r.to_memory_id, r.type, r.confidence
    FROM (SELECT memory_id FROM memories
          WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND status = 'active' LIMIT %(most)s + 1) m
    CROSS JOIN LATERAL (
        SELECT * FROM memory_relations
        WHERE org_id = %(org_id)s AND from_memory_id = m.memory_id AND {_LEADING} OFFSET 0) r
    ORDER BY r.confidence DESC, r.relation_id LIMIT {MOST_EDGES} + 1"""  # noqa: S608 - constants only


def to_edge(row: Row) -> Edge:
    """An edge from the columns of EDGES_AMONG."""
    return Edge(row[0], row[1], row[2], round(row[3], 6))


def to_neighbour(row: Row) -> Neighbour:
    """A row of NEIGHBOURS; replaces a superseded memory by the newest of its chain."""
    memory = to_memory(row)
    from_id, to_id, kind, confidence, far = row[MEMORY_WIDTH:]
    if far != memory.id:
        from_id, to_id = (memory.id if end == far else end for end in (from_id, to_id))
    return Neighbour(
        Edge(from_id, to_id, kind, round(confidence, 6), replaced=None if far == memory.id else far), memory
    )
