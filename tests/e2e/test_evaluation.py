"""`remembrancer eval` against a running service: memories are learned through the API, then every question is asked."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from local.stack import ROOT
from tests.e2e.conftest import Tenant

GOOSE = "Ada: I bought a goose at the market."
MEMORIES = [
    {"id": "m1", "agent": "ada", "content": GOOSE},
    {"id": "m2", "agent": "ada", "content": "Bo: The ferry left without us."},
    {"id": "m3", "agent": "ada", "content": GOOSE},
    {"id": "m4", "agent": "ada", "content": "Bo: Wow, that's great!"},
]
QUESTIONS = [
    {"agent": "ada", "question": "Which bird did Ada buy?", "kind": "single-hop", "gold": ["m1"]},
    {"agent": "ada", "question": "What left?", "kind": "multi-hop", "gold": ["m2"]},
]


def evaluated(tenant: Tenant, tmp_path: Path, *options: str) -> Any:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [*MEMORIES, *QUESTIONS]))
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "REMEMBRANCER_API_KEY": tenant.client.headers["X-API-Key"],
    }
    command = [
        sys.executable,
        "-m",
        "local.cli",
        "eval",
        str(path),
        "--url",
        tenant.stack.url,
        "--json",
        "--tier",
        "high",
        *options,
    ]

    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=environment)

    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_a_set_is_learned_and_asked_through_the_api(tenant: Tenant, tmp_path: Path) -> None:
    result = evaluated(tenant, tmp_path)

    assert result["memories"] == 4
    assert result["stored"]["memories"] == 3
    assert "captured" not in result
    assert {kind: figures["recall@10"] for kind, figures in result["by_kind"].items()} == {
        "single-hop": 1.0,
        "multi-hop": 1.0,
        "all": 1.0,
    }
    assert result["by_agent"]["ada"]["mrr@10"] == 1.0
    assert result["latency_ms"]["p95"] >= result["latency_ms"]["p50"] > result["function_ms"]["p50"] > 0


def test_what_the_service_remembers_of_conversations_is_asked_for_beside_it(tenant: Tenant, tmp_path: Path) -> None:
    """Small talk is not remembered, and a memory answers for each message that it was made of."""
    result = evaluated(tenant, tmp_path, "--capture")

    captured = result["captured"]
    assert (result["stored"]["memories"], captured["stored"]["memories"]) == (3, 2)
    assert 0 < captured["stored"]["tokens"] < result["stored"]["tokens"]
    assert result["by_kind"]["all"]["recall@10"] == captured["by_kind"]["all"]["recall@10"] == 1.0
