"""The HTTP side of writing and reading memories, relations, directives and agents."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from remembrancer.domain import memory_request
from remembrancer.domain.fields import Fields
from remembrancer.domain.memory import CATEGORIES, Directive
from remembrancer.domain.scope import Principal
from remembrancer.errors import Conflict, InvalidRequest, NotFound, StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.identity import Agent, Agents, Credentials, Directives, Directory
from remembrancer.ports.memories import Listing, Memories, Relation, StoredMemory
from remembrancer.ports.system import Probe, Readiness
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http import Endpoint, HttpRequest, HttpResponse, error_response
from remembrancer.runtime.telemetry import Measurement, count
from remembrancer.usecases.authorise import authenticate, require_agent
from remembrancer.usecases.remember import Rememberer, Written
from remembrancer.usecases.sealing import MemoryReader

PAGE = 50
LONGEST_PAGE = 200


@dataclass(frozen=True, slots=True)
class MemoriesApi:
    """The endpoints; `probes` are the dependencies that readiness asks."""

    rememberer: Rememberer
    memories: Memories
    reader: MemoryReader
    agents: Agents
    directives: Directives
    directory: Directory
    cache: AgentCache
    credentials: Credentials
    probes: Mapping[str, Probe]
    new_id: Callable[[], UUID]

    def routes(self) -> dict[str, Endpoint]:
        """As template.yaml sends them here."""
        return {
            "POST /v1/memories": self.create,
            "POST /v1/memories/batch": self.create_batch,
            "GET /v1/memories": self.list,
            "GET /v1/memories/{memory_id}": self.get,
            "POST /v1/memories/{memory_id}/relations": self.relate,
            "PUT /v1/agents/{agent_id}/directive": self.put_directive,
            "GET /v1/agents/{agent_id}/directive": self.get_directive,
            "POST /v1/agents": self.create_agent,
            "GET /v1/agents": self.list_agents,
            "GET /v1/ready": self.ready,
        }

    async def create(self, request: HttpRequest, work: Work) -> HttpResponse:
        """202 with the id; of the existing memory when it is a duplicate."""
        principal = await self._principal(request, "write")
        written = await self.rememberer.write_one(request.json(), principal, work)
        return HttpResponse(202, _written_json(written, request.request_id))

    async def create_batch(self, request: HttpRequest, work: Work) -> HttpResponse:
        """207 with one result each, in order."""
        principal = await self._principal(request, "write")
        results = await self.rememberer.write_batch(request.json(), principal, work)
        return HttpResponse(207, {"results": [_written_json(written, request.request_id) for written in results]})

    async def get(self, request: HttpRequest, work: Work) -> HttpResponse:
        """With version chain and relations."""
        principal = await self._principal(request, "query")
        stored = await self.reader.get(principal, request.uuid("memory_id"))
        if stored is None:
            raise NotFound("There is no such memory.", code="memory_not_found")
        return HttpResponse(200, _stored_json(stored) | _links_json(stored), measurements=_redacted([stored]))

    async def list(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Newest first, a page at a time."""
        principal = await self._principal(request, "query")
        listing = _listing(request.query)
        await require_agent(principal, listing.agent_id, self.directory)
        found = await self.reader.list(principal, listing)
        after = _cursor(found[-1]) if len(found) == listing.limit else None
        body = {"memories": [_stored_json(stored) for stored in found], "next_cursor": after}
        return HttpResponse(200, body, measurements=_redacted(found))

    async def relate(self, request: HttpRequest, work: Work) -> HttpResponse:
        """201 for a new relation, 200 for one that exists."""
        principal = await self._principal(request, "write")
        memory_id = request.uuid("memory_id")
        other, kind, confidence = memory_request.parse_relation(request.json())
        if other == memory_id:
            raise InvalidRequest("A memory has no relation to itself.", fields={"to": "is the memory itself"})
        relation = Relation(self.new_id(), memory_id, other, kind, confidence)
        stored = await self.memories.relate(principal, relation)
        if stored is None:
            raise NotFound("There is no such memory.", code="memory_not_found")
        return HttpResponse(201 if stored[1] else 200, _relation_json(stored[0]))

    async def put_directive(self, request: HttpRequest, work: Work) -> HttpResponse:
        """The next version, active at once."""
        principal = await self._principal(request, "write")
        agent_id = request.uuid("agent_id")
        text, mode = memory_request.parse_directive(request.json())
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

    async def create_agent(self, request: HttpRequest, work: Work) -> HttpResponse:
        """201; names are unique within project and environment."""
        principal = await self._principal(request, "write")
        agent = await self.agents.create(principal, self.new_id(), memory_request.parse_agent(request.json()))
        if agent is None:
            raise Conflict("An agent of that name exists.", code="agent_exists", fields={"name": "is taken"})
        return HttpResponse(201, _agent_json(agent))

    async def list_agents(self, request: HttpRequest, work: Work) -> HttpResponse:
        """By name."""
        principal = await self._principal(request, "query")
        return HttpResponse(200, {"agents": [_agent_json(agent) for agent in await self.agents.list(principal)]})

    async def ready(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Whether each dependency answers; 503 while one that is needed does not."""
        checks = {}
        for name, probe in self.probes.items():
            try:
                await probe.ping()
                checks[name] = "ok"
            except StoreError as error:
                checks[name] = error.cause
        readiness = Readiness(checks)
        return HttpResponse(200 if readiness.ready else 503, {"ready": readiness.ready, "checks": checks})

    async def _principal(self, request: HttpRequest, scope: str) -> Principal:
        return await authenticate(request.headers, self.credentials, scope=scope)


def _redacted(stored: Sequence[StoredMemory]) -> tuple[Measurement, ...]:
    number = sum(one.memory.is_redacted for one in stored)
    return (count("Redacted", number),) if number else ()


def _listing(query: Mapping[str, str]) -> Listing:
    values: dict[str, Any] = dict(query)
    if values.get("limit", "").isascii() and values.get("limit", "").isdigit():
        values["limit"] = int(values["limit"])
    fields = Fields(values)
    agent_id = fields.uuid("agent_id", required=True)
    listing = Listing(
        agent_id=agent_id or UUID(int=0),
        user_id=fields.string("user_id", longest=256),
        category=fields.choice("category", CATEGORIES),
        tag=fields.string("tag", longest=64),
        since=fields.timestamp("since"),
        embedding_state=fields.choice("embedding_state", ("pending", "ready", "failed")),
        limit=int(fields.number("limit", PAGE, 1, LONGEST_PAGE, whole=True)),
        after=_position(fields),
    )
    fields.refuse_unknown()
    fields.finish()
    return listing


def _cursor(stored: StoredMemory) -> str:
    position = f"{stored.memory.created_at.isoformat()}|{stored.memory.id}"
    return base64.urlsafe_b64encode(position.encode()).decode()


def _position(fields: Fields) -> tuple[datetime, UUID] | None:
    text = fields.string("cursor", longest=256)
    if text is None:
        return None
    try:
        moment, _, identifier = base64.urlsafe_b64decode(text.encode()).decode().partition("|")
        return datetime.fromisoformat(moment).astimezone(UTC), UUID(identifier)
    except (ValueError, binascii.Error, OverflowError):
        fields.fail("cursor", "is not a cursor of this listing")
        return None


def _written_json(written: Written, request_id: str) -> dict[str, Any]:
    if written.error is not None:
        refused = error_response(written.error, request_id)
        return {"status": "error", "client_ref": written.client_ref, "error": refused.error}
    return {"id": str(written.memory_id), "status": written.status, "client_ref": written.client_ref}


def _stored_json(stored: StoredMemory) -> dict[str, Any]:
    memory = stored.memory
    return {
        "id": str(memory.id),
        "agent_id": str(memory.agent_id),
        "user_id": memory.user_id,
        "session_id": memory.session_id,
        "content": memory.content,
        "summary": memory.summary,
        "context": stored.context,
        "category": memory.category,
        "source": memory.source,
        "confidence": round(memory.confidence, 6),
        "importance": round(memory.importance, 6),
        "quality": round(memory.quality, 6),
        "tags": list(memory.tags),
        "metadata": stored.metadata,
        "status": memory.status,
        "tier": memory.tier,
        "version": stored.version,
        "embedding_state": stored.embedding_state,
        "embedding_error": stored.embedding_error,
        "client_ref": stored.client_ref,
        "supersedes": _text(memory.supersedes),
        "superseded_by": _text(stored.superseded_by),
        "usage_count": memory.usage_count,
        "retrieval_count": memory.retrieval_count,
        "positive_count": memory.positive_count,
        "negative_count": memory.negative_count,
        "last_accessed_at": _moment(memory.last_accessed_at),
        "valid_from": _moment(stored.valid_from),
        "expires_at": _moment(memory.expires_at),
        "created_at": _moment(memory.created_at),
        "updated_at": _moment(stored.updated_at),
    }


def _links_json(stored: StoredMemory) -> dict[str, Any]:
    return {
        "version_chain": [str(identifier) for identifier in stored.chain],
        "relations": [_relation_json(relation) for relation in stored.relations],
    }


def _relation_json(relation: Relation) -> dict[str, Any]:
    return {
        "relation_id": str(relation.relation_id),
        "from": str(relation.from_memory_id),
        "to": str(relation.to_memory_id),
        "type": relation.type,
        "confidence": round(relation.confidence, 6),
    }


def _agent_json(agent: Agent) -> dict[str, Any]:
    return {"agent_id": str(agent.agent_id), "name": agent.name, "created_at": _moment(agent.created_at)}


def _directive_json(agent_id: UUID, directive: Directive) -> dict[str, Any]:
    return {
        "agent_id": str(agent_id),
        "version": directive.version,
        "text": directive.text,
        "injection_mode": directive.injection_mode,
    }


def _text(identifier: UUID | None) -> str | None:
    return None if identifier is None else str(identifier)


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
