"""Requests of commands to the API; a refusal is told with method and URL."""

from collections.abc import Mapping
from typing import Any

import httpx

from local.cli.command import CommandError
from local.refusals import asked_of, json_object, refusal


async def request(
    client: httpx.AsyncClient,
    method: str,
    path: str,
    *,
    params: Mapping[str, str] | None = None,
    headers: Mapping[bytes, bytes] | None = None,
    body: Any = None,
) -> httpx.Response:
    """The answer. Raises CommandError when the API refuses."""
    response = await client.request(method, path, params=params, headers=dict(headers or {}), json=body)
    if response.is_error:
        raise CommandError(refusal(response))
    return response


async def request_json(client: httpx.AsyncClient, method: str, path: str, **more: Any) -> dict[str, Any]:
    """The answer's object. Raises CommandError when the API refuses, or when something else answers at its address."""
    response = await request(client, method, path, **more)
    value = json_object(response)
    if value is None:
        raise CommandError(f"{asked_of(response.request)} answers {response.status_code} without JSON: is it the API?")
    return value
