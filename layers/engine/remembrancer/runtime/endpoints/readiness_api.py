"""Endpoints without a credential: readiness of the dependencies, and the OpenAPI document."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from remembrancer.errors import StoreError
from remembrancer.ports.system import Clock, Readiness
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation
from remembrancer.usecases.identity.admission import AddressBuckets

FRESH_SECONDS = 1.0
"""Seconds for which one answer serves all callers, so that requests do not load the dependencies."""


class ReadinessApi:
    """Endpoints without a credential; readiness asks dependencies, so its rate is limited for each address. A ping
    raises StoreError when its dependency does not answer.
    """

    def __init__(
        self,
        pings: Mapping[str, Callable[[], Awaitable[None]]],
        rate: AddressBuckets,
        clock: Clock,
        document: Callable[[], dict[str, Any]],
    ) -> None:
        self._pings = pings
        self._rate = rate
        self._clock = clock
        self._document = document
        self._asked_at = float("-inf")
        self._asking: asyncio.Task[Readiness] | None = None

    async def ready(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Readiness: 503 while a required dependency does not answer. Raises TooManyRequests."""
        self._rate.require(request.address)
        self._rate.take(request.address)
        if self._asking is None or self._clock.monotonic() - self._asked_at >= FRESH_SECONDS:
            self._asked_at = self._clock.monotonic()
            self._asking = asyncio.ensure_future(self._ask())
        readiness = await asyncio.shield(self._asking)
        body = {"ready": readiness.ready, "checks": readiness.checks}
        return HttpResponse(200 if readiness.ready else 503, body)

    async def index(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Where the documents are, for someone who has only the address."""
        documents = {"openapi": "/openapi.json", "guide": "docs/api.md in the project's repository"}
        return HttpResponse(200, {"service": "Remembrancer", "documents": documents})

    async def openapi(self, request: HttpRequest, work: Work) -> HttpResponse:
        """The OpenAPI document."""
        return HttpResponse(200, self._document(), {"cache-control": "public, max-age=300"})

    async def _ask(self) -> Readiness:
        checks = {}
        for name, ping in self._pings.items():
            try:
                await ping()
                checks[name] = "ok"
            except StoreError as error:
                checks[name] = error.cause
        return Readiness(checks)


OPERATIONS = (
    Operation(
        "GET /v1/ready",
        "ready",
        "Whether each dependency answers",
        ReadinessApi.ready,
        {200: ("All that are needed do.", "Readiness"), 503: ("One that is needed does not.", "Readiness")},
        refusals=(429,),
    ),
    Operation("GET /", "index", "Where the documents are", ReadinessApi.index, {200: ("The places.", "Index")}),
    Operation(
        "GET /openapi.json", "openapi", "This document", ReadinessApi.openapi, {200: ("OpenAPI 3.1.", "OpenApi")}
    ),
)
