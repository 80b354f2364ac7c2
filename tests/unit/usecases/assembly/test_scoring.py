"""Which memories may compete for the budget: those that help with the turn, and are relevant enough."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.domain.context.assembly import AssemblyOptions, SourceReport
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.ranking.helpfulness import LINES
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
    best: float,
    *,
    options: AssemblyOptions | None = None,
    searched: bool = True,
    remembered: Turn | None = None,
    told: Sequence[UUID] = (),
    text: str = "Which goose is mine?",
    words: float = 0.8,
) -> scoring.Selection:
    """Twelve memories, one with this similarity and a word of the turn, the others weak."""
    found = [Evidence(memory(1), dense=best, content=words, context=words)]
    found += [Evidence(memory(number), dense=WEAK, content=0.0, context=0.0) for number in range(2, 13)]
    request = assemble_request(messages=[message(text)], options=options or AssemblyOptions())
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))
    retrieved = Found(Candidates.of(found), replace(WORDS, remembered=remembered), SEARCHED if searched else {})
    return scoring.weigh(plan, retrieved, budget=2_000, told=told)


def test_only_what_helps_is_considered() -> None:
    weighed = weigh(0.9)

    judged = weighed.judged
    assert judged is not None and judged.need > 0.9
    assert judged.helps[0] > LINES["balanced"] > judged.helps[1:].max()
    assert judged.need >= judged.probability[0] > judged.probability[1:].max()
    assert (weighed.floor, len(weighed.considered), weighed.available) == (0.0, 1, 1)


def test_the_usual_floor_counts_where_that_could_not_be_judged() -> None:
    weighed = weigh(0.9, searched=False)

    assert weighed.judged is None
    assert (weighed.floor, len(weighed.considered)) == (0.15, 1)


@pytest.mark.parametrize(("floor", "count"), [(0.15, 1), (0.075, 12), (0.0, 12)])
def test_a_floor_that_a_request_names_takes_the_lines_place(floor: float, count: int) -> None:
    weighed = weigh(0.9, options=AssemblyOptions(relevance_floor=floor))

    assert (weighed.floor, len(weighed.considered)) == (floor, count)


def test_a_floor_does_not_end_the_silence_of_a_turn_that_needs_nothing() -> None:
    weighed = weigh(WEAK, options=AssemblyOptions(relevance_floor=0.0), text="ok", words=0.0)

    assert (weighed.silent, len(weighed.considered)) == (True, 0)


def test_less_thorough_is_never_more() -> None:
    counts = [len(weigh(0.5, options=AssemblyOptions(thoroughness=name)).considered) for name in LINES]

    assert counts == sorted(counts)


def test_a_turn_whose_memory_was_told_before_gets_no_others_in_its_place() -> None:
    weighed = weigh(0.9, told=[memory(1).id])

    assert (len(weighed.considered), weighed.silent) == (0, False)


def test_what_may_be_out_of_date_is_not_told_without_what_says_so() -> None:
    doubted = memory(1, contradicted_by=(memory(5).id, UUID(int=99)))
    chained = memory(5, contradicted_by=(memory(7).id,), contradicts=(doubted.id,))
    found = [Evidence(doubted, dense=0.9, content=0.8, context=0.8), Evidence(chained, dense=WEAK)]
    found += [Evidence(memory(number), dense=WEAK) for number in range(6, 18)]
    request = assemble_request(messages=[message("Which goose is mine?")])
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))

    weighed = scoring.weigh(plan, Found(Candidates.of(found), WORDS, SEARCHED), budget=2_000)
    told = scoring.weigh(plan, Found(Candidates.of(found), WORDS, SEARCHED), budget=2_000, told=[chained.id])

    assert {one.id for one in weighed.considered.memories} == {doubted.id, chained.id, memory(7).id}
    assert weighed.available == 3
    assert {one.id for one in told.considered.memories} == {doubted.id}


def test_a_chain_of_contradictions_is_followed_so_far_and_no_farther() -> None:
    """However many an end user makes: each step costs as much as ordering all that helps."""
    chain = [memory(number, contradicted_by=(memory(number + 1).id,)) for number in range(1, 250)]
    found = [Evidence(chain[0], dense=0.9, content=0.8, context=0.8)]
    found += [Evidence(one, dense=WEAK, content=0.0, context=0.0) for one in chain[1:]]
    request = assemble_request(messages=[message("Which goose is mine?")])
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))

    weighed = scoring.weigh(plan, Found(Candidates.of(found), WORDS, SEARCHED), budget=2_000)

    followed = {one.id for one in chain[: scoring.MOST_CONTRADICTED + 1]}
    assert {one.id for one in weighed.considered.memories} == followed


@pytest.mark.parametrize(
    ("text", "end_user", "order"),
    [
        ("What colour is my goose?", EndUser("ada"), [3, 1, 2]),
        ("What colour is my goose?", NOBODY, [1, 2]),
        ("What colour is my goose?", EVERYBODY, [1, 2, 3]),
        ("What colour is my goose?", EndUser("bo"), [1, 2]),
        ("What colour is the goose?", EndUser("ada"), [1, 2, 3]),
        ("May I bring my goose?", EndUser("ada"), [1, 2, 3]),
    ],
)
def test_own_memories_come_first_where_a_turn_is_about_the_speakers_own_things(
    text: str, end_user: EndUser, order: list[int]
) -> None:
    found = [
        Evidence(memory(1), dense=0.70, content=0.5, context=0.5),
        Evidence(memory(2), dense=0.69, content=0.5, context=0.5),
        Evidence(memory(3, user_id="ada"), dense=0.67, content=0.5, context=0.5),
        *(Evidence(memory(number), dense=WEAK, content=0.0, context=0.0) for number in range(4, 16)),
    ]
    request = assemble_request(messages=[message(text)], end_user=end_user)
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))

    weighed = scoring.weigh(plan, Found(Candidates.of(found), WORDS, SEARCHED), budget=2_000)

    numbers = {memory(number).id: number for number in range(1, 16)}
    assert [numbers[one.id] for one in weighed.considered.memories][: len(order)] == order


@pytest.mark.parametrize("words", [0.8, 0.2])
def test_a_memory_without_a_vector_yet_stands_where_its_words_put_it(words: float) -> None:
    found = [Evidence(memory(1), dense=None, content=words, context=words)]
    found += [Evidence(memory(number), dense=0.6, content=0.3, context=0.3) for number in range(2, 5)]
    request = assemble_request(messages=[message("Which goose is mine?")])
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))

    weighed = scoring.weigh(plan, Found(Candidates.of(found), WORDS, SEARCHED), budget=2_000)

    order = [one.id for one in weighed.considered.memories]
    assert order.index(memory(1).id) == (0 if words == 0.8 else 3)


def test_without_silence_the_best_are_injected_though_the_turn_needs_none() -> None:
    quiet, loud = (
        weigh(WEAK + 0.1, options=AssemblyOptions(silence=silence), text="ok", words=0.0) for silence in (None, False)
    )

    assert (quiet.silent, len(quiet.considered)) == (True, 0)
    assert not loud.silent and memory(1).id in {one.id for one in loud.considered.memories}


def test_a_turn_that_is_asked_again_gets_the_memories_that_it_got_before() -> None:
    weighed = weigh(0.9, remembered=Turn((), available=12))

    assert len(weighed.considered) == 12
