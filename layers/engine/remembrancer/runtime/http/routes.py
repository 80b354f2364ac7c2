"""Finds a request's route; where there is none, says which one was probably meant."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from remembrancer.domain.requests.similar_names import SimilarNames
from remembrancer.errors import MethodNotAllowed, NotFound, RequestError
from remembrancer.runtime.http.messages import Dialect, Endpoint

_LONGEST_PATH = 512
"""Characters of a path for which a suggestion is sought."""
_OF_MODELS = ("/chat/completions", "/messages", "/responses", "/embeddings")
"""Paths of models' APIs, which clients call whose base URL is this service instead of a proxy."""
_SEARCH = "/search"
_QUERY = "POST /v1/memories/query"
"""What other memory services call search."""


@dataclass(frozen=True, slots=True)
class Route:
    """One route; `name` is its method and path pattern, with unfilled parameters."""

    name: str
    method: str
    path: re.Pattern[str]
    endpoint: Endpoint
    dialect: Dialect | None

    @classmethod
    def of(cls, name: str, endpoint: Endpoint, dialect: Dialect | None) -> "Route":
        """`name` is `METHOD /path/{parameter}`; a parameter matches one segment of a path, and is not empty."""
        method, _, path = name.partition(" ")
        return cls(name, method, _pattern(path), endpoint, dialect)


class Routes:
    """The routes that a function serves; `elsewhere` names those that other functions serve, for refusals only."""

    def __init__(
        self,
        endpoints: Mapping[str, Endpoint],
        dialects: Mapping[str, Dialect],
        elsewhere: Callable[[], Iterable[str]],
    ) -> None:
        self._routes = [Route.of(name, endpoint, dialects.get(name)) for name, endpoint in endpoints.items()]
        self._elsewhere = elsewhere

    def match(self, method: str, path: str) -> tuple[Route | None, Mapping[str, str]]:
        """The route and its path parameters; None when there is none."""
        for route in self._routes:
            if route.method == method and (match := route.path.fullmatch(path)):
                return route, match.groupdict()
        return None, {}

    def refusal(self, method: str, path: str) -> RequestError:
        """MethodNotAllowed where the path has other methods, else NotFound, which names the most similar route, or says
        that another function has this one: the front door's routes may be older or newer than the functions.

        It needs no credential: the routes are public.
        """
        known = [*(route.name for route in self._routes), *self._elsewhere()]
        methods = sorted({name.partition(" ")[0] for name in known if _pattern(_path(name)).fullmatch(path)})
        if method in methods:
            message = "The front door has sent this request to the wrong function: bring its routes up to date."
            return NotFound(message, code="no_such_route")
        is_search = path.endswith(_SEARCH) and _QUERY in known
        if methods:
            return MethodNotAllowed(methods, f"Did you mean {_QUERY}?" if is_search else "")
        similar = _similar(path, sorted({_path(name) for name in known}))
        meant = sorted((name for name in known if _path(name) == similar), key=lambda name: not name.startswith(method))
        if is_search:
            meant = [_QUERY]
        hint = f"Did you mean {meant[0]}? " if meant else ""
        if path.removeprefix("/v1") in _OF_MODELS:
            hint = "This service calls no model: send chats through a proxy (docs/connect/README.md). "
        return NotFound(f"There is no such route. {hint}All routes are in /openapi.json.", code="no_such_route")


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path)))


def _path(name: str) -> str:
    return name.partition(" ")[2]


def _similar(path: str, known: Collection[str]) -> str | None:
    """Of the known paths, one that is written similarly, or else the shortest that ends in the same segment."""
    if len(path) > _LONGEST_PATH:
        return None
    filled = {_filled(pattern, path): pattern for pattern in known}
    if found := SimilarNames(filled).nearest(path):
        return found
    last = path.rpartition("/")[2]
    ending = SimilarNames({pattern.rpartition("/")[2]: pattern for pattern in sorted(known, key=len, reverse=True)})
    return ending.nearest(last) if last else None


def _filled(pattern: str, path: str) -> str:
    """The pattern with the path's own segments where it has parameters."""
    return "/".join(_segments(pattern.split("/"), path.split("/")))


def _segments(pattern: list[str], path: list[str]) -> Iterator[str]:
    for index, segment in enumerate(pattern):
        yield path[index] if segment.startswith("{") and index < len(path) else segment
