"""Converts events of API Gateway (payload 2.0) and of load balancers to requests, and responses back."""

import base64
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote, unquote_plus

from remembrancer.runtime.http.messages import HttpRequest, HttpResponse, header_safe


def to_request(event: Mapping[str, Any], context: Any) -> HttpRequest:
    """The request from either kind of event; repeated headers are joined by a comma, as API Gateway does."""
    place = event.get("requestContext") or {}
    # Only a load balancer's event has this field; authorizer data in it would be forged, since no authorizer ran.
    gateway = None if "elb" in place else place.get("http")
    headers = _headers(event)
    return HttpRequest(
        method=gateway["method"] if gateway else event.get("httpMethod", "GET"),
        # A load balancer passes path and query as sent; API Gateway decodes them.
        path=without_slash(str(event.get("rawPath")) if gateway else unquote(str(event.get("path", "/")))),
        headers=headers,
        query=dict(event.get("queryStringParameters") or {}) if gateway else _query(event),
        body=_body(event.get("body") or "", is_base64=bool(event.get("isBase64Encoded"))),
        request_id=headers.get("x-request-id") or getattr(context, "aws_request_id", None) or str(uuid.uuid4()),
        remaining_ms=float(context.get_remaining_time_in_millis()),
        claims=((place.get("authorizer") or {}).get("jwt") or {}).get("claims") if gateway else None,
        address=str(gateway.get("sourceIp", "")) if gateway else _last_address(headers),
    )


def to_event_response(event: Mapping[str, Any], response: HttpResponse, request_id: str) -> dict[str, Any]:
    """The response event: bytes become base64; multi-value headers are used if the load balancer sent such headers."""
    headers, body = headers_of(response, request_id), body_of(response)
    text = base64.b64encode(body).decode() if isinstance(body, bytes) else body
    answer = {"statusCode": response.status, "body": text, "isBase64Encoded": isinstance(body, bytes)}
    if "multiValueHeaders" in event:
        return {**answer, "multiValueHeaders": {name: [value] for name, value in headers.items()}}
    return {**answer, "headers": headers}


def headers_of(response: HttpResponse, request_id: str) -> dict[str, str]:
    """All headers of the response."""
    return {"content-type": "application/json", "x-request-id": header_safe(request_id), **response.headers}


def body_of(response: HttpResponse) -> str | bytes:
    """The body as it is sent; a mapping as JSON."""
    body = response.body
    return body if isinstance(body, str | bytes) else json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def without_slash(path: str) -> str:
    """The path without a slash at its end, which means nothing to any route."""
    return path[:-1] if path.endswith("/") and len(path) > 1 else path


def _headers(event: Mapping[str, Any]) -> dict[str, str]:
    repeated: Mapping[str, Sequence[str]] = event.get("multiValueHeaders") or {}
    if repeated:
        return {name.lower(): ",".join(values) for name, values in repeated.items()}
    return {name.lower(): value for name, value in (event.get("headers") or {}).items()}


def _last_address(headers: Mapping[str, str]) -> str:
    """The address that the load balancer appended to X-Forwarded-For; clients can forge the entries before it."""
    address = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def _query(event: Mapping[str, Any]) -> dict[str, str]:
    repeated: Mapping[str, Sequence[str]] = event.get("multiValueQueryStringParameters") or {}
    sent = {name: [text] for name, text in (event.get("queryStringParameters") or {}).items()} | dict(repeated)
    return {unquote_plus(name): ",".join(map(unquote_plus, texts)) for name, texts in sent.items()}


def _body(body: str, *, is_base64: bool) -> bytes:
    return base64.b64decode(body) if is_base64 else body.encode("utf-8", "surrogatepass")
