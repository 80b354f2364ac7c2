"""Accepts messages of a conversation: stored before the answer, captured by the worker afterwards."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from remembrancer.domain.capture import conversation as requests
from remembrancer.domain.capture import long_texts
from remembrancer.domain.capture.conversation import ConversationRequest, Utterance
from remembrancer.domain.capture.long_texts import SPEAKER_CHARACTERS
from remembrancer.domain.capture.turns import Conversation, Turn, fingerprint, queue_message
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.personal_data import redaction
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import Forbidden, NotFound, StaleDataKey
from remembrancer.ports.capture import Added, Conversations
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.identity import Directory
from remembrancer.ports.system import Clock, Queue
from remembrancer.usecases.capture.sealed_turns import sealed
from remembrancer.usecases.identity.authorise import require_agent
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.retrieval.after_response import Afterwards

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class IntakeReceipt:
    """The numbers of the request's turns in their conversation, in order; those in `known` were there before.

    `conversation_id` is None when the request contained no turn. `skipped` counts messages that were left out by
    reason, and under `cut` those of which something was.
    """

    conversation_id: UUID | None
    numbers: Sequence[int] = ()
    known: frozenset[int] = frozenset()
    skipped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConversationIntake:
    """Redacts, seals and stores the turns of a request, and queues their conversation for capture."""

    conversations: Conversations
    directory: Directory
    redactor: Redactor
    sealer: Cipher
    capture_queue: Queue
    clock: Clock
    new_id: Callable[[], UUID]

    async def add(
        self, body: object, principal: Principal, afterwards: Afterwards, *, once: Once | None = None
    ) -> IntakeReceipt:
        """Raises RequestError when the request is refused."""
        request = requests.parse(body, now=self.clock.now())
        principal = replace(principal, user_id=_owner(request, principal))
        agent = await require_agent(principal, request.agent_name or request.agent_id, self.directory)
        accepted = await self.store(replace(request, agent_id=agent.agent_id), principal, once=once)
        if set(accepted.numbers) - accepted.known:
            afterwards.add("queue_capture", lambda: self.queue(accepted, principal, agent.agent_id))
        return accepted

    async def store(
        self, request: ConversationRequest, principal: Principal, *, once: Once | None = None
    ) -> IntakeReceipt:
        """Stores the messages for the principal's end user; `agent_id` is that of an agent the principal may name."""
        organization = await self.directory.organization(principal.org_id)
        if organization is None:
            raise NotFound("There is no such organization.", code="organization_not_found")
        if not request.utterances:
            return IntakeReceipt(None, skipped=request.skipped)
        conversation = self._conversation(principal, request)
        turns, cut = await self._turns(organization, request)
        added = await self._stored(organization, principal, conversation, turns, once)
        if added is None:
            raise NotFound("There is no such agent.", code="agent_not_found")
        skipped = Counter(request.skipped) + Counter({requests.CUT: cut})
        return IntakeReceipt(added.conversation_id, added.numbers, added.known, skipped)

    async def queue(self, accepted: IntakeReceipt, principal: Principal, agent_id: UUID) -> None:
        """Queues the conversation; maintenance finds it when this fails."""
        if accepted.conversation_id is not None:
            message = queue_message(principal.org_id, accepted.conversation_id, agent_id, principal.user_id)
            await self.capture_queue.send([message])

    def _conversation(self, principal: Principal, request: ConversationRequest) -> Conversation:
        """Without a session, the conversation's own id becomes its session."""
        conversation_id, now = self.new_id(), self.clock.now()
        return Conversation(
            conversation_id=conversation_id,
            org_id=principal.org_id,
            project_id=principal.project_id,
            environment=principal.environment,
            agent_id=request.agent_id,
            user_id=principal.user_id,
            session_id=request.session_id or str(conversation_id),
            created_at=now,
            updated_at=now,
        )

    async def _turns(self, organization: Organization, request: ConversationRequest) -> tuple[list[Turn], int]:
        """A turn for each piece of each message, and the number of messages of which something was cut."""
        turns: list[Turn] = []
        cut = 0
        for said, counts in await self.redactor.redact_spoken(organization, request.utterances):
            text = long_texts.shortened(said.text)
            speaker = long_texts.beginning(said.speaker, SPEAKER_CHARACTERS) if said.speaker else None
            cut += (text, speaker) != (said.text, said.speaker)
            for piece in long_texts.pieces(text):
                made = redaction.counted(f"{speaker} {piece}", most=counts)
                turns.append(self._turn(organization, request, replace(said, text=piece, speaker=speaker), made))
        return turns, cut

    def _turn(
        self, organization: Organization, request: ConversationRequest, said: Utterance, redactions: Mapping[str, int]
    ) -> Turn:
        return Turn(
            memory_id=self.new_id(),
            role=said.role,
            text=said.text,
            observed_at=said.observed_at,
            speaker=said.speaker,
            fingerprint=fingerprint(said.role, said.text, key=organization.term_key),
            redactions=redactions,
            client_ref=request.client_ref,
            turn_id=request.turn_id,
            is_dated=said.is_dated,
        )

    async def _stored(
        self,
        organization: Organization,
        principal: Principal,
        conversation: Conversation,
        turns: Sequence[Turn],
        once: Once | None,
    ) -> Added | None:
        """Retries where the organization has a newer data key than this instance knows."""
        if organization.encrypted:
            turns = await sealed(self.sealer, organization.org_id, turns)
        for _ in range(_ATTEMPTS - 1):
            try:
                return await self.conversations.add(principal, conversation, turns, once=once)
            except StaleDataKey as stale:
                turns = await sealed(self.sealer, organization.org_id, turns, version=stale.version)
        return await self.conversations.add(principal, conversation, turns, once=once)


def _owner(request: ConversationRequest, principal: Principal) -> str | None:
    """The end user of the conversation: the request's, else the one that the credential acts for."""
    if request.user_id is not None and principal.user_id not in {None, request.user_id}:
        message = "A conversation can only be stored for the end user that the request acts for."
        raise Forbidden(message, code="end_user_not_allowed")
    return request.user_id or principal.user_id
