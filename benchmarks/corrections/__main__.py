"""Prints figures of what corrects, and fits its weights (`python -m benchmarks.corrections`)."""

import argparse
import asyncio
import base64
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import benchmarks.corrections
from benchmarks.corrections import cases, cue
from benchmarks.corrections.cases import Case, Memory
from benchmarks.corrections.vectors import Vectors
from benchmarks.helpfulness.fit import regression
from local.evaluation import conversations
from remembrancer.domain.memories import correction_weights
from remembrancer.domain.memories.correction_cue import is_worth_comparing
from remembrancer.domain.memories.correction_features import FEATURES, Known, features
from remembrancer.domain.memories.correction_reading import parse
from remembrancer.domain.memories.corrections import BEFORE, LEAST_LIKELY, chosen, compared_texts, similarity

Floats = NDArray[np.float64]
CONVERSATIONS = ("chosen", "fresh", "training", "further", "plain")
FITTED_ON = (*CONVERSATIONS, "choosing", "friends")
FEW = ", few memories"
"""The same turns beside few memories: an end user begins with none, and what is corrected may not be there."""
FOLDS = 8
RIDGE = 80.0
"""On the weights of standardised figures."""
LINES = (-2.0, -1.5, -1.0, -0.5, 0.0)
_FILE = Path(correction_weights.__file__)
_FIRST, _SECOND = np.triu_indices(len(FEATURES))


