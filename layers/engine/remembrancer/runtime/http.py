"""HTTP as Lambda sees it: API Gateway payload 2.0 and ALB events in, responses out, one error shape."""

import base64
import json
import logging
import math
import re
import time
import uuid
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any
from urllib.parse import unquote_plus

from remembrancer.errors import InvalidRequest, NotFound, RequestError, StoreError
from remembrancer.runtime.after_response import AfterResponse, Work
from remembrancer.runtime.loop import LoopThread
from remembrancer.runtime.telemetry import Measurement, count, described, emit

BODY_BYTES = 1 << 20
NESTING = 32
# What is left of the invocation when the handler has to have answered.
_MARGIN_MS = 100

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request; header names are lower-case, `path_parameters` come from the matched route."""

    method: str
    path: str
    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
    request_id: str
    remaining_ms: float
    path_parameters: Mapping[str, str] = field(default_factory=dict)
    received: float = field(default_factory=time.perf_counter)
    """In seconds, on the clock of `Clock.monotonic`."""

    def json(self) -> Any:
        """The body as JSON within the limits of the API; InvalidRequest otherwise."""
        return parse_json(self.body)

    def uuid(self, name: str) -> uuid.UUID:
        """A path parameter; what is no UUID names nothing that exists."""
        try:
            return uuid.UUID(self.path_parameters[name])
        except ValueError as error:
            raise NotFound("There is no such resource.") from error


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Status, a JSON body and extra headers.

    And what operators are told, after the response: figures, and ids, counts and timings for the request's line in the
    log, never text.
    """

    status: int
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    measurements: tuple[Measurement, ...] = ()
    account: Mapping[str, Any] = field(default_factory=dict)


Endpoint = Callable[[HttpRequest, Work], Coroutine[Any, Any, HttpResponse]]
LastResort = Callable[[HttpRequest, str], HttpResponse]
LambdaHandler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


def http_handler(
    routes: Mapping[str, Endpoint],
    *,
    loop: LoopThread,
    after_response: AfterResponse,
    last_resort: LastResort | None = None,
    within_ms: Callable[[HttpRequest], float] = lambda request: request.remaining_ms - _MARGIN_MS,
) -> LambdaHandler:
    """The Lambda handler that serves `METHOD /path/{parameter}` routes.

    Refusals become the error shape. When a store fails where the answer depends on it, when nothing came `within_ms`
    even though the loop was to give up by itself, or for a bug, `last_resort` answers with the reason; without one it
    is 503, 504 or 500 in the error shape. A bug is logged and counted either way. Every request is one line in
    the log and a few figures, written after the response.
    """
    compiled = [_compiled(name, endpoint) for name, endpoint in routes.items()]

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        work = Work()
        try:
            request = to_request(event, context)
            route, routed = _route(compiled, request)
            response = answer(route, routed, work)
            elapsed_ms = (time.perf_counter() - request.received) * 1000
            work.add("telemetry", lambda: _report(route, request.request_id, response, elapsed_ms))
            return to_event_response(event, response, request.request_id)
        finally:
            after_response.finish(work)

    def answer(route: _Route | None, request: HttpRequest, work: Work) -> HttpResponse:
        failed = {"failed_request": header_safe(request.request_id)}
        try:
            if route is None:
                raise NotFound("There is no such route.", code="no_such_route")
            return loop.run(route.endpoint(request, work), seconds=max(within_ms(request), 1.0) / 1000)
        except RequestError as error:
            return error_response(error, request.request_id)
        except StoreError as error:
            logger.error("store_failed", extra={"cause": error.cause, **failed})
            return (last_resort or _refuse)(request, f"unavailable:{error.cause}")
        except TimeoutError:
            logger.error("request_timed_out", extra=failed)
            return (last_resort or _refuse)(request, "timeout")
        except Exception as error:  # a bug: the last rung of the ladder
            logger.error("internal_error", extra={**failed, **described(error)})
            response = (last_resort or _refuse)(request, "internal_error")
            return replace(response, measurements=(*response.measurements, count("InternalError")))

    return handle


def to_request(event: Mapping[str, Any], context: Any) -> HttpRequest:
    """From an API Gateway payload 2.0 or an ALB event."""
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    gateway = event.get("requestContext", {}).get("http")
    method = gateway["method"] if gateway else event.get("httpMethod", "GET")
    path = event.get("rawPath") if gateway else event.get("path", "/")
    body = event.get("body") or ""
    query = event.get("queryStringParameters") or {}
    return HttpRequest(
        method=method,
        path=str(path),
        headers=headers,
        # An ALB hands the query over as it was sent, API Gateway decodes it.
        query=dict(query) if gateway else {unquote_plus(name): unquote_plus(text) for name, text in query.items()},
        body=_body(body, is_base64=bool(event.get("isBase64Encoded"))),
        request_id=headers.get("x-request-id") or getattr(context, "aws_request_id", None) or str(uuid.uuid4()),
        remaining_ms=float(context.get_remaining_time_in_millis()),
    )


