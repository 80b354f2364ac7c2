"""HTTP endpoints that create, list and revoke API keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from remembrancer.domain.identity import key_request
from remembrancer.domain.identity.api_key import ApiKey
from remembrancer.domain.identity.key_request import MOST_END_USERS_BYTES, NEW_KEY
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.fields import Fields
from remembrancer.ports.identity import Directory
from remembrancer.ports.system import Clock
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, read_query
from remembrancer.runtime.http.pages import Pages, paged, position_of, read_position
from remembrancer.usecases.identity.key_keeper import KeyKeeper

KEYS = Fields(**paged(100, usual=50))


@dataclass(frozen=True, slots=True)
class KeysApi:
    """Endpoints of API keys; all of them need the scope `admin`."""

    keeper: KeyKeeper
    directory: Directory
    clock: Clock

    async def create(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Creates a key: 201 with its text, which is shown only once; a repeated request gets 200 without it."""
        asked = key_request.parse(request.json())
        asked.require_future(self.clock.now())
        key, text = await self.keeper.create(principal, asked, once=request.once(principal))
        if not text:
            return HttpResponse(200, _json(key))
        # Proxies between server and caller must not cache it either.
        return HttpResponse(201, {**_json(key), "api_key": text}, {"cache-control": "no-store"})

    async def list(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Lists keys, oldest first, one page at a time."""
        limit = read_query(request, KEYS)["limit"]
        pages = await Pages.of(self.directory, principal, "keys", request.query)
        after = read_position(pages.position(request.query))
        found = await self.keeper.list(principal, after=after, limit=limit)
        keys, next_cursor = pages.page(found, limit, shown=_json, position=_position)
        return HttpResponse(200, {"keys": keys, "next_cursor": next_cursor})

    async def revoke(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Revokes a key: 200, also when it was revoked before."""
        return HttpResponse(200, _json(await self.keeper.revoke(principal, request.uuid("key_id"))))


def _json(key: ApiKey) -> dict[str, Any]:
    limit, end_users = key.limit, None if key.end_users is None else _shown(key.end_users)
    return {
        "key_id": str(key.key_id),
        "name": key.name,
        "scopes": list(key.scopes),
        "end_users": end_users,
        "has_more_end_users": len(end_users or ()) < len(key.end_users or ()),
        "end_user_required": key.end_user_required,
        "rate_per_second": None if limit is None else limit.per_second,
        "rate_burst": None if limit is None else limit.burst,
        "created_at": key.created_at.isoformat(),
        "revoked_at": moment(key.revoked_at),
        "expires_at": moment(key.expires_at),
    }


def _position(key: ApiKey) -> str:
    return position_of(key.created_at, key.key_id)


def _shown(end_users: Sequence[str]) -> list[str]:
    """Every field of a key that may be shown; keys from before the size limit may be longer."""
    bytes_so_far = accumulate(len(name.encode()) for name in end_users)
    return [name for name, size in zip(end_users, bytes_so_far, strict=True) if size <= MOST_END_USERS_BYTES]


OPERATIONS = (
    Operation(
        "POST /v1/keys",
        "createKey",
        "A new API key",
        KeysApi.create,
        {
            201: ("The key; its text is never shown again.", "KeyWithText"),
            200: ("The key that this request made before, without its text.", "Key"),
        },
        scope="admin",
        body=NEW_KEY,
    ),
    Operation(
        "GET /v1/keys",
        "listKeys",
        "The API keys",
        KeysApi.list,
        {200: ("A page, oldest first.", "Keys")},
        scope="admin",
        query=KEYS,
    ),
    Operation(
        "DELETE /v1/keys/{key_id}",
        "revokeKey",
        "Revoke an API key",
        KeysApi.revoke,
        {200: ("The key; within seconds nobody gets in with it.", "Key")},
        scope="admin",
        refusals=(404,),
    ),
)
