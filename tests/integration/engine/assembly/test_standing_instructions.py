"""What an end user tells the assistant once stands in each of their later prompts, and in nobody else's."""

from collections.abc import Sequence
from typing import Any

import pytest

from local.servers import PostgresServer
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.directory import configure_organization
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.capture import standing
from remembrancer.domain.context.assembly import Assembly
from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.memories.pins import MOST_TOKENS
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.ports.memories import Listing
from tests import capture_cases
from tests.builders import message
from tests.integration.engine.assembly.bench import Bench, injected
from tests.integration.engine.desk import desk_of
from tests.integration.engine.test_capture import Scene, assistant, scene_of, user

GERMAN = "Always answer in German."


@pytest.fixture
def scene(bench: Bench, redis: RedisClient, counter: TiktokenCounter) -> Scene:
    return scene_of(bench.tenant, redis, counter)


@pytest.fixture
async def at_once(bench: Bench, migrated: PostgresServer) -> None:
    """What is captured is pinned, not only proposed."""
    await configure_organization(migrated.owner_url, bench.tenant.org_id, {"pin_instructions": True})


async def prompt(bench: Bench, text: str, user_id: str | None) -> Assembly:
    return await bench.assemble(bench.request(messages=[message(text)], end_user=EndUser(user_id)))


async def proposals(scene: Scene) -> Sequence[StoredMemory]:
    return await scene.memories.list(scene.principal, Listing(agent_id=scene.tenant.agent_id, pin_proposed=True))


async def pinned(scene: Scene) -> list[tuple[str | None, str]]:
    """Owners and texts, the newest first."""
    found = await scene.memories.list(scene.principal, Listing(agent_id=scene.tenant.agent_id, pinned=True))
    return [(one.memory.user_id, one.memory.content) for one in found]


async def captured(scene: Scene, *messages: dict[str, Any], user_id: str | None = "ada") -> None:
    await scene.add(*messages, user_id=user_id)
    await scene.capture()


async def test_each_of_sixty_instructions_is_in_the_prompt_of_a_request_that_shares_no_word_with_it(
    bench: Bench, scene: Scene, at_once: None
) -> None:
    said = [one for one in capture_cases.instructions() if one.request is not None]
    for number, one in enumerate(said):
        await scene.add(user(one.text), user_id=f"user-{number}")
    assert (await scene.capture()).failed == {}

    answers = [await prompt(bench, one.request or "", f"user-{number}") for number, one in enumerate(said)]

    missing = [
        one.text
        for one, answer in zip(said, answers, strict=True)
        if (standing.instruction(one.text) or one.text) not in injected(answer)
    ]
    assert len(said) == 60
    assert missing == []
    assert {len(answer.pinned_memory_ids) for answer in answers} == {1}


async def test_what_is_captured_is_only_proposed_until_somebody_pins_it(
    bench: Bench, scene: Scene, redis: RedisClient, counter: TiktokenCounter
) -> None:
    desk = desk_of(bench.tenant, redis, counter)
    await captured(scene, user(GERMAN))
    (proposed,) = await proposals(scene)
    before = await prompt(bench, "How tall is the tower?", "ada")

    await desk.revise(proposed.memory.id, pinned=True)
    after = await prompt(bench, "How tall is the tower?", "ada")
    elsewhere = [await prompt(bench, "How tall is the tower?", other) for other in ("bob", None)]

    assert proposed.is_pin_proposed
    assert before.pinned_memory_ids == ()
    assert after.pinned_memory_ids == (proposed.memory.id,)
    assert [answer.pinned_memory_ids for answer in elsewhere] == [(), ()]
    assert await proposals(scene) == []


async def test_a_refused_proposal_is_not_made_again_and_neither_is_a_pin_that_was_taken_away(
    bench: Bench, scene: Scene, redis: RedisClient, counter: TiktokenCounter
) -> None:
    desk = desk_of(bench.tenant, redis, counter)
    await captured(scene, user(GERMAN), user("Call me Sam."))
    refused, unpinned = await proposals(scene)
    await desk.revise(unpinned.memory.id, pinned=True)

    await desk.revise(refused.memory.id, pinned=False)
    await desk.revise(unpinned.memory.id, pinned=False)
    await scene.add(user(GERMAN), session_id="another", user_id="ada")
    await scene.capture()

    assert await proposals(scene) == []
    assert await pinned(scene) == []
    assert len(await scene.contents()) == 4


async def test_pins_at_once_keep_within_the_bound_and_what_has_no_room_is_proposed(scene: Scene, at_once: None) -> None:
    said = [f"Never recommend anything with ingredient {'very ' * 40}number {number}." for number in range(14)]
    for number, text in enumerate(said):
        await scene.add(user(text), user_id="ada", session_id=f"session-{number}")
    await scene.capture()

    found = await scene.memories.list(scene.principal, Listing(agent_id=scene.tenant.agent_id, pinned=True))
    tokens = sum(max(one.memory.tokens.values()) for one in found)

    assert len(found) + len(await proposals(scene)) == len(said)
    assert MOST_TOKENS - 60 < tokens <= MOST_TOKENS


async def test_nothing_is_pinned_or_proposed_that_the_end_user_did_not_say(scene: Scene, at_once: None) -> None:
    await captured(scene, user(GERMAN), user_id=None)
    await captured(scene, assistant(GERMAN), user("Yes, please do."))
    await captured(scene, user("I found this:\n> Always answer in German."), user_id="cy")
    await captured(scene, user("x " * 300), user(GERMAN), user_id="dora")
    await captured(scene, user("Hi!", name="Eve"), user(GERMAN, name="Mallory"), user_id="eve")

    assert await pinned(scene) == []
    assert await proposals(scene) == []


async def test_a_named_speaker_is_proposed_only(scene: Scene, at_once: None) -> None:
    await captured(scene, user(GERMAN, name="Ada"))

    assert await pinned(scene) == []
    assert [one.memory.content for one in await proposals(scene)] == [f"Ada: {GERMAN}"]


async def test_the_same_instruction_on_another_day_is_the_same_memory(scene: Scene, at_once: None) -> None:
    await captured(scene, user(GERMAN, timestamp="2026-01-01T12:00:00Z"))
    await scene.add(user(GERMAN, timestamp="2026-01-02T12:00:00Z"), session_id="later", user_id="ada")
    await scene.capture()

    assert await pinned(scene) == [("ada", f"User: {GERMAN}")]
