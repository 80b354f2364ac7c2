"""A turn that refers to the messages before it is searched with them, in the store and in the map alike."""

from typing import Any

from remembrancer.domain.context.assembly import AssemblyOptions
from tests.builders import message
from tests.integration.engine.assembly.bench import Bench, injected
from tests.integration.engine.later import LaterWork

NOTES = [f"The {colour} lamp stands in room {number}." for number, colour in enumerate(("brass", "green", "old"), 1)]
TANDEM = "The tandem can be fetched on Friday after three."
BEFORE = [message("Is the tandem of Mrs Brandt done?"), message("Not yet.", role="assistant")]
OPTIONS = AssemblyOptions(explain=True, silence=False, relevance_floor=0.0)


def asking(bench: Bench, *messages: dict[str, Any]) -> Any:
    return bench.request(messages=list(messages), options=OPTIONS)


def lexical(assembly: Any, text: str) -> float:
    return next(one.evidence.lexical or 0.0 for one in assembly.candidates if one.scored.memory.content == text)


async def test_the_store_and_the_map_search_a_follow_up_with_what_it_refers_to(bench: Bench) -> None:
    await bench.tenant.embed(await bench.tenant.remember_texts(*NOTES, TANDEM))
    later = LaterWork()

    from_store = await bench.assemble(asking(bench, *BEFORE, message("And is it back?")), later=later)
    await later.do("memory_map")
    from_map = await bench.assemble(asking(bench, *BEFORE, message("And is it back?")))
    without = await bench.assemble(asking(bench, message("And is it back?")))

    assert (from_store.tier, from_map.tier) == ("postgres", "map")
    assert injected(from_store) == injected(from_map)
    assert lexical(from_store, TANDEM) == lexical(from_map, TANDEM) > 0
    assert lexical(without, TANDEM) == 0


async def test_a_turn_that_stands_alone_gets_the_same_in_any_conversation(bench: Bench) -> None:
    await bench.tenant.embed(await bench.tenant.remember_texts(*NOTES, TANDEM))
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("memory_map")

    alone = await bench.assemble(asking(bench, message("Where does the green lamp stand?")))
    later_on = await bench.assemble(asking(bench, *BEFORE, message("Where does the green lamp stand?")))

    assert alone.memory_ids == later_on.memory_ids != ()
    assert [one.as_json() for one in alone.candidates or ()] == [one.as_json() for one in later_on.candidates or ()]
