"""HTTP requests and responses for endpoints: JSON bodies within the limits of the API, one error shape."""

import codecs
import json
import math
import re
import time
import uuid
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Protocol

from remembrancer.domain.identity import agent_reference
from remembrancer.domain.identity.agent_reference import LONGEST_NAME, AgentReference
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests import idempotency
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import BodyTooLarge, InvalidRequest, NotFound, RequestError, UnsupportedMediaType
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.telemetry import Measurement
from remembrancer.runtime.trace_spans import Span

BODY_BYTES = 1 << 20
NESTING = 32


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
    """Time of arrival in seconds, on the clock of `Clock.monotonic`."""
    claims: Mapping[str, Any] | None = None
    """Claims of a token that API Gateway's authorizer has verified."""
    address: str = ""
    """Address of the client, as the front door reports it; empty when there is none."""
    read_body: Callable[[bytes], Any] | None = None
    """Parses the body; a dialect may replace it."""

    @property
    def waited_ms(self) -> float:
        """Milliseconds since its arrival: a busy event loop takes it later."""
        return (time.perf_counter() - self.received) * 1000

    def json(self) -> Any:
        """The body as JSON within the limits of the API, else InvalidRequest. Parsed again with each call.

        The headers only matter where the body is no JSON: then UnsupportedMediaType says what they announce.
        """
        if self.read_body is not None:
            return self.read_body(self.body)
        try:
            return parse_json(self.body)
        except InvalidRequest as error:
            if error.code == "invalid_json" and (other := _other_form(self.headers)):
                raise other from error
            raise

    def once(self, principal: Principal) -> Once | None:
        """The request's `Idempotency-Key`; None without that header. Raises InvalidRequest for an invalid key."""
        text = self.headers.get(idempotency.HEADER.lower())
        if text is None:
            return None
        return idempotency.parse(text, principal, method=self.method, path=self.path, body=self.body)

    def uuid(self, name: str) -> uuid.UUID:
        """A path parameter as UUID. Raises NotFound for other text."""
        try:
            return uuid.UUID(self.path_parameters[name])
        except ValueError as error:
            problem = "must be a UUID"
            raise NotFound(f"In the path, {name} {problem}.", fields={name: problem}) from error

    def agent(self, name: str) -> AgentReference:
        """A path parameter that names an agent, by id or by name."""
        text = self.path_parameters[name].strip()
        if not 0 < len(text) <= LONGEST_NAME or "\0" in text:
            raise NotFound("There is no such agent.", code="agent_not_found")
        return agent_reference.parse(text)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Status, body and extra headers; a mapping is sent as JSON, text and bytes as they are.

    It also carries telemetry to write after the response: metrics, ids, counts and timings for the request's log line,
    and spans for its trace; never text.
    """

    status: int
    body: Mapping[str, Any] | str | bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    measurements: tuple[Measurement, ...] = ()
    log_fields: Mapping[str, Any] = field(default_factory=dict)
    spans: Sequence[Span] = ()

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The inner object of the error shape."""
        return self.body.get("error") if isinstance(self.body, Mapping) else None


Endpoint = Callable[[HttpRequest, Work], Coroutine[Any, Any, HttpResponse]]
LastResort = Callable[[HttpRequest, str], HttpResponse]


class Dialect(Protocol):
    """Converts requests and responses of a route that are not the plain JSON of this API."""

    def read(self, request: HttpRequest) -> HttpRequest:
        """The same request with `read_body`. Raises RequestError when its headers show that it cannot be read.

        Does not read the body itself: the credential has not been checked yet.
        """
        ...

    def write(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Encodes the endpoint's response or error for the client that sent `request`."""
        ...


def error_response(error: RequestError, request_id: str) -> HttpResponse:
    """A response in the API's one error shape."""
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.fields:
        body["fields"] = error.fields
    return HttpResponse(error.status, {"error": body, "request_id": request_id, **error.beside}, error.headers)


def parse_json(body: bytes) -> Any:
    """JSON of at most 1 MiB and 32 levels, without NUL characters, lone surrogates or numbers that are not finite.

    InvalidRequest otherwise, BodyTooLarge for a larger one.
    """
    if not body.strip():
        raise InvalidRequest("The request needs a JSON body.", code="missing_body", fields={"body": "is required"})
    if len(body) > BODY_BYTES:
        raise BodyTooLarge(BODY_BYTES)
    if body.count(b"[") + body.count(b"{") > NESTING and _is_too_deep(body):
        raise bad_body(f"must be nested at most {NESTING} levels deep")
    try:
        value = _DECODER.decode(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise bad_body("must be UTF-8") from error
    except ValueError as error:
        raise bad_body(f"is not valid JSON: {_problem(error, body)}") from error
    if _SUSPECT.search(body):
        _refuse_characters(value, "")
    return value


def bad_body(problem: str, place: str = "") -> InvalidRequest:
    """The error for a body that is invalid as a whole, or at `place`."""
    message = f"The request body {problem}." if not place else f"The request has invalid fields: {place}."
    return InvalidRequest(message, code="invalid_json", fields={place or "body": problem})


def header_safe(text: str) -> str:
    """A caller's text made safe for a response header."""
    return re.sub(r"[^\x21-\x7e]", "_", text)[:256]


def _problem(error: ValueError, body: bytes) -> str:
    """In words that do not expose Python."""
    if body.startswith(codecs.BOM_UTF8):
        return "it begins with a byte order mark"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg[:1].lower()}{error.msg[1:]}, at line {error.lineno}, column {error.colno}"
    return "a number has too many digits" if "digits" in str(error) else str(error)


def _other_form(headers: Mapping[str, str]) -> UnsupportedMediaType | None:
    """The error for headers that announce something else than plain JSON; None where they do not."""
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"", "identity"}:
        problem = "must be left out, and the body sent as it is"
        return UnsupportedMediaType("The request body is compressed.", fields={"Content-Encoding": problem})
    sent = headers.get("content-type", "").partition(";")[0].strip().lower()
    if not sent or sent == "application/json" or sent.endswith("+json"):
        return None
    message = f"The request body must be JSON; its Content-Type says {header_safe(sent)[:64]}."
    return UnsupportedMediaType(message, fields={"Content-Type": "must be application/json, and the body JSON"})


def _is_too_deep(body: bytes) -> bool:
    """Whether JSON is nested too deeply, in linear time over any bytes; brackets inside strings do not count."""
    brackets = _STRING.sub(b"", body).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > NESTING


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("a number is out of range")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuses duplicate names: proxies before this server may have used the other value."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("an object repeats a name")
    return value


def _refuse_characters(value: Any, place: str) -> None:
    """Refuses NUL and unpaired surrogates; looks only where an escape in the body may produce them."""
    if isinstance(value, str):
        if "\0" in value:
            raise bad_body("must not contain NUL characters", place)
        if _SURROGATE.search(value):
            raise bad_body("must not contain lone surrogates", place)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_characters(key, place)
            _refuse_characters(item, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_characters(item, f"{place}[{index}]")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite)
# Also an unterminated string. Possessive, so that no body causes backtracking.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS = bytes(set(range(256)) - set(_STEPS))
_SUSPECT = re.compile(rb"\\u(0000|[dD][89a-fA-F])")
_SURROGATE = re.compile("[\ud800-\udfff]")
