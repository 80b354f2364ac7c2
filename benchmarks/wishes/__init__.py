"""Fits the score of sentences that wish something to be forgotten, on sentences and conversations with labels.

`sentences.txt` has sentences of users in groups: `+` wishes, `-` others, many of which look like wishes. Beside them
stand the labelled sentences of the tests, five sets of conversations, messages of friends, and other sets' texts, of
which none is a wish: without many of these, long friendly sentences were taken for wishes.
`python -m benchmarks.wishes` prints how well groups are told by weights that were fitted without them; `--fit` writes
weights fitted on all.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks import labelled, listed_weights, logistic
from benchmarks.logistic import Weights
from local.evaluation import conversations
from remembrancer.domain.capture import wish_score, wish_weights, wish_words, wishes

FOLDS = 8
RIDGE = 1.5
MOST = 3000
"""Figures with a weight: those that move the scores most."""
WISHED = 2.0
"""A wish counts so many times in the fit: one that is missed becomes a memory, and a false one waits for a person."""
_ROOT = Path(__file__).parents[1]
_TESTS = _ROOT.parent / "tests" / "data"
_TURNS = (
    "turns/turns.tsv",
    "follow_ups/conversations.tsv",
    "silence/needed.tsv",
    "silence/unneeded.tsv",
    "chats/topics.tsv",
    "precision/memories.tsv",
    "precision/questions.tsv",
    "whose/memories.tsv",
    "whose/questions.tsv",
    "follow_ups/memories.tsv",
    "follow_ups/hotel.tsv",
    "quality/memories.jsonl",
    "languages/german.jsonl",
    "languages/spanish.jsonl",
)
CONVERSATIONS = ("chosen", "fresh", "training", "further", "plain")


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a group whose turns are fitted together or not at all, and whether it wishes something forgotten.
    `before` is the turn before it.
    """

    part: str
    group: str
    text: str
    is_wish: bool
    before: str = ""


def every() -> list[Said]:
    """All labelled turns: of the file here, the tests, other sets, and the conversations."""
    return [*_sentences(), *_tests(), *_others(), *_conversations()]


def _sentences() -> Iterator[Said]:
    for part, file in (
        ("sentences", Path(__file__).parent / "sentences.txt"),
        ("friends", _ROOT / "chats" / "friends.txt"),
    ):
        for group, lines in labelled.groups(file):
            yield from (Said(part, f"{part} {group}", line[2:], line[0] == "+") for line in lines)


def _tests() -> Iterator[Said]:
    for name in ("wishes.jsonl", "capture_turns.jsonl", "standing_instructions.jsonl"):
        for number, line in enumerate((_TESTS / name).read_text(encoding="utf-8").splitlines()):
            said = json.loads(line)
            if said["text"] != "Forget what I said.":
                yield Said("tests", f"{name} {number // 20}", said["text"], said["want"] == "wish")


def _others() -> Iterator[Said]:
    for name in _TURNS:
        for number, line in enumerate((_ROOT / name).read_text(encoding="utf-8").splitlines()):
            fields = json.loads(line).values() if name.endswith(".jsonl") else line.split("\t")
            for text in fields:
                if isinstance(text, str) and len(text.split()) > 2:
                    yield Said("other sets", f"{name} {number // 30}", text, False)


def _conversations() -> Iterator[Said]:
    """The users' turns; what assistants say wishes nothing, but answers to wishes have their words."""
    for part in CONVERSATIONS:
        for one in conversations.read([_ROOT / "conversations" / f"{part}.txt"]):
            wished = {label.turn for label in one.labels if label.act == "forget" and not label.kind}
            for last, turn in pairwise(("", *one.turns)):
                said = one.turns[turn]
                is_later = last and one.turns[last].session == said.session
                if said.role == "user":
                    yield Said(part, one.name, said.text, turn in wished, one.turns[last].text if is_later else "")
                elif last not in wished:
                    yield Said("not users", one.name, said.text, False)


