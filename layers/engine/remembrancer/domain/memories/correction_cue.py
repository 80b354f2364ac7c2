"""How likely a turn corrects something that was said, whatever that is: by its words, and by its meaning.

A logistic function of the turn's words and their pairs, its length, the end of the turn before, and the turn's vector
where the packaged model made that.
`python -m benchmarks.corrections FOLDER --fit` writes the weights.
"""

import base64
import itertools

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.capture import word_figures
from remembrancer.domain.memories import correction_cue_weights, correction_words
from remembrancer.domain.memories.correction_features import Said

LEAST = -3.0
"""The logit below which a turn corrects nothing. Of the corrections of unknown writers .97 are above it."""
_EDGE = 3
"""Words at the beginning and the end of a turn that count once more."""
_WORDS_AT_A_TIME, _MOST_LENGTH = 4, 6
"""A turn's length is counted in fours of words, up to six."""
_BEFORE = 12
"""Words at the end of the turn before: a long answer says no more than a short one."""


def cue(said: Said, *, vector: NDArray[np.float32] | None, model: str) -> float:
    """How likely the turn corrects anything, as a logit. `vector` is its vector of this embedding model, which counts
    for the packaged model alone.
    """
    logit = correction_cue_weights.BIAS + sum(correction_cue_weights.WORDS.get(one, 0.0) for one in figures(said))
    if vector is None or model != correction_cue_weights.MODEL:
        return logit
    return logit + float(vector @ _VECTOR)


def figures(said: Said) -> frozenset[str]:
    """The words that weigh, with classes for numbers, days and names, and pairs of them, side by side or with one word
    between; the first word tells who speaks. With them, how long the turn is, which of the known kinds of words of a
    correction it has, and the last words of the turn before.
    """
    spoken = word_figures.tokens(said.text)
    words = ["assistant:" if said.is_assistant else "user:", *spoken]
    return frozenset(
        (
            *words,
            *(" ".join(pair) for pair in itertools.pairwise(words)),
            *(f"{first} … {second}" for first, second in zip(spoken, spoken[2:], strict=False)),
            *(f"^ {word}" for word in spoken[:_EDGE]),
            *(f"{word} $" for word in spoken[-_EDGE:]),
            f"length {min(len(spoken) // _WORDS_AT_A_TIME, _MOST_LENGTH)}",
            *(kind for kind, pattern in _KINDS.items() if pattern.search(said.text)),
            *(f"before {word}" for word in word_figures.tokens(said.before)[-_BEFORE:] or ("nothing",)),
        )
    )


def is_worth_comparing(said: Said) -> bool:
    """Whether a turn is compared with memories: it is likely enough to correct one, or has words of a correction."""
    return said.cue >= LEAST or any(_KINDS[kind].search(said.text) for kind in ("<wrong>", "<cue>"))


_KINDS = {
    "<wrong>": correction_words.WRONG,
    "<cue>": correction_words.CUE,
    "<change>": correction_words.CHANGE,
    "<excluded>": correction_words.EXCLUDED,
}
_VECTOR = np.frombuffer(base64.b64decode(correction_cue_weights.VECTOR), "<f2").astype(np.float32)
