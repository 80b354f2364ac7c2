"""What `remembrancer eval --conversations` prints: tables, and transcripts for a reader."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table

from local.cli.terminal import Terminal
from local.evaluation.conversations import Label
from local.evaluation.outcomes import Outcome, Wrong
from local.evaluation.playing import Played, Stored

_TITLES = {"correct": "corrections", "agree": "agreements", "forget": "wishes to forget", "state": "other statements"}


def show_conversations(terminal: Terminal, result: Mapping[str, Any]) -> None:
    """Shares by act, half, language, domain and difficulty; look-alikes by kind; what was wrongly superseded."""
    for act, title in _TITLES.items():
        _print(terminal, title, result[act])
    _print(terminal, "look-alikes", {**result["alike"], **result["alike_by_half"]})
    for half, turns in result["turns"].items():
        superseded, doubted = result["wrongly_superseded"][half], result["wrongly_doubted"][half]
        terminal.say(
            f"{half}: of {turns} turns wrongly superseded {superseded} ({superseded / turns:.2%}), "
            f"wrongly said to be out of date {doubted}."
        )


def transcript(played: Played, outcomes: Sequence[Outcome], wrong: Sequence[Wrong]) -> str:
    """The conversation with the outcome below each labelled turn, its memories, and the text for each question."""
    return "\n".join(_transcript(played, outcomes, wrong))


def _print(terminal: Terminal, title: str, rows: Mapping[str, Mapping[str, float]]) -> None:
    if not rows:
        return
    names = [name for name in max(rows.values(), key=len) if name != "count"]
    table = Table(box=None, pad_edge=False)
    for name in (title, "number", *names):
        table.add_column(name.replace("_", " "), justify="left" if name == title else "right")
    for row, figures in rows.items():
        table.add_row(row, str(figures["count"]), *(f"{figures[name]:.3f}" for name in names))
    terminal.console.print(table)
    terminal.say("")


def _transcript(played: Played, outcomes: Sequence[Outcome], wrong: Sequence[Wrong]) -> Iterator[str]:
    conversation = played.conversation
    yield f"==== {conversation.name} ({conversation.half}, {conversation.domain}, {conversation.language})"
    session = 0
    for turn in conversation.turns.values():
        if turn.session > session:
            session = turn.session
            yield f"-- {conversation.sessions[session - 1]:%d %b %Y %H:%M}"
        yield f"{turn.id:>4} {turn.text}"
        for one in outcomes:
            if one.label.turn == turn.id:
                yield f"       {'right' if one.right else 'WRONG'}: {_described(one.label)} {_figures(one)}"
        for other in wrong:
            if other.turn == turn.id:
                yield f"       WRONG: {'superseded' if other.is_superseded else 'doubted'} “{other.older.text}”"
    yield "---- memories"
    places = list(conversation.turns)
    for memory in sorted(played.memories.values(), key=lambda one: min(map(places.index, one.turns), default=0)):
        yield _memory(memory)
    for question, text in played.prompts.items():
        yield f"---- {question}"
        yield text.strip() or "(nothing)"


def _described(label: Label) -> str:
    if label.kind:
        return f"looks like “{label.act}” ({label.kind})"
    return f"{label.act} {label.target}: {' & '.join(label.words)}"


def _figures(outcome: Outcome) -> str:
    return ", ".join(name for name, value in outcome.figures.items() if value and name != "right")


def _memory(memory: Stored) -> str:
    marks = [memory.status] if memory.status != "active" else []
    marks += ["doubted"] if memory.newer else []
    said = ",".join(sorted(memory.turns))
    return f"{said:>8} {memory.text}" + (f" [{', '.join(marks)}]" if marks else "")
