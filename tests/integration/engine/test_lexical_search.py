"""Search by words against a textbook BM25 over the same texts in memory."""

import pytest

from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.filters import Filters
from tests.builders import NOW
from tests.integration.engine.tenant import MODEL, Tenant, word_vector
from tests.integration.engine.textbook import textbook

CORPUS = [
    ("The office has a coffee machine on the third floor.", None),
    ("Coffee, coffee, coffee: Ann drinks nothing else.", None),
    ("The machine is broken.", "Somebody asked whether the coffee machine works."),
    ("Ann's sister visits the office every second floor party.", None),
    ("Bob prefers tea.", "Coffee or tea? He was asked at the office."),
    ("A very long note about gardens, flowers, trees, bees, honey, apples, pears, and one single coffee.", None),
    ("Café visits are expensed monthly.", None),
    ("Running shoes were bought; Ann runs daily.", "She ran a marathon, running since school."),
    ("Nothing in common with the questions.", None),
]
QUESTIONS = [
    "coffee",
    "Where is the coffee machine?",
    "office floor",
    "coffee coffee coffee",
    "Does Ann run in the office, or does Bob?",
    "running",
    "cafe visits",
    "sesquipedalian coffee",
    "who is the one with the tea",
]


async def matching(tenant: Tenant, question: str, *, limit: int = 100) -> list[Evidence]:
    search = PostgresSearch(tenant.database, model=MODEL)
    return list((await search.matching(tenant.scope(), tenant.wanted(question), Filters(), limit=limit, now=NOW)).found)


@pytest.mark.parametrize("question", QUESTIONS)
async def test_scores_and_order_are_those_of_the_textbook(tenant: Tenant, question: str) -> None:
    writes = [tenant.write(content, context=context) for content, context in CORPUS]
    await tenant.remember(*writes)

    found = await matching(tenant, question)

    expected = textbook(writes, question)
    assert {matched.memory.id: matched.lexical for matched in found} == pytest.approx(expected)
    assert [matched.lexical or 0 for matched in found] == sorted(
        (matched.lexical or 0 for matched in found), reverse=True
    )
    assert all(0 < (matched.lexical or 0) <= 1 for matched in found)


async def test_what_only_another_search_found_gets_the_scores_that_it_would_have_among_the_best(tenant: Tenant) -> None:
    written = await tenant.remember(*(tenant.write(content, context=context) for content, context in CORPUS))
    await tenant.embed([result.memory_id for result in written if result.memory_id is not None])
    question = "Where is the coffee machine?"
    everything = await matching(tenant, question)
    search, wanted = PostgresSearch(tenant.database, model=MODEL), tenant.wanted(question)

    best = await search.matching(tenant.scope(), wanted, Filters(), limit=2, now=NOW)
    nearest = await search.nearest(
        tenant.scope(), await word_vector(question), Filters(), model=MODEL, limit=100, now=NOW
    )
    completed = best.completed([nearest, nearest])

    assert 4 < len(everything) < len(nearest.memories) == len(CORPUS)
    assert [one.memory.id for one in completed.found[:2]] == [one.memory.id for one in everything[:2]]
    assert {one.memory.id: (one.lexical, one.terms) for one in completed.found} == {
        one.memory.id: (one.lexical, one.terms) for one in everything
    }
    assert len(completed.memories) == len(everything)


async def test_scores_forget_a_superseded_memory(tenant: Tenant) -> None:
    writes = [tenant.write(content, context=context) for content, context in CORPUS]
    await tenant.remember(*writes)
    newer = tenant.write("The coffee machine moved to the cellar.", supersedes=writes[0].memory_id)
    await tenant.remember(newer)

    found = await matching(tenant, "Where is the coffee machine?")

    expected = textbook([*writes[1:], newer], "Where is the coffee machine?")
    assert {matched.memory.id: matched.lexical for matched in found} == pytest.approx(expected)


