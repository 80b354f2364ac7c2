"""What a command shows."""

import pytest

from local.cli.terminal import Terminal


def test_texts_of_files_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(as_json=False).say("role \x1b[2J\ud800\x9b, Jürgen\u00a0\u3000日本\nnext")

    assert capsys.readouterr().out == "role \\x1b[2J\\ud800\\x9b, Jürgen\u00a0\u3000日本\nnext\n"
