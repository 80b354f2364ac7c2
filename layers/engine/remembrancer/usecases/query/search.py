"""Step 4: everything that may matter, from every source of the tier at once; filters are part of each search."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import numpy as np

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.lexical_index import bm25, subjects
from remembrancer.domain.lexical_index.bm25 import Wanted
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.hot_score import CAPACITY
from remembrancer.ports.cache import AgentCache, AgentSnapshot
from remembrancer.ports.identity import Directory, Organization
from remembrancer.ports.search import Matched, MemorySearch, SearchAnswer, Stemmer
from remembrancer.usecases.query import map_search
from remembrancer.usecases.query.embedding import Embedded, QueryEmbedding
from remembrancer.usecases.query.hypotheses import Hypothesised, Hypothesiser
from remembrancer.usecases.query.map_search import MAP_MS, MapSearch
from remembrancer.usecases.query.plan import Plan
from remembrancer.usecases.query.similarity import Vectors, cosines
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.deadline import SKIPPED, Outcome, abandon, found_by, is_short
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps

FEWEST_EACH = 10
"""Candidates that each hypothesis brings at least; it brings k where that is more."""

KNOWN_MS = 10.0
"""How long the names that a scope knows are waited for, before the query is embedded with all of them."""
KNOWN_SHARE = 0.05
"""Of the tier's deadline, where that is longer."""

Cosines = Callable[[Sequence[Memory]], Mapping[int, float]]
"""By the number of a memory's id."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory and what each source knows of it: the best cosine, the words in it; None where there is none."""

    memory: Memory
    similarity: float | None = None
    words: Matched | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """What arrived in time; `vectors` are the query's and its hypotheses', by model.

    `as_of` is the state of the agent's memories that was searched, where that was a map's; `cached` what the agent's
    cache said; `stored` the numbers of those candidates that the store itself found just now.
    """

    embedded: Embedded
    hypothesised: Hypothesised
    candidates: Sequence[Candidate]
    reports: Mapping[str, SourceReport]
    vectors: Mapping[str, Vectors]
    words: "Words"
    strategy: str = "none"
    as_of: Change | None = None
    cached: AgentSnapshot | None = None
    stored: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Words:
    """Search by words; `names` are the query's words by the hash that they are indexed under."""

    found: Sequence[Matched] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    organization: Organization | None = None
    short: bool = False


