"""Orders what retrieval found, and decides which memories compete for the budget: none where none helps."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context import formatter
from remembrancer.domain.context.assembly import AssembleRequest, Candidate
from remembrancer.domain.context.token_counts import in_family
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.ranking import assembly_score, fusion, helpfulness, hybrid_ranking, ownership
from remembrancer.domain.ranking.assembly_score import Scores
from remembrancer.domain.ranking.helpfulness import Judged, Signals
from remembrancer.domain.ranking.hybrid_ranking import QuerySignals
from remembrancer.domain.retrieval.asked_time import AskedTime, asked_time
from remembrancer.domain.retrieval.candidates import Candidates, FoundMemories, or_zero
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.search import SEARCHES, Found

COMPETING_BUDGETS = 1.5
MOST_CONTRADICTED = 8
"""How far a chain of memories is followed of which each may contradict the one before it. An end user can make one of
hundreds, and each step orders all that helps anew.
"""
FEWEST_COMPETING = 70
"""The best candidates that together would fill this many budgets compete in packing, and at least this number: worse
ones are hardly ever chosen, but cost time.
"""
MADE_TOGETHER = 20
"""How many of the candidates after these are looked up at a time."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ordered:
    """Memories best first, in parallel lists: `rows` are theirs among the candidates, `tokens` what they cost."""

    rows: Sequence[int]
    memories: Sequence[Memory]
    scores: Sequence[float]
    tokens: Sequence[int]

    def __len__(self) -> int:
        return len(self.rows)

    def first(self, count: int | None) -> "Ordered":
        """The best so many; all of them for None."""
        return Ordered(self.rows[:count], self.memories[:count], self.scores[:count], self.tokens[:count])

    def after(self, count: int) -> "Ordered":
        """All but the best so many."""
        return Ordered(self.rows[count:], self.memories[count:], self.scores[count:], self.tokens[count:])

    @property
    def values(self) -> list[float]:
        """What the packer sums up."""
        return [assembly_score.value(score) for score in self.scores]


NONE = Ordered((), (), (), ())


@dataclass(frozen=True, slots=True)
class Selection:
    """`considered` are the candidates that may be injected, of which the best `competing` compete in packing.

    `available` counts those that may be injected. `silent`: there were candidates, but none helps with the turn.
    `judged` is None where this was not judged. Only for explanations: `left` were left out, for the reasons in
    `unwanted`, by row.
    """

    considered: Ordered
    competing: int
    available: int
    floor: float
    evidence: Candidates
    relevance: Floats
    scores: Scores
    judged: Judged | None = None
    silent: bool = False
    left: Ordered = NONE
    unwanted: Mapping[int, str] = field(default_factory=dict)

    def vectors(self, ordered: Ordered) -> NDArray[np.float32]:
        """(n, dimensions): the unit vectors of these memories, zeros for one that has none."""
        return self.evidence.memories.vectors(ordered.rows)

    def explained(self, dispositions: Mapping[int, str], texts: Mapping[UUID, Memory]) -> list[Candidate]:
        """Every candidate with its reasons. `dispositions` are those of the considered ones by position; `texts` are
        the memories that were decrypted.
        """
        reason = "silence" if self.silent else "floor"
        left = (self.unwanted.get(row, reason) for row in self.left.rows)
        return [
            *self._explained(self.considered, (dispositions[place] for place in range(len(self.considered))), texts),
            *self._explained(self.left, left, texts),
        ]

    def _explained(
        self, ordered: Ordered, dispositions: Iterable[str], texts: Mapping[UUID, Memory]
    ) -> Sequence[Candidate]:
        scored = self.scores.scored(ordered.rows, [texts.get(one.id, one) for one in ordered.memories])
        rows = list(ordered.rows)
        relevance = self.relevance[rows].tolist()
        judged, nothing = self.judged, [None] * len(rows)
        helps = nothing if judged is None else judged.helps[rows].tolist()
        probability = nothing if judged is None else judged.probability[rows].tolist()
        found = self.evidence.at(rows)
        return list(map(Candidate, scored, found, relevance, ordered.tokens, dispositions, helps, probability))


