"""Context assembly: retrieve, score, pack, format, inside a hard deadline (docs/deadlines.md)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import partial
from uuid import UUID

from remembrancer.domain.context import budget, formatter, placement
from remembrancer.domain.context.assembly import AssembleRequest, Assembly, AssemblyOptions
from remembrancer.domain.context.nonce import COUNTED_NONCE, nonce_of
from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import NO_DIRECTIVE
from remembrancer.domain.retrieval.turn_key import Turn, TurnMemory
from remembrancer.domain.times import time_zone
from remembrancer.errors import RequestError
from remembrancer.ports.identity import Directory
from remembrancer.ports.models import Catalogue
from remembrancer.ports.system import Clock, Queue
from remembrancer.ports.usage import UsageEvent
from remembrancer.settings import Bounds
from remembrancer.usecases.assembly import compose
from remembrancer.usecases.assembly.admission import Admission, Admitted, Extent
from remembrancer.usecases.assembly.compose import Composer, estimated_tokens
from remembrancer.usecases.assembly.composing_time import ComposingTime
from remembrancer.usecases.assembly.plan import OVERLOAD, AssemblyPlan
from remembrancer.usecases.assembly.retriever import Retriever
from remembrancer.usecases.capture.assembled import AssembledTurns
from remembrancer.usecases.identity import time_zones
from remembrancer.usecases.identity.authorise import require_agent, require_organization
from remembrancer.usecases.retrieval.after_response import NOTHING_AFTERWARDS, Afterwards, schedule
from remembrancer.usecases.retrieval.deadline import Deadline, abandon
from remembrancer.usecases.retrieval.search import Found
from remembrancer.usecases.usage import usage_events

SCOPE = "assemble"
NAMING_SECONDS = 0.01
"""Most seconds for naming the agent that was probably meant, of a deadline that the refusal has to meet."""
DEFAULT_MODEL = "gpt-4o"
"""A new instance warms up with it, and opens its vocabulary first."""
REHEARSAL_MS = 2000.0
ANSWER_RESERVE_MS = 5.0
"""Time in ms before the deadline that is reserved for serializing the answer."""


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential: its principal as `known` from an earlier acceptance on this instance, and the check that runs
    beside retrieval.

    The usage of the answer is counted once for each `event_id`.
    """

    known: Principal
    principal: Awaitable[Principal]
    event_id: Callable[[Principal], UUID]


@dataclass(slots=True)
class _Progress:
    """Intermediate results; when the deadline comes first, the answer is made from them."""

    accepted: Found | None = None
    """The retrieved memories, set once the credential was accepted."""
    nonce: str = ""
    """Set with them: its key comes with the agent."""