@dataclass(frozen=True, slots=True)
class CandidateSearch:
    """All sources; `hypothesiser` is None without a language model, `maps` where none are kept.

    `map_ms` is how long a map waits for each of the two things that it needs to be current.
    """

    directory: Directory
    embedding: QueryEmbedding
    search: MemorySearch
    stemmer: Stemmer
    cache: AgentCache
    hypothesiser: Hypothesiser | None = None
    maps: MemoryMaps | None = None
    map_ms: float = MAP_MS

    async def search_all(self, plan: Plan, afterwards: Afterwards, *, believe_map: bool = True) -> Searched:
        """At the plan's bound for searches at the latest.

        Without `believe_map` a map that the store has contradicted is not asked again, and made anew afterwards.
        """
        reading = asyncio.ensure_future(self._hot(plan))
        try:
            mapped = await self._map(plan, reading, afterwards, believe=believe_map)
            store = mapped or self.search
            (names, embedded, raw), (hypothesised, hypothetical), words, hot = await asyncio.gather(
                self._nearest(store, plan, afterwards),
                self._hypothetical(store, plan, afterwards),
                plan.searching.run("lexical", self._matching(store, plan), count=found_by, short=is_short),
                reading,
            )
        except BaseException:
            abandon(reading)
            raise
        vectors = _by_model(embedded, hypothesised)
        answers = [answer for answer in (raw.value, *(hypothetical.value or ())) if answer is not None]
        matched = words.value or Words()
        hyde = hypothetical.report if hypothetical.report.status != "skipped" else hypothesised.report
        known_cosines = partial((mapped.cosines if mapped else cosines), vectors=vectors)
        return Searched(
            embedded=embedded,
            hypothesised=hypothesised,
            candidates=merge(_admitted(hot.value, plan.filters), answers, matched.found, known_cosines),
            reports={
                "names": names,
                "embed": embedded.report,
                "vector": raw.report,
                "lexical": words.report,
                "hot": hot.report,
                "hyde": hyde,
            },
            vectors=vectors,
            words=matched,
            strategy=raw.value.strategy if raw.value else "none",
            as_of=mapped.map.change if mapped else None,
            cached=hot.value,
            stored=frozenset() if mapped else _numbers(answers, matched.found),
        )

    async def _map(
        self,
        plan: Plan,
        reading: "asyncio.Future[Outcome[AgentSnapshot]]",
        afterwards: Afterwards,
        *,
        believe: bool,
    ) -> MapSearch | None:
        if self.maps is None or plan.scope.agent_id is None:
            return None
        if not believe:
            afterwards.add("refresh_map", map_search.as_stored(self.maps, plan), may_wait=False)
            return None
        return await map_search.current(
            self.maps, plan, reading, model=self.model, bound_ms=self.map_ms, afterwards=afterwards
        )

    @property
    def model(self) -> str:
        """That the stored vectors are of."""
        return self.embedding.embedder.model

    async def _nearest(
        self, store: MemorySearch, plan: Plan, afterwards: Afterwards
    ) -> tuple[SourceReport, Embedded, Outcome[SearchAnswer]]:
        text, names = await self._what_is_asked(store, plan)
        embedded = await self.embedding.embed(plan.scope, text, plan.searching, afterwards)
        search = store.nearest(
            plan.scope, embedded.vector, plan.filters, model=embedded.model, limit=plan.limit, now=plan.now
        )
        return names, embedded, await plan.searching.run("vector", search, count=found_by, short=is_short)

    async def _hypothetical(
        self, store: MemorySearch, plan: Plan, afterwards: Afterwards
    ) -> tuple[Hypothesised, Outcome[Sequence[SearchAnswer]]]:
        if self.hypothesiser is None or not plan.hyde:
            return Hypothesised(""), SKIPPED
        hypothesised = await self.hypothesiser.vectors(plan, afterwards)
        if not len(hypothesised.vectors):
            return hypothesised, SKIPPED

        async def search_each() -> Sequence[SearchAnswer]:
            limit = max(plan.request.k, FEWEST_EACH)
            searches = [
                store.nearest(plan.scope, vector, plan.filters, model=hypothesised.model, limit=limit, now=plan.now)
                for vector in hypothesised.vectors
            ]
            return await asyncio.gather(*searches)

        return hypothesised, await plan.searching.run(
            "hyde",
            search_each(),
            count=_union,
            short=lambda answers: any(map(is_short, answers)),
        )

    async def _matching(self, store: MemorySearch, plan: Plan) -> Words:
        organization = await self.directory.organization(plan.scope.org_id)
        if organization is None:
            return Words()
        wanted = self._wanted(plan, organization)
        answer = await store.matching(plan.scope, wanted, plan.filters, limit=plan.limit, now=plan.now)
        return Words(answer.found, wanted.called, organization, answer.short)

    def names(self, plan: Plan, organization: Organization) -> Mapping[int, str]:
        """What the query looks for, by the hash that it is indexed under."""
        return self._wanted(plan, organization).called

    def _wanted(self, plan: Plan, organization: Organization) -> Wanted:
        stemmer = self.stemmer
        return bm25.wanted(plan.request.query, key=organization.term_key, stem=stemmer.stem, kinds=stemmer.kinds)

    async def _what_is_asked(self, store: MemorySearch, plan: Plan) -> tuple[str, SourceReport]:
        """The query without the names of those whose words are remembered: that they said it is evidence of its own."""
        named = subjects.named(plan.request.query)
        if not named.certain or not named.names:
            return plan.request.query, SourceReport("skipped")

        async def known() -> frozenset[str]:
            organization = await self.directory.organization(plan.scope.org_id)
            if organization is None:
                return frozenset()
            hashes = {bm25.speaker_hash(organization.term_key, name): name for name in named.names}
            return frozenset(hashes[term] for term in await store.known(plan.scope, list(hashes)))

        deadline = plan.searching.soon(max(KNOWN_MS, KNOWN_SHARE * plan.following.end_ms))
        found = await deadline.run("names", known(), count=len)
        return subjects.without(plan.request.query, named, found.value or frozenset()), found.report

    async def _hot(self, plan: Plan) -> Outcome[AgentSnapshot]:
        """The hot set is an agent's: without one there is none."""
        scope = plan.scope
        if scope.agent_id is None:
            return SKIPPED
        known = self.maps.find(scope.org_id, scope.agent_id) if self.maps else None
        state = known.change if known else None

        async def read(agent_id: UUID) -> AgentSnapshot:
            found = await self.cache.read(scope.org_id, agent_id, scope.end_user, CAPACITY, known=state)
            return map_search.hot(found, known, plan)

        hot = read(scope.agent_id)
        return await plan.searching.run("hot", hot, count=lambda found: len(found.hot))


def merge(
    hot: Sequence[Memory], answers: Sequence[SearchAnswer], words: Sequence[Matched], known: Cosines
) -> list[Candidate]:
    """One candidate a memory, most similar first; a stored row is newer than a cached one.

    The similarity is the best that any search gave, or what is `known` of it otherwise.
    """
    # By number: a UUID hashes and compares in Python.
    found = {matched.memory.id.int: matched for matched in words}
    rows = {memory.id.int: memory for memory in hot}
    rows |= {identifier: matched.memory for identifier, matched in found.items()}
    rows |= {similar.memory.id.int: similar.memory for answer in answers for similar in answer.found}
    similarity = dict(known(list(rows.values())))
    for answer in answers:
        for similar in answer.found:
            identifier = similar.memory.id.int
            similarity[identifier] = max(similarity.get(identifier, 0.0), similar.similarity)
    order = sorted(rows, key=lambda identifier: (-similarity.get(identifier, 0.0), identifier))
    return [Candidate(rows[identifier], similarity.get(identifier), found.get(identifier)) for identifier in order]


def _numbers(answers: Sequence[SearchAnswer], words: Sequence[Matched]) -> frozenset[int]:
    found = (similar.memory.id.int for answer in answers for similar in answer.found)
    return frozenset(found).union(matched.memory.id.int for matched in words)


def _by_model(embedded: Embedded, hypothesised: Hypothesised) -> dict[str, Vectors]:
    vectors = {embedded.model: embedded.vector[None]}
    if len(hypothesised.vectors):
        others = vectors.get(hypothesised.model)
        vectors[hypothesised.model] = (
            hypothesised.vectors if others is None else np.concatenate([others, hypothesised.vectors])
        )
    return vectors


def _union(answers: Sequence[SearchAnswer]) -> int:
    """How many memories the hypotheses found."""
    return len({similar.memory.id for answer in answers for similar in answer.found})


def _admitted(snapshot: AgentSnapshot | None, filters: Filters) -> list[Memory]:
    return [memory for memory in snapshot.hot if filters.admits(memory)] if snapshot else []
