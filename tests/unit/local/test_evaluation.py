"""What `remembrancer eval` reads and what it computes."""

import json
import math
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.cli import parser
from local.evaluation import dataset, kept, metrics
from local.evaluation.dataset import DatasetError
from local.evaluation.examinee import ExaminationError, Examinee, spoken

MEMORY = {"id": "m1", "agent": "ada", "session": "s1", "content": "Ada: I bought a goose."}
QUESTION = {"agent": "ada", "question": "What did Ada buy?", "kind": "single-hop", "gold": ["m1"]}


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "lines.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def test_memories_and_questions_may_stand_in_one_file(tmp_path: Path) -> None:
    data = dataset.read([written(tmp_path, MEMORY, QUESTION)])

    assert data.memories == {"ada": [("m1", {"session_id": "s1", "content": "Ada: I bought a goose."})]}
    assert [(one.text, one.kind, one.gold) for one in data.questions] == [
        ("What did Ada buy?", "single-hop", frozenset({"m1"}))
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Ada: I bought a goose.", {"role": "user", "content": "I bought a goose.", "name": "Ada"}),
        ("I bought a goose.", {"role": "user", "content": "I bought a goose."}),
        ("x" * 65 + ": a goose", {"role": "user", "content": "x" * 65 + ": a goose"}),
        ("Ada: ", {"role": "user", "content": "Ada: "}),
        ("One.\nTwo: three", {"role": "user", "content": "One.\nTwo: three"}),
    ],
)
def test_a_memory_is_said_by_the_speaker_that_it_names(content: str, message: dict[str, str]) -> None:
    fields = {"content": content, "session_id": "s1", "created_at": "2025-01-01T00:00:00Z", "context": "Before."}

    assert spoken("agent", fields) == {
        "agent_id": "agent",
        "messages": [message],
        "session_id": "s1",
        "observed_at": "2025-01-01T00:00:00Z",
    }
    assert spoken("agent", {"content": content})["session_id"] == "evaluation"


def test_a_question_may_mark_the_passages_that_have_its_evidence(tmp_path: Path) -> None:
    data = dataset.read([written(tmp_path, MEMORY, {**QUESTION, "passages": {"m1": "a goose"}})])

    assert data.questions[0].passages == {"m1": "a goose"}
    with pytest.raises(dataset.DatasetError, match="passages"):
        dataset.read([written(tmp_path, MEMORY, {**QUESTION, "passages": ["a goose"]})])


def test_a_question_may_be_asked_by_an_end_user(tmp_path: Path) -> None:
    data = dataset.read([written(tmp_path, MEMORY, QUESTION, {**QUESTION, "user_id": "ada"})])

    assert [one.user_id for one in data.questions] == [None, "ada"]
    for wrong in (" ", "", 7):
        with pytest.raises(dataset.DatasetError, match="user_id"):
            dataset.read([written(tmp_path, MEMORY, {**QUESTION, "user_id": wrong})])


def test_a_question_may_have_the_messages_before_it(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "Who has the drill?"}, {"role": "assistant", "content": "Ada."}]

    data = dataset.read([written(tmp_path, MEMORY, {**QUESTION, "messages": messages})])

    assert data.questions[0].messages == messages
    for wrong in ("Who?", ["Who?"], [{"role": "user"}], [{"role": "user", "content": 7}]):
        with pytest.raises(dataset.DatasetError, match="messages"):
            dataset.read([written(tmp_path, MEMORY, {**QUESTION, "messages": wrong})])


def test_a_folder_stands_for_its_files_and_other_names_of_fields_are_understood(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": 7, "text": "A goose.", "timestamp": "2025-01-01T00:00:00Z"}))
    (tmp_path / "b.jsonl").write_text(json.dumps({"query": "What?", "gold_ids": [7]}))

    data = dataset.read([tmp_path])

    assert data.memories == {"": [("7", {"content": "A goose.", "created_at": "2025-01-01T00:00:00Z"})]}
    assert data.questions[0].gold == {"7"}


def longmemeval(**changes: Any) -> dict[str, Any]:
    """A question of LongMemEval with two sessions."""
    return {
        "question_id": "q1",
        "question_type": "knowledge-update",
        "question": "Where do I keep the goose?",
        "question_date": "2023/06/01 (Thu) 10:00",
        "answer": "In the barn.",
        "answer_session_ids": ["late"],
        "haystack_session_ids": ["early", "late"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/25 (Thu) 23:59"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hi!"}, {"role": "assistant", "content": "Hello."}],
            [
                {"role": "user", "content": "The goose sleeps in the barn now.", "has_answer": True},
                {"role": "assistant", "content": ""},
                {"role": "assistant", "content": "Noted."},
            ],
        ],
        **changes,
    }


def test_a_file_of_longmemeval_gives_each_question_a_history_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "longmemeval.json"
    unmarked = longmemeval(question_id="q2", haystack_sessions=[[], [{"role": "user", "content": "The barn."}]])
    path.write_text(json.dumps([longmemeval(), unmarked, longmemeval(question_id="q3_abs")]))

    data = dataset.read([path])

    assert [(one.agent, one.answer, one.kind, one.gold) for one in data.questions] == [
        ("q1", "In the barn.", "knowledge-update", {"1/late/0"}),
        ("q2", "In the barn.", "knowledge-update", {"1/late/0"}),
        ("q3_abs", "In the barn.", "knowledge-update", frozenset()),
    ]
    assert list(data.spread(2).memories) == ["q1", "q2"]
    assert data.memories["q1"][2:] == [
        (
            "1/late/0",
            {
                "session_id": "late",
                "created_at": "2023-05-25T23:59:00+00:00",
                "content": "user: The goose sleeps in the barn now.",
                "context": "assistant: Noted.",
            },
        ),
        (
            "1/late/1",
            {
                "session_id": "late",
                "created_at": "2023-05-26T00:00:00+00:00",
                "content": "assistant: Noted.",
                "context": "user: The goose sleeps in the barn now.",
            },
        ),
    ]


