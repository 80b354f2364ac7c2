"""Finding personal data that takes a catalogue to be told from other numbers."""

from collections.abc import Sequence
from typing import Protocol


class PhoneNumbers(Protocol):
    """Knows the numbering plans of all countries."""

    def spans(self, text: str, region: str) -> Sequence[tuple[int, int]]:
        """Where valid numbers stand, in order; those without a country are read as of `region`. Takes its time."""
        ...
