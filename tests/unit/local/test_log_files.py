"""Logs that are written to without end stay bounded."""

from pathlib import Path

from local import log_files


def test_a_log_over_the_bound_becomes_the_previous_one_and_its_writer_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    sizes = []
    with path.open("ab", buffering=0) as writer:
        for number in range(100):
            writer.write(b"%03d " % number + b"x" * 95 + b"\n")
            log_files.bound(path, 1000)
            sizes.append(path.stat().st_size)

    kept = log_files.previous(path).read_text() + path.read_text()
    assert max(sizes) <= 1000
    assert len(kept) <= 2100
    assert [line[:3] for line in kept.splitlines()] == [
        f"{number:03d}" for number in range(100 - len(kept) // 100, 100)
    ]
    assert {entry.name for entry in tmp_path.iterdir()} == {"server.log", "server.log.previous"}


def test_all_logs_of_a_stack_are_bounded(tmp_path: Path) -> None:
    paths = [tmp_path / "logs" / "AFunction.log", tmp_path / "postgres" / "server.log", tmp_path / "aws" / "server.log"]
    for path in paths:
        path.parent.mkdir()
        with path.open("wb") as file:
            file.truncate(log_files.MAXIMUM_BYTES + 1)

    log_files.bound_all(tmp_path)

    assert [path.stat().st_size for path in paths] == [0, 0, 0]
    assert all(log_files.previous(path).exists() for path in paths)
