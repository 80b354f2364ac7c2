"""How surely a sentence of a user's reply to an assistant says what is worth a memory: a logistic function.

Its figures are what the rules of `selection` make of the sentence, its words with their pairs, how long it is, and what
the assistant said before. `python -m benchmarks.replies --fit` fits the weights.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from remembrancer.domain.capture import lasting, selection, word_figures
from remembrancer.domain.capture.reply_weights import BIAS, WEIGHTS

LIKELY = -1.0
"""The score from which a sentence is worth a memory: dropping what was stated is worse than keeping small talk."""
MOST_ASKED = 2000
"""Characters at the end of the assistant's turn that are looked at."""
_LENGTHS = (1, 2, 3, 4, 6, 8, 11, 15, 20)
_MEANINGS = (0, 1, 2, 3, 4, 6)
_LONG = 6
_OWN = frozenset((
    "i", "i'm", "i've", "i'll", "i'd", "my", "we", "our", "us", "me", "we're", "we've", "ich", "wir", "mein", "meine",
    "je", "j'ai", "mon", "ma", "nous", "yo", "mi",
))  # fmt: skip
_OTHERS = frozenset((
    "he", "she", "they", "his", "her", "their", "he's", "she's", "they're", "er", "sie", "il", "elle",
))  # fmt: skip

_OPEN = frozenset((
    "what", "what's", "which", "who", "who's", "whose", "when", "where", "how", "was", "welche", "welcher", "welches",
    "welchen", "wer", "wann", "wo", "wie", "quel", "quelle", "quels", "quelles", "qui", "quand", "où", "combien",
    "comment", "qué", "cuál", "cuáles", "quién", "cuándo", "dónde", "cuántos", "cuántas", "cómo",
))  # fmt: skip
_CLOSED = frozenset((
    "shall", "should", "would", "will", "can", "could", "may", "do", "does", "did", "is", "are", "have", "has", "want",
    "else", "ok", "okay", "right", "soll", "sollen", "darf", "kann", "können", "möchten", "wollen", "ist", "sind",
    "haben", "sonst", "dois", "puis", "voulez", "veux", "est", "avez", "souhaitez", "puedo", "quiere", "quieres",
    "tiene", "es", "lo", "más",
))  # fmt: skip
"""Words of questions that ask for assent; a question with none of these, in any language, asks for something."""
_OFFERED = frozenset(("help", "assist", "helfen", "aider", "ayudar", "aiutare"))
"""Words of questions for what the assistant is to do: "How can I help?"."""


def says_something(text: str, asked: str, names: Collection[str] = ()) -> bool:
    """Whether a sentence of the reply is worth a memory. `asked` is the assistant's turn before it, `names` are those
    of the speakers, in lower case.
    """
    sentences = read(text)
    return any(
        BIAS + sum(WEIGHTS.get(figure, 0.0) for figure in set(one)) >= LIKELY
        for one in figures(sentences, asked, names)
    )


def read(text: str) -> list[str]:
    """The sentences of a reply that are scored: without blank ones."""
    return [sentence for sentence in selection.sentences_of(text) if sentence.strip()]


def figures(sentences: Sequence[str], asked: str, names: Collection[str] = ()) -> Iterator[Sequence[str]]:
    """Those of each sentence, some more than once."""
    asked = asked[-MOST_ASKED:]
    words = word_figures.tokens(asked)
    before = "none" if not words else _question(selection.last_question(asked)) or "statement"
    has_figure, known = not word_figures.FIGURES.isdisjoint(words), frozenset(word_figures.stems(words))
    for place, sentence in enumerate(sentences):
        own = word_figures.tokens(sentence)
        kind = selection.kind(sentence, names)
        found = [*_own(own, names), f"k {kind}", f"p {before}", f"p {before} {kind}", f"f of {min(len(sentences), 4)}"]
        if lasting.is_lasting(sentence):
            found.append("f lasting")
        if place in (0, len(sentences) - 1):
            found.append("f last" if place else "f first")
        if before == "statement" and has_figure:
            found.append("p figure")
        if before == "statement" and not word_figures.FIGURES.isdisjoint(own):
            found.append("p own figure")
        stems = word_figures.stems(own)
        shared = sum(stem in known for stem in stems)
        found += ["p shares"] * (shared > 0) + ["p repeats"] * (shared > 0 and 2 * shared >= len(stems))
        yield found


def _question(question: str) -> str:
    """Whether it asks for something, or for assent; empty where there is none."""
    words = word_figures.tokens(question)
    is_open = (not _OPEN.isdisjoint(words) or _CLOSED.isdisjoint(words)) and _OFFERED.isdisjoint(words)
    return ("open" if is_open else "closed") if words else ""


def _own(words: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """The figures of the sentence's own words, whatever was said before it."""
    yield from word_figures.pairs(words, of="s")
    length = sum(word[0].isalnum() or word[0] in "@<#" for word in words)
    yield from (f"f words {most}" for most in _at_most(length, _LENGTHS))
    meaning = selection.meaning_words([word for word in words if word[0].isalpha()], names)
    yield from (f"f meaning {most}" for most in _at_most(meaning, _MEANINGS))
    if not word_figures.FIGURES.isdisjoint(words):
        yield "f figure"
    if word_figures.NAME in words:
        yield "f name"
    if not _OWN.isdisjoint(words):
        yield "f own"
    if not _OTHERS.isdisjoint(words):
        yield "f others"
    if any(word[0].islower() and len(word) > _LONG for word in words):
        yield "f long word"


def _at_most(count: int, steps: Sequence[int]) -> Iterator[int]:
    """The steps that are not below the count."""
    return takewhile(lambda step: step >= count, reversed(steps))
