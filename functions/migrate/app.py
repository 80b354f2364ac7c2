"""Applies the database migrations, as a custom resource of the deployment or by hand; creates organizations."""

from collections.abc import Mapping
from typing import Any

from remembrancer.bootstrap import Instance, schema
from remembrancer.bootstrap.upkeep import encryption_tasks
from remembrancer.domain.identity import organization_settings
from remembrancer.domain.identity.organization_request import parse
from remembrancer.runtime.tasks.custom_resource import custom_resource_handler

instance = Instance()
encryption = encryption_tasks(instance)


async def migrate(event: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the numbers applied by this run, and the schema's current number."""
    return await schema.deployed(instance, event)


async def create_organization(event: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the organization's id and its first key, which is shown only here."""
    return dict(await schema.create_organization(instance, parse(event)))


async def configure_organization(event: Mapping[str, Any]) -> dict[str, Any]:
    """Applies the event's settings; returns the settings in force."""
    return {"settings": dict(await schema.configure_organization(instance, *organization_settings.parse(event)))}


async def limit_organization(event: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the organization's new rate limit; null for the deployment's default."""
    org_id, limit = organization_settings.parse_limit(event)
    await schema.limit_organization(instance, org_id, limit)
    return {"rate_per_second": limit and limit.per_second, "rate_burst": limit and limit.burst}


async def rebuild_vector_index(event: Mapping[str, Any]) -> dict[str, Any]:
    """Rebuilds the vector index from the current vectors; returns its kind."""
    return {"rebuilt": await schema.rebuild_index(instance)}


async def restored(event: Mapping[str, Any]) -> dict[str, Any]:
    """Run this before a restored database serves requests: it invalidates the caches."""
    return await schema.restored(instance)


async def encrypt_organization(event: Mapping[str, Any]) -> dict[str, Any]:
    """Turns encryption on, or continues with it."""
    return await encryption.turn_on(event)


async def rotate_key(event: Mapping[str, Any]) -> dict[str, Any]:
    """Starts a key rotation, or continues it."""
    return await encryption.rotate(event)


async def rewrap_keys(event: Mapping[str, Any]) -> dict[str, Any]:
    """Wraps an organization's data keys under the deployment's current KMS key."""
    return await encryption.rewrap(event)


tasks = {
    "migrate": migrate,
    "create_organization": create_organization,
    "configure_organization": configure_organization,
    "limit_organization": limit_organization,
    "rebuild_vector_index": rebuild_vector_index,
    "restored": restored,
    "encrypt_organization": encrypt_organization,
    "rotate_key": rotate_key,
    "rewrap_keys": rewrap_keys,
}
handler = custom_resource_handler(
    tasks,
    loop=instance.loop,
    after_response=instance.after_response,
    endpoint_url=instance.settings.aws_endpoint_url,
)
