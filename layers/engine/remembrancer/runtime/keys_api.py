"""The HTTP side of API keys."""

from dataclasses import dataclass
from typing import Any

from remembrancer.domain import key_request
from remembrancer.ports.api_keys import ApiKey
from remembrancer.ports.system import Clock
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http import Endpoint, HttpRequest, HttpResponse
from remembrancer.runtime.memory_json import moment
from remembrancer.usecases.authorise import Authenticator
from remembrancer.usecases.key_keeper import KeyKeeper


@dataclass(frozen=True, slots=True)
class KeysApi:
    """The endpoints; all of them are for the scope `admin`."""

    keeper: KeyKeeper
    authenticator: Authenticator
    clock: Clock

    def routes(self) -> dict[str, Endpoint]:
        """As template.yaml sends them here."""
        return {
            "POST /v1/keys": self.create,
            "GET /v1/keys": self.list,
            "DELETE /v1/keys/{key_id}": self.revoke,
        }

    async def create(self, request: HttpRequest, work: Work) -> HttpResponse:
        """201 with the key's text, here and never again: 200 without it when the request comes again."""
        principal = await self.authenticator.authenticate(request, scope="admin")
        asked = key_request.parse(request.json())
        asked.require_future(self.clock.now())
        key, text = await self.keeper.create(principal, asked, once=request.once(principal))
        if not text:
            return HttpResponse(200, _json(key))
        # What is between us and the caller must not keep it either.
        return HttpResponse(201, {**_json(key), "api_key": text}, {"cache-control": "no-store"})

    async def list(self, request: HttpRequest, work: Work) -> HttpResponse:
        """Oldest first."""
        principal = await self.authenticator.authenticate(request, scope="admin")
        return HttpResponse(200, {"keys": [_json(key) for key in await self.keeper.list(principal)]})

    async def revoke(self, request: HttpRequest, work: Work) -> HttpResponse:
        """200, again too."""
        principal = await self.authenticator.authenticate(request, scope="admin")
        return HttpResponse(200, _json(await self.keeper.revoke(principal, request.uuid("key_id"))))


def _json(key: ApiKey) -> dict[str, Any]:
    limit = key.limit
    return {
        "key_id": str(key.key_id),
        "name": key.name,
        "scopes": list(key.scopes),
        "end_users": None if key.end_users is None else list(key.end_users),
        "end_user_required": key.end_user_required,
        "rate_per_second": None if limit is None else limit.per_second,
        "rate_burst": None if limit is None else limit.burst,
        "created_at": key.created_at.isoformat(),
        "revoked_at": moment(key.revoked_at),
        "expires_at": moment(key.expires_at),
    }
