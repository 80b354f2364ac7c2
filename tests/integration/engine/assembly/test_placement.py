"""Where memories stand: as the request says, else its agent, else the organization, else the default."""

from dataclasses import replace

import pytest

from local.servers import PostgresServer
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory, configure_organization
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.identity_cache import CachedDirectory
from remembrancer.domain.context.assembly import Assembly, AssemblyOptions
from remembrancer.domain.context.placement import DEFAULT_PLACEMENT
from tests.builders import message
from tests.integration.engine.assembly.bench import COFFEE, Bench, retrieving
from tests.integration.engine.assembly.test_switched_off import with_states

CHAT = [message("Be brief.", role="system"), message("Where is the coffee machine?")]


def placed(assembly: Assembly) -> str:
    """Where the memory stands."""
    (place,) = [position for position, one in enumerate(assembly.messages) if COFFEE in str(one["content"])]
    return ("system", "turn")[place]


async def asked(bench: Bench, placement: str | None = None) -> Assembly:
    options = AssemblyOptions(placement=placement, silence=False)
    return await bench.assemble(bench.request(messages=CHAT, session_id="s", options=options))


async def choose(bench: Bench, owner_url: str, *, agents: str = "", organizations: str | None = None) -> None:
    """As API and operator do, when the times for which instances keep what was before have passed."""
    tenant, cached = bench.tenant, bench.assembler.directory
    await configure_organization(owner_url, tenant.org_id, {"placement": organizations})
    agent = await PostgresDirectory(tenant.database).switch(tenant.principal, tenant.agent_id, placement=agents)
    assert agent is not None
    assert (agent.placement, agent.organization_placement) == (agents or None, organizations)
    assert isinstance(cached, CachedDirectory)
    await cached.correct(agent, tenant.principal)


async def test_the_request_counts_before_the_agent_and_that_before_the_organization(
    bench: Bench, migrated: PostgresServer
) -> None:
    found = []
    for requests, agents, organizations in (
        (None, "", None),
        (None, "", "turn"),
        (None, "", "system"),
        (None, "turn", None),
        (None, "turn", "system"),
        (None, "system", "turn"),
        ("turn", "system", "system"),
        ("system", "turn", "turn"),
    ):
        await choose(bench, migrated.owner_url, agents=agents, organizations=organizations)
        found.append(placed(await asked(bench, requests)))

    assert found == [DEFAULT_PLACEMENT, "turn", "system", "turn", "turn", "system", "turn", "system"]


@pytest.mark.parametrize("fault", ["late", "down"])
@pytest.mark.parametrize("level", ["agent", "organization"])
async def test_the_place_stays_while_postgres_does_not_say_the_agents_state(
    bench: Bench, migrated: PostgresServer, level: str, fault: str
) -> None:
    chosen = {"agents": "turn"} if level == "agent" else {"organizations": "turn"}
    await choose(bench, migrated.owner_url, **chosen)

    known = await asked(bench)
    silent = await asked(with_states(bench, fault))

    assert placed(known) == placed(silent) == "turn"


async def test_what_the_session_was_told_is_missed_only_where_it_would_stand(
    bench: Bench, migrated: PostgresServer
) -> None:
    searcher = replace(
        bench.assembler.retriever.retrieval.searcher, cache=type(bench.cache)(RedisClient("redis://127.0.0.1:9"))
    )
    dead = retrieving(bench, searcher=searcher)
    answers = {}

    for agents in ("system", "turn"):
        await choose(bench, migrated.owner_url, agents=agents)
        answers[agents] = await asked(dead)

    assert "told" not in answers["system"].sources
    assert "told_" not in answers["system"].fallback_reason
    assert "told_" in answers["turn"].fallback_reason


async def test_an_unreadable_placement_of_an_organization_leaves_the_default(
    bench: Bench, migrated: PostgresServer
) -> None:
    await choose(bench, migrated.owner_url, organizations="elsewhere")

    assert placed(await asked(bench)) == DEFAULT_PLACEMENT
