"""The first half of the screen: which memories an assembly injected, why, and which it left out."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from local.demonstration import timeline
from local.demonstration.bars import legend, level
from local.demonstration.rows import conversation, heading, indented, memories, scored, told
from local.demonstration.words import (
    ASSEMBLY_PARTS,
    CATEGORIES,
    DISPOSITIONS,
    SOURCES,
    age,
    counted,
    decimals,
    listed,
    shortened,
)
from local.sample.loader import Sample
from remembrancer.domain.ranking.assembly_score import DEFAULT_WEIGHTS

NEAREST = 2
EVIDENCE = {"dense": "meaning", "lexical": "words"}
Candidate = Mapping[str, Any]


def render(answer: Mapping[str, Any], sample: Sample, *, deadline_ms: float, now: datetime, width: int) -> Group:
    """Renders the first half from the response body of `POST /v1/context/assemble` with `explain`.

    An answer without packed memories is shown with the parts that it has.
    """
    metadata = answer["metadata"]
    question = sample.story.assembly
    speaker = sample.story.name_of(question.user_id)
    beginning = Group(
        heading(1, "A request comes in", f"{speaker} is chatting with {sample.story.agent}"),
        indented(conversation(question.messages, speaker, sample.story.agent)),
        heading(2, "What the model gets to know", "added to the conversation, which itself stays as it is"),
    )
    if metadata.get("budget") is None:
        return Group(beginning, indented(_without_memories(metadata, sample)), indented(_verdict(metadata)))
    return Group(
        beginning,
        indented(_injected(metadata, sample, now)),
        heading(3, "What was left out, and why"),
        indented(_left_out(metadata, sample)),
        heading(4, "What it costs", "in tokens: the unit that models read and charge by, about ¾ of a word"),
        indented(_tokens(metadata, question.model)),
        heading(5, "Where the time went", f"at {deadline_ms:g} ms (┃) it answers with what it has"),
        indented(timeline.render(metadata, deadline_ms, width)),
        indented(_verdict(metadata)),
    )


def _without_memories(metadata: Mapping[str, Any], sample: Sample) -> Group:
    known = [_directive(metadata, sample)] if metadata["directive_injected"] else []
    lines = [Text("No memory: the time was over before any was chosen. The chat itself goes on as it came.")]
    for name, label in SOURCES.items():
        status = (metadata.get("sources") or {}).get(name, {}).get("status", "skipped")
        lines.append(
            Text.assemble(f"{label}: ", (timeline.STATUSES.get(status, "there, and not used any more"), "dim"))
        )
    return Group(*known, *lines)


def _directive(metadata: Mapping[str, Any], sample: Sample) -> Panel:
    title = f"The standing instruction from {sample.story.organization}, version {metadata['directive_version']}"
    return Panel(Text(sample.story.directive, style="dim"), title=title, title_align="left")


def _injected(metadata: Mapping[str, Any], sample: Sample, now: datetime) -> Group:
    parts: list[RenderableType] = []
    if metadata["directive_injected"]:
        parts.append(_directive(metadata, sample))
    included = sorted(_with(metadata, "included"), key=lambda candidate: -candidate["score"])
    number_of = counted(len(included), "memory", "memories")
    parts.append(Text(f"and {number_of}, the best first. The bar is the score (full: 1) and what it is made of:"))
    parts += [legend(list(ASSEMBLY_PARTS.values())), Text()]
    table = memories()
    for number, candidate in enumerate(included, start=1):
        content = told(candidate["content"], list(_remarks(candidate, now)), sample, candidate["id"])
        shares = _shares(candidate)
        table.add_row(str(number), content, scored(ASSEMBLY_PARTS, shares, candidate["factors"], candidate["score"]))
    parts.append(table)
    return Group(*parts)


def _remarks(candidate: Candidate, now: datetime) -> Iterator[str]:
    yield CATEGORIES.get(candidate["category"], str(candidate["category"]))
    yield age(candidate["created_at"], now)
    yield counted(candidate["tokens"], "token")
    evidence = candidate.get("evidence", {})
    for way, name in EVIDENCE.items():
        if strength := evidence.get(way):
            yield f"{name} {decimals(strength)}"


def _shares(candidate: Candidate) -> dict[str, float]:
    """The contribution of each factor to the score; their sum is the score, for any weights of the organization."""
    weighted = {name: weight * candidate["factors"].get(name, 0.0) for name, weight in DEFAULT_WEIGHTS.items()}
    scale = candidate["score"] / total if (total := sum(weighted.values())) else 0.0
    return {name: share * scale for name, share in weighted.items()}


def _left_out(metadata: Mapping[str, Any], sample: Sample) -> Group:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="bold")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(ratio=1)
    for disposition, (name, gloss) in DISPOSITIONS.items():
        if candidates := _with(metadata, disposition):
            table.add_row(str(len(candidates)), name, _misses(gloss, candidates))
    table.add_row(*_never_seen(sample))
    replaced = sum(1 for line in sample.story.lines if line.supersedes)
    table.add_row(str(replaced), "out of date", Text("replaced by newer memories; they never come back"))
    return Group(table)


def _never_seen(sample: Sample) -> tuple[str, str, Text]:
    user_id = sample.story.assembly.user_id
    others = [sample.story.name_of(person.user_id) for person in sample.story.people if person.user_id != user_id]
    who = f"told in private by {listed(others)}; for {sample.story.name_of(user_id)} they do not exist"
    return str(sample.story.private_to_others(user_id)), "private", Text(who)


def _misses(gloss: str, candidates: list[Candidate]) -> Text:
    nearest = sorted(candidates, key=lambda candidate: -candidate["factors"].get("relevance", 0.0))[:NEAREST]
    text = Text(gloss)
    for candidate in nearest:
        relevance = candidate["factors"].get("relevance", 0.0)
        text.append(f"\n“{shortened(candidate['content'], 60)}”", "dim").append(
            f" relevance {decimals(relevance)}", "cyan"
        )
    return text


def _tokens(metadata: Mapping[str, Any], model: str) -> Group:
    budget = metadata["budget"]
    spent = sum(candidate["tokens"] for candidate in _with(metadata, "included"))
    allowed = min(budget["memory"], budget["memory_tokens"])
    share = spent / allowed if allowed else 0.0
    room = Text.assemble("room for memories ", level(share, 30), f" {spent:,} of {allowed:,} used")
    lines = [
        Text(
            f"{counted(metadata['total_tokens_injected'], 'token')} were added; with the conversation "
            f"({budget['messages']:,}) that is {metadata['context_window_used']} % of the {budget['window']:,} "
            f"that {model} can read. {budget['reserve']:,} stay free for the answer, {budget['safety']:,} as a margin."
        ),
        room,
    ]
    if not budget["model_known"]:
        lines.append(Text(f"{model} is not in the catalogue: a small window was assumed.", style="yellow"))
    return Group(*lines)


def _verdict(metadata: Mapping[str, Any]) -> Text:
    if reason := metadata["fallback_reason"]:
        return Text(f"\nIncomplete, and it says so: {reason}.", style="yellow")
    return Text("\nComplete: no source was missing.", style="green")


def _with(metadata: Mapping[str, Any], disposition: str) -> list[Candidate]:
    return [candidate for candidate in metadata.get("candidates") or () if candidate["disposition"] == disposition]
