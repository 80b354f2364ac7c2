"""A scripted model for capture: it restates sentences, as the prompt of capture asks a model to, and invents nothing.

It reads what a model would read, the request, and nothing else. For each new turn that states something by the rules of
capture, it proposes one memory: of the sentences that state something, a first-person one before others, one that does
not begin with `it` or `that` before one that does, and of these the longest. I, my, we and you become names; nothing
else changes. It proposes no dates, and only `add`. The same request always gets the same answer.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from local.proxy.stand_in import Said
from remembrancer.domain.capture import clauses, selection
from remembrancer.domain.capture.gate import QUOTE_CHARACTERS, TEXT_CHARACTERS
from remembrancer.domain.context.token_counts import TokenCount

NAME = "scripted"
FAMILY = "o200k_base"
"""Of tokenizers: by it the stand-in counts the tokens that it says it used."""

_TURN = re.compile(r"^\[(\d+)(\*?)\] \d{4}-\d\d-\d\d ([^:\n]+): (.*)$", re.MULTILINE)
_ASSISTANT = "Assistant"
_FIRST_PERSON = re.compile(r"(?:i|we|my|our)\b", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:(?:oh|wow|yeah|yes|yep|hey|hi|thanks|well|so|and|but|also|actually|haha|sure)\b[\s,!–-]*)+", re.IGNORECASE
)
_PERSON = re.compile(
    r"\b(?:(?P<be>I am|I['’]?m)|(?P<have>I have|I['’]ve|we have|we['’]ve)|(?P<are>we are|we['’]re)|"
    r"(?P<owner>my|mine|our|ours)|(?P<subject>I|we) (?P<verb>[a-z]+)|(?P<speaker>I|me|myself|we|(?-i:us))|"
    r"(?P<your>your)|(?P<youre>you are|you['’]re)|(?P<you>you))\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"(?:it|that|this|these|those|they|them|he|she|there|so|then|one|you)\b", re.IGNORECASE)
_BEGINNING = re.compile(r"(?:(?:the|an?) )?[\w']+", re.IGNORECASE)
_PRESENT = frozenset(
    {
        *("love", "like", "hate", "enjoy", "need", "know", "feel", "live", "work", "go", "see", "get", "make", "take"),
        *("use", "run", "play", "read", "write", "teach", "speak", "study", "keep", "find", "help", "try", "start"),
        *("bring", "believe", "want", "think", "hope", "plan", "have", "do"),
    }
)
"""Verbs that get an s; all others stay as they are said."""


class Counter(Protocol):
    """Counts the tokens of a text."""

    def count(self, text: str, family: str) -> TokenCount:
        """The tokens of `text` for a tokenizer family."""
        ...


@dataclass(frozen=True, slots=True)
class _Turn:
    number: int
    is_new: bool
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class ExtractiveModel:
    """Answers chat completions of capture, and reports tokens as a provider does."""

    counter: Counter

    def says(self, messages: Sequence[Mapping[str, Any]]) -> Said:
        """The answer to the messages of a request: the last one is the prompt of a window."""
        texts = [str(message["content"]) for message in messages]
        answer = json.dumps({"memories": list(_proposals(texts[-1]))})
        return Said(answer, sum(map(self._tokens, texts)), self._tokens(answer))

    def _tokens(self, text: str) -> int:
        return self.counter.count(text, FAMILY).tokens


def _proposals(prompt: str) -> Iterator[dict[str, Any]]:
    turns = [_Turn(int(number), bool(new), name, text) for number, new, name, text in _TURN.findall(prompt)]
    names = {turn.speaker.lower() for turn in turns}
    for place, turn in enumerate(turns):
        before = turns[place - 1].text if place else None
        if not turn.is_new or turn.speaker == _ASSISTANT:
            continue
        if not selection.choose("user", turn.text, None, names, preceding=before).is_kept:
            continue
        others = {one.speaker for one in turns} - {turn.speaker}
        quote = _chosen(turn.text, names)
        if quote:
            yield _proposal(turn, quote, others.pop() if len(others) == 1 else None)


def _chosen(text: str, names: set[str]) -> str:
    """The sentence to restate; empty when each is a question or too long."""
    told = [one.text for one in clauses.sentences(clauses.plain(text)) if not one.is_question]
    fitting = [sentence for sentence in told if len(sentence) <= min(QUOTE_CHARACTERS, TEXT_CHARACTERS - 50)]
    stating = [sentence for sentence in fitting if selection.says_something(sentence, names)]
    return max(
        stating or fitting, key=lambda one: (_begins(one) is not None, not _VAGUE.match(one), len(one)), default=""
    )


def _begins(sentence: str) -> re.Match[str] | None:
    return _FIRST_PERSON.match(_OPENING.sub("", sentence, count=1))


def _proposal(turn: _Turn, quote: str, other: str | None) -> dict[str, Any]:
    opening = _OPENING.match(quote)
    told = quote[opening.end() :] if opening and _begins(quote) else quote
    text = _PERSON.sub(lambda found: _in_third_person(found, turn.speaker, other), told)
    beginning = _BEGINNING.match(text)
    subject = turn.speaker if text.startswith(turn.speaker) else beginning[0] if beginning else text[:1]
    return {
        "text": text[:1].upper() + text[1:],
        "category": "episodic",
        "subject": subject,
        "occurred": None,
        "quote": quote,
        "source_turns": [turn.number],
        "action": "add",
        "target": None,
    }


def _in_third_person(found: re.Match[str], speaker: str, other: str | None) -> str:
    instead = {
        "be": f"{speaker} is",
        "are": f"{speaker} is",
        "have": f"{speaker} has",
        "owner": f"{speaker}'s",
        "verb": f"{speaker} {_third(found['verb'] or '')}",
        "your": f"{other}'s" if other else found[0],
        "youre": f"{other} is" if other else found[0],
        "you": other or found[0],
    }
    return instead.get(found.lastgroup or "", speaker)


def _third(verb: str) -> str:
    if verb not in _PRESENT:
        return verb
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("o", "ch", "sh", "s", "x")) else f"{verb}s"