@pytest.mark.parametrize("content", ["{", "[1]", '[{"question_id": "q1"}]'])
def test_a_file_of_another_form_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)

    with pytest.raises(DatasetError, match=r"other\.json is not a file of LongMemEval"):
        dataset.read([path])


def test_questions_that_cannot_be_answered_are_asked_only_when_they_are_chosen(tmp_path: Path) -> None:
    data = dataset.read([written(tmp_path, MEMORY, QUESTION, {**QUESTION, "kind": "adversarial"})])

    assert [one.kind for one in data.only([]).questions] == ["single-hop"]
    assert [one.kind for one in data.only(["adversarial"]).questions] == ["adversarial"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "lines.jsonl, line 3"),
        ([], "line 3 is not a JSON object"),
        ({"content": "A goose."}, "a memory needs an id"),
        ({"question": "What?"}, "a list of gold ids"),
        ({**QUESTION, "gold": ["m2"]}, "has no memory m2"),
    ],
)
def test_a_line_that_is_neither_is_named(tmp_path: Path, line: Any, reason: str) -> None:
    with pytest.raises(DatasetError, match=reason):
        dataset.read([written(tmp_path, MEMORY, QUESTION, line)])


def test_figures_of_a_ranking_by_hand() -> None:
    ranking = ["x", "a", "y", "b", *(f"z{number}" for number in range(20)), "c"]

    figures = metrics.judge(ranking, {"a", "b", "c", "d"})

    gain = 1 / math.log2(3) + 1 / math.log2(5)
    ideal = sum(1 / math.log2(place + 1) for place in (1, 2, 3, 4))
    assert figures == {
        "recall@5": 0.5,
        "recall@10": 0.5,
        "recall@25": 0.75,
        "recall@50": 0.75,
        "mrr@10": 0.5,
        "ndcg@10": pytest.approx(gain / ideal),
    }


@given(st.permutations(range(12)), st.sets(st.integers(0, 15), min_size=1))
def test_figures_are_shares_and_best_when_the_gold_comes_first(ranking: list[int], gold: set[int]) -> None:
    names, golden = [str(item) for item in ranking], {str(item) for item in gold}

    figures = metrics.judge(names, golden)
    best = metrics.judge(sorted(names, key=lambda name: name not in golden), golden)

    assert all(0 <= value <= 1 for value in figures.values())
    assert all(best[name] >= value for name, value in figures.items())


def test_percentiles_are_values_that_were_measured() -> None:
    assert metrics.percentile([3.0, 1.0, 2.0, 4.0], 0.5) == 2.0
    assert metrics.percentile([3.0, 1.0, 2.0, 4.0], 0.95) == 4.0
    assert metrics.percentile([], 0.5) == 0.0


async def test_what_was_learned_is_known_again_and_other_memories_are_refused(tmp_path: Path) -> None:
    data = dataset.read([written(tmp_path, MEMORY, QUESTION)])
    other = dataset.read([written(tmp_path, {**MEMORY, "content": "Ada: I bought a duck."}, QUESTION)])
    path = tmp_path / "learned.json"
    async with httpx.AsyncClient() as client:
        teacher, pupil = Examinee(client, "org"), Examinee(client, "org")
        teacher.agents["ada"] = "agent 1"
        teacher.memories["ada"] = {"memory 1": frozenset({"m1", "m2"})}

        before = kept.recall(path, data, pupil)
        kept.keep(path, data, teacher)
        after = kept.recall(path, data, pupil)

        assert (before, after) == (False, True)
        assert (pupil.agents, pupil.memories) == (teacher.agents, teacher.memories)
        with pytest.raises(ExaminationError, match="other memories"):
            kept.recall(path, other, pupil)


@pytest.mark.parametrize("header", [{}, {"server-timing": "rank;dur=2.00"}])
async def test_an_answer_that_does_not_tell_its_own_time_is_named(header: dict[str, str]) -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"memories": []}, headers=header))
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        examinee = Examinee(client, "org", agents={"ada": "id"}, memories={"ada": {}})

        with pytest.raises(ExaminationError, match="/memory/query answered without its total"):
            await examinee.query(dataset.Question("ada", "What?", "kind", frozenset({"m1"})), {})


@pytest.mark.parametrize(
    ("assignment", "said"), [("COLD_MSS=200", "'COLD_MSS' is no setting"), ("COLD_MS", "NAME=VALUE")]
)
def test_a_setting_of_the_scratch_stack_that_there_is_not_is_refused(
    assignment: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    accepted = parser().parse_args(["eval", "folder", "--setting", "COLD_MS=200"])
    with pytest.raises(SystemExit):
        parser().parse_args(["eval", "folder", "--setting", assignment])

    assert accepted.setting == [("COLD_MS", "200")]
    assert said in capsys.readouterr().err
