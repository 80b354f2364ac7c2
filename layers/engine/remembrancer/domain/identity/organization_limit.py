"""The rate that an operator gives an organization."""

from uuid import UUID

from remembrancer.domain.identity.key_request import HIGHEST_RATE
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.domain.requests.fields import Fields


def parse(event: object) -> tuple[UUID, RateLimit | None]:
    """The organization and its limit, None for the deployment's; InvalidRequest names every bad field.

    Without a burst it is two seconds' worth.
    """
    fields = Fields(event)
    fields.value("task")
    org_id = fields.uuid("org_id", required=True)
    per_second = fields.number("rate_per_second", -1, 0, HIGHEST_RATE)
    burst = fields.number("rate_burst", 0, 1, 10 * HIGHEST_RATE, whole=True)
    if burst and per_second < 0:
        fields.fail("rate_burst", "needs rate_per_second")
    fields.refuse_unknown()
    fields.finish()
    assert org_id
    return org_id, None if per_second < 0 else RateLimit(per_second, int(burst) or max(1, round(2 * per_second)))
