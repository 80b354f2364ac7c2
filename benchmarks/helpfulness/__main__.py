"""Prints figures of what helps on labelled turns, and fits its weights (`python -m benchmarks.helpfulness`)."""

import argparse
import asyncio
import json
import os
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import benchmarks.helpfulness
from benchmarks import chats, follow_ups, precision, silence, turns, whose
from benchmarks.helpfulness import fit
from benchmarks.helpfulness.candidates import Engine, JudgedTurn, ReadTurn, judged_turns, read_turns
from benchmarks.labelled import HALVES
from local.evaluation import dataset
from remembrancer.domain.ranking.helpfulness import LINES

CONFIRMING = ("conv-41", "conv-47")
"""Of the dialogues; on the others figures are chosen."""
Lines = Iterable[Mapping[str, Any]]


def main() -> None:
    """Prints the table; with `--fit` a second one, with the weights that it has written."""
    parser = argparse.ArgumentParser(
        description=benchmarks.helpfulness.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dialogues", type=Path, help="a folder of JSON Lines")
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    if arguments.fit and arguments.dialogues is None:
        parser.error("--fit needs --dialogues")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    engine = Engine.of_this_checkout()
    found, alone = asyncio.run(_all(arguments.folder, arguments.dialogues, engine))
    engine.embedder.close()
    _print(found)
    if arguments.fit:
        fit.write(fit.likely(found), fit.need(found, alone, engine.embedder.model))
        again = [argument for argument in sys.argv[1:] if argument != "--fit"]
        os.execv(sys.executable, [sys.executable, "-m", benchmarks.helpfulness.__name__, *again])


async def _all(folder: Path, dialogues: Path | None, engine: Engine) -> tuple[fit.Sets, Sequence[ReadTurn]]:
    """The turns of each set, and those that stand alone."""
    found = {name: await _kept(folder, name, lines, engine) for name, lines in _sets(dialogues)}
    return found, await read_turns(list(turns.turns()), engine)


def _sets(dialogues: Path | None) -> Iterator[tuple[str, Lines]]:
    yield "hotel", precision.lines()
    yield "turns without need", turns.lines()
    yield "silence", _with_halves(silence.lines())
    yield "chats", chats.lines()
    yield "follow-ups", follow_ups.lines()
    yield "whose", whose.lines()
    if dialogues is not None:
        yield "dialogues", _conversations(dialogues)


def _with_halves(lines: Lines) -> Iterator[Mapping[str, Any]]:
    halves = {(turn.agent, turn.text): turn.half for turn in silence.turns()}
    for line in lines:
        yield {**line, "half": halves[line["agent"], line["question"]]} if "question" in line else line


def _conversations(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Their lines, and the turns of the silence set that need nothing, said to each agent."""
    agents: dict[str, str] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for text in path.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            half = agents.setdefault(line["agent"], HALVES[line["agent"] in CONFIRMING])
            yield {**line, "half": half}
    for agent, half in agents.items():
        for turn in silence.turns():
            if turn.gold is None:
                yield {"agent": agent, "question": turn.text, "kind": turn.kind, "gold": [], "half": half}


async def _kept(folder: Path, name: str, lines: Lines, engine: Engine) -> list[JudgedTurn]:
    kept = folder / f"{name}.pickle"
    if not kept.exists():
        written = list(lines)
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in written), encoding="utf-8")
        halves = {(line["agent"], line["question"]): line["half"] for line in written if "question" in line}
        data = dataset.read([path]).only((), without_gold=True)
        kept.write_bytes(pickle.dumps(await judged_turns(data, halves, engine)))
    judged: list[JudgedTurn] = pickle.loads(kept.read_bytes())
    return judged


def _print(found: fit.Sets) -> None:
    table = Table(title="What helps, with the weights of this checkout")
    columns = (
        "set",
        "half",
        "thoroughness",
        "turns",
        "evidence",
        "precision",
        "tokens",
        "memories",
        "promised",
        "without need",
        "silent",
    )
    for column in columns:
        table.add_column(column)
    for name, judged in found.items():
        for half in HALVES:
            of_half = [turn for turn in judged if turn.half == half]
            for thoroughness in LINES:
                table.add_row(name, half, thoroughness, *fit.figures(of_half, thoroughness))
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
