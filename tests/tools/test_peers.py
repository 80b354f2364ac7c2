"""The comparison with other memories: its questions, its processes, its tables; without the libraries themselves."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import figures
from benchmarks.peers import others, questions, report
from benchmarks.peers.freezing import family, frozen
from benchmarks.peers.peer_process import PeerFailedError, PeerProcess
from benchmarks.peers.systems.described import SYSTEMS, DescribedSystem
from tests.builders import MODELS
from tests.unit.documents import ROOT

RESULT = figures.read(report.NAME)
PATIENCE_SECONDS = 20.0


def process(module: str, log: Path) -> PeerProcess:
    return PeerProcess(Path(sys.executable), module, "postgresql://nowhere", MODELS, log)


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]


def until(pids: list[int], stopped: bool) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while any((state(pid) == "T") != stopped for pid in pids) and time.monotonic() < end:
        time.sleep(0.01)


def test_the_set_is_the_same_each_time_and_every_question_has_evidence() -> None:
    one, again = questions.generated(200, 50), questions.generated(200, 50)

    texts = {identifier: fields["content"] for identifier, fields in one.memories[questions.AGENT]}
    assert one == again
    assert (one.size, len(one.questions), len(set(texts.values()))) == (200, 50, 200)
    assert all(question.gold for question in one.questions)
    assert not {question.text for question in one.questions} & set(texts.values())


def test_others_have_no_fact_of_the_measured_agent_as_a_whole() -> None:
    mine = {fact.text for fact in questions.facts(1_000, seed=1)}
    theirs = {fact.text for fact in questions.facts(others.TEXTS, seed=2)}

    assert len(mine & theirs) < 0.05 * len(mine)


@pytest.mark.parametrize("number", [20_000, 100_000])
def test_other_agents_differ_in_size_and_have_as_many_memories_as_was_asked_for(number: int) -> None:
    sizes = others.sizes(number)

    assert (len(set(sizes)), len(sizes)) == (others.OWNERS, others.OWNERS)
    assert abs(sum(sizes) - number) <= others.OWNERS


async def test_a_system_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    memories = [("m1", "Ada has a cat"), ("m2", "Bruno has a van")]

    async with process("tests.tools.dictionary_system", tmp_path / "log") as peer:
        await peer.ask("add", owner="ada", memories=memories, batch=1)
        asked = [("ada", "cat"), ("ada", "has"), ("bruno", "cat")]
        found = await peer.ask("search", questions=asked, limit=10, pause_ms=0)
        answers = await peer.ask("frozen", questions=[("ada", "van"), ("ada", "broken")], limit=10, every_seconds=0)
        memory = await peer.ask("rss")

    assert set(peer.versions) == {"numpy"}
    assert [references for _, references in found] == [["m1"], ["m1", "m2"], []]
    assert all(milliseconds > 0 for milliseconds, _ in found)
    assert [(one.get("rows"), one.get("error")) for one in answers] == [(1, None), (None, "ConnectionError")]
    assert memory["rss_mb"] > 10
    assert "a library's notice" in (tmp_path / "log").read_text(encoding="utf-8")


async def test_a_system_that_cannot_start_names_its_log(tmp_path: Path) -> None:
    with pytest.raises(PeerFailedError, match="log"):
        async with process("tests.tools.no_such_system", tmp_path / "log"):
            pass

    assert "no_such_system" in (tmp_path / "log").read_text(encoding="utf-8")


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[str]]:
    program = "import subprocess; child = subprocess.Popen(['sleep', '60']); print('up', flush=True); child.wait()"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "up\n"
        yield started
        for pid in reversed(family(started.pid)):
            subprocess.run(["kill", f"-{signal.SIGKILL}", str(pid)], check=False)


async def test_a_server_stands_still_with_its_children_and_goes_on(parent: subprocess.Popen[str]) -> None:
    pids = family(parent.pid)

    async with frozen(parent.pid, PATIENCE_SECONDS):
        until(pids, stopped=True)
        during = [state(pid) for pid in pids]
    until(pids, stopped=False)

    assert len(pids) == 2
    assert during == ["T", "T"]
    assert "T" not in [state(pid) for pid in pids]


@pytest.mark.parametrize("described", SYSTEMS.values(), ids=SYSTEMS)
def test_every_distribution_of_a_system_has_its_version(described: DescribedSystem) -> None:
    lines = described.requirements.read_text(encoding="utf-8").splitlines()

    module = ROOT / f"{described.module.replace('.', '/')}.py"
    assert module.exists()
    assert lines
    assert [one for one in lines if not re.fullmatch(r"[\w.-]+==[\w.!+-]+", one)] == []