@dataclass(frozen=True, slots=True)
class Assembler:
    """The use case; one instance serves every request of a warm function."""

    retriever: Retriever
    directory: Directory
    usage: Queue
    composer: Composer
    turns: AssembledTurns
    catalogue: Catalogue
    bounds: Bounds
    clock: Clock
    new_id: Callable[[], UUID]
    admission: Admission
    composing: ComposingTime = field(default_factory=ComposingTime)

    async def assemble(
        self,
        request: AssembleRequest,
        known: Principal,
        principal: Awaitable[Principal],
        deadline: Deadline,
        afterwards: Afterwards,
        *,
        event_id: Callable[[Principal], UUID] | None = None,
    ) -> Assembly:
        """Returns the answer early enough to be sent by the deadline.

        The usage of its memories is counted once for each `event_id`; without an `event_id`, with every call. `known`
        is the principal of the credential as this instance last accepted it: agents that this principal may not name
        are not searched. `principal`, the check of the credential, is awaited beside retrieval, and no stored data is
        returned before it has passed: raises RequestError when the credential is refused, returns the client's messages
        unchanged when it could not be checked.
        """
        progress = _Progress()
        end = deadline.reserving(ANSWER_RESERVE_MS)
        profile = self.catalogue.lookup(request.model)
        bounds = self.bounds.reaching(deadline.end_ms)
        plan = AssemblyPlan(request, profile, self.clock.now(), end, bounds, self.composing.expected_ms(end))
        credential = Credential(known, principal, event_id or (lambda _: self.new_id()))
        admitted = self.admission.begin(end.left_ms)
        if admitted is None:
            assembly = unchanged(request, OVERLOAD)
        else:
            assembly = await self._admitted(admitted, plan, credential, progress, afterwards)
        timings = {**assembly.timings_ms, "total": deadline.elapsed_ms}
        return replace(assembly, timings_ms=timings, deadline_ms=deadline.end_ms)

    async def _admitted(
        self,
        admitted: Admitted,
        plan: AssemblyPlan,
        credential: Credential,
        progress: _Progress,
        afterwards: Afterwards,
    ) -> Assembly:
        is_finished = False
        try:
            if admitted.extent is Extent.DIRECTIVE:
                plan = plan.without_searches()
            assembly = await self._in_time(plan, credential, progress, afterwards)
            is_finished = "timeout" not in assembly.fallback_reason
            return assembly
        finally:
            self.admission.end(admitted, finished=is_finished)

    async def _in_time(
        self, plan: AssemblyPlan, credential: Credential, progress: _Progress, afterwards: Afterwards
    ) -> Assembly:
        """The answer, or at the deadline what there is of it."""
        work = asyncio.ensure_future(self._assemble(plan, credential, progress, afterwards))
        try:
            await plan.deadline.wait(work)
        except asyncio.CancelledError:
            abandon(work)
            raise
        if work.done():
            return work.result()
        abandon(work)
        self._note(plan, progress)
        return self._late(plan, progress)

    async def warm(self) -> None:
        """Runs every code path of a request once, for an agent that does not exist; loads the database of time
        zones.
        """
        time_zone.first("UTC")
        nobody = UUID(int=0)
        request = AssembleRequest(
            nobody,
            nobody,
            DEFAULT_MODEL,
            "",
            [{"role": "user", "content": "rehearsal"}],
            options=AssemblyOptions(hyde=False),
        )
        deadline = Deadline.begin(self.clock, REHEARSAL_MS)
        plan = AssemblyPlan(request, self.catalogue.lookup(request.model), self.clock.now(), deadline, self.bounds)
        found = await self.retriever.retrieve(plan, NOTHING_AFTERWARDS, rows=1)
        tokens = await self.composer.count_messages(plan)
        await self.composer.compose(plan, found, tokens, await self.composer.memory_tokens(plan), nonce=COUNTED_NONCE)

    def known_id(self, request: AssembleRequest, known: Principal) -> UUID | None:
        """The agent's id, if this instance has it without I/O."""
        if request.agent_name is None:
            return request.agent_id
        return self.directory.remembered_id(known, request.agent_name)

    async def _assemble(
        self, plan: AssemblyPlan, credential: Credential, progress: _Progress, afterwards: Afterwards
    ) -> Assembly:
        request, deadline = plan.request, plan.retrieving
        checking = deadline.run("credential", self._authorise(request, credential.principal))
        identity = asyncio.ensure_future(checking)
        agent_id = self.known_id(request, credential.known)
        if agent_id is None or not _may_ask(credential.known, request):
            # Do not search for an agent that the credential may not name, nor for a name that is not resolved yet.
            allowed = await identity
            if allowed.value is None:
                return unchanged(request, f"credential_{allowed.report.reason}")
            agent_id = allowed.value[1].agent_id
        asked = plan
        if agent_id != request.agent_id:
            request = replace(request, agent_id=agent_id)
            plan = replace(plan, request=request)
        gathered = asyncio.gather(
            self.retriever.retrieve(plan, afterwards, rows=self._rows(plan)),
            self.composer.count_messages(plan),
            self.composer.memory_tokens(plan),
        )
        try:
            await deadline.wait(identity, gathered)
            if identity.done() and (checked := identity.result()).value is None:
                # A refusal or a failed check is returned without waiting for the searches.
                abandon(gathered)
                return unchanged(request, f"credential_{checked.report.reason}")
            found, tokens, cap = await gathered
            retrieved_ms = deadline.elapsed_ms
            allowed = await identity
        except BaseException:
            abandon(identity)
            abandon(gathered)
            raise
        if allowed.value is None:
            return unchanged(request, f"credential_{allowed.report.reason}")
        accepted, agent, zone = allowed.value
        usual_placement = placement.first(agent.placement, agent.organization_placement)
        plan = replace(plan, zone=zone, usual_placement=usual_placement, key=agent.nonce_key)
        if agent.agent_id != request.agent_id:
            # The name was given to another agent since it was last resolved.
            return await self._assemble(asked, credential, progress, afterwards)
        now = agent if found.state is None else found.state
        found = self._usable(plan, found, uses_memories=now.uses_memories)
        progress.accepted = found
        progress.nonce = nonce_of(
            accepted.org_id, agent.agent_id, accepted.end_user.text, request.session_id, key=agent.nonce_key
        )
        deadline.account.timings_ms.update({"retrieval": retrieved_ms, "credential": allowed.report.latency_ms})
        if now.capture:
            self.turns.schedule(request, accepted, afterwards)
        # Also when the answer is late: otherwise a slow instance would never build the caches that make it faster.
        schedule([work for work in found.work if plan.searches or not work.of_memories], afterwards)
        assembly = await self.composer.compose(plan, found, tokens, cap, nonce=progress.nonce)
        self._note(plan, progress)
        self._record(plan, assembly, found, afterwards, credential.event_id(accepted), accepted.actor)
        return assembly

    def _usable(self, plan: AssemblyPlan, found: Found, *, uses_memories: bool) -> Found:
        """What was found, without what the prompt has no place for."""
        if not (self.retriever.enabled and uses_memories):
            return found.without_memories()
        return found.without_earlier() if plan.placement == "system" else found

    async def _authorise(
        self, request: AssembleRequest, principal: Awaitable[Principal]
    ) -> tuple[Principal, Agent, tzinfo]:
        """Returns the principal, the requested agent, and the time zone of the end user."""
        allowed = await principal
        require_organization(allowed, request.org_id)
        allowed = allowed.acting_for(request.end_user.text)
        agent, zone = await asyncio.gather(
            require_agent(allowed, request.agent, self.directory, naming_seconds=NAMING_SECONDS),
            time_zones.of_request(request.time_zone, request.query, allowed, self.directory),
        )
        return allowed, agent, time_zone.first(zone, agent.time_zone)

    def _rows(self, plan: AssemblyPlan) -> int:
        """The number of candidates for each search: fewer where little can be injected, estimated before tokens are
        counted.
        """
        request = plan.request
        if request.options.max_memories == 0:
            return 0
        cap = request.options.memory_tokens
        room = budget.expected_memory(plan.profile, budget.characters(request.messages))
        # A cap of 0 means that only the window limits the memories.
        return budget.rows_for(min(room, cap or room))

    def _late(self, plan: AssemblyPlan, progress: _Progress) -> Assembly:
        """Levels 2 and 3 of the fallback ladder: the standing part alone if it may be returned, else no injection.

        Of pinned memories, those that would have to be opened are left out, which the answer names.
        """
        request, found = plan.request, progress.accepted
        timings_ms = plan.deadline.account.timings_ms
        if found is None:
            return unchanged(request, ",".join([*plan.left_out, "assembly_timeout"]))
        sources = compose.sources(found.reports)
        pinned = compose.visible_pins(plan, found)
        legible = [memory for memory in pinned if not memory.is_closed]
        lacks = [*plan.left_out, "assembly_timeout", *(["pinned_closed"] if len(legible) < len(pinned) else [])]
        reason = ",".join(lacks)
        directive, nonce = found.directive or NO_DIRECTIVE, progress.nonce
        text = "".join([formatter.render(directive, [], nonce=nonce), *formatter.pinned(legible, nonce=nonce)])
        if not text:
            return replace(unchanged(request, reason), sources=sources, timings_ms=timings_ms)
        return Assembly(
            messages=placement.inject(request.messages, text, directive.injection_mode),
            pinned_memory_ids=tuple(memory.id for memory in legible),
            directive_injected=bool(directive.text),
            directive_version=directive.version if directive.text else 0,
            total_tokens_injected=estimated_tokens(text),
            fallback_reason=reason,
            sources=sources,
            timings_ms=timings_ms,
        )

    def _note(self, plan: AssemblyPlan, progress: _Progress) -> None:
        """An explanation takes longer than the answers that have to be in time; an answer without searches less."""
        if progress.accepted is not None and plan.searches and not plan.request.options.explain:
            self.composing.note(plan.deadline)

    def _record(
        self,
        plan: AssemblyPlan,
        assembly: Assembly,
        found: Found,
        afterwards: Afterwards,
        event_id: UUID,
        actor: str,
    ) -> None:
        """After the response, if it is this answer: records its usage, its turn and its session."""
        request = plan.request
        if found.tell is not None:
            schedule([found.tell(*assembly.blocks, assembly.prompt)], afterwards)
        if found.searched.remembered is not None:
            # On repeated requests of a turn: its memories were counted with the first request.
            return
        if found.remember is not None and (assembly.memory_ids or _is_complete(plan, found, assembly)):
            schedule([found.remember(_turn(found, assembly))], afterwards)
        if assembly.memory_ids:
            event = UsageEvent(
                event_id,
                request.org_id,
                request.agent_id,
                assembly.memory_ids,
                "assembly",
                plan.now,
                session_id=request.session_id,
                user_id=request.user_id,
                actor=actor,
            )
            count = partial(self.usage.send, [usage_events.message(event)])
            afterwards.add("usage", count, first=True, if_sent=True)


