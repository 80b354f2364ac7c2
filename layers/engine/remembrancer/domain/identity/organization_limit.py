"""Parses the operator's rate limit for an organization."""

from uuid import UUID

from remembrancer.domain.identity.key_request import limit_of, rate
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.domain.requests.field_types import anything, uuid
from remembrancer.domain.requests.fields import Fields

LIMIT = Fields(task=anything(), org_id=uuid(required=True), **rate())


def parse(event: object) -> tuple[UUID, RateLimit | None]:
    """The organization and its limit, None for the deployment's default; InvalidRequest names every bad field.

    The default burst is two seconds of the rate.
    """
    given = LIMIT.read(event)
    limit = limit_of(given)
    return given.finish()["org_id"], limit
