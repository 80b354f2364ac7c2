"""Orders what retrieval found, and decides which memories compete for the budget: none where none helps."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context import formatter
from remembrancer.domain.context.assembly import AssembleRequest, AssemblyOptions, Candidate
from remembrancer.domain.context.token_counts import in_family
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.ranking import assembly_score, fusion, hybrid_ranking, silence
from remembrancer.domain.ranking.assembly_score import Scores
from remembrancer.domain.ranking.hybrid_ranking import QuerySignals
from remembrancer.domain.ranking.silence import Verdict
from remembrancer.domain.retrieval.asked_time import AskedTime, asked_time
from remembrancer.domain.retrieval.candidates import Candidates, or_zero
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.search import Found

COMPETING_BUDGETS = 1.5
FEWEST_COMPETING = 70
"""The best candidates that together would fill this many budgets compete in packing, and at least this number: worse
ones are hardly ever chosen, but cost time.
"""
MADE_TOGETHER = 20
"""How many of the candidates after these are looked up at a time."""
_MOST = {Verdict.HELPS: None, Verdict.UNSURE: silence.UNSURE_MEMORIES, Verdict.SILENT: 0}
SEARCHES = ("vector", "lexical")
"""The sources that must have answered before a turn may be silent."""

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

    `available` counts the candidates above the floor. `silent`: they were left out, since none helps with the turn;
    where that is unsure, only the best are considered. `helpfulness` is None where this was not decided. Only for
    explanations: `withheld` were left out for silence, `below` the floor or otherwise; then `unwanted` has their
    dispositions by row.
    """

    considered: Ordered
    competing: int
    available: int
    floor: float
    evidence: Candidates
    relevance: Floats
    scores: Scores
    helpfulness: float | None = None
    silent: bool = False
    withheld: Ordered = NONE
    below: Ordered = NONE
    unwanted: Mapping[int, str] = field(default_factory=dict)

    @property
    def left(self) -> Sequence[Memory]:
        """Those that are not considered; only for explanations."""
        return [*self.withheld.memories, *self.below.memories]

    def vectors(self, ordered: Ordered) -> NDArray[np.float32]:
        """(n, dimensions): the unit vectors of these memories, zeros for one that has none."""
        return self.evidence.memories.vectors(ordered.rows)

    def explained(self, dispositions: Mapping[int, str], texts: Mapping[UUID, Memory]) -> list[Candidate]:
        """Every candidate with its reasons. `dispositions` are those of the considered ones by position; `texts` are
        the memories that were decrypted.
        """
        left = (self.unwanted.get(row, "floor") for row in self.below.rows)
        return [
            *self._explained(self.considered, (dispositions[place] for place in range(len(self.considered))), texts),
            *self._explained(self.withheld, ["silence"] * len(self.withheld), texts),
            *self._explained(self.below, left, texts),
        ]

    def _explained(
        self, ordered: Ordered, dispositions: Iterable[str], texts: Mapping[UUID, Memory]
    ) -> Sequence[Candidate]:
        scored = self.scores.scored(ordered.rows, [texts.get(one.id, one) for one in ordered.memories])
        relevance = self.relevance[list(ordered.rows)].tolist()
        return list(map(Candidate, scored, self.evidence.at(ordered.rows), relevance, ordered.tokens, dispositions))


def weigh(plan: AssemblyPlan, found: Found, *, budget: int, told: Collection[UUID] = ()) -> Selection:
    """Orders the memories by relative evidence, after those below the floor of absolute relevance were left out.

    Without `explain`, only candidates that compete for this budget are returned. Those that were `told` before in the
    session are not told again.
    """
    request, options, candidates = plan.request, plan.request.options, found.candidates
    memories, described, remembered = candidates.memories, candidates.memories.columns, found.searched.remembered
    absolute, relative = relevance(candidates, described, request.query, plan.local_now)
    time = asked_time(request.query, as_of=options.as_of, now=plan.local_now)
    wanted = _wanted(request, candidates, described, time, plan.now)
    told_rows = memories.rows_among(told)
    wanted[told_rows] = False
    likely = _helpfulness(plan, found, wanted)
    floor = _floor(options, is_sure=silence.is_sure(likely) or remembered is not None)
    # What a turn was given before was above the floor then, beside other candidates.
    is_chosen = wanted & (absolute >= floor) if remembered is None else wanted
    weights = assembly_score.weights_of(options.weights)
    scores = assembly_score.scores_of(memories, described, relative, weights=weights, now=plan.now)
    family = plan.profile.tokenizer_family

    def ordered(rows: NDArray[np.intp], *, filled: float = np.inf, most: int | None = None) -> Ordered:
        """These rows, best first, until their tokens fill this budget or soon after; at most `most`."""
        best = scores.order(rows)[:most]
        made: list[Memory] = []
        tokens: list[int] = []
        while len(made) < len(best) and sum(tokens) <= filled:
            batch = memories.at(best[len(made) :][: MADE_TOGETHER if made else FEWEST_COMPETING])
            made += batch
            tokens += [_tokens(one, family) for one in batch]
        best = best[: len(made)]
        return Ordered(best, made, scores.totals[best].tolist(), tokens)

    helpfulness = None if options.silence is False else likely
    kept = _MOST[silence.verdict(helpfulness)]
    chosen = np.flatnonzero(is_chosen)
    withheld = below = NONE
    unwanted: dict[int, str] = {}
    if options.explain:
        considered = ordered(chosen)
        withheld = considered.after(kept) if kept is not None else NONE
        considered = considered.first(kept)
        competing = _competing(considered.tokens, budget)
        below = ordered(np.flatnonzero(~is_chosen))
        unwanted = dict.fromkeys(np.flatnonzero(~wanted).tolist(), "filtered") | dict.fromkeys(told_rows, "told")
    else:
        considered = NONE if kept == 0 else ordered(chosen, filled=COMPETING_BUDGETS * budget, most=kept)
        competing = _competing(considered.tokens, budget)
        considered = considered.first(competing)
    return Selection(
        considered,
        competing,
        len(chosen),
        floor,
        candidates,
        absolute,
        scores,
        helpfulness,
        silent=remembered.silent if remembered is not None else kept == 0 and bool(len(chosen)),
        withheld=withheld,
        below=below,
        unwanted=unwanted,
    )


def _floor(options: AssemblyOptions, *, is_sure: bool) -> float:
    """The request's floor, else the usual one, of which a part counts where it is sure that memories help."""
    if options.relevance_floor is not None:
        return options.relevance_floor
    return assembly_score.RELEVANCE_FLOOR * (silence.SURE_FLOOR if is_sure else 1.0)


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


def _helpfulness(plan: AssemblyPlan, found: Found, wanted: NDArray[np.bool_]) -> float | None:
    """Of the wanted candidates; None where a search is missing, or the turn was decided before."""
    if found.searched.remembered is not None:
        return None
    candidates, reports = found.candidates, found.reports
    if any(name not in reports or reports[name].status != "ok" for name in SEARCHES):
        return None
    evidence = silence.TurnEvidence.of(
        plan.request.query,
        or_zero(candidates.dense[wanted]),
        candidates.lexical[wanted],
        candidates.subject[wanted],
        information=found.information,
    )
    return evidence.helpfulness if evidence is not None else None


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
    return in_family(memory.tokens, family) + (formatter.DOUBT_TOKENS if memory.contradicted_by else 0)
