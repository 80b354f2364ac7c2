"""Which memories a wish to forget is about."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture import forgetting
from remembrancer.domain.capture.forgetting import Candidate, Sought
from tests.builders import identifier

KEY = frozenset(("key", "number"))
NUMBER = frozenset(("number",))


def candidate(number: int, similarity: float, *words: str, lateness: float = 0.0, is_before: bool = False) -> Candidate:
    return Candidate(identifier(number), frozenset(words), (similarity, similarity), lateness, is_before)


def ids(
    words: frozenset[str], *candidates: Candidate, is_open: bool = False, is_sure: bool = True
) -> list[tuple[UUID, bool]]:
    topics = [Sought(words, is_open)] if words else []
    found = forgetting.matches(topics, words, candidates, is_sure=is_sure)
    return [(match.memory_id, match.is_sure) for match in found]


def test_a_memory_with_all_words_is_sure_and_others_are_left_alone() -> None:
    found = ids(KEY, candidate(1, 0.6, "phone", "number"), candidate(2, 0.5, "lock", "key", "number"))

    assert found == [(identifier(2), True)]


def test_one_word_that_several_memories_have_is_in_doubt_unless_everything_about_it_is_meant() -> None:
    candidates = [candidate(1, 0.6, "phone", "number"), candidate(2, 0.5, "key", "number")]

    assert ids(NUMBER, *candidates) == [(identifier(1), False), (identifier(2), False)]
    assert ids(NUMBER, *candidates, is_open=True) == [(identifier(1), True), (identifier(2), True)]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    common = [candidate(number, 0.3, "number", "phone") for number in range(2, 6)]

    assert ids(KEY, *common, candidate(1, 0.3, "key"))[0] == (identifier(1), False)


def test_the_later_of_two_comes_first() -> None:
    earlier, later = candidate(1, 0.6, "key", lateness=0.0), candidate(2, 0.6, "key", lateness=1.0)

    assert [one for one, _ in ids(KEY, earlier, later)] == [identifier(2), identifier(1)]


def test_what_a_wish_points_at_is_sure_where_it_names_nothing_and_comes_first_otherwise() -> None:
    pointed, other = candidate(1, 0.2, is_before=True), candidate(2, 0.1, "key")

    assert ids(frozenset(), pointed, other) == [(identifier(1), True)]
    assert ids(KEY, pointed, other)[0] == (identifier(1), False)


def test_meaning_alone_is_looked_at_and_what_is_far_is_nothing() -> None:
    weight = frozenset(("weight",))

    assert ids(weight, candidate(1, 0.51, "kilo"), candidate(2, 0.2)) == [(identifier(1), False)]
    assert ids(weight, candidate(1, 0.2, "kilo")) == []
    assert ids(frozenset(), candidate(1, 0.3)) == []
    assert ids(KEY) == []


def test_of_a_wish_in_doubt_nothing_is_sure_and_meaning_alone_finds_nothing() -> None:
    assert ids(KEY, candidate(1, 0.6, "key", "number"), is_sure=False) == [(identifier(1), False)]
    assert ids(KEY, candidate(1, 0.9, "lock"), is_sure=False) == []


words = st.frozensets(st.sampled_from("abcdef"), max_size=4)
cosines = st.lists(st.floats(-1, 1), min_size=3, max_size=3)
candidates = st.lists(st.tuples(words, cosines, st.floats(0, 1), st.booleans()), max_size=30).map(
    lambda rows: [Candidate(identifier(place), *row) for place, row in enumerate(rows)]
)


@given(st.lists(st.builds(Sought, words, st.booleans()), max_size=2), words, candidates, st.booleans())
def test_matches_are_few_of_the_candidates_in_order_and_all_sure_or_none(
    topics: list[Sought], wish: frozenset[str], known: list[Candidate], is_sure: bool
) -> None:
    found = forgetting.matches(topics, wish, known, is_sure=is_sure)
    shuffled = forgetting.matches(topics, wish, known[::-1], is_sure=is_sure)

    scores = [match.score for match in found]
    assert found == shuffled
    assert scores == sorted(scores, reverse=True)
    assert {match.memory_id for match in found} <= {one.memory_id for one in known}
    assert len({match.is_sure for match in found}) <= 1
    assert is_sure or not any(match.is_sure for match in found)
    assert len(found) <= forgetting.MOST_MEANT
