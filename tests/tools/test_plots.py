"""Pictures of the documents: those of the result files, readable on light and on dark pages, with nothing outside."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

import pytest

from benchmarks import plots, svg
from tests.unit.documents import ROOT

CURRENT = dict(plots.current())
IMAGES = ROOT / "docs" / "images"
DRAWN = [*CURRENT, "evidence-curve.svg"]
PAGES = [*ROOT.glob("docs/*.md"), ROOT / "README.md"]
TEXT_CONTRAST = 4.5
"""WCAG 2.2 for text of this size; for lines and bars it asks for 3."""
SHAPE_CONTRAST = 3.0
FAINT = {"grid", "band", "page"}
SPACE = "{http://www.w3.org/2000/svg}"


def picture(name: str) -> ET.Element:
    return ET.fromstring((IMAGES / name).read_text(encoding="utf-8"))


def colours(style: str) -> dict[str, str]:
    """The fill or stroke of each selector; a text's halo is not its colour."""
    found: dict[str, str] = {}
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        colour = re.search(r"(?:fill|stroke): (#\w{6})", body)
        if colour:
            found |= {selector.strip().lstrip("."): colour[1] for selector in selectors.split(",")}
    return found


def schemes() -> Mapping[str, Mapping[str, str]]:
    light, _, dark = svg.STYLE.partition("@media (prefers-color-scheme: dark) {")
    return {"light": colours(light), "dark": colours(light) | colours(dark)}


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("name", CURRENT)
def test_a_picture_is_that_of_its_result_file(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == CURRENT[name], "run `make plots`"


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_shown_on_a_page(name: str) -> None:
    assert any(f"images/{name})" in page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("name", DRAWN)
def test_all_text_of_a_picture_is_inside_it(name: str) -> None:
    drawn = picture(name)
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())

    for one in drawn.findall(f"{SPACE}text"):
        long = svg.CHARACTER * len(one.text or "")
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[one.get("text-anchor", "start")]
        left = float(one.attrib["x"]) - shift * long
        assert left >= 0, one.text
        assert left + long <= width, one.text
        assert 10 <= float(one.attrib["y"]) <= height - 4, one.text


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_told_to_those_who_do_not_see_it(name: str) -> None:
    drawn = picture(name)

    assert drawn.attrib["role"] == "img"
    assert drawn.findtext(f"{SPACE}title")
    assert drawn.findtext(f"{SPACE}desc")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_can_be_read_on_both_kinds_of_page(name: str, scheme: str) -> None:
    known = schemes()[scheme]
    drawn = picture(name)
    classes = {kind for one in drawn.iter() for kind in one.get("class", "").split()} - FAINT - {"head", "thin"}

    assert classes <= known.keys()
    assert drawn.findtext(f"{SPACE}style") == svg.STYLE + "  "
    assert contrast(known["text"], known["page"]) >= TEXT_CONTRAST
    assert contrast(known["quiet"], known["page"]) >= TEXT_CONTRAST
    assert {kind: contrast(known[kind], known["page"]) for kind in classes if _low(known, kind)} == {}


def _low(known: Mapping[str, str], kind: str) -> bool:
    return contrast(known[kind], known["page"]) < SHAPE_CONTRAST


@pytest.mark.parametrize(("high", "last"), [(7.0, 8.0), (48.0, 50.0), (61.3, 80.0), (0.9, 1.0), (1.0, 1.0)])
def test_an_axis_ends_at_a_round_value_not_below_the_highest(high: float, last: float) -> None:
    steps = svg.steps(high)

    assert steps[0] == 0.0
    assert steps[-1] == last
    assert len(steps) <= 7
