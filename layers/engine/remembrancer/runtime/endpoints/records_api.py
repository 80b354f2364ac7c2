"""The HTTP side of erasure and export: what an organization owes to the people it remembers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from remembrancer.domain.erasure import erasure_request
from remembrancer.domain.erasure.erasure import Erasure
from remembrancer.domain.identity.scope import LONGEST_END_USER, EndUser, Principal
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.requests.fields import Fields
from remembrancer.errors import NotFound
from remembrancer.ports.erasure import Erasures
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import Export, Exports
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment, whole_json
from remembrancer.runtime.http.messages import Endpoint, HttpRequest, HttpResponse
from remembrancer.runtime.http.pages import LONGEST_CURSOR, PAGE_BYTES, Pages, position_of, read_position, sent_bytes
from remembrancer.runtime.http.parameters import end_user, numbered
from remembrancer.usecases.erasure.erase import Eraser
from remembrancer.usecases.identity.authorise import Authenticator, require_agent
from remembrancer.usecases.memories.sealed_memories import MemoryReader

ERASE_SECONDS = 8.0
"""How long a request goes on erasing; the scheduled run does the rest."""
PAGE = 100
LONGEST_PAGE = 500


@dataclass(frozen=True, slots=True)
class RecordsApi:
    """The endpoints."""

    eraser: Eraser
    erasures: Erasures
    exports: Exports
    reader: MemoryReader
    directory: Directory
    authenticator: Authenticator

    def routes(self) -> dict[str, Endpoint]:
        """As template.yaml sends them to the memories function."""
        return {
            "POST /v1/erasures": self.erase,
            "GET /v1/erasures/{erasure_id}": self.find_erasure,
            "GET /v1/export": self.export,
        }

    async def erase(self, request: HttpRequest, work: Work) -> HttpResponse:
        """202 with the id; most erasures are done by then."""
        principal = await self._principal(request, "admin")
        asked = erasure_request.parse(request.json())
        seconds = min(ERASE_SECONDS, request.remaining_ms / 2000)
        erasure = await self.eraser.request(asked, principal, seconds=seconds, once=request.once(principal))
        return HttpResponse(202, {"erasure_id": str(erasure.erasure_id), "status": "accepted"})

    async def find_erasure(self, request: HttpRequest, work: Work) -> HttpResponse:
        """How far it is; after that of the organization its keys are gone, and with them whoever could ask."""
        principal = await self._principal(request, "admin")
        erasure = await self.erasures.find(principal, request.uuid("erasure_id"))
        if erasure is None:
            raise NotFound("There is no such erasure.", code="erasure_not_found")
        return HttpResponse(200, _erasure_json(erasure))

    async def export(self, request: HttpRequest, work: Work) -> HttpResponse:
        """JSON Lines, a page at a time; the header `X-Next-Cursor` leads to the next."""
        principal = await self._principal(request, "query", end_user(request.query))
        export = _export(request.query)
        if export.agent_id is not None:
            await require_agent(principal, export.agent_id, self.directory)
        pages = await Pages.of(self.directory, principal, "export", request.query)
        export = replace(export, after=read_position(pages.position(request.query)))
        found = await self.exports.page(principal, export)
        lines, last = await self._lines(principal.org_id, found)
        headers = {"content-type": "application/x-ndjson"}
        if last is not None and (len(lines) < len(found) or len(found) == export.limit):
            headers["x-next-cursor"] = pages.cursor(position_of(last.memory.created_at, last.memory.id))
        return HttpResponse(200, "".join(lines), headers)

    async def _lines(self, org_id: UUID, found: Sequence[StoredMemory]) -> tuple[list[str], StoredMemory | None]:
        """As many as an answer takes, one at least, and the last of them."""
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

    async def _principal(self, request: HttpRequest, scope: str, named: str | None = None) -> Principal:
        return await self.authenticator.authenticate(request, scope=scope, end_user=named)


def _export(query: Mapping[str, str]) -> Export:
    fields = Fields(numbered(query, "limit"))
    export = Export(
        agent_id=fields.uuid("agent_id"),
        user_id=EndUser.of(fields.string("user_id", longest=LONGEST_END_USER)).name,
        limit=int(fields.number("limit", PAGE, 1, LONGEST_PAGE, whole=True)),
    )
    fields.string("cursor", longest=LONGEST_CURSOR)
    fields.refuse_unknown()
    fields.finish()
    return export


def _erasure_json(erasure: Erasure) -> dict[str, Any]:
    return {
        "erasure_id": str(erasure.erasure_id),
        "kind": erasure.kind,
        "status": erasure.state,
        "counts": dict(erasure.counts),
        "requested_at": moment(erasure.requested_at),
        "finished_at": moment(erasure.finished_at),
    }
