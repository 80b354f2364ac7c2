"""Context assembly: retrieve, score, pack, format, inside a hard deadline (docs/deadlines.md)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from remembrancer.domain import budget, formatter, fusion, packer, scorer
from remembrancer.domain.assembly import AssembleRequest, Assembly, Candidate, missing
from remembrancer.domain.memory import Directive
from remembrancer.domain.model_profile import ModelProfile
from remembrancer.domain.scope import Principal
from remembrancer.domain.tokens import in_family
from remembrancer.errors import StoreError
from remembrancer.ports import (
    AgentCache,
    Catalogue,
    Clock,
    Directory,
    EmbeddingStore,
    Queue,
    TokenCounter,
)
from remembrancer.settings import Settings
from remembrancer.usecases.authorise import require_agent, require_organization
from remembrancer.usecases.bounded import Afterwards, Stopwatch, abandon, bounded
from remembrancer.usecases.hot_set import refill
from remembrancer.usecases.retriever import Evidence, Retrieved, Retriever

ESTIMATED_BYTES_PER_TOKEN = 2
"""Where counting was late: no text of ordinary writing has more tokens than half its bytes."""
REHEARSAL_MS = 2000.0
FORMAT_RESERVE_MS = 6.0
"""What scoring, packing and formatting are left after retrieval."""


@dataclass(slots=True)
class _Progress:
    """What is known so far; the deadline's answer is made of it."""

    authorised: bool = False
    retrieved: Retrieved | None = None
    timings_ms: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Tokens of the client's messages and tools; `exact` False when estimated."""

    messages: int
    tools: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Assembler:
    """The use case; one instance serves every request of a warm function."""

    retriever: Retriever
    directory: Directory
    cache: AgentCache
    embeddings: EmbeddingStore
    usage: Queue
    counter: TokenCounter
    catalogue: Catalogue
    clock: Clock
    settings: Settings
    new_nonce: Callable[[], str]
    new_id: Callable[[], UUID]

    async def assemble(
        self,
        request: AssembleRequest,
        principal: Awaitable[Principal],
        *,
        deadline_ms: float,
        watch: Stopwatch,
        afterwards: Afterwards,
    ) -> Assembly:
        """The answer, at `deadline_ms` on the watch at the latest.

        `principal` is awaited beside retrieval and nothing is released before it passed: RequestError when it does not,
        the client's messages unchanged when it could not be checked.
        """
        progress = _Progress()
        work = asyncio.ensure_future(self._assemble(request, principal, deadline_ms, watch, progress, afterwards))
        await asyncio.wait({work}, timeout=max(deadline_ms - watch.elapsed_ms(), 0.0) / 1000)
        if work.done():
            assembly = work.result()
        else:
            abandon(work)
            assembly = self._late(request, progress)
        return replace(assembly, timings_ms={**assembly.timings_ms, "total": watch.elapsed_ms()})

    async def warm(self) -> None:
        """Everything that a request runs, once, for an agent that does not exist."""
        nobody = UUID(int=0)
        request = AssembleRequest(nobody, nobody, "", "", [{"role": "user", "content": "rehearsal"}])
        watch = Stopwatch(self.clock)
        now = self.clock.now()
        profile = self.catalogue.lookup(request.model)
        retrieved = await self.retriever.retrieve(request, until_ms=REHEARSAL_MS, watch=watch, now=now, rows=1)
        tokens = await self._count_messages(request, profile, REHEARSAL_MS, watch)
        await self._compose(request, profile, retrieved, tokens, now, watch, _Progress())

    async def _assemble(
        self,
        request: AssembleRequest,
        principal: Awaitable[Principal],
        deadline_ms: float,
        watch: Stopwatch,
        progress: _Progress,
        afterwards: Afterwards,
    ) -> Assembly:
        now = self.clock.now()
        profile = self.catalogue.lookup(request.model)
        until_ms = deadline_ms - FORMAT_RESERVE_MS
        rows = 0 if request.options.max_memories == 0 else self.settings.cold_rows
        identity = asyncio.ensure_future(
            bounded(self._authorise(request, principal), until_ms=deadline_ms, watch=watch)
        )
        gathered = asyncio.gather(
            self.retriever.retrieve(request, until_ms=until_ms, watch=watch, now=now, rows=rows),
            self._count_messages(request, profile, until_ms, watch),
        )
        try:
            waiting: set[asyncio.Future[Any]] = {identity, gathered}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if identity.done():
                # A refusal does not wait for the searches.
                identity.result()
            retrieved, tokens = await gathered
            progress.retrieved = retrieved
            progress.timings_ms["retrieval"] = watch.elapsed_ms()
            allowed = await identity
        except BaseException:
            abandon(identity)
            abandon(gathered)
            raise
        progress.timings_ms["credential"] = allowed.report.latency_ms
        if allowed.value is None:
            return _unchanged(request, f"credential_{allowed.report.reason}", retrieved, progress.timings_ms)
        progress.authorised = True
        assembly = await self._compose(request, profile, retrieved, tokens, now, watch, progress)
        self._afterwards(request, assembly, retrieved, now, afterwards)
        return assembly

    async def _authorise(self, request: AssembleRequest, principal: Awaitable[Principal]) -> Principal:
        allowed = await principal
        require_organization(allowed, request.org_id)
        allowed = allowed.acting_for(request.user_id)
        await require_agent(allowed, request.agent_id, self.directory)
        return allowed

    async def _count_messages(
        self, request: AssembleRequest, profile: ModelProfile, until_ms: float, watch: Stopwatch
    ) -> _Tokens:
        texts, fixed = budget.message_texts(request.messages)
        tools = budget.tool_text(request.tools)
        counting = self.counter.count_many([*texts, tools], profile.tokenizer_family)
        counted = await bounded(counting, until_ms=until_ms, watch=watch)
        if counted.value is None:
            estimates = [len(text.encode("utf-8", "surrogatepass")) // ESTIMATED_BYTES_PER_TOKEN for text in texts]
            return _Tokens(fixed + sum(estimates), len(tools) // ESTIMATED_BYTES_PER_TOKEN, exact=False)
        *counts, tool_count = counted.value
        exact = all(count.exact for count in counted.value)
        return _Tokens(fixed + sum(count.tokens for count in counts), tool_count.tokens, exact)

    async def _compose(
        self,
        request: AssembleRequest,
        profile: ModelProfile,
        retrieved: Retrieved,
        tokens: _Tokens,
        now: datetime,
        watch: Stopwatch,
        progress: _Progress,
    ) -> Assembly:
        timings = progress.timings_ms
        nonce = self.new_nonce()
        directive = retrieved.directive if retrieved.directive and retrieved.directive.text else None
        started = watch.elapsed_ms()
        frame_texts = [formatter.render(directive, [], nonce=nonce), formatter.frame(nonce=nonce)]
        frames = await self.counter.count_many(frame_texts, profile.tokenizer_family)
        terms = budget.compute(
            profile,
            messages=tokens.messages,
            tools=tokens.tools,
            directive=frames[0].tokens,
            formatter=frames[1].tokens,
            memory_tokens=await self._memory_tokens(request, profile),
            exact=tokens.exact and frames[0].exact,
        )
        started = _lap(timings, "budget", started, watch)
        considered, dropped = self._score(request, retrieved, profile, now)
        started = _lap(timings, "score", started, watch)
        costs = [in_family(scored.memory.tokens, profile.tokenizer_family) for scored, _ in considered]
        packed = packer.pack(
            [
                packer.Item(cost, scored.score, scored.memory.vector)
                for (scored, _), cost in zip(considered, costs, strict=True)
            ],
            terms.available,
            most=request.options.max_memories,
        )
        started = _lap(timings, "pack", started, watch)
        chosen = list(packed.chosen)
        text, total = await self._render(directive, considered, chosen, nonce, profile, terms, frames[0].tokens)
        included = formatter.in_order([considered[index][0].memory for index in chosen])
        messages = formatter.inject(request.messages, text, directive.injection_mode if directive else "system_first")
        _lap(timings, "format", started, watch)
        overflow = set(packed.over_budget) | (set(packed.chosen) - set(chosen))
        disposition = dict.fromkeys(chosen, "included")
        disposition |= dict.fromkeys(packed.duplicates, "duplicate") | dict.fromkeys(overflow, "budget")
        candidates = [
            Candidate(scored, disposition[index], costs[index], evidence.dense, evidence.lexical, evidence.hot)
            for index, (scored, evidence) in enumerate(considered)
        ]
        return Assembly(
            messages=messages,
            memory_ids=tuple(memory.id for memory in included),
            directive_injected=directive is not None,
            directive_version=directive.version if directive else 0,
            memories_available=len(considered),
            total_tokens_injected=total,
            was_truncated=bool(overflow),
            fallback_reason=",".join(missing(retrieved.reports)),
            tier="postgres" if retrieved.reports["cold"].status == "ok" else "none",
            sources=retrieved.reports,
            timings_ms=dict(timings),
            budget=terms,
            packing=packed.method,
            candidates=[*candidates, *dropped] if request.options.explain else None,
        )

    async def _memory_tokens(self, request: AssembleRequest, profile: ModelProfile) -> int:
        """The cap on injected memory: the request's, else the organization's, else ours; 0 is none but the window."""
        if request.options.memory_tokens is not None:
            return request.options.memory_tokens or profile.window
        try:
            organization = await self.directory.organization(request.org_id)
        except StoreError:
            organization = None
        if organization is not None and organization.memory_tokens is not None:
            return organization.memory_tokens
        return self.settings.memory_tokens

    def _score(
        self, request: AssembleRequest, retrieved: Retrieved, profile: ModelProfile, now: datetime
    ) -> tuple[list[tuple[scorer.Scored, Evidence]], list[Candidate]]:
        """Best first, and the candidates that never competed: filtered out, or below the floor."""
        options = request.options
        floor = self.settings.relevance_floor if options.relevance_floor is None else options.relevance_floor
        relevance = fusion.fuse(
            np.array([evidence.dense or 0.0 for evidence in retrieved.evidence]),
            np.array([evidence.lexical or 0.0 for evidence in retrieved.evidence]),
        )
        by_id = {evidence.memory.id: evidence for evidence in retrieved.evidence}
        everything = scorer.score(
            [evidence.memory for evidence in retrieved.evidence],
            relevance,
            weights=scorer.weights_of(options.weights),
            now=now,
        )
        competing: list[tuple[scorer.Scored, Evidence]] = []
        dropped: list[Candidate] = []
        for scored in everything:
            evidence = by_id[scored.memory.id]
            if not self._is_wanted(request, scored, now):
                dropped.append(_dropped(scored, evidence, "filtered", profile))
            elif scored.factors["relevance"] < floor:
                dropped.append(_dropped(scored, evidence, "floor", profile))
            else:
                competing.append((scored, evidence))
        return competing, dropped

    def _is_wanted(self, request: AssembleRequest, scored: scorer.Scored, now: datetime) -> bool:
        memory = scored.memory
        return (
            memory.is_visible(agent_id=request.agent_id, user_id=request.user_id, now=now)
            and memory.confidence >= self.settings.minimum_confidence
            and (not request.options.categories or memory.category in request.options.categories)
        )

    async def _render(
        self,
        directive: Directive | None,
        considered: Sequence[tuple[scorer.Scored, Evidence]],
        chosen: list[int],
        nonce: str,
        profile: ModelProfile,
        terms: budget.Budget,
        directive_tokens: int,
    ) -> tuple[str, int]:
        """The text and its tokens; should the whole count more than its lines did, the last one chosen goes."""
        while True:
            text = formatter.render(directive, [considered[index][0].memory for index in chosen], nonce=nonce)
            total = (await self.counter.count_many([text], profile.tokenizer_family))[0].tokens if text else 0
            if not chosen or total <= directive_tokens + terms.formatter + terms.available:
                return text, total
            chosen.pop()

    def _late(self, request: AssembleRequest, progress: _Progress) -> Assembly:
        """The second and third rung of the ladder: the directive alone if it may be released, else nothing."""
        retrieved = progress.retrieved
        if not progress.authorised or retrieved is None or not retrieved.directive or not retrieved.directive.text:
            return _unchanged(request, "assembly_timeout", retrieved, progress.timings_ms)
        directive = retrieved.directive
        text = formatter.render(directive, [], nonce=self.new_nonce())
        return Assembly(
            messages=formatter.inject(request.messages, text, directive.injection_mode),
            directive_injected=True,
            directive_version=directive.version,
            total_tokens_injected=len(text.encode()) // ESTIMATED_BYTES_PER_TOKEN,
            fallback_reason="assembly_timeout",
            sources=retrieved.reports,
            timings_ms=dict(progress.timings_ms),
        )

    def _afterwards(
        self,
        request: AssembleRequest,
        assembly: Assembly,
        retrieved: Retrieved,
        now: datetime,
        afterwards: Afterwards,
    ) -> None:
        directive = retrieved.directive
        if directive is not None and retrieved.directive_uncached:
            afterwards.add(
                "cache_directive", lambda: self.cache.put_directive(request.org_id, request.agent_id, directive)
            )
        if retrieved.hot_is_cold:
            afterwards.add(
                "refill_hot_set",
                lambda: refill(self.cache, self.embeddings, request.org_id, request.agent_id, now),
            )
        if assembly.memory_ids:
            event = {
                "event_id": str(self.new_id()),
                "org_id": str(request.org_id),
                "agent_id": str(request.agent_id),
                "memory_ids": [str(identifier) for identifier in assembly.memory_ids],
                "kind": "assembly",
                "at": now.isoformat(),
                "session_id": request.session_id,
                "user_id": request.user_id,
            }
            afterwards.add("usage", lambda: self.usage.send([event]))


def _lap(timings: dict[str, float], stage: str, started: float, watch: Stopwatch) -> float:
    now = watch.elapsed_ms()
    timings[stage] = now - started
    return now


def _dropped(scored: scorer.Scored, evidence: Evidence, disposition: str, profile: ModelProfile) -> Candidate:
    tokens = in_family(scored.memory.tokens, profile.tokenizer_family)
    return Candidate(scored, disposition, tokens, evidence.dense, evidence.lexical, evidence.hot)


def _unchanged(
    request: AssembleRequest, reason: str, retrieved: Retrieved | None, timings_ms: Mapping[str, float]
) -> Assembly:
    return Assembly(
        messages=request.messages,
        fallback_reason=reason,
        sources=retrieved.reports if retrieved else {},
        timings_ms=dict(timings_ms),
    )
