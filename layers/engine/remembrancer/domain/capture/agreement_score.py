"""How surely a sentence of the assistant settles something that the user accepts: a logistic function.

Its figures are the words of the sentence and of the user's answer with their pairs, whether the user said the same
before or asked for it, and where the sentence stands. `python -m benchmarks.agreements --fit` fits the weights.
"""

import re
from collections.abc import Iterator, Sequence

from remembrancer.domain.capture import selection, word_figures
from remembrancer.domain.capture.agreement_weights import BIAS, WEIGHTS

QUESTION, OFFER, STATEMENT = "q", "o", "s"
MOST_WORDS = 12
"""Words of an answer that are looked at."""
_FEW = 4
_LONG = 20
_OFFERING = frozenset(("can", "could", "would", "shall", "may", "might"))
_PAST = frozenset(("was", "were", "had", "did", "yesterday", "ago", "built", "published", "began"))
_GENERAL = frozenset((
    "should", "recommend", "suggest", "advise", "usually", "generally", "typically", "often", "most", "people",
    "consider", "ideally", "if", "unless", "average", "normally", "maybe", "perhaps", "common", "considered", "sollten",
    "empfehle", "devriez", "conseille", "deberías", "recomiendo",
))  # fmt: skip
"""Words of advice, and of what is so for everybody."""
_NUMBER = re.compile(r"\d+(?:[.:,]\d+)*")


def score(sentences: Sequence[str], place: int, before: Sequence[str], answer: str | None) -> float:
    """The logit for the sentence at this place of its turn.

    `before` are the user's turns before it, `answer` is the first sentence of the next; None where there is none yet.
    """
    return BIAS + sum(WEIGHTS.get(figure, 0.0) for figure in set(figures(sentences, place, before, answer)))


def waits(sentence: str) -> bool:
    """Whether it is a question or an offer, which settles nothing before the user answers."""
    return _mood(sentence, word_figures.tokens(sentence)) != STATEMENT


def offers(sentence: str) -> bool:
    """Whether it has a word of offers, whether it asks or not."""
    return not _OFFERING.isdisjoint(word_figures.tokens(sentence))


def _mood(sentence: str, words: Sequence[str]) -> str:
    if selection.is_marked(sentence):
        return QUESTION
    return STATEMENT if _OFFERING.isdisjoint(words) else OFFER


def figures(sentences: Sequence[str], place: int, before: Sequence[str], answer: str | None) -> Iterator[str]:
    """The figures of the sentence at this place, some more than once."""
    sentence = sentences[place]
    words = word_figures.tokens(sentence)
    mood = _mood(sentence, words)
    yield from word_figures.pairs(words, of="s")
    yield f"f {mood}"
    yield f"f of {min(len(sentences), 5)}"
    if not word_figures.FIGURES.isdisjoint(words):
        yield "f figure"
    if not _PAST.isdisjoint(words):
        yield "f past"
    if not _GENERAL.isdisjoint(words):
        yield "f general"
    if len(words) < _FEW:
        yield "f short"
    if len(words) > _LONG:
        yield "f long"
    if place == 0:
        yield "f first"
    if place == len(sentences) - 1:
        yield "f last"
    elif selection.is_marked(sentences[-1]) and mood != QUESTION:
        yield "f before question"
    yield from _known(sentence, words, before)
    yield from _answered(sentences, mood, answer)


def _known(sentence: str, words: Sequence[str], before: Sequence[str]) -> Iterator[str]:
    """What the user has said or asked before."""
    last = before[-1] if before else ""
    numbers = _numbers(sentence)
    if numbers and numbers <= {number for text in before for number in _numbers(text)}:
        yield "f said"
    if numbers and numbers <= _numbers(last):
        yield "f said last"
    if days := word_figures.days(sentence):
        yield "f day said" if days <= word_figures.days(last) else "f day new"
    there = set(word_figures.stems(word_figures.tokens(last)))
    own = word_figures.stems(words)
    if own and 2 * sum(stem in there for stem in own) >= len(own):
        yield "f repeats"
    if "?" in last[-3:]:
        yield "f asked"


def _answered(sentences: Sequence[str], mood: str, answer: str | None) -> Iterator[str]:
    """What the user says to it; the first word counts apart for questions, offers and statements."""
    if answer is None:
        yield from ("a none", f"{mood} none")
        return
    words = word_figures.tokens(answer)
    yield from word_figures.pairs(words[:MOST_WORDS], of="a")
    yield from (f"{mood} {word}" for word in words[:1])
    kind = selection.kind(answer)
    yield from (f"a {kind}", f"{mood} {kind}")
    said = {stem for one in sentences for stem in word_figures.stems(word_figures.tokens(one))}
    traits = {
        "short": len(words) <= _FEW,
        "long": len(words) > MOST_WORDS,
        "shares": not said.isdisjoint(stem for stem in word_figures.stems(words) if len(stem) > _FEW),
    }
    for trait, is_so in traits.items():
        if is_so:
            yield from (f"a {trait}", f"{mood} {trait}")


def _numbers(text: str) -> set[str]:
    return {number.replace(".", ":") for number in _NUMBER.findall(text)}
