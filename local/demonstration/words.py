"""Descriptions for readers of the codes and values in API answers."""

from collections.abc import Sequence
from datetime import UTC, datetime

from local.demonstration.bars import Part

ASSEMBLY_PARTS = {
    "relevance": Part("R", "relevance", "how well it fits the question", "cyan"),
    "recency": Part("F", "freshness", "how recent it is, for its kind", "green"),
    "usefulness": Part("V", "votes", "thumbs up and down so far", "magenta"),
    "confidence": Part("C", "confidence", "how sure we are of it", "yellow"),
    "frequency": Part("O", "often used", "how often it was needed", "blue"),
}
QUERY_PARTS = {
    "semantic": Part("M", "meaning", "says much the same", "cyan"),
    "lexical": Part("W", "words", "uses the same words", "bright_blue"),
    "cluster": Part("T", "topic", "its topic fits", "blue"),
    "recency": Part("F", "freshness", "how recent it is", "green"),
    "importance": Part("I", "importance", "as noted when it was written", "yellow"),
    "usage": Part("O", "often used", "how often it was needed", "magenta"),
    "quality": Part("Q", "quality", "how complete it is", "white"),
    "decay": Part("D", "in use", "how lately it was needed", "white"),
}
CATEGORIES = {
    "procedural": "how-to",
    "factual": "fact",
    "preference": "preference",
    "behavioral": "habit",
    "episodic": "event",
}
DISPOSITIONS = {
    "budget": ("no room", "fits the question, but more valuable memories filled the token budget"),
    "duplicate": ("said already", "a better one says the same"),
    "floor": ("off topic", "looked at, but of no help with the question"),
    "filtered": ("not allowed", "outside what was asked for, or not this person's to see"),
    "redacted": ("unreadable", "its text could not be decrypted"),
}
CAPTURE_REASONS = {
    "statement": "it says something",
    "answered": "the answer confirms it",
    "correction": "it corrects what was known",
    "no_statement": "it says nothing by itself",
    "question": "only a question",
    "assistant": "the assistant's own words",
    "repeated": "known already",
    "quota_exceeded": "no room for more memories",
}
SOURCES = {
    "directive": "standing instruction",
    "hot": "favourite memories",
    "embed": "question to numbers",
    "cold": "search by meaning",
    "lexical": "search by words",
}
INTENTS = {
    "factual": "a fact",
    "analytical": "an explanation",
    "conversational": "a chat",
    "temporal": "a point in time",
    "preference": "a preference",
    "hybrid": "several things at once",
}
TIERS = {"low": "quick look", "medium": "normal search", "high": "thorough search"}


def age(created_at: str, now: datetime) -> str:
    """How old a memory is, in the largest unit that fits: days, weeks or months."""
    written = datetime.fromisoformat(created_at)
    days = ((now - (written if written.tzinfo else written.replace(tzinfo=UTC))).total_seconds()) / 86_400
    if days < 1:
        return "today"
    for unit, length in (("month", 30.4), ("week", 7.0), ("day", 1.0)):
        count = int(days / length)
        if count >= 2 or (unit == "day" and count >= 1):
            return f"{count} {unit}{'s' if count > 1 else ''} old"
    return "today"


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 memory`, `12 memories`: thousands are grouped."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def listed(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty for none."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def shortened(text: str, length: int) -> str:
    """At most `length` characters, cut at a word and marked."""
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(",.;:") + "…"


def decimals(value: float) -> str:
    """Two decimals without the leading zero, as `.42`."""
    return f"{value:.2f}".removeprefix("0")
