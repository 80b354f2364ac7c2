"""Turns retrieved memories into messages ready to send: budget, score, pack, format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context import budget, excerpts, formatter, packer, placement, prefix
from remembrancer.domain.context.assembly import (
    Assembly,
    Explanation,
    SourceReport,
    missing,
)
from remembrancer.domain.context.budget import Budget
from remembrancer.domain.context.chat_messages import Message
from remembrancer.domain.context.excerpts import Excerpt
from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.domain.context.prefix import Added
from remembrancer.domain.context.token_counts import ClientTokens, part_in_family
from remembrancer.domain.context.told import ToldBlock, ToldMemory
from remembrancer.domain.memories import pins
from remembrancer.domain.memories.duplicates import Wording
from remembrancer.domain.memories.memory import NO_DIRECTIVE, Directive, Memory
from remembrancer.domain.ranking import assembly_score
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.identity import Directory
from remembrancer.ports.models import TokenCounter
from remembrancer.usecases.assembly import earlier, scoring
from remembrancer.usecases.assembly.earlier import EarlierBlocks
from remembrancer.usecases.assembly.plan import FORMAT_RESERVE_MS, AssemblyPlan
from remembrancer.usecases.assembly.scoring import Ordered, Selection
from remembrancer.usecases.encryption.opening import opened_in_time
from remembrancer.usecases.retrieval.deadline import NEVER_RAN
from remembrancer.usecases.retrieval.search import Found

SOURCES = {"directive": "directive", "hot": "hot", "embed": "embed", "cold": "vector", "lexical": "lexical"}
"""Names of the sources in answers, and in retrieval's reports; and `told`, where a session was looked up, and `pinned`,
where something is pinned or that is not known."""
ESTIMATED_BYTES_PER_TOKEN = 2
"""Used for the estimate when counting was late: ordinary text never has more tokens than half its bytes."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """The directive, None without a text, the readable pinned memories, and the parts of the text of both.

    Of the `unreadable` ones only their number counts; `reasons` say why.
    """

    directive: Directive | None
    pinned: Sequence[Memory]
    parts: Sequence[str]
    unreadable: int
    reasons: Sequence[str]

    @property
    def ids(self) -> tuple[UUID, ...]:
        """Those of the pinned memories, in their order."""
        return tuple(memory.id for memory in self.pinned)


@dataclass(frozen=True, slots=True)
class _Rendered:
    """The texts of the standing part and of the memories, the tokens of both and of the first, and which memories they
    contain, in which order.
    """

    standing: str
    text: str
    tokens: int
    standing_tokens: int
    chosen: Sequence[int]
    memories: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The considered `memories` as they would be shown, and the `places` of those that are injected.

    `texts` are memories that were decrypted, by id; `reasons` say why some are unreadable.
    """

    selection: Selection
    packed: packer.Packed
    memories: Sequence[Memory]
    places: Sequence[int]
    excerpts: Mapping[int, Excerpt]
    texts: Mapping[UUID, Memory]
    reasons: Sequence[str]

    @property
    def passages(self) -> Mapping[UUID, tuple[int, ...]]:
        """What is shown of each memory that is not shown whole."""
        return {self.memories[place].id: excerpt.passages for place, excerpt in self.excerpts.items()}