async def test_scores_know_nothing_of_another_agent_or_organization(tenant: Tenant, stranger: Tenant) -> None:
    writes = [tenant.write(content, context=context) for content, context in CORPUS]
    await tenant.remember(*writes)
    other = await tenant.with_agent("other")
    await other.remember_texts(*(f"Coffee number {number}." for number in range(20)))
    await stranger.remember_texts(*(f"Coffee number {number}." for number in range(20)))

    found = await matching(tenant, "coffee machine")

    assert {matched.memory.id: matched.lexical for matched in found} == pytest.approx(
        textbook(writes, "coffee machine")
    )


async def test_scores_of_a_project_count_all_its_agents_and_no_other_places(tenant: Tenant) -> None:
    second = await tenant.with_agent("second")
    development = await tenant.with_agent("third", environment="development")
    writes = [tenant.write(content, context=context) for content, context in CORPUS[:5]]
    more = [second.write(content, context=context) for content, context in CORPUS[5:]]
    await tenant.remember(*writes)
    await second.remember(*more)
    await development.remember_texts(*(f"Coffee number {number}." for number in range(20)))

    search = PostgresSearch(tenant.database, model=MODEL)
    found = await search.matching(
        tenant.project_scope(), tenant.wanted("coffee machine"), Filters(), limit=100, now=NOW
    )

    expected = textbook(writes + more, "coffee machine")
    assert {matched.memory.id: matched.lexical for matched in found.found} == pytest.approx(expected)


async def test_each_match_names_the_words_that_it_contains(tenant: Tenant) -> None:
    machine, tea = await tenant.remember_texts("A coffee machine.", "Tea in the office.")
    coffee_term, machine_term, office_term = (tenant.wanted(word).terms[0] for word in ("coffee", "machine", "office"))

    found = await matching(tenant, "coffee machine office elephant")

    assert {matched.memory.id: set(matched.terms) for matched in found} == {
        machine: {coffee_term, machine_term},
        tea: {office_term},
    }


async def test_a_memory_is_found_by_its_words_before_it_is_embedded_and_gets_its_vector_with_it(
    tenant: Tenant,
) -> None:
    (identifier,) = await tenant.remember_texts("The office has a coffee machine.")

    (before,) = await matching(tenant, "coffee")
    await tenant.embed([identifier])
    (after,) = await matching(tenant, "coffee")

    assert (before.memory.id, before.memory.vector) == (identifier, None)
    assert after.memory.id == identifier
    assert after.memory.vector is not None


async def test_context_is_searched_and_counts_less(tenant: Tenant) -> None:
    writes = [tenant.write("Elephants never forget."), tenant.write("They never do so.", context="About elephants.")]
    await tenant.remember(*writes)

    found = await matching(tenant, "elephants")

    assert [matched.memory.id for matched in found] == [write.memory_id for write in writes]


async def test_the_limit_keeps_the_best(tenant: Tenant) -> None:
    await tenant.remember(*(tenant.write(content, context=context) for content, context in CORPUS))

    everything = await matching(tenant, "coffee office machine")
    best = await matching(tenant, "coffee office machine", limit=3)

    assert len(everything) > 3
    assert best == everything[:3]


@pytest.mark.parametrize("question", ["", "the of and", "?!", "sesquipedalian"])
async def test_a_question_without_known_words_matches_nothing(tenant: Tenant, question: str) -> None:
    await tenant.remember_texts("The office has a coffee machine.")

    assert await matching(tenant, question) == []


async def test_a_memory_of_stop_words_alone_is_stored_and_never_matched(tenant: Tenant) -> None:
    await tenant.remember_texts("To be or not to be.", "Coffee.")

    (found,) = await matching(tenant, "to be coffee")

    assert found.memory.content == "Coffee."


async def test_the_index_reveals_no_words_and_differs_between_organizations(tenant: Tenant, stranger: Tenant) -> None:
    await tenant.remember_texts("The office has a coffee machine.")
    await stranger.remember_texts("The office has a coffee machine.")

    for place in (tenant, stranger):
        await PostgresLexicalIndex(place.database).merge(place.org_id, place.agent_id)

    own = {row[0] for row in await tenant.fetch("SELECT term FROM index_blocks")}
    foreign = {row[0] for row in await stranger.fetch("SELECT term FROM index_blocks")}

    assert len(own) == len(foreign) == 3
    assert not own & foreign
