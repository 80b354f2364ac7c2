"""The scripted model of `remembrancer eval --capture`: what it chooses passes the gate."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest

from local.evaluation.capture_counts import CaptureCounts
from local.evaluation.extractive_model import ExtractiveModel
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.capture import extraction, gate, prompt
from remembrancer.domain.capture.gate import Line, Window
from remembrancer.runtime.telemetry import count, emit
from tests.builders import MODELS

DAY = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def model() -> Iterator[ExtractiveModel]:
    with closing(TiktokenCounter(MODELS)) as counter:
        yield ExtractiveModel(counter)


def window(*said: tuple[str, str]) -> Window:
    lines = [
        Line(number, "assistant" if name == "Assistant" else "user", None if name == "User" else name, text, DAY)
        for number, (name, text) in enumerate(said, start=1)
    ]
    return Window(lines)


def chosen(model: ExtractiveModel, read: Window) -> list[extraction.Proposal]:
    messages = [{"role": "system", "content": prompt.INSTRUCTION}, {"content": prompt.prompt(read)}]
    return extraction.parse(model.says(messages).text)


def test_what_states_something_is_chosen_and_passes_the_gate(model: ExtractiveModel) -> None:
    read = window(
        ("Ann", "Hi Bob! How are you?"),
        ("Bob", "I'm great. My sister Eve moved to Ghent yesterday, and I've helped her. And you?"),
        ("Ann", "Wow, that's cool! Yeah, I love hiking with your sister, and we have been to the Alps twice."),
        ("Bob", "Thanks!"),
        ("Ann", "The trams are never late here."),
    )

    spans = chosen(model, read)

    assert [(one.turn, one.quote) for one in spans] == [
        (2, "My sister Eve moved to Ghent yesterday, and I've helped her."),
        (3, "Yeah, I love hiking with your sister, and we have been to the Alps twice."),
        (5, "The trams are never late here."),
    ]
    assert gate.judge(spans, read).refused == {}


def test_nothing_is_chosen_of_old_turns_questions_and_assistants(model: ExtractiveModel) -> None:
    read = Window(
        [
            Line(1, "user", None, "I live in Leeds.", DAY, is_new=False),
            Line(2, "assistant", None, "Your dog Milo likes Leeds.", DAY, is_believed=False),
            Line(3, "user", None, "Does Milo like it?", DAY),
        ]
    )

    assert chosen(model, read) == []


def test_it_reports_the_tokens_of_the_request_and_of_its_answer(model: ExtractiveModel) -> None:
    said = model.says([{"role": "system", "content": "one two"}, {"role": "user", "content": "three"}])

    assert json.loads(said.text) == {"spans": []}
    assert (said.prompt_tokens, said.answer_tokens > 0) == (3, True)


def test_what_capture_has_done_is_read_from_its_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    counts = CaptureCounts()
    emit(count("Turns", 3, decision="kept"), count("CaptureTokens", 900, kind="prompt"))
    emit(*(count("Proposals", number, result=result) for result, number in (("passed", 2), ("quote_not_found", 1))))
    emit(count("Proposals", 1, result="passed"), count("CaptureTokens", 100, kind="answer"))

    for line in ["START RequestId: Proposals", *capsys.readouterr().out.splitlines()]:
        counts.note(line)

    assert counts.figures() == {
        "proposals": {"passed": 3, "quote_not_found": 1},
        "model_tokens": {"prompt": 900, "answer": 100},
    }
