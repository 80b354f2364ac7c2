"""Personal data in texts: what is replaced, and above all what is not."""

import re
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import personal_data as labelled
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.domain.personal_data import email_addresses, personal_numbers
from remembrancer.domain.personal_data.folding import fold
from remembrancer.domain.personal_data.personal_numbers import passes_luhn
from remembrancer.domain.personal_data.redaction import KINDS, Redaction
from remembrancer.domain.personal_data.search import find, of_memory, redacted
from tests.builders import new_memory
from tests.unit.domain.personal_data import regex_steps

WINDOW = 96
"""So much of a text do the patterns see that look back from a place."""
EVERYTHING = Redaction(KINDS)


def clean(text: str, redaction: Redaction = EVERYTHING) -> str:
    return redacted(text, redaction, find_phones)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to ann.b+news@mail.example.co.uk, please.", "Write to [EMAIL], please."),
        ("<jörg@bücher.example> and a@b.io", "<[EMAIL]> and [EMAIL]"),
        ("Card 4111 1111 1111 1111, or 378282246310005.", "Card [CARD], or [CARD]."),
        ("paid with 5555-5555-5555-4444 today", "paid with [CARD] today"),
        ("Her number is 078-05-1120.", "Her number is [SSN]."),
        ("SSN: 078051120", "SSN: [SSN]"),
        ("social security number 078 05 1120", "social security number [SSN]"),
        ("Call 212-736-5000 or (650) 253-0000 or 650.253.0000.", "Call [PHONE] or [PHONE] or [PHONE]."),
        ("From abroad +49 30 901820 or +442083661177.", "From abroad [PHONE] or [PHONE]."),
        ("Her phone is 2127365000", "Her phone is [PHONE]"),
        ("tel:2127365000, a@b.io, 4111111111111111", "tel:[PHONE], [EMAIL], [CARD]"),
    ],
)
def test_personal_data_is_replaced_by_its_kind(text: str, expected: str) -> None:
    assert clean(text) == expected


MISSED_BEFORE = [
    ("Paid with 4111.1111.1111.1111.", "Paid with [CARD]."),
    ("4111 11111111 1111 is it", "[CARD] is it"),
    ("Card: 4111 11111111\n1111 ok", "Card: [CARD] ok"),
    ("4242 4242 4242 4242 12/27, 123", "[CARD] 12/27, 123"),
    ("536\u201122\u20118726", "[SSN]"),
    ("536\u201322\u20138726", "[SSN]"),
    ("my social is 078051120", "my social is [SSN]"),
    ("my number is 4155552671", "my number is [PHONE]"),
    ("Ruf 00491711234567 an", "Ruf [PHONE] an"),
    ("ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ", "[EMAIL]"),
    ("write to jane at example dot com, please", "write to [EMAIL], please"),
    ("jane (at) example (dot) com", "[EMAIL]"),
    ("4\u200b1\u200c1\u200d1\u20601111\u00ad1111\ufe0f1111", "[CARD]"),
    ("4\u03361\u03361\u03361\u0336 1111 1111 1111\u0336!", "[CARD]!"),
    ("４１１１　１１１１　１１１１　１１１１", "[CARD]"),
    ("٤١١١ ١١١١ ١١١١ ١١١١", "[CARD]"),
]


