"""HTTP endpoint of context assembly: `POST /v1/context/assemble`."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from remembrancer.domain.context import assembly
from remembrancer.domain.context.assembly import NO_ID, AssembleRequest, Assembly
from remembrancer.domain.context.prefix import Prefix
from remembrancer.domain.identity.scope import NOBODY, EndUser, Principal
from remembrancer.domain.requests.idempotency import HEADER
from remembrancer.errors import InvalidRequest, RequestError
from remembrancer.ports.system import Clock
from remembrancer.runtime import trace_spans
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.connect_messages import CONNECT_REQUEST
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse, error_response, header_safe
from remembrancer.runtime.http.operations import Operation, unread
from remembrancer.runtime.telemetry import Measurement, count, duration
from remembrancer.runtime.trace_spans import Span
from remembrancer.usecases.assembly.assemble import ANSWER_RESERVE_MS, SCOPE, Assembler, unchanged
from remembrancer.usecases.assembly.plan import FORMAT_RESERVE_MS
from remembrancer.usecases.identity.authorise import Authenticator, named_end_user
from remembrancer.usecases.retrieval.deadline import Account, Deadline, let_finish

logger = logging.getLogger(__name__)

CALLER_MARGIN_MS = 5.0
"""Milliseconds of the caller's deadline that are reserved for the network path back to the caller."""
LONGEST_MS = 60_000.0
COMPOSING = ("budget", "score", "pack", "format")
"""Stages that one metric sums up: each takes a fraction of a millisecond; the log has them one by one."""
CHECK_SECONDS = 0.1
"""Most seconds for which the check of a credential continues after the response."""
CONNECT = "POST /remembrancer.context.v1.ContextAssemblyService/AssembleContext"
GUARD_MS = 2.0
"""Milliseconds before the deadline at which an event loop without an answer is considered stuck."""


