"""`remembrancer init`: an agent, its directive and its facts, and the commands that it prints."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from local.stack import ROOT
from tests.e2e.conftest import NewTenant, Tenant
from tests.e2e.test_import import environment

pytestmark = pytest.mark.long

DIRECTIVE = "Answer guests of the café in one sentence."


def command(tenant: Tenant, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "local.cli", "init", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=ROOT,
        env=environment(tenant),
    )


def init(tenant: Tenant, *arguments: str) -> dict[str, Any]:
    finished = command(tenant, *arguments, "--json")
    assert finished.stdout, finished.stderr
    result: dict[str, Any] = json.loads(finished.stdout)
    assert finished.returncode == (1 if "error" in result or result["refused"] else 0)
    return result


def stored(tenant: Tenant, agent: str) -> Counter[str]:
    page = tenant.client.get("/v1/memories", params={"agent_id": agent, "user_id": "*", "limit": "200"}).json()
    return Counter(memory["content"] for memory in page["memories"])


def directive(tenant: Tenant, agent: str) -> tuple[int, str]:
    active = tenant.client.get(f"/v1/agents/{agent}/directive").json()
    return active["version"], active["text"]


def agents(tenant: Tenant) -> set[str]:
    return {agent["name"] for agent in tenant.client.get("/v1/agents").json()["agents"]}


def test_an_agent_its_directive_and_its_facts_are_made_once(tenant: Tenant, tmp_path: Path) -> None:
    lines, table = tmp_path / "facts.txt", tmp_path / "prices.csv"
    lines.write_text("Open from 8 to 6.\nOat milk is free.\n", encoding="utf-8")
    table.write_text("content,tags\nTea costs 3 euros.,price\nOat milk is free.,\n", encoding="utf-8")
    arguments = ("Café an der Ilm", "--directive", DIRECTIVE, "--facts", str(lines), "--facts", str(table))

    first = init(tenant, *arguments)
    again = init(tenant, *arguments)
    lines.write_text("Oat milk is free.\nClosed on Mondays.\n", encoding="utf-8")
    more = init(tenant, *arguments)
    alone = init(tenant, "Café an der Ilm")

    agent = first["agent_id"]
    assert {made["agent_id"] for made in (again, more, alone)} == {agent}
    assert [made["created"] for made in (first, again)] == [True, False]
    assert [made["directive"] for made in (first, again, alone)] == ["new", "unchanged", "unchanged"]
    assert [(made["accepted"], made["duplicate"]) for made in (first, again, more)] == [(3, 1), (0, 4), (1, 3)]
    assert stored(tenant, agent) == Counter(
        ["Open from 8 to 6.", "Oat milk is free.", "Tea costs 3 euros.", "Closed on Mondays."]
    )
    assert directive(tenant, agent) == (1, DIRECTIVE)


def test_a_directive_is_read_from_a_file_and_another_one_is_the_next_version(tenant: Tenant, tmp_path: Path) -> None:
    path = tmp_path / "directive.md"
    path.write_text("# Café\n\n- Be brief.\n", encoding="utf-8")

    first = init(tenant, "cafe", "--directive", str(path))
    second = init(tenant, "cafe", "--directive", DIRECTIVE)

    assert (first["directive_version"], second["directive_version"]) == (1, 2)
    versions = tenant.client.get(f"/v1/agents/{first['agent_id']}/directive/versions").json()["versions"]
    assert [version["text"] for version in versions] == [DIRECTIVE, "# Café\n\n- Be brief."]


def test_a_mistake_is_named_with_its_line_and_nothing_is_written(tenant: Tenant, tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text("content,confidence\nTea.,0.5\nCocoa.,much\n", encoding="utf-8")
    older = tmp_path / "older.md"
    older.write_bytes("Be brief.\nThis is the café.\n".encode("latin-1"))

    wrong = {
        "fact": init(tenant, "cafe", "--facts", str(path)),
        "file": init(tenant, "cafe", "--facts", str(tmp_path / "none.txt")),
        "directive": init(tenant, "cafe", "--directive", str(tmp_path / "none.md")),
        "encoding": init(tenant, "cafe", "--directive", str(older)),
        "blank": init(tenant, "cafe", "--directive", " "),
        "long": init(tenant, "cafe", "--directive", "x" * 32_769),
        "name": init(tenant, tenant.agent_id),
        "slash": init(tenant, "a/b"),
    }

    assert f"{path} line 3: confidence must be a number" in wrong["fact"]["error"]
    assert "there is no file" in wrong["file"]["error"]
    assert wrong["directive"]["error"] == f"there is no file {tmp_path / 'none.md'}"
    assert f"{older} line 2 is not UTF-8" in wrong["encoding"]["error"]
    assert "--directive must not be blank" in wrong["blank"]["error"]
    assert "32768 characters" in wrong["long"]["error"]
    assert "must not have the form of a UUID" in wrong["name"]["error"]
    assert "must not contain a slash" in wrong["slash"]["error"]
    assert agents(tenant) == {"agent"}


def test_a_key_that_may_not_write_is_told(new_tenant: NewTenant) -> None:
    refused = init(new_tenant(scopes=("query",)), "cafe")

    assert "/v1/agents/cafe answers 403" in refused["error"]
    assert "write" in refused["error"]


def test_the_printed_request_gives_a_model_the_facts(tenant: Tenant, tmp_path: Path) -> None:
    path = tmp_path / "facts.txt"
    path.write_text("Oat milk costs nothing extra.\nDogs are welcome in the garden.\n", encoding="utf-8")
    name = "it's [bold]my café $HOME"

    printed = command(tenant, name, "--directive", DIRECTIVE, "--facts", str(path))

    assert printed.returncode == 0, printed.stdout
    [request] = [line for line in printed.stdout.splitlines() if line.startswith("curl")]
    asked = request.replace("Your question?", "What does oat milk cost?").replace(": 2000", ": 20000")
    answer = subprocess.run(
        ["bash", "-c", asked], env=environment(tenant), capture_output=True, text=True, check=True, timeout=60
    )
    standing, found = (message["content"] for message in json.loads(answer.stdout)["messages"])
    assert DIRECTIVE in standing
    assert "Oat milk costs nothing extra." in found
    assert ".venv/bin/remembrancer proxy --agent" in printed.stdout
