"""The figures of a set by the weights of what helps, and the ridge regression that fits those of `likely`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from benchmarks.helpfulness.candidates import JudgedTurn
from benchmarks.labelled import HALVES
from remembrancer.domain.ranking import fitted as committed_weights
from remembrancer.domain.ranking import helpfulness
from remembrancer.domain.ranking.helpfulness import LINES, MOST, Signals

Floats = NDArray[np.float64]

FITTED_ON = ("hotel", "silence", "dialogues")
BUDGET = 2_000
RIDGE = 10.0
"""On the weights of standardised figures."""
_STEPS = 15
_FILE = Path(committed_weights.__file__)


@dataclass(frozen=True, slots=True)
class Weights:
    """Of `likely`: a bias, of each figure (n,), and of their products (n, n), of which the upper half counts."""

    bias: float
    linear: Floats
    square: Floats


def committed() -> Weights:
    """The weights in the engine's file `fitted.py`."""
    return Weights(committed_weights.BIAS, np.array(committed_weights.LINEAR), np.array(committed_weights.SQUARE))


def fitted(sets: Mapping[str, Sequence[JudgedTurn]]) -> Weights:
    """The logistic regression over all candidates of the turns for choosing that need a memory; it needs all of
    `FITTED_ON`. A turn counts by the root of its set's number of turns less, so that no set decides alone.
    """
    of_set = {name: [turn for turn in sets[name] if turn.needed and turn.half == HALVES[0]] for name in FITTED_ON}
    chosen = [turn for turns in of_set.values() for turn in turns]
    share = [len(turns) ** -0.5 for turns in of_set.values() for _ in turns]
    figures = np.concatenate([_figures(turn) for turn in chosen])
    first, second = np.triu_indices(figures.shape[1])
    table = np.column_stack([figures, figures[:, first] * figures[:, second]])
    right = np.concatenate([turn.right for turn in chosen]).astype(np.float64)
    weight = np.concatenate([np.full(len(turn.right), one) for turn, one in zip(chosen, share, strict=True)])
    bias, weights = regression(table, right, weight / weight.mean(), RIDGE)
    size = figures.shape[1]
    square = np.zeros((size, size))
    square[first, second] = weights[size:]
    return Weights(bias, weights[:size], square)


def write(weights: Weights) -> None:
    """Replaces those in the engine's file."""
    text = _FILE.read_text(encoding="utf-8")
    rows = "".join(f"    ({_listed(row)}),\n" for row in weights.square)
    for name, value in (
        ("BIAS", f"{weights.bias:.5g}"),
        ("LINEAR", f"({_listed(weights.linear)})"),
        ("SQUARE", f"(\n{rows})"),
    ):
        text, count = re.subn(rf"^{name} = (\(\n(?:.|\n)*?^\)|.*)$", f"{name} = {value}", text, flags=re.MULTILINE)
        assert count == 1, name
    _FILE.write_text(text, encoding="utf-8")


def figures(turns: Sequence[JudgedTurn], weights: Weights, thoroughness: str) -> Sequence[str]:
    """Turns with need, evidence, precision, tokens and memories of these, and the sum of their probabilities by the
    number that is right; tokens of the others, and how many are silent.
    """
    shown = [(turn, _injected(turn, weights, thoroughness)) for turn in turns]
    needing = [(turn, rows) for turn, rows in shown if turn.needed]
    idle = [turn.tokens[rows].sum() for turn, rows in shown if not turn.needed]
    row = ["", "", "", "", "", ""]
    if needing:
        evidence = fmean(min(1.0, turn.right[rows].sum() / turn.needed) for turn, rows in needing)
        precision = fmean(turn.right[rows].mean() if len(rows) else 0.0 for turn, rows in needing)
        tokens = fmean(turn.tokens[rows].sum() for turn, rows in needing)
        memories = fmean(len(rows) for _, rows in needing)
        promised = sum(_probability(turn, weights)[rows].sum() for turn, rows in needing)
        kept = sum(int(turn.right[rows].sum()) for turn, rows in needing)
        row = [str(len(needing)), f"{evidence:.3f}", f"{precision:.3f}", f"{tokens:.0f}", f"{memories:.1f}"]
        row.append(f"{promised / kept:.2f}" if kept else "")
    return [*row, *([f"{fmean(idle):.1f}", f"{fmean(one == 0 for one in idle):.3f}"] if idle else ["", ""])]


def _injected(turn: JudgedTurn, weights: Weights, thoroughness: str) -> NDArray[np.intp]:
    """The rows from the line on that fit the budget, likeliest first."""
    evidence, likely = _likely(turn, weights)
    helps = helpfulness.in_prompt(evidence, likely)
    best = np.lexsort((-likely, -helps))[: np.count_nonzero(helps >= LINES[thoroughness])][: MOST.get(thoroughness)]
    return best[np.cumsum(turn.tokens[best]) <= BUDGET]


def _probability(turn: JudgedTurn, weights: Weights) -> Floats:
    evidence, likely = _likely(turn, weights)
    return evidence.need * likely


def _likely(turn: JudgedTurn, weights: Weights) -> tuple[helpfulness.TurnEvidence, Floats]:
    signals = _signals(turn)
    evidence = signals.evidence(turn.text, turn.vector, committed_weights.MODEL)
    table = signals.figures(evidence)
    logit = weights.bias + ((table @ weights.square + weights.linear) * table).sum(axis=1)
    return evidence, helpfulness.logistic(logit)


def _figures(turn: JudgedTurn) -> Floats:
    signals = _signals(turn)
    return signals.figures(signals.evidence(turn.text, turn.vector, committed_weights.MODEL))


def _signals(turn: JudgedTurn) -> Signals:
    return Signals(turn.dense, turn.lexical, turn.subject, turn.relative, turn.tokens, turn.information)


def regression(table: Floats, right: Floats, weight: Floats, shrink: float) -> tuple[float, Floats]:
    """Bias and weights of least loss, by Newton's method, with this ridge on standardised weights; the bias is not
    shrunk.
    """
    mean, deviation = table.mean(axis=0), table.std(axis=0)
    deviation[deviation < 1e-9] = 1.0
    scaled = np.column_stack([np.ones(len(table)), (table - mean) / deviation])
    ridge = np.full(scaled.shape[1], shrink)
    ridge[0] = 0.0
    beta = np.zeros(scaled.shape[1])

    def loss(beta: Floats) -> float:
        logit = scaled @ beta
        return float((weight * (np.logaddexp(0, logit) - right * logit)).sum() + (ridge * beta**2).sum() / 2)

    before = loss(beta)
    for _ in range(_STEPS):
        likely = helpfulness.logistic(scaled @ beta)
        curve = (scaled * (weight * likely * (1 - likely))[:, None]).T @ scaled + np.diag(ridge)
        step = np.linalg.solve(curve, scaled.T @ (weight * (likely - right)) + ridge * beta)
        while (after := loss(beta - step)) > before and np.abs(step).max() > 1e-6:
            step /= 2
        beta = beta - step
        if before - after < 1e-5 * before:
            break
        before = after
    weights = beta[1:] / deviation
    return float(beta[0] - weights @ mean), weights


def _listed(numbers: Floats) -> str:
    return ", ".join(f"{number:.5g}" if number else "0.0" for number in numbers.tolist())
