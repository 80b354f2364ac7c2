"""Which agents an instance knows, and how old a moment is."""

import math
from datetime import timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.retrieval.freshness import Moment
from remembrancer.usecases.retrieval.known_agents import AgentKey, KnownAgents
from tests.builders import NOW

MOST = 1024


def agent(number: int) -> AgentKey:
    return UUID(int=1), UUID(int=number)


def test_the_agent_that_was_not_asked_about_for_longest_is_forgotten() -> None:
    agents = KnownAgents()
    for number in range(MOST):
        agents.of(agent(number))
    agents.find(agent(0))

    agents.of(agent(MOST))

    assert agents.find(agent(1)) is None
    assert agents.find(agent(0)) is not None
    assert len(list(agents)) == MOST


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
