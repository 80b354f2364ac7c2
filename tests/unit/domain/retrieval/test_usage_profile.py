"""What an end user recently used, and what a session was given."""

from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.retrieval import session_history, usage_profile
from remembrancer.domain.retrieval.session_history import MOST_RETURNED
from remembrancer.domain.retrieval.usage_profile import HALF_LIFE_DAYS, MOST_NAMES, Profile, Use
from tests.builders import NOW, ago, identifier

uses = st.lists(
    st.builds(
        Use,
        at=st.integers(0, 100).map(lambda days: ago(days=days)),
        category=st.sampled_from(("factual", "preference")),
        tags=st.lists(st.sampled_from(("tea", "rooms", "dogs")), unique=True).map(tuple),
        user_id=st.sampled_from((None, "ada", "bo")),
    ),
    min_size=1,
    max_size=20,
)
returned = st.lists(
    st.tuples(st.integers(1, 300).map(identifier), st.integers(0, 50).map(lambda days: ago(days=days))), max_size=400
)


def test_a_use_counts_one_and_half_as_much_after_each_half_life() -> None:
    first = usage_profile.add(None, [Use(NOW, "factual", ("tea",), "ada")])

    later = usage_profile.add(first, [Use(NOW + timedelta(days=2 * HALF_LIFE_DAYS), "preference")])

    assert (first.categories, first.tags, first.users) == ({"factual": 1}, {"tea": 1}, {"ada": 1})
    assert later.categories == pytest.approx({"factual": 0.25, "preference": 1})


def test_profiles_of_several_agents_add_up_as_of_the_latest() -> None:
    older = Profile(NOW - timedelta(days=HALF_LIFE_DAYS), {"factual": 4.0}, {"tea": 2.0})

    together = usage_profile.together([older, Profile(NOW, {"factual": 1.0}, users={"ada": 1.0})])

    assert together == Profile(NOW, {"factual": 3.0}, {"tea": 1.0}, {"ada": 1.0})
    assert usage_profile.together([]) is None


def test_a_use_from_before_counts_what_is_left_of_it_and_time_does_not_go_back() -> None:
    now = usage_profile.add(None, [Use(NOW, "factual")])

    late = usage_profile.add(now, [Use(ago(days=HALF_LIFE_DAYS), "factual")])

    assert late.categories == pytest.approx({"factual": 1.5})
    assert late.at == NOW


def test_a_use_of_long_ago_is_forgotten_and_a_large_number_of_names_is_cut() -> None:
    tags = tuple(f"tag {number}" for number in range(3 * MOST_NAMES))
    before = usage_profile.add(None, [Use(ago(days=3000), "factual", tags)])

    after = usage_profile.add(before, [Use(NOW, "preference")])

    assert len(before.tags) == MOST_NAMES
    assert after == Profile(NOW, {"preference": 1.0})


@given(uses, st.randoms(use_true_random=False), st.integers(0, 20))
def test_the_order_and_the_batches_of_uses_change_nothing(some: list[Use], random: object, cut: int) -> None:
    shuffled = list(some)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    parts = [part for part in (shuffled[:cut], shuffled[cut:]) if part]

    whole = usage_profile.add(None, some)
    piecewise: Profile | None = None
    for part in parts:
        piecewise = usage_profile.add(piecewise, part)

    assert piecewise is not None
    assert piecewise.at == whole.at
    for kind in ("categories", "tags", "users"):
        assert getattr(piecewise, kind) == pytest.approx(getattr(whole, kind))


@given(returned, returned)
def test_a_session_holds_each_memory_once_with_its_last_moment_newest_first(
    before: list[session_history.Returned], now: list[session_history.Returned]
) -> None:
    merged = session_history.merge(before, now)

    last = {one: max(at for other, at in (*before, *now) if other == one) for one, _ in (*before, *now)}
    moments = [at for _, at in merged]
    assert moments == sorted(moments, reverse=True)
    assert len({one for one, _ in merged}) == len(merged) == min(len(last), MOST_RETURNED)
    assert all(last[one] == at for one, at in merged)
    assert sorted(moments, reverse=True) == sorted(last.values(), reverse=True)[:MOST_RETURNED]


@given(returned, st.integers(0, 400))
def test_a_session_is_the_same_however_it_came(all_of_it: list[session_history.Returned], cut: int) -> None:
    kept: list[tuple[UUID, object]] = list(session_history.merge(all_of_it, []))

    assert session_history.merge(session_history.merge(all_of_it[cut:], []), all_of_it[:cut]) == kept
