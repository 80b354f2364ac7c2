"""The inputs of one assembly and the deadlines of its steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from remembrancer.domain.context.assembly import AssembleRequest
from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.domain.context.placement import DEFAULT_PLACEMENT
from remembrancer.domain.times import time_zone
from remembrancer.settings import Bounds
from remembrancer.usecases.retrieval.deadline import Deadline

FORMAT_RESERVE_MS = 5.0
"""Least time in ms reserved after retrieval for scoring, packing and formatting."""
OVERLOAD = "overload"
"""The reason where memories are left out since the process could not have found them in time (see Admission)."""
RENDER_RESERVE = 1 / 16
"""Fraction of the deadline reserved for formatting after texts were decrypted: 3 ms of 43."""


@dataclass(frozen=True, slots=True)
class AssemblyPlan:
    """The inputs of one assembly; at `deadline` the answer is made from the results that exist. `bounds` are
    those of its sources.

    `composing_ms` is how long that takes on this instance, where it is known (see ComposingTime). `zone` is the time
    zone of the end user, `usual_placement` where memories stand if the request does not say it, `key` that of hashes of
    the prompt: they are known when the credential is accepted. `searches` is False where there is no time for memories
    (see Admission).
    """

    request: AssembleRequest
    profile: ModelProfile
    now: datetime
    deadline: Deadline
    bounds: Bounds = field(default_factory=Bounds)
    composing_ms: float = 0.0
    zone: tzinfo = UTC
    usual_placement: str = DEFAULT_PLACEMENT
    key: bytes = field(default=b"", repr=False)
    searches: bool = True

    def without_searches(self) -> "AssemblyPlan":
        """For the directive alone, which may take all the time: the stores are not late, but this process."""
        return replace(self, searches=False, bounds=replace(self.bounds, directive_ms=self.bounds.retrieval_ms))

    @property
    def left_out(self) -> Sequence[str]:
        """The reason why memories are not searched, if they are not."""
        return () if self.searches else (OVERLOAD,)

    @property
    def local_now(self) -> datetime:
        """The time of the request on the end user's clock."""
        return time_zone.local(self.now, self.zone)

    @property
    def placement(self) -> str:
        """Where memories stand: `system` or `turn`."""
        return self.request.options.placement or self.usual_placement

    @property
    def retrieving(self) -> Deadline:
        """Deadline of the searches, and of everything that runs beside them."""
        return self.deadline.reserving(max(FORMAT_RESERVE_MS, self.composing_ms))

    @property
    def opening(self) -> Deadline:
        """Deadline of decrypting sealed text, which leaves a share of the time for formatting."""
        return self.deadline.within(self.deadline.end_ms * (1 - RENDER_RESERVE))
