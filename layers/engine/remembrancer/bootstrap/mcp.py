"""Builds the MCP function (streamable HTTP): the Python client's tools, calling handlers of this same instance.

The only module that imports the MCP SDK, whose import takes longer than the rest of the start: no other function loads
it, and only the MCP function has its layer.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from mcp.server.transport_security import TransportSecuritySettings

from remembrancer.adapters.own_handlers import OwnHandlers, OwnInvocation
from remembrancer.bootstrap import memories, query
from remembrancer.bootstrap.assembly import assembly_api
from remembrancer.bootstrap.instance import Instance
from remembrancer.domain.identity.scope import Principal
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.assembly_api import AssemblyApi
from remembrancer.runtime.endpoints.mcp_api import HOST, McpApi
from remembrancer.runtime.http.asgi import AsgiServer
from remembrancer.runtime.http.messages import BODY_BYTES, HttpRequest
from remembrancer.runtime.http.router import LambdaHandler, http_handler
from remembrancer_client import AsyncClient
from remembrancer_client.mcp import Caller, server

ASSEMBLE = "POST /v1/context/assemble"
QUERY, FORGET = "POST /v1/memories/query", "POST /v1/forget"
TOOLS_ROUTES = (
    "POST /v1/memories",
    "GET /v1/memories/{memory_id}",
    "PATCH /v1/memories/{memory_id}",
    "DELETE /v1/memories/{memory_id}",
    "GET /v1/agents/{agent_id}/directive",
)
"""Routes of the memories function that the tools call."""
CREDENTIALS = ("authorization", "x-api-key")
OWN = "http://own-handlers"

_caller: ContextVar[Caller] = ContextVar("caller")
_work: ContextVar[Work] = ContextVar("work")


class _PartOfTheRequest:
    """Adds the work that a tool's call schedules to the work after the response of the enclosing request."""

    def finish(self, work: Work) -> None:
        _work.get().take(work)


def mcp_api(instance: Instance, api: AssemblyApi | None = None) -> McpApi:
    """The endpoint, warmed as for assembly; `api` is that of the process, where it has one."""
    handler = _handlers(instance, api)
    application = AsgiServer(
        server(_caller.get).streamable_http_app(
            json_response=True,
            stateless_http=True,
            max_request_body_size=BODY_BYTES,
            # Requests from browser pages are refused, whichever host name they used.
            transport_security=TransportSecuritySettings(allowed_hosts=[HOST], allowed_origins=[]),
        )
    )
    instance.loop.run(application.start())

    @contextmanager
    def serving(request: HttpRequest, principal: Principal, agent_id: str, work: Work) -> Iterator[None]:
        transport = OwnHandlers(
            handler,
            headers={
                "x-request-id": request.request_id,
                **{name: request.headers[name] for name in CREDENTIALS if name in request.headers},
            },
            address=request.address,
            place={} if request.claims is None else {"authorizer": {"jwt": {"claims": request.claims}}},
            context=OwnInvocation(request.request_id, request.remaining_ms),
        )
        client = AsyncClient(OWN, org_id=str(principal.org_id), agent_id=agent_id, transport=transport)
        # A token says by itself whom it acts for, also where a header cannot hold the name.
        end_user = None if principal.user_is_fixed else principal.user_id
        tokens = _caller.set(Caller(client, end_user)), _work.set(work)
        try:
            yield
        finally:
            _caller.reset(tokens[0])
            _work.reset(tokens[1])

    return McpApi(application, instance.authenticator, serving)


def _handlers(instance: Instance, api: AssemblyApi | None) -> LambdaHandler:
    """The handlers of other functions that tools call, with the same checks, limits, logs and metrics; but `Requests`
    counts the enclosing request alone.
    """
    handler = partial(
        http_handler,
        loop=instance.loop,
        after_response=_PartOfTheRequest(),
        log_every=instance.log_every,
        counts_requests=False,
    )
    api = api or assembly_api(instance)
    assemble = handler({ASSEMBLE: api.assemble}, last_resort=api.last_resort, within_ms=api.within_ms)
    served = query.routes(instance) | memories.routes(instance)
    routes = {route: served[route] for route in (QUERY, FORGET, *TOOLS_ROUTES)}
    others = handler(routes)
    path = ASSEMBLE.partition(" ")[2]
    return lambda event, context: (assemble if event["rawPath"] == path else others)(event, context)
