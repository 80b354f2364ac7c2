"""The suite's second chance: for a few tests, alone, and for nothing that is never an accident."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.configuration import ROOT
from scripts.run_tests import MOST, Failures

CONFTEST = """
import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.xdist_group(item.path.name))
"""
FAILS_ONCE = """
from pathlib import Path

import pytest


def is_first(name):
    ran = Path(f"ran {ord(name[0])}")
    if ran.exists():
        return False
    ran.touch()
    return True


@pytest.fixture
def late(name):
    yield
    assert name == "call" or not is_first(name)


@pytest.mark.parametrize("name", ["call", "a@b", "[c]", "d::e f"])
def test_it(late, name):
    assert name != "call" or not is_first(name)
"""
FAILS = "def test_it():\n    assert False\n\n\ndef test_another():\n    pass\n"
CRASHES = "import os\n\n\ndef test_it():\n    os._exit(1)\n"


def run(folder: Path, tests: str, *arguments: str) -> tuple[int, str]:
    (folder / "test_it.py").write_text(tests, encoding="utf-8")
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p xdist -p pytest_timeout\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", ROOT / "scripts" / "run_tests.py", *arguments],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def failures(*reports: pytest.TestReport | pytest.CollectReport) -> Failures:
    found = Failures()
    for report in reports:
        if isinstance(report, pytest.TestReport):
            found.pytest_runtest_logreport(report)
        else:
            found.pytest_collectreport(report)
    return found


def failed(test: str) -> pytest.TestReport:
    return pytest.TestReport(test, ("", 0, ""), {}, "failed", "wrong", "call")


def test_tests_that_pass_alone_fail_nothing_and_are_named_at_the_end(tmp_path: Path) -> None:
    status, said = run(tmp_path, FAILS_ONCE)

    assert status == 0, said
    named = said.rpartition("PASSED ONLY ALONE, look into them:\n")[2]
    assert sorted(named.splitlines()) == sorted(
        f"  test_it.py::test_it[{name}]" for name in ("call", "a@b", "[c]", "d::e f")
    )


def test_a_test_that_fails_again_fails_the_run(tmp_path: Path) -> None:
    status, said = run(tmp_path, FAILS)

    assert status == 1
    assert said.endswith("FAILED ALONE TOO, at least one of:\n  test_it.py::test_it\n"), said


@pytest.mark.parametrize(
    ("tests", "arguments", "expected"),
    [(FAILS_ONCE, ("test_it.py",), 1), (CRASHES, (), 1), ("", (), 5)],
    ids=["arguments", "a crash", "no tests"],
)
def test_nothing_else_runs_a_second_time(tmp_path: Path, tests: str, arguments: tuple[str, ...], expected: int) -> None:
    status, said = run(tmp_path, tests, *arguments)

    assert status == expected, said
    assert "ALONE" not in said


def test_a_leak_that_is_seen_once_is_a_leak() -> None:
    assert failures(failed("tests/e2e/test_it.py::test_it@e2e")).may_run_again
    assert not failures(
        failed("tests/e2e/test_it.py::test_it@e2e"), failed("tests/isolation/test_it.py::test_it@isolation")
    ).may_run_again


def test_many_failures_are_no_accident() -> None:
    several = [failed(f"tests/e2e/test_it.py::test_it[{number}]@e2e") for number in range(MOST + 1)]

    assert failures(*several[1:], several[1]).may_run_again
    assert not failures(*several).may_run_again


def test_a_file_that_cannot_be_collected_is_no_accident() -> None:
    broken = pytest.CollectReport("tests/e2e/test_it.py", "failed", None, None)

    assert not failures(failed("tests/e2e/test_it.py::test_it@e2e"), broken).may_run_again
