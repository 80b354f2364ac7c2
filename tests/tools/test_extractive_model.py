"""The scripted model of `remembrancer eval --capture`: what it proposes passes the gate, and it invents nothing."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from uuid import UUID

import pytest

from local.evaluation.capture_counts import CaptureCounts
from local.evaluation.extractive_model import ExtractiveModel
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.capture import extraction, gate, prompt
from remembrancer.domain.capture.gate import Line, Shown, Window
from remembrancer.runtime.telemetry import count, emit
from tests.builders import MODELS

DAY = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def model() -> Iterator[ExtractiveModel]:
    with closing(TiktokenCounter(MODELS)) as counter:
        yield ExtractiveModel(counter)


def window(*said: tuple[str, str], shown: str = "") -> Window:
    lines = [
        Line(number, "assistant" if name == "Assistant" else "user", None if name == "User" else name, text, DAY)
        for number, (name, text) in enumerate(said, start=1)
    ]
    return Window(lines, {"m1": Shown(UUID(int=1), shown)} if shown else {})


def proposed(model: ExtractiveModel, read: Window) -> list[extraction.Proposal]:
    messages = [{"role": "system", "content": prompt.INSTRUCTION}, {"content": prompt.prompt(read, DAY)}]
    return extraction.parse(model.says(messages).text)


def test_what_states_something_is_restated_with_names_and_passes_the_gate(model: ExtractiveModel) -> None:
    read = window(
        ("Ann", "Hi Bob! How are you?"),
        ("Bob", "I'm great. My sister Eve moved to Ghent yesterday, and I've helped her."),
        ("Ann", "Wow, that's cool! Yeah, I love hiking with your sister, and we have been to the Alps twice."),
        ("Bob", "Thanks!"),
        ("Ann", "The trams are never late here."),
    )

    proposals = proposed(model, read)

    assert [(one.text, one.source_turns) for one in proposals] == [
        ("Bob's sister Eve moved to Ghent yesterday, and Bob has helped her.", (2,)),
        ("Ann loves hiking with Bob's sister, and Ann has been to the Alps twice.", (3,)),
        ("The trams are never late here.", (5,)),
    ]
    assert {one.action for one in proposals} == {"add"}
    assert gate.judge(proposals, read).refused == {}


def test_nothing_is_proposed_of_old_turns_questions_assistants_and_memories(model: ExtractiveModel) -> None:
    old = Line(1, "user", None, "I live in Leeds.", DAY, is_new=False)
    said = window(
        ("User", "?"),
        ("Assistant", "Your dog Milo likes Leeds."),
        ("User", "Does Milo like it?"),
        shown="I live in Hull.",
    )
    read = Window([old, *said.lines[1:]], said.shown)

    assert [one for one in proposed(model, read) if one.source_turns != (3,)] == []
    assert gate.judge(proposed(model, read), read).passed == []


def test_it_reports_the_tokens_of_the_request_and_of_its_answer(model: ExtractiveModel) -> None:
    said = model.says([{"role": "system", "content": "one two"}, {"role": "user", "content": "three"}])

    assert json.loads(said.text) == {"memories": []}
    assert (said.prompt_tokens, said.answer_tokens > 0) == (3, True)


def test_what_capture_has_done_is_read_from_its_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    counts = CaptureCounts()
    emit(count("Turns", 3, decision="kept"), count("CaptureTokens", 900, kind="prompt"))
    emit(*(count("Proposals", number, result=result) for result, number in (("passed", 2), ("unsupported", 1))))
    emit(count("Proposals", 1, result="passed"), count("CaptureTokens", 100, kind="answer"))

    for line in ["START RequestId: Proposals", *capsys.readouterr().out.splitlines()]:
        counts.note(line)

    assert counts.figures() == {
        "proposals": {"passed": 3, "unsupported": 1},
        "model_tokens": {"prompt": 900, "answer": 100},
    }
