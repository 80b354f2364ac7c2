"""API Gateway's payload format 2.0: converts requests to events, and functions' answers to responses."""

import base64
import binascii
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from local.servers.aws import ACCOUNT_ID, REGION

_API_ID = "local"
_DOMAIN = f"{_API_ID}.execute-api.{REGION}.amazonaws.com"
# An HTTP API treats all other types as binary, including forms and bodies without a type.
_TEXT_TYPES = frozenset({"application/json", "application/javascript", "application/xml"})
_NOT_IN_HEADERS = re.compile("[\\x00\\r\\n]")


class MalformedResponseError(ValueError):
    """A function's answer for which API Gateway responds with 500."""


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request. `raw_path` and `raw_query` are still encoded; header names may repeat."""

    method: str
    raw_path: str
    raw_query: str
    protocol: str
    source_ip: str
    headers: Sequence[tuple[str, str]]
    body: bytes


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response; cookies are sent as additional `Set-Cookie` headers."""

    status: int
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    body: bytes


def build(request: Request, *, route_key: str, path_parameters: Mapping[str, str], request_id: str) -> dict[str, Any]:
    """The event for a request. Fields that API Gateway leaves out when empty are left out."""
    now = time.time()
    headers, cookies = _headers(request.headers)
    path = unquote(request.raw_path)
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": route_key,
        "rawPath": path,
        "rawQueryString": request.raw_query,
        "headers": headers,
        "requestContext": {
            "accountId": ACCOUNT_ID,
            "apiId": _API_ID,
            "domainName": headers.get("host", _DOMAIN).rsplit(":", 1)[0],
            "domainPrefix": _API_ID,
            "http": {
                "method": request.method,
                "path": path,
                "protocol": request.protocol,
                "sourceIp": request.source_ip,
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": request_id,
            "routeKey": route_key,
            "stage": "$default",
            "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
            "timeEpoch": int(now * 1000),
        },
        "isBase64Encoded": False,
    }
    if cookies:
        event["cookies"] = cookies
    if request.raw_query:
        event["queryStringParameters"] = _query(request.raw_query)
    if path_parameters:
        event["pathParameters"] = dict(path_parameters)
    if request.body:
        event["body"], event["isBase64Encoded"] = _body(request.body, headers.get("content-type", ""))
    return event


def interpret(payload: bytes) -> Response:
    """The response in a function's answer.

    If the answer has `statusCode`, its fields are used; any other answer is the JSON body of a 200 (a bare string: its
    text). Raises MalformedResponseError.
    """
    try:
        answer = json.loads(payload)
    except ValueError as error:
        raise MalformedResponseError("the answer is not JSON") from error
    if not isinstance(answer, dict) or "statusCode" not in answer:
        body = answer.encode() if isinstance(answer, str) else payload
        return Response(200, {"content-type": "application/json"}, (), body)
    headers = {"content-type": "text/plain; charset=utf-8", **_response_headers(answer.get("headers"))}
    cookies = answer.get("cookies") or []
    if not isinstance(cookies, list) or not all(isinstance(cookie, str) for cookie in cookies):
        raise MalformedResponseError("cookies are not a list of strings")
    if any(map(_NOT_IN_HEADERS.search, [*headers, *headers.values(), *cookies])):
        raise MalformedResponseError("a header has a character that HTTP does not allow")
    return Response(_status(answer["statusCode"]), headers, tuple(cookies), _response_body(answer))


def _headers(pairs: Sequence[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    headers: dict[str, str] = {}
    cookies: list[str] = []
    for name, value in pairs:
        key = name.lower()
        if key == "cookie":
            cookies.extend(cookie.strip() for cookie in value.split(";") if cookie.strip())
        else:
            headers[key] = f"{headers[key]},{value}" if key in headers else value
    return headers, cookies


def _query(raw_query: str) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for name, value in parse_qsl(raw_query, keep_blank_values=True):
        parameters[name] = f"{parameters[name]},{value}" if name in parameters else value
    return parameters


def _body(body: bytes, content_type: str) -> tuple[str, bool]:
    media_type = content_type.split(";", 1)[0].strip().lower()
    if media_type in _TEXT_TYPES or media_type.startswith("text/"):
        try:
            return body.decode(), False
        except UnicodeDecodeError:
            pass
    return base64.b64encode(body).decode(), True


def _status(value: object) -> int:
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 200 <= value <= 599:
        raise MalformedResponseError(f"statusCode is {value!r}")
    return value


def _response_headers(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or any(isinstance(item, (dict, list)) for item in value.values()):
        raise MalformedResponseError("headers are not a mapping of names to values")
    return {str(name).lower(): item if isinstance(item, str) else json.dumps(item) for name, item in value.items()}


def _response_body(answer: Mapping[str, Any]) -> bytes:
    body = answer.get("body")
    if body is None:
        return b""
    if not isinstance(body, str):
        raise MalformedResponseError("body is not a string")
    if answer.get("isBase64Encoded") is not True:
        return body.encode()
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise MalformedResponseError("body is not base64") from error
