"""Follows the README in a fresh clone, to an agent of one's own and a first chat with it, and measures each step.

`make newcomer` runs it. It runs the README's commands; only the ports are others. It needs the
README's prerequisites (Linux, Python, make), and git for the clone. `--busy 4` keeps the machine busy with four loops
meanwhile. The status is 1 when a step fails.
"""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from local import signals

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 1800.0
"""The first start installs packages and builds the models."""
COMMAND_SECONDS = 120.0
END_SECONDS = 60.0
ATTEMPTS = 2
PAUSE_SECONDS = 2.0
SERVES = "Serving on http"
PROXY_SERVES = "Ctrl-C stops the proxy."

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Variables that a newcomer's shell does not have, and variables that `make newcomer` passes to other makes.
_NOT_OURS = re.compile(
    r"(REMEMBRANCER|OPENAI|ANTHROPIC|GEMINI|MISTRAL|GROQ|OPENROUTER|LITELLM)_|"
    r"(DATABASE_URL|OWNER_DATABASE_URL|REDIS_URL|AWS_ENDPOINT_URL|PORT|ARGS|MAKE\w*|MFLAGS|PYTHONPATH|VIRTUAL_ENV)$"
)


class NewcomerError(Exception):
    """The README lacks a step, or a step does not work as described."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """The README's commands, in order; `facts` are the lines of the file that the command `init` reads."""

    run: str
    init: str
    proxy: str
    chat: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """The commands of one step, and the seconds until they had succeeded."""

    name: str
    commands: str
    seconds: float


def read(readme: str) -> Instructions:
    """Raises NewcomerError when a step is missing, or comes before a step that it needs."""
    blocks = (text for language, text in _FENCE.findall(readme) if language in {"", "bash"})
    run = _command("make run", blocks)
    init = _block("remembrancer init", blocks)
    proxy = _command("make proxy", blocks)
    chat = _block("/chat/completions", blocks)
    written = re.search(r"<<'END'\n(.+?)\nEND$", init, re.DOTALL | re.MULTILINE)
    if written is None:
        raise NewcomerError("the README writes no file of facts")
    return Instructions(run, init, proxy, chat, tuple(written[1].splitlines()))


def _block(mark: str, blocks: Iterator[str]) -> str:
    for block in blocks:
        if mark in block:
            return block
    raise NewcomerError(f"the README has no block with `{mark}`, or has it before a step that it needs")


def _command(start: str, blocks: Iterator[str]) -> str:
    """The line of a block, without its comment."""
    [line] = re.findall(rf"^{start}\b[^#\n]*", _block(start, blocks), re.MULTILINE)[:1]
    return str(line).strip()


def _starting() -> AbstractContextManager[None]:
    """Delays a signal to end until the process that is started in this block is known, so that it is ended too."""
    return signals.delayed(signal.SIGTERM, signal.SIGINT)


