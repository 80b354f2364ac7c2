"""`remembrancer import`, as an operator runs it: through the front door, interrupted, and run again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from local.stack import ROOT
from tests.e2e.conftest import Tenant

LINES = 400


def environment(tenant: Tenant) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "REMEMBRANCER_URL": tenant.stack.url,
        "REMEMBRANCER_API_KEY": tenant.client.headers["X-API-Key"],
        "REMEMBRANCER_AGENT_ID": tenant.agent_id,
    }


def command(path: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "local.cli", "import", str(path), "--json", *arguments]


def import_(tenant: Tenant, path: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit status and result."""
    finished = subprocess.run(
        command(path, *arguments), capture_output=True, text=True, check=False, timeout=120, env=environment(tenant)
    )
    assert finished.stdout, finished.stderr
    return finished.returncode, json.loads(finished.stdout)


def stored(tenant: Tenant) -> Counter[str]:
    """How often each text is there."""
    found: Counter[str] = Counter()
    parameters = {"agent_id": tenant.agent_id, "limit": "200"}
    while True:
        page = tenant.client.get("/v1/memories", params=parameters).json()
        found.update(memory["content"] for memory in page["memories"])
        if not page["next_cursor"]:
            return found
        parameters["cursor"] = page["next_cursor"]


def file_of(tmp_path: Path, *memories: Any) -> Path:
    path = tmp_path / "memories.jsonl"
    path.write_text("".join(json.dumps(memory) + "\n" for memory in memories))
    return path


def test_an_import_that_is_interrupted_goes_on_where_it_stopped_and_writes_each_line_once(
    tenant: Tenant, tmp_path: Path
) -> None:
    contents = [f"Guest {number} prefers room {number % 40}." for number in range(LINES)]
    path = file_of(tmp_path, *({"content": content} for content in contents))
    progress = tmp_path / "memories.jsonl.progress"

    running = subprocess.Popen(
        command(path, "--connections", "1"),
        env=environment(tenant),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not progress.exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    so_far = json.loads(progress.read_text())["counts"]["accepted"]
    status, result = import_(tenant, path)
    again_status, again = import_(tenant, path)

    assert running.returncode == 130
    assert 0 < so_far < LINES
    assert (status, result["lines"], result["refused"]) == (0, LINES, 0)
    # A batch that was on its way when the first run ended may have arrived.
    assert LINES - 100 <= result["accepted"] <= LINES
    assert result["accepted"] + result["duplicate"] == LINES
    assert (again_status, again["accepted"], again["duplicate"]) == (0, 0, LINES)
    assert stored(tenant) == Counter(contents)
    assert not progress.exists()


def test_lines_that_are_refused_are_reported_and_the_others_written(tenant: Tenant, tmp_path: Path) -> None:
    good = {"content": "The kitchen closes at ten."}
    path = file_of(tmp_path, good, {"content": "Tea.", "confidence": 2, "colour": "red"}, 7, {"content": " "}, good)

    status, result = import_(tenant, path)

    report = [json.loads(line) for line in Path(result["report"]).read_text().splitlines()]
    assert (status, result["accepted"], result["duplicate"], result["refused"]) == (1, 1, 1, 3)
    assert [entry["line"] for entry in report] == [2, 3, 4]
    assert "confidence" in report[0]["reason"]
    assert "colour" in report[0]["reason"]
    assert stored(tenant) == Counter([good["content"]])


def test_a_key_that_is_not_known_ends_the_import_with_the_reason(tenant: Tenant, tmp_path: Path) -> None:
    path = file_of(tmp_path, {"content": "The kitchen closes at ten."})
    unknown = environment(tenant) | {"REMEMBRANCER_API_KEY": "unknown"}

    finished = subprocess.run(command(path), capture_output=True, text=True, check=False, timeout=60, env=unknown)

    assert finished.returncode == 1
    assert "401" in json.loads(finished.stdout)["error"]