def main() -> None:
    """Prints how many corrections are linked, and how many other memories, by the line from which on a memory is; or
    writes the weights.
    """
    parser = argparse.ArgumentParser(
        description=benchmarks.corrections.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    every = list(_cases(CONVERSATIONS))
    chance = random.Random(0)
    every += [replace(cases.thinned(case, chance), half=f"{case.half}{FEW}") for case in every if _is_fitted_on(case)]
    vectors, tables = asyncio.run(_features(every, arguments.folder))
    every, tables = _with_cues(every, vectors, tables)
    if arguments.fit:
        known = [place for place, case in enumerate(every) if _is_fitted_on(case)]
        cue.write(_cue([every[place] for place in known], [vectors[place] for place in known]))
        _write(*_fitted([every[place] for place in known], [tables[place] for place in known]))
    else:
        _print(every, _cross_validated(every, tables))


def _cases(halves: Iterable[str]) -> Iterator[Case]:
    folder = Path(__file__).parents[1] / "conversations"
    for conversation in conversations.read([folder / f"{half}.txt" for half in halves]):
        yield from cases.of_conversation(conversation)
    yield from cases.of_pairs()
    yield from cases.of_friends()


async def _features(every: Sequence[Case], folder: Path) -> tuple[list[NDArray[np.float32]], list[Floats]]:
    """The vector of each turn, and the features of its memories; without whether it corrects anything."""
    vectors = Vectors(folder)
    texts, found = [], []
    for case in every:
        text = await vectors.of(Memory("", case.said.text))
        sentences, clauses = compared_texts(case.said.text, [memory.content for memory in case.memories])
        of_sentences = np.array([await vectors.of(Memory("", sentence)) for sentence in sentences])
        known = []
        for memory, own in zip(case.memories, clauses, strict=True):
            of_clauses = np.array([await vectors.of(Memory("", clause)) for clause in own])
            near = similarity(float(text @ await vectors.of(memory)), text, of_sentences, of_clauses)
            is_of_session = case.session == memory.session
            known.append(Known(parse(memory.content), near, case.place - memory.place <= BEFORE, is_of_session))
        texts.append(text)
        found.append(features(case.said, known))
    vectors.close()
    return texts, found


def _table(figures: Floats) -> Floats:
    return np.column_stack([figures, figures[:, _FIRST] * figures[:, _SECOND]])


def _fitted(every: Sequence[Case], tables: Sequence[Floats]) -> tuple[float, Floats]:
    labelled = [
        (table[place], place in case.right, cue.counts(case))
        for case, table in zip(every, tables, strict=True)
        if is_worth_comparing(case.said)
        for place in range(len(table))
        if place not in case.unlabelled
    ]
    right, counts = (np.array(column, np.float64) for column in list(zip(*labelled, strict=True))[1:])
    return regression(_table(np.array([row for row, _, _ in labelled])), right, counts, RIDGE)


def _is_fitted_on(case: Case) -> bool:
    return case.half.removesuffix(FEW) in FITTED_ON


def _cue(every: Sequence[Case], vectors: Sequence[NDArray[np.float32]]) -> cue.Cue:
    """Of the turns beside all memories: beside few, what they correct may be missing."""
    whole = [place for place, case in enumerate(every) if not case.half.endswith(FEW)]
    return cue.fitted([every[place] for place in whole], [vectors[place] for place in whole])


def _folds(every: Sequence[Case]) -> dict[str, int]:
    groups = sorted({case.group for case in every if _is_fitted_on(case)})
    return {group: place % FOLDS for place, group in enumerate(groups)}


def _with_cues(
    every: Sequence[Case], vectors: Sequence[NDArray[np.float32]], tables: Sequence[Floats]
) -> tuple[list[Case], list[Floats]]:
    """With how likely each turn corrects anything, by weights that were fitted without its conversation."""
    fold, column = _folds(every), FEATURES.index("corrects")
    cases, heard = list(every), [table.copy() for table in tables]
    for number in range(FOLDS):
        known = [place for place, case in enumerate(every) if fold.get(case.group, number) != number]
        weights = _cue([every[place] for place in known], [vectors[place] for place in known])
        for place, case in enumerate(every):
            if fold.get(case.group, 0) == number:
                logit = weights.of(case, vectors[place])
                cases[place] = replace(case, said=replace(case.said, cue=logit))
                heard[place][:, column] = logit
    return cases, heard


def _cross_validated(every: Sequence[Case], tables: Sequence[Floats]) -> list[Floats]:
    """Logits by weights that were fitted without the case's conversation."""
    fold = _folds(every)
    found: list[Floats] = [np.zeros(0)] * len(every)
    for number in range(FOLDS):
        known = [place for place, case in enumerate(every) if fold.get(case.group, number) != number]
        bias, weights = _fitted([every[place] for place in known], [tables[place] for place in known])
        for place, case in enumerate(every):
            if fold.get(case.group, 0) == number:
                is_compared = is_worth_comparing(case.said)
                found[place] = _table(tables[place]) @ weights + (bias if is_compared else -np.inf)
    return found


def _write(bias: float, weights: Floats) -> None:
    size = len(FEATURES)
    named = zip(FEATURES, weights[:size].tolist(), strict=True)
    linear = "".join(f"    {weight:.5g},  # {name}\n" for name, weight in named)
    square = base64.b64encode(weights[size:].astype("<f4").tobytes()).decode()
    lines = "".join(f'    "{square[start : start + 112]}"\n' for start in range(0, len(square), 112))
    _FILE.write_text(
        '"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""\n\n'
        f"BIAS = {bias:.5g}\nLINEAR = (\n{linear})\nSQUARE = (\n{lines})\n"
        '"""Of the products of two features, row by row, as float32 in base64."""\n',
        encoding="utf-8",
    )


def _print(every: Sequence[Case], logits: Sequence[Floats]) -> None:
    table = Table(title="Linked corrections, of all; wrongly marked memories (the present line: *)")
    table.add_column("")
    for line in LINES:
        table.add_column(f"{line:g}{'*' if line == LEAST_LIKELY else ''}", justify="right")
    for half in dict.fromkeys(case.half for case in every):
        own = [(case, logit) for case, logit in zip(every, logits, strict=True) if case.half == half]
        row = [_counted(own, line) for line in LINES]
        table.add_row(half, *row)
        if half in ("choosing", "confirming"):
            for kind in dict.fromkeys(case.kind for case, _ in own):
                some = [pair for pair in own if pair[0].kind == kind]
                table.add_row(
                    f"  {kind} ({len(some)})", *(str(sum(logit[0] >= line for _, logit in some)) for line in LINES)
                )
    Console().print(table)


def _counted(own: Sequence[tuple[Case, Floats]], line: float) -> str:
    labelled = sum(len(case.right) for case, _ in own)
    linked = [(case, place) for case, logit in own for place in chosen(logit, line)]
    right = sum(place in case.right for case, place in linked)
    wrong = sum(place not in case.right | case.unlabelled for case, place in linked)
    return f"{right / labelled:.3f} {wrong}" if labelled else str(wrong)


if __name__ == "__main__":
    main()
