"""The part of a memory that a newer one may contradict, where the memory says several things.

It is read from the two texts alone, so that the prompt stays the same as long as these do.
"""

from collections.abc import Sequence

from remembrancer.domain.memories.correction_features import in_common
from remembrancer.domain.memories.correction_reading import body, read_clauses, reading, stop_words_of, written_clauses

MOST_BYTES = 60
"""A longer part says little less than the memory. A byte is a token or less, so the part has no more tokens."""
MOST_CHARACTERS = 300
"""Of a longer memory, which has many clauses, the whole is in doubt: it is read while a request waits."""
MOST_CLAUSES = 12
"""Of a memory with more, the whole is in doubt, too."""
CLEAR = 0.6
"""How much more than the next clause one has in common with the newer memory."""


def doubted_parts(older: str, newer: Sequence[str]) -> str:
    """The clauses that these newer memories contradict, in the order of the older one; empty where one of them is not
    found, or all are longer than a part may be.
    """
    parts = {doubted_part(older, one) for one in newer}
    named = "; ".join(sorted(parts, key=" ".join(older.split()).find))
    return named if "" not in parts and len(named.encode()) <= MOST_BYTES else ""


def doubted_part(older: str, newer: str) -> str:
    """The clause of the older memory that has most in common with the newer one; empty where none stands out, or there
    is only one.
    """
    if max(len(older), len(newer)) > MOST_CHARACTERS:
        return ""
    memory = body(older)
    written = written_clauses(memory)
    found = read_clauses(written, stop_words_of(memory)) if 2 <= len(written) <= MOST_CLAUSES else ()
    if len(found) < 2:
        return ""
    said = reading(newer)
    scores = [in_common(said, clause) for clause in found]
    second, best = sorted(scores)[-2:]
    part = " ".join(found[scores.index(best)].text.split()).strip(" ,;:.!?–—-")
    # Quotes and dashes may be written in another way than they are read.
    is_written = part in " ".join(older.split())
    return part if best - second >= CLEAR and is_written and len(part.encode()) <= MOST_BYTES else ""
