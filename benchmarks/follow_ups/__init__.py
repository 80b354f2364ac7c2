"""Follow-ups in 60 short conversations, and turns that stand alone in them, with the memories that each needs.

`memories.tsv` has agent, id and memory a line: a bicycle shop, a family, a vet's practice and a software team with 60
memories each, and a beekeepers' club in German and a pottery in French with 40 each. `conversations.tsv` has
conversation, kind, ids and text: the messages (`user`, `assistant`; two to five), then two follow-ups and two turns
that stand alone. All were written by hand.

Follow-ups are `pronoun` ("When is he back?"), `ellipsis` ("And for Finja?"), `answer` ("yes please" to the assistant's
question), `choice` ("the second one") and `why`; `alone` is a whole question about something else, whose memories must
not change with the conversation. The turns of a conversation are alternatives, each follows its messages.

`python -m benchmarks.follow_ups FOLDER` writes the set as JSON Lines for `remembrancer eval FOLDER --budgets 2000`; a
question has its conversation in `messages`, oldest first, without the question. `--half` chooses the conversations on
which figures are chosen, or those on which they are confirmed.

`hotel.tsv` has twenty more conversations with the hotel of `benchmarks/precision`, whose kinds are `follow-up` and
`alone`. They were written when the rules for follow-ups were there. `python -m benchmarks.follow_ups.hotel FOLDER`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import labelled

FOLDER = Path(__file__).parent
ROLES = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages, oldest first, and the turns, each of which may come next: kind, gold ids and text."""

    agent: str
    messages: list[dict[str, str]] = field(default_factory=list)
    turns: list[tuple[str, list[str], str]] = field(default_factory=list)


def conversations(file: str = "conversations.tsv") -> list[Conversation]:
    """All conversations, in the order of the file."""
    found: dict[str, Conversation] = {}
    for name, kind, gold, text in labelled.rows(FOLDER / file):
        conversation = found.setdefault(name, Conversation(name.split("-")[0]))
        if kind in ROLES:
            conversation.messages.append({"role": kind, "content": text})
        else:
            conversation.turns.append((kind, gold.split(","), text))
    return list(found.values())


def lines(half: str = "") -> Iterator[dict[str, Any]]:
    """The set as `remembrancer eval` reads it, with all conversations or those of one half."""
    memories: dict[str, list[tuple[str, str]]] = {}
    for agent, identifier, text in labelled.rows(FOLDER / "memories.tsv"):
        memories.setdefault(agent, []).append((identifier, text))
    for agent, texts in memories.items():
        yield from labelled.memories(agent, texts)
    yield from questions(conversations(), half)


def questions(every: Sequence[Conversation], half: str = "") -> Iterator[dict[str, Any]]:
    """The turns of all these conversations, or of every second one."""
    for conversation, own in zip(every, labelled.halves("" for _ in every), strict=True):
        if half in ("", own):
            for kind, gold, text in conversation.turns:
                question = {"agent": conversation.agent, "question": text, "kind": kind, "half": own, "gold": gold}
                yield question | {"messages": conversation.messages}


def main() -> None:
    """Writes `follow_ups.jsonl` into the folder."""
    labelled.write("follow_ups", __doc__, lines)
