"""HTTP endpoint of the memory query: `POST /memory/query`."""

import json
import logging
from dataclasses import dataclass
from itertools import repeat

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.retrieval import query
from remembrancer.domain.retrieval.query import QueryAnswer
from remembrancer.ports.system import Clock
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.assembly_api import hypotheses_failed, server_timing, spans
from remembrancer.runtime.http import pages
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation
from remembrancer.runtime.http.pages import PAGE_BYTES, sent_bytes
from remembrancer.runtime.telemetry import count, duration
from remembrancer.usecases.memories.idempotent_reads import Repeats
from remembrancer.usecases.query.memory_query import QueryMemories
from remembrancer.usecases.retrieval.deadline import Deadline

logger = logging.getLogger(__name__)

FEW_CHARACTERS = 40_000
"""Results with less text than this always fit: each character takes at most seven bytes when sent, matched terms as
much again, and each of fifty results 5 KB of figures.
"""


def fitting(answer: QueryAnswer) -> QueryAnswer:
    """Drops the last results until the answer fits the byte limit; `adjusted` then reports it for `k`."""
    memories = [one.memory for one in answer.ranked]
    if sum(len(one.content) + len(one.summary or "") for one in memories) <= FEW_CHARACTERS:
        return answer
    body = answer.as_json()
    entries = zip(body.pop("memories"), body.pop("explanations", repeat({})), strict=False)
    rest = sent_bytes(json.dumps(body, ensure_ascii=False, separators=(",", ":")))
    number = len(pages.fitting(({"memory": memory, **why} for memory, why in entries), most=PAGE_BYTES - rest))
    return answer if number == len(answer.found) else answer.first(number)


@dataclass(frozen=True, slots=True)
class QueryApi:
    """The HTTP endpoint of the memory query, under both of its routes."""

    queries: QueryMemories
    repeats: Repeats
    clock: Clock

    async def query(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Ranked memories with explanations, at most as many as the answer's size limit admits."""
        deadline = Deadline.begin(self.clock)
        parsed = query.parse(request.json())
        if parsed.user_id is not None:
            principal = principal.acting_for(parsed.user_id)
        once = request.once(principal)
        await self.repeats.require_same(principal.org_id, once)
        answer = await self.queries.query(
            parsed, principal, deadline, work, event_id=once.event_id() if once else None, fit=fitting
        )
        headers = {"server-timing": server_timing(answer.timings_ms, {})}
        account = {
            "org_id": str(principal.org_id),
            "agent_id": str(answer.request.agent_id) if answer.request.agent_id else None,
            "fallback_reason": ",".join(answer.degraded),
            "tier": answer.tier,
            "memories_found": len(answer.found),
            "total_ms": round(answer.elapsed_ms, 3),
            "stages_ms": {stage: round(latency, 3) for stage, latency in answer.timings_ms.items() if stage != "total"},
        }
        measured = [duration("QueryLatency", answer.elapsed_ms, tier=answer.tier)]
        if answer.unreadable:
            measured.append(count("Unreadable", answer.unreadable))
        measured += [count("ShortResult", source=source) for source in answer.short_sources]
        measured += [count("QueryDegraded", reason=reason.partition(":")[0]) for reason in answer.degraded]
        measured += hypotheses_failed(deadline.account)
        if not answer.sla_met:
            logger.warning("late_answer", extra={"total_ms": round(answer.elapsed_ms), "tier": answer.tier})
        body = {**answer.as_json(), "request_id": request.request_id}
        return HttpResponse(200, body, headers, tuple(measured), account, spans(deadline.account))


OPERATIONS = tuple(
    Operation(
        route,
        name,
        summary,
        QueryApi.query,
        {200: ("Ranked memories.", "QueryResponse")},
        scope="query",
        body=query.QUERY,
        refusals=(404,),
    )
    for route, name, summary in (
        ("POST /memory/query", "queryMemory", "Search with explained ranks"),
        ("POST /v1/memories/query", "queryMemories", "The same under another name"),
    )
)
