"""Every source broken in every way: status 200, the right reasons, everything else kept, and back by itself."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pytest

from local.faults.proxy import FaultProxy, through
from local.servers import PostgresServer
from remembrancer.domain.context import placement
from remembrancer.usecases.retrieval.background_reads import LONGEST_SECONDS, REST
from remembrancer.usecases.retrieval.memory_maps import VERIFY_SECONDS
from tests.cache import cache
from tests.e2e.conftest import Loop
from tests.faults.instance import BOUNDS, FISH, QUESTION, Answer, AssemblyInstance, create_agent

SLOW_MS = 2500.0
"""Later than every bound."""
PATIENCE_SECONDS = 20.0
WARM_SECONDS = 60.0
"""A read after a response that failed on a busy machine is repeated only after twenty times its duration."""
CACHED = frozenset({"cache_directive", "refill_hot_set"})
"""What an answer leaves as long as Redis lacks it."""


@dataclass(frozen=True)
class Rig:
    """A warm instance behind proxies, and an agent with a directive and a memory."""

    instance: AssemblyInstance
    proxies: dict[str, list[FaultProxy]]
    loop: Loop

    def fault(self, source: str, fault: Any) -> None:
        if source == "embedder":
            self.instance.embedder.fault = fault
            self.instance.embedder.delay_ms = SLOW_MS
        else:
            for proxy in self.proxies[source]:
                self.loop.run(proxy.set(fault, delay_ms=SLOW_MS))

    def mend(self) -> None:
        self.instance.embedder.fault = "none"
        for proxy in chain(*self.proxies.values()):
            self.loop.run(proxy.set("none"))

    def until_complete(self) -> None:
        """Nothing but requests may bring it back."""
        end = time.monotonic() + PATIENCE_SECONDS
        while reason := self.instance.assemble(QUESTION).reason:
            assert time.monotonic() < end, reason

    def warm(self) -> None:
        """Directive and hot set cached, no map, neither here nor in Redis."""
        self.until(lambda answer: answer.metadata["sources"]["hot"]["count"] == 1 and not self.lacks(CACHED))
        self.instance.without_maps()

    def lacks(self, work: frozenset[str]) -> bool:
        """Whether the last answer left any of this work."""
        return bool(work & self.instance.left_over)

    def until(self, is_so: Callable[[Answer], bool]) -> None:
        """Returns after a whole answer of which this is true; what each left is done."""
        end = time.monotonic() + WARM_SECONDS
        while True:
            answer = self.instance.assemble(QUESTION)
            is_reached = not answer.reason and is_so(answer)
            self.instance.follow_up()
            if is_reached:
                return
            assert time.monotonic() < end, answer.metadata


@pytest.fixture(scope="module")
def rig(loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    directory = tmp_path_factory.mktemp("matrix")
    with (
        PostgresServer(directory / "postgres", durable=False) as postgres,
        cache(directory / "valkey") as valkey,
    ):
        agent = loop.run(create_agent(postgres, [FISH]))
        nodes = [FaultProxy(port) for port in valkey.ports]
        proxies = {"postgres": [FaultProxy(postgres.port)], "redis": nodes}
        for proxy in chain(*proxies.values()):
            loop.run(proxy.start())
        valkey.announce([proxy.port for proxy in nodes])
        instance = AssemblyInstance(
            agent,
            database_url=through(proxies["postgres"][0], postgres.app_url),
            redis_url=through(nodes[0], valkey.url),
            **BOUNDS,
        )
        yield Rig(instance, proxies, loop)
        instance.close()
        for proxy in chain(*proxies.values()):
            loop.run(proxy.stop())


@pytest.fixture
def warm(rig: Rig) -> Iterator[Rig]:
    rig.warm()
    yield rig
    rig.mend()


@pytest.mark.parametrize(
    ("source", "fault", "reasons"),
    [
        ("redis", "refuse", {"hot_error"}),
        ("redis", "reset", {"hot_error"}),
        ("redis", "hang", {"hot_timeout"}),
        ("redis", "delay", {"hot_timeout"}),
        ("redis", "garbage", {"hot_error"}),
        ("postgres", "refuse", {"cold_error", "lexical_error", "pinned_error"}),
        ("postgres", "reset", {"cold_error", "lexical_error", "pinned_error"}),
        ("postgres", "hang", {"cold_timeout", "lexical_timeout", "pinned_timeout"}),
        ("postgres", "delay", {"cold_timeout", "lexical_timeout", "pinned_timeout"}),
        ("postgres", "garbage", {"cold_error", "lexical_error", "pinned_error"}),
        ("embedder", "dead", {"embed_error"}),
        ("embedder", "hang", {"embed_timeout"}),
        ("embedder", "delay", {"embed_timeout"}),
        ("embedder", "garbage", {"embed_error"}),
    ],
)
def test_a_broken_source_is_named_the_others_are_kept_and_it_comes_back_by_itself(
    warm: Rig, source: str, fault: str, reasons: set[str]
) -> None:
    warm.fault(source, fault)
    answer = warm.instance.assemble(QUESTION)
    warm.mend()
    warm.until_complete()

    statuses = {name: report["status"] for name, report in answer.metadata["sources"].items()}
    assert answer.status == 200
    named = {reason.partition(":")[0] for reason in answer.reason.split(",")}
    assert ("unconfirmed" in named) == (source == "postgres")
    named -= {"unconfirmed"}
    assert named <= reasons
    assert {name.partition("_")[0] for name in named} == {name.partition("_")[0] for name in reasons}
    assert {f"{name}_{status}" for name, status in statuses.items() if status not in {"ok", "skipped"}} == named
    assert answer.metadata["directive_injected"]
    assert answer.metadata["memories_injected"] == 1
    asked = answer.body["messages"][-1]
    assert asked == {"role": "user", "content": asked["content"]}
    assert placement.without_injected(asked["content"]) == QUESTION


@pytest.mark.parametrize("fault", ["refuse", "hang", "delay", "garbage"])
def test_a_current_map_goes_on_while_postgres_is_broken_and_answers_say_so(warm: Rig, fault: str) -> None:
    warm.until(lambda answer: answer.metadata["tier"] == "map")
    warm.fault("postgres", fault)

    answer = warm.instance.assemble(QUESTION)

    assert answer.reason.partition(":")[0] == "unconfirmed"
    assert answer.metadata["tier"] == "map"
    assert answer.metadata["memories_injected"] == 1


@pytest.mark.parametrize("fault", ["refuse", "hang", "delay", "garbage"])
def test_a_map_of_another_instance_answers_while_postgres_is_broken_and_answers_say_so(warm: Rig, fault: str) -> None:
    """As the same instance without its own maps, which Postgres has confirmed before."""
    warm.until(lambda answer: answer.metadata["tier"] == "map" and warm.instance.shares_map)
    warm.instance.without_maps(shared_ones=False)
    warm.fault("postgres", fault)

    answer = warm.instance.assemble(QUESTION)

    assert answer.reason.partition(":")[0] == "unconfirmed"
    assert answer.metadata["tier"] == "map"
    assert answer.metadata["memories_injected"] == 1


def test_requests_in_a_row_to_a_server_that_hangs_leave_usable_connections(warm: Rig) -> None:
    """More of them than there are connections, and at once."""
    warm.fault("postgres", "hang")
    for _ in range(3):
        assert warm.instance.assemble(QUESTION).status == 200
    warm.mend()

    started = time.monotonic()
    warm.until_complete()

    # A connection given up is free at once: psycopg by itself would hold each for ten seconds.
    assert time.monotonic() - started < PATIENCE_SECONDS / 2
    assert warm.instance.assemble(QUESTION).metadata["tier"] == "postgres"


def test_what_follows_responses_waits_once_for_a_postgres_that_hangs(warm: Rig) -> None:
    """The instance gets no further event while it waits."""
    warm.fault("postgres", "hang")
    left = []
    for _ in range(2):
        warm.instance.later(VERIFY_SECONDS + 1)
        warm.instance.assemble(QUESTION)
        left.append(warm.instance.left_over)
        warm.instance.follow_up()
    warm.mend()
    warm.instance.later(2 * REST * LONGEST_SECONDS)
    warm.until_complete()
    warm.instance.assemble(QUESTION)

    assert ["memory_map" in names for names in left] == [True, False]
    assert "memory_map" in warm.instance.left_over


def test_a_redis_that_hangs_costs_one_request_its_time_and_not_every_one(warm: Rig) -> None:
    warm.fault("redis", "hang")

    first, second = (warm.instance.assemble(QUESTION).metadata["sources"]["hot"] for _ in range(2))
    warm.mend()
    warm.until_complete()

    assert (first["status"], second["status"]) == ("timeout", "timeout")
    assert first.get("cause") != "Unanswered"
    assert second["cause"] == "Unanswered"


def test_with_all_of_them_broken_the_messages_pass_unchanged(warm: Rig) -> None:
    for source, fault in (("redis", "hang"), ("postgres", "hang"), ("embedder", "hang")):
        warm.fault(source, fault)

    answer = warm.instance.assemble(QUESTION)
    warm.mend()
    warm.until_complete()

    assert answer.status == 200
    assert answer.body["messages"] == [{"role": "user", "content": QUESTION}]
    assert answer.metadata["memories_injected"] == 0
    assert "timeout" in answer.reason
