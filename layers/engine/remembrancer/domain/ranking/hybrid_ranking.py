"""The ranking of the memory query: weighted factors, normalised over the batch, with an explanation.

Assembly orders its candidates by the same evidence, without the factors for which it has its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby, pairwise
from operator import itemgetter
from typing import overload

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.ranking.fusion import Sessions
from remembrancer.domain.ranking.score_boosts import NONE, Boosts
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.requests.rounding import figure, figures

Floats = NDArray[np.float64]

DEFAULT_WEIGHTS: Mapping[str, float] = {
    "semantic": 0.50,
    "cluster": 0.10,
    "recency": 0.15,
    "importance": 0.15,
    "usage": 0.10,
    "quality": 0.0,
    "decay": 0.0,
    "lexical": 0.25,
    "context": 0.35,
    "subject": 0.50,
    "period": 0.75,
    "session": 0.45,
    "detail": 0.25,
}
"""The seven factors of the specification, then additional ones, whose weights were chosen by measurement."""
FACTORS = tuple(DEFAULT_WEIGHTS)
_COLUMNS = {name: column for column, name in enumerate(FACTORS)}
OWN_EVIDENCE = ("semantic", "cluster", "lexical", "context", "subject")
"""The factors from which the support of a session is computed."""
EVIDENCE = (*OWN_EVIDENCE, "period", "session", "detail")
"""The factors that say how well a memory answers the query."""
VARIANCE_FLOOR = 0.02
FLAT = 1e-12
"""Values that vary less are taken as equal."""
DECAY_HALF_LIFE_DAYS = 30.0
DETAILED_TOKENS = 256
"""Tokens from which the `detail` factor of a memory is at its maximum."""
QUESTION_DETAIL = 0.5
"""What remains of that factor for a memory that ends with a question: it asks more than it tells."""


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of one memory: raw value, normalised value, weight."""

    raw: float
    normalised: float
    weight: float

    @property
    def contribution(self) -> float:
        """The factor's share of the hybrid score."""
        return self.weight * self.normalised

    def as_json(self) -> dict[str, float]:
        """The factor under its wire names."""
        return {
            "raw": figure(self.raw),
            "normalised": figure(self.normalised),
            "weight": figure(self.weight),
            "contribution": figure(self.contribution),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Factors(Mapping[str, Factor]):
    """One memory's rows of the batch; factors are created on access, since most candidates are never explained."""

    raw: Floats
    normalised: Floats
    weights: Floats

    def __getitem__(self, name: str) -> Factor:
        column = _COLUMNS[name]
        return Factor(float(self.raw[column]), float(self.normalised[column]), float(self.weights[column]))

    def __iter__(self) -> Iterator[str]:
        return iter(FACTORS)

    def __len__(self) -> int:
        return len(FACTORS)

    def as_json(self) -> dict[str, dict[str, float]]:
        """All of them as `Factor.as_json` gives each, without an object of each."""
        contributions = self.weights * self.normalised
        columns = (figures(column.tolist()) for column in (self.raw, self.normalised, self.weights, contributions))
        return {
            name: {"raw": raw, "normalised": normalised, "weight": weight, "contribution": contribution}
            for name, raw, normalised, weight, contribution in zip(FACTORS, *columns, strict=True)
        }


def factors_json(factors: Mapping[str, Factor]) -> dict[str, dict[str, float]]:
    """The factors of one memory under their wire names."""
    if isinstance(factors, Factors):
        return factors.as_json()
    return {name: factor.as_json() for name, factor in factors.items()}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory with its hybrid score, the factors that sum to it, and its boosts; `helps` is its helpfulness, None
    where that was not judged.
    """

    memory: Memory
    hybrid_score: float
    factors: Mapping[str, Factor]
    boosts: Boosts = NONE
    helps: float | None = None

    @property
    def final_score(self) -> float:
        """Hybrid score plus the total of the boosts, unrounded."""
        return self.hybrid_score + self.boosts.total


@dataclass(frozen=True, slots=True, eq=False)
class Batch(Sequence[Ranked]):
    """A ranked batch, best first; entries are created on access, since most candidates are never read.

    `order` has the row numbers; the other arrays are (n, factors) and (n,). `use` replaces that of the memories;
    `helps` is None where helpfulness was not judged.
    """

    order: Sequence[int]
    memories: Sequence[Memory]
    use: UseCounts
    hybrid: Floats
    raw: Floats
    normalised: Floats
    weights: Floats
    helps: Floats | None = None

    @overload
    def __getitem__(self, place: int) -> Ranked: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Ranked]: ...

    def __getitem__(self, place: int | slice) -> Ranked | Sequence[Ranked]:
        if isinstance(place, slice):
            return [self._made(row) for row in self.order[place]]
        return self._made(self.order[place])

    def __len__(self) -> int:
        return len(self.order)

    def _made(self, row: int) -> Ranked:
        factors = Factors(self.raw[row], self.normalised[row], self.weights)
        helps = None if self.helps is None else float(self.helps[row])
        return Ranked(self.use.of_row(row, self.memories[row]), float(self.hybrid[row]), factors, helps=helps)

    def helping(self, line: float) -> "Batch":
        """Those with this helpfulness or more."""
        helps = self.helps
        return self if helps is None else replace(self, order=[row for row in self.order if helps[row] >= line])


Ranges = Mapping[str, tuple[float, float]]
"""Minimum and maximum raw value of each factor in a batch."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranked batch; `ranges` were used to normalise it."""

    ranked: Sequence[Ranked]
    tiebreak_applied: bool
    ranges: Ranges = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QuerySignals:
    """The results of the searches for a batch, one entry a memory, each in [0, 1]."""

    semantic: Floats
    lexical: Floats
    context: Floats
    subject: Floats
    period: Floats
    cluster: Floats


def weights_of(requested: Mapping[str, float]) -> dict[str, float]:
    """The defaults with the request's weights over them, normalised to sum 1."""
    merged = {factor: requested.get(factor, default) for factor, default in DEFAULT_WEIGHTS.items()}
    total = sum(merged.values())
    if total <= 0:
        return weights_of({})
    return {factor: weight / total for factor, weight in merged.items()}


def rank(
    memories: Sequence[Memory],
    described: MemoryColumns,
    signals: QuerySignals,
    *,
    weights: Mapping[str, float],
    half_life_hours: float,
    now: datetime,
    use: UseCounts | None = None,
    ranges: Ranges | None = None,
    helps: Floats | None = None,
) -> Ranking:
    """Ranks the batch, whose columns are `described`; an empty batch gives an empty ranking.

    `use` is the memories' current one, None where they have it; `helps` their helpfulness, None where that was not
    judged. With the `ranges` of another batch its scale is used,
    so that the scores of both can be compared, and there is no tie-break.
    """
    if not memories:
        return Ranking((), tiebreak_applied=False, ranges=ranges or {})
    use = UseCounts.of(memories) if use is None else use
    columns = _raw(memories, described, signals, use, half_life_hours, now)
    own = _scaled(np.array([columns[name] for name in OWN_EVIDENCE]), _limits(ranges, OWN_EVIDENCE))
    columns["session"] = Sessions.of(described.session).best(_mean(dict(zip(OWN_EVIDENCE, own, strict=True))))
    raw = np.array([columns[name] for name in FACTORS])
    limits = _limits(ranges, FACTORS) or (raw.min(axis=1, keepdims=True), raw.max(axis=1, keepdims=True))
    low, high = (limit[:, 0].tolist() for limit in limits)
    scale = dict(zip(FACTORS, zip(low, high, strict=True), strict=True))
    normalised = np.ascontiguousarray(_scaled(raw, limits).T)
    share = np.array([weights[factor] for factor in FACTORS])
    hybrid = normalised @ share
    tiebreak = bool(ranges is None and len(memories) > 1 and hybrid.std() < VARIANCE_FLOOR)
    order = _order(memories, np.zeros(len(memories)) if tiebreak else hybrid, columns)
    return Ranking(Batch(order, memories, use, hybrid, raw.T, normalised, share, helps), tiebreak, scale)


def helping(ranked: Sequence[Ranked], line: float | None) -> Sequence[Ranked]:
    """Those with this helpfulness or more, in their order; all without a line. One that was not judged helps."""
    if line is None:
        return ranked
    if isinstance(ranked, Batch):
        return ranked.helping(line)
    return [one for one in ranked if one.helps is None or one.helps >= line]


def evidence(described: MemoryColumns, signals: QuerySignals, sessions: Sessions) -> Floats:
    """(n,) in [0, 1]: the weighted mean of the factors of `EVIDENCE`, each normalised over the batch."""
    if not len(described):
        return np.zeros(0)
    raw = _evidence(described, signals)
    columns = dict(zip(raw, _scaled(np.array(list(raw.values()))), strict=True))
    session = sessions.best(_mean({name: columns[name] for name in OWN_EVIDENCE}))
    return _mean(columns | {"session": min_max(session, float(session.min()), float(session.max()))})


def _scaled(table: Floats, limits: tuple[Floats, Floats] | None = None) -> Floats:
    """`min_max` of each row by these limits, (rows, 1) each; by its own least and greatest value without them."""
    low, high = limits or (table.min(axis=1, keepdims=True), table.max(axis=1, keepdims=True))
    varies = high - low >= FLAT
    return np.where(varies, np.clip((table - low) / np.where(varies, high - low, 1.0), 0.0, 1.0), table)


def _mean(columns: Mapping[str, Floats]) -> Floats:
    """The mean of these factors, weighted by their default weights."""
    weights = np.array([DEFAULT_WEIGHTS[name] for name in columns])
    mean: Floats = np.column_stack(list(columns.values())) @ (weights / weights.sum())
    return mean


def over_best(scores: Sequence[float] | Floats) -> Floats:
    """The scores divided by the greatest; unchanged when all are 0."""
    values = np.asarray(scores, dtype=np.float64)
    best = float(values.max(initial=0.0))
    return values / best if best else values


def expected(cosines: Floats, lexical: Floats) -> Floats:
    """The cosines, with one by its words for each memory without a vector (NaN): one that was just written has none
    yet, and would stand behind all that have. The best match by words counts as much as the greatest cosine. All 0
    where there is none.
    """
    unknown = np.isnan(cosines)
    return np.where(unknown, np.fmax.reduce(cosines, initial=0.0) * lexical, cosines) if unknown.any() else cosines


def min_max(values: Floats, low: float, high: float) -> Floats:
    """Scaled to [0, 1] between `low` and `high` and clamped; the raw values where both are equal."""
    return np.clip((values - low) / (high - low), 0.0, 1.0) if high - low >= FLAT else values


def in_final_order(ranked: Iterable[Ranked], *, tiebreak: bool) -> list[Ranked]:
    """Best first: by final score, then semantic, importance, recency and id, all descending.

    In a tie-break the hybrid scores count as equal: boosts decide, then the other keys. A memory whose text is
    unreadable comes after all readable ones.
    """

    def first(result: Ranked) -> tuple[bool, float]:
        return not result.memory.is_unreadable, result.boosts.total if tiebreak else result.final_score

    def then(result: Ranked) -> tuple[float, float, float, bytes]:
        semantic, importance, recency = (result.factors[name].raw for name in ("semantic", "importance", "recency"))
        return semantic, importance, recency, result.memory.id.bytes

    keyed = sorted(((first(result), result) for result in ranked), key=itemgetter(0), reverse=True)
    if all(key != following for (key, _), (following, _) in pairwise(keyed)):
        return [result for _, result in keyed]
    # Few memories tie in the first key: compute the other keys only for these.
    equals = ([result for _, result in group] for _, group in groupby(keyed, key=itemgetter(0)))
    return [
        result for group in equals for result in (sorted(group, key=then, reverse=True) if len(group) > 1 else group)
    ]


def _order(memories: Sequence[Memory], first: Floats, columns: Mapping[str, Floats]) -> list[int]:
    """The row order as `in_final_order` orders them, for memories without boosts."""
    readable = np.array([not memory.is_unreadable for memory in memories], np.float64)
    keys = (columns["recency"], columns["importance"], columns["semantic"], first, readable)
    order = np.lexsort(keys)[::-1]
    rows: list[int] = order.tolist()
    if not np.logical_and.reduce([np.diff(key[order]) == 0 for key in keys]).any():
        return rows
    ids = [memory.id.bytes for memory in memories]
    return sorted(rows, key=lambda row: (*(float(key[row]) for key in keys[::-1]), ids[row]), reverse=True)


def _limits(ranges: Ranges | None, names: Sequence[str]) -> tuple[Floats, Floats] | None:
    """The ranges of these factors, low and high, (factors, 1) each; None without ranges."""
    if not ranges:
        return None
    low, high = np.array([ranges[name] for name in names]).T
    return low[:, None], high[:, None]


def _raw(
    memories: Sequence[Memory],
    described: MemoryColumns,
    signals: QuerySignals,
    use: UseCounts,
    half_life_hours: float,
    now: datetime,
) -> dict[str, Floats]:
    """Raw values of every factor except the session's, which is computed from the others."""
    accessed = use.seconds(described.created)
    age_hours = np.maximum(now.timestamp() - described.created, 0.0) / 3600
    idle_days = np.maximum(now.timestamp() - accessed, 0.0) / 86_400
    usage = np.minimum(1.0, np.log1p(use.counts) / 5)
    kept = np.exp2(-idle_days / DECAY_HALF_LIFE_DAYS)
    return _evidence(described, signals) | {
        "recency": np.exp2(-age_hours / half_life_hours),
        "importance": np.array([memory.importance for memory in memories]),
        "usage": usage,
        "quality": np.array([memory.quality for memory in memories]),
        # Usage takes the share that recency has lost.
        "decay": kept + (1 - kept) * usage,
    }


def _evidence(described: MemoryColumns, signals: QuerySignals) -> dict[str, Floats]:
    """Raw values of the factors of `EVIDENCE` except the session's."""
    detail = np.minimum(1.0, np.log1p(described.tokens) / np.log1p(DETAILED_TOKENS))
    return {
        "semantic": signals.semantic,
        "cluster": signals.cluster,
        "lexical": signals.lexical,
        "context": signals.context,
        "subject": signals.subject,
        "period": signals.period,
        "detail": detail * np.where(described.asks, QUESTION_DETAIL, 1.0),
    }
