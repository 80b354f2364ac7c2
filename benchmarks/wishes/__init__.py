"""Fits the score of sentences that wish something to be forgotten, on sentences and conversations with labels.

`sentences.txt` has sentences of users in groups: `+` wishes, `-` others, many of which look like wishes. Beside them
stand the labelled sentences of the tests, other sets' turns, of which none is a wish, and two sets of conversations.
`python -m benchmarks.wishes` prints how well groups are told by weights that were fitted without them; `--fit` writes
weights fitted on all.
"""

import json
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from local.evaluation import conversations
from remembrancer.domain.capture import selection, wish_score, wish_weights, wish_words

Floats = NDArray[np.floating]

FOLDS = 8
RIDGE = 8.0
FEWEST = 2
"""Sentences that have a figure of which the weight is fitted."""
FIRST, MOST = 1500, 1000
"""Figures that are fitted first, by how much more often wishes have them or others; and figures with a weight: those
that move the scores most.
"""
WISHED = 2.0
"""A wish counts so many times in the fit: one that is missed becomes a memory, and a false one waits for a person."""
_STEPS = 6, 3, 3
"""Of Newton's method: with all sentences of a wish, with its surest one, and with fewer figures."""
_SCALE = 3.0
_ROOT = Path(__file__).parents[1]
_TESTS = _ROOT.parent / "tests" / "data"
_TURNS = (
    "turns/turns.tsv",
    "follow_ups/conversations.tsv",
    "silence/needed.tsv",
    "silence/unneeded.tsv",
    "chats/topics.tsv",
)
CONVERSATIONS = ("chosen", "fresh", "training")


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a group whose turns are fitted together or not at all, and whether it wishes something forgotten.

    `wish` is the part of it that is the wish, where it says something else.
    """

    part: str
    group: str
    text: str
    is_wish: bool
    wish: str = ""


def every() -> list[Said]:
    """All labelled turns: of the file here, the tests, other sets, and the conversations."""
    return [*_sentences(), *_tests(), *_others(), *_conversations()]


def _sentences() -> Iterator[Said]:
    group = ""
    for line in (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            group = line
        elif line:
            yield Said("sentences", group, line[2:], line[0] == "+")


def _tests() -> Iterator[Said]:
    for name in ("wishes.jsonl", "capture_turns.jsonl", "standing_instructions.jsonl"):
        for number, line in enumerate((_TESTS / name).read_text(encoding="utf-8").splitlines()):
            said = json.loads(line)
            if said["text"] != "Forget what I said.":
                yield Said("tests", f"{name} {number // 20}", said["text"], said["want"] == "wish")


def _others() -> Iterator[Said]:
    for name in _TURNS:
        for number, line in enumerate((_ROOT / name).read_text(encoding="utf-8").splitlines()):
            for text in line.split("\t"):
                if len(text.split()) > 2:
                    yield Said("other sets", f"{name} {number // 30}", text, False)


def _conversations() -> Iterator[Said]:
    for part in CONVERSATIONS:
        for one in conversations.read([_ROOT / "conversations" / f"{part}.txt"]):
            wishes = {label.turn: label.wish for label in one.labels if label.act == "forget" and not label.kind}
            for turn in one.turns.values():
                if turn.role == "user":
                    yield Said(part, one.name, turn.text, turn.id in wishes, wishes.get(turn.id, ""))


@dataclass(frozen=True, slots=True)
class Weights:
    """A bias, and the weight of each figure."""

    bias: float
    of: Mapping[str, float]

    def score(self, said: Said) -> float:
        """Of the turn's sentence that is a wish most surely."""
        scores = (self.bias + sum(self.of.get(one, 0.0) for one in row.figures) for row in rows(said))
        return max(scores, default=-np.inf)


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of a turn by its figures; `is_wish` is None where it is not known which sentence is the wish."""

    figures: frozenset[str]
    is_wish: bool | None


@cache
def rows(said: Said) -> Sequence[Row]:
    """The sentences of a turn."""
    texts = list(selection.sentences_of(said.text))
    tokens = [wish_words.tokens(text) for text in texts]
    return [
        Row(
            frozenset(wish_score.figures(tokens[place], tokens[:place] + tokens[place + 1 :])),
            (_overlaps(text, said.wish) if said.wish else None) if said.is_wish else False,
        )
        for place, text in enumerate(texts)
    ]


def _overlaps(text: str, wish: str) -> bool:
    return text.strip(" .!?") in wish or wish.strip(" .!?") in text


def fitted(turns: Sequence[Said]) -> Weights:
    """Logistic regression with a ridge. Where it is not known which sentence of a turn is the wish, the one counts that
    is a wish most surely.
    """
    found = [(place, row) for place, said in enumerate(turns) for row in rows(said)]
    of_turn = np.array([place for place, _ in found])
    is_open = np.array([row.is_wish is None for _, row in found])
    wished: Floats = np.array([float(row.is_wish is not False) for _, row in found])
    counts: Floats = np.where(wished > 0, WISHED, 1.0) / np.where(is_open, np.bincount(of_turn)[of_turn], 1)
    names = _telling([row.figures for _, row in found], wished, counts)
    table = _table([row.figures for _, row in found], names)
    weights = np.zeros(table.shape[1])
    for step, steps in enumerate(_STEPS):
        weights = _regression(table, wished, counts, weights, steps)
        score: Floats = table @ weights
        counts[is_open] = 0.0
        for place in np.unique(of_turn[is_open]):
            own = np.flatnonzero(of_turn == place)
            counts[own[score[own].argmax()]] = WISHED
        if step == 1:
            moves = np.abs(weights[:-1]) * np.sqrt(table[:, :-1].sum(axis=0))
            most = [*sorted(np.argsort(-moves, kind="stable")[:MOST].tolist()), -1]
            names, table, weights = [names[place] for place in most[:-1]], table[:, most], weights[most]
    *own, bias = weights.tolist()
    return Weights(round(bias * _SCALE, 2), {name: round(one, 2) for name, one in zip(names, own, strict=True)})


def _telling(sentences: Sequence[frozenset[str]], wished: Floats, counts: Floats) -> list[str]:
    """The figures that tell most by themselves, in alphabetical order."""
    having: Counter[str] = Counter()
    among: Counter[str] = Counter()
    for one, is_wish, count in zip(sentences, wished.tolist(), counts.tolist(), strict=True):
        having.update(one)
        among.update(dict.fromkeys(one, count * is_wish))
    share = float(counts @ wished / len(sentences))
    telling = {
        name: abs(among[name] - share * count) / np.sqrt(share * count)
        for name, count in having.items()
        if count >= FEWEST
    }
    return sorted(sorted(telling, key=lambda name: (-telling[name], name))[:FIRST])


def _table(sentences: Sequence[frozenset[str]], names: Sequence[str]) -> Floats:
    """A column for each figure, and one for the bias."""
    column = {name: place for place, name in enumerate(names)}
    table = np.zeros((len(sentences), len(names) + 1), np.float32)
    table[:, -1] = _SCALE
    for row, one in enumerate(sentences):
        table[row, [column[name] for name in one if name in column]] = 1.0
    return table


def _regression(table: Floats, wished: Floats, counts: Floats, weights: Floats, steps: int) -> Floats:
    """Newton's method, from these weights on."""
    for _ in range(steps):
        likely = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        curve = np.maximum(counts * likely * (1 - likely), 1e-5)
        slope = table.T @ (counts * (wished - likely)) - RIDGE * weights
        second = (table * curve.astype(table.dtype)[:, None]).T @ table
        weights = weights + np.linalg.solve(second + RIDGE * np.eye(len(weights)), slope)
    return weights


