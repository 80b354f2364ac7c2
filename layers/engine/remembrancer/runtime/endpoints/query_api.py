"""`POST /memory/query`: the HTTP side of the memory query."""

import logging
from dataclasses import dataclass

from remembrancer.domain.retrieval import query
from remembrancer.ports.system import Clock
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.assembly_api import hypotheses_failed, server_timing
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.telemetry import count, duration
from remembrancer.usecases.identity.authorise import Authenticator
from remembrancer.usecases.memories.idempotent_reads import Repeats
from remembrancer.usecases.query.memory_query import QueryMemories
from remembrancer.usecases.retrieval.deadline import Deadline

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QueryApi:
    """The endpoint."""

    queries: QueryMemories
    authenticator: Authenticator
    repeats: Repeats
    clock: Clock

    async def query(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Ranked memories with explanations."""
        deadline = Deadline.begin(self.clock)
        principal = await self.authenticator.authenticate(request, scope="query")
        parsed = query.parse(request.json())
        if parsed.user_id is not None:
            principal = principal.acting_for(parsed.user_id)
        once = request.once(principal)
        await self.repeats.require_same(principal.org_id, once)
        answer = await self.queries.query(parsed, principal, deadline, work, event_id=once.event_id() if once else None)
        headers = {"server-timing": server_timing(answer.timings_ms, {})}
        account = {
            "org_id": str(principal.org_id),
            "agent_id": str(parsed.agent_id) if parsed.agent_id else None,
            "fallback_reason": ",".join(answer.degraded),
            "tier": answer.tier,
            "memories_found": len(answer.found),
            "total_ms": round(answer.elapsed_ms, 3),
            "stages_ms": {stage: round(latency, 3) for stage, latency in answer.timings_ms.items() if stage != "total"},
        }
        measured = [duration("QueryLatency", answer.elapsed_ms, tier=answer.tier)]
        if answer.redacted:
            measured.append(count("Redacted", answer.redacted))
        measured += [count("ShortResult", source=source) for source in answer.short_sources]
        measured += [count("QueryDegraded", reason=reason.partition(":")[0]) for reason in answer.degraded]
        measured += hypotheses_failed(deadline.account)
        if not answer.sla_met:
            logger.warning("late_answer", extra={"total_ms": round(answer.elapsed_ms), "tier": answer.tier})
        body = {**answer.as_json(), "request_id": request.request_id}
        return HttpResponse(200, body, headers, tuple(measured), account)
