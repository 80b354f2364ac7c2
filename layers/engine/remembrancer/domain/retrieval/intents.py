"""The intent of a query by documented rules (docs/query.md), its half-life and its tier."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from remembrancer.domain.lexical_index.words import word_count

INTENTS = ("factual", "analytical", "conversational", "temporal", "preference", "hybrid")
TIERS = ("low", "medium", "high")
SLA_TARGET_MS: Mapping[str, int] = {"low": 100, "medium": 500, "high": 2000}
MEMORY_TIERS: Mapping[str, tuple[str, ...]] = {
    "low": ("hot",),
    "medium": ("hot", "warm"),
    "high": ("hot", "warm", "cold"),
}
DEFAULT_HALF_LIFE_HOURS = 72.0
HALF_LIFE_HOURS: Mapping[str, float] = {"temporal": 24.0, "preference": 168.0, "factual": 168.0}


@dataclass(frozen=True, slots=True)
class Intent:
    """The intent and the signals that decided it, as `intent: matched text`."""

    name: str
    signals: tuple[str, ...]

    @property
    def half_life_hours(self) -> float:
        """The half-life of recency for this intent, in hours."""
        return HALF_LIFE_HOURS.get(self.name, DEFAULT_HALF_LIFE_HOURS)


def classify(query: str) -> Intent:
    """The intent whose pattern matches; two or more give hybrid, none conversational, or factual for a question."""
    found = {name: match.group(0) for name, pattern in _PATTERNS.items() if (match := pattern.search(query))}
    specific = {name: text for name, text in found.items() if name != "factual"}
    signals = tuple(f"{name}: {text.lower()}" for name, text in found.items())
    if len(specific) > 1:
        return Intent("hybrid", signals)
    if specific:
        return Intent(next(iter(specific)), signals)
    if found or query.rstrip().endswith(("?", "？")):
        return Intent("factual", signals or ("factual: question mark",))
    return Intent("conversational", ())


def tier_for(intent: Intent, query: str) -> str:
    """High for analytical, several intents or over 40 words; low for up to 3 words; else medium."""
    length = word_count(query)
    if intent.name in {"analytical", "hybrid"} or length > 40:
        return "high"
    return "low" if length <= 3 else "medium"


_PATTERNS = {
    "temporal": re.compile(
        r"\b(when|how long ago|since when|yesterday|today|tomorrow|tonight|recently|latest"
        r"|last (time|week|month|year|night)|this (week|month|year|morning)|before|after|(19|20)\d\d)\b",
        re.IGNORECASE,
    ),
    "preference": re.compile(
        r"\b(prefer\w*|favou?rite|likes?|dislikes?|hates?|loves?|enjoys?|rather|allerg\w+|taste)\b", re.IGNORECASE
    ),
    "analytical": re.compile(
        r"\b(why|how come|compare|difference|explain|analy[sz]e|summari[sz]e|relationship|trend|pattern|cause[ds]?"
        r"|impact|pros and cons)\b",
        re.IGNORECASE,
    ),
    "factual": re.compile(r"\b(who|what|where|which|whose|how (many|much|old|far)|is|are|does|did)\b", re.IGNORECASE),
}
