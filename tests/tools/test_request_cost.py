"""The cost of a million assemblies in the documents is the one of the measurement, the template and the price list."""

import pytest

from scripts import request_cost
from scripts.idle_cost import PAGE, read_prices
from scripts.request_cost import BEGIN, DOORS, END, bills, door, items, read_results

ROW = {"tier": "map", "instance_ms": 20.0, "log_bytes": 1500, "servers_ms": {"side effects": 1.0}}


def test_the_page_has_what_the_script_computes() -> None:
    text = PAGE.read_text(encoding="utf-8")

    written = text.partition(BEGIN)[2].partition(END)[0]

    assert written == request_cost.table(read_prices(), read_results())


def test_a_second_of_a_gigabyte_is_multiplied_by_the_duration_and_the_memory() -> None:
    found = {item.name: item.dollars for item in items("before", ROW, read_prices(), 2.0)}

    assert found["function"] == pytest.approx(20e-3 * 2.0 * 13.3334)
    assert found["worker that counts usage"] == pytest.approx(1e-3 * 2.0 * 13.3334)


def test_events_that_are_sent_together_share_a_call() -> None:
    prices = read_prices()

    before, after = (
        {item.name: item.dollars for item in items(version, ROW, prices, 1.0)}["SQS: send, receive, delete"]
        for version in ("before", "after")
    )

    assert [before, after] == pytest.approx([1.2 * 0.4, 0.3 * 0.4])


def test_a_load_balancer_counts_bytes_and_a_function_url_costs_nothing() -> None:
    prices = read_prices()

    assert {name: round(door(name, prices), 2) for name in DOORS} == {
        "http_api": 1.0,
        "load_balancer": 0.2,
        "function_url": 0.0,
    }


def test_a_million_assemblies_cost_less_than_before() -> None:
    before, after = (sum(item.dollars for item in bill) for bill in bills(read_prices(), read_results()).values())

    assert after < before
