"""Parts of both halves of the screen: headings, a memory with its score, a conversation."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from local.demonstration.bars import Part, stacked
from local.demonstration.words import decimals, shortened
from local.sample.loader import Sample

BAR = 23
INDENT = 2


def heading(number: int, title: str, remark: str = "") -> Text:
    """A numbered heading; the remark follows it, without emphasis."""
    return Text.assemble(("\n", ""), (f"{number}. {title}", "bold"), (f"  {remark}" if remark else "", "dim"))


def indented(content: RenderableType) -> Padding:
    """The content with the indentation of both screens."""
    return Padding(content, (0, 0, 0, INDENT))


def conversation(messages: Sequence[Mapping[str, Any]], speaker: str, agent: str) -> Table:
    """A table of a chat: one row per message, with the speaker's name."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", justify="right")
    table.add_column(ratio=1)
    for message in messages:
        who = speaker if message["role"] == "user" else agent
        table.add_row(Text(who), Text(str(message["content"])))
    return table


def memories() -> Table:
    """An empty list of memories: number, text, score."""
    table = Table.grid(padding=(0, 1), expand=True)
    table.add_column(justify="right", style="dim", width=2)
    table.add_column(ratio=1)
    table.add_column(width=BAR + 5)
    return table


def told(content: str, remarks: Sequence[str], sample: Sample, memory_id: str) -> Group:
    """A memory's text, remarks about it, and the memories that it replaced."""
    lines = [Text(content), Text(" · ".join(remarks), style="dim")]
    replaced = [
        Text.assemble(("no longer true: ", "yellow"), (shortened(line.content, 96), "dim strike"))
        for line in sample.replaced_by(memory_id)
    ]
    return Group(*lines, *replaced)


def scored(parts: Mapping[str, Part], shares: Mapping[str, float], raw: Mapping[str, float], score: float) -> Group:
    """The score as a bar of its parts, and below it the two largest parts, with their raw values."""
    most = sorted((name for name in parts if shares.get(name, 0) > 0), key=lambda name: -shares[name])[:2]
    reasons = ", ".join(f"{parts[name].name} {decimals(raw[name])}" for name in most)
    return Group(Text.assemble(stacked(parts, shares, BAR), f" {score:.2f}"), Text(reasons, style="dim"))
