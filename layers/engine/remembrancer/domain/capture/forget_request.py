"""Parses requests to forget what a sentence is about."""

from dataclasses import dataclass, replace
from uuid import UUID

from remembrancer.domain.capture import wishes
from remembrancer.domain.capture.wishes import MOST_CHARACTERS, Topic, Wish
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
    wish: Wish
    is_dry_run: bool


def parse(body: object) -> ForgetRequest:
    """A sentence that is no wish is the topic. Raises InvalidRequest naming every bad field."""
    given = FORGET.read(body)
    said = given["text"] or ""
    wish = wishes.wish(said) or Wish(said=said)
    if wish.is_of_everything:
        given.fail("text", "is about everything; use POST /v1/erasures for that")
    elif wish.is_of_before and not wish.topics:
        given.fail("text", "does not say what to forget; there is no conversation here that it could point at")
    values = given.finish()
    asked = replace(wish, topics=wish.topics or (Topic(said),), is_of_before=False, is_sure=True)
    return ForgetRequest(values["agent_id"], values["user_id"], asked, bool(values["dry_run"]))
