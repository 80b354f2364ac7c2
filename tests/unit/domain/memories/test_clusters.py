"""Each vector joins the nearest cluster, or begins one."""

from collections.abc import Callable
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.clusters import Cluster, assign
from tests.builders import at_cosine, counting_ids, identifier, unit_vector


@pytest.fixture
def new_id() -> Callable[[], UUID]:
    return counting_ids(100)


def test_a_vector_joins_the_nearest_cluster_and_moves_its_centroid_by_its_share(new_id: Callable[[], UUID]) -> None:
    near, far = Cluster(identifier(1), unit_vector(7), 3), Cluster(identifier(2), unit_vector(8), 3)
    vector = at_cosine(near.centroid, 0.8)

    assigned = assign([far, near], [vector], new_id=new_id, threshold=0.7)

    (moved,) = assigned.changed
    assert assigned.cluster_ids == [near.id]
    assert (moved.id, moved.members) == (near.id, 4)
    expected = near.centroid * 3 + vector
    np.testing.assert_allclose(moved.centroid, expected / np.linalg.norm(expected), atol=1e-6)


def test_a_vector_near_to_none_begins_a_cluster_that_the_next_may_join(new_id: Callable[[], UUID]) -> None:
    first = unit_vector(7)

    assigned = assign([], [first, unit_vector(2), at_cosine(first, 0.9)], new_id=new_id, threshold=0.7)

    assert assigned.cluster_ids == [identifier(100), identifier(101), identifier(100)]
    assert [cluster.members for cluster in assigned.changed] == [2, 1]


def test_when_there_are_as_many_as_may_be_the_nearest_takes_it(new_id: Callable[[], UUID]) -> None:
    known = [Cluster(identifier(number), unit_vector(7 + number), 1) for number in range(3)]
    vector = at_cosine(known[1].centroid, 0.4)

    assigned = assign(known, [vector], new_id=new_id, threshold=0.9, most=3)

    assert assigned.cluster_ids == [known[1].id]


def test_without_vectors_nothing_changes(new_id: Callable[[], UUID]) -> None:
    assigned = assign([Cluster(identifier(1), unit_vector(1), 1)], [], new_id=new_id)

    assert (assigned.cluster_ids, assigned.changed) == ([], [])


def test_opposite_vectors_leave_the_centroid_where_it_was(new_id: Callable[[], UUID]) -> None:
    cluster = Cluster(identifier(1), unit_vector(1), 1)

    assigned = assign([cluster], [-cluster.centroid], new_id=new_id, threshold=-1)

    np.testing.assert_array_equal(assigned.changed[0].centroid, cluster.centroid)


@given(seeds=st.lists(st.integers(0, 20), max_size=30), threshold=st.floats(-1, 1))
def test_every_vector_is_counted_once_and_centroids_stay_unit_vectors(seeds: list[int], threshold: float) -> None:
    vectors = [unit_vector(seed, dimensions=8) for seed in seeds]

    assigned = assign([], vectors, new_id=counting_ids(), threshold=threshold, most=5)

    sizes = {cluster.id: cluster.members for cluster in assigned.changed}
    assert sizes == {one: list(assigned.cluster_ids).count(one) for one in assigned.cluster_ids}
    assert len(sizes) <= 5
    for cluster in assigned.changed:
        assert np.linalg.norm(cluster.centroid) == pytest.approx(1, abs=1e-5)
