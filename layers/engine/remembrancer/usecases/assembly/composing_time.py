"""How long it lately took on this instance to compose an answer from what was found."""

from collections import deque

from remembrancer.usecases.encryption.opening import DECRYPTING
from remembrancer.usecases.retrieval.deadline import Deadline

RECENT = 50
"""Answers that are remembered, of which the longest but one counts: one pause of the machine is no trend."""
MARGIN_MS = 1.0
LARGEST_SHARE = 0.25
"""Of the time until the deadline; the searches get the rest."""


class ComposingTime:
    """Milliseconds from the end of the last search to the composed answer, of the most recent answers.

    A processor that is half as fast needs more time after the searches than a constant reserves. Then an answer would
    have no memories at all, where it can have those of all searches but the latest one.
    """

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=RECENT)

    def note(self, deadline: Deadline) -> None:
        """Notes that an answer has been composed now, or could not be composed in time. Waiting for keys to open texts
        does not count: it has a bound of its own.
        """
        account = deadline.account
        searches = (report for name, report in account.reports.items() if name != DECRYPTING)
        ends = (report.started_ms + report.latency_ms for report in searches)
        opening_ms = account.timings_ms.get("open", 0.0)
        self._recent.append(deadline.elapsed_ms - max(ends, default=0.0) - opening_ms)

    def expected_ms(self, deadline: Deadline) -> float:
        """Milliseconds before this deadline at which the searches should have ended; 0 where nothing is known."""
        if len(self._recent) < 2:
            return 0.0
        *_, longest_but_one, _ = sorted(self._recent)
        return min(longest_but_one + MARGIN_MS, LARGEST_SHARE * max(deadline.end_ms, 0.0))
