"""What cannot be undone is done only where an operator says so."""

import io
import sys

import pytest

from scripts import task
from scripts.confirmation import agreed


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stdin", "yes", "expected"),
    [
        (Terminal("y\n"), False, True),
        (Terminal("Yes\n"), False, True),
        (Terminal("\n"), False, False),
        (Terminal(""), False, False),
        (io.StringIO("y\n"), False, False),
        (io.StringIO(""), True, True),
    ],
    ids=["y", "yes", "enter", "end", "a pipe", "an option"],
)
def test_only_a_person_or_an_option_agrees(
    monkeypatch: pytest.MonkeyPatch, stdin: io.StringIO, yes: bool, expected: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)

    assert agreed("Erase it?", yes=yes) is expected


def test_an_erasure_that_nobody_confirms_reaches_no_function(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys, "argv", ["task", "remembrancer-prod", "erase", "org_id=1", "user_id=mia"])

    assert task.main() == 1
    assert "Erase everything of org_id=1, user_id=mia in remembrancer-prod?" in capsys.readouterr().err
