"""Operator tasks as the database's owner: the schema, organizations, the vector index."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres import migrations
from remembrancer.adapters.postgres.connection.login import conninfo, verified
from remembrancer.adapters.postgres.identity import directory
from remembrancer.adapters.postgres.search.vector_index import DEFINITIONS, rebuild_vector_index, use_vector_index
from remembrancer.adapters.postgres.search.vector_tables import prepare_tables
from remembrancer.adapters.redis.sweep import RedisSweep
from remembrancer.bootstrap.instance import Instance
from remembrancer.domain.identity.organization_request import NewOrganization
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.errors import NotFound, StoreError
from remembrancer.keys import fingerprint, new_api_key


async def migrate(instance: Instance) -> migrations.MigrationReport:
    """Migrates the schema to this version, creates tables for vectors of the models that the settings choose, and
    builds the vector index.
    """
    url, kind = await _owner_url(instance), instance.settings.vector_index
    report = await migrations.migrate(url, migrations.packaged())
    await use_vector_index(url, kind)
    await prepare_tables(url, instance.spaces, index=DEFINITIONS[kind])
    return report


async def deployed(instance: Instance, event: Mapping[str, Any]) -> dict[str, Any]:
    """Migrates. Where a deployment changes to another database, as after a restore, what is cached counts no longer
    before any function uses it.
    """
    report = await migrate(instance)
    outcome: dict[str, Any] = {"applied": list(report.applied), "current": report.current}
    now, before = (event.get(name, {}).get("Database") for name in ("ResourceProperties", "OldResourceProperties"))
    return outcome | {"restored": await restored(instance)} if before and now != before else outcome


async def create_organization(instance: Instance, request: NewOrganization) -> dict[str, str]:
    """Creates an organization with its first key; the answer is the only place where the key's text appears."""
    text = new_api_key()
    principal = await directory.create_organization(
        await _owner_url(instance),
        name=request.name,
        project_id=request.project_id,
        environment=request.environment,
        key=directory.FirstKey(request.key_name, fingerprint(text), request.scopes),
    )
    return {"org_id": str(principal.org_id), "key_id": str(principal.key_id), "api_key": text}


async def configure_organization(instance: Instance, org_id: UUID, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Changes settings of an organization and returns the resulting ones. Raises NotFound without it."""
    in_force = await directory.configure_organization(await _owner_url(instance), org_id, settings)
    if in_force is None:
        raise NotFound("There is no such organization.", code="organization_not_found")
    if "enabled" in settings:
        # Redis knows nothing of it: an instance goes by what Postgres told it before.
        await instance.writers_cache.wait_until_current()
    return in_force


async def limit_organization(instance: Instance, org_id: UUID, limit: RateLimit | None) -> None:
    """Sets or removes an organization's own rate limit. Raises NotFound without it."""
    if not await directory.limit_organization(await _owner_url(instance), org_id, limit):
        raise NotFound("There is no such organization.", code="organization_not_found")


async def rebuild_index(instance: Instance) -> str:
    """Rebuilds the vector index; returns its kind."""
    kind = instance.settings.vector_index
    await rebuild_vector_index(await _owner_url(instance), kind)
    return kind


async def restored(instance: Instance) -> dict[str, Any]:
    """To run after the database was restored: invalidates everything cached before.

    Raised counters alone make assembly and queries ask the store. Emptying Redis removes what the counters do not
    guard: keys and agents of the last five minutes, directives, and the keys of repeated queries. `cache` is the number
    of deleted keys, None when Redis did not answer: then run it again.
    """
    agents = await directory.begin_life(await _owner_url(instance), instance.clock.now())
    try:
        cleared = await RedisSweep(instance.redis).clear()
    except StoreError:
        return {"agents": agents, "cache": None}
    return {"agents": agents, "cache": cleared}


async def _owner_url(instance: Instance) -> str:
    """The owner's database URL, which the migrating function has as its own."""
    login = await instance.database_login.parameters()
    return conninfo(verified(instance.settings.database_url, instance.settings.database_ca_file), login)
