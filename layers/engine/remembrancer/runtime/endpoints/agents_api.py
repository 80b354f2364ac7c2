"""The HTTP side of agents and their directives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories import write_request
from remembrancer.domain.memories.memory import Directive
from remembrancer.domain.requests.fields import Fields
from remembrancer.errors import Conflict, NotFound, StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.identity import Agents, Directives, Directory
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment
from remembrancer.runtime.http.messages import Endpoint, HttpRequest, HttpResponse
from remembrancer.runtime.http.pages import Pages, fitting, page_size
from remembrancer.runtime.http.parameters import numbered
from remembrancer.usecases.identity.authorise import Authenticator, require_agent, require_unrestricted

PAGE = 20
LONGEST_PAGE = 100
AGENTS_PAGE = 100
LONGEST_AGENTS_PAGE = 500


@dataclass(frozen=True, slots=True)
class AgentsApi:
    """The endpoints."""

    agents: Agents
    directives: Directives
    directory: Directory
    cache: AgentCache
    authenticator: Authenticator
    new_id: Callable[[], UUID]

    def routes(self) -> dict[str, Endpoint]:
        """As template.yaml sends them to the memories function."""
        return {
            "POST /v1/agents": self.create,
            "GET /v1/agents": self.list,
            "PUT /v1/agents/{agent_id}/directive": self.put_directive,
            "GET /v1/agents/{agent_id}/directive": self.get_directive,
            "GET /v1/agents/{agent_id}/directive/versions": self.list_directives,
        }

    async def create(self, request: HttpRequest, work: Work) -> HttpResponse:
        """201; names are unique within project and environment."""
        principal = await self._principal(request, "write")
        require_unrestricted(principal, "make agents")
        name, once = write_request.parse_agent(request.json()), request.once(principal)
        agent = await self.agents.create(principal, self.new_id(), name, once=once)
        if agent is None:
            raise Conflict("An agent of that name exists.", code="agent_exists", fields={"name": "is taken"})
        return HttpResponse(201, _agent_json(agent))

    async def list(self, request: HttpRequest, work: Work) -> HttpResponse:
        """By name, a page at a time."""
        principal = await self._principal(request, "query")
        limit = page_size(request.query, usual=AGENTS_PAGE, most=LONGEST_AGENTS_PAGE)
        pages = await Pages.of(self.directory, principal, "agents", request.query)
        found = await self.agents.list(principal, after=pages.position(request.query), limit=limit)
        agents, after = pages.page(found, limit, shown=_agent_json, position=lambda agent: agent.name)
        return HttpResponse(200, {"agents": agents, "next_cursor": after})

    async def put_directive(self, request: HttpRequest, work: Work) -> HttpResponse:
        """The next version, active at once, for every end user of the agent."""
        principal = await self._principal(request, "write")
        require_unrestricted(principal, "set directives")
        agent_id = request.uuid("agent_id")
        text, mode = write_request.parse_directive(request.json())
        await require_agent(principal, agent_id, self.directory)
        directive = await self.directives.put(principal.org_id, agent_id, text, mode)
        try:
            await self.cache.put_directive(principal.org_id, agent_id, directive)
        except StoreError:
            # Tried once more after the response; an older version in the cache ends with its lifetime.
            work.add("cache_directive", lambda: self.cache.put_directive(principal.org_id, agent_id, directive))
        return HttpResponse(200, _directive_json(agent_id, directive))

    async def get_directive(self, request: HttpRequest, work: Work) -> HttpResponse:
        """The active version."""
        principal = await self._principal(request, "query")
        agent_id = request.uuid("agent_id")
        await require_agent(principal, agent_id, self.directory)
        directive = await self.directives.active(principal.org_id, agent_id)
        if directive is None:
            raise NotFound("This agent has no directive.", code="directive_not_found")
        return HttpResponse(200, _directive_json(agent_id, directive))

    async def list_directives(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Every version, newest first, a page at a time."""
        principal = await self._principal(request, "query")
        agent_id = request.uuid("agent_id")
        before, limit = _version_page(request.query)
        await require_agent(principal, agent_id, self.directory)
        found = await self.directives.versions(principal.org_id, agent_id, before=before, limit=limit)
        versions = fitting(
            _directive_json(agent_id, one.directive) | {"active": one.active, "created_at": moment(one.created_at)}
            for one in found
        )
        oldest = versions[-1]["version"] if versions else 1
        return HttpResponse(200, {"versions": versions, "next_before": oldest if oldest > 1 else None})

    async def _principal(self, request: HttpRequest, scope: str) -> Principal:
        return await self.authenticator.authenticate(request, scope=scope)


def _version_page(query: Mapping[str, str]) -> tuple[int | None, int]:
    """Versions below this one, and at most so many."""
    fields = Fields(numbered(query, "before", "limit"))
    before = int(fields.number("before", 0, 1, 2**31 - 1, whole=True))
    limit = int(fields.number("limit", PAGE, 1, LONGEST_PAGE, whole=True))
    fields.refuse_unknown()
    fields.finish()
    return before or None, limit


def _agent_json(agent: Agent) -> dict[str, Any]:
    return {"agent_id": str(agent.agent_id), "name": agent.name, "created_at": moment(agent.created_at)}


def _directive_json(agent_id: UUID, directive: Directive) -> dict[str, Any]:
    return {
        "agent_id": str(agent_id),
        "version": directive.version,
        "text": directive.text,
        "injection_mode": directive.injection_mode,
    }
