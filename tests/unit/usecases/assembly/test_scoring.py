"""Which memories may compete for the budget: the relevance floor, and what a turn as a whole says about it."""

from dataclasses import replace

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.domain.context.assembly import AssemblyOptions, SourceReport
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.ports.search import WordHits
from remembrancer.usecases.assembly import scoring
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.search import Found, SearchResult
from tests.builders import NOW, assemble_request, memory, message, profile

SEARCHED = {name: SourceReport("ok") for name in ("vector", "lexical")}
WORDS = SearchResult(words=WordHits(information=2.0))
WEAK = 0.35
"""A similarity whose absolute relevance is between half of the floor and the floor."""


def weigh(
    best: float, *, options: AssemblyOptions | None = None, searched: bool = True, remembered: Turn | None = None
) -> scoring.Selection:
    """Twelve memories, one with this similarity and a word of the turn, the others weak."""
    found = [Evidence(memory(1), dense=best, content=0.8, context=0.8)]
    found += [Evidence(memory(number), dense=WEAK, content=0.0, context=0.0) for number in range(2, 13)]
    request = assemble_request(messages=[message("Which goose is mine?")], options=options or AssemblyOptions())
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))
    retrieved = Found(Candidates.of(found), replace(WORDS, remembered=remembered), SEARCHED if searched else {})
    return scoring.weigh(plan, retrieved, budget=2_000)


def test_half_of_the_floor_counts_where_it_is_sure_that_memories_help() -> None:
    weighed = weigh(0.9)

    assert weighed.helpfulness is not None and weighed.helpfulness > 0.9
    assert (weighed.floor, len(weighed.considered)) == (0.075, 12)


@pytest.mark.parametrize("searched", [False, True])
def test_all_of_it_counts_where_that_was_not_examined_or_a_request_names_its_own(searched: bool) -> None:
    weighed = weigh(0.9, searched=searched, options=AssemblyOptions(relevance_floor=0.15 if searched else None))

    assert (weighed.floor, len(weighed.considered)) == (0.15, 1)


@pytest.mark.parametrize("words", [0.8, 0.2])
def test_a_memory_without_a_vector_yet_stands_where_its_words_put_it(words: float) -> None:
    found = [Evidence(memory(1), dense=None, content=words, context=words)]
    found += [Evidence(memory(number), dense=0.6, content=0.3, context=0.3) for number in range(2, 5)]
    request = assemble_request(messages=[message("Which goose is mine?")])
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))

    weighed = scoring.weigh(plan, Found(Candidates.of(found), WORDS, SEARCHED), budget=2_000)

    order = [one.id for one in weighed.considered.memories]
    assert order.index(memory(1).id) == (0 if words == 0.8 else 3)


def test_without_silence_no_less_is_injected_than_with_it() -> None:
    weighed = weigh(0.9, options=AssemblyOptions(silence=False))

    assert weighed.helpfulness is None
    assert len(weighed.considered) == 12


def test_a_turn_that_is_asked_again_gets_the_memories_that_it_got_before() -> None:
    weighed = weigh(0.9, remembered=Turn((), available=12))

    assert len(weighed.considered) == 12
