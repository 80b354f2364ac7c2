"""HTTP endpoints of memories that may contradict each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories import settlement_request
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.requests.field_types import agent
from remembrancer.domain.requests.fields import Fields
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import ConflictPage, PossibleConflict, Settlement
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment, stored_json
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, read_query
from remembrancer.runtime.http.pages import Pages, paged, position_of, read_position, whose
from remembrancer.runtime.telemetry import count
from remembrancer.usecases.identity.authorise import require_agent
from remembrancer.usecases.memories.conflicts import ConflictSettler

PAGE = 20
LONGEST_PAGE = 100
LISTING = Fields(agent_id=agent(required=True), user_id=whose(), **paged(LONGEST_PAGE, usual=PAGE))


@dataclass(frozen=True, slots=True)
class ConflictsApi:
    """HTTP endpoints that list and settle conflicts."""

    settler: ConflictSettler
    directory: Directory

    async def list(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Lists an agent's conflicts, the latest found first, one page at a time."""
        asked = read_query(request, LISTING)
        agent_id = (await require_agent(principal, asked["agent_id"], self.directory)).agent_id
        pages = await Pages.of(self.directory, principal, "conflicts", request.query)
        page = ConflictPage(agent_id, asked["limit"], read_position(pages.position(request.query)))
        found, memories = await self.settler.list(principal, page)
        entries, after = pages.page(
            found,
            page.limit,
            shown=lambda one: _conflict_json(one, memories),
            position=lambda one: position_of(one.found_at, one.conflict_id),
        )
        unreadable = sum(one.memory.is_unreadable for one in memories.values())
        measured = (count("Unreadable", unreadable),) if unreadable else ()
        return HttpResponse(200, {"conflicts": entries, "next_cursor": after}, measurements=measured)

    async def settle(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Settles a conflict: one memory supersedes the other, or both stay."""
        conflict_id = request.uuid("conflict_id")
        action, keep = settlement_request.parse(request.json())
        settlement = Settlement(keep, keeps_newer=action == "supersede" and keep is None)
        settled = await self.settler.settle(principal, conflict_id, settlement, work, once=request.once(principal))
        body = {
            "conflict_id": str(conflict_id),
            "action": action,
            "kept": [str(one) for one in settled.kept],
            "superseded": str(settled.superseded) if settled.superseded else None,
        }
        return HttpResponse(200, body)


def _conflict_json(conflict: PossibleConflict, memories: Mapping[UUID, StoredMemory]) -> dict[str, Any]:
    return {
        "conflict_id": str(conflict.conflict_id),
        "differs_in": conflict.differs_in,
        "confidence": conflict.confidence,
        "found_at": moment(conflict.found_at),
        "newer": stored_json(memories[conflict.newer]),
        "older": stored_json(memories[conflict.older]),
    }


OPERATIONS = (
    Operation(
        "GET /v1/conflicts",
        "listConflicts",
        "Memories of an agent that may contradict each other",
        ConflictsApi.list,
        {200: ("A page, the latest found first.", "Conflicts")},
        scope="query",
        query=LISTING,
        refusals=(404,),
    ),
    Operation(
        "POST /v1/conflicts/{conflict_id}/settle",
        "settleConflict",
        "Keep one of the two, or both",
        ConflictsApi.settle,
        {200: ("What was kept.", "SettledConflict")},
        scope="write",
        body=settlement_request.SETTLEMENT,
        refusals=(404, 409),
    ),
)