def to_event_response(event: Mapping[str, Any], response: HttpResponse, request_id: str) -> dict[str, Any]:
    """For API Gateway payload 2.0 and ALB alike; ALB also wants a status description, which it may omit."""
    headers = {"content-type": "application/json", "x-request-id": header_safe(request_id), **response.headers}
    return {
        "statusCode": response.status,
        "headers": headers,
        "body": json.dumps(response.body, ensure_ascii=False, separators=(",", ":")),
        "isBase64Encoded": False,
    }


def error_response(error: RequestError, request_id: str) -> HttpResponse:
    """The one error shape of the API."""
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.fields:
        body["fields"] = error.fields
    return HttpResponse(error.status, {"error": body, "request_id": request_id})


def parse_json(body: bytes) -> Any:
    """JSON of at most 1 MiB and 32 levels, without NUL characters, lone surrogates or numbers that are not finite.

    InvalidRequest otherwise.
    """
    if not body.strip():
        raise InvalidRequest("The request needs a JSON body.", code="missing_body", fields={"body": "is required"})
    if len(body) > BODY_BYTES:
        raise _bad_body(f"must have at most {BODY_BYTES} bytes")
    if body.count(b"[") + body.count(b"{") > NESTING and _is_too_deep(body):
        raise _bad_body(f"must be nested at most {NESTING} levels deep")
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise _bad_body("must be UTF-8") from error
    except ValueError as error:
        raise _bad_body(f"is not valid JSON: {error}") from error
    if _SUSPECT.search(body):
        _refuse_characters(value)
    return value


def _bad_body(problem: str) -> InvalidRequest:
    return InvalidRequest(f"The request body {problem}.", code="invalid_json", fields={"body": problem})


def _is_too_deep(body: bytes) -> bool:
    """In linear time over any bytes; brackets inside strings do not count."""
    brackets = _STRING.sub(b"", body).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > NESTING


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("a number is out of range")
    return value


def _refuse_characters(value: Any) -> None:
    """Looks where an escape in the body may stand for a NUL or half of a pair."""
    if isinstance(value, str):
        if "\0" in value:
            raise _bad_body("must not contain NUL characters")
        if _SURROGATE.search(value):
            raise _bad_body("must not contain lone surrogates")
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_characters(key)
            _refuse_characters(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_characters(item)


def _body(body: str, *, is_base64: bool) -> bytes:
    return base64.b64decode(body) if is_base64 else body.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class _Route:
    """`name` is what stands in front of the endpoint, with its parameters unfilled."""

    name: str
    method: str
    path: re.Pattern[str]
    endpoint: Endpoint


def _compiled(name: str, endpoint: Endpoint) -> _Route:
    method, _, path = name.partition(" ")
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path))
    return _Route(name, method, re.compile(pattern), endpoint)


def _route(compiled: list[_Route], request: HttpRequest) -> tuple[_Route | None, HttpRequest]:
    for route in compiled:
        if route.method == request.method and (match := route.path.fullmatch(request.path)):
            return route, replace(request, path_parameters=match.groupdict())
    return None, request


async def _report(route: _Route | None, request_id: str, response: HttpResponse, elapsed_ms: float) -> None:
    """One line at INFO for each request; Lambda's JSON format makes fields of `extra`."""
    account = {
        "request_id": header_safe(request_id),
        "route": route.name if route else "",
        "status": response.status,
        "handler_ms": round(elapsed_ms, 3),
        **response.account,
    }
    if error := response.body.get("error"):
        account["error_code"] = error["code"]
    logger.info("request", extra=account)
    emit(*response.measurements)


def _refuse(request: HttpRequest, reason: str) -> HttpResponse:
    kind = reason.partition(":")[0]
    status, message = {
        "unavailable": (503, "A dependency does not answer; try again."),
        "timeout": (504, "The request took too long; try again."),
    }.get(kind, (500, "Something went wrong on our side."))
    body = {"error": {"code": kind, "message": message}, "request_id": request.request_id}
    return HttpResponse(status, body, {"retry-after": "1"} if kind == "unavailable" else {})


def header_safe(text: str) -> str:
    """Text of a caller as a header value."""
    return re.sub(r"[^\x21-\x7e]", "_", text)[:256]


# Also one that never ends. Possessive, so that no body makes it backtrack.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS = bytes(set(range(256)) - set(_STEPS))
_SUSPECT = re.compile(rb"\\u(0000|[dD][89a-fA-F])")
_SURROGATE = re.compile("[\ud800-\udfff]")
