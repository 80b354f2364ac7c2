"""How long a confirmation of Postgres holds, and which of several answers counts."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import permutations
from uuid import UUID

import pytest

from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.memories.memory import NO_DIRECTIVE, Change
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.usecases.retrieval.confirmations import LONGEST_SECONDS, Confirmations, Moment
from tests.builders import NOW, SetClock

PLACE = UUID(int=1), UUID(int=2)
CHANGE = Change(5, 2)
SEEN = AgentSnapshot(directive=None, change=CHANGE, hot=(), server="a")
STATE = AgentState(CHANGE, NO_DIRECTIVE)


class FrozenClock(SetClock):
    """Its monotonic time stands still while an instance is frozen; its wall clock does not."""

    frozen_seconds = 0.0

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.frozen_seconds)


def test_a_confirmation_ends_also_while_the_instance_is_frozen() -> None:
    clock = FrozenClock()
    confirmations = Confirmations(clock)
    confirmations.note(*PLACE, SEEN, confirmations.now(), STATE)

    clock.frozen_seconds = LONGEST_SECONDS - 1
    soon = confirmations.hold(*PLACE, SEEN)
    clock.frozen_seconds = LONGEST_SECONDS + 1
    later = confirmations.hold(*PLACE, SEEN)

    assert (soon, later) == (True, False)


def moments(clock: SetClock) -> Iterator[Moment]:
    while True:
        clock.seconds += 0.01
        yield Moment.of(clock)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_of_answers_that_overtake_one_another_the_one_to_the_latest_question_counts(order: tuple[int, ...]) -> None:
    clock = SetClock()
    confirmations = Confirmations(clock, repeat_seconds=1.0)
    asked = moments(clock)
    begun = [next(asked) for _ in range(3)]

    for number in order:
        if number == 2:
            confirmations.withdraw(*PLACE, begun[number])
        else:
            confirmations.note(*PLACE, SEEN, begun[number], STATE)

    assert not confirmations.hold(*PLACE, SEEN)
    assert confirmations.repeated(*PLACE, SEEN) is None
    assert not confirmations.may_repeat(*PLACE)


def test_a_confirmation_after_a_withdrawal_counts() -> None:
    clock = SetClock()
    confirmations = Confirmations(clock, repeat_seconds=1.0)
    asked = moments(clock)

    confirmations.withdraw(*PLACE, next(asked))
    confirmations.note(*PLACE, SEEN, next(asked), STATE)

    assert confirmations.hold(*PLACE, SEEN)
    assert confirmations.repeated(*PLACE, SEEN) == STATE


def test_no_cache_server_is_believed_after_a_withdrawal() -> None:
    """Neither is one that does not say who it is."""
    confirmations = Confirmations(SetClock())
    unknown = AgentSnapshot(directive=None, change=CHANGE, hot=(), server="")

    confirmations.withdraw(*PLACE, confirmations.now())

    assert not confirmations.hold(*PLACE, unknown)
    assert not confirmations.hold(*PLACE, SEEN)


def test_now_is_by_both_clocks() -> None:
    assert Confirmations(SetClock()).now() == Moment(SetClock().monotonic(), NOW)