def weigh(
    plan: AssemblyPlan, found: Found, *, budget: int, told: Collection[UUID] = (), pinned: Collection[UUID] = ()
) -> Selection:
    """Orders the memories that help with the turn by their relative evidence.

    Without `explain`, only candidates that compete for this budget are returned. Those that were `told` before in the
    session, or are `pinned`, are not injected again, but others are compared with them: a turn that they answer needs
    nothing else.
    """
    request, options, candidates = plan.request, plan.request.options, found.candidates
    memories, described, remembered = candidates.memories, candidates.memories.columns, found.searched.remembered
    absolute, relative = relevance(candidates, described, request.query, plan.local_now)
    if ownership.asks_for_own(request.query) and (own := memories.owned(request.end_user)).any():
        relative = ownership.favouring_own(relative, own)
    time = asked_time(request.query, as_of=options.as_of, now=plan.local_now)
    wanted = _wanted(request, candidates, described, time, plan.now)
    judged = _judged(plan, found, described, wanted, relative)
    is_helpful, floor = _helpful(plan, found, judged, absolute)
    told_rows, pinned_rows = memories.rows_among(told), memories.rows_among(pinned)
    is_new = wanted.copy()
    is_new[[*told_rows, *pinned_rows]] = False
    weights = assembly_score.weights_of(options.weights)
    scores = assembly_score.scores_of(memories, described, relative, weights=weights, now=plan.now)
    family = plan.profile.tokenizer_family

    def ordered(rows: NDArray[np.intp], *, filled: float = np.inf) -> Ordered:
        """These rows, best first, until their tokens fill this budget or soon after."""
        best = scores.order(rows)
        made: list[Memory] = []
        tokens: list[int] = []
        while len(made) < len(best) and sum(tokens) <= filled:
            batch = memories.at(best[len(made) :][: MADE_TOGETHER if made else FEWEST_COMPETING])
            made += batch
            tokens += [_tokens(one, family) for one in batch]
        best = best[: len(made)]
        return Ordered(best, made, scores.totals[best].tolist(), tokens)

    def helpful() -> Ordered:
        return ordered(
            np.flatnonzero(is_new & is_helpful), filled=np.inf if options.explain else COMPETING_BUDGETS * budget
        )

    left, unwanted = NONE, dict[int, str]()
    considered = helpful()
    for _ in range(MOST_CONTRADICTED):
        # What may be out of date is not told without what says so.
        newer = [row for row in _newer(memories, considered) if is_new[row] and not is_helpful[row]]
        if not newer:
            break
        is_helpful[newer] = True
        considered = helpful()
    competing = _competing(considered.tokens, budget)
    if options.explain:
        left = ordered(np.flatnonzero(~(is_new & is_helpful)))
        unwanted = dict.fromkeys(np.flatnonzero(~wanted).tolist(), "filtered") | dict.fromkeys(told_rows, "told")
        unwanted |= dict.fromkeys(pinned_rows, "pinned")
    else:
        considered = considered.first(competing)
    is_silent = judged is not None and bool(wanted.any()) and not bool((wanted & is_helpful).any())
    return Selection(
        considered,
        competing,
        int(np.count_nonzero(is_new & is_helpful)),
        floor,
        candidates,
        absolute,
        scores,
        judged,
        silent=remembered.silent if remembered is not None else is_silent,
        left=left,
        unwanted=unwanted,
    )


def _judged(
    plan: AssemblyPlan, found: Found, described: MemoryColumns, wanted: NDArray[np.bool_], relative: Floats
) -> Judged | None:
    """With 0 for those that are not wanted. None where a search is missing, with too few candidates to compare, and
    where the turn was judged before.
    """
    candidates, reports = found.candidates, found.reports
    if found.searched.remembered is not None or np.count_nonzero(wanted) < helpfulness.FEWEST_CANDIDATES:
        return None
    if any(name not in reports or reports[name].status != "ok" for name in SEARCHES):
        return None
    signals = Signals(
        or_zero(candidates.dense[wanted]),
        candidates.lexical[wanted],
        candidates.subject[wanted],
        relative[wanted],
        described.tokens[wanted].astype(np.float64),
        found.information,
    )
    embedded = found.searched.embedded
    vector = None if embedded.vectors is None else embedded.vectors[0]
    evidence = signals.evidence(plan.request.meaning, vector, embedded.model)
    likely, helps = np.zeros(len(wanted)), np.zeros(len(wanted))
    likely[wanted] = signals.likely(evidence)
    helps[wanted] = helpfulness.in_prompt(evidence, likely[wanted])
    return Judged(evidence.need, helps, likely)


