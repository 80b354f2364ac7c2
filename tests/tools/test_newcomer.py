"""The newcomer's path reads the README alone, stops at the first step that fails, and leaves nothing running."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.newcomer import ROOT, NewcomerError, Shell, Step, busy, first_chat, follow, read, table
from tests.jobs import ignoring_interrupts

PATIENCE_SECONDS = 20.0
STEPS = ("make run", "remembrancer init", "make proxy", "/chat/completions")
FACT = "The tuner comes on Tuesday."
# Commands of a product that is not there: each server waits, and the chat answers with what was written.
README = """
```
make run      # everything
```

```json
{"content": "remembrancer init"}
```

```bash
cat > facts.txt <<'END'
The piano stands in the hall.
The tuner comes on Tuesday.
END
cat .local/dev.env # remembrancer init
echo "Facts: 2 written"
```

```
make proxy ARGS="--agent hall"
```

```bash
echo '{"choices": [{"message": {"content": "It was given: The tuner comes on Tuesday."}}]}' # /chat/completions
```
"""
MAKEFILE = """
run:
\t@mkdir .local; echo "URL=http://127.0.0.1:$(PORT)" > .local/dev.env; echo "Serving on http://127.0.0.1:$(PORT)"
\t@sleep 600
proxy:
\t@echo "$(ARGS)"; echo "Ctrl-C stops the proxy."
\t@sleep 600
"""


def repository(folder: Path, *, readme: str = README, makefile: str = MAKEFILE) -> str:
    folder.mkdir()
    (folder / "README.md").write_text(readme, encoding="utf-8")
    (folder / "Makefile").write_text(makefile, encoding="utf-8")
    author = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return str(folder)


def running_in(folder: Path) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            place = (process / "cwd").readlink()
        except OSError:
            continue
        if place.is_relative_to(folder):
            found.append(int(process.name))
    return found


def test_the_readme_has_every_step_in_order() -> None:
    instructions = read((ROOT / "README.md").read_text(encoding="utf-8"))

    assert (instructions.run, instructions.proxy) == ("make run", 'make proxy ARGS="--agent lark"')
    assert "remembrancer init lark" in instructions.init
    assert all(fact in instructions.init and fact not in instructions.chat for fact in instructions.facts)
    assert "source .local/proxy.env" in instructions.chat


@pytest.mark.parametrize("step", STEPS)
def test_a_readme_without_a_step_is_refused(step: str) -> None:
    with pytest.raises(NewcomerError, match=step):
        read(README.replace(step, "…"))


def test_a_step_before_one_that_it_needs_is_refused() -> None:
    proxy = '```\nmake proxy ARGS="--agent hall"\n```\n'
    early = proxy + README.replace(proxy, "")

    with pytest.raises(NewcomerError, match="make proxy"):
        read(early)


@pytest.fixture(params=["in the foreground", "in the background"])
def ground(request: pytest.FixtureRequest) -> Iterator[None]:
    with ignoring_interrupts(ignored=request.param == "in the background"):
        yield


@pytest.mark.usefixtures("ground")
def test_the_path_is_followed_and_everything_ends(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin")
    work = tmp_path / "work"
    work.mkdir()

    steps = follow(origin, work, {**os.environ, "MAKEFLAGS": "--just-print", "REMEMBRANCER_URL": "nowhere"})

    assert [step.commands for step in steps] == [
        "`git clone`",
        "`make run`",
        "`remembrancer init`",
        '`make proxy ARGS="--agent hall"`',
        "`source`, `curl`",
    ]
    assert running_in(work) == []
    assert FACT in (work / "clone" / "facts.txt").read_text(encoding="utf-8")
    assert re.match(r"--agent hall --port \d+\n", (work / "1.log").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("ground")
def test_a_server_that_does_not_start_is_named_with_what_it_said_and_nothing_goes_on(tmp_path: Path) -> None:
    broken = MAKEFILE.replace('echo "Ctrl-C stops the proxy."', "echo no wheels; exit 3")
    origin = repository(tmp_path / "origin", makefile=broken)
    work = tmp_path / "work"
    work.mkdir()

    with pytest.raises(NewcomerError, match=r"(?s)`make proxy .*` did not print.*no wheels"):
        follow(origin, work, os.environ)

    end = time.monotonic() + PATIENCE_SECONDS
    while running_in(work) and time.monotonic() < end:
        time.sleep(0.05)
    assert running_in(work) == []


@pytest.mark.usefixtures("ground")
def test_nothing_goes_on_after_a_signal_to_end(tmp_path: Path) -> None:
    origin = repository(
        tmp_path / "origin", readme=README.replace('echo \'{"choices"', 'exec sleep 600; : \'{"choices"')
    )
    work = tmp_path / "work"
    work.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.newcomer", origin],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(work)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    with process.stderr:
        assert any("LiteLLM is installed" in line for line in process.stderr)
        serving = running_in(work)

        process.terminate()

        assert process.wait(timeout=PATIENCE_SECONDS) == 1
    assert serving
    assert running_in(work) == []
    assert list(work.iterdir()) == []


def test_a_signal_while_a_command_is_started_ends_that_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []

    class Interrupted(subprocess.Popen[str]):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            started.append(self)
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    previous = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        with pytest.raises(SystemExit):
            Shell(tmp_path, os.environ).run("exec sleep 600")
    finally:
        signal.signal(signal.SIGTERM, previous)

    assert [process.poll() for process in started] == [-signal.SIGKILL]


def test_a_chat_whose_model_was_given_no_fact_fails(tmp_path: Path) -> None:
    instructions = read(README.replace("given: The tuner", "given: no tuner"))

    with pytest.raises(NewcomerError, match=r"none of the facts: .*no tuner"):
        first_chat(Shell(tmp_path, os.environ), instructions, pause_seconds=0.0)


def test_loops_that_keep_the_machine_busy_end_with_it() -> None:
    with busy(2):
        # A process has its command line a moment after it was started.
        end = time.monotonic() + PATIENCE_SECONDS
        while len(loops()) < 2:
            assert time.monotonic() < end
    assert loops() == []


def loops() -> list[int]:
    """The children of this process that run a loop."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").split()
    commands = {child: Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
    return [int(child) for child, command in commands.items() if b"while True" in command]


def test_the_table_ends_with_the_sum() -> None:
    shown = table([Step("clone", "`git clone`", 0.44), Step("run", "`make run`", 61.0)])

    assert shown.splitlines()[2:] == [
        "| clone | `git clone` | 0.4 |",
        "| run | `make run` | 61.0 |",
        "| altogether | | 61.4 |",
    ]