def crossed(turns: Sequence[Said]) -> Iterator[tuple[Said, float]]:
    """Each turn with its score by weights that were fitted without its group."""
    groups = sorted({said.group for said in turns})
    fold = {group: place % FOLDS for place, group in enumerate(np.random.default_rng(0).permutation(groups).tolist())}
    for number in range(FOLDS):
        weights = fitted([said for said in turns if fold[said.group] != number])
        yield from ((said, weights.score(said)) for said in turns if fold[said.group] == number)


def _count(scores: Sequence[float], line: float) -> int:
    return sum(score >= line for score in scores)


def report(scored: Sequence[tuple[Said, float]]) -> Iterator[str]:
    """By part: wishes that are found surely and possibly, and others that are taken for one."""
    for part in dict.fromkeys(said.part for said, _ in scored):
        own = [(said.is_wish, score) for said, score in scored if said.part == part]
        wishes, others = [one for is_wish, one in own if is_wish], [one for is_wish, one in own if not is_wish]
        yield (
            f"{part:<12} wishes {len(wishes):>4}: sure {_count(wishes, wish_score.SURE):>4}, "
            f"possible {_count(wishes, wish_score.POSSIBLE):>4}; others {len(others):>5}: "
            f"sure {_count(others, wish_score.SURE):>3}, possible {_count(others, wish_score.POSSIBLE):>3}"
        )


def write(weights: Weights) -> None:
    """Replaces the weights in the engine's file."""
    path = Path(wish_weights.__file__)
    listed = "; ".join(f"{weight} {name}" for name, weight in sorted(weights.of.items()) if weight)
    rows = "\n".join(
        textwrap.wrap(listed, 116, break_on_hyphens=False, initial_indent="    ", subsequent_indent="    ")
    )
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^BIAS = .*$", f"BIAS = {weights.bias}", text, flags=re.MULTILINE)
    text = re.sub(r'(?s)(_LISTED = """).*?"""', lambda match: f'{match[1]}\n{rows}\n"""', text)
    path.write_text(text, encoding="utf-8")
