"""Finds the route of an HTTP API for a request."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import unquote

from local.template import Route

Target = TypeVar("Target")

_SEGMENT = re.compile(r"\{([^{}+]+)(\+?)\}")


@dataclass(frozen=True, slots=True)
class Match(Generic[Target]):
    """A matching route: its key as in the event (`GET /v1/memories/{memory_id}`) and decoded path parameters."""

    target: Target
    key: str
    parameters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _RouteEntry(Generic[Target]):
    route: Route
    target: Target
    pattern: re.Pattern[str]
    names: tuple[str, ...]


class RouteTable(Generic[Target]):
    """Routes with API Gateway's priority.

    `$default` comes last and `{name+}` before it; then, segment by segment, text before `{name}`; last, a method
    before ANY.
    """

    def __init__(self, routes: Iterable[tuple[Route, Target]]) -> None:
        ordered = sorted(routes, key=lambda item: _rank(item[0]))
        self._entries = [_entry(route, target) for route, target in ordered]

    def match(self, method: str, raw_path: str) -> Match[Target] | None:
        """The best route for a method and a path that is still percent-encoded."""
        for entry in self._entries:
            if entry.route.method not in (method, "ANY"):
                continue
            found = entry.pattern.fullmatch(raw_path)
            if found is not None:
                parameters = dict(zip(entry.names, map(unquote, found.groups()), strict=True))
                return Match(entry.target, _key(entry.route), parameters)
        return None


def _rank(route: Route) -> tuple[bool, bool, list[int], bool]:
    kinds = [0 if match is None else 2 if match[2] else 1 for match in map(_SEGMENT.fullmatch, route.path.split("/"))]
    return route.path == "$default", 2 in kinds, [*kinds, 3], route.method == "ANY"


def _entry(route: Route, target: Target) -> _RouteEntry[Target]:
    if route.path == "$default":
        return _RouteEntry(route, target, re.compile(".*", re.DOTALL), ())
    parts, names = [], []
    for segment in route.path.split("/"):
        variable = _SEGMENT.fullmatch(segment)
        if variable is None:
            parts.append(re.escape(segment))
        else:
            names.append(variable[1])
            # A greedy variable behind a name also matches nothing: `/mcp/` is a request of `/mcp/{proxy+}`.
            greedy = "(.*)" if any(parts) else "(.+)"
            parts.append(greedy if variable[2] else "([^/]+)")
    return _RouteEntry(route, target, re.compile("/".join(parts)), tuple(names))


def _key(route: Route) -> str:
    return "$default" if route.path == "$default" else f"{route.method} {route.path}"
