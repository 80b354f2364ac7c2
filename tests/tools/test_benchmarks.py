"""Benchmarks that nobody runs for a while still run."""

import ast
import importlib
import os
import time

from benchmarks import chats, cold_start, stages
from benchmarks.awake import Awake

PATIENCE_SECONDS = 20.0


async def test_every_stage_with_a_target_is_measured_and_nothing_else_is_called_so() -> None:
    durations = await stages.measure(calls=2, memories=60)

    assert stages.TARGETS_MS.keys() <= durations.keys()
    assert all(len(values) == 2 and min(values) > 0 for values in durations.values())


def test_the_phases_of_a_start_import_what_there_is() -> None:
    imported = [one for one in ast.walk(ast.parse(cold_start._PHASES)) if isinstance(one, ast.ImportFrom)]

    missing = [
        f"{one.module}.{alias.name}"
        for one in imported
        for alias in one.names
        if not hasattr(importlib.import_module(str(one.module)), alias.name)
    ]

    assert imported
    assert missing == []


def test_each_core_is_kept_awake_by_what_gives_way_to_everything_else() -> None:
    with Awake() as awake:
        started = awake.processes
        end = time.monotonic() + PATIENCE_SECONDS
        while any(os.sched_getscheduler(one.pid) != os.SCHED_IDLE for one in started) and time.monotonic() < end:
            time.sleep(0.01)
        policies = [os.sched_getscheduler(one.pid) for one in started]
        cores = [os.sched_getaffinity(one.pid) for one in started]

    assert policies == [os.SCHED_IDLE] * len(started)
    assert sorted(min(core) for core in cores) == sorted(os.sched_getaffinity(0))
    assert all(len(core) == 1 for core in cores)
    assert all(one.returncode is not None for one in started)


def test_cores_that_are_to_sleep_are_let_sleep() -> None:
    with Awake(wanted=False) as awake:
        assert awake.processes == []


def test_the_chats_are_the_same_each_time_and_their_evidence_contains_the_fact() -> None:
    made = [chats.chat(agent) for agent in chats.AGENTS]

    assert made[0] == chats.chat(chats.AGENTS[0])
    assert made[0].memories != made[1].memories
    for one in made:
        texts = {memory["id"]: memory["content"] for memory in one.memories}
        assert len(texts) == 2 * chats.EXCHANGES
        assert len(one.questions) == len(chats.topics())
        for question, topic in zip(one.questions, chats.topics(), strict=True):
            assert len(question["gold"]) in (range(3, 6) if topic.kind == "several" else (1,))
            fixed = {word for word in topic.said.split() if "{" not in word}
            for identifier in question["gold"]:
                assert len(fixed & set(texts[identifier].split())) >= len(fixed) / 2


def test_the_passages_of_long_chats_stand_in_their_evidence() -> None:
    one = chats.chat(chats.AGENTS[0], is_long=True)

    texts = {memory["id"]: memory["content"] for memory in one.memories}
    assert len(texts) == 2 * chats.LONG_EXCHANGES
    assert sum(map(len, texts.values())) / len(texts) > 800
    for question in one.questions:
        assert list(question["passages"]) == question["gold"]
        assert all(len(text) > 20 and text in texts[name] for name, text in question["passages"].items())