def _helpful(
    plan: AssemblyPlan, found: Found, judged: Judged | None, absolute: Floats
) -> tuple[NDArray[np.bool_], float]:
    """Which candidates help, (n,), and the floor of relevance that counted: the request's, or the usual one where
    nothing could be judged. What a turn was given before is given again.
    """
    options = plan.request.options
    if found.searched.remembered is not None:
        return np.ones(len(absolute), bool), 0.0
    floor = options.relevance_floor
    if floor is None:
        floor = assembly_score.RELEVANCE_FLOOR if judged is None else 0.0
    is_helpful = absolute >= floor
    if judged is None:
        return is_helpful, floor
    helps, line = judged.helps, helpfulness.LINES[options.thoroughness]
    if options.silence is False:
        # Whether the turn needs any is not asked: only how they compare.
        helps = helps / judged.need**helpfulness.CERTAINTY
    if options.relevance_floor is not None:
        # The request's floor takes the line's place, but a turn that needs nothing stays silent.
        return is_helpful & bool(helps.max() >= line), floor
    return is_helpful & (helps >= line), floor


def _newer(memories: FoundMemories, considered: Ordered) -> list[int]:
    """Rows of the found memories that may contradict one of these, and are newer."""
    return memories.rows_among({newer for memory in considered.memories for newer in memory.contradicted_by})


def _competing(tokens: Sequence[int], budget: int) -> int:
    """How many of the first fill the budget `COMPETING_BUDGETS` times; `FEWEST_COMPETING` or more."""
    filling = sum(filled < COMPETING_BUDGETS * budget for filled in accumulate(tokens)) + 1
    return min(len(tokens), max(filling, FEWEST_COMPETING))


def relevance(found: Candidates, described: MemoryColumns, query: str, now: datetime) -> tuple[Floats, Floats]:
    """The absolute relevance, on which the floor acts, and the relative, which orders; (n,) each, in [0, 1]."""
    sessions = fusion.Sessions.of(described.session)
    period = fusion.period_closeness(described, query, now)
    content, context = or_zero(found.content), or_zero(found.context)
    lexical = hybrid_ranking.over_best(content)
    dense = hybrid_ranking.expected(found.dense, lexical)
    signals = QuerySignals(
        semantic=dense,
        lexical=lexical,
        context=hybrid_ranking.over_best(context),
        subject=found.subject,
        period=period,
        # Clusters would be another round trip; a memory without one counts its own cosine.
        cluster=dense,
    )
    absolute = fusion.fuse(
        fusion.Signals(
            None if np.isnan(found.dense).all() else dense,
            None if np.isnan(found.content).all() else (content + context) / 2,
            found.subject,
            period,
        ),
        sessions,
    )
    return absolute, hybrid_ranking.evidence(described, signals, sessions)


def _wanted(
    request: AssembleRequest,
    found: Candidates,
    described: MemoryColumns,
    time: AskedTime,
    now: datetime,
) -> NDArray[np.bool_]:
    """Which memories may be injected at all, however relevant they are; (n,). The last check of every row, whichever
    source it came from.
    """
    moment = now.timestamp()
    wanted = found.memories.visible(request.agent_id, request.end_user)
    wanted &= (described.confidence >= assembly_score.MINIMUM_CONFIDENCE) & time.passing(
        described.begins, described.ends, now=now
    )
    wanted &= (described.valid <= moment) & (described.expires > moment)
    if categories := request.options.categories:
        wanted &= described.is_of(categories)
    return wanted


def _tokens(memory: Memory, family: str) -> int:
    return in_family(memory.tokens, family) + formatter.conflict_tokens(memory)
