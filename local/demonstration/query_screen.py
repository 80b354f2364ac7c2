"""The second half of the screen: a memory query, its ranking and the reasons."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.console import Group
from rich.text import Text

from local.demonstration.bars import legend
from local.demonstration.rows import heading, indented, memories, scored, told
from local.demonstration.words import CATEGORIES, INTENTS, QUERY_PARTS, TIERS, age, listed
from local.sample.loader import Sample


def render(answer: Mapping[str, Any], sample: Sample, *, elapsed_ms: float, now: datetime) -> Group:
    """Renders the second half from `POST /memory/query` with `explain`; `elapsed_ms` as measured by the client."""
    question = sample.story.query
    speaker = sample.story.name_of(question.user_id)
    return Group(
        heading(6, "A search", f"{speaker} asks the memories directly, and wants to know why"),
        indented(Text.assemble((f"{speaker}  ", "bold"), question.query)),
        indented(_understanding(answer)),
        heading(7, f"The {len(answer['memories'])} best answers", "and what they replaced"),
        indented(_ranked(answer, sample, now)),
        indented(_time(answer, elapsed_ms)),
    )


def _understanding(answer: Mapping[str, Any]) -> Text:
    intent, tier = str(answer["query_intent"]), str(answer["computation_tier"])
    return Text(
        f"Understood as a question about {INTENTS.get(intent, intent)}; so: {TIERS.get(tier, tier)}.", style="dim"
    )


def _ranked(answer: Mapping[str, Any], sample: Sample, now: datetime) -> Group:
    explanations = {explanation["id"]: explanation for explanation in answer["explanations"]}
    used = [
        part
        for name, part in QUERY_PARTS.items()
        if any(item["factors"].get(name, {}).get("weight", 0) > 0 for item in explanations.values())
    ]
    table = memories()
    for number, memory in enumerate(answer["memories"], start=1):
        explanation = explanations[memory["id"]]
        content = told(memory["content"], list(_remarks(memory, explanation, now)), sample, memory["id"])
        shares = {name: factor["contribution"] for name, factor in explanation["factors"].items()}
        raw = {name: factor["raw"] for name, factor in explanation["factors"].items()}
        table.add_row(str(number), content, scored(QUERY_PARTS, shares, raw, explanation["final_score"]))
    return Group(legend(used), Text(), table)


def _remarks(memory: Mapping[str, Any], explanation: Mapping[str, Any], now: datetime) -> Iterator[str]:
    yield CATEGORIES.get(memory["category"], memory["category"])
    yield age(memory["created_at"], now)
    if terms := explanation.get("matched_terms"):
        yield f"shares the words {listed(terms)}" if len(terms) > 1 else f"shares the word {terms[0]}"
    if links := [boost for boost in explanation["boosts"] if boost["kind"] == "relation"]:
        yield "moved by a link to another" if len(links) == 1 else f"moved by {len(links)} links to others"


def _time(answer: Mapping[str, Any], elapsed_ms: float) -> Text:
    took = float((answer.get("timings_ms") or {}).get("total", elapsed_ms))
    kept = "kept" if answer["sla_met"] else "missed"
    text = Text(f"\nPromised within {answer['sla_target_ms']:,} ms, answered in {took:.0f} ms: {kept}.")
    text.stylize("green" if answer["sla_met"] else "yellow")
    if answer["degraded"]:
        text.append(f" Incomplete, and it says so: {listed(answer['degraded'])}.", "yellow")
    return text
