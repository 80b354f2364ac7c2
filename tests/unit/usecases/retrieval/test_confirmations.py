"""How long a confirmation of Postgres holds, and which of several answers counts."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import permutations
from uuid import UUID

import pytest

from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.memories.memory import NO_DIRECTIVE, Change
from remembrancer.domain.retrieval.freshness import Confirmation, Late, Moment, StoreState, Verdict
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.usecases.retrieval.confirmations import LONGEST_SECONDS, SHARED_AGAIN_SECONDS, Confirmations
from remembrancer.usecases.retrieval.known_agents import KnownAgents, moment
from tests.builders import NOW, SetClock
from tests.integration.engine.later import LaterWork

PLACE = UUID(int=1), UUID(int=2)
CHANGE = Change(5, 2)
SEEN = AgentSnapshot(directive=None, change=CHANGE, hot=(), server="a", at_ms=1_000_000)
STATE = AgentState(CHANGE, NO_DIRECTIVE)
AGREES, DISAGREES = StoreState(CHANGE, 0), StoreState(Change(6, 3), 0)


@dataclass
class Cache:
    """Serves what AgentCache has for confirmations."""

    told: list[tuple[str, Change, int] | None] = field(default_factory=list)

    async def confirm(self, org_id: UUID, agent_id: UUID, server: str, stored: Change, asked_ms: int) -> None:
        self.told.append((server, stored, asked_ms))

    async def contradict(self, org_id: UUID, agent_id: UUID) -> None:
        self.told.append(None)


@dataclass
class Scene:
    """One instance, and what it is asked."""

    clock: SetClock = field(default_factory=SetClock)
    repeat_seconds: float = 1.0
    cache: Cache = field(default_factory=Cache)

    def __post_init__(self) -> None:
        self.confirmations = Confirmations(
            KnownAgents(),
            self.cache,  # type: ignore[arg-type]
            self.clock,
            repeat_seconds=self.repeat_seconds,
        )

    def note(self, said: StoreState = AGREES, begun: Moment | None = None, seen: AgentSnapshot = SEEN) -> LaterWork:
        later = LaterWork()
        self.confirmations.note(PLACE, seen, said, begun or self.confirmations.now(), later, state=STATE)
        return later

    def holds(self, seen: AgentSnapshot = SEEN, begun: Moment | None = None) -> bool:
        verdict = self.confirmations.judge(PLACE, seen, Late("timeout"), begun or self.confirmations.now()).verdict
        return verdict is Verdict.USE


class FrozenClock(SetClock):
    """Its monotonic time stands still while an instance is frozen; its wall clock does not."""

    frozen_seconds = 0.0

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.frozen_seconds)


def test_a_confirmation_ends_also_while_the_instance_is_frozen() -> None:
    clock = FrozenClock()
    scene = Scene(clock)
    scene.note()

    clock.frozen_seconds = LONGEST_SECONDS - 1
    soon = scene.holds()
    clock.frozen_seconds = LONGEST_SECONDS + 1
    later = scene.holds()

    assert (soon, later) == (True, False)


def moments(clock: SetClock) -> Iterator[Moment]:
    while True:
        clock.seconds += 0.01
        yield moment(clock)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_of_answers_that_overtake_one_another_the_one_to_the_latest_question_counts(order: tuple[int, ...]) -> None:
    scene = Scene()
    asked = moments(scene.clock)
    begun = [next(asked) for _ in range(3)]

    for number in order:
        scene.note(DISAGREES if number == 2 else AGREES, begun[number])

    assert not scene.holds()
    assert scene.confirmations.repeated(PLACE, SEEN) is None
    assert not scene.confirmations.may_repeat(PLACE)


def test_a_confirmation_after_a_contradiction_counts() -> None:
    scene = Scene()
    asked = moments(scene.clock)

    scene.note(DISAGREES, next(asked))
    scene.note(AGREES, next(asked))

    assert scene.holds()
    assert scene.confirmations.repeated(PLACE, SEEN) == STATE


def test_no_cache_server_is_believed_after_a_contradiction() -> None:
    """Neither is one that does not say who it is."""
    scene = Scene()

    scene.note(DISAGREES)

    assert not scene.holds(replace(SEEN, server=""))
    assert not scene.holds()


def test_now_is_by_both_clocks() -> None:
    assert Scene().confirmations.now() == Moment(SetClock().monotonic(), NOW)


def shared(age_seconds: float, server: str | None = "a") -> AgentSnapshot:
    """What an instance reads when another one has told its answer so long ago."""
    return replace(SEEN, confirmed=Confirmation(server, StoreState(CHANGE), age_seconds))


def test_a_confirmation_of_another_instance_holds_as_long_as_ones_own_and_spares_no_question() -> None:
    scene = Scene()

    assert scene.holds(shared(LONGEST_SECONDS - 1))
    assert not scene.holds(shared(LONGEST_SECONDS))
    assert not scene.holds(shared(1.0, server="b"))
    assert scene.confirmations.repeated(PLACE, shared(0.1)) is None
    assert not scene.confirmations.may_repeat(PLACE)


@pytest.mark.parametrize("own", [True, False])
def test_the_later_answer_counts_whichever_instance_got_it(own: bool) -> None:
    scene = Scene()
    scene.note(AGREES if own else DISAGREES)
    scene.clock.seconds = 10.0

    earlier, later = shared(11.0, None if own else "a"), shared(9.0, None if own else "a")

    assert scene.holds(earlier) == own
    assert scene.holds(later) != own


def test_a_confirmation_read_before_ones_own_contradiction_does_not_undo_it() -> None:
    """It was young when it was read, and so was the question that Postgres contradicted meanwhile."""
    scene = Scene()
    begun = scene.confirmations.now()
    scene.clock.seconds = 1.0
    scene.note(DISAGREES)
    scene.clock.seconds = 2.0

    assert not scene.holds(shared(0.5), begun)


async def told(scene: Scene, later: LaterWork) -> list[tuple[str, Change, int] | None]:
    await later.do_all()
    return scene.cache.told


async def test_an_answer_is_told_as_of_a_moment_before_the_question() -> None:
    scene = Scene()
    begun = scene.confirmations.now()
    scene.clock.seconds = 0.25

    assert await told(scene, scene.note(AGREES, begun)) == [("a", CHANGE, 1_000_000 - 250)]


async def test_an_instance_that_was_frozen_before_it_told_its_answer_makes_it_no_younger() -> None:
    clock = FrozenClock()
    scene = Scene(clock)
    begun = scene.confirmations.now()
    clock.frozen_seconds = 60.0

    assert await told(scene, scene.note(AGREES, begun)) == [("a", CHANGE, 1_000_000 - 60_000)]


async def test_an_answer_of_unknown_age_is_not_told() -> None:
    """The wall clock has gone back since the question."""
    clock = FrozenClock()
    scene = Scene(clock)
    begun = scene.confirmations.now()
    clock.frozen_seconds = -1.0

    assert await told(scene, scene.note(AGREES, begun)) == []


async def test_a_contradiction_is_told_always_and_a_young_confirmation_not_again() -> None:
    scene = Scene()

    assert await told(scene, scene.note(AGREES, seen=shared(0.5 * SHARED_AGAIN_SECONDS))) == []
    assert await told(scene, scene.note(DISAGREES, seen=shared(0.5 * SHARED_AGAIN_SECONDS))) == [None]
    assert len(await told(scene, scene.note(AGREES, seen=shared(SHARED_AGAIN_SECONDS)))) == 2
    assert len(await told(scene, scene.note(AGREES, seen=shared(0.1, server=None)))) == 3


async def test_of_a_server_without_a_name_nothing_is_told_and_nothing_holds() -> None:
    scene = Scene()

    assert await told(scene, scene.note(AGREES, seen=replace(SEEN, server=""))) == []
    assert not scene.holds(replace(SEEN, server=""))


async def test_that_an_agent_is_gone_is_told_only_where_another_instance_was_told_otherwise() -> None:
    scene = Scene()

    assert await told(scene, scene.note(StoreState(None))) == []
    assert await told(scene, scene.note(StoreState(None), seen=shared(0.1))) == [None]


def test_an_agent_that_does_not_exist_takes_no_known_ones_place() -> None:
    agents = KnownAgents()
    confirmations = Confirmations(agents, Cache(), SetClock())  # type: ignore[arg-type]
    agents.of(PLACE)

    for number in range(2000):
        place = PLACE[0], UUID(int=number + 10)
        confirmations.note(place, SEEN, StoreState(None), confirmations.now(), LaterWork())

    assert agents.find(PLACE) is not None
