"""Words of all scripts: whole, and the same in whatever form they are written."""

import re
import unicodedata

import pytest
import regex  # type: ignore[import-untyped]
from hypothesis import example, given
from hypothesis import strategies as st

from remembrancer.domain.lexical_index.folding import folded, unbroken
from remembrancer.domain.lexical_index.words import words, written
from tests.unit.domain.lexical_index.forms import APART, FORMS, SENTENCES

NO_STOP_WORDS: frozenset[str] = frozenset()
_RESPELLED = frozenset("ङञणनम\u094d\u0582")
"""Letters of sequences for which there is another spelling."""
_UNSEEN = frozenset("\u115f\u1160\u0640\u07fa\u0711ʹʻʼʽʾʿˈˮꞌ")
"""Letters that fill or stretch, one that is a vowel point, and apostrophes."""


@pytest.mark.parametrize(("stored", "asked"), [pair for pairs in FORMS.values() for pair in pairs])
def test_forms_of_a_word_are_one_word(stored: str, asked: str) -> None:
    for form in ("NFC", "NFD"):
        assert words(unicodedata.normalize(form, stored), NO_STOP_WORDS) == words(asked, NO_STOP_WORDS)


def test_forms_are_those_of_a_dozen_scripts_and_ten_of_each() -> None:
    assert len(FORMS) >= 12
    assert all(len(pairs) >= 10 for pairs in FORMS.values())


@pytest.mark.parametrize(("one", "other"), APART)
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert not set(words(one, NO_STOP_WORDS)) & set(words(other, NO_STOP_WORDS))


@pytest.mark.parametrize("sentence", SENTENCES.values(), ids=SENTENCES)
def test_words_are_those_of_unicode(sentence: str) -> None:
    pieces = regex.split(r"(?w)\b", sentence)
    expected = [piece for piece in pieces if regex.search(r"[\p{L}\p{N}]", piece)]

    assert written(sentence) == expected
    assert len(words(sentence, NO_STOP_WORDS)) >= len(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Unicode joins these, since a full stop, a colon or an underscore may stand inside of a word.
        ("example.org", ["example", "org"]),
        ("snake_case", ["snake", "case"]),
        ("3.14", ["3", "14"]),
        ("col·lecció", ["col", "leccio"]),
        # Apostrophes part words in questions and memories alike, whichever sign is typed.
        ("O'Brien O’Brien Oʼbrien O＇Brien", ["o", "brien"] * 4),
        ("l'eau l’eau lʻeau", ["l", "eau"] * 3),
        ("C++ .NET C#", ["c", "net", "c"]),
        ("mail: zoë@example.org", ["mail", "zoe", "example", "org"]),
        ("v1.2.3-beta", ["v1", "2", "3", "beta"]),
        ("1️⃣ 🥜", ["1"]),
        ("ZoëʼS", ["zoe", "s"]),
        ("मोहन-जी", ["मोहन", "जी"]),
        ("ב'כ \"א", ["בכ", "א"]),
        ("रु. ५००", ["रु", "500"]),
        ("༈", []),
        ("\ud800x\ud800", ["x"]),
    ],
)
def test_signs_part_words(text: str, expected: list[str]) -> None:
    assert words(text, NO_STOP_WORDS) == expected


def test_scripts_without_blanks_give_pairs_of_letters_with_their_marks() -> None:
    assert words("ปลา") == ["ปล", "ลา"]
    assert words("ดื่ม") == ["ดื่ม"]
    assert words("ခင်ဗျား") == ["ခင်", "င်ဗျာ" + "း"]
    assert words("ស្រឡាញ់") == ["ស្រឡា", "ឡាញ់"]
    assert words("ဗုဒ္ဓ") == ["ဗုဒ္ဓ"]
    assert words("ꦗꦮ") == ["ꦗꦮ"]
    assert words("ที่ iPhone15 ๒เครื่อง") == ["ที่", "iphone15", "2", "เค", "ครื่", "รื่อ", "อง"]


@given(st.text(st.characters(max_codepoint=0x7F)))
def test_ascii_texts_are_split_at_everything_but_letters_and_digits(text: str) -> None:
    assert words(text, NO_STOP_WORDS) == re.findall(r"[^\W_]+", text.lower())


@given(st.text(st.sampled_from("aBz09 '_-.,’‘“”–—…•é€\u00a0")))
def test_typographic_signs_change_no_english_word(text: str) -> None:
    plain = text.replace("é", "e")

    assert words(text, NO_STOP_WORDS) == re.findall(r"[^\W_]+", plain.lower())


@given(st.text())
@example("न्\u200dद")
@example("ե\u00adւ")
@example("א\u05f4ב")
@example("かﾞ")
def test_every_text_has_the_same_words_in_all_its_normal_forms(text: str) -> None:
    found = words(text, NO_STOP_WORDS)

    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert words(unicodedata.normalize(form, text), NO_STOP_WORDS) == found
    assert folded(folded(text)) == folded(text)
    assert all(word and not re.search(r"[\s_]", word) for word in found)


@given(st.text(st.characters(categories=["L", "M", "N"])))
def test_no_letter_mark_or_digit_is_lost_but_accents(text: str) -> None:
    left = "".join(words(text, NO_STOP_WORDS))

    for character in set(unicodedata.normalize("NFKD", text).lower()) - _RESPELLED:
        kept = folded(character).strip()
        assert kept in left
        assert kept or unicodedata.category(character)[0] not in "LN" or character in _UNSEEN


@given(st.text())
def test_words_as_written_stand_in_the_text_in_their_order(text: str) -> None:
    at = 0
    for word in written(text):
        at = text.index(word, at) + len(word)
    assert len(unbroken(text)) == len(text)
