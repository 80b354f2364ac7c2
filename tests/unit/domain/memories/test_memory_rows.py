"""Rows of several parts answer as a list of their memories does."""

from uuid import UUID

import numpy as np

from remembrancer.domain.identity.scope import EVERYBODY, EndUser
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns, SessionNumbers
from remembrancer.domain.memories.memory_rows import JoinedRows, ListedRows, as_rows, ids_of, picked
from tests.builders import memory


def random_memories(random: np.random.Generator, count: int) -> list[Memory]:
    return [
        memory(
            int(random.integers(1, 1000)),
            agent_id=UUID(int=int(random.integers(1, 3))),
            user_id=[None, "anna"][random.integers(2)],
            session_id=[None, "", "s1", "s2"][random.integers(4)],
            vector=random.random(3, np.float32) if random.random() < 0.5 else None,
            vector_model="model",
        )
        for _ in range(count)
    ]


def test_joined_rows_are_those_of_their_parts() -> None:
    random = np.random.default_rng(1)
    for sizes in ((), (0, 0), (3, 0, 5), (1, 20, 7)):
        parts = [ListedRows(random_memories(random, size)) for size in sizes]
        together = [one for part in parts for one in part]
        places = random.integers(0, len(together), 12).tolist() if together else []
        expected = [together[place] for place in places]

        joined = JoinedRows(parts, places)

        listed = ListedRows(expected)
        assert [*joined] == expected
        assert (joined.ids, joined.agents) == (listed.ids, listed.agents)
        assert ids_of(expected) == ids_of(joined) == listed.ids
        for agent in (1, 2, None):
            for end_user in (EVERYBODY, EndUser(), EndUser("anna")):
                assert joined.visible(agent, end_user).tolist() == listed.visible(agent, end_user).tolist()
        own, other = joined.columns(SessionNumbers()), MemoryColumns.of(expected)
        for name in set(MemoryColumns.__slots__) - {"session"}:
            assert getattr(own, name).tolist() == getattr(other, name).tolist(), name
        assert same(own.session) == same(other.session)
        assert (own.session == 0).tolist() == (other.session == 0).tolist()
        rows = list(range(len(expected)))[::-2]
        assert [one for one, _ in joined.vectors(rows)] == [expected[row].vector for row in rows]
        assert [*picked(joined, rows)] == [*picked(expected, rows)] == [expected[row] for row in rows]
        assert as_rows(joined) is joined


def same(sessions: np.ndarray[tuple[int], np.dtype[np.int32]]) -> list[list[bool]]:
    return (sessions[:, None] == sessions[None, :]).tolist()  # type: ignore[no-any-return]
