"""Cursors of listings: each good for one route, principal and set of filters."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from remembrancer.domain import cursor
from remembrancer.domain.scope import Principal
from remembrancer.errors import InvalidRequest, NotFound
from remembrancer.ports.identity import Directory


@dataclass(frozen=True, slots=True)
class Pages:
    """One listing of one caller."""

    key: bytes
    listing: str

    @classmethod
    async def of(cls, directory: Directory, principal: Principal, route: str, query: Mapping[str, str]) -> "Pages":
        """The size of a page may change from one to the next, the rest of the query may not."""
        organization = await directory.organization(principal.org_id)
        if organization is None:
            raise NotFound("There is no such organization.", code="organization_not_found")
        filters = {name: text for name, text in query.items() if name not in {"cursor", "limit"}}
        place = [str(principal.org_id), principal.project_id, principal.environment, principal.user_id]
        return cls(organization.term_key, json.dumps([route, place, sorted(filters.items())]))

    def position(self, query: Mapping[str, str]) -> str | None:
        """Where the page begins; None for the first. InvalidRequest for a cursor that this listing did not give."""
        text = query.get("cursor", "")
        if not text:
            return None
        position = cursor.unseal(text, key=self.key, listing=self.listing)
        if position is None:
            raise InvalidRequest(
                "The request has invalid fields: cursor.", fields={"cursor": "is not a cursor of this listing"}
            )
        return position

    def cursor(self, position: str) -> str:
        """What the caller sends for the page behind `position`."""
        return cursor.seal(position, key=self.key, listing=self.listing)
