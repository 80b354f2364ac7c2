"""Parses the request to erase an end user, an agent or an organization."""

from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.identity.scope import end_user_name
from remembrancer.domain.requests.field_types import anything, boolean, end_user, text, uuid
from remembrancer.domain.requests.fields import Fields, Given

NEW_ERASURE = Fields(
    "NewErasure",
    "Exactly one of the three.",
    user_id=end_user(),
    agent_id=uuid(),
    org_id=uuid(aliases=("tenant_id",)),
)
OPERATORS_ERASURE = Fields(
    task=anything(),
    org_id=uuid(required=True),
    # Also with `*`: names that were stored before these were refused must be erasable.
    user_id=text(),
    agent_id=uuid(),
    whole_organization=boolean(default=False),
)


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """`kind` is user, agent or organization; `subject` is its id."""

    kind: str
    subject: str


def parse(body: object) -> ErasureRequest:
    """Parses exactly one of the three. Raises InvalidRequest otherwise."""
    given = NEW_ERASURE.read(body)
    return _only(given, given["org_id"], "org_id")


def parse_operators(event: object) -> tuple[UUID, ErasureRequest]:
    """The organization and its subject; the whole organization only when explicitly requested, never for lack of
    another subject.
    """
    given = OPERATORS_ERASURE.read(event)
    whole = given["org_id"] if given["whole_organization"] else None
    return given["org_id"], _only(given, whole, "whole_organization")


def _only(given: Given, org_id: UUID | None, whole: str) -> ErasureRequest:
    """The subject, if exactly one is given; `whole` is the field that stands for the whole organization."""
    name = None if given["user_id"] is None else end_user_name(given["user_id"])
    named = [
        ErasureRequest(kind, str(subject))
        for kind, subject in (("user", name), ("agent", given["agent_id"]), ("organization", org_id))
        if subject is not None
    ]
    if len(named) != 1 and not given.errors:
        given.fail("", f"must name exactly one of user_id, agent_id, {whole}")
    given.finish()
    return named[0]
