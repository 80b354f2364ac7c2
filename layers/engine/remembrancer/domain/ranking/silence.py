"""Whether what was found helps with the turn at all: greetings, small talk and general knowledge need no memory.

Decided from the evidence by a logistic function, whose weights were chosen by measurement
(docs/adr/0037-the-right-context.md).
"""

import math
import re
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.lexical_index.stop_words import ENGLISH, LANGUAGES
from remembrancer.domain.lexical_index.words import language_of

Floats = NDArray[np.float64]

BIAS = -5.9
COSINE_WEIGHT = 8.4
MARGIN_WEIGHT = 3.4
WORDS_WEIGHT = 2.8
NAMED_WEIGHT = 3.4
OWN_WEIGHT = 3.4
SILENT_BELOW = 0.3
SURE_FROM = 0.6
UNSURE_MEMORIES = 3
"""Most memories that are injected where it is unsure whether any helps: the best ones."""
SURE_FLOOR = 0.5
"""The part of the relevance floor that counts where it is sure that memories help: what is relevant to one question is
often not to another with the same score (docs/adr/0042-evidence-before-the-floor.md).
"""
BACKGROUND = 50
"""The candidates nearest to the turn, whose median cosine is the agent's background."""
FEWEST_CANDIDATES = 10
"""With fewer there is no background to compare with: everything above the floor may be injected."""


class Verdict(Enum):
    """How many of the candidates may be injected: all, a few, or none."""

    HELPS = "helps"
    UNSURE = "unsure"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class TurnEvidence:
    """What the candidates of a turn say together.

    `cosine` is the best similarity, `margin` how far it is above the background; `words` how many rare words of the
    turn the best memory contains (`LexicalScores.information`). `named`: the turn names the subject of a memory;
    `own`: it is about the speaker (my, our; a question with I).
    """

    cosine: float
    margin: float
    words: float
    named: bool
    own: bool

    @classmethod
    def of(
        cls, query: str, dense: Floats, lexical: Floats, subject: Floats, *, information: float
    ) -> "TurnEvidence | None":
        """From the columns of all candidates, (n,) each; None with too few of them to tell."""
        if len(dense) < FEWEST_CANDIDATES:
            return None
        nearest = np.sort(dense)[::-1][:BACKGROUND]
        return cls(
            cosine=float(nearest[0]),
            margin=float(nearest[0] - _median(nearest)),
            words=float(lexical.max()) * information,
            named=bool(subject.any()),
            own=is_own(query),
        )

    @property
    def helpfulness(self) -> float:
        """From 0 to 1: how likely one of the memories helps."""
        logit = (
            BIAS
            + COSINE_WEIGHT * self.cosine
            + MARGIN_WEIGHT * self.margin
            + WORDS_WEIGHT * self.words
            + NAMED_WEIGHT * self.named
            + OWN_WEIGHT * self.own
        )
        return 1 / (1 + math.exp(-logit))


def _median(ordered: Floats) -> float:
    """Of sorted values; numpy's own takes ten times as long to find out that they are."""
    middle = len(ordered) // 2
    return float(ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2)


def verdict(helpfulness: float | None) -> Verdict:
    """What this helpfulness allows; None, where it is unknown, allows everything."""
    if helpfulness is None or helpfulness >= SURE_FROM:
        return Verdict.HELPS
    return Verdict.SILENT if helpfulness < SILENT_BELOW else Verdict.UNSURE


def is_sure(helpfulness: float | None) -> bool:
    """Whether the turn was examined, and memories help with it."""
    return helpfulness is not None and helpfulness >= SURE_FROM


def is_own(query: str) -> bool:
    """Whether a turn is about the speaker's own things, or a question about the speaker, in English, one of the other
    languages with stop words, Chinese or Japanese.
    """
    is_question = "?" in query or "？" in query
    if _OWN.search(query) or (is_question and _SPEAKER.search(query)):
        return True
    if language_of(query, LANGUAGES) == ENGLISH:
        return False
    return bool(_OWN_ELSEWHERE.search(query)) or (is_question and bool(_SPEAKER_ELSEWHERE.search(query)))


_OWN = re.compile(r"\b(?:my|mine|our|ours|we|us)\b|[我私僕俺]", re.IGNORECASE)
_SPEAKER = re.compile(r"\b(?:i|me)\b", re.IGNORECASE)
_OWN_ELSEWHERE = re.compile(
    r"\b(?:mein\w{0,2}|unser\w{0,2}|wir|uns|mon|ma|mes|notre|nos|nous|mis?|nuestr[oa]s?|nosotr[oa]s|mi[oae]|miei|"
    r"nostr[oaie]|noi|meus?|minhas?|noss[oa]s?|nós|mijn|ons|onze|wij|we)\b",
    re.IGNORECASE,
)
_SPEAKER_ELSEWHERE = re.compile(r"\b(?:ich|mir|mich|je|j|me|moi|yo|io|eu|ik|mij)\b", re.IGNORECASE)