@dataclass(frozen=True, slots=True)
class Composer:
    """Every step of assembly that follows retrieval."""

    directory: Directory
    opener: Cipher
    counter: TokenCounter

    async def count_messages(self, plan: AssemblyPlan) -> ClientTokens:
        """Counts the client's messages beside retrieval; an estimate, so marked, when counting exceeds its time."""
        parts = list(map(budget.texts_of, plan.request.messages))
        texts = [text for of, _ in parts for text in of]
        tools = budget.tool_text(plan.request.tools)
        counting = self.counter.count_many([*texts, tools], plan.profile.tokenizer_family)
        counted = (await plan.retrieving.run("tokens", counting)).value
        exact = counted is not None and all(count.exact for count in counted)
        counts = iter(
            [count.tokens for count in counted] if counted is not None else map(estimated_tokens, [*texts, tools])
        )
        each = [fixed + sum(islice(counts, len(of))) for of, fixed in parts]
        return ClientTokens(budget.MESSAGES_OVERHEAD + sum(each), next(counts), exact, each, tools)

    async def memory_tokens(self, plan: AssemblyPlan) -> int:
        """The cap on injected tokens: the request's, else the organization's, else the default; 0 leaves only the
        window as limit.

        Runs beside retrieval: where the organization's term key is sealed, its settings have to wait for KMS.
        """
        cap = plan.request.options.memory_tokens
        if cap is None:
            asked = self.directory.organization(plan.request.org_id)
            deadline = plan.retrieving.within(plan.bounds.lexical_ms)
            organization = (await deadline.run("organization", asked)).value
            cap = organization.memory_tokens if organization is not None else None
        if cap is None:
            cap = budget.MEMORY_TOKENS
        return cap or plan.profile.window

    async def compose(
        self, plan: AssemblyPlan, found: Found, tokens: ClientTokens, memory_tokens: int, *, nonce: str
    ) -> Assembly:
        """Composes the answer except its total time; memories whose text was not decrypted in time are left out."""
        request, timed, remembered = plan.request, plan.deadline.timed, found.searched.remembered
        standing, told = await self._standing(plan, found, nonce), EarlierBlocks()
        if found.earlier.blocks:
            with timed("told"):
                opening = partial(self._open, plan)
                told = await earlier.rendered(
                    plan,
                    found.earlier,
                    self.counter,
                    opening,
                    nonce=nonce,
                    memory_tokens=memory_tokens,
                    # The agent has acted since the message, or the client names a turn that is known.
                    goes_on=request.question[0] < len(request.messages) - 1 or remembered is not None,
                    pinned=standing.ids,
                )
        with timed("budget"):
            cap = told.left_of(memory_tokens)
            terms = await self._budget(plan.profile, standing.parts, tokens, cap, told.tokens, nonce)
        chosen = await self._chosen(plan, found, terms, told, standing.ids)
        selection, packed = chosen.selection, chosen.packed
        with timed("format"):
            memories, places, passages = chosen.memories, chosen.places, chosen.passages
            if told.own is not None:
                # What the message had in an earlier call of the turn, whatever is found now.
                memories, places = told.own_memories, range(len(told.own_memories))
                passages = {entry.memory_id: entry.passages for entry in told.own.memories}
            rendered = await self._render(standing.parts, memories, places, nonce, plan.profile, terms)
            mode = (found.directive or NO_DIRECTIVE).injection_mode
            messages = _placed(plan, rendered, mode, told)
            prompt = _prompt(plan, tokens, rendered, standing, mode, told) if found.tell is not None else None
        dispositions, reports = _dispositions(chosen, rendered, told), sources(found.reports)
        directive, before = standing.directive, remembered.missing if remembered else ()
        lacks = [*plan.left_out, *missing(reports), *_unconfirmed(found), *standing.reasons, *chosen.reasons, *before]
        reasons = dict.fromkeys(lacks)
        # A first call without memories since a source was missing leaves the next one to find some.
        blocks = _blocks(plan, found, told, rendered, passages, is_told=bool(rendered.memories) or not reasons)
        return Assembly(
            messages=messages,
            memory_ids=tuple(memory.id for memory in rendered.memories),
            pinned_memory_ids=standing.ids,
            earlier_memory_ids=told.memory_ids,
            directive_injected=directive is not None,
            directive_version=directive.version if directive else 0,
            memories_available=remembered.available if remembered else selection.available,
            total_tokens_injected=rendered.tokens + told.tokens,
            was_truncated="budget" in dispositions.values() or bool(chosen.excerpts),
            duplicates=len(packed.duplicates) + (remembered.duplicates if remembered else 0),
            fallback_reason=",".join(reasons),
            unreadable=list(dispositions.values()).count("redacted") + standing.unreadable,
            silent=selection.silent and not rendered.memories,
            helpfulness=None if selection.judged is None else selection.judged.need,
            tier=found.searched.tier,
            map_behind=found.searched.behind,
            sources=reports,
            timings_ms=plan.deadline.account.timings_ms,
            budget=terms,
            packing=packed.method,
            candidates=selection.explained(dispositions, chosen.texts) if request.options.explain else None,
            explanation=self._explanation(plan, selection.floor) if request.options.explain else None,
            passages=passages,
            blocks=blocks,
            prompt=prompt,
            prefix=prefix.compared(found.last, prompt, told.breaks) if found.last and prompt else None,
        )

    async def _standing(self, plan: AssemblyPlan, found: Found, nonce: str) -> _Standing:
        """The standing part of the prompt; pinned memories whose text was not decrypted in time are left out."""
        directive = found.directive if found.directive and found.directive.text else None
        visible = visible_pins(plan, found)
        texts, reasons = await self._open(plan, visible)
        opened = [texts.get(memory.id, memory) for memory in visible]
        readable = [memory for memory in opened if not memory.is_unreadable]
        parts = [formatter.render(directive, [], nonce=nonce), *formatter.pinned(readable, nonce=nonce)]
        return _Standing(directive, readable, parts, len(opened) - len(readable), reasons)

    async def _chosen(
        self, plan: AssemblyPlan, found: Found, terms: Budget, told: EarlierBlocks, pinned: Sequence[UUID]
    ) -> "_Chosen":
        """Scores, packs and opens; memories that are pinned or stand in blocks of earlier messages are not chosen."""
        request, timed = plan.request, plan.deadline.timed
        with timed("score"):
            selection = scoring.weigh(plan, found, budget=terms.available, told=told.memory_ids, pinned=pinned)
            considered = selection.considered
        text: Mapping[UUID, Memory] = {}
        closed_reasons: Sequence[str] = ()
        with timed("pack"):
            if found.searched.remembered is not None:
                packed, shorter = _as_given(considered, found.searched.remembered)
            else:
                competing = considered.first(selection.competing)
                shorter = excerpts.shortened(competing.memories, competing.tokens, request.meaning, terms.available)
                repeats, text, closed_reasons = await self._repeats(plan, competing, selection.vectors(competing))
                packed = packer.pack(
                    _items(competing, shorter, repeats, plan.profile.tokenizer_family),
                    terms.available,
                    most=request.options.most_memories,
                )
                shorter = excerpts.restored(shorter, packed.chosen, terms.available - packed.cost)
        # With explain, the text of every candidate is shown.
        shown = considered.memories
        wanted = (
            [*shown, *selection.left.memories] if request.options.explain else [shown[place] for place in packed.chosen]
        )
        opened, more_reasons = await self._open(plan, [memory for memory in wanted if memory.id not in text])
        text = {**text, **opened}
        memories = [text.get(memory.id, memory) for memory in shown] if text else list(shown)
        for place, excerpt in shorter.items():
            memories[place] = excerpts.shown(memories[place], excerpt.passages)
        places = [place for place in packed.chosen if not memories[place].is_unreadable]
        reasons = list(dict.fromkeys([*told.reasons, *closed_reasons, *more_reasons]))
        return _Chosen(selection, packed, memories, places, shorter, text, reasons)

    def _explanation(self, plan: AssemblyPlan, floor: float) -> Explanation:
        bounds, options = plan.bounds, plan.request.options
        # What this instance reserves beyond that depends on other callers' requests.
        end_ms = min(bounds.retrieval_ms, plan.deadline.end_ms - FORMAT_RESERVE_MS)
        own_ms = {
            "directive": bounds.directive_ms,
            "hot": bounds.hot_ms,
            "embed": bounds.cold_ms,
            "cold": bounds.cold_ms,
            "lexical": bounds.lexical_ms,
            "retrieval": end_ms,
        }
        return Explanation(
            weights=assembly_score.weights_of(options.weights),
            relevance_floor=floor,
            bounds_ms={source: min(bound, end_ms) for source, bound in own_ms.items()},
            started_ms=plan.deadline.account.started_ms,
        )

    async def _repeats(
        self, plan: AssemblyPlan, ordered: Ordered, vectors: NDArray[np.float32]
    ) -> tuple[list[tuple[int, int]], Mapping[UUID, Memory], Sequence[str]]:
        """Pairs of places of memories that say the same; and what `_open` returns for those that were compared.

        Texts are compared, and opened for that, only where vectors are close, which most requests have none of. A
        memory that a newer one may contradict is no duplicate of it, however similar the two are.
        """
        vectors[[place for place, memory in enumerate(ordered.memories) if memory.contradicted_by]] = 0.0
        close = packer.close_pairs(vectors)
        ends = {place: ordered.memories[place] for pair in close for place in pair}
        text, reasons = await self._open(plan, list(ends.values()))
        wordings = {place: Wording.of(text.get(memory.id, memory)) for place, memory in ends.items()}
        return [pair for pair in close if wordings[pair[0]].repeats(wordings[pair[1]])], text, reasons

    async def _open(
        self, plan: AssemblyPlan, memories: Sequence[Memory]
    ) -> tuple[Mapping[UUID, Memory], Sequence[str]]:
        """Decrypted text of sealed memories by id, and the reasons why some memories are unreadable."""
        closed = [memory for memory in memories if memory.is_closed]
        if not closed:
            return {}, ()
        with plan.deadline.timed("open"):
            found, reasons = await opened_in_time(self.opener, plan.request.org_id, closed, plan.opening)
        return {memory.id: memory for memory in found}, reasons

    async def _budget(
        self,
        profile: ModelProfile,
        standing: Sequence[str],
        tokens: ClientTokens,
        memory_tokens: int,
        told: int,
        nonce: str,
    ) -> Budget:
        """`standing` are the directive's text and the parts of the block of pinned memories."""
        texts = [formatter.frame(nonce=nonce), *standing]
        frame_count, directive_count, *pinned_counts = await self.counter.count_many(
            formatter.countable(texts, nonce=nonce), profile.tokenizer_family
        )
        return budget.compute(
            profile,
            tokens,
            directive=directive_count,
            formatter=frame_count.tokens,
            memory_tokens=memory_tokens,
            pinned=sum(count.tokens for count in pinned_counts),
            told=told,
        )

    async def _render(
        self,
        standing: Sequence[str],
        memories: Sequence[Memory],
        chosen: Sequence[int],
        nonce: str,
        profile: ModelProfile,
        terms: Budget,
    ) -> _Rendered:
        """Renders the chosen memories; if the whole has more tokens than were counted for its lines, only as many of
        the first ones as fit.
        """
        most = terms.directive + terms.pinned + terms.formatter + terms.available

        async def rendered(kept: int) -> _Rendered:
            groups = formatter.grouped([memories[index] for index in chosen[:kept]])
            parts = formatter.parts(None, groups, nonce=nonce)
            counted = formatter.countable([*standing, *parts], nonce=nonce)
            counts = await self.counter.count_many(counted, profile.tokenizer_family)
            before = sum(count.tokens for count in counts[: len(standing)])
            tokens = before + sum(count.tokens for count in counts[len(standing) :])
            order = formatter.in_order(groups)
            return _Rendered("".join(standing), "".join(parts), tokens, before, chosen[:kept], order)

        whole = await rendered(len(chosen))
        if whole.tokens <= most or not chosen:
            return whole
        # Nearly always, fewer memories have fewer tokens. What is returned fits in any case.
        fitting, too_many = await rendered(0), len(chosen)
        while len(fitting.chosen) + 1 < too_many:
            tried = await rendered((len(fitting.chosen) + too_many) // 2)
            if tried.tokens <= most:
                fitting = tried
            else:
                too_many = len(tried.chosen)
        return fitting


def _as_given(ordered: Ordered, turn: Turn) -> tuple[packer.Packed, dict[int, Excerpt]]:
    """What the turn was given before, in its order: among themselves, its memories have other scores."""
    places = {memory.id: place for place, memory in enumerate(ordered.memories)}
    given = [(places[entry.memory_id], entry.passages) for entry in turn.found if entry.memory_id in places]
    shown = {place: Excerpt(passages, 0, 0) for place, passages in given if passages}
    return packer.Packed(tuple(place for place, _ in given), (), (), 0, "all"), shown


def _items(
    ordered: Ordered, shorter: Mapping[int, Excerpt], repeats: Sequence[tuple[int, int]], family: str
) -> packer.Items:
    memories, costs = ordered.memories, list(ordered.tokens)
    for place, excerpt in shorter.items():
        costs[place] = excerpt.cost
    return packer.Items(
        costs,
        ordered.values,
        groups=list(map(formatter.place_of, memories)),
        shared=[part_in_family(formatter.shared_tokens(memory), memory.tokens, family) for memory in memories],
        repeats=repeats,
    )


def sources(reports: Mapping[str, SourceReport]) -> dict[str, SourceReport]:
    """The reports of retrieval's sources as answers name them."""
    named = {name: reports.get(source, NEVER_RAN) for name, source in SOURCES.items()}
    told, pinned = (reports.get(name, NEVER_RAN) for name in ("told", "pinned"))
    if told.status != "skipped":
        named["told"] = told
    if pinned.count or pinned.status in {"timeout", "error"}:
        named["pinned"] = pinned
    return named


def visible_pins(plan: AssemblyPlan, found: Found) -> list[Memory]:
    """The pinned memories that this request may see now, in their order."""
    request, end_user = plan.request, pins.owner_of(plan.request.end_user)
    return pins.in_order(
        memory
        for memory in found.pinned
        if memory.is_visible(agent_id=request.agent_id, end_user=end_user, now=plan.now)
    )


def _placed(plan: AssemblyPlan, rendered: _Rendered, mode: str, told: EarlierBlocks) -> list[Message]:
    """The standing part where the directive's `mode` says; the memories before the message that they were found for,
    unless the request wants them in one text with that, or has no such message.
    """
    request = plan.request
    position, _ = request.question
    marked = rendered.standing if _sets_mark(plan, mode) else ""
    standing = "" if marked else rendered.standing
    if _placement(plan) == "system":
        messages = placement.before(request.messages, told.texts)
        return placement.inject(messages, standing + rendered.text, mode, marked=marked)
    messages = placement.before(request.messages, {**told.texts, position: rendered.text})
    return placement.inject(messages, standing, mode, marked=marked)


def _sets_mark(plan: AssemblyPlan, mode: str) -> bool:
    """Whether the standing part ends with a mark of the provider's cache: where the request wants one, the model has
    marks, and the client has set none. In a user message the standing part moves each turn.
    """
    request = plan.request
    if not (request.options.cache_control and plan.profile.has_cache_marks):
        return False
    place = placement.place_of(request.messages, mode)
    stands_in_system = place < 0 or request.messages[place].get("role") in placement.SYSTEM_ROLES
    return stands_in_system and not placement.has_marks([*request.messages, *request.tools])


def _placement(plan: AssemblyPlan) -> str:
    """Where memories stand; with the directive, too, where there is no message that they were found for."""
    position, _ = plan.request.question
    return "system" if position < 0 else plan.placement


def _prompt(
    plan: AssemblyPlan, tokens: ClientTokens, rendered: _Rendered, standing: _Standing, mode: str, told: EarlierBlocks
) -> prefix.Prompt:
    """The prompt by its hashes, with which the session's next one is compared."""
    request, placed = plan.request, _placement(plan)
    position, _ = request.question
    standing_place = placement.place_of(request.messages, mode)
    # A part of its own is another text than one that the client's own follows.
    directive = f"{mode} {_sets_mark(plan, mode)}\n{standing.parts[0]}" if rendered.standing else ""
    pinned = "".join(standing.parts[1:])
    added = {place: Added(text, told.each[place]) for place, text in told.texts.items()}
    for place, text, count in (
        (
            standing_place if placed == "system" else position,
            rendered.text,
            rendered.tokens - rendered.standing_tokens,
        ),
        (standing_place, directive + pinned, rendered.standing_tokens),
    ):
        before = added.get(place, Added("", 0))
        added[place] = Added(before.text + text, before.tokens + count)
    parts = {"model": request.model, "tools": tokens.tool_text, "directive": directive, "pinned": pinned}
    return prefix.Prompt(
        tuple(prefix.digest(parts[name], plan.key) for name in prefix.PARTS),
        tokens.tools,
        placed,
        standing_place,
        prefix.hashed(request.messages, tokens.each, added, plan.key),
    )


def _dispositions(chosen: _Chosen, rendered: _Rendered, told: EarlierBlocks) -> dict[int, str]:
    """Of the considered memories by position."""
    if told.own is not None:
        own = {memory.id for memory in rendered.memories}
        return {place: "included" if memory.id in own else "budget" for place, memory in enumerate(chosen.memories)}
    found = dict.fromkeys(range(len(chosen.memories)), "budget") | dict.fromkeys(chosen.packed.duplicates, "duplicate")
    unreadable = set(chosen.packed.chosen).difference(chosen.places)
    return found | dict.fromkeys(rendered.chosen, "included") | dict.fromkeys(unreadable, "redacted")


def _blocks(
    plan: AssemblyPlan,
    found: Found,
    told: EarlierBlocks,
    rendered: _Rendered,
    passages: Mapping[UUID, tuple[int, ...]],
    *,
    is_told: bool,
) -> tuple[Sequence[ToldBlock], Sequence[ToldBlock]]:
    """What the session has been told with this answer, where it `is_told`, and what it forgets."""
    position, _ = plan.request.question
    said = next((message for message in found.earlier.said or () if message.position == position), None)
    if said is None or told.own is not None or not is_told:
        return told.changed, told.dropped
    memories = tuple(ToldMemory(one.id, one.version, passages.get(one.id, ())) for one in rendered.memories)
    return [*told.changed, ToldBlock(told.number, said.text, said.before, memories)], told.dropped


def _unconfirmed(found: Found) -> list[str]:
    return [f"unconfirmed:{found.unconfirmed}"] if found.unconfirmed else []


def estimated_tokens(text: str) -> int:
    """An estimate of tokens that is too high rather than too low."""
    return len(text.encode("utf-8", "surrogatepass")) // ESTIMATED_BYTES_PER_TOKEN
