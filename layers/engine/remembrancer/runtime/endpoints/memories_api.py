"""The HTTP side of writing, reading and changing memories."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remembrancer.domain.identity.scope import LONGEST_END_USER, Principal
from remembrancer.domain.memories import write_request
from remembrancer.domain.memories.memory import CATEGORIES, STATUSES
from remembrancer.domain.memories.stored_memory import Relation, StoredMemory
from remembrancer.domain.requests.fields import Fields
from remembrancer.errors import InvalidRequest, NotFound
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import Listing
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.agents_api import AgentsApi
from remembrancer.runtime.endpoints.memory_json import moment, relation_json, stored_json, whole_json, written_json
from remembrancer.runtime.endpoints.readiness_api import ReadinessApi
from remembrancer.runtime.endpoints.records_api import RecordsApi
from remembrancer.runtime.http.messages import Endpoint, HttpRequest, HttpResponse
from remembrancer.runtime.http.pages import LONGEST_CURSOR, Pages, position_of, read_position
from remembrancer.runtime.http.parameters import end_user, expected_version, numbered
from remembrancer.runtime.telemetry import Measurement, count
from remembrancer.usecases.identity.authorise import Authenticator, require_agent
from remembrancer.usecases.memories.remember import Rememberer
from remembrancer.usecases.memories.revise import RESTORABLE, Reviser
from remembrancer.usecases.memories.sealed_memories import MemoryReader

PAGE = 50
LONGEST_PAGE = 200


@dataclass(frozen=True, slots=True)
class MemoriesApi:
    """The endpoints."""

    rememberer: Rememberer
    reviser: Reviser
    reader: MemoryReader
    agents: AgentsApi
    records: RecordsApi
    directory: Directory
    authenticator: Authenticator
    readiness: ReadinessApi
    new_id: Callable[[], UUID]

    def routes(self) -> dict[str, Endpoint]:
        """As template.yaml sends them here."""
        return {
            "POST /v1/memories": self.create,
            "POST /v1/memories/batch": self.create_batch,
            "GET /v1/memories": self.list,
            "GET /v1/memories/{memory_id}": self.get,
            "PATCH /v1/memories/{memory_id}": self.revise,
            "DELETE /v1/memories/{memory_id}": self.forget,
            "POST /v1/memories/{memory_id}/restore": self.restore,
            "POST /v1/memories/{memory_id}/feedback": self.rate,
            "POST /v1/memories/{memory_id}/relations": self.relate,
            "DELETE /v1/memories/{memory_id}/relations/{relation_id}": self.unrelate,
            "GET /v1/ready": self.readiness.ready,
            **self.agents.routes(),
            **self.records.routes(),
        }

    async def create(self, request: HttpRequest, work: Work) -> HttpResponse:
        """202 with the id; of the existing memory when it is a duplicate."""
        principal = await self._principal(request, "write")
        written = await self.rememberer.write_one(request.json(), principal, work, once=request.once(principal))
        return HttpResponse(202, written_json(written, request.request_id))

    async def create_batch(self, request: HttpRequest, work: Work) -> HttpResponse:
        """207 with one result each, in order."""
        principal = await self._principal(request, "write")
        results = await self.rememberer.write_batch(request.json(), principal, work, once=request.once(principal))
        return HttpResponse(207, {"results": [written_json(written, request.request_id) for written in results]})

    async def get(self, request: HttpRequest, work: Work) -> HttpResponse:
        """With earlier texts, version chain and relations."""
        principal = await self._principal(request, "query")
        stored = await self.reader.get(principal, request.uuid("memory_id"), before=_before(request.query))
        if stored is None:
            raise NotFound("There is no such memory.", code="memory_not_found")
        return _one(stored)

    async def list(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Newest first, a page at a time."""
        principal = await self._principal(request, "query", end_user(request.query))
        listing = _listing(request.query)
        if listing.agent_id is not None:
            await require_agent(principal, listing.agent_id, self.directory)
        pages = await Pages.of(self.directory, principal, "memories", request.query)
        found = await self.reader.list(principal, replace(listing, after=read_position(pages.position(request.query))))
        memories, after = pages.page(found, listing.limit, shown=stored_json, position=_place)
        body = {"memories": memories, "next_cursor": after}
        return HttpResponse(200, body, measurements=_unreadable(found[: len(memories)]))

    async def revise(self, request: HttpRequest, work: Work) -> HttpResponse:
        """The memory afterwards; a new text has a new version."""
        principal = await self._principal(request, "write")
        memory_id, version = request.uuid("memory_id"), expected_version(request.headers)
        stored = await self.reviser.revise(memory_id, request.json(), principal, version=version, afterwards=work)
        return _one(stored)

    async def forget(self, request: HttpRequest, work: Work) -> HttpResponse:
        """200 with the moment until which it can be restored, also when it was deleted before."""
        principal = await self._principal(request, "write")
        stored = await self.reviser.forget(request.uuid("memory_id"), principal, work)
        assert stored.deleted_at
        until = moment(stored.deleted_at + RESTORABLE)
        return HttpResponse(200, {"id": str(stored.memory.id), "status": "deleted", "restorable_until": until})

    async def restore(self, request: HttpRequest, work: Work) -> HttpResponse:
        """The memory as it was, waiting for its vector."""
        principal = await self._principal(request, "write")
        memory_id, once = request.uuid("memory_id"), request.once(principal)
        return _one(await self.reviser.restore(memory_id, principal, work, once=once))

    async def rate(self, request: HttpRequest, work: Work) -> HttpResponse:
        """The memory's counts."""
        principal = await self._principal(request, "write")
        positive = write_request.parse_feedback(request.json())
        memory_id, once = request.uuid("memory_id"), request.once(principal)
        rated = await self.reviser.rate(memory_id, positive, principal, work, once=once)
        counts = {"positive_count": rated.positive_count, "negative_count": rated.negative_count}
        return HttpResponse(200, {"id": str(memory_id), **counts})

    async def relate(self, request: HttpRequest, work: Work) -> HttpResponse:
        """201 for a new relation, 200 for one that exists."""
        principal = await self._principal(request, "write")
        memory_id = request.uuid("memory_id")
        other, kind, confidence = write_request.parse_relation(request.json())
        if other == memory_id:
            raise InvalidRequest("A memory has no relation to itself.", fields={"to": "is the memory itself"})
        relation = Relation(self.new_id(), memory_id, other, kind, confidence)
        stored, new = await self.reviser.relate(principal, relation, work, once=request.once(principal))
        return HttpResponse(201 if new else 200, relation_json(stored))

    async def unrelate(self, request: HttpRequest, work: Work) -> HttpResponse:
        """What was undone."""
        principal = await self._principal(request, "write")
        memory_id, relation_id = request.uuid("memory_id"), request.uuid("relation_id")
        undone = await self.reviser.unrelate(principal, memory_id, relation_id, work)
        return HttpResponse(200, relation_json(undone) | {"status": "deleted"})

    async def _principal(self, request: HttpRequest, scope: str, named: str | None = None) -> Principal:
        return await self.authenticator.authenticate(request, scope=scope, end_user=named)


