"""The figures of a set by the committed weights of what helps, and the logistic regressions that fit these weights."""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from benchmarks.helpfulness.candidates import JudgedTurn, ReadTurn
from benchmarks.labelled import HALVES
from remembrancer.domain.ranking import fitted, helpfulness
from remembrancer.domain.ranking.helpfulness import LINES, MOST, Signals, TurnEvidence

Floats = NDArray[np.float64]
Sets = Mapping[str, Sequence[JudgedTurn]]

LIKELY_ON = ("hotel", "silence", "dialogues")
NEED_ON = (*LIKELY_ON, "chats", "turns without need")
READ_ON = ("silence", "hotel", "chats")
BUDGET = 2_000
RIDGE = 10.0
"""Ridge on the weights of a candidate's standardised figures."""
NEED_RIDGE = 1.0
"""Ridge on the weights of a turn's standardised figures."""
VECTOR_RIDGE = 0.5
"""Ridge on the weights of a turn's vector, whose length is one."""
MISSED = 1.5
"""How often a turn that needs a memory counts as one that needs none: silence costs more than a few tokens."""
LEAST_WORDS = 0.6
"""How many rare words of a turn a memory without a vector has at least (`LexicalScores.information`)."""
FOLDS = 5
_STEPS = 30
_FILE = Path(fitted.__file__)


@dataclass(frozen=True, slots=True)
class Likely:
    """A bias, the weights of each figure (n,), and of their products (n, n), of which the upper half counts."""

    bias: float
    linear: Floats
    square: Floats


@dataclass(frozen=True, slots=True)
class Need:
    """Of this embedding model: the bias and the weights of a turn's vector (1 + dimensions,), and those of the fields
    of `TurnEvidence` that `need` weighs (7,).
    """

    model: str
    vector: Floats
    weights: Floats


def likely(sets: Sets) -> Likely:
    """Fitted over all candidates of the turns for choosing that need a memory; it needs all of `LIKELY_ON`. A turn
    counts by the root of its set's number of turns less, so that no set decides alone.
    """
    of_set = {name: [turn for turn in _for_choosing(sets[name]) if turn.needed] for name in LIKELY_ON}
    chosen = [turn for turns in of_set.values() for turn in turns]
    share = [len(turns) ** -0.5 for turns in of_set.values() for _ in turns]
    figures = np.concatenate([_signals(turn).figures(_evidence(turn)) for turn in chosen])
    first, second = np.triu_indices(figures.shape[1])
    table = np.column_stack([figures, figures[:, first] * figures[:, second]])
    right = np.concatenate([turn.right for turn in chosen]).astype(np.float64)
    weight = np.concatenate([np.full(len(turn.right), one) for turn, one in zip(chosen, share, strict=True)])
    bias, weights = regression(table, right, weight / weight.mean(), RIDGE)
    size = figures.shape[1]
    square = np.zeros((size, size))
    square[first, second] = weights[size:]
    return Likely(bias, weights[:size], square)


def need(sets: Sets, alone: Sequence[ReadTurn], model: str) -> Need:
    """Fitted on the turns for choosing that this model can judge; it needs all of `NEED_ON`.

    The vector's weights are fitted on the turns that stand `alone` and on those of `READ_ON`; each of
    these has for the other fit what the vector says when it was fitted without its fifth.
    """
    read = [*alone, *(turn.read for name in READ_ON for turn in sets[name])]
    by_text = {turn.text: turn for turn in read if turn.half == HALVES[0] and helpfulness.is_english(turn.text)}
    texts = sorted(by_text)
    vectors = np.array([by_text[text].vector for text in texts], np.float64)
    needs = np.array([by_text[text].needs_memory for text in texts], np.float64)
    vector = _of_vectors(vectors, needs)
    fold = np.random.default_rng(0).integers(0, FOLDS, len(texts))
    asks = dict.fromkeys(texts, 0.0)
    for left_out in range(FOLDS):
        bias, *weights = _of_vectors(vectors[fold != left_out], needs[fold != left_out])
        for place in np.flatnonzero(fold == left_out):
            asks[texts[place]] = float(vectors[place] @ weights + bias)
    rows, right, weight = [], [], []
    for name in NEED_ON:
        for needed in (False, True):
            turns = [turn for turn in _for_choosing(sets[name]) if bool(turn.needed) == needed]
            turns = [turn for turn in turns if helpfulness.is_english(turn.text)]
            turns += [new for turn in turns if (new := _not_embedded(turn)) is not None]
            rows += [
                _features(turn, asks.get(turn.text, float(turn.vector @ vector[1:] + vector[0]))) for turn in turns
            ]
            right += [float(needed)] * len(turns)
            weight += [max(len(turns), 1) ** -0.5] * len(turns)
    wanted, shares = np.array(right), np.array(weight)
    for side, share in ((wanted == 0.0, 1.0), (wanted == 1.0, MISSED)):
        shares[side] *= share * len(wanted) / 2 / shares[side].sum()
    table = np.array(rows, np.float64)
    bias, of_fields = regression(table, wanted, shares, NEED_RIDGE)
    while of_fields.min() < 0:
        # More of any evidence never makes a need less likely.
        table[:, of_fields < 0] = 0.0
        bias, of_fields = regression(table, wanted, shares, NEED_RIDGE)
    return Need(model, vector, np.array([bias, *of_fields]))


