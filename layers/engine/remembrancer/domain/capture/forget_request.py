"""Parses requests to forget what a sentence is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.capture import wishes
from remembrancer.domain.capture.wishes import MOST_CHARACTERS, Topic
from remembrancer.domain.requests.field_types import agent, boolean, end_user, text
from remembrancer.domain.requests.fields import Fields

FORGET = Fields(
    "ForgetRequest",
    agent_id=agent(required=True),
    user_id=end_user(),
    text=text(MOST_CHARACTERS, required=True).described(
        description="What the end user said (`Forget what I said about Oslo`), or only what it is about (`Oslo`)."
    ),
    dry_run=boolean().described(description="Shows what it would be, and forgets nothing."),
)


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """A validated request; `agent` is an id or a name."""

    agent: UUID | str
    user_id: str | None
    topics: Sequence[Topic]
    is_dry_run: bool


def parse(body: object) -> ForgetRequest:
    """A sentence that is no wish is the topic. Raises InvalidRequest naming every bad field."""
    given = FORGET.read(body)
    said = given["text"] or ""
    wish = wishes.wish(said)
    topics = (Topic(said),) if wish is None else wish.topics
    if wish is not None and wish.is_of_everything:
        given.fail("text", "is about everything; use POST /v1/erasures for that")
    elif not topics:
        given.fail("text", "does not say what to forget; there is no conversation here that it could point at")
    values = given.finish()
    return ForgetRequest(values["agent_id"], values["user_id"], topics, bool(values["dry_run"]))