def _one(stored: StoredMemory) -> HttpResponse:
    tag = {"etag": f'"{stored.version}"'}
    return HttpResponse(200, whole_json(stored), tag, measurements=_unreadable([stored]))


def _unreadable(stored: Sequence[StoredMemory]) -> tuple[Measurement, ...]:
    number = sum(one.memory.is_unreadable for one in stored)
    return (count("Unreadable", number),) if number else ()


def _listing(query: Mapping[str, str]) -> Listing:
    fields = Fields(numbered(query, "limit"))
    listing = Listing(
        agent_id=fields.uuid("agent_id"),
        category=fields.choice("category", CATEGORIES),
        tag=fields.string("tag", longest=64),
        since=fields.timestamp("since"),
        status=fields.choice("status", [status for status in STATUSES if status != "deleted"]),
        embedding_state=fields.choice("embedding_state", ("pending", "ready", "failed")),
        limit=int(fields.number("limit", PAGE, 1, LONGEST_PAGE, whole=True)),
    )
    # The end user that the request acts for, as authenticated.
    fields.string("user_id", longest=LONGEST_END_USER)
    fields.string("cursor", longest=LONGEST_CURSOR)
    fields.refuse_unknown()
    fields.finish()
    return listing


def _before(query: Mapping[str, str]) -> int | None:
    """The version whose earlier texts are asked for."""
    fields = Fields(numbered(query, "before"))
    before = int(fields.number("before", 0, 1, 2**31 - 1, whole=True))
    fields.finish()
    return before or None


def _place(stored: StoredMemory) -> str:
    return position_of(stored.memory.created_at, stored.memory.id)
