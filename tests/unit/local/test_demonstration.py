"""The screen, drawn from answers of the recorded shape; whether the service gives such answers is tested end to end."""

import copy
import io
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from rich.console import Console, RenderableType

from local import demonstration
from local.demonstration import assembly_screen, capture_screen, judgement, query_screen, timeline
from local.demonstration.bars import FULL, Part, interval, level, stacked
from local.demonstration.words import age, decimals, listed, shortened
from local.sample.loader import Sample
from local.sample.story import read
from local.servers.ports import free_port

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
PARTS = {"first": Part("A", "first", "the first", "cyan"), "second": Part("B", "second", "the second", "green")}


@pytest.fixture(scope="module")
def sample() -> Sample:
    story = read()
    ids = {line.client_ref: str(UUID(int=number)) for number, line in enumerate(story.lines, start=1)}
    return Sample(story, str(UUID(int=1000)), str(UUID(int=1001)), ids)


@pytest.fixture
def assembly(sample: Sample) -> dict[str, Any]:
    included = [candidate(sample, reference, "included") for reference in ("m-015", "m-005", "m-004")]
    left_out = [
        candidate(sample, "m-017", "budget"),
        candidate(sample, "m-001", "duplicate"),
        candidate(sample, "m-287", "floor", relevance=0.1),
        candidate(sample, "m-060", "floor", relevance=0.12),
    ]
    return {
        "messages": [{"role": "system", "content": "…"}, *sample.story.assembly.messages],
        "metadata": {
            "directive_injected": True,
            "memories_injected": 3,
            "memories_available": 7,
            "total_tokens_injected": 1647,
            "context_window_used": 1,
            "was_truncated": True,
            "fallback_reason": "",
            "memory_ids": [item["id"] for item in included],
            "tier": "postgres",
            "sources": {
                "directive": {"status": "ok", "started_ms": 0.2, "latency_ms": 1.3, "count": 1},
                "hot": {"status": "ok", "started_ms": 0.3, "latency_ms": 2.4, "count": 20},
                "embed": {"status": "ok", "started_ms": 0.3, "latency_ms": 3.6, "count": 1},
                "cold": {"status": "ok", "started_ms": 4.0, "latency_ms": 6.2, "count": 50},
                "lexical": {"status": "ok", "started_ms": 0.3, "latency_ms": 5.1, "count": 44},
            },
            "timings_ms": {"retrieval": 10.4, "score": 0.5, "pack": 1.2, "format": 0.2, "total": 13.2},
            "budget": {
                "window": 128_000,
                "reserve": 4096,
                "safety": 2560,
                "messages": 101,
                "memory": 121_000,
                "memory_tokens": 480,
                "model_known": True,
            },
            "directive_version": 1,
            "candidates": included + left_out,
        },
    }


@pytest.fixture
def query(sample: Sample) -> dict[str, Any]:
    references = ("m-118", "m-119", "m-123")
    factor = {"raw": 0.6, "normalised": 0.8, "weight": 0.4, "contribution": 0.32}
    return {
        "memories": [memory(sample, reference) for reference in references],
        "explanations": [
            {
                "id": sample.ids[reference],
                "hybrid_score": 0.32,
                "final_score": 0.32,
                "factors": {"semantic": factor, "quality": {**factor, "weight": 0.0, "contribution": 0.0}},
                "boosts": [],
                "path": [],
                "matched_terms": ["fish", "order"],
            }
            for reference in references
        ],
        "query_intent": "temporal",
        "computation_tier": "medium",
        "sla_target_ms": 500,
        "sla_met": True,
        "degraded": [],
    }


def memory(sample: Sample, reference: str) -> dict[str, Any]:
    line = next(line for line in sample.story.lines if line.client_ref == reference)
    return {
        "id": sample.ids[reference],
        "content": line.content,
        "category": line.category,
        "created_at": (NOW - timedelta(days=line.days_ago)).isoformat(),
        "user_id": line.user_id,
    }


def candidate(sample: Sample, reference: str, disposition: str, relevance: float = 0.6) -> dict[str, Any]:
    factors = {"relevance": relevance, "recency": 0.9, "usefulness": 0.5, "confidence": 0.9, "frequency": 0.0}
    return {
        **memory(sample, reference),
        "score": 0.4 * relevance + 0.25 * 0.9 + 0.2 * 0.5 + 0.1 * 0.9,
        "tokens": 40,
        "disposition": disposition,
        "factors": factors,
        "evidence": {"dense": 0.5, "lexical": 0.2, "hot": True},
        "replaced": False,
    }


