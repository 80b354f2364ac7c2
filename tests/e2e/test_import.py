"""`remembrancer import`, as an operator runs it: through the front door, interrupted, and run again.

IMPORT_LINES makes the interrupted one longer (`make test-import`).
"""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local import signals
from local.stack import ROOT
from tests.e2e.conftest import NewTenant, Tenant, forget_waiting

pytestmark = pytest.mark.long

LINES = int(os.environ.get("IMPORT_LINES", "700"))
CONNECTIONS = 1 if LINES <= 1000 else 4


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
        command(path, *arguments),
        capture_output=True,
        text=True,
        check=False,
        timeout=120 + LINES / 10,
        env=environment(tenant),
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


def ended(tenant: Tenant, path: Path, number: int, *, after: int) -> tuple[int, int]:
    """Exit status of an import that gets this signal once more lines than `after` are decided, and how many are."""
    progress = path.with_name(path.name + ".progress")

    def decided() -> int:
        return int(sum(json.loads(progress.read_text())["counts"].values())) if progress.exists() else 0

    with signals.delayed(signal.SIGINT):
        running = subprocess.Popen(
            command(path, "--connections", str(CONNECTIONS)),
            env=environment(tenant),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    deadline = time.monotonic() + 120
    while decided() <= after and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    running.send_signal(number)
    running.communicate(timeout=60)
    return running.returncode, decided()


def test_an_import_that_is_killed_and_interrupted_goes_on_where_it_stopped_and_writes_each_line_once(
    tenant: Tenant, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    contents = [f"Guest {number} prefers room {number % 40}." for number in range(LINES)]
    path = file_of(tmp_path, *({"content": content} for content in contents))

    killed, first = ended(tenant, path, signal.SIGKILL, after=0)
    interrupted, second = ended(tenant, path, signal.SIGINT, after=first)
    status, result = import_(tenant, path)
    again_status, again = import_(tenant, path)

    # Nobody asks for their vectors, and whoever waits for the queues would wait for them.
    forget_waiting(tenant.stack, "EmbedQueue")
    record_property("import", f"killed after {first}, interrupted after {second}: {result}, again {again}")
    assert (killed, interrupted) == (-signal.SIGKILL, 130)
    assert 0 < first < second < LINES
    assert (status, result["lines"], result["refused"]) == (0, LINES, 0)
    # Batches that were on their way when a run ended may have arrived.
    assert LINES - 2 * CONNECTIONS * 100 <= result["accepted"] <= LINES
    assert result["accepted"] + result["duplicate"] == LINES
    assert (again_status, again["accepted"], again["duplicate"]) == (0, 0, LINES)
    assert stored(tenant) == Counter(contents)
    assert not path.with_name(path.name + ".progress").exists()


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


def test_lines_for_which_the_service_would_refuse_the_whole_batch_are_reported_and_the_others_written(
    tenant: Tenant, tmp_path: Path
) -> None:
    first, last = {"content": "The kitchen closes at ten."}, {"content": "The bar closes at eleven."}
    deep: Any = []
    for _ in range(40):
        deep = [deep]
    bad = [{"content": "a\0b"}, {"content": "\ud800"}, {"content": "Tea.", "metadata": {"a": deep}}]
    path = file_of(
        tmp_path, first, *bad, {"content": "Tea.", "confidence": float("nan")}, {"content": "x" * (1 << 20)}, last
    )

    status, result = import_(tenant, path)

    report = [json.loads(line) for line in Path(result["report"]).read_text().splitlines()]
    assert (status, result["accepted"], result["refused"]) == (1, 2, 5)
    assert [entry["line"] for entry in report] == [2, 3, 4, 5, 6]
    assert stored(tenant) == Counter([first["content"], last["content"]])


def test_lines_with_a_blank_name_are_reported_and_nothing_of_them_is_shared(tenant: Tenant, tmp_path: Path) -> None:
    blank = ["", " ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2060\u2003"]
    places = ("user_id", "userId", "session_id", "agent_id", "client_ref")
    lines = [{"content": f"Secret {place} {name!a}.", place: name} for place in places for name in blank]
    path = tmp_path / "memories.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    status, result = import_(tenant, path)

    report = [json.loads(line) for line in path.with_name("memories.jsonl.refused.jsonl").read_text().splitlines()]
    assert (status, result["refused"], result["accepted"]) == (1, len(lines), 0)
    assert all("must not be blank" in one["reason"] for one in report)
    assert tenant.client.get("/v1/memories", params={"user_id": "*"}).json()["memories"] == []


@pytest.mark.parametrize("name", ["", " ", "\u3000", "\u200b"])
@pytest.mark.parametrize(
    "arguments", [("import", "--agent-id"), ("import", "--end-user"), ("export", "--user-id"), ("export", "--agent-id")]
)
def test_a_blank_argument_does_not_reach_further(
    tenant: Tenant, tmp_path: Path, arguments: tuple[str, str], name: str
) -> None:
    (subcommand, option), path = arguments, tmp_path / "memories.jsonl"

    ended = subprocess.run(
        [sys.executable, "-m", "local.cli", subcommand, str(path), option, name],
        capture_output=True,
        text=True,
        check=False,
        env=environment(tenant),
    )

    assert ended.returncode == 2
    assert f"argument {option}: must not be blank" in ended.stderr
    assert not path.exists()


def test_a_key_that_is_not_known_ends_the_import_with_the_reason(tenant: Tenant, tmp_path: Path) -> None:
    path = file_of(tmp_path, {"content": "The kitchen closes at ten."})
    unknown = environment(tenant) | {"REMEMBRANCER_API_KEY": "unknown"}

    finished = subprocess.run(command(path), capture_output=True, text=True, check=False, timeout=60, env=unknown)

    assert finished.returncode == 1
    assert "401" in json.loads(finished.stdout)["error"]


def test_what_was_exported_comes_back_as_it_was(tenant: Tenant, new_tenant: NewTenant, tmp_path: Path) -> None:
    other = new_tenant()
    whole = {
        "summary": "tea",
        "context": "At breakfast.",
        "category": "preference",
        "source": "user_provided",
        "confidence": 0.9,
        "importance": 0.7,
        "tags": ["tea", "drinks"],
        "metadata": {"room": {"number": 4}},
        "user_id": "ada",
        "session_id": "s",
        "created_at": "2025-03-01T10:00:00+00:00",
        "expires_at": "2999-01-01T00:00:00+00:00",
        "occurred_from": "2020-01-01T00:00:00+00:00",
        "occurred_to": "2998-01-01T00:00:00+00:00",
    }
    (old,) = tenant.remember("The kitchen closes at nine.")
    tenant.remember("The kitchen closes at ten.", supersedes=old)
    tenant.remember("Ada likes tea, sehr heiß.", **whole)
    # Pinned in another order than written.
    tenant.remember("Call me Ada.", user_id="ada", pinned=True, pinned_at="2026-01-02T00:00:00.000003+00:00")
    tenant.remember("Answer in German.", user_id="ada", pinned=True, pinned_at="2026-01-02T00:00:00.000002+00:00")
    # In a conflict, which is found again there.
    tenant.remember("The bar closes at ten.", "The bar closes at eleven.")
    tenant.until_embedded()
    tenant.drain()
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"

    statuses = [export(tenant, first), import_(other, first, "--agent-id", other.agent_id), export(other, second)]

    assert [status for status, _ in statuses] == [0, 0, 0]
    assert [statuses[0][1]["lines"], statuses[1][1]["accepted"], statuses[1][1]["skipped"]] == [7, 6, 1]
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert comparable(second) == comparable(first)
    body = {
        "model": "gpt-4o",
        "request_id": "r",
        "user_id": "ada",
        "messages": [{"role": "user", "content": "Thanks!"}],
    }
    answer = other.client.post("/v1/context/assemble", json=body | {"agent_id": other.agent_id}).json()
    assert "- Answer in German.\n- Call me Ada.\n</pinned-" in answer["messages"][0]["content"]
    assert len(answer["metadata"]["pinned_memory_ids"]) == 2


def test_what_is_exported_to_standard_output_is_imported_from_standard_input(
    tenant: Tenant, new_tenant: NewTenant, tmp_path: Path
) -> None:
    other = new_tenant()
    texts = ["The kitchen closes at ten.", "Der Bär schläft im Keller."]
    tenant.remember(*texts)
    file = tmp_path / "memories.jsonl"
    export(tenant, file)
    cli = (sys.executable, "-m", "local.cli")

    exported = subprocess.run(
        [*cli, "export", "-"], capture_output=True, check=True, timeout=60, env=environment(tenant)
    )
    imported = subprocess.run(
        [*cli, "import", "-", "--agent-id", other.agent_id, "--json"],
        input=exported.stdout + b'{"content": tea}\n',
        capture_output=True,
        check=False,
        timeout=60,
        env=environment(other),
        cwd=tmp_path,
    )
    said = subprocess.run(
        [*cli, "import", "-"], input=b"\n7\n", capture_output=True, check=False, env=environment(other), cwd=tmp_path
    )

    result = json.loads(imported.stdout)
    assert exported.stdout == file.read_bytes()
    assert b"2 memories" in exported.stderr
    assert (imported.returncode, result["accepted"], result["refused"]) == (1, 2, 1)
    assert stored(other) == Counter(texts)
    assert (said.returncode, "The first of them is line 2: is not a JSON object" in said.stdout.decode()) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memories.jsonl", "stdin.refused.jsonl"]


def test_an_export_whose_reader_ends_does_not_fail_aloud(tenant: Tenant) -> None:
    tenant.remember(*(f"Guest {number} has a room. {'Quiet. ' * 300}" for number in range(40)))
    forget_waiting(tenant.stack, "EmbedQueue")
    command = [sys.executable, "-m", "local.cli", "export", "-"]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tenant)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read().decode()

    assert process.returncode == 1
    assert "Traceback" not in said
    assert "BrokenPipe" not in said


def test_conversations_are_exported_with_all_their_turns(tenant: Tenant, tmp_path: Path) -> None:
    # Nothing of it is worth a memory, which would be embedded beside the tests that follow.
    said = [f"Do you own {number} geese?" for number in range(600)]
    for user, texts in (("ada", said), (None, ["We have a lift."])):
        body = {"agent_id": tenant.agent_id, "messages": [{"role": "user", "content": text} for text in texts]}
        named = {} if user is None else {"user_id": user}
        assert tenant.client.post("/v1/conversations", json=body | named).status_code == 202
    found = {}

    for options in ((), ("--user-id", "ada")):
        path = tmp_path / f"{len(options)}.jsonl"
        status, result = export(tenant, tmp_path / "memories.jsonl", "--conversations", str(path), *options)
        found[options] = [json.loads(line) for line in path.read_text().splitlines()]
        assert (status, result["conversations"], stat.S_IMODE(path.stat().st_mode)) == (0, 2 - bool(options), 0o600)

    everybodys, own = found.values()
    assert [one["user_id"] for one in everybodys] == [None, "ada"]
    assert [one["user_id"] for one in own] == ["ada"]
    assert [turn["text"] for turn in own[0]["turns"]] == [turn["text"] for turn in everybodys[1]["turns"]] == said


def export(tenant: Tenant, path: Path, *options: str) -> tuple[int, dict[str, Any]]:
    finished = subprocess.run(
        [sys.executable, "-m", "local.cli", "export", str(path), "--json", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment(tenant),
    )
    assert finished.stdout, finished.stderr
    return finished.returncode, json.loads(finished.stdout)


def comparable(path: Path) -> list[dict[str, Any]]:
    """The active memories without what is of their place: ids, states, moments of the rows."""
    local = {"id", "agent_id", "client_ref", "supersedes", "updated_at", "embedding_state", "relations", "conflicts"}
    exported = [json.loads(line) for line in path.read_text().splitlines()]
    kept = [{name: field for name, field in one.items() if name not in local} for one in exported]
    return sorted((one for one in kept if one["status"] == "active"), key=lambda one: str(one["content"]))
