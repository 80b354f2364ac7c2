"""A scripted model for capture: it chooses what states something, as the prompt of capture asks a model to.

It reads what a model would read, the request, and nothing else. Of each new turn that states something by the rules of
capture, it chooses one span: from the first sentence that states something to the last, without the courtesies and
questions around them; of a longer span, the longest such sentence. It names no dates and no memories. The same request
always gets the same answer.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from local.proxy.stand_in import Said
from remembrancer.domain.capture import clauses, selection
from remembrancer.domain.capture.gate import SPAN_CHARACTERS
from remembrancer.domain.context.token_counts import TokenCount

NAME = "scripted"
FAMILY = "o200k_base"
"""Of tokenizers: by it the stand-in counts the tokens that it says it used."""

_TURN = re.compile(r"^\[(\d+)(\*?)\] \d{4}-\d\d-\d\d ([^:\n]+): (.*)$", re.MULTILINE)


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
        answer = json.dumps({"spans": list(_spans(texts[-1]))})
        return Said(answer, sum(map(self._tokens, texts)), self._tokens(answer))

    def _tokens(self, text: str) -> int:
        return self.counter.count(text, FAMILY).tokens


def _spans(prompt: str) -> Iterator[dict[str, Any]]:
    turns = [_Turn(int(number), bool(new), name, text) for number, new, name, text in _TURN.findall(prompt)]
    names = {turn.speaker.lower() for turn in turns}
    for turn in turns:
        if turn.is_new and selection.says_something(turn.text, names):
            yield _span(turn.number, _chosen(turn.text, names) or turn.text[:SPAN_CHARACTERS])


def _chosen(text: str, names: set[str]) -> str:
    """The sentences that state something; empty where the turn states it only as a whole."""
    read = clauses.sentences(text)
    stating = [one for one in read if not one.is_question and selection.says_something(one.text, names)]
    if not stating:
        return ""
    whole = text[stating[0].start : stating[-1].end]
    return whole if len(whole) <= SPAN_CHARACTERS else max((one.text for one in stating), key=len)


def _span(number: int, quote: str) -> dict[str, Any]:
    nothing = {"about_turn": None, "about_quote": None, "occurred": None, "corrects": None, "repeats": None}
    return {"turn": number, "quote": quote, "category": "episodic", "pin": False, **nothing}
