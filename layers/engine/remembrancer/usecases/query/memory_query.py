"""The memory query, step by step; validated by `domain.retrieval.query`, authenticated by `identity.authorise`."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from functools import partial
from uuid import UUID

from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.ranking.hybrid_ranking import Ranked
from remembrancer.domain.retrieval import hypotheses
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS
from remembrancer.domain.retrieval.query import QueryAnswer, QueryRequest
from remembrancer.domain.times import time_zone
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.identity import Directory
from remembrancer.ports.search import RecallStore, RelationGraph
from remembrancer.ports.system import Clock, Queue
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.identity import time_zones
from remembrancer.usecases.identity.authorise import require_agent
from remembrancer.usecases.query import account, rows, scoring, texts
from remembrancer.usecases.query.account import Course
from remembrancer.usecases.query.found import Finding, find
from remembrancer.usecases.query.kept_ranking_data import KeptForQuery, KeptRankingData
from remembrancer.usecases.query.plan import MAP_MS, Abilities, QueryPlan, plan
from remembrancer.usecases.query.popular import KeptAnswer, Popularity, PopularQueries
from remembrancer.usecases.retrieval import relations
from remembrancer.usecases.retrieval.after_response import NOTHING_AFTERWARDS, Afterwards
from remembrancer.usecases.retrieval.confirmations import Confirmations
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.searches import Searches
from remembrancer.usecases.usage import usage_events

NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class QueryMemories:
    """The memory query; one instance serves every request of a warm function.

    `hops` is the number of relations followed from the results of hypotheses; `targets_ms` gives the deadline of each
    tier.
    """

    directory: Directory
    searches: Searches
    store: RecallStore
    graph: RelationGraph
    popular: PopularQueries
    ranking_data: KeptRankingData
    confirmations: Confirmations
    opener: Cipher
    usage: Queue
    clock: Clock
    new_id: Callable[[], UUID]
    hops: int = hypotheses.HOPS
    top_k: int = hypotheses.CANDIDATES
    map_ms: float = MAP_MS
    targets_ms: Mapping[str, float] = field(default_factory=lambda: SLA_TARGET_MS)

    async def query(
        self,
        request: QueryRequest,
        principal: Principal,
        deadline: Deadline,
        afterwards: Afterwards,
        *,
        event_id: UUID | None = None,
        fit: Callable[[QueryAnswer], QueryAnswer] = lambda answer: answer,
    ) -> QueryAnswer:
        """Returns the answer within the tier's target, without the sources that would exceed it; `fit` may drop
        results.

        Usage is counted once for each `event_id`; with None, under a new id. Raises NotFound for an agent that does not
        belong to the principal.
        """
        count = partial(self._count, event_id or self.new_id(), afterwards)
        with deadline.timed("scope"):
            # Steps 1 and 2: the query, the principal, and the scope to search.
            planned = await self._authorised(request, principal, deadline)
            finding = Finding(self.searches, planned, afterwards)
            popularity, kept_data = await self._begun(finding)
        if popularity.answer is not None:
            answer = fit(await self._answer_again(planned, popularity, popularity.answer))
            count(planned, popularity, answer.ranked)
            return answer
        with deadline.timed("retrieval"):
            # Steps 3 and 4: the query's vector, and the candidates.
            found = await finding.found()
            organization = await self._organization(planned)
        if popularity.state is not None:
            # The answer may be cached by that state, so the store has to confirm the map after it was read.
            kept_data = None
        with deadline.timed("rows"):
            # Step 5: drop candidates that no longer exist; read the data that ranking needs.
            read = await rows.read(self.store, planned, found, self.confirmations, afterwards, kept_data)
            if planned.tier != "low" and read.contradict(found):
                # The store contradicts the map that was searched, although the cache took it for current. The low tier
                # has no time to search again.
                found = await find(self.searches, planned, afterwards, use_map=False)
                read = await rows.read(self.store, planned, found, self.confirmations, afterwards)
        with deadline.timed("rank"):
            # Steps 6 and 7: factors, hybrid score, tie-break.
            ranked = scoring.rank(
                planned, read.candidates, read.memories, read.described, clusters=read.clusters, use=read.use
            )
        with deadline.timed("graph"):
            # Step 8: follow the relations of the best memories.
            seeds = [one.memory.id for one in ranked.ranked[: request.k]]
            walk = planned.walk(found.searched.embedded.model)
            traversed = await relations.follow(self.graph, walk, seeds, read.circumstances.edges)
        with deadline.timed("open"):
            # Step 9: boosts from relations, person and session. Step 10: the text of the best memories.
            around = read.circumstances
            settled = scoring.boosted(planned, found.searched, ranked, around, traversed, organization)
            chosen = await texts.best(self.opener, planned, settled, ranked, traversed)
        with deadline.timed("compose"):
            # Steps 11 and 12: the answer with its reasons, and the work after the response.
            words = found.searched.words
            names = words.called if words else self._names(planned, organization)
            course = Course(planned, popularity, found, read, ranked, traversed, chosen, names)
            if course.may_be_kept:
                afterwards.add("keep_result", lambda: self.popular.keep(planned, popularity, course.kept()))
            self.ranking_data.follow(planned, found, afterwards)
        answer = fit(course.answer())
        if found.searched.remembered is None:
            # On repeated requests of a turn: its memories were counted with the first request.
            count(planned, popularity, answer.ranked)
            if (turn := course.turn()) is not None:
                self.searches.remember(planned.search, turn, afterwards)
        return answer

    async def warm(self) -> None:
        """Runs every code path of a query once, for an organization that does not exist; loads the database of time
        zones.
        """
        time_zone.first("UTC")
        principal = Principal(NOBODY, "", "", NOBODY, frozenset())
        request = QueryRequest("rehearsal", agent_id=NOBODY, computation_tier="high", hyde=False)
        planned = self._plan(request, principal, Deadline.begin(self.clock))
        # The words of an organization that does not exist are not searched; kinds are loaded with their first use.
        self.searches.stemmer.kinds("")
        await self.popular.find(planned)
        found = await find(self.searches, planned, NOTHING_AFTERWARDS)
        await rows.read(self.store, planned, found, self.confirmations, NOTHING_AFTERWARDS)

    async def _begun(self, finding: Finding) -> tuple[Popularity, KeptForQuery | None]:
        """Begins the searches beside the look-up, where that is free; they are abandoned for a cached answer."""
        popularity = kept_data = None
        try:
            finding.begin()
            kept_data = self.ranking_data.begin(finding.plan)
            popularity = await self.popular.find(finding.plan)
        finally:
            if popularity is None or popularity.answer is not None:
                finding.abandon()
                if kept_data is not None:
                    kept_data.abandon()
        return popularity, kept_data

    async def _authorised(self, request: QueryRequest, principal: Principal, deadline: Deadline) -> QueryPlan:
        reading = time_zones.of_request(request.time_zone, request.query, principal, self.directory)
        if request.agent is None:
            return self._plan(request, principal, deadline, time_zone.first(await reading))
        agent, zone = await asyncio.gather(require_agent(principal, request.agent, self.directory), reading)
        request = replace(request, agent_id=agent.agent_id)
        return self._plan(request, principal, deadline, time_zone.first(zone, agent.time_zone))

    def _plan(self, request: QueryRequest, principal: Principal, deadline: Deadline, zone: tzinfo = UTC) -> QueryPlan:
        has_language_model = self.searches.hypothesiser is not None
        abilities = Abilities(has_language_model, self.hops, self.top_k, self.targets_ms, self.map_ms)
        return plan(request, principal, abilities, deadline, now=self.clock.now(), zone=zone)

    async def _answer_again(
        self,
        planned: QueryPlan,
        popularity: Popularity,
        kept: KeptAnswer,
    ) -> QueryAnswer:
        """Answers a popular query from its cached answer."""
        with planned.following.timed("open"):
            organization = await self._organization(planned)
            names = self._names(planned, organization)
            found = await texts.of(self.opener, planned, [one.ranked for one in kept.results])
        return account.kept_answer(planned, popularity, kept, found, names)

    async def _organization(self, planned: QueryPlan) -> Organization | None:
        """The organization from this instance, or from the store where it answers in time."""
        kept = self.searches.remembered(planned.scope.org_id)
        return kept or (await planned.search.deadline.run("organization", self._read_organization(planned))).value

    async def _read_organization(self, planned: QueryPlan) -> Organization | None:
        return await self.directory.organization(planned.scope.org_id)

    def _names(self, planned: QueryPlan, organization: Organization | None) -> Mapping[int, str]:
        """The query's terms by the hash under which they are indexed."""
        return self.searches.wanted(planned.search, organization).called if organization else {}

    def _count(
        self,
        event_id: UUID,
        afterwards: Afterwards,
        planned: QueryPlan,
        popularity: Popularity,
        chosen: Sequence[Ranked],
    ) -> None:
        """Sends usage, session, profile and popularity to the side-effects queue."""
        if not chosen:
            return
        scope = planned.scope
        event = UsageEvent(
            event_id,
            scope.org_id,
            scope.agent_id,
            tuple(one.memory.id for one in chosen),
            "query",
            planned.now,
            session_id=planned.request.session_id,
            user_id=scope.end_user.name,
            query_key=popularity.query_key or self.popular.key(planned, self.searches.remembered(scope.org_id)),
        )
        afterwards.add("usage", lambda: self.usage.send([usage_events.message(event)]), first=True)
