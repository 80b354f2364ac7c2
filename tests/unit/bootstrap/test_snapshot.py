"""An instance that Lambda restores from a snapshot has connections and random numbers of its own."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

import pytest
import snapshot_restore_py

from remembrancer.bootstrap import Instance as WholeInstance
from remembrancer.bootstrap import memories, snapshot
from remembrancer.bootstrap.models import Models
from remembrancer.bootstrap.process import SNAP_START
from remembrancer.errors import StoreUnavailable
from remembrancer.runtime.event_loop import LoopThread
from tests.builders import MODELS

RESTORED = {"AWS_LAMBDA_INITIALIZATION_TYPE": SNAP_START}


@dataclass
class Server:
    """Serves as database, as Redis and as a model server: says whether a connection is open."""

    is_open: bool = True
    answers: bool = True

    async def close(self) -> None:
        self.is_open = False

    async def warm(self) -> None:
        if not self.answers:
            raise StoreUnavailable("not there yet", cause="Test")
        self.is_open = True

    disconnect = close
    ping = warm


@dataclass
class Instance:
    environment: Mapping[str, str]
    database: Server = field(default_factory=Server)
    redis: Server = field(default_factory=Server)
    model_servers: list[Server] = field(default_factory=lambda: [Server(), Server()])
    loop: LoopThread = field(default_factory=LoopThread)


@pytest.fixture(autouse=True)
def hooks() -> Iterator[None]:
    registries = snapshot_restore_py._before_snapshot_registry, snapshot_restore_py._after_restore_registry
    yield
    for registry in registries:
        registry.clear()


def prepared(environment: Mapping[str, str]) -> Instance:
    instance = Instance(environment)
    snapshot.prepare(cast("Models", instance))
    return instance


def take() -> None:
    for hook, arguments, options in snapshot_restore_py.get_before_snapshot():
        hook(*arguments, **options)


def restore() -> None:
    for hook, arguments, options in snapshot_restore_py.get_after_restore():
        hook(*arguments, **options)


def test_no_connection_is_open_in_a_snapshot_and_each_copy_opens_its_own() -> None:
    instance = prepared(RESTORED)

    take()
    in_snapshot = [server.is_open for server in (instance.database, instance.redis, *instance.model_servers)]
    restore()

    assert in_snapshot == [False] * 4
    assert (instance.database.is_open, instance.redis.is_open) == (True, True)


def test_copies_of_one_snapshot_draw_different_numbers() -> None:
    prepared(RESTORED)
    take()
    state = random.getstate()

    drawn = set()
    for _ in range(2):
        random.setstate(state)
        restore()
        drawn.add(random.getrandbits(64))

    assert len(drawn) == 2


def test_a_server_that_does_not_answer_yet_fails_no_restore() -> None:
    instance = prepared(RESTORED)
    take()
    instance.database.answers = instance.redis.answers = False

    restore()

    assert not instance.database.is_open


@pytest.mark.parametrize(("how", "steps"), [(SNAP_START, 1), ("on-demand", 0)])
def test_the_memories_function_has_such_steps_too(how: str, steps: int) -> None:
    instance = WholeInstance(
        {
            "AWS_LAMBDA_INITIALIZATION_TYPE": how,
            "DATABASE_URL": "postgresql://127.0.0.1:1/none",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "AWS_ACCESS_KEY_ID": "none",
            "AWS_SECRET_ACCESS_KEY": "none",
            "MODELS_DIR": str(MODELS),
        }
    )

    memories.routes(instance)
    take()
    restore()
    instance.counter.close()

    assert len(list(snapshot_restore_py.get_before_snapshot())) == steps
    assert len(list(snapshot_restore_py.get_after_restore())) == steps


def test_other_instances_have_no_such_steps() -> None:
    prepared({"AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand"})

    assert not snapshot_restore_py.get_before_snapshot()
    assert not snapshot_restore_py.get_after_restore()
