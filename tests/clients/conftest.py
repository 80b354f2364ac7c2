"""Clients whose calls are given up, again and again."""

import pytest

UNCLOSED = "ignore:Exception ignored in. <(function _SelectorTransport|socket):pytest.PytestUnraisableExceptionWarning"
"""A call that is given up in the moment in which its connection has come about leaves it to the garbage collector."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The warning comes in whichever test the garbage is collected."""
    for item in items:
        if item.path.is_relative_to(__file__.rpartition("/")[0]):
            item.add_marker(pytest.mark.filterwarnings(UNCLOSED))