def drawn(renderable: RenderableType, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, no_color=True)
    console.print(renderable, width=width)
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def flowed(text: str) -> str:
    return " ".join(text.split())


def assembly_text(answer: Mapping[str, Any], sample: Sample, width: int = 100) -> str:
    return drawn(assembly_screen.render(answer, sample, deadline_ms=48, now=NOW, width=width), width)


def query_text(answer: Mapping[str, Any], sample: Sample, width: int = 100) -> str:
    return drawn(query_screen.render(answer, sample, elapsed_ms=18.4, now=NOW), width)


def test_the_conversation_and_the_injected_memories_are_shown(assembly: dict[str, Any], sample: Sample) -> None:
    text = flowed(assembly_text(assembly, sample))

    assert "Isla Mrs Lindqvist and her sister are coming back on Friday." in text
    assert "and 3 memories, the best first" in text
    assert "Mrs Astrid Lindqvist is severely allergic to feathers and down:" in text
    assert "meaning .50 · words .20" in text
    assert "relevance .60, freshness .90" in text


def test_a_memory_shows_what_it_replaced(assembly: dict[str, Any], sample: Sample) -> None:
    text = flowed(assembly_text(assembly, sample))

    assert text.count("no longer true:") == 1
    assert "The only ground-floor twin room" in text


def test_what_was_left_out_is_grouped_counted_and_shown_by_its_nearest_misses(
    assembly: dict[str, Any], sample: Sample
) -> None:
    text = flowed(assembly_text(assembly, sample))

    assert "1 no room" in text
    assert "1 said already" in text
    assert "2 off topic" in text
    assert "“Mrs Lindholm, the painter from Malmö, wants the softest…” relevance .60" in text
    assert text.index("Dr Osei books") < text.index("The house ghost")


def test_what_others_said_in_private_is_counted_and_never_quoted(assembly: dict[str, Any], sample: Sample) -> None:
    text = flowed(assembly_text(assembly, sample))

    assert f"{sample.story.private_to_others('isla')} private told in private by Tomasz" in text
    assert "surprise party" not in text


def test_tokens_are_shown_with_the_room_that_there_was(assembly: dict[str, Any], sample: Sample) -> None:
    text = flowed(assembly_text(assembly, sample))

    assert "1,647 tokens were added" in text
    assert "120 of 480 used" in text


def test_an_unknown_model_is_named(assembly: dict[str, Any], sample: Sample) -> None:
    assembly["metadata"]["budget"]["model_known"] = False

    assert "gpt-4o is not in the catalogue" in flowed(assembly_text(assembly, sample))


def test_every_source_has_its_own_bar_on_the_common_axis(assembly: dict[str, Any]) -> None:
    rows = drawn(timeline.render(assembly["metadata"], 48, 100)).splitlines()
    starts = {row[:20].strip(): row.find(FULL) for row in rows}

    assert starts["search by words"] == starts["standing instruction"]
    assert starts["search by meaning"] > starts["question to numbers"]
    assert starts["weigh and pack"] > starts["search by meaning"]
    assert all("┃" in row for row in rows[1:])


def test_a_late_source_is_marked_and_a_skipped_one_has_no_bar(assembly: dict[str, Any]) -> None:
    sources = assembly["metadata"]["sources"]
    sources["cold"] |= {"status": "timeout", "latency_ms": 35.0}
    sources["lexical"] = {"status": "skipped", "started_ms": 0, "latency_ms": 0, "count": 0}

    rows = {row[:20].strip(): row for row in drawn(timeline.render(assembly["metadata"], 48, 100)).splitlines()}

    assert "too late" in rows["search by meaning"]
    assert "not asked" in rows["search by words"]
    assert FULL not in rows["search by words"]


def test_the_deadline_stays_on_the_axis_when_the_answer_came_after_it(assembly: dict[str, Any]) -> None:
    assembly["metadata"]["timings_ms"]["total"] = 96.0

    rows = drawn(timeline.render(assembly["metadata"], 48, 100)).splitlines()

    assert "48" in rows[0]
    assert "96.0 ms" in rows[-1]
    assert all(len(row.rstrip()) <= 100 for row in rows)


def test_an_incomplete_answer_says_what_is_missing(assembly: dict[str, Any], sample: Sample) -> None:
    assembly["metadata"] |= {"fallback_reason": "cold_timeout", "candidates": [], "memory_ids": []}

    text = assembly_text(assembly, sample)

    assert "Incomplete, and it says so: cold_timeout." in text
    assert "and 0 memories" in text


