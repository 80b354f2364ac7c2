"""Which of the found memories help with a turn: whether the turn needs any, and whether it is this one.

Two logistic functions, fitted on labelled turns (docs/adr/0056-few-and-right.md). The first reads what all candidates
say together and, for the embedding model that it was fitted with, the turn's own vector: greetings, small talk and
general knowledge need no memory, whatever is stored. The second compares each candidate with the others.
"""

import base64
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context.reference_words import QUESTION_WORDS
from remembrancer.domain.lexical_index.stop_words import ENGLISH, LANGUAGES
from remembrancer.domain.lexical_index.words import language_of
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.ranking import fitted
from remembrancer.domain.ranking.ownership import is_own

Floats = NDArray[np.float64]

LINES: Mapping[str, float] = {"lean": 0.07, "balanced": 0.043, "thorough": 0.015}
"""The least helpfulness of an injected memory, by thoroughness."""
MOST: Mapping[str, int] = {"lean": 12, "balanced": 34}
"""The most memories of a prompt, by thoroughness, unless the request says how many: the tails of unsure turns are long.
"""
CERTAINTY = 3
"""The power of the turn's need: where that is doubtful, only memories help that are much better than the others."""
QUERY_LINES: Mapping[str, float] = {"lean": 0.04, "balanced": 0.012, "thorough": 0.0015}
"""The least of a memory in a query's answer, of which the caller says how many there are: places do not count."""
MOST_THINGS = 3
"""More things that one turn asks for are counted as so many."""
BACKGROUND = 50
"""The candidates nearest to the turn, whose median cosine is the agent's background."""
FEWEST_CANDIDATES = 10
"""With fewer there is no background to compare with."""
CROWD = 20.0
"""How sharply the crowd of a candidate counts those that are as relevant."""
MOST_CROWDED = -30.0


@dataclass(frozen=True, slots=True)
class TurnEvidence:
    """What the candidates of a turn say together.

    `cosine` is the best similarity, `margin` how far it is above the background; `words` how many rare words of the
    turn the best memory contains (`LexicalScores.information`). `named`: how surely the turn names the subject of a
    memory; `own`: it is about the speaker (my, our; a question with I). `asks` is what the turn's vector says, None
    where it says nothing. `things`: how many things the turn asks for.
    """

    cosine: float
    margin: float
    words: float
    named: float
    own: bool
    asks: float | None = None
    things: int = 1

    @property
    def need(self) -> float:
        """From 0 to 1: how likely the turn needs a memory."""
        weights = fitted.NEED if self.asks is not None else fitted.NEED_WITHOUT_VECTOR
        figures = (1.0, self.cosine, self.margin, self.words, self.named, self.own, self.asks or 0.0)
        logit = sum(weight * figure for weight, figure in zip(weights, figures, strict=True))
        return 1 / (1 + math.exp(-logit))


