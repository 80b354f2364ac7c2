"""Step 8: along the relations, from the best memories to their neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval import graph
from remembrancer.domain.retrieval.graph import Edge, Expansion, Influence
from remembrancer.ports.search import Graph, Neighbour
from remembrancer.usecases.query.plan import Plan

EDGES_EACH_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Traversed:
    """Who was reached and how; `memories` has the rows of neighbours, candidates among them included."""

    expansion: Expansion
    influences: dict[UUID, list[Influence]]
    memories: dict[UUID, Memory] = field(default_factory=dict)
    report: SourceReport = field(default_factory=lambda: SourceReport("skipped"))


async def follow(store: Graph, plan: Plan, seeds: Sequence[UUID], edges: Sequence[Edge], *, model: str) -> Traversed:
    """From the seeds to the plan's depth; `edges` are those among the candidates, known already.

    Depth by depth until there is nobody new; a depth that fails or is late ends it, and what the depths before it
    found stays. At a depth of 0 nobody joins, and the edges among the candidates count all the same.
    """
    known = list(edges)
    memories: dict[UUID, Memory] = {}
    started = plan.following.elapsed_ms
    report = SourceReport("skipped")
    for depth in range(plan.depth):
        frontier = graph.expand(seeds, known, depth).at(depth)
        if not frontier:
            break
        outcome = await plan.following.run(
            "graph", store.neighbours(plan.scope, frontier, model=model, limit=EDGES_EACH_DEPTH, now=plan.now)
        )
        report = SourceReport(
            outcome.report.status, started, plan.following.elapsed_ms - started, len(memories), outcome.report.cause
        )
        if outcome.value is None:
            break
        admitted = [one for one in outcome.value if _counts(one, plan)]
        known += [neighbour.edge for neighbour in admitted]
        memories |= {neighbour.memory.id: neighbour.memory for neighbour in admitted}
    depth = max(plan.depth, 1)
    expansion = graph.expand(seeds, known, depth)
    return Traversed(expansion, graph.influences(expansion, known, depth), memories, report)


def _counts(neighbour: Neighbour, plan: Plan) -> bool:
    """Not from a memory to itself, as an edge to its own older version becomes; and only to what meets the filters."""
    scope, memory, edge = plan.scope, neighbour.memory, neighbour.edge
    return (
        edge.from_id != edge.to_id
        and plan.filters.admits(memory)
        and memory.is_visible(agent_id=scope.agent_id, end_user=scope.end_user, now=plan.now)
    )
