"""In which time zone a request's days are counted: its own, else the end user's, else the agent's, else UTC."""

import logging
from datetime import tzinfo

from remembrancer.domain.capture.turns import Conversation
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.times import phrases, time_zone
from remembrancer.errors import StoreError
from remembrancer.ports.identity import Directory

logger = logging.getLogger(__name__)


async def of_conversation(conversation: Conversation, directory: Directory) -> tzinfo:
    """In which its end user's days are counted. Raises StoreError."""
    place = (conversation.org_id, conversation.project_id, conversation.environment)
    agent = await directory.agent(conversation.org_id, conversation.agent_id)
    own = None if conversation.user_id is None else await directory.time_zone(*place, conversation.user_id)
    return time_zone.first(own, agent.time_zone if agent is not None else None)


async def of_request(asked: str | None, question: str, principal: Principal, directory: Directory) -> str | None:
    """The name in the request, else the one that its end user has set; None where neither is.

    Reads nothing for a question without a time, and fails no request: without the end user's, the agent's counts.
    """
    if asked is not None or principal.user_id is None or not phrases.find(question):
        return asked
    try:
        return await directory.time_zone(
            principal.org_id, principal.project_id, principal.environment, principal.user_id
        )
    except StoreError as error:
        logger.warning("time_zone_unknown", extra={"cause": error.cause})
        return None
