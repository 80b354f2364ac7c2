"""Every reason that the service or a client gives has words, and they are the same in both clients."""

import json
import re

import pytest

from remembrancer_client import Assembled
from remembrancer_client.explanations import LONGER, explanation, missing
from tests.unit.documents import ROOT, sections

CASES = json.loads((ROOT / "tests" / "data" / "explanations.json").read_text(encoding="utf-8"))
LITERALS = {
    "python": (
        ROOT / "clients" / "python" / "src" / "remembrancer_client" / "assembly.py",
        r'Assembled\(messages, "(\w+)"',
    ),
    "typescript": (ROOT / "clients" / "typescript" / "src" / "index.ts", r'unchanged\(messages, "(\w+)"'),
}


def documented(page: str, title: str) -> list[str]:
    """The reasons of a table's first column."""
    rows = re.findall(r"^\| (`[^|]+) \|", sections(ROOT / "docs" / page)[title], re.MULTILINE)
    return [reason for row in rows for reason in re.findall(r"`([a-z_]+(?::\w+)?)`", row)]


REASONS = documented("deadlines.md", "Fallback reasons") + documented("query.md", "What can be missing")


def test_the_tables_of_reasons_are_read() -> None:
    assert {"cold_timeout", "vector_error:CAUSE", "hot_error:Unconfirmed", "hash_embedding"} <= set(REASONS)
    assert len(REASONS) > 30


@pytest.mark.parametrize("reason", sorted(set(REASONS)))
def test_every_documented_reason_has_words(reason: str) -> None:
    name, _, cause = reason.partition(":")

    words = missing([reason])

    assert words
    assert not re.search(r"_|service says|Unconfirmed", words)
    # A source without words would be named as it is.
    assert not words.lower().startswith((f"{name.rpartition('_')[0]} took", f"{name.rpartition('_')[0]} failed"))
    assert ("CAUSE" in words) == (cause == "CAUSE")


@pytest.mark.parametrize(("file", "pattern"), LITERALS.values(), ids=list(LITERALS))
def test_every_reason_of_a_client_has_words(file: object, pattern: str) -> None:
    reasons = re.findall(pattern, file.read_text(encoding="utf-8"))  # type: ignore[attr-defined]

    assert {"timeout", "too_large", "circuit_open", "blank_end_user"} <= set(reasons)
    assert [reason for reason in reasons if re.search(r"_|service says", missing([reason]))] == []


@pytest.mark.parametrize("case", CASES, ids=[case["reason"] or "nothing" for case in CASES])
def test_reasons_are_explained_together(case: dict[str, str]) -> None:
    assert explanation(case["reason"]) == case["explanation"]
    assert Assembled([], case["reason"]).explanation == case["explanation"]


def test_only_what_was_late_wants_a_longer_deadline() -> None:
    assert explanation("cold_timeout,lexical_timeout") == (
        "Search by meaning and search by words took too long. Send a longer deadline."
    )
    assert LONGER not in explanation("hot_error:ConnectionError,invalid_credential,unreachable")
