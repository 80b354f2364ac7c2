"""Turns of chats with an assistant: one half chose the rules, one confirms them."""

import json
from pathlib import Path

import pytest

from remembrancer.domain.capture.selection import choose

TURNS = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "data" / "capture_turns.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("want", ["keep", "drop"])
@pytest.mark.parametrize(("half", "least"), [("choosing", 0.95), ("confirming", 0.90)])
def test_turns_that_say_something_are_kept_and_the_others_dropped(half: str, want: str, least: float) -> None:
    texts = [turn["text"] for turn in TURNS if (turn["half"], turn["want"]) == (half, want)]

    right = [choose("user", text, None).is_kept == (want == "keep") for text in texts]

    assert len(texts) >= 90
    assert sum(right) / len(right) >= least


@pytest.mark.parametrize("piece", ["I love my ", "who is ", "my a,", "!", "a ", "because ", "- ", "?", "see you "])
def test_a_text_of_any_kind_is_decided(piece: str) -> None:
    assert choose("user", piece * (8_000 // len(piece)), None).reason in {"statement", "no_statement", "question"}
