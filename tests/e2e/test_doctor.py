"""What `remembrancer doctor` says of one assembly with a client's deadline."""

import json
from typing import Any

import pytest

from local import cli
from tests.e2e.conftest import NewTenant, Tenant

NOBODYS = "5f5b3f2e-52a8-4d0e-b8f4-4f3a2c1de9a7"


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    # Servers that do not exist, so that only the API is asked.
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    return monkeypatch


def assembly(
    tenant: Tenant, environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str, agent: str
) -> dict[str, Any]:
    """The doctor's check of the assembly."""
    environment.setenv("REMEMBRANCER_URL", tenant.stack.url)
    environment.setenv("REMEMBRANCER_API_KEY", tenant.client.headers["X-API-Key"])
    environment.setenv("REMEMBRANCER_AGENT_ID", agent)
    with pytest.raises(SystemExit):
        cli.main(["doctor", "--json", *options])
    checks = json.loads(capsys.readouterr().out)["checks"]
    return next(dict(check) for check in checks if check["name"] == "assembly")


def test_an_assembly_in_time_is_fine_and_a_late_one_names_a_deadline_that_is_long_enough(
    tenant: Tenant, environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fine = assembly(tenant, environment, capsys, "--deadline-ms", "5000", agent=tenant.agent_id)
    late = assembly(tenant, environment, capsys, "--deadline-ms", "1", agent=tenant.agent_id)

    assert fine["ok"], fine
    assert "of 5000 ms" in fine["found"]
    assert not late["ok"]
    assert late["found"].startswith("within 1 ms: No answer came in time. With a longer deadline complete after ")
    assert "send a deadline of " in late["advice"]


def test_what_refuses_an_assembly_is_told(
    tenant: Tenant, new_tenant: NewTenant, environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = assembly(tenant, environment, capsys, agent=NOBODYS)
    writes = new_tenant(scopes=("write",))
    without = assembly(writes, environment, capsys, agent=writes.agent_id)
    unset = assembly(tenant, environment, capsys, agent="")

    assert (unknown["ok"], without["ok"], unset["ok"]) == (False, False, True)
    assert "There is no such agent." in unknown["found"]
    assert "lacks the scope 'assemble'" in without["found"]
    assert "REMEMBRANCER_AGENT_ID" in unset["advice"]
