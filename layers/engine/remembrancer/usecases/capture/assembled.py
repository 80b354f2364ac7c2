"""Captures the turn of an assembled request after its response (docs/security.md, Capture of assembled requests)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remembrancer.domain.capture import assembled
from remembrancer.domain.capture.conversation import CUT, ConversationRequest
from remembrancer.domain.context.assembly import AssembleRequest
from remembrancer.domain.identity.scope import Principal
from remembrancer.errors import RequestError
from remembrancer.usecases.retrieval.after_response import Afterwards

if TYPE_CHECKING:
    from remembrancer.usecases.capture.add import ConversationIntake

SCOPE = "write"


@dataclass(frozen=True, slots=True)
class AssembledTurns:
    """Stores the turns of assembled requests of agents whose `capture` is on; `note` counts those that it does not,
    or not whole.

    `intake` is called for the first of them, since no instance without such agents needs to load what it does.
    """

    intake: Callable[[], "ConversationIntake"]
    note: Callable[[str], None]

    def schedule(self, request: AssembleRequest, principal: Principal, afterwards: Afterwards) -> None:
        """Adds one piece of work after the response, and does nothing else in the time of the request."""
        afterwards.add("capture", lambda: self._capture(request, principal))

    async def _capture(self, request: AssembleRequest, principal: Principal) -> None:
        """Captures nothing that the credential could not have sent to `POST /v1/conversations`, and nothing without an
        end user: what one of them says would be a memory for all others.
        """
        if not assembled.begins_turn(request.messages):
            return
        if principal.user_id is None or not _may_write(principal):
            self.note("CaptureNotAllowed")
            return
        intake = self.intake()
        turns = ConversationRequest(
            agent_id=request.agent_id,
            user_id=principal.user_id,
            session_id=request.session_id or await _session(intake, request, principal),
            utterances=assembled.newest(request.messages, intake.clock.now()),
        )
        try:
            accepted = await intake.store(turns, principal)
        except RequestError:
            # The quota is reached, or the agent was erased meanwhile.
            self.note("CaptureRefused")
            return
        if CUT in accepted.skipped:
            self.note("CaptureCut")
        if set(accepted.numbers) - accepted.known:
            await intake.queue(accepted, principal, request.agent_id)


async def _session(intake: "ConversationIntake", request: AssembleRequest, principal: Principal) -> str | None:
    organization = await intake.directory.organization(principal.org_id)
    return None if organization is None else assembled.session_of(request.messages, key=organization.term_key)


def _may_write(principal: Principal) -> bool:
    try:
        principal.require(SCOPE)
    except RequestError:
        return False
    return True
