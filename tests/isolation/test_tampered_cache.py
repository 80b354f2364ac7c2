"""Values of Redis that are damaged, or another organization's under this one's keys: answered without them."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
import redis

from local.stack import Stack
from tests.e2e.conftest import Loop, Tenant, tenants
from tests.isolation.world import CANARY, new_canary

pytestmark = pytest.mark.long

QUESTION = "What does the office keep?"
SEED = 7


@dataclass(frozen=True)
class Owner:
    """An organization whose texts all have its word, with all that the cache keeps of it."""

    tenant: Tenant
    word: str

    @classmethod
    def of(cls, tenant: Tenant) -> "Owner":
        owner = cls(tenant, new_canary())
        tenant.direct(f"Keep {owner.word} in mind.")
        tenant.remember(*(f"The office keeps {owner.word} in drawer {number}." for number in range(14)))
        tenant.remember(f"Never say {owner.word} aloud.", pinned=True)
        tenant.remember(f"The office keeps {owner.word} for Ann.", user_id="ann")
        tenant.drain()
        for _ in range(3):
            owner.ask()
            tenant.drain()
        return owner

    def ask(self) -> list[Any]:
        """The answers to all that reads the cache, as a turn of a session and anew."""
        session = {"session_id": "chat", "turn_id": "turn", "user_id": "ann"}
        return [
            self.tenant.assemble(QUESTION, **session),
            self.tenant.assemble(f"{QUESTION} Again.", session_id="chat", user_id="ann"),
            self.tenant.assemble(QUESTION, options={"explain": True}),
            self.tenant.query(QUESTION),
        ]


@pytest.fixture(scope="module")
def owners(stack: Stack, loop: Loop) -> Iterator[tuple[Owner, Owner]]:
    for new_tenant in tenants(stack, loop):
        yield Owner.of(new_tenant()), Owner.of(new_tenant())


@pytest.fixture(scope="module")
def cache(owners: tuple[Owner, Owner]) -> Iterator[Any]:
    with redis.Redis.from_url(owners[0].tenant.stack.redis_url) as client:
        yield client


def kinds(cache: Any, tenant: Tenant) -> dict[str, list[bytes]]:
    """The names of an organization's keys by kind: `turn`, `hot_records`."""
    found = defaultdict(list)
    for name in sorted(cache.scan_iter(f"{tenant.org_id}:*")):
        found[name.split(b":")[1].decode()].append(name)
    return found


def assert_own(owner: Owner, answers: list[Any]) -> None:
    assert [answer.status_code for answer in answers] == [200] * len(answers), [answer.text for answer in answers]
    words = {word for answer in answers for word in CANARY.findall(answer.text)}
    assert words == {owner.word}


def test_values_of_another_organization_are_not_told(owners: tuple[Owner, Owner], cache: Any) -> None:
    victim, attacker = owners
    for owner in owners:
        assert_own(owner, owner.ask())
    theirs, own = kinds(cache, victim.tenant), kinds(cache, attacker.tenant)
    assert {"directive", "change", "hot_records", "hot_memories", "turn", "told", "pinned", "confirmed"} <= own.keys()

    for kind, names in own.items():
        for place, name in enumerate(names):
            # With another's record of the agent, the agent is none of the organization's: nothing is told at all.
            if theirs.get(kind) and kind not in {"agent", "agent_name"}:
                value = cache.dump(theirs[kind][min(place, len(theirs[kind]) - 1)])
                cache.restore(name, 60_000, value, replace=True)

    for _ in range(2):
        assert_own(attacker, attacker.ask())


def damages(random: Random, value: bytes) -> Iterator[bytes]:
    """Cut, with flipped bits, empty, without end, and of no form at all."""
    flipped = bytearray(value)
    for _ in range(3):
        flipped[random.randrange(len(value))] ^= 1 << random.randrange(8)
    yield bytes(flipped)
    yield value[: random.randrange(len(value))]
    yield b""
    yield value[:1] + b"[" * 100_000
    yield b"\xff" * len(value)


def damaged(cache: Any, random: Random, name: bytes, number: int) -> None:
    """Damages one value, or each field of it, in place; the last kind of damage is another type."""
    kind = cache.type(name)
    if number == 5:
        cache.delete(name)
        cache.rpush(name, b"x") if kind != b"list" else cache.set(name, b"x")
    elif kind == b"string":
        cache.set(name, list(damages(random, cache.get(name) or b"x"))[number], keepttl=True)
    elif kind == b"hash":
        for field, value in cache.hgetall(name).items():
            cache.hset(name, field, list(damages(random, value or b"x"))[number])
    elif kind == b"zset":
        for member, score in cache.zrange(name, 0, -1, withscores=True):
            cache.zrem(name, member)
            cache.zadd(name, {list(damages(random, member))[number]: score})


@pytest.mark.parametrize("number", range(6), ids=["bits", "cut", "empty", "endless", "noise", "type"])
def test_damaged_values_cost_no_answer(owners: tuple[Owner, Owner], cache: Any, number: int) -> None:
    owner, random = owners[0], Random(SEED)
    owner.ask()
    owner.tenant.drain()
    for names in kinds(cache, owner.tenant).values():
        for name in names:
            damaged(cache, random, name, number)

    for _ in range(2):
        assert_own(owner, owner.ask())
        owner.tenant.drain()
    for name in cache.scan_iter(f"{owner.tenant.org_id}:*"):
        cache.delete(name)
