"""What the reasons of an incomplete answer mean, in words: `cold_timeout` is that search by meaning took too long.

docs/deadlines.md and docs/query.md list the service's reasons; the others are this client's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SOURCES = {
    "assembly": "the whole answer",
    "cold": "search by meaning",
    "credential": "the check of the credential",
    "decrypt": "decryption",
    "directive": "the read of the directive",
    "embed": "search by meaning",
    "graph": "the search along relations",
    "history": "the read of sessions, clusters and relations",
    "hot": "the read of the most used memories",
    "hyde": "the language model's hypotheses",
    "lexical": "search by words",
    "pinned": "the read of pinned memories",
    "told": "the read of memories for earlier messages",
    "vector": "search by meaning",
}
"""By what stands before `_timeout` or `_error:CAUSE`."""
UNCONFIRMED = "cached memories were left out, since the database did not confirm that they still exist"
WORDS = {
    "blank_end_user": "the name of the end user is blank",
    "circuit_open": "the service failed several times, and is not asked until it answers again",
    "client_error": "the client failed",
    "hash_embedding": "search by meaning found little, since the embedding model did not answer",
    "incomplete_embeddings": "search by meaning found little, since memories wait for vectors of a new model",
    "internal_error": "the service failed; its log has the details",
    "invalid_answer": "what answered is not the service",
    "overload": "memories were left out, since the service has more requests than it can answer in time",
    "packaged_embedding": "search by meaning found little, since the embedding model did not answer",
    "pinned_closed": "pinned memories were not decrypted in time",
    "timeout": "no answer came in time",
    "too_large": "the conversation is too large to be sent",
    "unavailable": "a server that the service needs failed",
    "unconfirmed": "the answer may have memories that were deleted just now, since the database did not confirm them",
    "unreachable": "the service cannot be reached",
}
"""By the reason's part before the colon."""
LONGER = "Send a longer deadline."


def missing(reasons: Iterable[str]) -> str:
    """A sentence for each kind of fault, empty without reasons. Unknown names, of a newer service, are quoted."""
    late: dict[str, None] = {}
    failed: dict[str, dict[str, None]] = {}
    others: dict[str, None] = {}
    for reason in reasons:
        name, _, cause = reason.partition(":")
        source, _, fault = name.rpartition("_")
        words = SOURCES.get(source, source)
        if words and fault == "timeout":
            late[words] = None
        elif words and fault == "error" and name not in WORDS and cause != "Unconfirmed":
            failed.setdefault(f" ({cause})" if cause else "", {})[words] = None
        elif reason:
            others[_other(name, cause)] = None
    sentences = [f"{_together(late)} took too long"] if late else []
    sentences += [f"{_together(words)} failed{cause}" for cause, words in failed.items()]
    return " ".join(f"{one[:1].upper()}{one[1:]}." for one in (*sentences, *others))


def explanation(reason: str) -> str:
    """What is missing for the reason of an assembly (several are separated by commas), and what to do; or empty."""
    reasons = reason.split(",")
    is_late = any(one == "timeout" or one.endswith(("_timeout", ":timeout")) for one in reasons)
    return f"{missing(reasons)} {LONGER if is_late else ''}".strip()


def _other(name: str, cause: str) -> str:
    if cause == "Unconfirmed":
        return UNCONFIRMED
    if status := re.fullmatch(r"http_(\d+)", name):
        return f"the service answered with status {status[1]}"
    words = WORDS.get(name, f"the service says {name}")
    return f"{words} ({cause})" if cause else words


def _together(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