@pytest.mark.parametrize(("text", "expected"), MISSED_BEFORE)
def test_what_reads_like_personal_data_is_replaced(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_the_text_around_it_stays_as_it_is_written() -> None:
    text = "Ｆｕｌｌ width ½ ﬁ cafe\u0301 \u2014 4111\u20111111\u20111111\u20111111 \u2014 २०२६ ☕\ufe0f"

    assert clean(text) == text.replace("4111\u20111111\u20111111\u20111111", "[CARD]")


HIDING = "\u200b\u200c\u200d\u2060\u00ad\ufe0f\u0301\u0336\u034f"


@given(
    st.sampled_from(["4111111111111111", "536-22-8726", "+14155552671", "jane@example.com"]),
    st.lists(
        st.text(st.sampled_from(HIDING), max_size=3),
        min_size=16,
        max_size=16,
    ),
)
def test_marks_and_invisible_characters_between_characters_hide_nothing(value: str, between: list[str]) -> None:
    hidden = "".join(letter + between[place % 16] for place, letter in enumerate(value))

    changed, found = redacted(f"It is {hidden}, she said.", EVERYTHING, find_phones)

    assert sum(found.values()) == 1
    assert changed in {f"It is [{kind.upper()}], she said." for kind in KINDS}


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "a", "1", " ", "@", ".", "-", "a@", "@a", "a.", "a@a.", "1 ", "1-", "1.", "1/ ", "4111 ", "4111-", "123-45-",
        "123-45-6789 ", " at a", "a at ", "a dot ", " at a dot ", "a (at) a", "ssn ", "ssn: is ", "my number is ",
        "call me at ", "order number ", "'s number ", "[SSN] ", "\u0301", "\u200b1", "１", "AB12 ", "00", "00 1",
    ],
)  # fmt: skip
def test_the_work_grows_no_faster_than_the_text(piece: str) -> None:
    """Time of this thread alone: twice the text takes some twice as long, not four times, at least once in five."""

    def work(characters: int) -> float:
        text = (piece * characters)[:characters]
        fold(text)
        times = []
        for _ in range(3):
            started = time.thread_time()
            find(text, EVERYTHING, lambda _text, _region: ())
            times.append(time.thread_time() - started)
        return min(times)

    assert any(work(32_768) < 3 * work(16_384) + 0.01 for _ in range(5))


def patterns(*modules: ModuleType) -> list[tuple[str, re.Pattern[str]]]:
    return [
        (name, value) for module in modules for name, value in vars(module).items() if isinstance(value, re.Pattern)
    ]


PATTERNS = patterns(email_addresses, personal_numbers)
PIECES = [
    "a", "A1", "1", "0", " ", "\n", "@", ".", "-", "+", "_", "'s", "(", ")", "[", "dot", " dot ", " at ", "ssn", "is",
    " is", "number", " number", "my", "my ", "call", "order", "me", " me", "4111", "00", "social ", "new ", "DE89",
    "é", "#",
]  # fmt: skip


@pytest.mark.parametrize("pattern", [one[1] for one in PATTERNS], ids=[one[0] for one in PATTERNS])
@given(pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=24), times=st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_no_text_makes_a_pattern_go_back_again_and_again(
    pattern: re.Pattern[str], pieces: list[str], times: int
) -> None:
    """Steps of a backtracking matcher, not time. Patterns that end with the text are given a window of it only."""
    text = ("".join(pieces) * times)[: WINDOW if pattern.pattern.endswith("$") else 400]

    assert regex_steps.finding(pattern, text) <= 600 * (len(text) + 1)


def test_the_steps_that_are_counted_show_a_pattern_that_goes_back_again_and_again() -> None:
    catastrophic = re.compile(r"(?:\w+\s?)+$")

    assert regex_steps.finding(catastrophic, "a" * 12 + "!") > 600 * 13


def test_the_labelled_set_is_found_and_nothing_else() -> None:
    lines = [line for line in labelled.lines() if not line.held_out]

    figures, wrong = labelled.measure(lines, labelled.find)

    assert len(lines) > 300 and sum(not line.labels for line in lines) > 100
    assert {kind: one.precision for kind, one in figures.items()} == dict.fromkeys(KINDS, 1.0)
    assert all(one.recall >= (0.94 if kind == "phone" else 1.0) for kind, one in figures.items())
    assert len(wrong) == 4


def test_what_the_patterns_were_not_made_for_is_found_less_often() -> None:
    figures, _ = labelled.measure([line for line in labelled.lines() if line.held_out], labelled.find)

    assert all(one.precision >= 0.8 and one.recall >= 0.8 for one in figures.values())


@pytest.mark.parametrize(
    "text",
    [
        "Order 112-4567890-1234567 came on 2026-03-15 at 12:30:45.",
        "Invoice 20260315-0001, ticket 2127365000, version 10.4.2.1, build 1710504000.",
        "Host 192.168.100.200, ISBN 978-3-16-148410-0, IBAN DE89 3704 0044 0532 0130 00.",
        "Order 4111 1111 1111 1112 has a wrong check digit; 9999 9999 9999 9995 no issuer.",
        "No area: 000-12-3456, 666-12-3456, 900-12-3456; no group: 123-00-4567; no serial: 123-45-0000.",
        "Nine digits: 123456789, 123 45 6789; in a longer one: 1123-45-67890.",
        "Not an address: a@b, @ann, ann@, x@1.2, a@@b.io",
        "It is 3.14159265358979 and 1,234,567,890 and 2^127-1, 12-24-36-48-60.",
    ],
)
def test_orders_dates_versions_and_other_numbers_stay(text: str) -> None:
    assert clean(text) == text


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)),
    st.sampled_from(
        ["%Y-%m-%d %H:%M:%S", "%d/%m/%Y", "%m/%d/%y", "%d.%m.%Y %H:%M", "%Y%m%d%H%M%S", "%Y%m%d", "%B %d, %Y"]
    ),
)
def test_no_date_is_redacted(moment: datetime, form: str) -> None:
    text = f"It was on {moment.strftime(form)}, they said."

    assert clean(text, Redaction(("phone", "ssn"))) == text


