"""HTTP endpoint of the audit trail."""

import json
from dataclasses import dataclass
from typing import Any

from remembrancer.domain.audit.chain import CHECKPOINT
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.fields import Fields
from remembrancer.ports.identity import Directory
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, read_query
from remembrancer.runtime.http.pages import PAGE_BYTES, Pages, paged, sent_bytes
from remembrancer.usecases.audit.auditor import LINKED, Auditor
from remembrancer.usecases.identity.authorise import require_everybody

AUDIT = Fields(**paged(LINKED, usual=500))


@dataclass(frozen=True, slots=True)
class AuditApi:
    """The export of the audit trail, which needs the scopes `admin` and `all_users`."""

    auditor: Auditor
    directory: Directory

    async def export(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """JSON Lines of entries, oldest first, one page at a time; the last line of the last page is the checkpoint."""
        require_everybody(principal, "The audit trail")
        limit = read_query(request, AUDIT)["limit"]
        pages = await Pages.of(self.directory, principal, "audit", request.query)
        found = await self.auditor.page(principal, int(pages.position(request.query) or 0), limit)
        lines: list[str] = []
        size = 0
        for entry in found.entries:
            size += sent_bytes(line := _line(entry))
            if lines and size > PAGE_BYTES:
                break
            lines.append(line)
        headers = {"content-type": "application/x-ndjson"}
        if len(lines) < len(found.entries) or (lines and found.checkpoint is None):
            headers["x-next-cursor"] = pages.cursor(str(found.entries[len(lines) - 1]["position"]))
        elif found.checkpoint is not None:
            checkpoint = found.checkpoint
            lines.append(_line({CHECKPOINT: {name: getattr(checkpoint, name) for name in checkpoint.__slots__}}))
        return HttpResponse(200, "".join(lines), headers)


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


OPERATIONS = (
    Operation(
        "GET /v1/audit",
        "exportAudit",
        "The audit trail, as JSON Lines; `X-End-User-ID` is `*`",
        AuditApi.export,
        {200: ("A page; `X-Next-Cursor` leads to the next.", "application/x-ndjson AuditLines")},
        scope="admin",
        query=AUDIT,
        refusals=(404,),
    ),
)
