"""Benchmarks of the whole that nobody runs for a while still run."""

from pathlib import Path

from rich.console import Console

from benchmarks import assembly, faults
from benchmarks.lateness import Lateness
from local.stack import Stack
from tests.e2e.conftest import Loop


def test_assembly_is_measured_by_tier_beside_its_floor(stack: Stack, loop: Loop) -> None:
    rows = [assembly.AssemblyRow(size=60, tier=tier, callers=1) for tier in ("map", "turn_cache")]

    loop.run(assembly.load(stack, [60], memories=60, agents=3))
    loop.run(assembly.measure(stack, rows, calls=2, pause_ms=0, console=Console(quiet=True)))

    # On a busy machine an instance may begin to be made while the others are being warmed.
    assert set(rows[0].tiers) <= {"map", "postgres"}
    assert set(rows[1].tiers) == {"turn_cache"}
    assert [row.reasons for row in rows] == [{"": 2}] * 2
    assert all(len(row.total) == 2 and row.ratio > 0 for row in rows)
    assert {"embed", "score", "pack", "format"} <= rows[0].stages.keys()


def test_faults_are_measured_with_reasons_and_recovery(stack: Stack, loop: Loop, tmp_path: Path) -> None:
    cases = [("", "none"), ("embedder", "dead")]
    quiet = Console(quiet=True)

    with Lateness(tmp_path / "lateness") as lateness:
        rows = faults.run(
            stack.postgres, stack.valkey, loop, 2, lateness, tiers=["map"], cases=cases, warm_up=1, console=quiet
        )

    assert [row.fault for row in rows] == ["none", "dead"]
    assert [sum(row.histogram) for row in rows] == [2, 2]
    assert all(row.statuses == {200: 2} for row in rows)
    assert all(row.lateness and row.late_ms >= 0 for row in rows)
