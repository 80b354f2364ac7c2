"""Parses how a conflict is settled."""

from uuid import UUID

from remembrancer.domain.requests.field_types import choice, uuid
from remembrancer.domain.requests.fields import Fields

ACTIONS = ("supersede", "keep_both")
SETTLEMENT = Fields(
    "Settlement",
    action=choice(ACTIONS, required=True),
    keep=uuid().described(description="With `supersede`: the memory that stays; the newer one without it."),
)


def parse(body: object) -> tuple[str, UUID | None]:
    """The action, and the memory to keep; raises InvalidRequest naming every bad field."""
    given = SETTLEMENT.read(body)
    if given["action"] == "keep_both" and given["keep"] is not None:
        given.fail("keep", "is only for the action supersede")
    asked = given.finish()
    return asked["action"], asked["keep"]
