"""HTTP endpoint of the Model Context Protocol: `POST /mcp` (streamable HTTP, without sessions and without streams)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.personal_data.invisible_characters import is_blank
from remembrancer.errors import InvalidRequest
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.asgi import AsgiServer
from remembrancer.runtime.http.messages import Endpoint, HttpRequest, HttpResponse
from remembrancer.usecases.identity.authorise import Authenticator

ROUTE = "POST /mcp"
SCOPE = "query"
"""The scope needed to connect; each tool requires its own scope in addition."""
AGENT_HEADER = "X-Agent-ID"
HOST = "mcp"
"""The host name passed to the MCP server: the front door has already routed by the real one."""
_NOT_HANDED_ON = frozenset({"authorization", "cookie", "host", "x-api-key"})

Serving = Callable[[HttpRequest, Principal, str, Work], AbstractContextManager[None]]
"""A context in which tools act for this principal and agent, as part of this request."""


@dataclass(frozen=True, slots=True)
class McpApi:
    """The MCP endpoints; `server` receives a request only after its credential was accepted."""

    server: AsgiServer
    authenticator: Authenticator
    serving: Serving

    def routes(self) -> dict[str, Endpoint]:
        """The one route. GET and DELETE are refused, since there are no streams and no sessions; the protocol tells
        clients to go on without.
        """
        return {ROUTE: self.serve}

    async def serve(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Handles one protocol message and returns its answer."""
        principal = await self.authenticator.authenticate(request, scope=SCOPE)
        agent_id = request.headers.get(AGENT_HEADER.lower(), "").strip()
        if is_blank(agent_id):
            raise InvalidRequest(f"The header {AGENT_HEADER} is required.", fields={AGENT_HEADER: "is required"})
        headers = {name: value for name, value in request.headers.items() if name not in _NOT_HANDED_ON}
        with self.serving(request, principal, agent_id, work):
            return await self.server.respond(request, headers={**headers, "host": HOST})
