"""The stacks that outages need, by name."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.outages.rig import Rig, rig
from tests.e2e.conftest import Loop

DISK_MB = 400


@contextmanager
def setup(name: str, directory: Path, loop: Loop) -> Iterator[Rig]:
    """`plain`, `brief` (failed messages come back after seconds), `small disk` (Postgres' data is in a file system of
    its own, which needs root), `failover`, `cluster` (Redis of three nodes), `clocks` (needs libfaketime).
    """
    match name:
        case "cluster":
            with rig(directory, loop, cache="cluster3") as started:
                yield started
        case "clocks":
            with rig(directory, loop, clocks=True) as started:
                yield started
        case "brief":
            with rig(directory, loop, visibility_seconds=10) as started:
                yield started
        case "small disk":
            with _small_disk(directory / "postgres"), rig(directory, loop) as started:
                yield started
        case _:
            with rig(directory, loop) as started:
                yield started


@contextmanager
def _small_disk(place: Path) -> Iterator[None]:
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=0755", "tmpfs", str(place)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