class Shell:
    """A newcomer's terminals in the clone; `end` ends every process that was started there, and no other."""

    def __init__(self, clone: Path, environment: Mapping[str, str]) -> None:
        self._clone = clone
        self._environment = {name: value for name, value in environment.items() if not _NOT_OURS.match(name)}
        self._serving: list[subprocess.Popen[bytes]] = []
        self._running: list[subprocess.Popen[str]] = []

    def serve(self, command: str, ready: str, **environment: str) -> None:
        """Returns when the command has printed `ready`; the command continues in a separate terminal."""
        log = self._clone.parent / f"{len(self._serving)}.log"
        with log.open("wb") as output, _starting():
            process = subprocess.Popen(
                ["bash", "-c", command],
                cwd=self._clone,
                env={**self._environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._serving.append(process)
        end = time.monotonic() + START_SECONDS
        while ready not in (printed := log.read_text(encoding="utf-8", errors="replace")):
            if process.poll() is not None or time.monotonic() > end:
                raise NewcomerError(f"`{command}` did not print `{ready}`:\n{printed[-3000:]}")
            time.sleep(0.1)

    def run(self, commands: str) -> str:
        """Returns the output of the commands; raises NewcomerError if one fails."""
        try:
            with _starting():
                process = subprocess.Popen(
                    ["bash", "-euo", "pipefail", "-c", commands],
                    cwd=self._clone,
                    env=self._environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                )
                self._running.append(process)
            output, errors = process.communicate(timeout=COMMAND_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise NewcomerError(f"no end within {COMMAND_SECONDS:.0f} s:\n{commands}") from error
        finally:
            self._end_commands()
        if process.returncode:
            raise NewcomerError(f"status {process.returncode}:\n{commands}\n{output}{errors}")
        return output

    def _end_commands(self) -> None:
        """Also what a command's shell has started: it would outlive a shell that is ended."""
        while self._running:
            with self._running.pop() as process, suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Interrupts each terminal's process as Ctrl-C does, the last one first; kills those that do not end."""
        while self._serving:
            process = self._serving.pop()
            for number, seconds in ((signal.SIGINT, END_SECONDS), (signal.SIGKILL, None)):
                if process.poll() is None:
                    os.killpg(process.pid, number)
                    try:
                        process.wait(timeout=seconds)
                    except subprocess.TimeoutExpired:
                        continue


def own_agent(shell: Shell, instructions: Instructions) -> None:
    """Makes the agent; raises NewcomerError when not all facts are written."""
    answer = shell.run(instructions.init)
    if f"{len(instructions.facts)} written" not in answer:
        raise NewcomerError(f"not all facts of the own agent were written: {answer}")


def on_port(command: str, port: int) -> str:
    """The command that starts the proxy, with a port."""
    [(words, given)] = re.findall(r'^(make proxy)(?: ARGS="(.*)")?$', command)
    return f'{words} ARGS="{given} --port {port}"'


def first_chat(shell: Shell, instructions: Instructions, *, pause_seconds: float = PAUSE_SECONDS) -> int:
    """Returns the number of chats until the model was given one of the facts, which may be late on a busy machine."""
    answer = ""
    for attempt in range(1, ATTEMPTS + 1):
        answer = shell.run(instructions.chat)
        if any(fact in _said(answer) for fact in instructions.facts):
            return attempt
        time.sleep(pause_seconds)
    raise NewcomerError(f"in {ATTEMPTS} chats the model was given none of the facts: {answer}")


def _said(answer: str) -> str:
    """The text of a chat's answer."""
    try:
        return str(json.loads(answer)["choices"][0]["message"]["content"])
    except (ValueError, LookupError, TypeError) as error:
        raise NewcomerError(f"this is no answer to a chat: {answer}") from error


def table(steps: Sequence[Step]) -> str:
    """A table of the steps in Markdown, with the sum."""
    rows = [f"| {step.name} | {step.commands} | {step.seconds:.1f} |" for step in steps]
    total = f"| altogether | | {sum(step.seconds for step in steps):.1f} |"
    return "\n".join(["| step | commands | seconds |", "|---|---|---|", *rows, total])


class Watch:
    """The steps and their times, printed as they end."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    @contextmanager
    def step(self, name: str, commands: str) -> Iterator[None]:
        """Records the step when it has succeeded; a step that fails is not recorded."""
        started = time.monotonic()
        yield
        self.steps.append(Step(name, commands, time.monotonic() - started))
        print(f"{self.steps[-1].seconds:8.1f} s  {name}", file=sys.stderr, flush=True)


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keeps as many processors busy as there are loops."""
    with _starting():
        processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def follow(repository: str, folder: Path, environment: Mapping[str, str]) -> list[Step]:
    """Runs all steps in a clone inside the folder; ends every started process, even after an error."""
    watch, clone = Watch(), folder / "clone"
    with watch.step("clone", "`git clone`"):
        subprocess.run(["git", "clone", "--quiet", repository, str(clone)], check=True)
    instructions = read((clone / "README.md").read_text(encoding="utf-8"))
    shell = Shell(clone, environment)
    front_door, proxy = _free_ports()
    try:
        with watch.step("everything is installed and serves", f"`{instructions.run}`"):
            shell.serve(instructions.run, SERVES, PORT=str(front_door))
        with watch.step("an agent of one's own", "`remembrancer init`"):
            own_agent(shell, instructions)
        with watch.step("LiteLLM is installed and serves", f"`{instructions.proxy}`"):
            shell.serve(on_port(instructions.proxy, proxy), PROXY_SERVES)
        with watch.step("first chat with that agent", "`source`, `curl`"):
            attempts = first_chat(shell, instructions)
        if attempts > 1:
            print(f"The chat was sent {attempts} times until the facts came in time.", file=sys.stderr)
    finally:
        shell.end()
    return watch.steps


def _free_ports() -> tuple[int, int]:
    """Ports for the front door and the proxy, because the default ports may be in use."""
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("127.0.0.1", 0)) as second:
        return first.getsockname()[1], second.getsockname()[1]


def main() -> int:
    """Follows the README and prints the table; the exit status is 1 when a step failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", nargs="?", default=str(ROOT), help="what to clone, else this repository")
    parser.add_argument("--busy", type=int, default=0, metavar="LOOPS", help="keep the machine busy with so many loops")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="newcomer-") as folder, busy(arguments.busy):
        try:
            steps = follow(arguments.repository, Path(folder), os.environ)
        except NewcomerError as error:
            print(error, file=sys.stderr)
            return 1
    print(table(steps))
    return 0


if __name__ == "__main__":
    sys.exit(main())
