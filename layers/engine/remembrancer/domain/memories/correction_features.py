"""How likely a turn corrects a memory: a logistic function over features of the pair, fitted on labelled conversations.

The features compare what the turn says with the memory, and with the other memories that it may be about: how near both
are in meaning, which words and values they share, which value, name or negation differs, who speaks, what was said just
before, and whether the turn corrects anything at all (`correction_cue`). The weights are written by
`python -m benchmarks.corrections --fit` (docs/capture.md, Corrections).
"""

import base64
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.capture import selection
from remembrancer.domain.memories import correction_weights, correction_words
from remembrancer.domain.memories.corrected_clauses import differing, has_both, nearest_number
from remembrancer.domain.memories.correction_reading import PERSONS, Parsed, Reading, reading

Floats = NDArray[np.float64]

FEATURES = (
    "cosine", "nearest", "shared", "most shared", "overlap", "left out", "added", "value", "unit", "both values",
    "name", "negation", "wrong", "cue", "change", "question", "elsewhere", "person", "addition", "length", "clauses",
    "assistant's memory", "assistant", "answer", "statement", "goes on",
    "sentence", "nearest sentence", "clause", "nearest clause", "before", "most before", "value before",
    "session", "number", "corrects",
)  # fmt: skip
"""The columns of `features`. `nearest …` and `most …` compare a memory with the best of the others; `elsewhere`: the
turn speaks of another time, supposes or quotes; `goes on`: the memory is of one of the last turns, and no words of a
correction stand in this one; `before`: what the turn before has in common with the memory; `session`: the memory is of
the same session; `number`: how near another number of the turn is to one of the memory's.
"""
_OVER_OTHERS = (
    ("cosine", "nearest"),
    ("shared", "most shared"),
    ("sentence", "nearest sentence"),
    ("clause", "nearest clause"),
    ("before", "most before"),
)
MOST_SHARED = 3.0
MOST_WORDS = 5
"""Of what is left out or added: more says no more."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a turn says; `text` is without its speaker. `is_statement`: it would be kept by itself; `is_answer`: the
    turn before it asks something. `before` is the text of that turn, `cue` the logit that this one corrects anything.
    """

    text: str
    is_assistant: bool = False
    is_statement: bool = True
    is_answer: bool = False
    before: str = ""
    cue: float = 0.0


@dataclass(frozen=True, slots=True)
class Similarity:
    """Cosines of a turn with a memory: of both as wholes, of the nearest sentence and clause, and of the whole turn
    with the nearest clause.
    """

    whole: float
    sentence: float
    clause: float


@dataclass(frozen=True, slots=True)
class Known:
    """A memory beside what is said. `is_near`: it was said just before, `is_of_session`: in the same session."""

    content: Parsed
    similarity: Similarity
    is_near: bool = False
    is_of_session: bool = False


def likelihoods(said: Said, known: Sequence[Known]) -> Floats:
    """(n,): how likely the text corrects each of these memories, as logits."""
    figures = features(said, known)
    logits: Floats = correction_weights.BIAS + ((figures @ _SQUARE + _LINEAR) * figures).sum(axis=1)
    return logits


def features(said: Said, known: Sequence[Known]) -> Floats:
    """(n, len(FEATURES)): what the weights weigh."""
    if not known:
        return np.zeros((0, len(FEATURES)))
    text, before = reading(said.text), reading(said.before)
    frequency = Counter(word for one in known for word in one.content.whole.everything)
    cues = [
        pattern.search(text.text) is not None
        for pattern in (correction_words.WRONG, correction_words.CUE, correction_words.CHANGE)
    ]
    of_text = [
        *cues,
        text.text.rstrip().endswith("?"),
        (correction_words.EXCLUDED.search(text.text) or selection.QUOTED.search(said.text)) is not None,
    ]
    goes_on = not (cues[0] or cues[1])
    pairs = [_pair(text, one.content, frequency, len(known)) for one in known]
    rows = [
        [
            one.similarity.whole,
            0.0,
            pair[0],
            0.0,
            *pair[1:],
            *of_text,
            bool(text.words & PERSONS - one.content.whole.words),
            correction_words.ADDITION.search(text.text) is not None,
            math.log1p(len(text.everything)),
            math.log(len(one.content.clauses)),
            one.content.text.startswith("Assistant: "),
            said.is_assistant,
            said.is_answer,
            said.is_statement,
            one.is_near and goes_on,
            one.similarity.sentence,
            0.0,
            one.similarity.clause,
            0.0,
            max(_weighed(before.words & clause.words, frequency, len(known)) for clause in one.content.clauses),
            0.0,
            not _values(before).isdisjoint(_values(one.content.whole)),
            one.is_of_session,
            nearest_number(text, one.content.whole),
            said.cue,
        ]
        for one, pair in zip(known, pairs, strict=True)
    ]
    figures = np.array(rows, np.float64)
    for own, over in _OVER_OTHERS:
        figures[:, FEATURES.index(over)] = _over_others(figures[:, FEATURES.index(own)])
    for bounded in ("shared", "before"):
        column = FEATURES.index(bounded)
        figures[:, column] = np.minimum(figures[:, column], MOST_SHARED)
    return figures


def _weighed(common: frozenset[str], frequency: Counter[str], count: int) -> float:
    """Words in common, each by how few of the memories have it; a word that one of them has weighs about 1."""
    return sum(math.log1p(count / (frequency[word] + 0.5)) for word in common) / math.log1p(count / 1.5)


def _values(read: Reading) -> set[str]:
    return {token.text for _, token in read.values}


def _pair(said: Reading, content: Parsed, frequency: Counter[str], count: int) -> tuple[float, ...]:
    """The features from `shared` to `negation` without `most shared`, for the clause that has most in common."""
    return max(
        (_of_clause(said, clause, content.whole, frequency, count) for clause in content.clauses), key=_in_common
    )


def _of_clause(
    said: Reading, clause: Reading, whole: Reading, frequency: Counter[str], count: int
) -> tuple[float, ...]:
    common = said.words & clause.words
    surely, unit = _value(said, clause)
    return (
        _weighed(common, frequency, count),
        len(common) / max(1, len(said.words | clause.words)),
        min(len(clause.words - said.words), MOST_WORDS),
        min(len(said.everything - whole.everything), MOST_WORDS),
        surely,
        surely * unit,
        has_both(said, clause),
        bool(said.names - whole.words) and bool(clause.names - said.words),
        said.is_negative != clause.is_negative,
    )


def _in_common(pair: tuple[float, ...]) -> float:
    shared, _, _, _, value, unit, both, name, _ = pair
    return shared + value + unit + 2 * both + 0.5 * name


def _value(said: Reading, clause: Reading) -> tuple[float, bool]:
    found = differing(said, clause)
    return (0.0, False) if found is None else found[1:]


def _over_others(values: Floats) -> Floats:
    """(n,): by how much each exceeds the best of the others; 0 takes their place where there are none."""
    if len(values) == 1:
        return values
    best, second = np.sort(values)[::-1][:2]
    over: Floats = values - np.where(np.arange(len(values)) == values.argmax(), second, best)
    return over


_SIZE = len(FEATURES)
_SQUARE = np.zeros((_SIZE, _SIZE))
_SQUARE[np.triu_indices(_SIZE)] = np.frombuffer(base64.b64decode(correction_weights.SQUARE), "<f4")
_LINEAR = np.array(correction_weights.LINEAR)
