"""What of a listing goes into one answer."""

import json

from remembrancer.runtime.http_event import BALANCER_PAGE_BYTES
from remembrancer.runtime.pages import fitting

MEGABYTE = 1_000_000


def test_a_page_holds_as_many_from_the_first_on_as_fit() -> None:
    items = ["x" * 98] * 10

    assert len(fitting(items, 1000)) == 10
    assert len(fitting(items, 999)) == 9


def test_one_item_goes_out_however_long_it_is() -> None:
    assert fitting(["x" * 100, "y"], 10) == ["x" * 100]
    assert fitting([], 10) == []


def test_a_page_for_a_load_balancer_stays_under_its_megabyte_whatever_is_escaped() -> None:
    lines = ['{"content": "' + '\\"\u00e9\U0001f600' * 500 + '"}\n'] * 400

    page = fitting(lines, BALANCER_PAGE_BYTES)

    answer = json.dumps({"statusCode": 200, "body": "".join(page), "headers": {"content-type": "x"}})
    assert 0.8 * MEGABYTE < len(answer) < MEGABYTE


def test_objects_are_counted_as_the_text_that_they_become() -> None:
    shown = [{"content": 'say "hello"'}] * 100_000

    page = fitting(shown, BALANCER_PAGE_BYTES)

    assert len(json.dumps({"body": json.dumps({"memories": page})})) < MEGABYTE
