"""The sets of labelled turns in `benchmarks/` are whole: known ids, equal halves, no question twice."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks import follow_ups, precision, silence, turns, whose
from benchmarks.follow_ups import hotel
from benchmarks.labelled import HALVES
from local.evaluation import dataset

SETS = {module.__name__: list(module.lines()) for module in (precision, turns, follow_ups, hotel, whose)}
"""Every line of each set."""


def _questions(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if "question" in line]


def _memories(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if "content" in line]


@pytest.fixture(params=SETS)
def lines(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return SETS[request.param]


def test_evaluation_reads_the_lines_and_knows_every_id(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    data = dataset.read([file])

    assert len(data.questions) == len(_questions(lines))
    assert [len(one.gold) for one in data.questions] == [len(line["gold"]) for line in _questions(lines)]


def test_no_memory_is_there_twice(lines: list[dict[str, Any]]) -> None:
    told = Counter((line["agent"], line["content"].casefold()) for line in _memories(lines))
    ids = Counter((line["agent"], line["id"]) for line in _memories(lines))

    assert max(told.values()) == max(ids.values()) == 1


@pytest.mark.parametrize("module", [precision, turns])
def test_the_halves_of_each_kind_are_equal(module: ModuleType) -> None:
    counted = Counter((line["kind"], line["half"]) for line in _questions(SETS[module.__name__]))

    for kind, _ in counted:
        assert counted[kind, HALVES[0]] == counted[kind, HALVES[1]]


@pytest.mark.parametrize("module", [precision, turns, follow_ups, hotel, whose])
def test_a_half_has_all_memories_and_its_own_questions(module: ModuleType) -> None:
    whole = SETS[module.__name__]

    for half in HALVES:
        assert list(module.lines(half)) == [line for line in whole if line.get("half", half) == half]


def test_the_precision_set_has_one_or_two_right_memories_for_each_question() -> None:
    questions = _questions(SETS[precision.__name__])
    sizes = Counter(len(line["gold"]) for line in questions)

    assert len(_memories(SETS[precision.__name__])) == 300
    assert sizes[0] == 60
    assert sizes[1] + sizes[2] == 150
    assert len({line["question"] for line in questions}) == 210


def test_who_asks_for_own_things_is_their_owner_and_other_answers_are_shared() -> None:
    owners = {line["id"]: line.get("user_id") for line in _memories(SETS[whose.__name__])}
    questions = _questions(SETS[whose.__name__])

    for line in questions:
        (gold,) = line["gold"]
        assert owners[gold] == (line["user_id"] if line["kind"] in ("mine", "speaker") else None), line
    assert len({(line["user_id"], line["question"]) for line in questions}) == len(questions) == 86


def test_the_turns_are_of_both_sorts_in_equal_halves_and_not_in_the_other_sets() -> None:
    every = list(turns.turns())
    counted = Counter((one.needs_memory, one.half) for one in every)
    others = [line["question"] for module in (precision, silence) for line in module.lines() if "question" in line]
    texts = [one.text.casefold() for one in every]

    assert counted == {(needs, half): 190 if needs else 180 for needs in (True, False) for half in HALVES}
    assert sum(one.kind in ("person", "thing", "group", "told") for one in every) == 200
    assert len({one.kind for one in every if not one.needs_memory}) >= 10
    assert len(set(texts)) == len(texts)
    assert not set(texts) & {text.casefold() for text in others}


def test_follow_ups_and_turns_that_stand_alone_come_after_two_to_five_messages() -> None:
    questions = _questions(SETS[follow_ups.__name__])
    counted = Counter((line["kind"] == "alone", line["half"]) for line in questions)
    agents = Counter(line["agent"] for line in _memories(SETS[follow_ups.__name__]))

    assert len(follow_ups.conversations()) == 60
    assert counted == {(is_alone, half): 60 for is_alone in (True, False) for half in HALVES}
    assert all(2 <= len(line["messages"]) <= 5 and line["gold"] for line in questions)
    assert all(line["messages"][-1]["role"] == "assistant" for line in questions)
    assert all(40 <= count <= 80 for count in agents.values())
    assert len({line["question"] for line in questions if line["kind"] == "alone"}) == 120
