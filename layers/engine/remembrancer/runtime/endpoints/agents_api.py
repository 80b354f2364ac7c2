"""HTTP endpoints of agents and their directives."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Directive
from remembrancer.domain.memories.write_request import (
    AGENT_SWITCHES,
    END_USER_SETTINGS,
    NEW_AGENT,
    NEW_DIRECTIVE,
    parse_end_user_settings,
    parse_switches,
)
from remembrancer.domain.requests.field_types import whole
from remembrancer.domain.requests.fields import Fields
from remembrancer.errors import Conflict, Forbidden, InvalidRequest, NotFound, StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.identity import Agents, ChangedAgents, Directory
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, read_query
from remembrancer.runtime.http.pages import Pages, fitting, paged, whose
from remembrancer.usecases.identity.authorise import require_agent, require_unrestricted

AGENTS = Fields(**paged(500, usual=100))
END_USER = Fields(user_id=whose())
END_USERS = Fields(user_id=whose(), **paged(500, usual=100))
VERSIONS = Fields(before=whole(1, 2**31 - 1), limit=whole(1, 100, default=20))


@dataclass(frozen=True, slots=True)
class AgentsApi:
    """HTTP endpoints of agents, their end users and their directives.

    `wait_until_current` waits until no assembly uses what Postgres answered before.
    """

    agents: Agents
    directory: Directory
    changed: ChangedAgents
    cache: AgentCache
    new_id: Callable[[], UUID]
    wait_until_current: Callable[[], Awaitable[None]]

    async def create(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Creates an agent: 201; names are unique within project and environment."""
        require_unrestricted(principal, "make agents")
        new, once = NEW_AGENT.parse(request.json()), request.once(principal)
        agent = await self.agents.create(principal, self.new_id(), **new, once=once)
        if agent is None:
            raise Conflict("An agent with this name exists.", code="agent_exists", fields={"name": "is taken"})
        await self._correct(agent, principal, work)
        return HttpResponse(201, _agent_json(agent))

    async def put(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Creates or returns the agent of that name: 201 for a new agent, 200 for an existing one."""
        require_unrestricted(principal, "make agents")
        name = NEW_AGENT.parse({"name": request.path_parameters["agent_id"]})["name"]
        if (agent := await self.agents.agent_named(principal, name)) is not None:
            return HttpResponse(200, _agent_json(agent))
        if (agent := await self.agents.create(principal, self.new_id(), name)) is not None:
            await self._correct(agent, principal, work)
            return HttpResponse(201, _agent_json(agent))
        # Another request has created it since the lookup.
        return HttpResponse(200, _agent_json(await require_agent(principal, name, self.directory)))

    async def switch(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Switches memories or capture on or off, or sets time zone or placement. The store's answer is what assembly
        goes by, the caches' without; for time zone and placement the caches'.
        """
        require_unrestricted(principal, "change agents")
        reference = request.agent("agent_id")
        switches = parse_switches(request.json())
        agent_id = (await require_agent(principal, reference, self.directory)).agent_id
        agent = await self.agents.switch(principal, agent_id, **switches)
        if agent is None:
            # It was erased meanwhile.
            raise NotFound("There is no such agent.", code="agent_not_found")
        await self._correct(agent, principal, work)
        await self.wait_until_current()
        return HttpResponse(200, _agent_json(agent))

    async def _correct(self, agent: Agent, principal: Principal, work: Work) -> None:
        """In the caches, which may still have an erased agent under the name of a new one."""
        try:
            await self.changed.correct(agent, principal)
        except StoreError:
            work.add("correct_agent", lambda: self.changed.correct(agent, principal))

    async def list(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Lists agents by name, one page at a time."""
        limit = read_query(request, AGENTS)["limit"]
        pages = await Pages.of(self.directory, principal, "agents", request.query)
        found = await self.agents.list(principal, after=pages.position(request.query), limit=limit)
        agents, after = pages.page(found, limit, shown=_agent_json, position=lambda agent: agent.name)
        return HttpResponse(200, {"agents": agents, "next_cursor": after})

    async def list_end_users(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Lists end users who have memories and whom the request may see, by name, one page at a time."""
        reference = request.agent("agent_id")
        limit = read_query(request, END_USERS)["limit"]
        agent_id = (await require_agent(principal, reference, self.directory)).agent_id
        pages = await Pages.of(self.directory, principal, f"end users of {agent_id}", request.query)
        found = await self.agents.end_users(principal, agent_id, after=pages.position(request.query), limit=limit)
        end_users, after = pages.page(found, limit, shown=lambda name: {"user_id": name}, position=str)
        return HttpResponse(200, {"end_users": end_users, "next_cursor": after})

    async def get_end_user(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Returns what the request's end user has set."""
        read_query(request, END_USER)
        end_user = _one_end_user(principal)
        found = await self.agents.time_zone(principal.org_id, principal.project_id, principal.environment, end_user)
        return HttpResponse(200, {"user_id": end_user, "time_zone": found})

    async def set_end_user(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Sets the time zone of the request's end user; a credential for certain end users sets only theirs."""
        named, time_zone = parse_end_user_settings(request.json())
        end_user = _one_end_user(principal, named)
        await self.agents.set_time_zone(principal, end_user, time_zone)
        try:
            await self.changed.correct_time_zone(principal, end_user, time_zone)
        except StoreError:
            work.add("correct_time_zone", lambda: self.changed.correct_time_zone(principal, end_user, time_zone))
        return HttpResponse(200, {"user_id": end_user, "time_zone": time_zone})

    async def put_directive(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Stores the next version; it is active at once for every end user of the agent."""
        require_unrestricted(principal, "set directives")
        reference = request.agent("agent_id")
        new = NEW_DIRECTIVE.parse(request.json())
        agent_id = (await require_agent(principal, reference, self.directory)).agent_id
        directive = await self.agents.put_directive(
            principal.org_id, agent_id, new["text"], new["injection_mode"], actor=principal.actor
        )
        try:
            await self.cache.put_directive(principal.org_id, agent_id, directive)
        except StoreError:
            # Retried once after the response; an older version in the cache expires with its lifetime.
            work.add("cache_directive", lambda: self.cache.put_directive(principal.org_id, agent_id, directive))
        return HttpResponse(200, _directive_json(agent_id, directive))

    async def get_directive(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Returns the active version of the directive."""
        reference = request.agent("agent_id")
        agent_id = (await require_agent(principal, reference, self.directory)).agent_id
        directive = await self.agents.directive(principal.org_id, agent_id)
        if directive is None:
            raise NotFound("This agent has no directive.", code="directive_not_found")
        return HttpResponse(200, _directive_json(agent_id, directive))

    async def list_directives(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Lists every version, newest first, one page at a time."""
        reference = request.agent("agent_id")
        page = read_query(request, VERSIONS)
        agent_id = (await require_agent(principal, reference, self.directory)).agent_id
        found = await self.agents.directive_versions(
            principal.org_id, agent_id, before=page["before"], limit=page["limit"]
        )
        versions = fitting(
            _directive_json(agent_id, one.directive) | {"active": one.active, "created_at": moment(one.created_at)}
            for one in found
        )
        oldest = versions[-1]["version"] if versions else 1
        return HttpResponse(200, {"versions": versions, "next_before": oldest if oldest > 1 else None})


def _one_end_user(principal: Principal, named: str | None = None) -> str:
    """The end user of the body, else the one that the request acts for."""
    if named is not None and principal.user_id not in {None, named}:
        message = "Only the end user that the request acts for can be changed."
        raise Forbidden(message, code="end_user_not_allowed")
    if (end_user := named or principal.user_id) is None:
        raise InvalidRequest("Name the end user.", code="missing_end_user", fields={"user_id": "is required"})
    return end_user


def _agent_json(agent: Agent) -> dict[str, Any]:
    return {
        "agent_id": str(agent.agent_id),
        "name": agent.name,
        "enabled": agent.enabled,
        "capture": agent.capture,
        "time_zone": agent.time_zone,
        "placement": agent.placement,
        "created_at": moment(agent.created_at),
    }


def _directive_json(agent_id: UUID, directive: Directive) -> dict[str, Any]:
    return {
        "agent_id": str(agent_id),
        "version": directive.version,
        "text": directive.text,
        "injection_mode": directive.injection_mode,
    }


OPERATIONS = (
    Operation(
        "PUT /v1/agents/{agent_id}/directive",
        "putDirective",
        "A new version of the directive",
        AgentsApi.put_directive,
        {200: ("The version, active now.", "Directive")},
        scope="write",
        body=NEW_DIRECTIVE,
        refusals=(404,),
    ),
    Operation(
        "GET /v1/agents/{agent_id}/directive",
        "getDirective",
        "The active version",
        AgentsApi.get_directive,
        {200: ("The version.", "Directive")},
        scope="query",
        refusals=(404,),
    ),
    Operation(
        "GET /v1/agents/{agent_id}/directive/versions",
        "listDirectives",
        "All versions, newest first",
        AgentsApi.list_directives,
        {200: ("A page.", "DirectiveVersions")},
        scope="query",
        query=VERSIONS,
        refusals=(404,),
    ),
    Operation(
        "POST /v1/agents",
        "createAgent",
        "A new agent",
        AgentsApi.create,
        {201: ("The agent.", "Agent")},
        scope="write",
        body=NEW_AGENT,
        refusals=(409,),
    ),
    Operation(
        "PUT /v1/agents/{agent_id}",
        "putAgent",
        "The agent of a name, made if there is none",
        AgentsApi.put,
        {201: ("The new agent.", "Agent"), 200: ("The agent that is there.", "Agent")},
        scope="write",
    ),
    Operation(
        "PATCH /v1/agents/{agent_id}",
        "switchAgent",
        "Memories or capture of an agent on or off; its time zone and placement",
        AgentsApi.switch,
        {200: ("The agent.", "Agent")},
        scope="write",
        body=AGENT_SWITCHES,
        refusals=(404,),
    ),
    Operation(
        "GET /v1/agents",
        "listAgents",
        "The agents",
        AgentsApi.list,
        {200: ("A page, by name.", "Agents")},
        scope="query",
        query=AGENTS,
    ),
    Operation(
        "GET /v1/agents/{agent_id}/end-users",
        "listEndUsers",
        "The end users whose memories an agent has",
        AgentsApi.list_end_users,
        {200: ("A page, by name.", "EndUsers")},
        scope="query",
        query=END_USERS,
        refusals=(404,),
    ),
    Operation(
        "GET /v1/end-user",
        "getEndUser",
        "What an end user has set",
        AgentsApi.get_end_user,
        {200: ("The end user.", "EndUser")},
        scope="query",
        query=END_USER,
    ),
    Operation(
        "PATCH /v1/end-user",
        "setEndUser",
        "The time zone of an end user",
        AgentsApi.set_end_user,
        {200: ("The end user.", "EndUser")},
        scope="write",
        body=END_USER_SETTINGS,
    ),
)
