"""What one assembly works on, and until when."""

from dataclasses import dataclass
from datetime import datetime

from remembrancer.domain.context.assembly import AssembleRequest
from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.usecases.retrieval.deadline import Deadline

FORMAT_RESERVE_MS = 5.0
"""What scoring, packing and formatting are left after retrieval."""
RENDER_RESERVE = 1 / 16
"""The part of the time that formatting is left after the memories' text was opened: 3 ms of 43."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One assembly; at `deadline` its answer is made of what is there."""

    request: AssembleRequest
    profile: ModelProfile
    now: datetime
    deadline: Deadline

    @property
    def retrieving(self) -> Deadline:
        """Of the searches, and of everything beside them."""
        return self.deadline.reserving(FORMAT_RESERVE_MS)

    @property
    def opening(self) -> Deadline:
        """Of opening sealed text."""
        return self.deadline.within(self.deadline.end_ms * (1 - RENDER_RESERVE))
