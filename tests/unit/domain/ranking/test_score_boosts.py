"""What relations, person and session add to a score."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.memory import RELATION_TYPES, Memory
from remembrancer.domain.ranking import score_boosts
from remembrancer.domain.ranking.score_boosts import Boosts
from remembrancer.domain.retrieval.graph import Edge, Influence
from remembrancer.domain.retrieval.usage_profile import Profile
from tests.builders import NOW, identifier, memory

SELF, OTHER = identifier(1), identifier(2)


def influence(kind: str, *, confidence: float = 1.0, depth: int = 1) -> Influence:
    return Influence(Edge(OTHER, SELF, kind, confidence), OTHER, depth)


def of(
    *influences: Influence,
    subject: Memory | None = None,
    profile: Profile | None = None,
    returned: frozenset[UUID] = frozenset(),
    table: dict[str, float] | None = None,
    owner: str | None = None,
) -> Boosts:
    own = score_boosts.relation_table({}) if table is None else table
    return score_boosts.boosts(
        subject or memory(1), influences, table=own, profile=profile, returned=returned, owner=owner
    )


@pytest.mark.parametrize(
    ("user_id", "owner", "totals"),
    [("ada", "ada", {"own": 0.2}), (None, "ada", {}), ("bo", "ada", {}), ("ada", None, {}), (None, None, {})],
)
def test_own_things_lift_the_memories_of_their_owner(
    user_id: str | None, owner: str | None, totals: dict[str, float]
) -> None:
    assert of(subject=memory(1, user_id=user_id), owner=owner).totals == totals


def test_every_relation_type_has_a_boost() -> None:
    assert score_boosts.RELATION_BOOSTS.keys() == set(RELATION_TYPES)


@pytest.mark.parametrize(("kind", "value"), score_boosts.RELATION_BOOSTS.items())
def test_an_edge_at_depth_one_gives_its_boost_times_its_confidence(kind: str, value: float) -> None:
    assert of(influence(kind, confidence=0.5)).total == pytest.approx(value / 2)


@pytest.mark.parametrize(("depth", "share"), [(1, 1.0), (2, 0.5), (3, 0.25)])
def test_each_further_depth_halves_it(depth: int, share: float) -> None:
    assert of(influence("supports", depth=depth)).total == pytest.approx(0.06 * share)


def test_a_contradiction_lowers() -> None:
    assert of(influence("contradicts")).total == pytest.approx(-0.05)


@pytest.mark.parametrize(("kind", "cap"), [("supports", 0.15), ("contradicts", -0.15)])
def test_the_sum_of_relations_is_capped(kind: str, cap: float) -> None:
    found = of(*[influence(kind)] * 9)

    assert found.total == pytest.approx(cap)
    assert len(found.terms) == 9


def test_an_organization_replaces_entries_within_the_cap_and_nothing_else() -> None:
    table = score_boosts.relation_table(
        {"supports": 0.1, "similar": 7, "contradicts": -7, "refines": True, "extends": "0.2", "likes": 0.1}
    )

    assert table == {**score_boosts.RELATION_BOOSTS, "supports": 0.1, "similar": 0.15, "contradicts": -0.15}


def test_what_its_user_uses_most_is_lifted_by_all_of_the_personalisation() -> None:
    subject = memory(1, user_id="ada", tags=("rare", "tea"), category="preference")
    profile = Profile(NOW, categories={"preference": 4.0}, tags={"tea": 8.0, "rare": 1.0}, users={"ada": 2.0})

    found = of(subject=subject, profile=profile)

    assert found.totals == {"personalisation": pytest.approx(0.10)}


def test_what_is_used_half_as_much_is_lifted_by_half_of_its_third() -> None:
    found = of(
        subject=memory(1, category="factual"), profile=Profile(NOW, categories={"factual": 1.0, "preference": 2.0})
    )

    assert found.total == pytest.approx(0.10 / 3 / 2)


@pytest.mark.parametrize("profile", [None, Profile(NOW), Profile(NOW, categories={"preference": 0.0}, tags={"x": 1.0})])
def test_nothing_in_common_is_no_boost(profile: Profile | None) -> None:
    assert of(profile=profile) == Boosts((), {})


def test_what_the_session_was_given_before_is_lifted() -> None:
    assert of(returned=frozenset({SELF})).totals == {"session": 0.03}
    assert of(returned=frozenset({OTHER})).totals == {}


@given(
    st.lists(
        st.builds(
            influence,
            st.sampled_from(RELATION_TYPES),
            confidence=st.floats(0, 1),
            depth=st.integers(1, 3),
        ),
        max_size=12,
    ),
    st.builds(
        Profile,
        st.just(NOW),
        categories=st.dictionaries(st.sampled_from(["factual", "x"]), st.floats(0, 1e9)),
        tags=st.dictionaries(st.sampled_from(["a", "b"]), st.floats(0, 1e9)),
    ),
    st.booleans(),
)
def test_all_of_it_stays_within_its_bounds_and_its_terms_add_up(
    influences: list[Influence], profile: Profile, returned: bool
) -> None:
    found = of(
        *influences,
        subject=memory(1, tags=("a",)),
        profile=profile,
        returned=frozenset({SELF} if returned else ()),
    )

    relations = sum(term["value"] for term in found.terms if term["kind"] == "relation")
    assert -0.15 <= found.total <= 0.15 + 0.10 + 0.03 + 1e-12
    assert found.totals.get("relation", 0.0) == pytest.approx(min(max(relations, -0.15), 0.15))
