"""The curve of `remembrancer eval --budgets`: its figures, its baselines and its picture."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import evidence_curve
from benchmarks.figures import RESULTS
from local.cli import parser
from local.evaluation import baselines, curves, dataset, frozen
from local.evaluation.dataset import Dataset, Question
from local.evaluation.examinee import Examinee, Took
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.context import formatter
from remembrancer.domain.context.nonce import COUNTED_NONCE
from remembrancer.domain.ranking import hybrid_ranking
from tests.builders import MODELS

MEMORIES = [
    (f"m{number}", {"content": f"Fact {number}. " + "word " * number * 8, "created_at": f"2025-01-{number:02}T00:00Z"})
    for number in range(1, 6)
]
NEEDS = Question("ada", "What?", "single-hop", frozenset({"m1", "m2"}))
NEEDS_NONE = Question("ada", "Thanks!", "small talk", frozenset())
DATA = Dataset({"ada": MEMORIES}, [NEEDS, NEEDS_NONE])


@pytest.fixture(scope="module")
def counter() -> Iterator[TiktokenCounter]:
    counter = TiktokenCounter(MODELS)
    yield counter
    counter.close()


def assembled(coverage: float, *, agent: str = "ada", tokens: int = 100, incomplete: bool = False) -> curves.Assembled:
    question = Question(agent, "What?", "single-hop", frozenset({"m1"}))
    return curves.Assembled(question, coverage, tokens, 2, 0.5, Took(10.0, 8.0), incomplete)


async def test_every_question_is_assembled_once_with_each_budget() -> None:
    asked: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        asked.append(body["options"])
        metadata = {
            "memory_ids": ["one"] if body["options"]["memory_tokens"] > 100 else [],
            "fallback_reason": "cold_timeout" if body["options"]["memory_tokens"] == 500 else "",
            "total_tokens_injected": 77,
        }
        return httpx.Response(200, json={"metadata": metadata}, headers={"server-timing": "total;dur=2.5"})

    async def count() -> None:
        return None

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://service") as client:
        examinee = Examinee(client, "org", agents={"ada": "id"}, memories={"ada": {"one": frozenset({"m1"})}})
        answers = await curves.assemble_all(
            examinee, DATA.questions, [100, 500], {"weights": {"relevance": 1.0}}, asked=count
        )

    assert asked == [
        {"weights": {"relevance": 1.0}, "memory_tokens": budget} for budget in (100, 500) for _ in DATA.questions
    ]
    assert [[one.coverage for one in answers[budget]] for budget in (100, 500)] == [[0.0, 1.0], [0.5, 1.0]]
    assert [[one.incomplete for one in answers[budget]] for budget in (100, 500)] == [[False, False], [True, True]]
    assert {one.tokens for several in answers.values() for one in several} == {77}


async def test_assembly_is_given_the_messages_before_a_question() -> None:
    before = [{"role": "user", "content": "Who has the drill?"}, {"role": "assistant", "content": "Ada."}]
    question = Question("ada", "Since when?", "pronoun", frozenset({"m1"}), messages=before)
    asked: list[Any] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content)["messages"])
        metadata = {"memory_ids": [], "fallback_reason": "", "total_tokens_injected": 0}
        return httpx.Response(200, json={"metadata": metadata}, headers={"server-timing": "total;dur=2.5"})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://service") as client:
        examinee = Examinee(client, "org", agents={"ada": "id"}, memories={"ada": {}})
        await examinee.assemble(question, {})

    assert asked == [[*before, {"role": "user", "content": "Since when?"}]]


async def test_a_memory_with_a_marked_passage_is_evidence_only_where_that_is_shown() -> None:
    passages = {"m1": "on <Monday>", "m2": "on Friday"}
    question = Question("ada", "When?", "when", frozenset({"m1", "m2", "m3"}), passages=passages)
    shown = {"role": "system", "content": "- Fact 1 … on <Monday>\n- Fact 2 …\n- Fact 3 …\n"}

    def answer(_: httpx.Request) -> httpx.Response:
        metadata = {"memory_ids": ["a", "b", "c"], "fallback_reason": "", "total_tokens_injected": 9}
        body = {"metadata": metadata, "messages": [shown]}
        return httpx.Response(200, json=body, headers={"server-timing": "total;dur=2.5"})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://service") as client:
        known = {"a": frozenset({"m1"}), "b": frozenset({"m2"}), "c": frozenset({"m3"})}
        examinee = Examinee(client, "org", agents={"ada": "id"}, memories={"ada": known})
        answered = await examinee.assemble(question, {})

    assert answered.coverage(question) == pytest.approx(2 / 3)


def test_a_point_has_shares_tokens_times_and_turns_that_needed_nothing() -> None:
    answers = [
        assembled(1.0),
        assembled(0.5, tokens=300, incomplete=True),
        curves.Assembled(NEEDS_NONE, 1.0, 60, 1, 0.0, Took(30.0, 28.0)),
    ]

    point = curves.summary({500: answers}, {})["curve"]["500"]

    everything = point["by_kind"]["all"]
    assert {name: everything[name] for name in ("questions", "coverage", "whole", "tokens", "memories")} == {
        "questions": 2, "coverage": 0.75, "whole": 0.5, "tokens": 200.0, "memories": 2.0,
    }  # fmt: skip
    assert set(point["by_kind"]) == {"single-hop", "all"}
    assert point["incomplete"] == pytest.approx(1 / 3)
    assert (point["latency_ms"], point["function_ms"]["p95"]) == ({"p50": 10.0, "p95": 30.0}, 28.0)
    assert point["without_need"] == {"turns": 1, "tokens": 60.0, "silent": 0.0}


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["a", "b", "c"])), min_size=1, max_size=40))
def test_an_interval_lies_between_the_worst_and_the_best_conversation(found: list[tuple[float, str]]) -> None:
    values, groups = [value for value, _ in found], [group for _, group in found]
    means = [sum(value for value, own in found if own == group) / groups.count(group) for group in sorted(set(groups))]

    low, high = curves.interval(values, groups)

    assert min(means) - 1e-9 <= low <= high <= max(means) + 1e-9


def test_conversations_that_differ_widen_the_interval_and_questions_of_one_conversation_do_not() -> None:
    mixed = [0.0, 1.0] * 50

    alike = curves.interval(mixed, ["a", "a"] * 50)
    different = curves.interval(mixed, ["a", "b"] * 50)

    assert alike == (0.5, 0.5)
    assert different == (0.0, 1.0)


def test_the_oracle_has_what_fits_of_the_evidence_and_newest_first_what_is_new(counter: TiktokenCounter) -> None:
    costs = {
        name: counter.count(
            formatter.dated_line(fields["content"], dataset_time(fields), replaces=False), baselines.FAMILY
        ).tokens
        for name, fields in MEMORIES
    }
    both, newest = costs["m1"] + costs["m2"], costs["m5"]

    found = baselines.of(DATA, [both - 1, both, newest], counter)

    oracle, new = found[baselines.ORACLE], found[baselines.NEWEST]
    assert [oracle[budget][0].coverage for budget in (both - 1, both)] == [0.5, 1.0]
    assert [new[newest][0].coverage, new[newest][0].memories] == [0.0, 1]
    assert oracle[both][1].tokens == 0
    text = formatter.render(None, [], nonce=COUNTED_NONCE)
    assert text == ""
    assert both < oracle[both][0].tokens < both + 60


def dataset_time(fields: dict[str, str]) -> datetime:
    return datetime.fromisoformat(fields["created_at"])


def test_the_hash_of_the_weights_changes_with_a_weight_and_an_option(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = frozen.weights_hash(tmp_path, {}, {})
    option = frozen.weights_hash(tmp_path, {"weights": {"relevance": 1.0}}, {})
    setting = frozen.weights_hash(tmp_path, {}, {"VECTOR_INDEX": "ivfflat"})
    again = frozen.weights_hash(tmp_path, {}, {})
    monkeypatch.setattr(hybrid_ranking, "DEFAULT_WEIGHTS", {**hybrid_ranking.DEFAULT_WEIGHTS, "semantic": 0.51})
    weight = frozen.weights_hash(tmp_path, {}, {})

    assert first == again
    assert len({first, option, setting, weight}) == 4


def test_the_hash_is_the_same_in_every_process(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from local.evaluation import frozen; "
        "print(frozen.weights_hash(Path(sys.argv[1]), {}, {}))"
    )
    paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}

    hashes = {
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            env={**paths, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }

    assert hashes == {frozen.weights_hash(tmp_path, {}, {})}


def test_turns_without_evidence_are_read_and_left_out_unless_they_are_measured(tmp_path: Path) -> None:
    lines = [
        {"id": "m1", "agent": "ada", "content": "A goose."},
        {"agent": "ada", "question": "Thanks!", "kind": "small talk", "gold": []},
        {"agent": "ada", "question": "Which bird?", "kind": "single-hop", "gold": ["m1"]},
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    data = dataset.read([path])

    assert [one.text for one in data.only([]).questions] == ["Which bird?"]
    assert [one.text for one in data.only([], without_gold=True).questions] == ["Thanks!", "Which bird?"]


def test_budgets_are_numbers_and_come_in_order() -> None:
    assert parser().parse_args(["eval", "x", "--budgets", "2000,500"]).budgets == (500, 2000)
    for wrong in ("many", "0", "-5,100"):
        with pytest.raises(SystemExit):
            parser().parse_args(["eval", "x", f"--budgets={wrong}"])


def test_the_picture_is_valid_and_has_a_line_for_each_curve() -> None:
    answers = {500: [assembled(0.5)], 1000: [assembled(1.0, tokens=900)]}
    result = curves.summary(answers, {"oracle": answers})

    picture = ET.fromstring(evidence_curve.drawn(result))

    lines = picture.findall("{http://www.w3.org/2000/svg}polyline")
    texts = [one.text for one in picture.findall("{http://www.w3.org/2000/svg}text")]
    assert len(lines) == 2
    assert {"assembly", "oracle"} <= set(texts)
    dots = picture.findall("{http://www.w3.org/2000/svg}circle")
    assert len([one for one in dots if one.attrib["class"] == "dot"]) == 2


@pytest.mark.skipif(not (RESULTS / "evidence.json").exists(), reason="nothing was measured yet")
def test_the_picture_in_the_documents_is_that_of_the_result_file() -> None:
    result = json.loads((RESULTS / "evidence.json").read_text(encoding="utf-8"))

    assert evidence_curve.PICTURE.read_text(encoding="utf-8") == evidence_curve.drawn(result)
