"""Follows relations from the best memories to their neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval import graph
from remembrancer.domain.retrieval.candidates import Candidates, FoundMemories
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.graph import Edge, Expansion, Influence
from remembrancer.ports.search import Neighbour, RecallStore
from remembrancer.usecases.retrieval.deadline import Deadline

EDGES_EACH_DEPTH = 100
RELATED_SHARE = 0.5
"""Factor per edge: the share of a memory's similarity that its neighbour receives."""


@dataclass(frozen=True, slots=True)
class Walk:
    """How far relations are followed (`depth` edges), and filters for their ends; vectors are those of `model`."""

    scope: Scope
    filters: Filters
    depth: int
    model: str
    now: datetime
    deadline: Deadline


@dataclass(frozen=True, slots=True)
class Traversal:
    """The memories that were reached, and their paths; `memories` has the rows of neighbours, including candidates."""

    expansion: Expansion
    influences: dict[UUID, list[Influence]]
    memories: dict[UUID, Memory] = field(default_factory=dict)


async def follow(store: RecallStore, walk: Walk, seeds: Sequence[UUID], edges: Sequence[Edge] = ()) -> Traversal:
    """Follows relations from the seeds; `edges` are the known edges among the candidates. The report stands under
    `graph`.

    Works depth by depth until nothing new is reached. A depth that fails or is late ends it; the results of earlier
    depths are kept. With depth 0 no memory joins, but the edges among the candidates still count.
    """
    known = list(edges)
    memories: dict[UUID, Memory] = {}
    deadline = walk.deadline
    started = deadline.elapsed_ms
    for depth in range(walk.depth):
        frontier = graph.expand(seeds, known, depth).at(depth)
        if not frontier:
            break
        asked = store.neighbours(walk.scope, frontier, model=walk.model, limit=EDGES_EACH_DEPTH, now=walk.now)
        outcome = await deadline.run("graph", asked)
        found = [one for one in outcome.value or () if _counts(one, walk)]
        known += [neighbour.edge for neighbour in found]
        memories |= {neighbour.memory.id: neighbour.memory for neighbour in found}
        latency = deadline.elapsed_ms - started
        report = replace(outcome.report, started_ms=started, latency_ms=latency, count=len(memories))
        deadline.account.reports["graph"] = report
        if outcome.value is None:
            break
    depth = max(walk.depth, 1)
    expansion = graph.expand(seeds, known, depth)
    return Traversal(expansion, graph.influences(expansion, known, depth), memories)


def with_related(evidence: Sequence[Evidence], traversed: Traversal) -> Candidates:
    """Gives a related memory the similarity of the memory that leads to it, times the edge's confidence and the factor.

    A memory that is more similar by itself keeps its own similarity.
    """
    by_id = {item.memory.id: item for item in evidence}
    for identifier, path in traversed.expansion.paths.items():
        # Nearest depth first.
        near = by_id.get(path[-1].other(identifier))
        own = by_id.get(identifier)
        memory = own.memory if own is not None else traversed.memories.get(identifier)
        if near is None or memory is None:
            continue
        dense = (near.dense or 0.0) * path[-1].confidence * RELATED_SHARE
        own = own or Evidence(memory)
        by_id[identifier] = replace(own, dense=max(own.dense or 0.0, dense))
    scored, found = list(by_id.values()), Candidates.of(evidence).memories
    added = [item.memory for item in scored[len(found) :]]
    return Candidates.with_scores(FoundMemories(found.map, found.places, [*found.others, *added]), scored)


def _counts(neighbour: Neighbour, walk: Walk) -> bool:
    """Skips edges of a memory to itself (an edge to its own older version becomes one) and memories that fail the
    filters.
    """
    scope, memory, edge = walk.scope, neighbour.memory, neighbour.edge
    return (
        edge.from_id != edge.to_id
        and walk.filters.admits(memory, now=walk.now)
        and memory.is_visible(agent_id=scope.agent_id, end_user=scope.end_user, now=walk.now)
    )
