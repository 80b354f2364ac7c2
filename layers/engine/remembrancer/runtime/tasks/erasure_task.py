"""Operator tasks for erasure, in every project and environment of an organization at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remembrancer.domain.erasure import erasure_request
from remembrancer.domain.erasure.erasure import Erasure
from remembrancer.usecases.erasure.erase import Eraser

SECONDS = 45.0
"""Seconds that one call erases; the scheduled run and further calls continue."""


@dataclass(frozen=True, slots=True)
class ErasureTask:
    """Handles events `{"task", "org_id"}` with the subject: `user_id`, `agent_id`, or `whole_organization`, which is
    true.
    """

    eraser: Eraser

    async def erase(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Begins an erasure, or continues an unfinished one with the same subject."""
        org_id, request = erasure_request.parse_operators(event)
        erasure_id, done = await self.eraser.request_everywhere(org_id, request, seconds=SECONDS)
        return {"erasure_id": str(erasure_id), "status": "done" if done else "running"}

    async def find(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """The erasures of the same subject in any project and environment, newest first; erases nothing."""
        org_id, request = erasure_request.parse_operators(event)
        found = await self.eraser.erasures.about(org_id, request.kind, request.subject)
        return {"erasures": [_shown(erasure) for erasure in found]}


def _shown(erasure: Erasure) -> dict[str, Any]:
    return {
        "erasure_id": str(erasure.erasure_id),
        "status": erasure.state,
        "requested_at": erasure.requested_at.isoformat(),
        "finished_at": erasure.finished_at.isoformat() if erasure.finished_at else None,
        "project_id": erasure.project_id,
        "environment": erasure.environment,
        "counts": dict(erasure.counts),
    }
