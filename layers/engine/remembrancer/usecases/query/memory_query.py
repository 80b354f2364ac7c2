"""The memory query, step by step; validated by `domain.retrieval.query`, authenticated by `identity.authorise`."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from functools import partial
from uuid import UUID

from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.ranking import hybrid_ranking
from remembrancer.domain.ranking.hybrid_ranking import Ranked
from remembrancer.domain.retrieval import hypotheses
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS
from remembrancer.domain.retrieval.query import QueryAnswer, QueryRequest
from remembrancer.domain.times import time_zone
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.identity import Directory
from remembrancer.ports.search import RecallStore
from remembrancer.ports.system import Clock, Queue
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.identity import time_zones
from remembrancer.usecases.identity.authorise import require_agent
from remembrancer.usecases.query import account, scoring, texts
from remembrancer.usecases.query.account import Course
from remembrancer.usecases.query.plan import MAP_MS, Abilities, QueryPlan, plan
from remembrancer.usecases.query.popular import CachedAnswer, Popularity, PopularQueries
from remembrancer.usecases.query.rows import CandidateRows, History
from remembrancer.usecases.retrieval import relations
from remembrancer.usecases.retrieval.after_response import NOTHING_AFTERWARDS, Afterwards, schedule
from remembrancer.usecases.retrieval.deadline import Deadline, abandon
from remembrancer.usecases.retrieval.retrieval import Retrieval
from remembrancer.usecases.retrieval.search import Found
from remembrancer.usecases.usage import usage_events

NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class QueryMemories:
    """The memory query; one instance serves every request of a warm function.

    `hops` is the number of relations followed from the results of hypotheses; `targets_ms` gives the deadline of each
    tier.
    """

    directory: Directory
    retrieval: Retrieval
    rows: CandidateRows
    store: RecallStore
    popular: PopularQueries
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
            retrieving, history, popularity = await self._begun(planned, afterwards)
        if popularity.answer is not None:
            answer = fit(await self._answer_again(planned, popularity, popularity.answer))
            count(planned, popularity, answer.ranked)
            return answer
        with deadline.timed("retrieval"):
            # Steps 3 and 4: the query's vector, and the candidates.
            found = await (retrieving or self.retrieval.find(planned.search, afterwards))
            schedule(found.work, afterwards)
            organization = await self._organization(planned)
        with deadline.timed("rows"):
            # Step 5: drop candidates that no longer exist; read the data that ranking needs. An answer may be cached by
            # its scope's state, so the store has to confirm the map after that was read.
            read = await self.rows.read(planned, found, history, anew=popularity.state is not None)
        with deadline.timed("rank"):
            # Steps 6 and 7: factors, hybrid score, tie-break; which of them help.
            judged = scoring.judge(planned, found, read.candidates, read.described)
            parts = (read.candidates, read.memories, read.described)
            ranked = scoring.rank(planned, *parts, clusters=read.clusters, use=read.use, judged=judged)
        with deadline.timed("graph"):
            # Step 8: follow the relations of the best memories.
            seeds = [one.memory.id for one in hybrid_ranking.helping(ranked.ranked, request.line)[: request.k]]
            walk = planned.walk(found.searched.embedded.model)
            traversed = await relations.follow(self.store, walk, seeds, read.circumstances.edges)
        with deadline.timed("open"):
            # Step 9: boosts from relations, person and session. Step 10: the text of the best memories.
            around = read.circumstances
            ordered = scoring.boosted(planned, found.searched, ranked, around, traversed, organization)
            chosen = await texts.best(self.opener, planned, ordered, ranked, traversed)
        with deadline.timed("compose"):
            # Steps 11 and 12: the answer with its reasons, and the work after the response.
            words = found.searched.words
            names = words.called if words else self._names(planned, organization)
            began_early = retrieving is not None
            course = Course(planned, popularity, found, read, ranked, judged, traversed, chosen, names, began_early)
            if course.may_be_kept:
                afterwards.add("keep_result", lambda: self.popular.keep(planned, popularity, course.kept()))
            self.rows.follow(planned, found, afterwards)
        answer = fit(course.answer())
        if found.searched.remembered is None:
            # On repeated requests of a turn: its memories were counted with the first request.
            count(planned, popularity, answer.ranked)
            if found.remember is not None and (turn := course.turn()) is not None:
                schedule([found.remember(turn)], afterwards)
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
        self.retrieval.searcher.stemmer.kinds("")
        await self.popular.find(planned)
        found = await self.retrieval.find(planned.search, NOTHING_AFTERWARDS)
        await self.rows.read(planned, found, None, anew=True)

    async def _begun(
        self, planned: QueryPlan, afterwards: Afterwards
    ) -> "tuple[asyncio.Future[Found] | None, History | None, Popularity]":
        """Begins beside the look-up what is free; it is abandoned for a cached answer."""
        retrieving: asyncio.Future[Found] | None = None
        if self.retrieval.may_begin_early(planned.search):
            retrieving = asyncio.ensure_future(self.retrieval.find(planned.search, afterwards))
        history, popularity = self.rows.begin(planned), None
        try:
            popularity = await self.popular.find(planned)
        finally:
            if popularity is None or popularity.answer is not None:
                for task in (retrieving, history):
                    if task is not None and not task.done():
                        abandon(task)
        return retrieving, history, popularity

    async def _authorised(self, request: QueryRequest, principal: Principal, deadline: Deadline) -> QueryPlan:
        reading = time_zones.of_request(request.time_zone, request.query, principal, self.directory)
        if request.agent is None:
            return self._plan(request, principal, deadline, time_zone.first(await reading))
        agent, zone = await asyncio.gather(require_agent(principal, request.agent, self.directory), reading)
        request = replace(request, agent_id=agent.agent_id)
        return self._plan(request, principal, deadline, time_zone.first(zone, agent.time_zone))

    def _plan(self, request: QueryRequest, principal: Principal, deadline: Deadline, zone: tzinfo = UTC) -> QueryPlan:
        has_language_model = self.retrieval.searcher.hypothesiser is not None
        abilities = Abilities(has_language_model, self.hops, self.top_k, self.targets_ms, self.map_ms)
        return plan(request, principal, abilities, deadline, now=self.clock.now(), zone=zone)

    async def _answer_again(
        self,
        planned: QueryPlan,
        popularity: Popularity,
        kept: CachedAnswer,
    ) -> QueryAnswer:
        """Answers a popular query from its cached answer."""
        with planned.following.timed("open"):
            organization = await self._organization(planned)
            names = self._names(planned, organization)
            found = await texts.of(self.opener, planned, [one.ranked for one in kept.results])
        return account.kept_answer(planned, popularity, kept, found, names)

    async def _organization(self, planned: QueryPlan) -> Organization | None:
        """The organization from this instance, or from the store where it answers in time."""
        kept = self.retrieval.searcher.remembered(planned.scope.org_id)
        return kept or (await planned.search.deadline.run("organization", self._read_organization(planned))).value

    async def _read_organization(self, planned: QueryPlan) -> Organization | None:
        return await self.directory.organization(planned.scope.org_id)

    def _names(self, planned: QueryPlan, organization: Organization | None) -> Mapping[int, str]:
        """The query's terms by the hash under which they are indexed."""
        return self.retrieval.searcher.wanted(planned.search, organization).called if organization else {}

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
        organization = self.retrieval.searcher.remembered(scope.org_id)
        event = UsageEvent(
            event_id,
            scope.org_id,
            scope.agent_id,
            tuple(one.memory.id for one in chosen),
            "query",
            planned.now,
            session_id=planned.request.session_id,
            user_id=scope.end_user.name,
            query_key=popularity.query_key or self.popular.key(planned, organization),
            actor=planned.actor,
        )
        afterwards.add("usage", partial(self.usage.send, [usage_events.message(event)]), first=True, if_sent=True)
