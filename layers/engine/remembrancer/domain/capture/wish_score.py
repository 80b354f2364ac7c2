"""How surely a sentence wishes something to be forgotten or not to be kept: a logistic function of what stands in it.

Figures are the classes of its words, which of these follow each other or stand before others, the words themselves,
what the turn says beside it, and its length; `python -m benchmarks.wishes --fit` fits the weights.
"""

import itertools
from collections.abc import Iterator, Sequence

from remembrancer.domain.capture.wish_weights import BIAS, WEIGHTS
from remembrancer.domain.capture.wish_words import CONTENT, NUMBER, QUOTED, Token

SURE = 1.0
"""The score from which a sentence is a wish."""
POSSIBLE = -0.5
"""The score from which it may be one."""
BESIDE = 0.0
"""The score from which a sentence beside a sure wish belongs to it."""
_UNORDERED = frozenset(("the", "be", "and", ",", "for", "again", "they", "always"))
"""Classes that count only where they stand side by side with others."""
_MARKS = frozenset((",", "?", QUOTED))
_OF_SENTENCE, _OF_TURN, _MOST_STEPS = 4, 6, 6
"""Words in a step of the length of a sentence and of its turn, and the last step."""


def score(sentence: Sequence[Token], others: Sequence[Sequence[Token]] = ()) -> float:
    """The logit; `others` are the other sentences of its turn."""
    return BIAS + sum(WEIGHTS.get(figure, 0.0) for figure in frozenset(figures(sentence, others)))


def figures(sentence: Sequence[Token], others: Sequence[Sequence[Token]]) -> Iterator[str]:
    """Words have a `=` before them, and what other sentences have a `~`."""
    names = [token.name for token in sentence]
    run = [name for place, name in enumerate(names) if name != CONTENT or names[place - 1 : place] != [CONTENT]]
    ordered = [name for name in run if name not in _UNORDERED]
    words = [_word(token) for token in sentence if token.name not in _MARKS]
    yield from run
    yield from (" ".join(pair) for pair in itertools.pairwise(("^", *run, "$")))
    yield from (f"{before} > {after}" for before, after in itertools.combinations(ordered, 2))
    yield from words
    yield from (" ".join(pair) for pair in itertools.pairwise(("^", *words, "$")))
    for other in others:
        for token in other:
            yield f"~{token.name}"
            if token.name not in _MARKS:
                yield f"~{_word(token)}"
    if not others:
        yield "alone"
    yield f"words {min(len(sentence) // _OF_SENTENCE, _MOST_STEPS)}"
    yield f"~words {min((len(sentence) + sum(map(len, others))) // _OF_TURN, _MOST_STEPS)}"


def _word(token: Token) -> str:
    return "=#" if token.name == NUMBER else f"={token.text.lower()}"
