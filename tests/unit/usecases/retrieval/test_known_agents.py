"""Which agents an instance knows, and how old a moment is."""

import math
from datetime import timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.memory import Change
from remembrancer.usecases.retrieval.known_agents import KnownAgents, Moment, Place
from tests.builders import NOW

MOST, MOST_RANKED = 1024, 64


def place(number: int) -> Place:
    return UUID(int=1), UUID(int=number)


def test_the_agent_that_was_not_asked_about_for_longest_is_forgotten() -> None:
    agents = KnownAgents()
    for number in range(MOST):
        agents.of(place(number))
    agents.find(place(0))

    agents.of(place(MOST))

    assert agents.find(place(1)) is None
    assert agents.find(place(0)) is not None
    assert len(list(agents)) == MOST


def test_ranking_data_is_kept_of_fewer_agents_and_nothing_else_goes_with_it() -> None:
    agents = KnownAgents()
    for number in range(MOST_RANKED + 2):
        agents.ranked(place(number)).asked = Change(1, 0), Moment(0.0, NOW)
        agents.of(place(number)).mapped.made_at = 1.0

    known = list(agents)

    assert [agent.ranking.asked is not None for agent in known] == [False] * 2 + [True] * MOST_RANKED
    assert {agent.mapped.made_at for agent in known} == {1.0}


@given(st.floats(0, 1e6), st.floats(-1e6, 1e6))
def test_a_moment_is_as_old_as_the_clock_says_that_says_more(monotonic: float, wall: float) -> None:
    begun, now = Moment(0.0, NOW), Moment(monotonic, NOW + timedelta(seconds=wall))

    age = begun.age_seconds(now)

    if now.wall < begun.wall:
        assert age == math.inf
    else:
        assert age >= monotonic
        assert age >= (now.wall - begun.wall).total_seconds()
        assert age in {monotonic, (now.wall - begun.wall).total_seconds()}
