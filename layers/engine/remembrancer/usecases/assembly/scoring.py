"""Orders what retrieval found, and decides which memories compete for the budget: none where none helps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context import formatter
from remembrancer.domain.context.assembly import AssembleRequest, AssemblyOptions, Candidate
from remembrancer.domain.context.token_counts import in_family
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.ranking import assembly_score, fusion, hybrid_ranking, silence
from remembrancer.domain.ranking.hybrid_ranking import QuerySignals
from remembrancer.domain.ranking.silence import Verdict
from remembrancer.domain.retrieval.asked_time import PRESENT, AskedTime
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.settings import Settings
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.retriever import Retrieved

COMPETING_BUDGETS = 1.5
FEWEST_COMPETING = 70
"""The best candidates that together would fill this many budgets compete in packing, and at least this number: worse
ones are hardly ever chosen, but cost time.
"""
_MOST = {Verdict.HELPS: None, Verdict.UNSURE: silence.UNSURE_MEMORIES, Verdict.SILENT: 0}
SEARCHES = ("cold", "lexical")
"""The sources that must have answered before a turn may be silent."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weighed:
    """`considered` are the candidates that may be injected, best first; `left` the others, only for explanations.

    `available` counts the candidates above the floor. `silent`: they were left out, since none helps with the turn;
    where that is unsure, only the best are considered. `helpfulness` is None where this was not decided.
    """

    considered: Sequence[Candidate]
    available: int
    floor: float
    left: Sequence[Candidate] = ()
    helpfulness: float | None = None
    silent: bool = False


def weigh(plan: AssemblyPlan, retrieved: Retrieved, settings: Settings, *, budget: int) -> Weighed:
    """Orders the memories by relative evidence, after those below the floor of absolute relevance were left out.

    Without `explain`, only candidates that compete for this budget are returned.
    """
    request, options, found = plan.request, plan.request.options, retrieved.evidence
    memories = [evidence.memory for evidence in found]
    columns = Columns.of(found)
    absolute, relative = relevance(columns, memories, request.query, plan.now)
    time = retrieved.search.filters.time if retrieved.search else PRESENT
    wanted = _wanted(request, memories, time, settings, plan.now)
    likely = _helpfulness(plan, retrieved, columns, wanted)
    floor = _floor(options, settings, is_sure=silence.is_sure(likely) or retrieved.remembered is not None)
    is_chosen = wanted & (absolute >= floor)
    weights = assembly_score.weights_of(options.weights)
    family = plan.profile.tokenizer_family

    def candidates(rows: NDArray[np.intp], *, filled: float = np.inf, most: int | None = None) -> list[Candidate]:
        """Candidates of these rows, best first, until their tokens fill this budget; at most `most`."""
        scores = assembly_score.scores_of(
            [memories[row] for row in rows.tolist()], relative[rows], weights=weights, now=plan.now
        )
        made: list[Candidate] = []
        together = 0
        for place in scores.order[:most]:
            if together > filled and len(made) >= FEWEST_COMPETING:
                break
            row = int(rows[place])
            tokens = _tokens(memories[row], family)
            together += tokens
            made.append(Candidate(scores.scored(place), found[row], float(absolute[row]), tokens))
        return made

    helpfulness = likely if _may_be_silent(options, settings) else None
    kept = _MOST[silence.verdict(helpfulness)]
    chosen, remembered = np.flatnonzero(is_chosen), retrieved.remembered
    left: list[Candidate] = []
    if options.explain:
        considered = candidates(chosen)
        withheld = [replace(one, disposition="silence") for one in considered[kept:]] if kept is not None else []
        unwanted = {memories[row].id for row in np.flatnonzero(~wanted).tolist()}
        left = withheld + [
            replace(one, disposition="filtered" if one.scored.memory.id in unwanted else "floor")
            for one in candidates(np.flatnonzero(~is_chosen))
        ]
    else:
        considered = [] if kept == 0 else candidates(chosen, filled=COMPETING_BUDGETS * budget, most=kept)
    return Weighed(
        considered[:kept],
        len(chosen),
        floor,
        left,
        helpfulness,
        silent=remembered.silent if remembered is not None else kept == 0 and bool(len(chosen)),
    )


