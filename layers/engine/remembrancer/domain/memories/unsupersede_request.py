"""Parses how a supersession is undone."""

from remembrancer.domain.requests.field_types import boolean
from remembrancer.domain.requests.fields import Fields

UNSUPERSEDE = Fields(
    "Unsupersede",
    keep_both=boolean(default=False).described(description="The memory that superseded it stays active too."),
)


def parse(body: object) -> bool:
    """Whether both memories are kept; InvalidRequest names every bad field."""
    return bool(UNSUPERSEDE.parse(body)["keep_both"])
