"""The tables between markers are what benchmarks/results give: to write them once more changes nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import evidence_curve, figures, fleet, large, load, search
from benchmarks.peers import report


def search_table(result: Any) -> Sequence[str]:
    return search.markdown({**result, "load": figures.read("search_load")})


# Not those that name the machine on which they are written.
TABLES: dict[tuple[str, Path], Callable[[Any], Sequence[str]]] = {
    ("peers", figures.DOCUMENT): report.tables,
    ("evidence", evidence_curve.PAGE): evidence_curve.table,
    ("large", figures.DOCUMENT): large._markdown,
    ("search", figures.DOCUMENT): search_table,
    ("load", load.PAGE): load.markdown,
    ("fleet", fleet.PAGE): fleet.markdown,
}


@pytest.mark.parametrize(("name", "page"), TABLES, ids=[f"{name} in {page.name}" for name, page in TABLES])
def test_a_table_is_what_its_results_give(name: str, page: Path, tmp_path: Path) -> None:
    again = tmp_path / page.name
    again.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")

    figures.document(name, TABLES[name, page](figures.read(name)), page=again)

    assert again.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
