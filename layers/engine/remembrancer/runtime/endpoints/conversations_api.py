"""HTTP endpoints to store and read conversations, of which memories are made."""

from dataclasses import dataclass
from typing import Any

from remembrancer.domain.capture.conversation import NEW_CONVERSATION
from remembrancer.domain.capture.turns import KEPT, Conversation, Turn
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.field_types import agent, text, whole
from remembrancer.domain.requests.fields import Fields, OpenFields
from remembrancer.errors import NotFound
from remembrancer.ports.capture import ConversationListing
from remembrancer.ports.identity import Directory
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.memory_json import moment
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, read_query
from remembrancer.runtime.http.pages import Pages, fitting, paged, position_of, read_position, whose
from remembrancer.usecases.capture.add import ConversationIntake, IntakeReceipt
from remembrancer.usecases.capture.read import ConversationReader
from remembrancer.usecases.identity.authorise import require_agent

PAGE = 50
LONGEST_PAGE = 200
FIRST_WORDS = 200
"""Characters of a conversation's first message of its user in a listing."""
LISTING = Fields(agent_id=agent(), user_id=whose(), session_id=text(), **paged(LONGEST_PAGE, usual=PAGE))
BEFORE = OpenFields(before=whole(1, 2**31 - 1))


@dataclass(frozen=True, slots=True)
class ConversationsApi:
    """HTTP endpoints of conversations."""

    intake: ConversationIntake
    reader: ConversationReader
    directory: Directory

    async def create(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Stores the messages: 202 with a turn for each message of a user or an assistant."""
        accepted = await self.intake.add(request.json(), principal, work, once=request.once(principal))
        return HttpResponse(202, _accepted_json(accepted))

    async def get(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Returns a conversation with its newest turns, as many as fit, and the decision on each."""
        before = read_query(request, BEFORE)["before"]
        found = await self.reader.get(principal, request.uuid("conversation_id"), before=before)
        if found is None:
            raise NotFound("There is no such conversation.", code="conversation_not_found")
        turns = fitting(map(_turn_json, reversed(found.turns)))
        oldest = turns[-1]["number"] if turns else 1
        body = _conversation_json(found) | {"turns": turns[::-1], "next_before": oldest if oldest > 1 else None}
        return HttpResponse(200, body)

    async def list(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        """Lists conversations, the last changed first, one page at a time."""
        asked = read_query(request, LISTING)
        # The authenticated end user of the request.
        del asked["user_id"], asked["cursor"]
        if asked["agent_id"] is not None:
            asked["agent_id"] = (await require_agent(principal, asked["agent_id"], self.directory)).agent_id
        pages = await Pages.of(self.directory, principal, "conversations", request.query)
        listing = ConversationListing(**asked, after=read_position(pages.position(request.query)))
        found = await self.reader.list(principal, listing)
        shown, after = pages.page(found, listing.limit, shown=_listed_json, position=_position)
        return HttpResponse(200, {"conversations": shown, "next_cursor": after})


def _accepted_json(accepted: IntakeReceipt) -> dict[str, Any]:
    turns = [
        {"number": number, "status": "known" if number in accepted.known else "accepted"} for number in accepted.numbers
    ]
    identifier = None if accepted.conversation_id is None else str(accepted.conversation_id)
    return {"conversation_id": identifier, "turns": turns, "skipped": dict(accepted.skipped)}


def _conversation_json(conversation: Conversation) -> dict[str, Any]:
    return {
        "conversation_id": str(conversation.conversation_id),
        "agent_id": str(conversation.agent_id),
        "user_id": conversation.user_id,
        "session_id": conversation.session_id,
        "created_at": moment(conversation.created_at),
        "updated_at": moment(conversation.updated_at),
        "pending": conversation.pending,
    }


def _listed_json(conversation: Conversation) -> dict[str, Any]:
    first = next((turn.text for turn in conversation.turns if not turn.is_forgotten), "")
    words = " ".join(first.split())
    return _conversation_json(conversation) | {"first_words": words[:FIRST_WORDS] or None}


def _turn_json(turn: Turn) -> dict[str, Any]:
    return {
        "number": turn.number,
        "role": turn.role,
        "speaker": turn.speaker,
        "text": None if turn.is_forgotten else turn.text,
        "observed_at": moment(turn.observed_at),
        "client_ref": turn.client_ref,
        "redacted": dict(turn.redactions),
        "state": turn.state,
        "reason": turn.reason,
        "memory_id": str(turn.memory_id) if turn.state == KEPT else None,
        "forget": turn.forget,
    }


def _position(conversation: Conversation) -> str:
    return position_of(conversation.updated_at, conversation.conversation_id)


OPERATIONS = (
    Operation(
        "POST /v1/conversations",
        "createConversation",
        "Store messages of a conversation; memories are made of them",
        ConversationsApi.create,
        {202: ("The turns are stored.", "AcceptedConversation")},
        scope="write",
        body=NEW_CONVERSATION,
        refusals=(404,),
    ),
    Operation(
        "GET /v1/conversations",
        "listConversations",
        "The conversations, the last changed first",
        ConversationsApi.list,
        {200: ("A page.", "Conversations")},
        scope="query",
        query=LISTING,
        refusals=(404,),
    ),
    Operation(
        "GET /v1/conversations/{conversation_id}",
        "getConversation",
        "One conversation with its turns and the decision on each",
        ConversationsApi.get,
        {200: ("The conversation.", "WholeConversation")},
        scope="query",
        query=BEFORE,
        refusals=(404,),
    ),
)