def _floor(options: AssemblyOptions, settings: Settings, *, is_sure: bool) -> float:
    """The request's floor, else the deployment's, of which a part counts where it is sure that memories help."""
    if options.relevance_floor is not None:
        return options.relevance_floor
    return settings.relevance_floor * (silence.SURE_FLOOR if is_sure else 1.0)


def _may_be_silent(options: AssemblyOptions, settings: Settings) -> bool:
    return settings.silence if options.silence is None else options.silence


def competing(candidates: Sequence[Candidate], budget: int) -> Sequence[Candidate]:
    """The first candidates, best first, until they fill the budget `COMPETING_BUDGETS` times; `FEWEST_COMPETING` or
    more.
    """
    filled = np.cumsum([one.tokens for one in candidates])
    return candidates[: max(int(np.searchsorted(filled, COMPETING_BUDGETS * budget)) + 1, FEWEST_COMPETING)]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The evidence of all candidates, (n,) each, 0 where a source did not find a memory.

    `has_dense` and `has_words` say whether vector search, and lexical search, found anything.
    """

    dense: Floats
    content: Floats
    context: Floats
    subject: Floats
    has_dense: bool
    has_words: bool

    @classmethod
    def of(cls, found: Sequence[Evidence]) -> "Columns":
        """The columns in the order of the evidence."""
        dense, content = [one.dense for one in found], [one.content for one in found]
        return cls(
            dense=np.array([value or 0.0 for value in dense]),
            content=np.array([value or 0.0 for value in content]),
            context=np.array([one.context or 0.0 for one in found]),
            subject=np.array([one.subject for one in found]),
            has_dense=any(value is not None for value in dense),
            has_words=any(value is not None for value in content),
        )

    @property
    def lexical(self) -> Floats:
        """Content and context with equal weight."""
        return (self.content + self.context) / 2


def relevance(columns: Columns, memories: Sequence[Memory], query: str, now: datetime) -> tuple[Floats, Floats]:
    """The absolute relevance, on which the floor acts, and the relative, which orders; (n,) each, in [0, 1]."""
    sessions = fusion.Sessions.of(memories)
    period = fusion.period_closeness(memories, query, now)
    signals = QuerySignals(
        semantic=columns.dense,
        lexical=hybrid_ranking.over_best(columns.content),
        context=hybrid_ranking.over_best(columns.context),
        subject=columns.subject,
        period=period,
        # Clusters would be another round trip; a memory without one counts its own cosine.
        cluster=columns.dense,
    )
    absolute = fusion.fuse(
        fusion.Signals(
            columns.dense if columns.has_dense else None,
            columns.lexical if columns.has_words else None,
            columns.subject,
            period,
        ),
        sessions,
    )
    return absolute, hybrid_ranking.evidence(memories, signals, sessions)


def _helpfulness(plan: AssemblyPlan, retrieved: Retrieved, columns: Columns, wanted: NDArray[np.bool_]) -> float | None:
    """Of the wanted candidates; None where a search is missing, or the turn was decided before."""
    if retrieved.remembered is not None:
        return None
    reports = retrieved.reports
    if any(name not in reports or reports[name].status != "ok" for name in SEARCHES):
        return None
    evidence = silence.TurnEvidence.of(
        plan.request.query,
        columns.dense[wanted],
        columns.lexical[wanted],
        columns.subject[wanted],
        information=retrieved.information,
    )
    return evidence.helpfulness if evidence is not None else None


def _wanted(
    request: AssembleRequest, memories: Sequence[Memory], time: AskedTime, settings: Settings, now: datetime
) -> NDArray[np.bool_]:
    """Which memories may be injected at all, however relevant they are; (n,)."""
    least, categories = settings.minimum_confidence, request.options.categories
    agent_id, end_user = request.agent_id, request.end_user
    wanted = [
        memory.confidence >= least
        and memory.is_visible(agent_id=agent_id, end_user=end_user, now=now)
        and time.admits(memory, now=now)
        and (not categories or memory.category in categories)
        for memory in memories
    ]
    return np.array(wanted, bool)


def _tokens(memory: Memory, family: str) -> int:
    return in_family(memory.tokens, family) + (formatter.DOUBT_TOKENS if memory.contradicted_by else 0)
