"""Conformance of the real functions: each answers under AWS's Runtime Interface Emulator as in the local Lambda."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Tenant
from tests.e2e.emulator import Case, answers
from tests.e2e.function_cases import FOLDERS, case_of

pytestmark = pytest.mark.long


@pytest.mark.parametrize("folder", FOLDERS)
async def test_the_function_answers_as_under_the_emulator(
    tenant: Tenant, emulator: Path, tmp_path: Path, folder: str
) -> None:
    tenant.remember("The heron sleeps in the old oak")
    tenant.drain()
    spec = tenant.stack.functions[FOLDERS[folder]].spec
    event, select, expected = case_of(tenant, folder)

    under_emulator, local = await answers(
        Case(folder, spec.folder, event, expected, select, timeout_s=30), emulator, tmp_path, dict(spec.environment)
    )

    assert under_emulator == expected
    assert local == expected
