"""Context assembly: retrieve, score, pack, format, inside a hard deadline (docs/deadlines.md)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.context import budget, formatter
from remembrancer.domain.context.assembly import AssembleRequest, Assembly
from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.retrieval.turn_key import Turn, TurnMemory
from remembrancer.errors import RequestError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import EmbeddingStore
from remembrancer.ports.models import Catalogue
from remembrancer.ports.system import Clock, Queue
from remembrancer.settings import Settings
from remembrancer.usecases.assembly.compose import Composer, estimated_tokens
from remembrancer.usecases.identity.authorise import require_agent, require_organization
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.bounded import Afterwards, Stopwatch, abandon, bounded
from remembrancer.usecases.retrieval.hot_set import refill
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps
from remembrancer.usecases.retrieval.retriever import Retrieved, Retriever

SCOPE = "assemble"
REHEARSAL_MS = 2000.0
ANSWER_RESERVE_MS = 5.0
"""What is left of the deadline for writing the answer down, once it is there."""
FORMAT_RESERVE_MS = 5.0
"""What scoring, packing and formatting are left after retrieval."""
RENDER_RESERVE = 1 / 16
"""The part of the time that formatting is left after the memories' text was opened: 3 ms of 43."""


@dataclass(slots=True)
class _Progress:
    """What is known so far; the deadline's answer is made of it."""

    accepted: Retrieved | None = None
    """What was retrieved, once its credential was accepted."""
    timings_ms: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Assembler:
    """The use case; one instance serves every request of a warm function."""

    retriever: Retriever
    directory: Directory
    cache: AgentCache
    embeddings: EmbeddingStore
    maps: MemoryMaps
    refills: BackgroundReads
    usage: Queue
    composer: Composer
    catalogue: Catalogue
    clock: Clock
    settings: Settings
    new_id: Callable[[], UUID]

    async def assemble(
        self,
        request: AssembleRequest,
        known: Principal,
        principal: Awaitable[Principal],
        *,
        deadline_ms: float,
        watch: Stopwatch,
        afterwards: Afterwards,
        event_id: Callable[[Principal], UUID] | None = None,
    ) -> Assembly:
        """The answer, early enough to have left at `deadline_ms` on the watch.

        What it uses is counted once for each `event_id`; without it, each time.
        `known` is whose the credential is, as it was last accepted here: what it may not name is not looked for.
        `principal`, its check, is awaited beside retrieval, and nothing of what is stored shows before it passed:
        RequestError when it does not, the client's messages unchanged when it could not be checked.
        """
        progress = _Progress()
        count = event_id or (lambda _: self.new_id())
        end_ms = deadline_ms - ANSWER_RESERVE_MS
        work = asyncio.ensure_future(
            self._assemble(request, known, principal, end_ms, watch, progress, afterwards, count)
        )
        try:
            await asyncio.wait({work}, timeout=max(end_ms - watch.elapsed_ms(), 0.0) / 1000)
        except asyncio.CancelledError:
            abandon(work)
            raise
        if work.done():
            assembly = work.result()
        else:
            abandon(work)
            assembly = self._late(request, progress)
        timings = {**assembly.timings_ms, "total": watch.elapsed_ms()}
        return replace(assembly, timings_ms=timings, deadline_ms=deadline_ms)

    async def warm(self) -> None:
        """Everything that a request runs, once, for an agent that does not exist."""
        nobody = UUID(int=0)
        request = AssembleRequest(
            nobody, nobody, self.settings.default_model, "", [{"role": "user", "content": "rehearsal"}]
        )
        watch = Stopwatch(self.clock)
        now = self.clock.now()
        profile = self.catalogue.lookup(request.model)
        retrieved = await self.retriever.retrieve(request, until_ms=REHEARSAL_MS, watch=watch, now=now, rows=1)
        tokens = await self.composer.count_messages(request, profile, until_ms=REHEARSAL_MS, watch=watch)
        cap = await self.composer.memory_tokens(request, profile, until_ms=REHEARSAL_MS, watch=watch)
        await self.composer.compose(
            request, profile, retrieved, tokens, cap, now=now, until_ms=REHEARSAL_MS, watch=watch, timings_ms={}
        )

    async def _assemble(
        self,
        request: AssembleRequest,
        known: Principal,
        principal: Awaitable[Principal],
        end_ms: float,
        watch: Stopwatch,
        progress: _Progress,
        afterwards: Afterwards,
        event_id: Callable[[Principal], UUID],
    ) -> Assembly:
        now = self.clock.now()
        profile = self.catalogue.lookup(request.model)
        until_ms = end_ms - FORMAT_RESERVE_MS
        rows = self._rows(request, profile)
        identity = asyncio.ensure_future(bounded(self._authorise(request, principal), until_ms=until_ms, watch=watch))
        agent_id = self._known_id(request, known)
        if agent_id is None or not _may_ask(known, request):
            # Nothing is looked for that the credential may not name, nor for a name that is not known yet.
            allowed = await identity
            if allowed.value is None:
                return unchanged(request, f"credential_{allowed.report.reason}")
            agent_id = allowed.value[1]
        asked, request = request, replace(request, agent_id=agent_id)
        gathered = asyncio.gather(
            self.retriever.retrieve(request, until_ms=until_ms, watch=watch, now=now, rows=rows),
            self.composer.count_messages(request, profile, until_ms=until_ms, watch=watch),
            self.composer.memory_tokens(
                request, profile, until_ms=min(until_ms, self.settings.bounds.lexical_ms), watch=watch
            ),
        )
        try:
            waiting: set[asyncio.Future[Any]] = {identity, gathered}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if identity.done() and (checked := identity.result()).value is None:
                # Neither a refusal nor a check that failed waits for the searches.
                abandon(gathered)
                return unchanged(request, f"credential_{checked.report.reason}")
            retrieved, tokens, cap = await gathered
            retrieved_ms = watch.elapsed_ms()
            allowed = await identity
        except BaseException:
            abandon(identity)
            abandon(gathered)
            raise
        if allowed.value is None:
            return unchanged(request, f"credential_{allowed.report.reason}")
        accepted, agent_id = allowed.value
        if agent_id != request.agent_id:
            # The name has come to mean another agent since it was last looked up.
            return await self._assemble(asked, known, principal, end_ms, watch, progress, afterwards, event_id)
        progress.accepted = retrieved
        progress.timings_ms |= {"retrieval": retrieved_ms, "credential": allowed.report.latency_ms}
        # Also when the answer is late: an instance that has no time would otherwise never get what spares it time.
        self._catch_up(request, retrieved, now, afterwards)
        assembly = await self.composer.compose(
            request,
            profile,
            retrieved,
            tokens,
            cap,
            now=now,
            until_ms=end_ms * (1 - RENDER_RESERVE),
            watch=watch,
            timings_ms=progress.timings_ms,
        )
        self._record(request, assembly, retrieved, now, afterwards, event_id(accepted))
        return assembly

    def _known_id(self, request: AssembleRequest, known: Principal) -> UUID | None:
        """The agent's id as far as this instance knows it by itself."""
        if request.agent_name is None:
            return request.agent_id
        return self.directory.remembered_id(known, request.agent_name)

    async def _authorise(self, request: AssembleRequest, principal: Awaitable[Principal]) -> tuple[Principal, UUID]:
        """Who asks, and the id of the agent that is asked for."""
        allowed = await principal
        require_organization(allowed, request.org_id)
        allowed = allowed.acting_for(request.end_user.text)
        agent = await require_agent(allowed, request.agent, self.directory)
        return allowed, agent.agent_id

    def _rows(self, request: AssembleRequest, profile: ModelProfile) -> int:
        """Candidates of each search: fewer where little can be injected, by what is known before counting."""
        if request.options.max_memories == 0:
            return 0
        cap = request.options.memory_tokens
        room = budget.expected_memory(profile, budget.characters(request.messages))
        # A cap of 0 is none but the window.
        return budget.rows_for(min(room, cap or room), most=self.settings.cold_rows)

    def _late(self, request: AssembleRequest, progress: _Progress) -> Assembly:
        """The second and third rung of the ladder: the directive alone if it may be released, else nothing."""
        retrieved = progress.accepted
        if retrieved is None:
            return unchanged(request, "assembly_timeout")
        if not retrieved.directive or not retrieved.directive.text:
            found = unchanged(request, "assembly_timeout")
            return replace(found, sources=retrieved.reports, timings_ms=dict(progress.timings_ms))
        directive = retrieved.directive
        text = formatter.render(directive, [], nonce=self.composer.new_nonce())
        return Assembly(
            messages=formatter.inject(request.messages, text, directive.injection_mode),
            directive_injected=True,
            directive_version=directive.version,
            total_tokens_injected=estimated_tokens(text),
            fallback_reason="assembly_timeout",
            sources=retrieved.reports,
            timings_ms=dict(progress.timings_ms),
        )

    def _catch_up(self, request: AssembleRequest, retrieved: Retrieved, now: datetime, afterwards: Afterwards) -> None:
        """What was missing here, for the next request."""
        directive = retrieved.directive
        if directive is not None and (retrieved.directive_uncached or retrieved.contradicted):
            afterwards.add(
                "cache_directive", lambda: self.cache.put_directive(request.org_id, request.agent_id, directive)
            )
        if retrieved.contradicted and retrieved.change is not None:
            change = retrieved.change
            afterwards.add("tell_cache", lambda: self.cache.changed(request.org_id, request.agent_id, change))
        if retrieved.hot_is_cold and not self.refills.resting:
            afterwards.add(
                "refill_hot_set",
                lambda: refill(self.cache, self.embeddings, self.refills, request.org_id, request.agent_id, now),
            )
        if retrieved.wants_map and self.maps.is_due(request.org_id, request.agent_id, retrieved.change):
            afterwards.add(
                "memory_map",
                lambda: self.maps.refresh(request.org_id, request.agent_id, retrieved.change),
                may_wait=False,
            )

    def _record(
        self,
        request: AssembleRequest,
        assembly: Assembly,
        retrieved: Retrieved,
        now: datetime,
        afterwards: Afterwards,
        event_id: UUID,
    ) -> None:
        """What this answer was, and what its session may ask next."""
        if retrieved.remembered is not None:
            # The turn's memories were counted when it was first asked.
            return
        prefetcher = self.retriever.searches.prefetcher
        if prefetcher is not None and request.session_id is not None and request.query:
            afterwards.add("prefetch_hypotheses", lambda: prefetcher.prepare(request), may_wait=False)
        if retrieved.turn and retrieved.tier != "none" and not retrieved.behind and not assembly.fallback_reason:
            turn = _turn(retrieved, assembly)
            afterwards.add(
                "turn_cache",
                lambda: self.cache.put_turn(request.org_id, request.agent_id, retrieved.turn, turn),
            )
        if assembly.memory_ids:
            event = {
                "event_id": str(event_id),
                "org_id": str(request.org_id),
                "agent_id": str(request.agent_id),
                "memory_ids": [str(identifier) for identifier in assembly.memory_ids],
                "kind": "assembly",
                "at": now.isoformat(),
                "session_id": request.session_id,
                "user_id": request.user_id,
            }
            afterwards.add("usage", lambda: self.usage.send([event]), first=True)


def _turn(retrieved: Retrieved, assembly: Assembly) -> Turn:
    known = {item.memory.id.int: item for item in retrieved.evidence}
    chosen = [known[identifier.int] for identifier in assembly.memory_ids]
    found = tuple(TurnMemory(item.memory.id, item.dense, item.lexical, item.hot, item.subject) for item in chosen)
    return Turn(found, assembly.memories_available)


def unchanged(request: AssembleRequest, reason: str) -> Assembly:
    """The client's messages as they came, and why; nothing in it depends on what is stored."""
    return Assembly(messages=request.messages, fallback_reason=reason)


def _may_ask(known: Principal, request: AssembleRequest) -> bool:
    """Whether the check that is still to come can pass at all."""
    try:
        known.require(SCOPE)
        require_organization(known, request.org_id)
        known.acting_for(request.user_id)
    except RequestError:
        return False
    return True
