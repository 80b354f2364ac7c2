"""What all tests share: which of them run in one process, when there are several, and when garbage is collected."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

_HERE = Path(__file__).parent


# First, so that whoever distributes the tests finds the mark.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start servers stay together with those that use the same ones; unit tests go by file."""
    for item in items:
        folder = item.path.relative_to(_HERE)
        together = folder if folder.parts[0] == "unit" else Path(*folder.parent.parts[:2])
        item.add_marker(pytest.mark.xdist_group(str(together)))


def pytest_collection_finish() -> None:
    """Modules and collected tests stay until the end: collections need not look at them each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _garbage_of_its_own() -> Iterator[None]:
    """A connection that a module leaves open is an error of this module, not of whatever test runs minutes later."""
    yield
    gc.collect()
