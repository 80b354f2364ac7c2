"""Benchmarks that nobody runs for a while still run."""

from benchmarks import stages


async def test_every_stage_with_a_target_is_measured_and_nothing_else_is_called_so() -> None:
    durations = await stages.measure(calls=2, memories=60)

    assert stages.TARGETS_MS.keys() <= durations.keys()
    assert all(len(values) == 2 and min(values) > 0 for values in durations.values())
