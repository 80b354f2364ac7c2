"""The last part of the screen: a conversation goes in, what became of its turns, and an answer from them."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from local.demonstration.rows import conversation, heading, indented
from local.demonstration.words import CAPTURE_REASONS
from local.sample.loader import Sample


def render(stored: Mapping[str, Any], answer: Mapping[str, Any], sample: Sample) -> Group:
    """Renders the bodies of `GET /v1/conversations/{conversation_id}` and of the assembly of the next question."""
    scene = sample.story.capture
    question = {"role": "user", "content": scene.question}
    return Group(
        heading(8, "A conversation goes in", f"{scene.name} talks with {sample.story.agent}; nobody writes a memory"),
        indented(_turns(stored, scene.name, sample.story.agent)),
        heading(9, "The next question", "in another session"),
        indented(conversation([question], scene.name, sample.story.agent)),
        indented(_known(stored, answer)),
    )


def _turns(stored: Mapping[str, Any], speaker: str, agent: str) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", justify="right")
    table.add_column(ratio=1)
    table.add_column(width=30)
    for turn in stored["turns"]:
        style, decision = ("green", "kept") if turn["state"] == "kept" else ("dim", str(turn["state"]))
        reason = CAPTURE_REASONS.get(turn["reason"] or "", turn["reason"] or "")
        name = speaker if turn["role"] == "user" else agent
        table.add_row(Text(name), Text(turn["text"]), Text.assemble((decision, style), f" {reason}"))
    return table


def _known(stored: Mapping[str, Any], answer: Mapping[str, Any]) -> Group:
    ids = {turn["memory_id"] for turn in stored["turns"] if turn["memory_id"]}
    candidates = answer["metadata"].get("candidates") or ()
    found = [one for one in candidates if one["id"] in ids and one["disposition"] == "included"]
    lines = [Text(f"“{one['content']}”", style="cyan") for one in found]
    told = "The model gets to know, from that conversation:" if found else "The model gets nothing of it."
    return Group(Text(told), *lines)
