"""HTTP endpoint to forget what a sentence is about."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from remembrancer.domain.capture.forget_request import FORGET
from remembrancer.domain.capture.forgetting import Match
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation
from remembrancer.usecases.capture.forget import Forgetter
from remembrancer.usecases.memories.revise import RESTORABLE


@dataclass(frozen=True, slots=True)
class ForgetApi:
    """`forgetter` is called for the first request, since few instances get one."""

    forgetter: Callable[[], Forgetter]

    async def forget(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Deletes what the sentence is about beyond doubt, and proposes that for what it may be about."""
        done = await self.forgetter().forget(request.json(), principal, work, once=request.once(principal))
        memories = [_matched_json(stored, match) for stored, match in done.memories]
        answer = {"outcome": done.outcome, "dry_run": done.is_dry_run, "topics": list(done.topics)}
        return HttpResponse(200, {**answer, "memories": memories})


def _matched_json(stored: StoredMemory, match: Match) -> dict[str, Any]:
    return {
        "id": str(stored.memory.id),
        "content": stored.memory.content,
        "score": round(match.score, 6),
        "sure": match.is_sure,
        "status": stored.memory.status,
        "restorable_until": moment(stored.deleted_at + RESTORABLE) if stored.deleted_at else None,
    }


OPERATIONS = (
    Operation(
        "POST /v1/forget",
        "forget",
        "Forget what a sentence is about",
        ForgetApi.forget,
        {200: ("What was forgotten, and what is proposed.", "Forgotten")},
        scope="write",
        body=FORGET,
        refusals=(404, 409),
    ),
)
