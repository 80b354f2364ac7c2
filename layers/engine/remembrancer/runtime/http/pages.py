"""Pages of listings: no longer than an answer may be, and cursors, each good for one route, principal and filters."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from remembrancer.domain.identity.scope import LONGEST_END_USER, Principal
from remembrancer.domain.requests import cursor
from remembrancer.domain.requests.field_types import end_user, text, whole
from remembrancer.domain.requests.fields import Field
from remembrancer.errors import InvalidRequest, NotFound
from remembrancer.ports.identity import Directory

PAGE_BYTES = 900_000
"""Lambda takes no answer over 6 MB, and a load balancer none over 1 MiB, headers included."""
LONGEST_CURSOR = 2048
"""A name of 256 characters may stand in it, each of four bytes."""

Entry = TypeVar("Entry")


def fitting(entries: Iterable[Mapping[str, Any]], *, most: int = PAGE_BYTES) -> list[Mapping[str, Any]]:
    """As many from the first on as have `most` bytes in an answer; the first one always."""
    taken: list[Mapping[str, Any]] = []
    for entry in entries:
        most -= sent_bytes(json.dumps(entry, ensure_ascii=False, separators=(",", ":"))) + 1
        if most < 0 and taken:
            break
        taken.append(entry)
    return taken


def sent_bytes(text: str) -> int:
    """Of a part of the body: it is a string within the JSON that Lambda sends, its quotation marks escaped."""
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2


def position_of(moment: datetime, identifier: UUID) -> str:
    """Of an entry in a listing by moment and id."""
    return f"{moment.isoformat()}|{identifier}"


def read_position(text: str | None) -> tuple[datetime, UUID] | None:
    """What `position_of` wrote; None for the beginning."""
    if text is None:
        return None
    moment, _, identifier = text.partition("|")
    return datetime.fromisoformat(moment), UUID(identifier)


def whose() -> Field:
    """The end user for whom a listing acts, `*` for all; the name itself is checked with the credential."""
    return replace(text(LONGEST_END_USER), schema=end_user().schema)


def paged(most: int, usual: int) -> dict[str, Field]:
    """The fields of a listing's query that say which page of it."""
    return {"limit": whole(1, most, default=usual), "cursor": text(LONGEST_CURSOR)}


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
        place = [str(principal.org_id), principal.project_id, principal.environment, principal.end_user.text]
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

    def page(
        self,
        found: Sequence[Entry],
        limit: int,
        *,
        shown: Callable[[Entry], Mapping[str, Any]],
        position: Callable[[Entry], str],
    ) -> tuple[list[Mapping[str, Any]], str | None]:
        """What one answer takes of up to `limit` entries that were found, and the cursor of the rest, if any."""
        entries = fitting(map(shown, found))
        is_last = len(entries) == len(found) < limit
        return entries, None if is_last else self.cursor(position(found[len(entries) - 1]))

    def cursor(self, position: str) -> str:
        """What the caller sends for the page behind `position`."""
        return cursor.seal(position, key=self.key, listing=self.listing)
