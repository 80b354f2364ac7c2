"""Phone numbers in texts, by Google's catalogue of numbering plans."""

import sys
from collections.abc import Sequence

FEWEST_DIGITS = 7
"""Least digits of a phone number; most texts have fewer, and are skipped."""


def find_phones(text: str, region: str) -> Sequence[tuple[int, int]]:
    """Spans of valid numbers, in order, in a grouping used in the region; no dates, no parts of longer numbers.

    Takes its time. The catalogue is loaded with the first text that needs it.
    """
    if sum(map(str.isdigit, text)) < FEWEST_DIGITS:
        return []
    from phonenumbers import Leniency
    from phonenumbers.phonenumbermatcher import PhoneNumberMatcher

    # The matcher's own limit would leave what stands behind 65,535 digits between letters unread.
    matches = PhoneNumberMatcher(text, region, leniency=Leniency.EXACT_GROUPING, max_tries=sys.maxsize)
    return [(match.start, match.end) for match in matches]
