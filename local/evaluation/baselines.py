"""What two simple selections would give within the same budget: the evidence itself, and the newest memories.

Both are computed from the files and tokenized exactly, without a service.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID

from local.evaluation import metrics
from local.evaluation.curves import Assembled
from local.evaluation.dataset import Dataset, Question
from remembrancer.domain.context import formatter
from remembrancer.domain.context.nonce import COUNTED_NONCE
from remembrancer.domain.context.token_counts import TokenCount
from remembrancer.domain.memories.memory import Memory

FAMILY = "o200k_base"
"""Of the model for which the examinee assembles."""
ORACLE, NEWEST = "oracle", "newest first"


class Counter(Protocol):
    """Counts the tokens of a text."""

    def count(self, text: str, family: str) -> TokenCount:
        """The tokens of `text` for a tokenizer family."""
        ...


@dataclass(frozen=True, slots=True)
class _Line:
    """A memory of the file as it would be injected; `cost` are the tokens of its line with that of its day."""

    identifier: str
    memory: Memory
    cost: int


def of(data: Dataset, budgets: Sequence[int], counter: Counter) -> dict[str, dict[int, list[Assembled]]]:
    """For each baseline and budget an answer to each question, in the order of the questions."""
    lines = {agent: [_line(name, fields, counter) for name, fields in own] for agent, own in data.memories.items()}
    newest = {agent: sorted(own, key=lambda line: line.memory.created_at, reverse=True) for agent, own in lines.items()}
    tokens: dict[tuple[str, ...], int] = {}

    def answer(question: Question, ordered: Iterable[_Line], budget: int) -> Assembled:
        chosen = _taken(ordered, budget)
        names = tuple(sorted(line.identifier for line in chosen))
        if names not in tokens:
            text = formatter.render(None, [line.memory for line in chosen], nonce=COUNTED_NONCE)
            tokens[names] = counter.count(text, FAMILY).tokens
        share = metrics.coverage(names, question.gold) if question.gold else 1.0
        return Assembled(question, share, tokens[names], len(names), metrics.precision(names, question.gold))

    def evidence(question: Question) -> list[_Line]:
        """The cheapest first: so most of it fits."""
        own = (line for line in lines[question.agent] if line.identifier in question.gold)
        return sorted(own, key=lambda line: line.cost)

    return {
        ORACLE: {budget: [answer(one, evidence(one), budget) for one in data.questions] for budget in budgets},
        NEWEST: {budget: [answer(one, newest[one.agent], budget) for one in data.questions] for budget in budgets},
    }


def _taken(ordered: Iterable[_Line], budget: int) -> list[_Line]:
    """Lines in this order until one does not fit."""
    taken: list[_Line] = []
    places: set[object] = set()
    for line in ordered:
        place = formatter.place_of(line.memory)
        budget -= line.cost - (formatter.DAY_TOKENS if place in places else 0)
        if budget < 0:
            break
        places.add(place)
        taken.append(line)
    return taken


def _line(identifier: str, fields: Mapping[str, Any], counter: Counter) -> _Line:
    created_at = fields.get("created_at")
    memory = Memory(
        id=UUID(int=0),
        agent_id=UUID(int=0),
        content=str(fields["content"]),
        category=str(fields.get("category", "factual")),
        source="imported",
        confidence=1.0,
        importance=0.5,
        status="active",
        created_at=datetime.fromisoformat(str(created_at)) if created_at else datetime.now(UTC),
        tokens={},
    )
    text = formatter.dated_line(memory.content, memory.created_at, replaces=False)
    return _Line(identifier, memory, counter.count(text, FAMILY).tokens)