@pytest.mark.parametrize("directive", [True, False])
def test_an_answer_without_a_budget_says_what_was_missing(
    assembly: dict[str, Any], sample: Sample, directive: bool
) -> None:
    sources = assembly["metadata"]["sources"] if directive else {}
    if directive:
        sources["cold"] |= {"status": "timeout"}
    assembly["metadata"] |= {"fallback_reason": "assembly_timeout", "budget": None, "sources": sources}
    assembly["metadata"] |= {"directive_injected": directive, "memory_ids": [], "memories_injected": 0}
    del assembly["metadata"]["candidates"]

    text = flowed(assembly_text(assembly, sample))

    assert "No memory: the time was over before any was chosen." in text
    assert ("The standing instruction from" in text) is directive
    assert f"search by meaning: {'too late' if directive else 'not asked'}" in text
    assert "Incomplete, and it says so: assembly_timeout." in text
    assert "the assembly was incomplete (assembly_timeout)" in list(judgement.assembly_faults(assembly, sample))


async def test_a_service_that_cannot_be_reached_is_a_fault_and_no_error(sample: Sample) -> None:
    console = Console(file=io.StringIO(), width=100)

    worked = await demonstration.show(f"http://127.0.0.1:{free_port()}", "rk", sample, console)

    file = console.file
    assert isinstance(file, io.StringIO)
    text = flowed(file.getvalue())
    assert worked is False
    assert "the assembly got no answer: All connection attempts failed" in text
    assert "the query got no answer: All connection attempts failed" in text
    assert "the conversation got no answer: All connection attempts failed" in text


def test_text_that_looks_like_markup_is_shown_as_it_is(assembly: dict[str, Any], sample: Sample) -> None:
    assembly["metadata"]["candidates"][0]["content"] = "[bold]not markup[/bold] [/] [link=x]"

    assert "[bold]not markup[/bold] [/] [link=x]" in assembly_text(assembly, sample)


def test_the_search_shows_ranks_reasons_and_the_whole_chain_of_replaced_facts(
    query: dict[str, Any], sample: Sample
) -> None:
    text = flowed(query_text(query, sample))

    assert "Tomasz Who delivers our fish now" in text
    assert "a question about a point in time; so: normal search" in text
    newer, older = (text.index(f"no longer true: {start}") for start in ("MacInnes has retired.", "Our fish comes"))
    assert newer < older
    assert "shares the words fish and order" in text
    assert "Promised within 500 ms, answered in 18 ms: kept." in text


def test_a_factor_without_weight_is_not_explained(query: dict[str, Any], sample: Sample) -> None:
    text = query_text(query, sample)

    assert "meaning:" in text
    assert "quality:" not in text


def test_a_degraded_search_says_so(query: dict[str, Any], sample: Sample) -> None:
    query |= {"degraded": ["hash_embedding"], "sla_met": False}

    text = flowed(query_text(query, sample))

    assert "missed." in text
    assert "Incomplete, and it says so: hash_embedding." in text


@pytest.fixture
def stored(sample: Sample) -> dict[str, Any]:
    decisions = ["no_statement", "assistant", "statement", "answered", "no_statement", "no_statement"]
    return {
        "pending": 0,
        "turns": [
            {
                "number": number,
                "role": message["role"],
                "text": message["content"],
                "state": "kept" if number in sample.story.capture.kept else "dropped",
                "reason": reason,
                "memory_id": f"memory {number}" if number in sample.story.capture.kept else None,
            }
            for number, (message, reason) in enumerate(
                zip(sample.story.capture.messages, decisions, strict=True), start=1
            )
        ],
    }


@pytest.fixture
def next_answer() -> dict[str, Any]:
    included = {"id": "memory 3", "content": "User: I planted forty leeks", "disposition": "included"}
    return {"metadata": {"memory_ids": ["memory 3"], "candidates": [included]}}


def test_the_conversation_is_shown_with_the_decision_on_each_turn_and_the_answer_from_it(
    stored: dict[str, Any], next_answer: dict[str, Any], sample: Sample
) -> None:
    text = flowed(drawn(capture_screen.render(stored, next_answer, sample), 100))

    assert "Rhona I planted forty leeks behind the boathouse" in text
    assert "kept it says something" in text
    assert "dropped it says nothing by itself" in text
    assert "The model gets to know, from that conversation: “User: I planted forty leeks”" in text
    assert list(judgement.capture_faults(stored, next_answer, sample)) == []


