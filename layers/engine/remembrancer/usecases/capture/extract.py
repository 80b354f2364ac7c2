"""Asks a language model what to remember of a window of unread turns, and lets through what the gate lets through."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, timedelta

from remembrancer.domain.capture import extracted, extraction, gate, prompt
from remembrancer.domain.capture.extracted import Outcome
from remembrancer.domain.capture.extraction import BadAnswer, Proposal
from remembrancer.domain.capture.gate import Line, Window
from remembrancer.domain.capture.turns import KEPT, Conversation
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import StoreError, StoreTimeout
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.models import Embedder, LanguageModel, StructuredAnswer
from remembrancer.ports.search import MemoryIndex, Stemmer
from remembrancer.ports.system import Clock
from remembrancer.ports.usage import UsageStore
from remembrancer.usecases.encryption.opening import opened
from remembrancer.usecases.retrieval import terms
from remembrancer.usecases.retrieval.serving_model import serving

ATTEMPTS = 2
"""Calls of the model for one window in one delivery of its message."""
MOST_SHOWN = 15
"""Memories that are shown, and looked for by each turn's meaning and by the words of all turns: the window's own are
among those that are found.
"""

_NOTHING = Outcome((), ())

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What becomes of the window, or the `reason` why the rules' decisions stay; counts of tokens by kind, and of
    proposals that passed and were refused by reason.
    """

    outcome: Outcome = _NOTHING
    reason: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    passed: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extractor:
    """Reads windows with a model.

    `tokens` is the most of an organization and day, 0 no limit; `idle` how long nobody has said anything more when a
    window is read that is not whole. `previous` embeds while the vectors of that model serve.
    """

    model: LanguageModel
    usage: UsageStore
    search: MemoryIndex
    embedder: Embedder
    stemmer: Stemmer
    opener: Cipher
    clock: Clock
    tokens: int
    idle: timedelta
    previous: Embedder | None = None

    def is_due(self, conversation: Conversation) -> bool:
        """Whether enough turns are unread, or nobody has said anything more for long enough."""
        unread = sum(turn.is_unread for turn in conversation.turns)
        return unread >= extracted.WINDOW_TURNS or self.clock.now() - conversation.updated_at >= self.idle

    async def extract(self, organization: Organization, conversation: Conversation, *, last_try: bool) -> Extraction:
        """Memories and decisions of a window with opened text.

        Where the model does not answer: raises StoreError, and on the last try leaves the turns as they are. Where it
        answers rubbish, or the day's tokens are used up, leaves them so at once.
        """
        if not any(turn.is_unread for turn in conversation.turns):
            return Extraction()
        window = await self._window(organization, conversation)
        tokens: Counter[str] = Counter()
        try:
            proposals = await self._proposals(organization, window, tokens)
        except _WithoutModelError as reason:
            return Extraction(reason=reason.args[0], tokens=tokens)
        except StoreError as error:
            if not last_try:
                raise
            logger.warning("capture_model_failed", extra={"cause": error.cause})
            return Extraction(reason=extracted.UNAVAILABLE, tokens=tokens)
        judgement = gate.judge(proposals, window)
        for name in judgement.errors:
            logger.error("capture_gate_failed", extra={"error": name})
        captured_by = {"model": self.model.name, "prompt": prompt.VERSION}
        is_reviewed = organization.extraction.is_reviewed
        outcome = extracted.outcome(conversation, judgement, captured_by, is_reviewed=is_reviewed)
        return Extraction(outcome, "", tokens, len(judgement.passed), judgement.refused)

    async def _proposals(self, organization: Organization, window: Window, tokens: Counter[str]) -> list[Proposal]:
        text = prompt.prompt(window)
        failure: StoreError | None = None
        for _ in range(ATTEMPTS):
            try:
                answer = await self._answer(organization, text, tokens)
                return extraction.parse(answer.text)
            except StoreError as error:
                failure = error
            except BadAnswer as error:
                failure = None
                logger.warning("capture_model_answer", extra={"difference": str(error)})
        if failure is not None:
            raise failure
        raise _WithoutModelError(extracted.BAD_ANSWER)

    async def _answer(self, organization: Organization, text: str, tokens: Counter[str]) -> StructuredAnswer:
        """Reserves what the call may use at most, so that no two calls together use more than there is."""
        own = organization.extraction.tokens
        most = self.tokens if own is None else own
        day = self.clock.now().astimezone(UTC).date()
        reserved = prompt.most_tokens(prompt.INSTRUCTION, text, extraction.SCHEMA)
        if not await self.usage.reserve_tokens(organization.org_id, day, reserved, most=most or None):
            raise _WithoutModelError(extracted.NO_BUDGET)
        try:
            answer = await self.model.answer(
                prompt.INSTRUCTION, text, extraction.SCHEMA, most_tokens=prompt.ANSWER_TOKENS
            )
        except StoreTimeout:
            # The provider may have counted them.
            raise
        except StoreError:
            await self.usage.charge_tokens(organization.org_id, day, reserved=reserved, used=0)
            raise
        used = answer.prompt_tokens + answer.answer_tokens
        tokens.update({"prompt": answer.prompt_tokens, "answer": answer.answer_tokens})
        if used:
            await self.usage.charge_tokens(organization.org_id, day, reserved=reserved, used=used)
        return answer

    async def _window(self, organization: Organization, conversation: Conversation) -> Window:
        lines = [
            Line(
                turn.number,
                turn.role,
                turn.speaker,
                turn.text,
                turn.observed_at,
                is_new=turn.is_unread,
                is_believed=turn.role == "user" or turn.speaker is not None or turn.state == KEPT,
            )
            for turn in conversation.turns
        ]
        nearest = await self._nearest(organization, conversation, [line.text for line in lines if line.is_new])
        return Window(lines, dict(zip(prompt.handles(len(nearest)), nearest, strict=True)))

    async def _nearest(
        self, organization: Organization, conversation: Conversation, texts: Sequence[str]
    ) -> Sequence[Memory]:
        """The end user's own memories that are nearest to what was said, with readable text, the best of each search
        first: none that the window's turns have made, and none without an end user, whose memories are shared.
        """
        scope, user_id = conversation.scope, conversation.user_id
        if user_id is None:
            return []
        now = self.clock.now()
        query = terms.wanted(" ".join(texts), organization, self.stemmer)
        matching = await self.search.matching(scope, query, Filters(), limit=MOST_SHOWN, now=now)
        ranked = [list(matching.memories)]
        embedder = serving(organization, self.embedder, self.previous)
        for vector in await embedder.embed(texts):
            nearest = await self.search.nearest(
                scope, vector, Filters(), model=embedder.model, limit=MOST_SHOWN, now=now
            )
            ranked.append(list(nearest.memories))
        own = {turn.memory_id for turn in conversation.turns if turn.is_unread}
        best = {
            one[rank].id: one[rank]
            for rank in range(MOST_SHOWN)
            for one in ranked
            if rank < len(one) and one[rank].user_id == user_id and one[rank].id not in own
        }
        readable = await opened(self.opener, organization.org_id, list(best.values())[:MOST_SHOWN])
        return [memory for memory in readable.memories if not memory.is_unreadable]


class _WithoutModelError(Exception):
    """Rules decide on the turns, for the reason given."""
