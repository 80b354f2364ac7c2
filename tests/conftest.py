"""What all tests share: which of them run in one process, when there are several, in which order, and when garbage is
collected.
"""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_LONGEST_FIRST = ("integration/engine", "e2e", "isolation", "faults", "integration/local", "clients", "integration")
"""Groups of tests that run for a minute or more; short ones fill the end, so that no process runs long alone."""


# First, so that whoever distributes the tests finds the mark.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start servers stay together with those that use the same ones; unit tests go by file, and last."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))
    items.sort(key=lambda item: _place(_group(item)))


def _group(item: pytest.Item) -> str:
    folder = item.path.relative_to(_HERE)
    return str(folder if folder.parts[0] == "unit" else Path(*folder.parent.parts[:2]))


def _place(group: str) -> int:
    """Earlier ones first; unit tests last."""
    if group in _LONGEST_FIRST:
        return _LONGEST_FIRST.index(group)
    return len(_LONGEST_FIRST) + group.startswith("unit/")


def pytest_collection_finish() -> None:
    """Modules and collected tests stay until the end: collections need not look at them each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _garbage_of_its_own() -> Iterator[None]:
    """A connection that a module leaves open is an error of this module, not of whatever test runs minutes later."""
    yield
    gc.collect()
