"""Several warm instances while Postgres is frozen, and while Redis comes back with data from before a deletion."""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from threading import Barrier, Event

import pytest
from redis import Redis

from local.faults.proxy import FaultProxy, through
from local.servers import Cache, PostgresServer, ValkeyServer
from tests.cache import KIND, cache
from tests.e2e.conftest import Loop
from tests.faults.instance import BOUNDS, QUESTION, Agent, Answer, AssemblyInstance, create_agent

pytestmark = pytest.mark.long

INSTANCES = 4
ROUNDS = int(os.environ.get("FAILOVER_ROUNDS", "3"))
"""Of each failover; 20 in a long run."""
REQUESTS = 200
FISH = "Fish of kind {} is delivered on Thursdays by Kerrera Shellfish"
BRIEF = BOUNDS | {"COLD_MS": "300", "LEXICAL_MS": "300"}
"""Searches end soon in a Postgres that does not answer."""
WARM_ROUNDS = 30
AROUND = 5
"""Requests of each caller before a failover and after it."""
PATIENCE_SECONDS = 60.0


@dataclass
class Fleet:
    """Warm instances of one agent; `redis` is the server that they use now, `spare` another one."""

    instances: Sequence[AssemblyInstance]
    proxies: dict[str, FaultProxy]
    loop: Loop
    postgres: PostgresServer
    redis: Cache
    spare: Cache
    writer: AssemblyInstance = field(init=False)
    ids: dict[str, str] = field(default_factory=dict)

    def freeze(self) -> None:
        """Postgres takes what it is asked, and does not answer."""
        self.loop.run(self.proxies["postgres"].set("hang"))

    def mend(self) -> None:
        self.loop.run(self.proxies["postgres"].set("none"))
        self.loop.run(self.proxies["postgres"].lead_to(self.postgres.port))

    def warm(self) -> None:
        """Until each answers from a map of its own, which lacks nothing and is confirmed."""
        for instance in self.instances:
            for _ in range(WARM_ROUNDS):
                answer = instance.assemble(QUESTION)
                instance.follow_up()
                if answer.metadata["tier"] == "map" and not answer.reason:
                    break
                # What failed while a server was away rests for a while.
                instance.later(60.0)
            else:
                raise AssertionError(answer.metadata)

    def asked_during(self, work: Callable[[], None]) -> list[tuple[float, Answer]]:
        """What each instance answers its own caller meanwhile, and a few times before and after, with the times when
        they asked.
        """
        is_done = Event()

        def ask(instance: AssemblyInstance) -> list[tuple[float, Answer]]:
            answers, left = [], AROUND
            while left:
                answers.append((time.monotonic(), instance.assemble(QUESTION)))
                instance.follow_up()
                if len(answers) == AROUND:
                    begun.wait()
                left -= is_done.is_set()
            return answers

        begun = Barrier(INSTANCES + 1)
        with ThreadPoolExecutor(INSTANCES) as callers:
            asking = [callers.submit(ask, instance) for instance in self.instances]
            try:
                begun.wait()
                work()
            finally:
                is_done.set()
            return [answer for one in asking for answer in one.result()]

    def client(self, server: Cache) -> Redis:
        return Redis.from_url(server.url, socket_timeout=PATIENCE_SECONDS)

    def kill(self, forget: Callable[[], None]) -> None:
        """Redis is killed after the deletion, and starts with what was on its disk before."""
        with self.client(self.redis) as client:
            client.save()
        forget()
        assert self.redis.pid is not None
        os.kill(self.redis.pid, signal.SIGKILL)
        self.redis.stop()
        self.redis.start()

    def promote(self, forget: Callable[[], None]) -> None:
        """A replica that lacks the deletion becomes the primary."""
        with self.client(self.redis) as primary, self.client(self.spare) as replica:
            password = primary.get_connection_kwargs()["password"]
            primary.config_set("repl-diskless-sync-delay", 0)
            replica.config_set("primaryauth", password)
            replica.replicaof("127.0.0.1", str(self.redis.port))
            primary.set("synchronised", "", ex=60)
            assert primary.wait(1, round(1000 * PATIENCE_SECONDS / 2)) == 1
            # The link is down from here on.
            replica.replicaof("127.0.0.1", "9")
            forget()
            replica.replicaof("NO", "ONE")
        self.redis, self.spare = self.spare, self.redis
        self.loop.run(self.proxies["redis"].lead_to(self.redis.port))


def said(answer: Answer) -> str:
    return str(answer.body["messages"])


