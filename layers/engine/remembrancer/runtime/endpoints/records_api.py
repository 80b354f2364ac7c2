"""HTTP endpoints of erasure and export, which data protection law requires."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remembrancer.domain.erasure import erasure_request
from remembrancer.domain.erasure.erasure import Erasure
from remembrancer.domain.identity.scope import EndUser, Principal
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.requests.field_types import agent
from remembrancer.domain.requests.fields import Fields
from remembrancer.errors import NotFound
from remembrancer.ports.erasure import Erasures
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import Export, Memories
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment, whole_json
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, read_query
from remembrancer.runtime.http.pages import PAGE_BYTES, Pages, paged, position_of, read_position, sent_bytes, whose
from remembrancer.usecases.erasure.erase import Eraser
from remembrancer.usecases.identity.authorise import require_agent
from remembrancer.usecases.memories.sealed_memories import MemoryReader

ERASE_SECONDS = 8.0
"""Seconds for which a request continues to erase; the scheduled run does the rest."""
PAGE = 100
LONGEST_PAGE = 500
EXPORT = Fields(agent_id=agent(), user_id=whose(), **paged(LONGEST_PAGE, usual=PAGE))


@dataclass(frozen=True, slots=True)
class RecordsApi:
    """HTTP endpoints of erasures and of the export."""

    eraser: Eraser
    erasures: Erasures
    memories: Memories
    reader: MemoryReader
    directory: Directory

    async def erase(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Starts an erasure: 202 with its id; most erasures are finished by then."""
        asked = erasure_request.parse(request.json())
        seconds = min(ERASE_SECONDS, request.remaining_ms / 2000)
        erasure = await self.eraser.request(asked, principal, seconds=seconds, once=request.once(principal))
        return HttpResponse(202, {"erasure_id": str(erasure.erasure_id), "status": "accepted"})

    async def find_erasure(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """The progress of an erasure; after the erasure of the organization no key is left that could ask."""
        erasure = await self.erasures.find(principal, request.uuid("erasure_id"))
        if erasure is None:
            raise NotFound("There is no such erasure.", code="erasure_not_found")
        return HttpResponse(200, _erasure_json(erasure))

    async def export(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Exports as JSON Lines, one page at a time; the header `X-Next-Cursor` has the cursor of the next page."""
        asked = read_query(request, EXPORT)
        if asked["agent_id"] is not None:
            asked["agent_id"] = (await require_agent(principal, asked["agent_id"], self.directory)).agent_id
        pages = await Pages.of(self.directory, principal, "export", request.query)
        export = Export(
            agent_id=asked["agent_id"],
            user_id=EndUser.of(asked["user_id"]).name,
            limit=asked["limit"],
            after=read_position(pages.position(request.query)),
        )
        found = await self.memories.export(principal, export)
        lines, last = await self._lines(principal.org_id, found)
        headers = {"content-type": "application/x-ndjson"}
        if last is not None and (len(lines) < len(found) or len(found) == export.limit):
            headers["x-next-cursor"] = pages.cursor(position_of(last.memory.created_at, last.memory.id))
        return HttpResponse(200, "".join(lines), headers)

    async def _lines(self, org_id: UUID, found: Sequence[StoredMemory]) -> tuple[list[str], StoredMemory | None]:
        """As many lines as fit into an answer, at least one, and the last entry among them."""
        lines: list[str] = []
        last = None
        size = 0
        for stored in found:
            shown = whole_json(await self.reader.opened_whole(org_id, stored))
            del shown["version_chain"]
            line = json.dumps(shown, ensure_ascii=False, separators=(",", ":")) + "\n"
            size += sent_bytes(line)
            if lines and size > PAGE_BYTES:
                break
            lines.append(line)
            last = stored
        return lines, last


def _erasure_json(erasure: Erasure) -> dict[str, Any]:
    return {
        "erasure_id": str(erasure.erasure_id),
        "kind": erasure.kind,
        "status": erasure.state,
        "counts": dict(erasure.counts),
        "requested_at": moment(erasure.requested_at),
        "finished_at": moment(erasure.finished_at),
    }


OPERATIONS = (
    Operation(
        "POST /v1/erasures",
        "createErasure",
        "Erase an end user, an agent or the organization",
        RecordsApi.erase,
        {202: ("It goes on by itself until all is gone.", "AcceptedErasure")},
        scope="admin",
        body=erasure_request.NEW_ERASURE,
        refusals=(404,),
    ),
    Operation(
        "GET /v1/erasures/{erasure_id}",
        "getErasure",
        "How far an erasure is",
        RecordsApi.find_erasure,
        {200: ("The record of it.", "Erasure")},
        scope="admin",
        refusals=(404,),
    ),
    Operation(
        "GET /v1/export",
        "exportMemories",
        "Everything remembered, as JSON Lines",
        RecordsApi.export,
        {200: ("A page; `X-Next-Cursor` leads to the next.", "application/x-ndjson Lines")},
        scope="query",
        query=EXPORT,
        refusals=(404,),
    ),
)