@dataclass(frozen=True, slots=True)
class Signals:
    """The columns of a turn's candidates, (n,) each: cosine, share of the words, subject named, evidence relative to
    the others, and tokens; `information` says how many rare words the turn has.
    """

    dense: Floats
    lexical: Floats
    subject: Floats
    relative: Floats
    tokens: Floats
    information: float

    @property
    def background(self) -> float:
        """The median cosine of the nearest candidates."""
        return _median(np.sort(self.dense)[::-1][:BACKGROUND])

    def evidence(self, query: str, vector: Vector | None, model: str) -> TurnEvidence:
        """What they say together; `vector` is the turn's, of this embedding model."""
        best = float(self.dense.max())
        return TurnEvidence(
            cosine=best,
            margin=best - self.background,
            words=float(self.lexical.max()) * self.information,
            named=float(self.subject.max()),
            own=is_own(query),
            asks=asks(query, vector, model),
            things=things(query),
        )

    def likely(self, evidence: TurnEvidence) -> Floats:
        """(n,): how likely each is the one that is needed, where one is."""
        figures = self.figures(evidence)
        return logistic(fitted.BIAS + ((figures @ _SQUARE + _LINEAR) * figures).sum(axis=1))

    def figures(self, evidence: TurnEvidence) -> Floats:
        """(n, 9): what `fitted.LINEAR` weighs, in its order."""
        return np.column_stack(
            [
                self.dense - (evidence.cosine - evidence.margin),
                self.lexical * self.information,
                self.subject,
                np.full(len(self.dense), float(evidence.named)),
                self.relative.max() - self.relative,
                _crowd(self.relative),
                np.log(self.tokens + 1),
                np.full(len(self.dense), float(evidence.own)),
                np.full(len(self.dense), evidence.margin),
            ]
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """How likely the turn needs a memory, how much each candidate helps, compared with the others, and how likely each
    is the one that is needed, where one is, (n,) each.
    """

    need: float
    helps: Floats
    likely: Floats

    @property
    def probability(self) -> Floats:
        """(n,): that the turn needs this memory."""
        return self.need * self.likely


def in_prompt(evidence: TurnEvidence, likely: Floats) -> Floats:
    """(n,) in [0, 1]: how much each candidate helps in a prompt, compared with the others; `LINES` cut here. `likely`
    says how likely each is the one that is needed, (n,).

    Where two things are asked for, what is surely about the one must not push out what may be about the other.
    """
    helps = beside_each_other(likely) * evidence.things
    return evidence.need**CERTAINTY * np.minimum(helps, 1.0)


def beside_each_other(likely: Floats) -> Floats:
    """(n,) in [0, 1]: what each adds to those that are likelier, for a turn that surely needs a memory.

    Never less than a less likely one: where that comes in for being beside many, so do those before it.
    """
    likely = _over_best(likely)
    best = np.argsort(-likely, kind="stable")
    # One more memory beside twenty costs a reader less than a second beside the first.
    beside = likely[best] * np.sqrt(np.arange(1, len(likely) + 1))
    helps = np.empty(len(likely))
    helps[best] = np.minimum(np.maximum.accumulate(beside[::-1])[::-1], 1.0)
    return helps


def in_answer(evidence: TurnEvidence, likely: Floats) -> Floats:
    """The same in a query's answer; `QUERY_LINES` cut here. A query is asked on purpose, often with a few words that
    look like a turn without need, so need counts with its first power.
    """
    return evidence.need * _over_best(likely)


def logistic(logit: Floats) -> Floats:
    """(n,): the probabilities of these logits."""
    likely: Floats = 1 / (1 + np.exp(-np.clip(logit, -60, 60)))
    return likely


def asks(query: str, vector: Vector | None, model: str) -> float | None:
    """What the vector of a turn says about its need; None for a model that the weights were not fitted with, and for a
    language that this model does not know.
    """
    if vector is None or model != fitted.MODEL or not is_english(query):
        return None
    return float(vector.astype(np.float64) @ _VECTOR[1:] + _VECTOR[0])


def is_english(query: str) -> bool:
    """By its stop words, and without letters of other scripts than the Latin one."""
    return _OTHER_SCRIPTS.search(query) is None and language_of(query, LANGUAGES) == ENGLISH


def things(query: str) -> int:
    """How many things a turn asks for: "which room do they get, and how do we …?" asks for two."""
    return min(max(len(_ASKED.findall(query)), 1), MOST_THINGS)


def _over_best(likely: Floats) -> Floats:
    return likely / math.sqrt(max(float(likely.max()), 1e-9))


def _crowd(relative: Floats) -> Floats:
    """(n,): the logarithm of each candidate's share of all their evidence: low where many are as relevant."""
    scaled = (relative - relative.max()) * CROWD
    shares: Floats = np.maximum(scaled - np.log(np.exp(scaled).sum()), MOST_CROWDED)
    return shares


def _median(ordered: Floats) -> float:
    """Of sorted values; numpy's own takes ten times as long to find out that they are."""
    middle = len(ordered) // 2
    return float(ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2)


_ASKED = re.compile(
    r"(?:^|[.?!;:,]\s+(?:and\s+|or\s+|but\s+)?|\b(?:and|or)\s+)"
    rf"(?:{'|'.join(sorted(QUESTION_WORDS))})\b",
    re.IGNORECASE,
)
_OTHER_SCRIPTS = re.compile(r"[^\W\d_\u0000-\u024f]")
_LINEAR, _SQUARE = np.array(fitted.LINEAR), np.array(fitted.SQUARE)
_VECTOR = np.frombuffer(base64.b64decode(fitted.VECTOR), "<f2").astype(np.float64)
"""The bias, then a weight for each dimension."""