@given(st.integers(1, 10**12), st.sampled_from(["order {}", "#{}", "ticket no. {}", "{} pieces", "id={}", "INV-{}"]))
def test_no_number_in_a_row_is_a_phone_or_a_security_number(number: int, form: str) -> None:
    text = form.format(number)

    assert clean(text, Redaction(("phone", "ssn"))) == text


@given(st.lists(st.integers(0, 9999), min_size=2, max_size=5), st.sampled_from(["-", "/", ":", "."]))
def test_few_numbers_in_groups_look_like_a_phone(groups: list[int], separator: str) -> None:
    """Only those that are grouped as the country groups valid numbers."""
    text = separator.join(f"{group:04}" for group in groups)

    assert clean(f"part {text}", Redaction(("phone", "ssn"))) == f"part {text}"


@given(st.text(max_size=200))
def test_what_was_redacted_stays_as_it_is(text: str) -> None:
    once, found = redacted(text, EVERYTHING, find_phones)

    again, more = redacted(once, EVERYTHING, find_phones)

    assert found if once != text else not found
    assert (again, more) == (once, Counter())


@given(st.text(st.sampled_from("0123456789 -()+.@a"), max_size=300))
def test_digits_and_signs_in_any_order_leave_all_other_text(text: str) -> None:
    """Redacting the parts that stay never shortens them: only what was found is gone."""
    once, found = redacted(text, EVERYTHING, find_phones)

    assert sum(once.count(f"[{kind.upper()}]") for kind in KINDS) == sum(found.values())


@given(st.text(st.sampled_from("0123456789"), min_size=1, max_size=19))
def test_one_wrong_digit_fails_the_check(digits: str) -> None:
    (check,) = [str(last) for last in range(10) if passes_luhn(digits + str(last))]

    for place, digit in enumerate(digits):
        wrong = digits[:place] + str((int(digit) + 1) % 10) + digits[place + 1 :] + check
        assert not passes_luhn(wrong)


def test_only_the_kinds_that_are_wanted_are_replaced_and_none_by_default() -> None:
    text = "a@b.io, 212-736-5000, 4111111111111111, 078-05-1120"

    assert clean(text, Redaction()) == text
    assert clean(text, Redaction(("ssn",))) == "a@b.io, 212-736-5000, 4111111111111111, [SSN]"


def test_numbers_without_a_country_are_read_as_of_the_region() -> None:
    text = "Ruf 030 901820 an."

    assert clean(text) == text
    assert clean(text, Redaction(("phone",), "DE")) == "Ruf [PHONE] an."


def test_every_text_of_a_memory_is_cleaned_and_counted_and_its_ids_are_not() -> None:
    memory = new_memory(
        content="Ann is a@b.io.",
        summary="a@b.io",
        context="She said: c@d.io and 078-05-1120",
        tags=("a@b.io", "[EMAIL]", "post"),
        metadata={"from": "a@b.io", "deep": [{"x": "b@c.io", "n": 4111111111111111}]},
        user_id="a@b.io",
        session_id="a@b.io",
        client_ref="a@b.io",
        created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=1),
    )

    cleaned = of_memory(memory, EVERYTHING, find_phones)

    assert (cleaned.content, cleaned.summary) == ("Ann is [EMAIL].", "[EMAIL]")
    assert cleaned.context == "She said: [EMAIL] and [SSN]"
    assert cleaned.tags == ("[EMAIL]", "post")
    assert cleaned.metadata == {"from": "[EMAIL]", "deep": [{"x": "[EMAIL]", "n": 4111111111111111}]}
    assert (cleaned.user_id, cleaned.session_id, cleaned.client_ref) == ("a@b.io",) * 3
    assert cleaned.redactions == {"email": 6, "ssn": 1}
    assert of_memory(cleaned, EVERYTHING, find_phones) == cleaned
