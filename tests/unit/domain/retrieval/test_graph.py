"""Following relations: depths, paths, cycles, and which edges count for whom."""

from random import Random
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.retrieval import graph
from remembrancer.domain.retrieval.graph import Edge
from tests.builders import identifier

A, B, C, D = (identifier(number) for number in range(1, 5))


def edge(from_number: int, to_number: int, confidence: float = 1.0, kind: str = "supports") -> Edge:
    return Edge(identifier(from_number), identifier(to_number), kind, confidence)


edges = st.lists(st.builds(edge, st.integers(1, 8), st.integers(1, 8), st.sampled_from([0.25, 0.5, 1.0])), max_size=20)
seeds = st.lists(st.integers(1, 8).map(identifier), unique=True, max_size=3)


def test_edges_are_followed_in_both_directions_and_the_path_leads_from_the_seed() -> None:
    chain = [edge(2, 1), edge(2, 3), edge(4, 3)]

    expansion = graph.expand([A], chain, 3)

    assert expansion.depths == {A: 0, B: 1, C: 2, D: 3}
    assert expansion.paths[D] == tuple(chain)


def test_nothing_beyond_the_depth_is_reached() -> None:
    assert graph.expand([A], [edge(1, 2), edge(2, 3)], 1).depths == {A: 0, B: 1}
    assert graph.expand([A], [edge(1, 2)], 0).depths == {A: 0}


def test_a_cycle_ends_and_its_seed_stays_a_seed() -> None:
    cycle = [edge(1, 2), edge(2, 3), edge(3, 1)]

    expansion = graph.expand([A], cycle, 3)

    assert expansion.depths == {A: 0, B: 1, C: 1}
    assert A not in expansion.paths


def test_of_equally_short_ways_the_surest_is_the_path() -> None:
    unsure, sure = edge(1, 2, 0.3), edge(1, 2, 0.9, "refines")

    assert graph.expand([A], [unsure, sure], 1).paths[B] == (sure,)


def test_the_number_of_memories_is_capped_and_the_surest_go_first() -> None:
    star = [edge(1, number, confidence=number / 10) for number in range(2, 8)]

    assert list(graph.expand([A], star, 1, most=2).paths) == [identifier(7), identifier(6)]


def test_an_edge_counts_for_the_end_that_is_not_nearer_to_the_seeds() -> None:
    chain = [edge(1, 2), edge(2, 3)]

    found = graph.influences(graph.expand([A], chain, 2), chain, 2)

    assert {one: [(each.source, each.depth) for each in found[one]] for one in found} == {B: [(A, 1)], C: [(B, 2)]}


def test_an_edge_between_seeds_counts_for_both() -> None:
    found = graph.influences(graph.expand([A, B], [edge(1, 2)], 1), [edge(1, 2)], 1)

    assert found.keys() == {A, B}


def test_no_edge_counts_beyond_the_depth() -> None:
    """Two memories at the last depth that know each other: to count, their edge would have to lie one further."""
    triangle = [edge(1, 2), edge(1, 3), edge(2, 3)]

    at_one = graph.influences(graph.expand([A], triangle, 1), triangle, 1)
    at_two = graph.influences(graph.expand([A], triangle, 2), triangle, 2)

    assert [len(at_one[one]) for one in (B, C)] == [1, 1]
    assert [len(at_two[one]) for one in (B, C)] == [2, 2]


@given(seeds, edges, st.integers(0, 3))
def test_depths_are_those_of_a_breadth_first_search(starts: list[UUID], known: list[Edge], depth: int) -> None:
    expected = dict.fromkeys(starts, 0)
    for level in range(1, depth + 1):
        near = {one for one, at in expected.items() if at == level - 1}
        for each in known:
            for end in (each.from_id, each.to_id):
                if end in near:
                    expected.setdefault(each.other(end), level)

    expansion = graph.expand(starts, known, depth)

    assert expansion.depths == expected
    assert all(len(path) == expansion.depths[one] for one, path in expansion.paths.items())


@given(seeds, edges, st.integers(0, 3), st.randoms())
def test_the_order_of_the_edges_changes_nothing(
    starts: list[UUID], known: list[Edge], depth: int, random: Random
) -> None:
    shuffled = random.sample(known, len(known))

    assert graph.expand(starts, shuffled, depth) == graph.expand(starts, known, depth)
