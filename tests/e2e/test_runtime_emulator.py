"""Conformance: a function answers the same under AWS's Runtime Interface Emulator and in the local Lambda.

To add a function, add a Case: its folder, an event, its environment, and what of its answer must be equal.
"""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.emulator import ROOT, Case, answers

FUNCTIONS = ROOT / "tests" / "functions_for_tests"


pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform != "linux", reason="the emulator is a Linux program")]


def error_of(answer: Any) -> Any:
    return answer["errorType"], answer["errorMessage"].split("Error: ")[-1]


CASES = [
    Case(
        "an answer with text outside ASCII",
        FUNCTIONS / "actions",
        {"action": "answer", "answer": {"text": "grüße ☂", "null": None}},
        {"text": "grüße ☂", "null": None},
    ),
    Case(
        "an exception",
        FUNCTIONS / "actions",
        {"action": "fail", "message": "no such memory"},
        ("ValueError", "no such memory"),
        error_of,
    ),
    Case(
        "a process that exits",
        FUNCTIONS / "actions",
        {"action": "exit", "status": 7},
        ("Runtime.ExitError", "Runtime exited with error: exit status 7"),
        error_of,
    ),
    Case(
        "a module that cannot be imported",
        FUNCTIONS / "broken",
        {},
        ("Runtime.ImportModuleError", "Unable to import module 'app': No module named 'no_such_module'"),
        error_of,
        {"FAULT": "import"},
    ),
    Case(
        "extensions that register",
        FUNCTIONS / "extended",
        {"name": "only", "journal": "/dev/null"},
        {
            "registered": 200,
            "refused": [
                [403, "Extension.InvalidExtensionName"],
                [403, "Extension.InvalidEventType"],
                [403, "Extension.InvalidEventType"],
                [403, "Extension.InvalidExtensionState"],
            ],
            "late": "Extension.RegistrationClosed",
        },
        lambda answer: {
            "registered": answer["registered"][0],
            "refused": answer["refused"],
            "late": answer["late"],
        },
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
async def test_a_function_answers_as_under_the_emulator(case: Case, emulator: Path, tmp_path: Path) -> None:
    under_emulator, local = await answers(case, emulator, tmp_path)

    assert under_emulator == case.expected
    assert local == case.expected
