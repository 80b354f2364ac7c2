"""The sample is data: these tests hold it to what the API takes and to what the demonstration tells."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from local.sample.loader import BATCH, Sample, batches, body
from local.sample.story import FOLDER, Story, StoryLine, read
from remembrancer.domain.memories import write_request
from remembrancer.domain.memories.memory import CATEGORIES, RELATION_TYPES, SOURCES, normalise

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
AGENT = "0198c0de-0000-7000-8000-000000000001"


@pytest.fixture(scope="module")
def story() -> Story:
    return read()


def line(reference: str, supersedes: str | None = None) -> StoryLine:
    return StoryLine(reference, f"text of {reference}", "factual", "imported", 0.9, 0.5, 10.0, supersedes=supersedes)


def test_about_three_hundred_memories_over_a_year(story: Story) -> None:
    ages = [line.days_ago for line in story.lines]

    assert 290 <= len(story.lines) <= 310
    assert 350 < max(ages) < 366
    assert 0 < min(ages) < 3


def test_every_category_source_and_relation_type_occurs(story: Story) -> None:
    categories = Counter(line.category for line in story.lines)
    sources = Counter(line.source for line in story.lines)
    types = Counter(relation.type for relation in story.relations)

    assert set(categories) == set(CATEGORIES)
    assert set(sources) == set(SOURCES)
    # Possible conflicts are found by the worker, and settled by callers.
    assert set(types) | {"may_contradict", "compatible"} == set(RELATION_TYPES)
    assert min(categories.values()) >= 20
    assert min(sources.values()) >= 20


def test_references_are_unique_and_no_text_occurs_twice(story: Story) -> None:
    assert len({line.client_ref for line in story.lines}) == len(story.lines)
    assert len({line.content.casefold() for line in story.lines}) == len(story.lines)


def test_texts_are_prose_of_their_own_and_not_a_template(story: Story) -> None:
    beginnings = Counter(" ".join(line.content.split()[:4]) for line in story.lines)

    assert beginnings.most_common(1)[0][1] <= 3
    assert all(len(line.content.split()) >= 8 for line in story.lines)


def test_texts_stand_as_the_service_would_store_them(story: Story) -> None:
    texts = [text for line in story.lines for text in (line.content, line.context, line.summary) if text is not None]

    assert [text for text in (*texts, story.directive) if normalise(text) != text] == []


def test_the_api_takes_every_memory(story: Story) -> None:
    ids = {line.client_ref: str(UUID(int=number)) for number, line in enumerate(story.lines, start=1)}

    parsed = [write_request.parse(body(line, AGENT, NOW, ids), now=NOW) for line in story.lines]

    assert [memory.client_ref for memory in parsed] == [line.client_ref for line in story.lines]
    assert all(NOW - memory.created_at <= timedelta(days=366) for memory in parsed)


def test_what_was_said_in_a_conversation_has_its_context(story: Story) -> None:
    extracted = [line for line in story.lines if line.source == "extracted"]

    assert [line.client_ref for line in extracted if not (line.context and line.session_id)] == []
    assert [line.client_ref for line in story.lines if line.source == "imported" and line.session_id] == []


def test_a_conversation_lasts_less_than_a_day(story: Story) -> None:
    sessions: dict[str, list[float]] = {}
    for told in story.lines:
        if told.session_id:
            sessions.setdefault(told.session_id, []).append(told.days_ago)

    assert len(sessions) > 50
    assert [name for name, ages in sessions.items() if max(ages) - min(ages) >= 1] == []


def test_two_people_have_memories_of_their_own_and_most_are_shared(story: Story) -> None:
    owners = Counter(line.user_id for line in story.lines)

    assert set(owners) == {None, *(person.user_id for person in story.people)}
    assert len(story.people) == 2
    assert min(owners.values()) >= 30
    assert owners[None] > len(story.lines) / 2


def test_a_replaced_memory_stands_before_its_successor_is_older_and_has_one_only(story: Story) -> None:
    place = {line.client_ref: number for number, line in enumerate(story.lines)}
    replacing = [line for line in story.lines if line.supersedes]

    assert replacing
    for line in replacing:
        assert line.supersedes is not None
        older = story.lines[place[line.supersedes]]
        assert place[older.client_ref] < place[line.client_ref]
        assert older.days_ago > line.days_ago
        assert older.category == line.category
        assert line.user_id is None or line.user_id == older.user_id
    assert max(Counter(line.supersedes for line in replacing).values()) == 1


def test_one_fact_was_replaced_twice(story: Story) -> None:
    ids = {line.client_ref: f"id-{line.client_ref}" for line in story.lines}
    sample = Sample(story, "org", "agent", ids)

    chain = sample.replaced_by("id-m-118")

    assert [line.client_ref for line in chain] == ["m-117", "m-116"]


def test_relations_join_two_different_memories_once_for_each_type(story: Story) -> None:
    references = {line.client_ref for line in story.lines}
    edges = [(relation.origin, relation.target, relation.type) for relation in story.relations]

    assert len(edges) > 100
    assert len(set(edges)) == len(edges)
    assert all({origin, target} <= references and origin != target for origin, target, _ in edges)
    assert all(0 < relation.confidence <= 1 for relation in story.relations)


def test_what_one_person_said_in_private_is_not_linked_to_what_the_other_did(story: Story) -> None:
    owner = {line.client_ref: line.user_id for line in story.lines}
    mixed = [
        (relation.origin, relation.target)
        for relation in story.relations
        if {"isla", "tomasz"} <= {owner[relation.origin], owner[relation.target]}
    ]

    assert mixed == []


def test_the_questions_expect_memories_that_their_person_may_see(story: Story) -> None:
    by_reference = {line.client_ref: line for line in story.lines}
    replaced = {line.supersedes for line in story.lines}

    for question in (story.assembly, story.query):
        assert question.expected
        for reference in question.expected:
            assert by_reference[reference].user_id in {None, question.user_id}
            assert reference not in replaced
    assert 3 <= len(story.assembly.messages) <= 5
    assert story.assembly.messages[-1]["role"] == "user"


def test_a_file_holds_one_object_a_line() -> None:
    for name in ("memories.jsonl", "relations.jsonl"):
        rows = (FOLDER / name).read_text("utf-8").splitlines()

        assert all(isinstance(json.loads(row), dict) for row in rows)


def test_batches_hold_a_hundred_and_never_a_memory_beside_the_one_it_replaces(story: Story) -> None:
    loaded: set[str] = set()

    for batch in batches(story.lines):
        assert 0 < len(batch) <= BATCH
        assert {line.supersedes for line in batch if line.supersedes} <= loaded
        loaded |= {line.client_ref for line in batch}

    assert loaded == {line.client_ref for line in story.lines}


def test_a_chain_of_three_takes_three_batches() -> None:
    chain = [line("a"), line("b", supersedes="a"), line("c", supersedes="b"), line("d")]

    order = [[told.client_ref for told in batch] for batch in batches(chain)]

    assert order == [["a", "d"], ["b"], ["c"]]


def test_no_memories_make_no_batch() -> None:
    assert list(batches([])) == []


def test_a_body_names_the_replaced_memory_by_its_id_and_leaves_out_what_is_absent() -> None:
    told = body(line("b", supersedes="a"), AGENT, NOW, {"a": "id-of-a"})

    assert told["supersedes"] == "id-of-a"
    assert told["created_at"] == "2026-05-22T12:00:00+00:00"
    assert "user_id" not in told
    assert "context" not in told


def test_one_session_is_one_uuid_on_every_load(story: Story) -> None:
    told = next(line for line in story.lines if line.session_id and not line.supersedes)

    first, second = body(told, AGENT, NOW, {}), body(told, AGENT, NOW + timedelta(days=1), {})

    assert UUID(first["session_id"])
    assert first["session_id"] == second["session_id"]
