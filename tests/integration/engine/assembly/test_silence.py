"""Assembly injects nothing where nothing stored helps, says so, and is asked not to."""

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.deadline import Deadline
from tests.builders import message, profile
from tests.integration.engine.assembly.bench import DIRECTIVE, WIDE, Bench, injected
from tests.integration.engine.later import LaterWork

NOTES = [
    f"The {colour} {thing} stands in room {number}."
    for number, (colour, thing) in enumerate(
        [
            (colour, thing)
            for colour in ("brass", "green", "broken", "second")
            for thing in ("lamp", "ladder", "globe", "harp")
        ]
    )
]
SMALL_TALK = "ok"


@pytest.fixture
async def full(bench: Bench) -> Bench:
    """With enough embedded memories to compare a turn with."""
    await bench.tenant.embed(await bench.tenant.remember_texts(*NOTES))
    return bench


def asking(text: str, **options: object) -> dict[str, object]:
    return {"messages": [message(text)], "options": AssemblyOptions(relevance_floor=0.0, explain=True, **options)}  # type: ignore[arg-type]


async def test_small_talk_gets_the_directive_alone_and_the_answer_says_why(full: Bench) -> None:
    assembly = await full.assemble(full.request(**asking(SMALL_TALK)))

    metadata = assembly.as_json()["metadata"]
    assert (metadata["silent"], metadata["memories_injected"], metadata["fallback_reason"]) == (True, 0, "")
    assert metadata["memories_available"] == 0
    assert len(metadata["candidates"]) > 10
    assert 0 <= metadata["helpfulness"] < 0.4
    assert {one["disposition"] for one in metadata["candidates"]} == {"silence"}
    assert DIRECTIVE in injected(assembly) and "harp" not in injected(assembly)
    assert not metadata["was_truncated"]


async def test_a_question_that_memories_answer_gets_them(full: Bench) -> None:
    assembly = await full.assemble(full.request(**asking("Where does the broken harp stand?")))

    assert not assembly.silent
    assert assembly.helpfulness is not None and assembly.helpfulness >= 0.4
    assert "broken harp" in injected(assembly)


async def test_lean_gives_at_most_twelve_unless_the_request_says_how_many(full: Bench) -> None:
    question = "Where does the broken harp stand?"
    counts = [
        len((await full.assemble(full.request(**asking(question, **options)))).memory_ids)
        for options in ({"thoroughness": "lean"}, {"thoroughness": "lean", "max_memories": 14}, {})
    ]

    assert counts[:2] == [12, 14] and counts[2] > 14


async def test_silence_is_switched_off_for_a_request(full: Bench) -> None:
    loud = await full.assemble(full.request(**asking(SMALL_TALK, silence=False)))
    asked_for = await full.assemble(full.request(**asking(SMALL_TALK, silence=True)))

    assert not loud.silent and loud.memory_ids
    assert (asked_for.silent, asked_for.memory_ids) == (True, ())


async def test_without_one_of_the_searches_nothing_is_withheld(full: Bench) -> None:
    assembly = await full.assemble(full.request(**asking(SMALL_TALK, skip=("cold",))))

    assert (assembly.silent, assembly.helpfulness) == (False, None)


async def test_a_silent_turn_stays_silent_when_it_is_asked_again(full: Bench) -> None:
    request = full.request(**asking(SMALL_TALK), session_id="s", turn_id="t")
    later = LaterWork()
    first = await full.assemble(request, later=later)
    await later.do("turn_cache")

    again = await full.assemble(request)

    assert (again.tier, again.silent, again.memory_ids) == ("turn_cache", True, ())
    assert again.memories_available == first.memories_available


async def test_a_memory_that_only_vectors_found_has_the_scores_of_its_words_too(bench: Bench) -> None:
    request = bench.request(messages=[message("tea and coffee machine")])
    plan = AssemblyPlan(request, profile(), SystemClock().now(), Deadline.begin(SystemClock(), 10_000), WIDE)

    retrieved = await bench.assembler.retriever.retrieve(plan, LaterWork(), rows=1)

    found = {evidence.memory.id: evidence for evidence in retrieved.candidates}

    # One row of each search: the words find the tea first, and only the coffee has a vector.
    assert found[bench.tea].dense is None
    assert (found[bench.coffee].dense or 0) > 0
    assert 0 < (found[bench.coffee].lexical or 0) < (found[bench.tea].lexical or 0)
