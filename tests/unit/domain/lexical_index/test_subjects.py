"""Names at the beginning of memories, and in queries."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.lexical_index import subjects
from remembrancer.domain.lexical_index.subjects import Subject


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Ada: Hello, Bea!", Subject(("ada",), speaks=True, is_handle=True)),
        ("Dr. Ada Byron: Hello!", Subject(("dr", "ada", "byron"), speaks=True)),
        ("Zoë: Hello!", Subject(("zoe",), speaks=True, is_handle=True)),
        ("Ada Byron prefers tea.", Subject(("ada", "byron"))),
        ("Ada's brother prefers tea.", Subject(("ada",))),
        ("O'Brien prefers tea.", Subject(("o", "brien"))),
        ("The goose prefers grass.", Subject()),
        ("prefers tea", Subject()),
        ("Анна: Привет!", Subject(("анна",), speaks=True, is_handle=True)),
        ("Šárka: Ahoj!", Subject(("sarka",), speaks=True, is_handle=True)),
        ("Zoe\u0308: Hello!", Subject(("zoe",), speaks=True, is_handle=True)),
        ("Łukasz Nowak: Cześć!", Subject(("lukasz", "nowak"), speaks=True)),
        ("मोहन: नमस्ते!", Subject(("मोहन",), speaks=True, is_handle=True)),
        ("मोहन शर्मा: नमस्ते!", Subject(("मोहन", "शर्मा"), speaks=True)),
        ("مُحَمَّد: مرحبا", Subject(("محمد",), speaks=True, is_handle=True)),
        ("שָׂרָה: שלום", Subject(("שרה",), speaks=True, is_handle=True)),
        ("நான்சி: வணக்கம்", Subject(("நான்சி",), speaks=True, is_handle=True)),
        ("สมชาย: สวัสดี", Subject(("สม", "มช", "ชา", "าย"), speaks=True, is_handle=True)),
        ("小林：你好", Subject(("小林", "小", "林"), speaks=True, is_handle=True)),
        ("김민수: 안녕", Subject((unicodedata.normalize("NFD", "김민수"),), speaks=True, is_handle=True)),
        ("Анна любит чай.", Subject(("анна",))),
        ("मोहन को चाय पसंद है।", Subject(("मोहन",))),
        ("שָׂרָה אוהבת תה.", Subject(("שרה",))),
        ("สมชายชอบดื่มกาแฟ", Subject()),
        ("小林喜欢茶。", Subject()),
        ("anna: my bike is blue", Subject(("anna",), speaks=True, is_handle=True)),
        ("anna byron: my bike is blue", Subject(("anna", "byron"), speaks=True)),
        ("night_owl42: hi all", Subject(("night", "owl42"), speaks=True, is_handle=True)),
        ("łukasz: cześć", Subject(("lukasz",), speaks=True, is_handle=True)),
        ("анна: привет", Subject(("анна",), speaks=True, is_handle=True)),
        ("note: the bike is blue", Subject()),
        ("do not forget: milk", Subject()),
        ("i: like tea", Subject()),
        ("anna prefers tea", Subject()),
        ("anna:tea", Subject()),
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
        ("मोहन को क्या पसंद है?", ("मोहन", "को", "क्या", "पसंद", "है"), False),
        ("Does मोहन like tea?", ("मोहन",), True),
        ("Mag Zoe\u0308 Tee?", ("mag", "zoe", "tee"), True),
        ("איפה גרה שָׂרָה?", ("איפה", "גרה", "שרה"), False),
        ("Где живёт Анна?", ("где", "анна"), True),
        ("ماذا يحب مُحَمَّد؟", ("ماذا", "يحب", "محمد"), False),
    ],
)
def test_words_of_a_query_may_be_names(query: str, names: tuple[str, ...], certain: bool) -> None:
    named = subjects.named(query)

    assert (named.names, named.certain) == (names, certain)


@pytest.mark.parametrize(
    ("query", "others"),
    [
        ("When did anna buy her bike?", ("buy", "bike", "anna")),
        ("Please write a note to the user", ("write",)),
        ("when did anna buy her bike?", ()),
        ("ANNA", ()),
    ],
)
def test_words_in_lower_case_may_be_speakers_beside_capital_letters(query: str, others: tuple[str, ...]) -> None:
    assert sorted(subjects.named(query).others) == sorted(others)


@pytest.mark.parametrize(
    ("query", "known", "expected"),
    [
        ("Where has Ada made friends?", {"ada"}, "Where has made friends?"),
        ("Who is Ada's brother?", {"ada"}, "Who is brother?"),
        ("When did Ada Byron meet Bea?", {"ada", "bea"}, "When did Byron meet ?"),
        ("Where has Ada made friends?", set(), "Where has Ada made friends?"),
        ("Who is Ada?", {"ada"}, "Who is Ada?"),
        ("where has ada made friends?", {"ada"}, "where has ada made friends?"),
        ("Where did Zoe\u0308 go?", {"zoe"}, "Where did go?"),
        ("Does मोहन like tea?", {"मोहन"}, "Does like tea?"),
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