@dataclass(frozen=True, slots=True)
class AssemblyApi:
    """The assembly endpoint, and its answer when everything else failed."""

    assembler: Assembler
    authenticator: Authenticator
    clock: Clock
    assembly_ms: float

    async def assemble(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Returns 200 even when sources are missing. Raises RequestError for problems that only the caller can fix."""
        arrived = self.clock.monotonic() - request.waited_ms / 1000
        deadline = Deadline(self.clock, arrived, self.deadline_ms(request))
        known = self.authenticator.recognise(request)
        principal = asyncio.ensure_future(self.authenticator.identify(request, scope=SCOPE))
        let_finish(principal)
        work.add("credential", partial(_unfinished_check, principal), may_wait=False)
        if known is None:
            # Until the credential is accepted, the body is not read and nothing that it names is looked up.
            checking = deadline.reserving(ANSWER_RESERVE_MS + FORMAT_RESERVE_MS)
            checked = await checking.run("credential", asyncio.shield(principal))
            if checked.value is None:
                reason = f"credential_{checked.report.reason}" if checking.end_ms > 0 else "assembly_timeout"
                return self._unchanged(request, reason, deadline.end_ms, since=request.received)
            known = checked.value
        parsed = _parsed(request, known.org_id)
        parsed = _for_end_user(parsed, named_end_user(request), known)
        answer = await self.assembler.assemble(
            parsed,
            known,
            asyncio.shield(principal),
            deadline,
            work,
            event_id=None if request.headers.get(HEADER.lower()) is None else partial(_event_id, request),
        )
        if not answer.deadline_met:
            late = {"total_ms": round(answer.timings_ms["total"]), "deadline_ms": round(deadline.end_ms)}
            logger.warning("late_answer", extra=late)
        agent_id = self.assembler.known_id(parsed, known) or parsed.agent_id
        return _response(answer, parsed, agent_id=agent_id, account=deadline.account)

    def deadline_ms(self, request: HttpRequest) -> float:
        """The caller's deadline minus the network reserve, else the default; never beyond the invocation's end."""
        bound = self.assembly_ms
        for name in ("connect-timeout-ms", "x-deadline-ms"):
            if name in request.headers:
                bound = _milliseconds(name, request.headers[name]) - CALLER_MARGIN_MS
                break
        return max(min(bound, request.remaining_ms - CALLER_MARGIN_MS), 0.0)

    def within_ms(self, request: HttpRequest) -> float:
        """Milliseconds after which the handler stops waiting for the event loop."""
        try:
            return max(self.deadline_ms(request) - GUARD_MS - request.waited_ms, 0.0)
        except InvalidRequest:
            return request.remaining_ms

    def last_resort(self, request: HttpRequest, reason: str) -> HttpResponse:
        """Level 3 of the fallback ladder: the client's messages unchanged; invalid requests are refused here too."""
        name = "assembly_timeout" if reason == "timeout" else reason
        try:
            self.authenticator.recognise(request)
            return self._unchanged(request, name, self.deadline_ms(request), since=request.received)
        except RequestError as error:
            return error_response(error, request.request_id)

    def _unchanged(self, request: HttpRequest, reason: str, deadline_ms: float, *, since: float) -> HttpResponse:
        parsed = _parsed(request)
        total_ms = (self.clock.monotonic() - since) * 1000
        answer = replace(unchanged(parsed, reason), timings_ms={"total": total_ms}, deadline_ms=deadline_ms)
        return _response(answer, parsed)


def _parsed(request: HttpRequest, org_id: UUID = NO_ID) -> AssembleRequest:
    parsed = assembly.parse(request.json(), org_id=org_id)
    return replace(parsed, ignored={**parsed.ignored, **unread(request)}) if request.query else parsed


def _unfinished_check(principal: "asyncio.Future[Principal]") -> Awaitable[None] | None:
    """Lets the check of a credential finish after a late answer, so that the next request finds its result cached."""
    return None if principal.done() else _waited(principal)


async def _waited(principal: "asyncio.Future[Principal]") -> None:
    await asyncio.wait({principal}, timeout=CHECK_SECONDS)


def _event_id(request: HttpRequest, principal: Principal) -> UUID:
    """The event id; an invalid key does not fail the request, since a proxy may have forwarded an unrelated header."""
    try:
        once = request.once(principal)
    except InvalidRequest:
        once = None
    return once.event_id() if once else uuid4()


def _for_end_user(request: AssembleRequest, in_header: str | None, known: Principal) -> AssembleRequest:
    """Sets the end user. Header or token and the body may both name the end user, but must name the same one."""
    named = in_header or (known.user_id if known.user_is_fixed else None)
    if named is None:
        return request
    end_user = EndUser.of(named)
    if request.end_user not in {NOBODY, end_user}:
        raise InvalidRequest(
            "The request names two different end users.",
            fields={"user_id": "differs from the end user of the credential, of X-End-User-ID or of another field"},
        )
    return replace(request, end_user=end_user)


def spans(account: Account) -> list[Span]:
    """One span for every source that ran and every stage that was timed."""
    sources = [
        Span(name, report.started_ms, report.latency_ms, is_missing=report.status != "ok")
        for name, report in account.reports.items()
        if report.status != "skipped"
    ]
    return sources + [
        Span(stage, start, account.timings_ms.get(stage, 0)) for stage, start in account.started_ms.items()
    ]


def hypotheses_failed(account: Account) -> Iterator[Measurement]:
    """A metric for failed hypotheses; none when they were not requested, or succeeded."""
    report = account.reports.get("hyde")
    if report is not None and report.status in {"timeout", "error"}:
        yield count("HypothesesFailed", cause=report.cause or report.status)


def _response(
    answer: Assembly, request: AssembleRequest, *, agent_id: UUID | None = None, account: Account | None = None
) -> HttpResponse:
    """`agent_id` is that of an agent that the request names otherwise."""
    headers = {
        "x-request-id": header_safe(request.request_id),
        "x-memories-injected": str(len(answer.memory_ids)),
        "x-context-tokens": str(answer.total_tokens_injected),
        "x-context-fallback": answer.fallback_reason,
        "server-timing": server_timing(answer.timings_ms, answer.sources),
    }
    body = answer.as_json()
    if request.ignored:
        body["metadata"]["ignored"] = request.ignored
    return HttpResponse(
        200,
        {**body, "request_id": request.request_id},
        headers,
        (*_measurements(answer), *(hypotheses_failed(account) if account else ())),
        _log_fields(answer, request, agent_id or request.agent_id),
        spans(account) if account and trace_spans.tracer.is_sampled() else (),
    )


def _measurements(answer: Assembly) -> Iterator[Measurement]:
    timings = answer.timings_ms
    yield duration("AssemblyLatency", timings["total"])
    yield count("Tier", tier=answer.tier)
    for reason in filter(None, answer.fallback_reason.split(",")):
        yield count("Fallback", reason=reason.partition(":")[0])
    if not answer.deadline_met:
        yield count("DeadlineMissed", by_version=True)
    if answer.unreadable:
        yield count("Unreadable", answer.unreadable)
    for name, report in answer.sources.items():
        if report.status != "skipped":
            yield duration("StageLatency", report.latency_ms, stage=name)
        if report.short:
            yield count("ShortResult", source=name)
    yield from _of_prefix(answer.prefix)
    if "credential" in timings:
        yield duration("StageLatency", timings["credential"], stage="credential")
    composing = [timings[stage] for stage in COMPOSING if stage in timings]
    if composing:
        yield duration("StageLatency", sum(composing), stage="compose")


def _of_prefix(prefix: Prefix | None) -> Iterator[Measurement]:
    if prefix is None:
        return
    yield count("PrefixTokens", prefix.of)
    yield count("PrefixTokensReused", prefix.tokens)
    if prefix.broken_by:
        yield count("PrefixBroken", reason=prefix.broken_by)


def _log_fields(answer: Assembly, request: AssembleRequest, agent_id: UUID) -> dict[str, Any]:
    return {
        "request_id": header_safe(request.request_id),
        "org_id": str(request.org_id),
        # Never the name: any caller may have chosen it.
        "agent_id": str(agent_id) if agent_id != NO_ID else "",
        "fallback_reason": answer.fallback_reason,
        "tier": answer.tier,
        "messages": len(request.messages),
        "memories_injected": len(answer.memory_ids),
        "memories_available": answer.memories_available,
        "tokens": answer.total_tokens_injected,
        "total_ms": round(answer.timings_ms["total"], 3),
        "stages_ms": {stage: round(latency, 3) for stage, latency in _stages(answer).items()},
    }


def _stages(answer: Assembly) -> dict[str, float]:
    sources = {name: report.latency_ms for name, report in answer.sources.items() if report.status != "skipped"}
    return {**sources, **{stage: latency for stage, latency in answer.timings_ms.items() if stage != "total"}}


def server_timing(timings_ms: Mapping[str, float], sources: Mapping[str, Any]) -> str:
    """The `Server-Timing` header: one entry for each stage and source, durations in milliseconds."""
    entries = {**{name: report.latency_ms for name, report in sources.items()}, **timings_ms}
    return ", ".join(f"{name};dur={duration:.2f}" for name, duration in entries.items())


def _milliseconds(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value > 0:
        raise InvalidRequest(
            f"{name} must be a number of milliseconds above 0.", fields={name: "must be milliseconds above 0"}
        )
    return min(value, LONGEST_MS)


def _deadline(name: str, **schema: Any) -> dict[str, Any]:
    meaning = "How long the caller waits, in milliseconds; the answer comes 5 ms before."
    return {"name": name, "in": "header", "description": meaning, "schema": {**schema, "maximum": int(LONGEST_MS)}}


OPERATIONS = (
    Operation(
        "POST /v1/context/assemble",
        "assembleContext",
        "The context of one chat request",
        AssemblyApi.assemble,
        {200: ("Whatever is ready in time; `fallback_reason` says what is missing.", "AssembleResponse")},
        scope=SCOPE,
        identifies=True,
        body=assembly.ASSEMBLE,
        headers=(_deadline("X-Deadline-Ms", type="number", exclusiveMinimum=0),),
        refusals=(404,),
    ),
    Operation(
        CONNECT,
        "assembleContextRpc",
        "The same as a Connect call; application/proto is read and answered too",
        AssemblyApi.assemble,
        {200: ("AssembleContextResponse.", "ConnectResponse")},
        scope=SCOPE,
        identifies=True,
        body=CONNECT_REQUEST,
        headers=(_deadline("Connect-Timeout-Ms", type="integer", minimum=1),),
        refusals=(404, 415, 501),
        is_connect=True,
    ),
)