@cache
def figures(text: str) -> Sequence[frozenset[str]]:
    """The figures of each sentence that is scored."""
    return [
        frozenset(wish_score.figures(one, [token.name for token in wish_words.tokens(one)]))
        for one in wishes.parts(text)
    ]


def fitted(turns: Sequence[Said]) -> Weights:
    """Logistic regression with a ridge. Of a wish with several sentences, the one that is a wish most surely counts."""
    rows = [(place, one) for place, said in enumerate(turns) for one in figures(said.text)]
    of_turn = np.array([place for place, _ in rows])
    wished = np.array([turns[place].is_wish for place, _ in rows], dtype=np.float64)
    counted = Counter(figure for _, one in rows for figure in one)
    names = sorted(name for name, count in counted.items() if count >= logistic.FEWEST)
    sentences = [one for _, one in rows]
    table = logistic.Rows(sentences, names)
    sizes = np.bincount(of_turn)[of_turn]
    counts = np.where(wished > 0, WISHED / sizes, 1.0)
    bias, weights = 0.0, np.zeros(len(names))
    for step in range(3):
        bias, weights = logistic.regression(table, wished, counts, RIDGE)
        score = table.times(weights) + bias
        counts = np.where(wished > 0, 0.0, 1.0)
        for place in np.unique(of_turn[wished > 0]):
            own = np.flatnonzero(of_turn == place)
            counts[own[score[own].argmax()]] = WISHED
        if step == 1:
            names = logistic.strongest(table, weights, names, MOST)
            table = logistic.Rows(sentences, names)
    return Weights(round(bias, 2), {name: round(float(one), 2) for name, one in zip(names, weights, strict=True)})


def _score(said: Said, weights: Weights) -> float:
    """Of the turn's sentence that is a wish most surely; where nothing is done to what is known, a score that is not
    clear is at most a possible one.
    """
    return max((_of_sentence(weights.score(one), one) for one in figures(said.text)), default=-np.inf)


def _of_sentence(logit: float, sentence: frozenset[str]) -> float:
    if wish_score.ACTS in sentence:
        return logit
    logit -= wish_score.WITHOUT_ACT
    return logit if logit >= wish_score.CLEAR else min(logit, wish_score.SURE - 0.01)


def crossed(turns: Sequence[Said]) -> list[tuple[Said, float]]:
    """Each turn with its score by weights that were fitted without its group."""
    scored: dict[int, float] = {}
    groups = sorted({said.group for said in turns})
    fold = {group: place % FOLDS for place, group in enumerate(np.random.default_rng(0).permutation(groups).tolist())}
    for number in range(FOLDS):
        weights = fitted([said for said in turns if fold[said.group] != number])
        own = [place for place, said in enumerate(turns) if fold[said.group] == number]
        scored |= {place: _score(turns[place], weights) for place in own}
    return [(said, scored[place]) for place, said in enumerate(turns)]


def _count(scores: Sequence[float], line: float) -> int:
    return sum(score >= line for score in scores)


def report(scored: Sequence[tuple[Said, float]]) -> Iterator[str]:
    """By part: wishes that are found surely and possibly, and others that are taken for one."""
    for part in dict.fromkeys(said.part for said, _ in scored):
        own = [(said.is_wish, score) for said, score in scored if said.part == part]
        wished, others = [one for is_wish, one in own if is_wish], [one for is_wish, one in own if not is_wish]
        yield (
            f"{part:<12} wishes {len(wished):>4}: sure {_count(wished, wish_score.SURE):>4}, "
            f"possible {_count(wished, wish_score.POSSIBLE):>4}; others {len(others):>5}: "
            f"sure {_count(others, wish_score.SURE):>3}, possible {_count(others, wish_score.POSSIBLE):>3}"
        )


def write(weights: Weights) -> None:
    """Replaces the weights in the engine's file."""
    listed_weights.write(Path(wish_weights.__file__), weights.bias, weights.of)
