"""Names at the beginning of memories, and in queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.lexical_index import subjects
from remembrancer.domain.lexical_index.subjects import Subject


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Ada: Hello, Bea!", Subject(("ada",), speaks=True)),
        ("Dr. Ada Byron: Hello!", Subject(("dr", "ada", "byron"), speaks=True)),
        ("Zoë: Hello!", Subject(("zoe",), speaks=True)),
        ("Ada Byron prefers tea.", Subject(("ada", "byron"))),
        ("Ada's brother prefers tea.", Subject(("ada",))),
        ("O'Brien prefers tea.", Subject(("o", "brien"))),
        ("The goose prefers grass.", Subject()),
        ("prefers tea", Subject()),
        ("https://example.org is down", Subject()),
        ("12:30 is lunch", Subject()),
        ("", Subject()),
    ],
)
def test_the_subject_is_the_name_that_a_memory_begins_with(content: str, expected: Subject) -> None:
    assert subjects.subjects(content) == expected


@pytest.mark.parametrize(
    ("query", "names", "certain"),
    [
        ("Where has Ada made friends?", ("ada",), True),
        ("Who is Ada's brother?", ("ada",), True),
        ("ada's brother", ("ada", "brother"), False),
        ("ADA", ("ada",), False),
        ("What is it?", (), True),
        ("", (), False),
    ],
)
def test_words_of_a_query_may_be_names(query: str, names: tuple[str, ...], certain: bool) -> None:
    named = subjects.named(query)

    assert (named.names, named.certain) == (names, certain)


@pytest.mark.parametrize(
    ("query", "known", "expected"),
    [
        ("Where has Ada made friends?", {"ada"}, "Where has made friends?"),
        ("Who is Ada's brother?", {"ada"}, "Who is brother?"),
        ("When did Ada Byron meet Bea?", {"ada", "bea"}, "When did Byron meet ?"),
        ("Where has Ada made friends?", set(), "Where has Ada made friends?"),
        ("Who is Ada?", {"ada"}, "Who is Ada?"),
        ("where has ada made friends?", {"ada"}, "where has ada made friends?"),
    ],
)
def test_what_is_asked_is_the_query_without_known_names(query: str, known: set[str], expected: str) -> None:
    assert subjects.without(query, subjects.named(query), frozenset(known)) == expected


@given(query=st.text(max_size=80))
def test_any_text_is_a_query(query: str) -> None:
    named = subjects.named(query)

    rest = subjects.without(query, named, frozenset(named.names))

    assert len(rest) <= len(query)
    assert subjects.subjects(query).names is not None
