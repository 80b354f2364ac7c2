"""HTTP endpoints to write, read and change memories."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.edit_request import MEMORY_CHANGE
from remembrancer.domain.memories.memory import CATEGORIES, STATUSES
from remembrancer.domain.memories.stored_memory import Relation, StoredMemory
from remembrancer.domain.memories.unsupersede_request import UNSUPERSEDE
from remembrancer.domain.memories.write_request import FEEDBACK, NEW_MEMORIES, NEW_MEMORY, NEW_RELATION
from remembrancer.domain.requests.field_types import agent, boolean, choice, entries, text, timestamp, whole
from remembrancer.domain.requests.fields import Fields, OpenFields
from remembrancer.errors import InvalidRequest, NotFound
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import Listing
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment, relation_json, stored_json, whole_json, written_json
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, given_query, read_query
from remembrancer.runtime.http.pages import Pages, paged, position_of, read_position, whose
from remembrancer.runtime.telemetry import Measurement, count
from remembrancer.usecases.identity.authorise import require_agent
from remembrancer.usecases.memories.remember import Rememberer
from remembrancer.usecases.memories.revise import RESTORABLE, Reviser
from remembrancer.usecases.memories.sealed_memories import MemoryReader

PAGE = 50
LONGEST_PAGE = 200
BEFORE = OpenFields(before=whole(1, 2**31 - 1))
LISTING = Fields(
    agent_id=agent(),
    user_id=whose(),
    category=choice(CATEGORIES),
    tag=text(64),
    since=timestamp(),
    status=choice([status for status in STATUSES if status != "deleted"]),
    embedding_state=choice(("pending", "ready", "failed")),
    client_ref=text().described(description="Needs `agent_id`."),
    pinned=boolean(),
    pin_proposed=boolean().described(description="Capture proposes them as pinned, and nobody has decided."),
    forget_proposed=boolean().described(description="Their end user wished them forgotten, and nobody has decided."),
    metadata=entries().described(description="As a JSON object in text; needs `agent_id`."),
    **paged(LONGEST_PAGE, usual=PAGE),
)


@dataclass(frozen=True, slots=True)
class MemoriesApi:
    """HTTP endpoints that write, read, change and delete memories."""

    rememberer: Rememberer
    reviser: Reviser
    reader: MemoryReader
    directory: Directory
    new_id: Callable[[], UUID]

    async def create(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Creates a memory: 202 with its id, or with the id of the existing memory for a duplicate."""
        written = await self.rememberer.write_one(request.json(), principal, work, once=request.once(principal))
        return HttpResponse(202, written_json(written, request.request_id))

    async def create_batch(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Creates several memories: 207 with one result each, in order."""
        results = await self.rememberer.write_batch(request.json(), principal, work, once=request.once(principal))
        return HttpResponse(207, {"results": [written_json(written, request.request_id) for written in results]})

    async def get(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Returns a memory with earlier texts, version chain and relations."""
        before = read_query(request, BEFORE)["before"]
        stored = await self.reader.get(principal, request.uuid("memory_id"), before=before)
        if stored is None:
            raise NotFound("There is no such memory.", code="memory_not_found")
        return _one(stored)

    async def list(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Lists memories, newest first, one page at a time."""
        given = given_query(request, LISTING)
        for name in ("client_ref", "metadata"):
            if given[name] and given["agent_id"] is None:
                given.fail(name, "needs agent_id")
        asked = given.finish()
        # The authenticated end user of the request.
        del asked["user_id"], asked["cursor"]
        if asked["agent_id"] is not None:
            asked["agent_id"] = (await require_agent(principal, asked["agent_id"], self.directory)).agent_id
        pages = await Pages.of(self.directory, principal, "memories", request.query)
        listing = Listing(**asked, after=read_position(pages.position(request.query)))
        found = await self.reader.list(principal, listing)
        memories, after = pages.page(found, listing.limit, shown=stored_json, position=_place)
        body = {"memories": memories, "next_cursor": after}
        return HttpResponse(200, body, measurements=_unreadable(found[: len(memories)]))

    async def revise(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Changes a memory and returns it; a new text makes a new version."""
        memory_id, version = request.uuid("memory_id"), _expected_version(request.headers)
        stored = await self.reviser.revise(memory_id, request.json(), principal, version=version, afterwards=work)
        return _one(stored)

    async def forget(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Deletes a memory: 200 with the time until which it can be restored, also when it was deleted before."""
        stored = await self.reviser.forget(request.uuid("memory_id"), principal, work)
        assert stored.deleted_at
        until = moment(stored.deleted_at + RESTORABLE)
        return HttpResponse(200, {"id": str(stored.memory.id), "status": "deleted", "restorable_until": until})

    async def restore(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Restores a deleted memory and returns it; its vector follows."""
        memory_id, once = request.uuid("memory_id"), request.once(principal)
        return _one(await self.reviser.restore(memory_id, principal, work, once=once))

    async def unsupersede(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Makes a superseded memory active again and returns it; its vector follows."""
        memory_id, version, once = (
            request.uuid("memory_id"),
            _expected_version(request.headers),
            request.once(principal),
        )
        stored = await self.reviser.unsupersede(memory_id, request.json(), principal, work, version=version, once=once)
        return _one(stored)

    async def rate(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Records feedback and returns the memory's counts."""
        positive = FEEDBACK.parse(request.json())["feedback"] == "positive"
        memory_id, once = request.uuid("memory_id"), request.once(principal)
        rated = await self.reviser.rate(memory_id, positive, principal, work, once=once)
        counts = {"positive_count": rated.positive_count, "negative_count": rated.negative_count}
        return HttpResponse(200, {"id": str(memory_id), **counts})

    async def relate(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Adds a relation: 201 for a new one, 200 for an existing one."""
        memory_id = request.uuid("memory_id")
        asked = NEW_RELATION.parse(request.json())
        if asked["to"] == memory_id:
            raise InvalidRequest("A memory cannot be related to itself.", fields={"to": "is the memory itself"})
        relation = Relation(self.new_id(), memory_id, asked["to"], asked["type"], asked["confidence"])
        stored, new = await self.reviser.relate(principal, relation, work, once=request.once(principal))
        return HttpResponse(201 if new else 200, relation_json(stored))

    async def unrelate(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Deletes a relation and returns it."""
        memory_id, relation_id = request.uuid("memory_id"), request.uuid("relation_id")
        undone = await self.reviser.unrelate(principal, memory_id, relation_id, work)
        return HttpResponse(200, relation_json(undone) | {"status": "deleted"})


def _one(stored: StoredMemory) -> HttpResponse:
    tag = {"etag": f'"{stored.version}"'}
    return HttpResponse(200, whole_json(stored), tag, measurements=_unreadable([stored]))


def _unreadable(stored: Sequence[StoredMemory]) -> tuple[Measurement, ...]:
    number = sum(one.memory.is_unreadable for one in stored)
    return (count("Unreadable", number),) if number else ()


def _place(stored: StoredMemory) -> str:
    return position_of(stored.memory.created_at, stored.memory.id)


def _expected_version(headers: Mapping[str, str]) -> int | None:
    """The version in `If-Match`, as `"3"`; None without the header or for `*`."""
    text = headers.get("if-match", "*").strip()
    if text == "*":
        return None
    match = _ENTITY_TAG.fullmatch(text)
    if match is None:
        raise InvalidRequest(
            'The header If-Match must be one version in quotation marks, for example "3", or *.',
            fields={"If-Match": 'must be a version, for example "3", or *'},
        )
    return int(match[1])


_ENTITY_TAG = re.compile(r'"([0-9]{1,9})"')
_IF_MATCH = {"name": "If-Match", "in": "header", "schema": {"type": "string", "examples": ['"2"', "*"]}}

OPERATIONS = (
    Operation(
        "POST /v1/memories",
        "createMemory",
        "Write one memory",
        MemoriesApi.create,
        {202: ("Written, or there already.", "Written")},
        scope="write",
        body=NEW_MEMORY,
        refusals=(404, 409),
    ),
    Operation(
        "POST /v1/memories/batch",
        "createMemories",
        "Write up to 100",
        MemoriesApi.create_batch,
        {207: ("One result each, in order.", "WrittenMemories")},
        scope="write",
        body=NEW_MEMORIES,
        refusals=(404,),
    ),
    Operation(
        "GET /v1/memories/{memory_id}",
        "getMemory",
        "One memory with its versions and relations",
        MemoriesApi.get,
        {200: ("The memory.", "WholeMemory")},
        scope="query",
        query=BEFORE,
        refusals=(404,),
    ),
    Operation(
        "GET /v1/memories",
        "listMemories",
        "The memories, newest first",
        MemoriesApi.list,
        {200: ("A page.", "Memories")},
        scope="query",
        query=LISTING,
        refusals=(404,),
    ),
    Operation(
        "PATCH /v1/memories/{memory_id}",
        "changeMemory",
        "Change one; a new text is a new version",
        MemoriesApi.revise,
        {200: ("The memory as it is now.", "WholeMemory")},
        scope="write",
        body=MEMORY_CHANGE,
        headers=(_IF_MATCH,),
        refusals=(404, 409, 412),
    ),
    Operation(
        "DELETE /v1/memories/{memory_id}",
        "deleteMemory",
        "Forget one, at once in every search",
        MemoriesApi.forget,
        {200: ("It can be restored until then.", "DeletedMemory")},
        scope="write",
        refusals=(404,),
    ),
    Operation(
        "POST /v1/memories/{memory_id}/restore",
        "restoreMemory",
        "Undo that, for 7 days",
        MemoriesApi.restore,
        {200: ("The memory.", "WholeMemory")},
        scope="write",
        refusals=(404, 409),
    ),
    Operation(
        "POST /v1/memories/{memory_id}/unsupersede",
        "unsupersedeMemory",
        "Make a superseded memory active again",
        MemoriesApi.unsupersede,
        {200: ("The memory.", "WholeMemory")},
        scope="write",
        body=UNSUPERSEDE,
        headers=(_IF_MATCH,),
        refusals=(404, 409, 412),
    ),
    Operation(
        "POST /v1/memories/{memory_id}/feedback",
        "rateMemory",
        "It was useful, or not",
        MemoriesApi.rate,
        {200: ("How often either was said.", "FeedbackCounts")},
        scope="write",
        body=FEEDBACK,
        refusals=(404, 409),
    ),
    Operation(
        "POST /v1/memories/{memory_id}/relations",
        "createRelation",
        "Relate two memories",
        MemoriesApi.relate,
        {201: ("The new relation.", "Relation"), 200: ("The relation that is there.", "Relation")},
        scope="write",
        body=NEW_RELATION,
        refusals=(404,),
    ),
    Operation(
        "DELETE /v1/memories/{memory_id}/relations/{relation_id}",
        "deleteRelation",
        "Undo that",
        MemoriesApi.unrelate,
        {200: ("What was undone.", "Relation")},
        scope="write",
        refusals=(404,),
    ),
)
