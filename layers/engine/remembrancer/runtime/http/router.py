"""The Lambda handler of a function that serves HTTP: routes events to endpoints, returns responses, logs requests."""

import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from remembrancer.errors import InvalidRequest, RequestError, StoreError
from remembrancer.runtime import trace_spans
from remembrancer.runtime.after_response import Finisher, Work
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.http.events import to_event_response, to_request
from remembrancer.runtime.http.messages import (
    Dialect,
    Endpoint,
    HttpRequest,
    HttpResponse,
    LastResort,
    error_response,
    header_safe,
)
from remembrancer.runtime.http.operations import Operation
from remembrancer.runtime.http.routes import Route, Routes
from remembrancer.runtime.telemetry import Measurement, collect, count, described, emit
from remembrancer.runtime.trace_spans import Traced

# Milliseconds before the invocation's end at which the handler has to have answered.
_MARGIN_MS = 100
SLOW_MS = 100.0
"""Milliseconds in the handler from which a request is slow: its line is always in the log."""

logger = logging.getLogger(__name__)

LambdaHandler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


async def health(request: HttpRequest, work: Work) -> HttpResponse:
    """Liveness of this process; every function serves it, for load balancers that check each target."""
    return HttpResponse(200, {"status": "ok"})


class HttpService:
    """Serves `METHOD /path/{parameter}` routes and `GET /v1/health`, whatever brings the requests.

    A slash at the end of a path makes no difference.

    Request errors are returned in the error shape. `last_resort` answers with the reason when a store fails that the
    answer needs, when no answer came `within_ms` although the loop should have given up by itself, or on an unexpected
    exception. Without `last_resort` the answer is 503, 504 or 500 in the error shape. An unexpected exception is logged
    and counted either way. `dialects`, by route, read requests and write responses in another form. `elsewhere` names
    the routes of other functions, so that a refusal of an unknown route or method can name them. After the
    response, a request is counted in the metrics; one in `log_every` ordinary requests has a line in the log, and every
    other one: errors, incomplete answers and slow ones. Without `counts_requests`, its requests are parts of a request
    that another handler counts: only their failures, refusals and incomplete answers are counted here.
    """

    def __init__(
        self,
        routes: Mapping[str, Endpoint],
        *,
        loop: LoopThread,
        dialects: Mapping[str, Dialect] | None = None,
        elsewhere: Callable[[], Iterable[str]] = tuple,
        last_resort: LastResort | None = None,
        within_ms: Callable[[HttpRequest], float] = lambda request: request.remaining_ms - _MARGIN_MS,
        log_every: int = 1,
        counts_requests: bool = True,
    ) -> None:
        self._known = Routes({HEALTH.route: health, **routes}, dialects or {}, elsewhere)
        self._loop = loop
        self._last_resort = last_resort or _refuse
        self._within_ms = within_ms
        self._log = _RequestLog(log_every, counts_requests=counts_requests)

    def respond(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Waits on this thread, which must not be the loop's."""
        route, request = self._routed(request)
        try:
            found, request = self._read(route, request)
            response = self._loop.run(found.endpoint(request, work), seconds=self._seconds(request))
            work.sent()
        except Exception as error:
            response = self._failure(request, error)
        return self._finished(route, request, response, work)

    async def respond_from(self, request: HttpRequest, work: Work) -> HttpResponse:
        """As `respond`, waiting on another event loop than the one that works."""
        route, request = self._routed(request)
        try:
            found, request = self._read(route, request)
            response = await self._loop.result(found.endpoint(request, work), seconds=self._seconds(request))
            work.sent()
        except Exception as error:
            response = self._failure(request, error)
        return self._finished(route, request, response, work)

    def _routed(self, request: HttpRequest) -> tuple[Route | None, HttpRequest]:
        route, parameters = self._known.match(request.method, request.path)
        return route, replace(request, path_parameters=parameters) if parameters else request

    def _read(self, route: Route | None, request: HttpRequest) -> tuple[Route, HttpRequest]:
        """Raises RequestError for an unknown route, or what no route could read."""
        if route is None:
            raise self._known.refusal(request.method, request.path)
        _refuse_characters({**request.query, **request.path_parameters})
        return route, route.dialect.read(request) if route.dialect else request

    def _seconds(self, request: HttpRequest) -> float:
        return max(self._within_ms(request), 1.0) / 1000

    def _failure(self, request: HttpRequest, error: Exception) -> HttpResponse:
        if isinstance(error, RequestError):
            return error_response(error, request.request_id)
        if isinstance(error, StoreError):
            logger.error("store_failed", extra={"failure": str(error), "cause": error.cause, **_failed(request)})
            return self._last_resort(request, f"unavailable:{error.cause}")
        if isinstance(error, TimeoutError):
            logger.error("request_timed_out", extra=_failed(request))
            return self._last_resort(request, "timeout")
        # An unexpected exception: the last level of the fallback ladder.
        logger.error("internal_error", extra={**_failed(request), **described(error)})
        response = self._last_resort(request, "internal_error")
        return replace(response, measurements=(*response.measurements, count(_BUG, by_version=True)))

    def _finished(self, route: Route | None, request: HttpRequest, response: HttpResponse, work: Work) -> HttpResponse:
        """The response as the client reads it; schedules its telemetry."""
        elapsed_ms = (time.perf_counter() - request.received) * 1000
        # First: when no time is left for work after the response, the request must know it.
        work.add("telemetry", lambda: self._log.report(route, request.request_id, response, elapsed_ms), first=True)
        if trace_spans.tracer.is_sampled():
            name, parent = route.name if route else "", request.headers.get("traceparent", "")
            traced = Traced(name, parent, response.status, time.time() - elapsed_ms / 1000, elapsed_ms)
            work.add("spans", lambda: trace_spans.tracer.send(traced, response.spans))
        return route.dialect.write(request, response) if route and route.dialect else response


def http_handler(
    routes: Mapping[str, Endpoint], *, loop: LoopThread, after_response: Finisher, **options: Any
) -> LambdaHandler:
    """The Lambda handler of an HttpService with these routes and options."""
    service = HttpService(routes, loop=loop, **options)

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        work = Work.of(context)
        try:
            request = to_request(event, context)
            return to_event_response(event, service.respond(request, work), request.request_id)
        finally:
            after_response.finish(work)

    return handle


def _failed(request: HttpRequest) -> dict[str, str]:
    """The request in a log line about its failure."""
    return {"failed_request": header_safe(request.request_id)}


def _refuse_characters(parameters: Mapping[str, str]) -> None:
    """Refuses what no text of the API contains and no column of Postgres stores."""
    names = [_UNSTORED.sub("", name) for name, text in parameters.items() if _UNSTORED.search(name + text)]
    if names:
        problem = "must not contain NUL characters or lone surrogates"
        raise InvalidRequest(
            f"The request has invalid fields: {', '.join(sorted(names))}.", fields=dict.fromkeys(names, problem)
        )


_UNSTORED = re.compile("[\0\ud800-\udfff]")


class _RequestLog:
    """The log lines and metrics of requests; `every` is how many ordinary requests share a line."""

    def __init__(self, every: int, *, counts_requests: bool) -> None:
        self._every = max(every, 1)
        self._counts_requests = counts_requests
        self._ordinary = 0

    def report(self, route: Route | None, request_id: str, response: HttpResponse, elapsed_ms: float) -> None:
        """Adds to the metrics, which are written at once when the service failed, and logs the line if it is due."""
        write = emit if response.status >= _SERVER_ERROR or _is_bug(response) else collect
        requests = [count("Requests", by_version=True)] if self._counts_requests else []
        write(*response.measurements, *requests, *_health(response))
        is_ordinary = _is_ordinary(response, elapsed_ms)
        if is_ordinary:
            self._ordinary += 1
        if not is_ordinary or self._ordinary % self._every == 1 % self._every:
            self._log(route, request_id, response, elapsed_ms, one_in=self._every if is_ordinary else 1)

    def _log(
        self, route: Route | None, request_id: str, response: HttpResponse, elapsed_ms: float, *, one_in: int
    ) -> None:
        """Logs a line at INFO; Lambda's JSON format turns `extra` into fields."""
        log_fields = {
            "request_id": header_safe(request_id),
            "route": route.name if route else "",
            "status": response.status,
            "handler_ms": round(elapsed_ms, 3),
            **response.log_fields,
        }
        if error := response.error:
            log_fields["error_code"] = error["code"]
        if one_in > 1:
            log_fields["one_in"] = one_in
        logger.info("request", extra=log_fields)


def _is_ordinary(response: HttpResponse, elapsed_ms: float) -> bool:
    return response.status < _CLIENT_ERROR and not response.log_fields.get("fallback_reason") and elapsed_ms < SLOW_MS


def _is_bug(response: HttpResponse) -> bool:
    """Whether an unexpected exception was answered, by status 200 for assembly."""
    return any(one.name == _BUG for one in response.measurements)


def _health(response: HttpResponse) -> Iterator[Measurement]:
    """Metrics of this version's health, since Lambda counts an answer of 500, or without memories, as a
    success.
    """
    if response.error and response.status >= _SERVER_ERROR:
        yield count("Failed", by_version=True)
    elif response.error:
        yield count("Refused", by_version=True, cause=response.error["code"])
    elif response.log_fields.get("fallback_reason"):
        yield count("Degraded", by_version=True)


def _refuse(request: HttpRequest, reason: str) -> HttpResponse:
    kind = reason.partition(":")[0]
    status, message = {
        "unavailable": (503, "A dependency does not answer; retry."),
        "timeout": (504, "The request took too long; retry."),
    }.get(kind, (500, "The service failed with an unexpected error."))
    body = {"error": {"code": kind, "message": message}, "request_id": request.request_id}
    return HttpResponse(status, body, {"retry-after": "1"} if kind == "unavailable" else {})


_CLIENT_ERROR, _SERVER_ERROR = 400, 500
_BUG = "InternalError"
HEALTH = Operation("GET /v1/health", "health", "This process answers", health, {200: ("It does.", "Health")})
