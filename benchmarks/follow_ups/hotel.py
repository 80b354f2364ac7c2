"""Follow-ups to the hotel of `benchmarks/precision`, which has 300 memories, and turns that stand alone among them.

Written to confirm what was chosen with the other conversations.
"""

from collections.abc import Iterator
from typing import Any

from benchmarks import labelled, precision
from benchmarks.follow_ups import conversations, questions


def lines(half: str = "") -> Iterator[dict[str, Any]]:
    """The set as `remembrancer eval` reads it, with all conversations or those of one half."""
    yield from precision.memories()
    yield from questions(conversations("hotel.tsv"), half)


if __name__ == "__main__":
    labelled.write("hotel", __doc__, lines)
