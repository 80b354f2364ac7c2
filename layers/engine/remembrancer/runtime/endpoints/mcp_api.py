"""`POST /mcp`: the HTTP side of the Model Context Protocol (streamable HTTP, without sessions and without streams)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from remembrancer.domain.identity.scope import Principal
from remembrancer.errors import InvalidRequest
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.asgi import AsgiServer
from remembrancer.runtime.http.messages import Endpoint, HttpRequest, HttpResponse
from remembrancer.usecases.identity.authorise import Authenticator

SCOPE = "query"
"""What a credential needs to speak at all; each tool asks for its own besides."""
AGENT_HEADER = "X-Agent-ID"
HOST = "mcp"
"""What the server is told as its host: the front door has chosen by the real one."""
_NOT_HANDED_ON = frozenset({"authorization", "cookie", "host", "x-api-key"})

Serving = Callable[[HttpRequest, Principal, str, Work], AbstractContextManager[None]]
"""Within it, tools act for the principal and the agent, as part of this request."""


@dataclass(frozen=True, slots=True)
class McpApi:
    """The endpoints; `server` gets to see a request only when its credential has been accepted."""

    server: AsgiServer
    authenticator: Authenticator
    serving: Serving

    def routes(self) -> dict[str, Endpoint]:
        """As template.yaml sends them here."""
        return {"POST /mcp": self.serve, "GET /mcp": refuse_method, "DELETE /mcp": refuse_method}

    async def serve(self, request: HttpRequest, work: Work) -> HttpResponse:
        """One message of the protocol and its answer."""
        principal = await self.authenticator.authenticate(request, scope=SCOPE)
        agent_id = request.headers.get(AGENT_HEADER.lower(), "").strip()
        if not agent_id:
            raise InvalidRequest(f"The header {AGENT_HEADER} names no agent.", fields={AGENT_HEADER: "is required"})
        headers = {name: value for name, value in request.headers.items() if name not in _NOT_HANDED_ON}
        with self.serving(request, principal, agent_id, work):
            return await self.server.respond(request, headers={**headers, "host": HOST})


async def refuse_method(request: HttpRequest, work: Work) -> HttpResponse:
    """There is no stream to listen to, and no session to end: clients go on without, as the protocol says."""
    error = {"code": "method_not_allowed", "message": "Send messages by POST."}
    return HttpResponse(405, {"error": error, "request_id": request.request_id}, {"allow": "POST"})
