"""HTTP endpoint of the memory query: `POST /memory/query`."""

import asyncio
import json
import logging
from dataclasses import dataclass
from itertools import repeat

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.idempotency import HEADER
from remembrancer.domain.retrieval import query
from remembrancer.domain.retrieval.query import QueryAnswer
from remembrancer.errors import RequestError
from remembrancer.ports.system import Clock
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.assembly_api import hypotheses_failed, server_timing, spans
from remembrancer.runtime.http import pages
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, unread
from remembrancer.runtime.http.pages import PAGE_BYTES, sent_bytes
from remembrancer.runtime.telemetry import count, duration
from remembrancer.usecases.identity.authorise import Authenticator, named_end_user
from remembrancer.usecases.memories.idempotent_reads import Repeats
from remembrancer.usecases.query.memory_query import QueryMemories
from remembrancer.usecases.retrieval.deadline import Deadline, abandon, let_finish

logger = logging.getLogger(__name__)

SCOPE = "query"
"""The scope that a credential needs."""
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
    authenticator: Authenticator
    clock: Clock

    async def query(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Ranked memories with explanations, at most as many as the answer's size limit admits.

        A credential that this instance has accepted lately is checked beside the search: until then nothing is
        returned, and nothing is done after the response.
        """
        known = self._known(request)
        if known is None:
            accepted = await self.authenticator.authenticate(request, scope=SCOPE)
            return await self._answer(request, accepted, work)
        begun = Work(work.invocation_ends)
        answering = asyncio.ensure_future(self._answer(request, known, begun))
        let_finish(answering)
        try:
            accepted = await self.authenticator.authenticate(request, scope=SCOPE)
            if accepted != known:
                # Its rights have changed since.
                return await self._answer(request, accepted, work)
            response = await answering
        finally:
            if not answering.done():
                abandon(answering)
        work.take(begun)
        return response

    def _known(self, request: HttpRequest) -> Principal | None:
        """Whom the credential belonged to when it was accepted lately; None where it has to be checked first.

        That is also so for a request with an idempotency key: the first look-up of a key stores it.
        """
        known = self.authenticator.recognise(request)
        if known is None or HEADER.lower() in request.headers:
            return None
        try:
            known.require(SCOPE)
            return known.acting_for(named_end_user(request))
        except RequestError:
            # Said after the check, which may refuse the credential itself.
            return None

    async def _answer(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        deadline = Deadline.begin(self.clock)
        ignored = {"ignored": unread(request)} if request.query else {}
        parsed = query.parse(request.json())
        if parsed.user_id is not None:
            principal = principal.acting_for(parsed.user_id)
        once = request.once(principal)
        await self.repeats.require_same(principal.org_id, once)
        answer = await self.queries.query(
            parsed, principal, deadline, work, event_id=once.event_id() if once else None, fit=fitting
        )
        headers = {"server-timing": server_timing(answer.timings_ms, {})}
        log_fields = {
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
        body = {**answer.as_json(), **ignored, "request_id": request.request_id}
        return HttpResponse(200, body, headers, tuple(measured), log_fields, spans(deadline.account))


OPERATIONS = tuple(
    Operation(
        route,
        name,
        summary,
        QueryApi.query,
        {200: ("Ranked memories.", "QueryResponse")},
        scope=SCOPE,
        body=query.QUERY,
        refusals=(404,),
        identifies=True,
    )
    for route, name, summary in (
        ("POST /memory/query", "queryMemory", "Search with explained ranks"),
        ("POST /v1/memories/query", "queryMemories", "The same under another name"),
    )
)