def write(likely: Likely, need: Need) -> None:
    """Replaces those in the engine's file."""
    text = _FILE.read_text(encoding="utf-8")
    rows = "".join(f"    ({_listed(row)}),\n" for row in likely.square)
    coded = base64.b64encode(need.vector.astype("<f2").tobytes()).decode()
    lines = "".join(f'    "{coded[start : start + 108]}"\n' for start in range(0, len(coded), 108))
    for name, value in (
        ("MODEL", f'"{need.model}"'),
        ("NEED", f"({_listed(need.weights)})"),
        ("VECTOR", f"(\n{lines})"),
        ("BIAS", f"{likely.bias:.5g}"),
        ("LINEAR", f"({_listed(likely.linear)})"),
        ("SQUARE", f"(\n{rows})"),
    ):
        text, count = re.subn(rf"^{name} = (\(\n(?:.|\n)*?^\)|.*)$", f"{name} = {value}", text, flags=re.MULTILINE)
        assert count == 1, name
    _FILE.write_text(text, encoding="utf-8")


def figures(turns: Sequence[JudgedTurn], thoroughness: str) -> Sequence[str]:
    """Turns with need, evidence, precision, tokens and memories of these, and the sum of their probabilities by the
    number that is right; tokens of the others, and how many are silent.
    """
    shown = [(turn, *_injected(turn, thoroughness)) for turn in turns]
    needing = [(turn, rows, probability) for turn, rows, probability in shown if turn.needed]
    idle = [turn.tokens[rows].sum() for turn, rows, _ in shown if not turn.needed]
    row = ["", "", "", "", "", ""]
    if needing:
        evidence = fmean(min(1.0, turn.right[rows].sum() / turn.needed) for turn, rows, _ in needing)
        precision = fmean(turn.right[rows].mean() if len(rows) else 0.0 for turn, rows, _ in needing)
        tokens = fmean(turn.tokens[rows].sum() for turn, rows, _ in needing)
        memories = fmean(len(rows) for _, rows, _ in needing)
        promised = sum(probability[rows].sum() for _, rows, probability in needing)
        kept = sum(int(turn.right[rows].sum()) for turn, rows, _ in needing)
        row = [str(len(needing)), f"{evidence:.3f}", f"{precision:.3f}", f"{tokens:.0f}", f"{memories:.1f}"]
        row.append(f"{promised / kept:.2f}" if kept else "")
    return [*row, *([f"{fmean(idle):.1f}", f"{fmean(one == 0 for one in idle):.3f}"] if idle else ["", ""])]


def _injected(turn: JudgedTurn, thoroughness: str) -> tuple[NDArray[np.intp], Floats]:
    """The rows from the line on that fit the budget, likeliest first, and the probability of each candidate."""
    evidence = _evidence(turn)
    likely = _signals(turn).likely(evidence)
    helps = helpfulness.in_prompt(evidence, likely)
    best = np.lexsort((-likely, -helps))[: np.count_nonzero(helps >= LINES[thoroughness])][: MOST.get(thoroughness)]
    return best[np.cumsum(turn.tokens[best]) <= BUDGET], evidence.need * likely


def _for_choosing(turns: Sequence[JudgedTurn]) -> Sequence[JudgedTurn]:
    return [turn for turn in turns if turn.half == HALVES[0]]


def _evidence(turn: JudgedTurn) -> TurnEvidence:
    return _signals(turn).evidence(turn.text, turn.vector, fitted.MODEL)


def _not_embedded(turn: JudgedTurn) -> JudgedTurn | None:
    """The turn as it is while the vectors of what it needs are not yet made; None where no word finds these."""
    if not turn.needed or turn.lexical[turn.right].max(initial=0.0) * turn.information < LEAST_WORDS:
        return None
    return replace(turn, dense=np.where(turn.right, 0.0, turn.dense))


def _features(turn: JudgedTurn, asks: float) -> Sequence[float]:
    evidence = _evidence(turn)
    return evidence.cosine, evidence.margin, evidence.words, evidence.named, evidence.own, asks


def _signals(turn: JudgedTurn) -> Signals:
    return Signals(turn.dense, turn.lexical, turn.subject, turn.relative, turn.tokens, turn.information)


def regression(table: Floats, right: Floats, weight: Floats, ridge: float) -> tuple[float, Floats]:
    """Bias and weights of least loss, with this ridge on the weights of the standardised columns."""
    mean, deviation = table.mean(axis=0), table.std(axis=0)
    deviation[deviation < 1e-9] = 1.0
    bias, *scaled = plain_regression((table - mean) / deviation, right, weight, ridge)
    weights = np.array(scaled) / deviation
    return float(bias - weights @ mean), weights


def _of_vectors(vectors: Floats, needs: Floats) -> Floats:
    return plain_regression(vectors, needs, np.ones(len(needs)), VECTOR_RIDGE)


def plain_regression(columns: Floats, right: Floats, weight: Floats, ridge: float) -> Floats:
    """Bias and weights of least loss, by Newton's method; the bias is not shrunk."""
    table = np.column_stack([np.ones(len(columns)), columns])
    shrinking = np.full(table.shape[1], ridge)
    shrinking[0] = 0.0
    beta = np.zeros(table.shape[1])

    def loss(beta: Floats) -> float:
        logit = table @ beta
        return float((weight * (np.logaddexp(0, logit) - right * logit)).sum() + (shrinking * beta**2).sum() / 2)

    before = loss(beta)
    for _ in range(_STEPS):
        likely = helpfulness.logistic(table @ beta)
        curve = (table * (weight * likely * (1 - likely))[:, None]).T @ table + np.diag(shrinking)
        step = np.linalg.solve(curve, table.T @ (weight * (likely - right)) + shrinking * beta)
        while (after := loss(beta - step)) > before and np.abs(step).max() > 1e-6:
            step /= 2
        beta = beta - step
        if before - after < 1e-5 * before:
            break
        before = after
    return beta


def _listed(numbers: Floats) -> str:
    return ", ".join(f"{number:.5g}" if number else "0.0" for number in numbers.tolist())