@pytest.fixture(scope="module")
def agents(loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Fleet]]:
    directory = tmp_path_factory.mktemp("failover")
    fleets: list[Fleet] = []
    with (
        PostgresServer(directory / "postgres", durable=False) as postgres,
        cache(directory / "valkey") as redis,
        _with_its_password(redis, directory / "spare") as spare,
    ):

        def fleet() -> Fleet:
            agent = loop.run(create_agent(postgres, [FISH.format(number) for number in range(ROUNDS + 1)]))
            proxies = {"postgres": FaultProxy(postgres.port), "redis": FaultProxy(redis.port)}
            made = Fleet([], proxies, loop, postgres, redis, spare)
            fleets.append(made)
            for proxy in proxies.values():
                loop.run(proxy.start())
            made.writer = instance_of(agent, made)
            made.instances = [instance_of(agent, made) for _ in range(INSTANCES)]
            found = made.writer.query(QUESTION, k=50, thoroughness="all").body["memories"]
            made.ids = {memory["content"]: memory["id"] for memory in found}
            made.warm()
            return made

        yield fleet
        for made in fleets:
            for instance in (made.writer, *made.instances):
                instance.close()
            for proxy in made.proxies.values():
                loop.run(proxy.stop())


def _with_its_password(other: Cache, directory: Path) -> ValkeyServer:
    """Clients that are led from one server to the other log in as before."""
    directory.mkdir()
    shutil.copy2(other.directory / "passwords.json", directory)
    return ValkeyServer(directory)


def instance_of(agent: Agent, fleet: Fleet) -> AssemblyInstance:
    return AssemblyInstance(
        agent,
        database_url=through(fleet.proxies["postgres"], fleet.postgres.app_url),
        redis_url=through(fleet.proxies["redis"], fleet.redis.url),
        **BRIEF,
    )


def test_while_postgres_is_frozen_every_warm_instance_goes_by_the_confirmation_of_one(
    agents: Callable[[], Fleet],
) -> None:
    fleet = agents()
    first, *others = fleet.instances
    for instance in others:
        instance.without_confirmations()
    fleet.freeze()

    answers = [instance.assemble(QUESTION) for instance in islice(cycle([*others, first]), REQUESTS)]

    assert {answer.status for answer in answers} == {200}
    assert {answer.reason.partition(":")[0] for answer in answers} == {"unconfirmed"}
    assert min(answer.metadata["memories_injected"] for answer in answers) > 0


@pytest.mark.parametrize(
    "failover",
    [
        pytest.param(Fleet.kill, id="killed"),
        # A node of a cluster takes REPLICAOF from nobody.
        pytest.param(
            Fleet.promote, id="lagging replica", marks=pytest.mark.skipif(KIND != "server", reason="a single server's")
        ),
    ],
)
def test_after_a_failover_of_redis_no_answer_has_what_was_deleted(
    agents: Callable[[], Fleet], failover: Callable[[Fleet, Callable[[], None]], None]
) -> None:
    """Whether Postgres answers or is frozen then, in turns."""
    fleet = agents()

    for number in range(ROUNDS):
        fleet.warm()
        shown = said(fleet.instances[0].assemble(QUESTION))
        deleted = next(text for text in fleet.ids if text in shown)
        before, after = asked_around(fleet, failover, deleted, freeze=number % 2 == 0)

        assert any(deleted in said(answer) for answer in before)
        assert not [answer.reason for answer in after if deleted in said(answer)]
        assert {answer.status for answer in after} == {200}
        del fleet.ids[deleted]
    fleet.warm()
    left = [said(instance.assemble(QUESTION)) for instance in fleet.instances]
    assert all(any(text in answer for text in fleet.ids) for answer in left)


def asked_around(
    fleet: Fleet, failover: Callable[[Fleet, Callable[[], None]], None], deleted: str, *, freeze: bool
) -> tuple[list[Answer], list[Answer]]:
    """The answers to requests that came before the deletion was acknowledged, and to those that came after."""
    acknowledged: list[float] = []

    def forget() -> None:
        assert fleet.writer.forget(fleet.ids[deleted]).status in {200, 204}
        acknowledged.append(time.monotonic())

    def fail_over() -> None:
        failover(fleet, forget)
        if freeze:
            fleet.freeze()

    answers = fleet.asked_during(fail_over)
    fleet.mend()
    answers += fleet.asked_during(lambda: None)
    (moment,) = acknowledged
    return [one for asked, one in answers if asked < moment], [one for asked, one in answers if asked > moment]
