"""How likely a turn corrects something that was said, whatever that is: by its words, and by its meaning.

A logistic function of the turn's words and pairs of words, with its vector where the packaged model made that.
`python -m benchmarks.corrections FOLDER --fit` writes the weights.
"""

import base64
import itertools

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.capture import word_figures
from remembrancer.domain.memories import correction_cue_weights, correction_words

LEAST = -3.0
"""The logit below which a turn corrects nothing. Of the corrections in conversations of ours .993 are above it."""


def cue(text: str, *, is_assistant: bool, vector: NDArray[np.float32] | None, model: str) -> float:
    """How likely the text corrects anything, as a logit. `vector` is its vector of this embedding model, which counts
    for the packaged model alone.
    """
    logit = correction_cue_weights.BIAS + sum(
        correction_cue_weights.WORDS.get(one, 0.0) for one in figures(text, is_assistant=is_assistant)
    )
    if vector is None or model != correction_cue_weights.MODEL:
        return logit
    return logit + float(vector @ _VECTOR)


def figures(text: str, *, is_assistant: bool) -> frozenset[str]:
    """The words and pairs of words that weigh, with classes for numbers, days and names; the first word tells who
    speaks. With them, which of the known kinds of words of a correction the text has.
    """
    names = ["assistant:" if is_assistant else "user:", *word_figures.tokens(text)]
    kinds = [kind for kind, pattern in _KINDS.items() if pattern.search(text)]
    return frozenset((*names, *kinds)).union(" ".join(pair) for pair in itertools.pairwise(names))


def is_worth_comparing(text: str, logit: float) -> bool:
    """Whether a turn's text with this logit is compared with memories: it is likely enough, or has words of a
    correction.
    """
    return logit >= LEAST or any(_KINDS[kind].search(text) for kind in ("<wrong>", "<cue>"))


_KINDS = {
    "<wrong>": correction_words.WRONG,
    "<cue>": correction_words.CUE,
    "<change>": correction_words.CHANGE,
    "<excluded>": correction_words.EXCLUDED,
}
_VECTOR = np.frombuffer(base64.b64decode(correction_cue_weights.VECTOR), "<f2").astype(np.float32)
