"""What an administrator says to make an API key, field by field."""

from dataclasses import dataclass

from remembrancer.domain.fields import Fields
from remembrancer.domain.scope import ALL_USERS, KEY_SCOPES, RateLimit

MOST_END_USERS = 1000
HIGHEST_RATE = 100_000


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """A key of the administrator's own project and environment; `end_users` None means any."""

    name: str
    scopes: tuple[str, ...]
    end_users: tuple[str, ...] | None = None
    end_user_required: bool = False
    limit: RateLimit | None = None


def parse(body: object) -> KeyRequest:
    """Raises InvalidRequest naming every bad field, unknown ones included."""
    fields = Fields(body)
    name = fields.string("name", required=True, longest=256)
    scopes = fields.strings("scopes", most=len(KEY_SCOPES), allowed=KEY_SCOPES)
    if not scopes:
        fields.fail("scopes", "is required")
    restricted = fields.value("end_users") is not None
    end_users = fields.strings("end_users", most=MOST_END_USERS, longest=256)
    if restricted and ALL_USERS in scopes:
        fields.fail("scopes", f"{ALL_USERS} is not for a key with end_users")
    required = fields.boolean("end_user_required", default=False)
    per_second = fields.number("rate_per_second", -1, 0, HIGHEST_RATE)
    burst = fields.number("rate_burst", 0, 1, 10 * HIGHEST_RATE, whole=True)
    if burst and per_second < 0:
        fields.fail("rate_burst", "needs rate_per_second")
    fields.refuse_unknown()
    fields.finish()
    assert name
    limit = None if per_second < 0 else RateLimit(per_second, int(burst) or max(1, round(2 * per_second)))
    return KeyRequest(name, scopes, end_users if restricted else None, required, limit)
