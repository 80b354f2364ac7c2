"""The injected text is the same at every instance and after every restart; its nonce is another for each session."""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import pytest

from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.redis.identity_cache import CachedDirectory
from remembrancer.domain.context.assembly import AssembleRequest, AssemblyOptions
from remembrancer.domain.context.token_counts import TokenCount
from remembrancer.domain.identity.scope import EndUser
from remembrancer.ports.models import TokenCounter
from tests.builders import SetClock
from tests.integration.engine.assembly.bench import COFFEE, DIRECTIVE, Bench, counting, injected, warmed
from tests.integration.engine.tenant import Tenant

TAG = re.compile(r"</?(?:directive|pinned|memories)-(\d{9})>")
EVERYTHING = AssemblyOptions(relevance_floor=0.0, silence=False)


def another_instance(bench: Bench) -> Bench:
    """On the same servers; nothing of what the first has learnt."""
    other = counting(bench, Counter())
    directory = CachedDirectory(PostgresDirectory(bench.tenant.database), bench.redis, SetClock())
    assembler = other.assembler
    return replace(
        other,
        assembler=replace(assembler, directory=directory, composer=replace(assembler.composer, directory=directory)),
    )


async def nonce(bench: Bench, request: AssembleRequest) -> str:
    """The only one in the injected text."""
    text = injected(await bench.assemble(request))
    (found,) = set(TAG.findall(text))
    assert len(TAG.findall(text)) == 4
    return str(found)


async def forgotten_by_redis(tenant: Tenant, bench: Bench) -> None:
    await bench.redis.drop(f"{tenant.org_id}:agent:{{{tenant.agent_id}}}")


async def test_the_same_request_gets_the_same_bytes_at_every_instance_and_after_a_restart(
    bench: Bench, tenant: Tenant
) -> None:
    await tenant.embed(await tenant.remember_texts(*(f"Coffee bean number {number}." for number in range(12))))
    request = bench.request(session_id="s-1", end_user=EndUser("ada"), options=EVERYTHING)

    first = await bench.assemble(request)
    again = await bench.assemble(request)
    # It reads the agent from Redis, the next one from Postgres.
    elsewhere = await another_instance(bench).assemble(request)
    await forgotten_by_redis(tenant, bench)
    restarted = await another_instance(bench).assemble(request)

    assert first.fallback_reason == ""
    assert len(first.memory_ids) == 14
    assert [one.messages for one in (again, elsewhere, restarted)] == [first.messages] * 3


async def test_the_text_is_the_same_from_the_map_and_the_turn_cache(bench: Bench) -> None:
    request = bench.request(session_id="s-1", turn_id="t-1")
    first = await bench.assemble(request)
    await warmed(bench, request)

    later = await bench.assemble(request)

    assert later.tier != first.tier
    assert injected(later) == injected(first)


async def test_another_end_user_session_or_agent_has_another_nonce(bench: Bench, tenant: Tenant) -> None:
    other = uuid4()
    directory = PostgresDirectory(tenant.database)
    await directory.create(tenant.principal, other, "Other")
    await directory.put_directive(tenant.org_id, other, DIRECTIVE, "system_first")
    await tenant.remember(tenant.derived(replace(tenant.new_memory(COFFEE), agent_id=other)))
    session: dict[str, Any] = {"session_id": "s-1", "end_user": EndUser("ada")}
    requests = [
        bench.request(**session),
        bench.request(**session | {"session_id": "s-2"}),
        bench.request(**session | {"session_id": None}),
        bench.request(**session | {"end_user": EndUser("bob")}),
        bench.request(**session | {"end_user": EndUser()}),
        bench.request(**session, agent_id=other),
    ]

    nonces = [await nonce(bench, request) for request in requests]

    assert len(set(nonces)) == len(requests)
    assert await nonce(bench, bench.request(**session, turn_id="t-9")) == nonces[0]


@dataclass(frozen=True, slots=True)
class StuckAtTheDirective:
    """Counts messages, but never ends with what is injected."""

    counter: TokenCounter

    async def count_many(self, texts: Sequence[str], family: str) -> Sequence[TokenCount]:
        if texts[0].startswith("<directive-"):
            await asyncio.Event().wait()
        return await self.counter.count_many(texts, family)


async def test_a_late_answer_has_the_nonce_of_the_session_too(bench: Bench) -> None:
    request = bench.request(session_id="s-1")
    whole = await bench.assemble(request)
    stuck: Any = StuckAtTheDirective(bench.assembler.composer.counter)
    slow = replace(bench, assembler=replace(bench.assembler, composer=replace(bench.assembler.composer, counter=stuck)))

    late = await slow.assemble(request, deadline_ms=3000)

    assert (late.fallback_reason, late.directive_injected, late.memory_ids) == ("assembly_timeout", True, ())
    directive = str(late.messages[0]["content"]).rstrip("\n")
    assert directive
    assert str(whole.messages[0]["content"]).startswith(directive)


@pytest.mark.parametrize("sealed", [False, True], ids=["plain", "sealed"])
async def test_the_key_needs_no_data_key_and_comes_with_the_agent_by_id_and_by_name(
    tenant: Tenant, sealed: bool
) -> None:
    """Keyless opens nothing: the organization itself cannot be read while its term key is sealed."""
    if sealed:
        async with tenant.database.transaction(tenant.org_id) as transaction:
            await transaction.execute(
                "UPDATE organizations SET sealed_term_key = %s, term_key = NULL WHERE org_id = %s",
                [b"\\1" + bytes(60), tenant.org_id],
            )
    directory = PostgresDirectory(tenant.database)

    agent = await directory.agent(tenant.org_id, tenant.agent_id)

    assert agent is not None
    assert len(agent.nonce_key) == 32
    assert tenant.term_key not in agent.nonce_key
    assert agent.nonce_key.hex() not in repr(agent)
    named = await directory.agent_named(tenant.principal, agent.name)
    assert named == agent
