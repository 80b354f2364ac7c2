"""How surely a sentence wishes something to be forgotten or not to be kept: a logistic function of its words.

Its figures are the words and their pairs, and what the words do (`wish_words`): which classes the sentence has, which
follow each other, which stand somewhere before others, and whether something is done to what is known.
`python -m benchmarks.wishes --fit` fits the weights.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from remembrancer.domain.capture import word_figures
from remembrancer.domain.capture.wish_weights import BIAS, WEIGHTS
from remembrancer.domain.capture.wish_words import CONTENT, Token

SURE = -0.25
"""The score from which a sentence is a wish, if it does something to what is known."""
CLEAR = 1.0
"""The score from which any sentence is one."""
POSSIBLE = -0.8
"""The score from which it may be one."""
BESIDE = -3.0
"""The score from which a sentence that does something to what is known belongs to a sure wish beside it."""
WITHOUT_ACT = 3.0
"""How much less sure a sentence is in which nothing is done to what is known: there its words alone decide, which other
people use in other ways. With a third of it four times as many turns of public dialogues reach the line.
"""
WORTH_READING = -7.0
"""The score from which a turn is read as a whole: a fifth of the turns, and all but 0.3 % of the wishes found then."""
READ_WORDS, READ_TURN, READ_BOTH = 0.38, 0.65, 0.5
"""A turn that was read scores so much of its words' score, so much of the reader's logit, and so much more:
`python -m benchmarks.wishes.reader` fits them.
"""
MOST_SURE = 8.0
"""Scores and logits beyond this, for or against a wish, count as this."""
ACTS = "acts"
"""The figure of a sentence that does something to what is known."""
MOST_WORDS = 24
"""Sentences with more count as equally long."""
_REQUESTED = frozenset(
    ("please", "ask", "you", ",", "and", "filler", "not", "should", "last", "again", "let", "from", "mind", "for", "it")
)
"""What stands before a verb by which something is asked for; at the beginning nothing does."""
_NEAR = 5
"""So many words back a verb is denied, or something is said to be done to the object."""
_UNORDERED = frozenset(("the", "be", "and", ",", "for", "again", "they", "always"))
"""Classes that count only where they stand side by side with others."""


def score(text: str, tokens: Sequence[Token]) -> float:
    """How surely a sentence, with its tokens, is a wish: the logit, less where nothing is done to what is known."""
    found = set(figures(text, [token.name for token in tokens]))
    logit = BIAS + sum(WEIGHTS.get(figure, 0.0) for figure in found)
    return logit if ACTS in found else logit - WITHOUT_ACT


def changed_by(read: float, score: float) -> float:
    """By how much the score of a turn changes when a reader has read it."""
    words, turn = (min(max(one, -MOST_SURE), MOST_SURE) for one in (score, read))
    return READ_WORDS * words + READ_TURN * turn + READ_BOTH - score


def may_wish(names: Sequence[str]) -> bool:
    """Whether the assistant may be asked here to do something to what is known, or not to keep it."""
    if any(name in ("forget", "forgot") and _reminds(names[:place]) for place, name in enumerate(names)):
        return False
    there = frozenset(names)
    return any(
        _ACTS[name](_Place(names[:place], names[place + 1 :], there))
        for place, name in enumerate(names)
        if name in _ACTS
    )


def _reminds(before: Sequence[str]) -> bool:
    """Whether forgetting is denied: "don't forget", "not to forget", "don't let me forget"."""
    last = list(before[-2:])
    return last[-1:] in (["not"], ["didn't"], ["let"]) or last in (["not", "from"], ["let", "me"], ["not", "you"])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a class stands: those before and behind it, and all of the sentence."""

    before: Sequence[str]
    behind: Sequence[str]
    there: frozenset[str]

    def has(self, *names: str) -> bool:
        return not self.there.isdisjoint(names)

    def is_behind(self, *names: str) -> bool:
        """Whether one of these stands near before it."""
        return not set(names).isdisjoint(self.before[-_NEAR:])

    @property
    def is_denied(self) -> bool:
        return self.is_behind("not", "stop", "didn't")

    @property
    def is_requested(self) -> bool:
        """Whether a verb here asks for something. In "books can take you away" somebody else can; "a way to clear my
        mind" and "what did you take away" ask for nothing.
        """
        before = list(self.before)
        if before[-3:] == ["from", CONTENT, "and"]:
            del before[-2:]
        if before[-2:] in ([CONTENT, "ask"], [CONTENT, "from"]) or before in _ASKED:
            return False
        return not before or before[-1] in _REQUESTED

    @property
    def is_of_others(self) -> bool:
        """Whether the one who forgets, loses or remembers is not the assistant: "I lose", "he wants me to forget",
        "ich habe … vergessen". In "can we forget that?" it is.
        """
        last = list(self.before[-2:])
        is_other = last[-1:] in (["i"], ["they"], ["always"]) and last[:1] != ["ask"]
        is_wondered = list(self.before[-3:]) == ["ask-word", "ask", "i"]
        return is_other or is_wondered or last in _TO_OTHERS or "have" in self.before

    @property
    def is_of_speaker(self) -> bool:
        """Whether the user says in the same clause that they do this: "I figured I'd try them out with my family"."""
        has_content = False
        for name in reversed(self.before):
            if name == "i":
                return has_content
            if name in _REQUESTING:
                return False
            has_content = has_content or name == CONTENT
        return False


