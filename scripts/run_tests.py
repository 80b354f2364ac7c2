"""Runs all tests but those of tests/tools, and a few failed ones a second time, alone; arguments mean one plain run.

A machine that is busy with something else may make a test late. Nothing is hidden: the last lines name each test that
passed only alone. Never a second time: tests of isolation, since data that leaked once has leaked; more than a few
tests; anything after a crash, an interrupt or an error in collection.
"""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

PARALLEL = ("--numprocesses", "2", "--dist", "loadgroup", "--no-loadscope-reorder")
"""Groups start in the order of collection, which is theirs in tests/conftest.py."""
EACH = ("--timeout", "300")
USERS = ("--ignore", "tests/tools")
"""What no user relies on has a run of its own: `make test-all`."""
MOST = 5
"""Most failed tests that run again: more of them are no accident."""
NEVER_AGAIN = "tests/isolation/"
_GROUP = re.compile(r"@[^@\]]+$")


@dataclass(slots=True)
class Failures:
    """Plugin for pytest: collects the tests that failed, in setup and teardown too."""

    tests: list[str] = field(default_factory=list)
    has_crash: bool = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds a failed test by its id, without the group that xdist appends."""
        if not report.failed:
            return
        test = _GROUP.sub("", report.nodeid)
        if test not in self.tests:
            self.tests.append(test)
        # The report that xdist writes for a process that ended.
        self.has_crash |= report.when not in {"setup", "call", "teardown"}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be collected counts like a crash."""
        self.has_crash |= report.failed

    @property
    def may_run_again(self) -> bool:
        """Whether a second run is allowed."""
        isolated = any(test.startswith(NEVER_AGAIN) for test in self.tests)
        return 0 < len(self.tests) <= MOST and not self.has_crash and not isolated


def run(arguments: Sequence[str] = ()) -> int:
    """Exit status: 0 when every test has passed, in the first run or alone."""
    # What pytest compiles for its assertions is kept for the next run, which collects in half the time.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    failures = Failures()
    status = pytest.main([*PARALLEL, *EACH, *(arguments or USERS)], plugins=[failures])
    if arguments or status != pytest.ExitCode.TESTS_FAILED or not failures.may_run_again:
        return int(status)
    _say("AGAIN, ALONE:", failures.tests)
    again = subprocess.run([sys.executable, "-m", "pytest", *EACH, *failures.tests], check=False).returncode  # noqa: S603
    _say("FAILED ALONE TOO, at least one of:" if again else "PASSED ONLY ALONE, look into them:", failures.tests)
    return 1 if again else 0


def _say(what: str, tests: Sequence[str]) -> None:
    sys.stdout.write("\n".join(["", what, *(f"  {test}" for test in tests), ""]))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
