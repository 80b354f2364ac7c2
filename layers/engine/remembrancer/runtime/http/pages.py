"""Pages of listings within the size limit of an answer, with cursors valid for one route, principal and filters."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests import cursor
from remembrancer.domain.requests.field_types import end_user, text, whole
from remembrancer.domain.requests.fields import Field
from remembrancer.errors import InvalidRequest, NotFound
from remembrancer.ports.identity import Directory

PAGE_BYTES = 900_000
"""Most bytes of a page: Lambda accepts no answer over 6 MB, a load balancer none over 1 MiB including headers."""
LONGEST_CURSOR = 2048
"""Bytes of a cursor: it may contain a name of 256 characters of four bytes each."""

Entry = TypeVar("Entry")


def fitting(entries: Iterable[Mapping[str, Any]], *, most: int = PAGE_BYTES) -> list[Mapping[str, Any]]:
    """The longest prefix of the entries that fits into `most` bytes; at least one entry."""
    taken: list[Mapping[str, Any]] = []
    for entry in entries:
        most -= sent_bytes(json.dumps(entry, ensure_ascii=False, separators=(",", ":"))) + 1
        if most < 0 and taken:
            break
        taken.append(entry)
    return taken


def sent_bytes(text: str) -> int:
    """Bytes of a part of the body as Lambda sends it: as a JSON string, with quotation marks escaped."""
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2


def position_of(moment: datetime, identifier: UUID) -> str:
    """The cursor position of an entry, in a listing ordered by time and id."""
    return f"{moment.isoformat()}|{identifier}"


def read_position(text: str | None) -> tuple[datetime, UUID] | None:
    """Parses a text made by `position_of`; None for the beginning."""
    if text is None:
        return None
    moment, _, identifier = text.partition("|")
    return datetime.fromisoformat(moment), UUID(identifier)


def whose() -> Field:
    """The end user of a listing, `*` for all."""
    return end_user(may_be_all=True)


def paged(most: int, usual: int) -> dict[str, Field]:
    """Adds the paging fields to the fields of a listing's query."""
    return {"limit": whole(1, most, default=usual), "cursor": text(LONGEST_CURSOR, is_blank_absent=True)}


@dataclass(frozen=True, slots=True)
class Pages:
    """Makes and reads the cursors of one listing for one caller; cursors of others are refused."""

    key: bytes
    listing: str

    @classmethod
    async def of(cls, directory: Directory, principal: Principal, route: str, query: Mapping[str, str]) -> "Pages":
        """Reads the listing's query; the page size may change between pages, the other parameters may not."""
        organization = await directory.organization(principal.org_id)
        if organization is None:
            raise NotFound("There is no such organization.", code="organization_not_found")
        filters = {name: text for name, text in query.items() if name not in {"cursor", "limit"}}
        place = [str(principal.org_id), principal.project_id, principal.environment, principal.end_user.text]
        return cls(organization.term_key, json.dumps([route, place, sorted(filters.items())]))

    def position(self, query: Mapping[str, str]) -> str | None:
        """Where the page begins; None for the first page. Raises InvalidRequest for a cursor of another listing."""
        text = query.get("cursor", "")
        if not text:
            return None
        position = cursor.unseal(text, key=self.key, listing=self.listing)
        if position is None:
            raise InvalidRequest(
                "The request has invalid fields: cursor.",
                fields={"cursor": "is not valid for this listing, its filters and this key"},
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
        """As many of the up to `limit` found entries as fit into one answer, and a cursor if entries are left."""
        entries = fitting(map(shown, found))
        is_last = len(entries) == len(found) < limit
        return entries, None if is_last else self.cursor(position(found[len(entries) - 1]))

    def cursor(self, position: str) -> str:
        """The cursor for the page that follows `position`."""
        return cursor.seal(position, key=self.key, listing=self.listing)
