"""What all tests share: which of them run in one process, when there are several."""

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
