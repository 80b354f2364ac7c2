"""What all tests share: which of them run in one process, when there are several, in which order, when garbage is
collected, that property-based tests try the same examples in every run, and that no test reads the settings of whoever
runs them.
"""

import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

_HERE = Path(__file__).parent
_OWN = str(_HERE.parent / ".local")
"""What `make run` has written in this checkout, for its user."""
_LONGEST_FIRST = ("integration/engine", "e2e", "isolation", "faults", "integration/local", "clients", "integration")
"""Groups of tests that run for a minute or more; short ones fill the end, so that no process runs long alone."""
_LONG = ("tools", "integration/local")
"""All tests of these folders: of what the project is developed and run locally with."""


for _name in [name for name in os.environ if name.startswith("REMEMBRANCER_")]:
    del os.environ[_name]
# Does not exist: a command without a directory of its own finds no settings.
os.environ["REMEMBRANCER_DIRECTORY"] = str(Path(tempfile.gettempdir(), f"remembrancer-tests-{os.getpid()}"))


# No example is refused for being slow.
_EXAMPLES = int(os.environ.get("EXAMPLES", "30"))
"""Of each property; `make test-all` tries 100."""
settings.register_profile("steady", deadline=None, derandomize=True, database=None, max_examples=_EXAMPLES)
settings.load_profile("steady")


def _only_own_settings(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuses to open a file of the user, and to start a command that would: also with an environment of its own."""
    if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(_OWN + os.sep):
        raise PermissionError(f"A test reads {arguments[0]}, which is the user's.")
    if event == "subprocess.Popen":
        _, command, _, environment = arguments
        known = os.environ if environment is None else environment
        if "local.cli" in command and "--directory" not in command and "REMEMBRANCER_DIRECTORY" not in known:
            raise PermissionError(f"A test starts a command that reads {_OWN}: give it a --directory.")


sys.addaudithook(_only_own_settings)


# First, so that whoever distributes the tests finds the mark.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start servers stay together with those that use the same ones; unit tests go by file, and last."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))
        if any(item.path.is_relative_to(_HERE / folder) for folder in _LONG):
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: _place(_group(item)))


def _group(item: pytest.Item) -> str:
    folder = item.path.relative_to(_HERE)
    return str(folder if folder.parts[0] in {"unit", "tools"} else Path(*folder.parent.parts[:2]))


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
