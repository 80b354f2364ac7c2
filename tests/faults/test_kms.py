"""An encrypted organization while KMS is dead, hangs, is slow, answers nonsense or refuses for a while."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from local.faults.proxy import FaultProxy
from local.servers import AwsServer, PostgresServer
from remembrancer.adapters.encryption.keyring import PAUSE_SECONDS
from remembrancer.bootstrap import Instance
from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from tests.cache import cache
from tests.e2e.conftest import Loop
from tests.faults.instance import AssemblyInstance, WithoutMaps, create_agent

pytestmark = pytest.mark.long

# Later than each of these KMS gives up by itself, after two attempts of a second each.
BOUNDS = {
    "ASSEMBLY_MS": "1500",
    "RETRIEVAL_MS": "1200",
    "COLD_MS": "1100",
    "LEXICAL_MS": "1100",
    "DIRECTIVE_MS": "900",
    "HOT_MS": "900",
}
SLOW_MS = 300.0
FISH = "Fish is delivered on Thursdays by Kerrera Shellfish"
QUESTION = "When is fish delivered?"
LARGE = 60
MOST = 50
"""Results of a query, and candidates of each search."""
LONGEST = 8000
PATIENCE_SECONDS = 20.0


@dataclass(frozen=True)
class Rig:
    """A warm instance whose KMS can be broken, and an encrypted agent with a directive and memories."""

    instance: AssemblyInstance
    kms: FaultProxy
    loop: Loop
    postgres: PostgresServer

    def fault(self, fault: Any, delay_ms: float = 0.0) -> None:
        self.loop.run(self.kms.set(fault, delay_ms=delay_ms))

    def until_complete(self) -> None:
        """Nothing but requests, and the time between them, may bring it back."""
        end = time.monotonic() + PATIENCE_SECONDS
        while reason := self.instance.assemble(QUESTION).reason:
            assert time.monotonic() < end, reason

    def stored(self) -> int:
        """Memories that there are."""
        with psycopg.connect(self.postgres.superuser_url) as connection:
            row = connection.execute("SELECT count(*) FROM memories").fetchone()
        assert row is not None
        return int(row[0])


async def encrypt(postgres: PostgresServer, aws: AwsServer, org_id: UUID) -> None:
    """As `remembrancer encrypt` does it."""
    environment = {**aws.environment, "KMS_KEY_ID": aws.kms_key_id, "DATABASE_URL": postgres.owner_url}
    instance = Instance(environment)
    await instance.encryption.turn_on(org_id, aws.kms_key_id)
    assert (await instance.encryption.advance(org_id, until=math.inf)).finished
    await instance.database.close()


@pytest.fixture(scope="module")
def rig(loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    directory: Path = tmp_path_factory.mktemp("kms")
    with (
        PostgresServer(directory / "postgres", durable=False) as postgres,
        cache(directory / "valkey") as valkey,
        AwsServer(directory / "aws") as aws,
    ):
        notes = [f"{FISH}, says note {number}. " + "x" * LONGEST for number in range(LARGE)]
        agent = loop.run(create_agent(postgres, [FISH, *(note[:LONGEST] for note in notes)]))
        loop.run(encrypt(postgres, aws, agent.org_id))
        kms = FaultProxy(aws.port)
        loop.run(kms.start())
        instance = WithoutMaps(
            agent,
            database_url=postgres.app_url,
            redis_url=valkey.url,
            **{**BOUNDS, **aws.credentials, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{kms.port}"},
        )
        yield Rig(instance, kms, loop, postgres)
        instance.close()
        loop.run(kms.stop())


@pytest.fixture
def warm(rig: Rig) -> Iterator[Rig]:
    rig.until_complete()
    yield rig
    rig.fault("none")
    rig.instance.later(PAUSE_SECONDS)


@pytest.mark.parametrize(
    ("fault", "causes"),
    [
        ("refuse", {"decrypt_error:ConnectionRefusedError"}),
        ("hang", {"decrypt_timeout", "decrypt_error:TimeoutError"}),
        ("garbage", {"decrypt_error:BadStatusLine"}),
        ("throttle", {"decrypt_error:ThrottlingException"}),
    ],
)
def test_an_instance_that_has_no_key_yet_goes_on_without_text_says_so_and_is_whole_again_with_kms(
    warm: Rig, fault: str, causes: set[str]
) -> None:
    before = warm.stored()
    warm.instance.without_keys()
    warm.fault(fault)

    assembled = warm.instance.assemble(QUESTION)
    queried = warm.instance.query(QUESTION, computation_tier="high", k=3)
    written = warm.instance.write("Fish is off the menu")
    warm.fault("none")
    warm.instance.later(PAUSE_SECONDS)
    warm.until_complete()
    again = warm.instance.query(QUESTION, computation_tier="high", k=3)

    assert assembled.status == 200
    assert causes & set(assembled.reason.split(","))
    assert {reason.partition("_")[0] for reason in assembled.reason.split(",")} == {"lexical", "decrypt"}
    assert assembled.metadata["directive_injected"]
    assert assembled.metadata["memories_injected"] == 0
    assert assembled.body["messages"][-1] == {"role": "user", "content": QUESTION}
    assert queried.status == 200
    assert {memory["content"] for memory in queried.body["memories"]} == {UNREADABLE_TEXT}
    assert any(reason.startswith("decrypt_") for reason in queried.body["degraded"])
    assert (written.status, written.body["error"]["code"]) == (503, "unavailable")
    assert warm.stored() == before
    assert again.body["degraded"] == []
    assert UNREADABLE_TEXT not in {memory["content"] for memory in again.body["memories"]}


def test_an_instance_that_has_the_key_does_not_notice(warm: Rig) -> None:
    warm.instance.query(QUESTION, computation_tier="high")
    warm.fault("hang")

    assembled = warm.instance.assemble(QUESTION)
    queried = warm.instance.query(QUESTION, computation_tier="high")
    written = warm.instance.write(f"The kitchen closes at {time.monotonic_ns()}")

    assert (assembled.reason, queried.body["degraded"], written.status) == ("", [], 202)
    assert assembled.metadata["memories_injected"] > 0


def test_a_key_that_comes_late_serves_the_requests_that_follow(warm: Rig) -> None:
    """Who gives up leaves the call running; KMS stays slow all the while."""
    warm.instance.without_keys()
    warm.fault("delay", SLOW_MS)

    warm.until_complete()

    assert warm.instance.write(f"The kitchen opens at {time.monotonic_ns()}").status == 202


def test_many_large_texts_are_opened_for_one_answer(warm: Rig) -> None:
    """With `explain` every candidate shows its text."""
    assembled = warm.instance.assemble(QUESTION, options={"explain": True, "memory_tokens": 0, "relevance_floor": 0})
    queried = warm.instance.query(QUESTION, computation_tier="high", k=MOST, thoroughness="all")

    shown = [len(candidate["content"]) for candidate in assembled.metadata["candidates"]]
    assert assembled.reason == ""
    assert len(shown) >= MOST
    assert sum(length == LONGEST for length in shown) >= MOST - 1
    assert "open" in assembled.metadata["timings_ms"]
    assert queried.body["degraded"] == []
    assert sum(len(memory["content"]) == LONGEST for memory in queried.body["memories"]) >= MOST - 1
