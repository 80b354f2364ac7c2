"""Fits the score of sentences by which an assistant settles something, on labelled conversations.

`sentences.txt` has what conversations with shops and offices have little of: a user's turn, a sentence of the assistant
(`+` settled, `-` not: facts, advice, other languages), and the user's answer.

`python -m benchmarks.agreements` prints how many agreements are kept, and how many look-alikes are not, by weights
that were fitted without their conversation; `--fit` writes weights fitted on all.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks import listed_weights
from local.evaluation import conversations, outcomes
from local.evaluation.conversations import Conversation, Label
from remembrancer.domain.capture import agreement_score, agreement_weights, agreements

CONVERSATIONS = ("chosen", "fresh", "training")
SENTENCES = "sentences"
FOLDS = 8
RIDGE = 3.0
FEWEST = 3
"""Sentences that have a figure of which the weight is fitted."""
MOST = 900
"""Figures with a weight: those that move the scores most."""
OTHERS = 0.3
"""How much a sentence counts in a turn without a label, which may settle something in passing."""
ALIKE = 1.5
REJECTED = 2.0
UNANSWERED = 0.3
"""How much a turn counts a second time, as it is before the user answers."""
_FILE = Path(__file__).parents[1] / "conversations"


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of an assistant with the user's turns around it, its agreements, and what it only looks like."""

    part: str
    group: str
    text: str
    before: tuple[str, ...]
    following: str | None
    agreed: tuple[Label, ...] = ()
    alike: frozenset[str] = field(default_factory=frozenset)

    @property
    def counts(self) -> float:
        """How much its sentences count in the fit."""
        if self.agreed or not self.alike:
            return 1.0 if self.agreed else OTHERS
        return REJECTED if "rejected" in self.alike else ALIKE


@dataclass(frozen=True, slots=True)
class Weights:
    """A bias, and the weight of each figure."""

    bias: float
    of: Mapping[str, float]

    def score(self, figures: frozenset[str]) -> float:
        """How surely a sentence with these figures settles something, as a logit."""
        return self.bias + sum(self.of.get(one, 0.0) for one in figures)


def every() -> list[Said]:
    """All turns of assistants in the conversations that may be fitted on, and the sentences."""
    read = conversations.read([_FILE / f"{part}.txt" for part in CONVERSATIONS])
    return [*(said for one in read for said in _turns(one)), *_sentences()]


def _sentences() -> Iterator[Said]:
    lines = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        before, said, following = (part.strip() for part in line.split("|"))
        label = Label("agree", "", words=(said[2:].rstrip("."),))
        is_agreed = said.startswith("+")
        yield Said(
            SENTENCES,
            f"{SENTENCES} {number // 6}",
            said[2:],
            (before,) if before else (),
            following,
            (label,) if is_agreed else (),
            frozenset() if is_agreed else frozenset(("sentence",)),
        )


def _turns(one: Conversation) -> Iterator[Said]:
    turns = list(one.turns.values())
    for place, turn in enumerate(turns):
        if turn.role != "assistant":
            continue
        own = [label for label in one.labels if label.turn == turn.id]
        same = [other for other in turns[:place] if other.session == turn.session and other.role == "user"]
        after = [other.text for other in turns[place + 1 : place + 2] if other.session == turn.session]
        yield Said(
            one.half,
            one.name,
            turn.text,
            tuple(other.text for other in same),
            after[0] if after and turns[place + 1].role == "user" else None,
            tuple(label for label in own if label.act in ("agree", "correct") and not label.kind),
            frozenset(label.kind for label in own if label.act == "agree" and label.kind),
        )


@cache
def rows(said: Said, following: str | None) -> Sequence[tuple[frozenset[str], bool]]:
    """The figures of each sentence, and whether it has words of an agreement."""
    sentences, answer = agreements.heard(said.text, following)
    found = []
    for place, sentence in enumerate(sentences):
        is_agreed = any(outcomes.has(sentence, [word]) for label in said.agreed for word in label.words)
        found.append((frozenset(agreement_score.figures(sentences, place, said.before, answer)), is_agreed))
    return found


def fitted(turns: Sequence[Said]) -> Weights:
    """Logistic regression with a ridge; each turn as it is with and without the user's answer."""
    listed: list[tuple[frozenset[str], float, float]] = []
    for said in turns:
        listed += [(one, float(is_agreed), said.counts) for one, is_agreed in rows(said, said.following)]
        listed += [(one, float(is_agreed), UNANSWERED * said.counts) for one, is_agreed in rows(said, None)]
    counted = Counter(figure for one, _, _ in listed for figure in one)
    names = sorted(name for name, count in counted.items() if count >= FEWEST)
    figures = [one for one, _, _ in listed]
    wanted = np.array([one for _, one, _ in listed])
    counts = np.array([one for _, _, one in listed])
    rows_of_all = listed_weights.Rows(figures, names)
    _, weights = listed_weights.regression(rows_of_all, wanted, counts, RIDGE)
    names = listed_weights.most(rows_of_all, weights, names, MOST)
    bias, weights = listed_weights.regression(listed_weights.Rows(figures, names), wanted, counts, RIDGE)
    return Weights(round(bias, 2), {name: round(float(one), 2) for name, one in zip(names, weights, strict=True)})


def crossed(turns: Sequence[Said]) -> Iterator[tuple[Said, str]]:
    """Each turn with what of it is kept in the end, by weights that were fitted without its conversation."""
    groups = sorted({said.group for said in turns})
    fold = {group: place % FOLDS for place, group in enumerate(np.random.default_rng(0).permutation(groups).tolist())}
    for number in range(FOLDS):
        weights = fitted([said for said in turns if fold[said.group] != number])
        yield from ((said, kept(said, weights)) for said in turns if fold[said.group] == number)


def kept(said: Said, weights: Weights) -> str:
    """What is kept of a turn: first without the user's answer, then with it."""

    def text(following: str | None) -> str:
        alone, scores = ([weights.score(one) for one, _ in rows(said, after)] for after in (None, following))
        sentences, answer = agreements.heard(said.text, following)
        return agreements.standing(sentences, alone, scores, answer)

    at_once = text(None)
    if said.following is None:
        return at_once
    answered = text(said.following)
    return at_once if at_once and answered else answered


def report(found: Sequence[tuple[Said, str]]) -> Iterator[str]:
    """By part: agreements of which the words are kept; look-alikes and other turns that are left alone."""
    for part in (*CONVERSATIONS, SENTENCES, ""):
        own = [(said, text) for said, text in found if part in ("", said.part)]
        labels = [(label.act, outcomes.has(text, label.words)) for said, text in own for label in said.agreed]
        alike = [(kind, not text) for said, text in own for kind in said.alike]
        rest = [not text for said, text in own if not said.agreed and not said.alike]
        kinds = sorted({kind for kind, _ in alike})
        yield (
            f"{part or 'all':<9} agreements {_share(right for act, right in labels if act == 'agree')}, "
            f"settled anew {_share(right for act, right in labels if act == 'correct')}; left alone: "
            f"look-alikes {_share(right for _, right in alike)}, other turns {_share(rest)}"
        )
        if not part:
            yield "; ".join(f"{kind} {_share(right for other, right in alike if other == kind)}" for kind in kinds)


def _share(right: Iterator[bool] | Sequence[bool]) -> str:
    listed = list(right)
    return f"{sum(listed) / len(listed):.3f} of {len(listed)}" if listed else "none"


def write(weights: Weights) -> None:
    """Replaces the weights in the engine's file."""
    listed_weights.write(Path(agreement_weights.__file__), weights.bias, weights.of)
