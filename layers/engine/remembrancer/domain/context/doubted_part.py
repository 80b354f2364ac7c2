"""What of a memory newer ones may contradict, in words for its mark.

It is read from the texts alone, so that the prompt stays the same as long as these do.
"""

from collections.abc import Sequence

from remembrancer.domain.memories.corrected_clauses import BESIDE, in_question, quoted
from remembrancer.domain.memories.correction_reading import (
    Reading,
    body,
    read_clauses,
    reading,
    stop_words_of,
    written_clauses,
)

MOST_BYTES = 100
"""Longer parts say little less than the memory. A byte is a token or less, so the part has no more tokens."""
MOST_CHARACTERS = 300
"""In a longer memory, which has many clauses, no part is looked for: it is read while a request waits."""
MOST_CLAUSES = 12
"""Of a memory with more, no part is looked for, either."""
IN_PART = " in part"
"""The mark of a memory that says several things, of which no part can be named."""


def doubted(older: str, newer: Sequence[str]) -> str:
    """What follows "may be out of date": empty for a memory that says one thing, a colon with the clauses that the
    newer ones are about, in the order of the older one, or IN_PART where these are not clear, or too long.

    Without newer ones, which may be many or not at hand, nothing is read.
    """
    memory = body(older)
    written = written_clauses(memory)
    if not newer or not 1 < len(written) <= MOST_CLAUSES or len(older) > MOST_CHARACTERS:
        return IN_PART if len(written) > 1 else ""
    clauses = read_clauses(written, stop_words_of(memory))
    if len(clauses) < 2:
        return ""
    parts = [_parts(clauses, one) for one in newer]
    meant = {clause.text for part in parts for clause in part}
    named = quoted([clause for clause in clauses if clause.text in meant], memory)
    # Quotes and dashes may be written in another way than they are read.
    whole = " ".join(older.split())
    is_clear = all(parts) and all(part and part in whole for part in named.split(BESIDE))
    return f": {named}" if is_clear and len(named.encode()) <= MOST_BYTES else IN_PART


def _parts(clauses: Sequence[Reading], newer: str) -> tuple[Reading, ...]:
    return in_question(reading(newer), clauses) if len(newer) <= MOST_CHARACTERS else ()
