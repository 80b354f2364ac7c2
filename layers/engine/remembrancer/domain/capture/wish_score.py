"""How surely a sentence wishes something to be forgotten or not to be kept: a logistic function of its words' classes.

Only sentences in which something is done to what is known are scored. Figures are which classes the sentence has,
which follow each other, and which stand somewhere before others; `python -m benchmarks.wishes --fit` fits the weights.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from remembrancer.domain.capture.wish_weights import BIAS, WEIGHTS
from remembrancer.domain.capture.wish_words import CONTENT, Token

SURE = 0.0
"""The score from which a sentence is a wish."""
POSSIBLE = -1.5
"""The score from which it may be one."""
BESIDE = -3.0
"""The score from which a sentence beside a sure wish belongs to it."""
_ACTS = frozenset(("forget", "delete", "remove", "secret", "unrecorded", "unheard", "pretend"))
_ACTS_WITH = (
    ("not", frozenset(("keep", "kept", "said", "mention", "memory"))),
    ("stop", frozenset(("keep", "know", "mention"))),
    ("didn't", frozenset(("said", "keep", "kept"))),
    ("keep", frozenset(("out",))),
    ("move", frozenset(("out", "memory"))),
    ("gone", frozenset(("memory", "said", "thing", "should", "ask", "want", "please", "let"))),
    ("memory", frozenset(("said", "go", "want"))),
    ("forgot", frozenset(("said", "please", "should", "let", "want", "be"))),
    ("regret", frozenset(("said", "mention", "know", "please"))),
    ("dismiss", frozenset(("please", "said", "memory", "secret"))),
    ("go", frozenset(("thing", "said", "memory"))),
)
_REMINDING = (["not"], ["didn't"], ["let"])
"""What turns forgetting into a reminder."""
_OTHERS = (["i"], ["they"], ["always"])
_TO_OTHERS = (["want", "from"], ["me", "from"], ["i", "not"], ["they", "not"], ["i", "didn't"], ["i", "ask"])
_OF_OTHERS = frozenset(("forget", "remove", "keep"))
_UNORDERED = frozenset(("the", "be", "and", ",", "for", "again", "they", "always"))
"""Classes that count only where they stand side by side with others."""


def score(sentence: Sequence[Token]) -> float | None:
    """The logit; None for a sentence that does nothing to what is known."""
    names = [token.name for token in sentence]
    if not may_wish(names):
        return None
    return BIAS + sum(WEIGHTS.get(figure, 0.0) for figure in set(figures(names)))


def may_wish(names: Sequence[str]) -> bool:
    """Whether something may be done here to what is known."""
    there: set[str] = set()
    for place, name in enumerate(names):
        before = names[max(place - 2, 0) : place]
        if before[-1:] in _REMINDING and name in ("forget", "forgot"):
            return False
        if name not in _OF_OTHERS or not _is_of_others(before, is_told="have" in names[:place]):
            there.add(name)
    if "move" in there and "out" in names and names.index("move") > len(names) - 1 - names[::-1].index("out"):
        there.remove("move")
    return not there.isdisjoint(_ACTS) or any(
        one in there and not there.isdisjoint(others) for one, others in _ACTS_WITH
    )


def _is_of_others(before: Sequence[str], *, is_told: bool) -> bool:
    """Whether the one who forgets, loses or remembers is not the assistant: "I lose", "he wants me to forget",
    "ich habe … vergessen". In "can we forget that?" it is.
    """
    return (before[-1:] in _OTHERS and before[:1] != ["ask"]) or before in _TO_OTHERS or is_told


def figures(names: Sequence[str]) -> Iterator[str]:
    """Classes, pairs and triples that follow each other, and ordered pairs with others between them."""
    run = [
        "^",
        *(name for place, name in enumerate(names) if name != CONTENT or names[place - 1 : place] != [CONTENT]),
        "$",
    ]
    yield from run[1:-1]
    yield from (" ".join(pair) for pair in pairwise(run))
    yield from (" ".join(triple) for triple in zip(run, run[1:], run[2:], strict=False))
    ordered = [name for name in run[1:-1] if name not in _UNORDERED]
    yield from (f"{before} > {after}" for before, after in combinations(ordered, 2))