def _keeps(at: _Place) -> bool:
    clause = itertools.takewhile(lambda name: name != ",", at.behind[:_NEAR])
    is_denied = at.is_denied or (at.is_requested and not {"not", "out"}.isdisjoint(clause))
    return not at.is_of_others and is_denied


def _moves(at: _Place) -> bool:
    """In "I have been" and "have you tried it out" nothing is moved."""
    is_auxiliary = at.behind[:1] in (["be"], ["you"])
    is_away = "out" in at.behind[:_NEAR] or "memory" in at.behind
    return is_away and at.is_requested and not is_auxiliary and not at.is_of_others


_ASKED = (["what", CONTENT, "you"], ["ask-word", CONTENT, "you"])
_REQUESTING = frozenset((",", "you", "please", "want", "should", "let", "ask", "wish", "be"))
_TO_OTHERS = (
    ["want", "from"],
    ["me", "from"],
    ["i", "not"],
    ["they", "not"],
    ["it", "not"],
    ["i", "didn't"],
    ["i", "ask"],
)
_ACTS: Mapping[str, Callable[[_Place], bool]] = {
    "delete": lambda at: True,
    "unrecorded": lambda at: True,
    "unheard": lambda at: at.is_behind("you"),
    "forget": lambda at: not at.is_of_others,
    "remove": lambda at: at.is_requested and not at.is_of_others and not at.is_of_speaker,
    "move": _moves,
    "keep": _keeps,
    "kept": lambda at: at.is_denied,
    "mention": lambda at: at.is_denied,
    "memory": lambda at: not {"not", "stop", "didn't"}.isdisjoint(at.before),
    "said": lambda at: list(at.before[-2:]) in (["i", "not"], ["i", "didn't"]),
    "gone": lambda at: at.has("memory", "said") or not {"should", "ask", "want", "please", "let"}.isdisjoint(at.before),
    "forgot": lambda at: at.has("please", "ask") or at.is_behind("should", "let"),
    "go": lambda at: at.before[-1:] == ["ask"] and at.has("thing", "said", "memory"),
    "regret": lambda at: at.has("said", "mention"),
    "pretend": lambda at: at.has("said", "unheard", "gone", "forgot", "not", "forget"),
    "secret": lambda at: at.has("please", "go"),
    "dismiss": lambda at: at.has("please", "said", "memory", "secret"),
}
"""When each of these classes does something to what is known, or may."""


def figures(text: str, names: Sequence[str]) -> Iterator[str]:
    """The figures of a sentence with these classes, some more than once."""
    words = word_figures.tokens(text)
    yield from word_figures.pairs(words, of="w")
    yield f"of {min(len(words), MOST_WORDS) // 4}"
    if may_wish(names):
        yield ACTS
    yield from _classes(names)


def _classes(names: Sequence[str]) -> Iterator[str]:
    """Classes, pairs and triples that follow each other, and ordered pairs with others between them."""
    run = [
        "^",
        *(name for place, name in enumerate(names) if name != CONTENT or names[place - 1 : place] != [CONTENT]),
        "$",
    ]
    yield from run[1:-1]
    yield from (" ".join(pair) for pair in itertools.pairwise(run))
    yield from (" ".join(triple) for triple in zip(run, run[1:], run[2:], strict=False))
    ordered = [name for name in run[1:-1] if name not in _UNORDERED]
    yield from (f"{before} > {after}" for before, after in itertools.combinations(ordered, 2))
