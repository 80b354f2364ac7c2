"""Assembly as a unary call of the Connect protocol (connectrpc.com/docs/protocol), in JSON and in protobuf."""

import base64
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from remembrancer.errors import BodyTooLarge, InvalidRequest, RequestError, UnsupportedMediaType
from remembrancer.runtime.http.connect_messages import from_wire, to_wire
from remembrancer.runtime.http.messages import BODY_BYTES, HttpRequest, HttpResponse, bad_body, parse_json

JSON = "application/json"
PROTO = "application/proto"
_CODES = {
    400: "invalid_argument",
    401: "unauthenticated",
    403: "permission_denied",
    404: "not_found",
    405: "unimplemented",
    409: "already_exists",
    413: "resource_exhausted",
    415: "invalid_argument",
    429: "resource_exhausted",
    501: "unimplemented",
    503: "unavailable",
    504: "deadline_exceeded",
}


class Protobuf(Protocol):
    """Converts between protobuf and dictionaries by the generated message classes."""

    def decode(self, body: bytes) -> dict[str, Any]:
        """An AssembleContextRequest by field names, without unset fields; ValueError for invalid bytes."""
        ...

    def encode(self, response: Mapping[str, Any]) -> bytes:
        """The bytes of an AssembleContextResponse with these fields."""
        ...

    def refusal(self, detail: Mapping[str, Any]) -> tuple[str, bytes]:
        """Full name and bytes of a RequestRefused."""
        ...


@dataclass(frozen=True, slots=True)
class Connect:
    """Serves the Dialect port for ContextAssemblyService.AssembleContext: reads calls of either content type and
    answers in the same; errors are always JSON.
    """

    protobuf: Protobuf

    def read(self, request: HttpRequest) -> HttpRequest:
        """Raises RequestError for another content type, version or encoding; an invalid message is refused when it
        is decoded.
        """
        content_type = _content_type(request)
        if content_type not in {JSON, PROTO}:
            raise UnsupportedMediaType(
                f"The Content-Type must be {JSON} or {PROTO}.",
                fields={"Content-Type": f"must be {JSON} or {PROTO}"},
                headers={"accept-post": f"{JSON}, {PROTO}"},
            )
        version = request.headers.get("connect-protocol-version", "1")
        if version != "1":
            raise _bad_header("connect-protocol-version", "must be 1")
        timeout = request.headers.get("connect-timeout-ms", "1")
        if not (timeout.isascii() and timeout.isdigit() and len(timeout) <= 10):
            raise _bad_header("connect-timeout-ms", "must be a whole number of at most 10 digits")
        unpack = _unpacking(request)
        parse = parse_json if content_type == JSON else self._decode
        return replace(request, read_body=lambda body: from_wire(parse(unpack(body))))

    def write(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Encodes the response; an error carries the API's code, its fields and the request's id as a detail."""
        error = response.error
        if error is not None:
            return self._error(response, error)
        assert isinstance(response.body, Mapping)
        wire = to_wire(response.body)
        if _content_type(request) == PROTO:
            return replace(
                response, body=self.protobuf.encode(wire), headers={**response.headers, "content-type": PROTO}
            )
        return replace(response, body=wire)

    def _decode(self, body: bytes) -> Any:
        if len(body) > BODY_BYTES:
            raise BodyTooLarge(BODY_BYTES)
        try:
            return self.protobuf.decode(body)
        except ValueError as error:
            raise bad_body("is not the request message in protobuf") from error

    def _error(self, response: HttpResponse, error: Mapping[str, Any]) -> HttpResponse:
        assert isinstance(response.body, Mapping)
        detail = {
            "code": error["code"],
            "fields": dict(error.get("fields", {})),
            "request_id": response.body["request_id"],
        }
        name, value = self.protobuf.refusal(detail)
        encoded = base64.b64encode(value).decode().rstrip("=")
        body = {
            "code": _CODES.get(response.status, "internal"),
            "message": error["message"],
            "details": [{"type": name, "value": encoded, "debug": detail}],
        }
        return replace(response, body=body)


def _content_type(request: HttpRequest) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _unpacking(request: HttpRequest) -> Callable[[bytes], bytes]:
    encoding = request.headers.get("content-encoding", "").strip().lower()
    if encoding in {"", "identity"}:
        return lambda body: body
    if encoding != "gzip":
        raise _UnknownEncoding()
    return _inflated


def _inflated(body: bytes) -> bytes:
    inflater = zlib.decompressobj(wbits=31)
    try:
        # Decompress one byte over the limit at most, whatever size the body would expand to.
        inflated = inflater.decompress(body, BODY_BYTES + 1)
    except zlib.error as error:
        raise bad_body("is not valid gzip") from error
    if not inflater.eof and len(inflated) <= BODY_BYTES:
        raise bad_body("is cut off")
    return inflated


def _bad_header(name: str, problem: str) -> RequestError:
    return InvalidRequest(f"The header {name} {problem}.", fields={name: problem})


class _UnknownEncoding(RequestError):
    """Connect's error for an unknown compression: `unimplemented`."""

    status = 501
    code = "unsupported_encoding"

    def __init__(self) -> None:
        super().__init__(
            "Send the body as it is, or in gzip.",
            fields={"content-encoding": "must be identity or gzip"},
            headers={"accept-encoding": "gzip"},
        )
