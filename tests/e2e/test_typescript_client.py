"""The TypeScript client, as built, by node's own test runner against the running service."""

import os
import shutil
import subprocess

import pytest

from local.stack import ROOT
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