def test_each_fault_of_a_captured_conversation_is_named(
    stored: dict[str, Any], next_answer: dict[str, Any], sample: Sample
) -> None:
    nothing: dict[str, Any] = {"metadata": {"memory_ids": []}}
    assert list(judgement.capture_faults(stored, nothing, sample)) == [
        "the next question was answered without turn 3 of the conversation"
    ]
    assert "The model gets nothing of it." in drawn(capture_screen.render(stored, nothing, sample))

    stored["turns"][3]["memory_id"] = None
    assert list(judgement.capture_faults(stored, next_answer, sample)) == [
        "of the conversation, the turns [3] became memories instead of [3, 4]"
    ]
    stored["pending"] = 2
    assert list(judgement.capture_faults(stored, next_answer, sample)) == [
        "2 turns of the conversation are still waiting"
    ]


@pytest.mark.parametrize("width", [80, 100, 110])
def test_no_line_is_wider_than_the_screen(
    assembly: dict[str, Any], query: dict[str, Any], sample: Sample, width: int
) -> None:
    lines = (assembly_text(assembly, sample, width) + query_text(query, sample, width)).splitlines()

    assert max(len(line) for line in lines) <= width


def test_a_good_pair_of_answers_has_no_fault(assembly: dict[str, Any], query: dict[str, Any], sample: Sample) -> None:
    assert [*judgement.assembly_faults(assembly, sample)] == []
    assert [*judgement.query_faults(query, sample)] == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"fallback_reason": "hot_timeout"}, "the assembly was incomplete (hot_timeout)"),
        ({"memories_injected": 0}, "the assembly injected no memory"),
        ({"memory_ids": []}, "the assembly left out m-004"),
        ({"candidates": [{"user_id": "tomasz"}]}, "the assembly showed a memory that is private to tomasz"),
    ],
)
def test_each_fault_of_an_assembly_is_named(
    assembly: dict[str, Any], sample: Sample, change: dict[str, Any], fault: str
) -> None:
    assembly["metadata"] |= change

    assert fault in list(judgement.assembly_faults(assembly, sample))


def test_a_changed_conversation_is_a_fault(assembly: dict[str, Any], sample: Sample) -> None:
    answer = copy.deepcopy(assembly)
    answer["messages"][-1]["content"] += " please"

    assert list(judgement.assembly_faults(answer, sample)) == ["the assembly changed the conversation"]


def test_a_superseded_memory_among_the_answers_is_a_fault(query: dict[str, Any], sample: Sample) -> None:
    query["memories"].append(memory(sample, "m-117"))

    assert list(judgement.query_faults(query, sample)) == ["the query returned m-117, which m-118 replaced"]


def test_a_missing_answer_and_a_private_one_are_faults(query: dict[str, Any], sample: Sample) -> None:
    query["memories"] = [memory(sample, "m-002")]

    assert list(judgement.query_faults(query, sample)) == [
        "the query did not find m-118",
        "the query showed a memory that is private to isla",
    ]


def test_a_stacked_bar_is_as_long_as_its_sum_and_opens_each_segment_with_its_letter() -> None:
    assert stacked(PARTS, {"first": 0.5, "second": 0.3}, 10).plain == f"A{FULL * 4}B{FULL * 2}··"
    assert stacked(PARTS, {"first": 0.01, "second": 0.3}, 10).plain == f"B{FULL * 2}·······"
    assert stacked(PARTS, {}, 4).plain == "····"
    assert len(stacked(PARTS, {"first": 0.9, "second": 0.9}, 10).plain) == 10


def test_a_level_is_clamped_and_fine_to_an_eighth() -> None:
    assert level(0.5, 4).plain == f"{FULL * 2}··"
    assert level(0.53, 4).plain == f"{FULL * 2}▏·"
    assert level(-1, 4).plain == "····"
    assert level(2, 4).plain == FULL * 4


def test_an_interval_is_never_invisible_and_never_beyond_the_axis() -> None:
    assert interval(0, 0, 10, 10, style="cyan").plain == f"{FULL}{'·' * 9}"
    assert interval(9.9, 5, 10, 10, style="cyan").plain == f"{'·' * 9}{FULL}"
    assert interval(0, 2, 10, 10, style="cyan", mark=5).plain == f"{FULL * 2}···┃····"


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0.2, "today"),
        (1.5, "1 day old"),
        (6, "6 days old"),
        (15, "2 weeks old"),
        (45, "6 weeks old"),
        (90, "2 months old"),
    ],
)
def test_an_age_is_told_in_the_largest_unit_that_says_something(days: float, words: str) -> None:
    assert age((NOW - timedelta(days=days)).isoformat(), NOW) == words


def test_words_are_joined_and_cut_as_people_do() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert shortened("one two, three", 10) == "one two…"
    assert shortened("short", 10) == "short"
    assert [decimals(0.5), decimals(1.0)] == [".50", "1.00"]
