"""Whether a turn is about the speaker, and what that is worth: the end user's own memories then count more than shared
ones.
"""

import re

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.lexical_index.stop_words import ENGLISH, LANGUAGES
from remembrancer.domain.lexical_index.words import language_of

OWN = 0.2
"""How much more an own memory is worth than a shared one, of an evidence or score in [0, 1], where a turn asks for the
speaker's own things. Chosen by measurement (docs/adr/0058-names-and-owners.md).
"""


def is_own(query: str) -> bool:
    """Whether a turn is about the speaker's or their group's own things, or a question about the speaker, in English,
    one of the other languages with stop words, Chinese or Japanese.
    """
    is_question = _is_question(query)
    if _OWN.search(query) or (is_question and _SPEAKER.search(query)):
        return True
    if language_of(query, LANGUAGES) == ENGLISH:
        return False
    return bool(_OWN_ELSEWHERE.search(query)) or (is_question and bool(_SPEAKER_ELSEWHERE.search(query)))


def asks_for_own(query: str) -> bool:
    """Whether a turn asks for what only the speaker's own memories say, in the languages of `is_own`.

    What "we" and "our" mean is as often shared by all. So is what somebody may, must or has to do: "May I bring my
    dog?".
    """
    is_question = _is_question(query)
    if _GENERAL.search(query):
        return False
    if _MY.search(query) or (is_question and _SPEAKER.search(query)):
        return True
    if not (_MY_ELSEWHERE.search(query) or (is_question and _SPEAKER_ELSEWHERE.search(query))):
        return False
    return _GENERAL_ELSEWHERE.search(query) is None and language_of(query, LANGUAGES) != ENGLISH


def favouring_own(evidence: NDArray[np.float64], own: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n,) in [0, 1]: the evidence, of which that of memories that are not `own` counts less."""
    return np.where(own, evidence, np.maximum(evidence - OWN, 0.0))


def _is_question(query: str) -> bool:
    return "?" in query or "？" in query


_OWN = re.compile(r"\b(?:my|mine|our|ours|we|us)\b|[我私僕俺]", re.IGNORECASE)
_MY = re.compile(r"\b(?:my|mine|myself)\b|我(?!们|們)|[私僕俺](?!たち|達)", re.IGNORECASE)
_SPEAKER = re.compile(r"\b(?:i|me)\b", re.IGNORECASE)
_GENERAL = re.compile(
    r"\b(?:can|could|may|might|shall|should|must) (?:i|my)\b|\bdo i (?:do|have to|need|get|see|find|know|use|pay)\b",
    re.IGNORECASE,
)
_MINE_ELSEWHERE = r"mein\w{0,2}|mon|ma|mes|mis?|mi[oae]|miei|meus?|minhas?|mijn"
_OURS_ELSEWHERE = (
    r"unser\w{0,2}|wir|uns|notre|nos|nous|nuestr[oa]s?|nosotr[oa]s|nostr[oaie]|noi|noss[oa]s?|nós|ons|onze|wij|we"
)
_MY_ELSEWHERE = re.compile(rf"\b(?:{_MINE_ELSEWHERE})\b", re.IGNORECASE)
_OWN_ELSEWHERE = re.compile(rf"\b(?:{_MINE_ELSEWHERE}|{_OURS_ELSEWHERE})\b", re.IGNORECASE)
_SPEAKER_ELSEWHERE = re.compile(r"\b(?:ich|mir|mich|je|j|me|moi|yo|io|eu|ik|mij)\b", re.IGNORECASE)
_GENERAL_ELSEWHERE = re.compile(
    r"\b(?:kann|darf|soll|sollte|muss) ich\b|\b(?:puis-je|dois-je|je (?:peux|dois))\b|\b(?:puedo|debo|posso|devo)\b|"
    r"\b(?:kan|mag|moet) ik\b",
    re.IGNORECASE,
)
