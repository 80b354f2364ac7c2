"""Events of the front doors and of queues, as Lambda would hand them over."""

import base64
import json
from typing import Any

from tests.e2e.conftest import Tenant


def http_event(tenant: Tenant, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": "2.0",
        "routeKey": f"{method} {path}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json", "x-api-key": tenant.client.headers["X-API-Key"]},
        "requestContext": {"http": {"method": method, "path": path}, "requestId": "r"},
        "body": json.dumps(body),
        "isBase64Encoded": False,
    }


def alb_event(tenant: Tenant, method: str, path: str, body: Any, kind: str, query: str = "") -> dict[str, Any]:
    headers = {"X-API-Key": tenant.client.headers["X-API-Key"], "Content-Type": "application/json"}
    headers |= {"X-Forwarded-For": "10.0.0.9", "X-Request-ID": "alb-1"}
    text = "" if body is None else json.dumps(body)
    parameters = dict(pair.split("=") for pair in query.split("&") if pair)
    sent: dict[str, Any] = {
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/t/1"}},
        "httpMethod": method,
        "path": path,
        "body": base64.b64encode(text.encode()).decode() if kind == "base64" else text,
        "isBase64Encoded": kind == "base64",
    }
    if kind == "several":
        several = {name: [value] for name, value in headers.items()}
        return sent | {
            "multiValueHeaders": several,
            "multiValueQueryStringParameters": {name: [value] for name, value in parameters.items()},
        }
    return sent | {"headers": headers, "queryStringParameters": parameters}


def queue_event(*bodies: str) -> dict[str, Any]:
    records = [
        {"messageId": f"message-{number}", "body": body, "attributes": {"ApproximateReceiveCount": "1"}}
        for number, body in enumerate(bodies)
    ]
    return {"Records": records}
