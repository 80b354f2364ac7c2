"""Every route of the API, and the function that template.yaml sends it to."""

import re
from functools import cache
from pathlib import Path

from local import template as sam
from local.routes import RouteTable
from local.stack import PARAMETERS, ROOT
from remembrancer.runtime.openapi import OPERATIONS

TEMPLATE = ROOT / "template.yaml"
ROUTES = tuple(operation.route for operation in OPERATIONS)
"""As `METHOD /path/{parameter}`; tests hold them against the code of the handlers."""

PROTOCOL_ROUTES = ("POST /mcp", "GET /mcp", "DELETE /mcp")
"""Of the Model Context Protocol, which describes itself: its messages are not the OpenAPI document's to describe."""

_WRITTEN = re.compile(r'"((?:GET|POST|PUT|PATCH|DELETE) /[^"]*)"')


def written_in_handlers() -> set[str]:
    """The routes of the API in the code of functions, which a proxy route of the template does not name."""
    runtime = ROOT / "layers" / "engine" / "remembrancer" / "runtime"
    files = [*runtime.rglob("*.py"), *(ROOT / "functions").glob("*/app.py")]
    found = {route for file in files for route in _WRITTEN.findall(file.read_text(encoding="utf-8"))}
    return found - set(PROTOCOL_ROUTES)


@cache
def table(template: Path = TEMPLATE) -> RouteTable[str]:
    """The routes of the HTTP API with the functions that serve them."""
    queues = {queue.name: "url" for queue in sam.read_queues(template, values=PARAMETERS)}
    application = sam.read(template, values={**PARAMETERS, **queues})
    return RouteTable([(route, function.name) for function in application.functions for route in function.routes])


def function_of(route: str) -> str:
    """Where API Gateway would send a request of this route."""
    method, _, path = route.partition(" ")
    match = table().match(method, re.sub(r"\{\w+\}", "7f9c", path))
    assert match is not None, route
    return match.target
