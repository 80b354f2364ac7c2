"""The idle cost in the documents is the one of the templates, the parameters and the price list."""

from pathlib import Path

import pytest

from scripts import idle_cost
from scripts.idle_cost import BEGIN, END, ENVIRONMENTS, PAGE, bill, read_prices

ROOT = Path(__file__).parents[2]


def total(environment: str) -> float:
    return sum(item.dollars for item in bill(environment, read_prices()))


def test_the_smallest_environment_costs_about_fifty_dollars() -> None:
    assert 45 <= total("dev") <= 55


def test_each_environment_costs_more_than_the_smaller_one() -> None:
    assert total("dev") < total("staging") < total("prod")


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_item_has_a_price(environment: str) -> None:
    free = {"dashboards"}

    assert {item.name for item in bill(environment, read_prices()) if item.dollars <= 0} <= free


def test_the_page_has_what_the_script_computes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    written = text.partition(BEGIN)[2].partition(END)[0]

    assert written == idle_cost.table(read_prices())


def test_the_deployment_guide_rounds_the_same_figures() -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")

    for environment in ENVIRONMENTS:
        assert f"[${round(total(environment), -1):.0f}](capacity.md#without-a-request)" in guide