def _is_complete(plan: AssemblyPlan, found: Found, assembly: Assembly) -> bool:
    """Whether nothing was missing, also of what callers are not told about."""
    others = plan.deadline.account.of("hyde", "graph").values()
    is_whole = all(report.status in {"ok", "skipped"} for report in others)
    return found.searched.tier != "none" and is_whole and not found.searched.behind and not assembly.fallback_reason


def _turn(found: Found, assembly: Assembly) -> Turn:
    """What the turn was given, also where its message had it before and it is not found now."""
    candidates, ids = found.candidates, assembly.memory_ids
    found_now = {item.memory.id: TurnMemory.of(item) for item in candidates.at(candidates.memories.rows_among(ids))}
    given = [found_now.get(memory_id, TurnMemory(memory_id, None, None, None)) for memory_id in ids]
    return Turn(
        tuple(replace(entry, passages=assembly.passages.get(entry.memory_id, ())) for entry in given),
        assembly.memories_available,
        silent=assembly.silent,
        duplicates=assembly.duplicates,
        missing=tuple(one for one in assembly.fallback_reason.split(",") if one and not one.startswith("told_")),
    )


def unchanged(request: AssembleRequest, reason: str) -> Assembly:
    """The client's messages unchanged, with the reason; contains nothing that depends on stored data."""
    return Assembly(messages=request.messages, fallback_reason=reason)


def _may_ask(known: Principal, request: AssembleRequest) -> bool:
    """Whether the pending check of the credential can still pass."""
    try:
        known.require(SCOPE)
        require_organization(known, request.org_id)
        known.acting_for(request.user_id)
    except RequestError:
        return False
    return True
