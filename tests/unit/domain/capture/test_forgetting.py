"""Which memories a wish to forget is about."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture import forgetting
from remembrancer.domain.capture.forgetting import Candidate
from tests.builders import identifier

KEY = frozenset(("key", "number"))


def candidate(number: int, similarity: float, *words: str) -> Candidate:
    return Candidate(identifier(number), frozenset(words), similarity)


def ids(words: frozenset[str], *candidates: Candidate, is_open: bool = False) -> list[tuple[UUID, bool]]:
    found = forgetting.matches(words, candidates, is_open=is_open)
    return [(match.memory_id, match.is_sure) for match in found]


def test_a_memory_with_all_words_is_sure_and_others_are_left_alone() -> None:
    found = ids(KEY, candidate(1, 0.6, "phone", "number"), candidate(2, 0.5, "lock", "key", "number"))

    assert found == [(identifier(2), True)]


def test_one_word_that_several_memories_have_is_in_doubt_unless_everything_about_it_is_meant() -> None:
    candidates = [candidate(1, 0.6, "phone", "number"), candidate(2, 0.5, "key", "number")]

    assert ids(frozenset(("number",)), *candidates) == [(identifier(1), False), (identifier(2), False)]
    assert ids(frozenset(("number",)), *candidates, is_open=True) == [(identifier(1), True), (identifier(2), True)]


def test_nearly_all_words_are_sure_only_without_another_that_is_near() -> None:
    near = candidate(1, 0.64, "passport")
    passport = frozenset(("passport", "number"))

    assert ids(passport, near, candidate(2, 0.1)) == [(identifier(1), True)]
    assert ids(passport, near, candidate(2, 0.5, "number")) == [(identifier(1), False), (identifier(2), False)]


def test_meaning_alone_is_looked_at_and_what_is_far_is_nothing() -> None:
    assert ids(frozenset(("weight",)), candidate(1, 0.51, "kilo"), candidate(2, 0.2)) == [(identifier(1), False)]
    assert ids(frozenset(("weight",)), candidate(1, 0.4, "kilo")) == []
    assert ids(frozenset(), candidate(1, 0.3)) == []
    assert ids(KEY) == []


words = st.frozensets(st.sampled_from("abcdef"), max_size=4)
candidates = st.lists(st.tuples(words, st.floats(-1, 1)), max_size=30).map(
    lambda rows: [Candidate(identifier(place), told, near) for place, (told, near) in enumerate(rows)]
)


@given(words, candidates, st.booleans())
def test_matches_are_few_of_the_candidates_in_order_and_all_sure_or_none(
    topic: frozenset[str], known: list[Candidate], is_open: bool
) -> None:
    found = forgetting.matches(topic, known, is_open=is_open)
    shuffled = forgetting.matches(topic, known[::-1], is_open=is_open)

    scores = [match.score for match in found]
    assert found == shuffled
    assert scores == sorted(scores, reverse=True)
    assert {match.memory_id for match in found} <= {one.memory_id for one in known}
    assert len({match.is_sure for match in found}) <= 1
    assert len(found) <= forgetting.MOST_MEANT
