"""The TypeScript client, as built, by node's own test runner against the running service."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from local.stack import ROOT
from remembrancer.domain.personal_data.invisible_characters import is_blank
from tests.e2e.conftest import Tenant

CLIENT = ROOT / "clients" / "typescript"

pytestmark = pytest.mark.skipif(not (CLIENT / "dist" / "index.js").exists(), reason="make test builds it")


def test_its_tests_pass_against_the_service(tenant: Tenant) -> None:
    node = shutil.which("node")
    assert node

    ran = subprocess.run(
        [node, "--test", "test/"],
        cwd=CLIENT,
        capture_output=True,
        text=True,
        check=False,
        env={
            "PATH": os.environ["PATH"],
            "REMEMBRANCER_URL": tenant.stack.url,
            "REMEMBRANCER_API_KEY": tenant.client.headers["x-api-key"],
            "REMEMBRANCER_ORG_ID": tenant.org_id,
            "REMEMBRANCER_AGENT_ID": tenant.agent_id,
        },
    )

    assert ran.returncode == 0, ran.stdout[-4000:]
    assert "# skipped 0" in ran.stdout


def test_it_takes_the_same_characters_for_blank_as_the_service() -> None:
    node = shutil.which("node")
    assert node
    program = """
        import { isBlank } from "./dist/end-users.js";
        const points = Array.from({ length: 0x110000 }, (_, point) => point);
        console.log(JSON.stringify(points.filter((point) => isBlank(String.fromCodePoint(point)))));"""

    ran = subprocess.run(
        [node, "--input-type=module", "--eval", program], cwd=CLIENT, capture_output=True, text=True, check=True
    )

    assert json.loads(ran.stdout) == [point for point in range(sys.maxunicode + 1) if is_blank(chr(point))]
