"""Makes the terms of memories anew after an organization has changed its languages, or a release the rules for words.

Until all are made, queries look for the terms of former languages too. Each run reads what is left from the store.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.lexical_index.bm25 import IndexedText
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.identity import Directory
from remembrancer.ports.search import Stemmer
from remembrancer.ports.system import Clock
from remembrancer.ports.upkeep import LexicalIndex, OutdatedText
from remembrancer.usecases.encryption.opening import opened, opened_contexts
from remembrancer.usecases.retrieval import terms

BATCH = 200
BEGIN_AFTER = timedelta(minutes=2)
"""Every instance knows the new languages by then, and looks for their terms."""
FINISH_AFTER = timedelta(minutes=10)
"""Nothing that is still being written has terms of former languages by then."""


@dataclass(frozen=True, slots=True)
class Reindexing:
    """Part of the scheduled run; `directory` is without caches."""

    directory: Directory
    stemmer: Stemmer
    opener: Cipher
    index: LexicalIndex
    cache: AgentCache
    clock: Clock

    async def catch_up(self, *, until: float) -> Mapping[str, int]:
        """Goes on with one organization after another while the clock's monotonic time is before `until`: how many
        memories were `reindexed`, and how many organizations failed, for which no other one waits.
        """
        done = Counter[str]()
        for org_id in await self.index.outdated_organizations(self.clock.now() - BEGIN_AFTER):
            if self.clock.monotonic() >= until:
                break
            try:
                done["reindexed"] += await self._organization(org_id, until)
            except StoreError:
                done["reindexings_failed"] += 1
        return done

    async def _organization(self, org_id: UUID, until: float) -> int:
        begun, done = self.clock.now(), 0
        organization = await self.directory.organization(org_id)
        if organization is None:
            return 0
        for agent_id in await self.index.agents(org_id):
            after = -1
            while texts := await self.index.outdated_texts(
                org_id, agent_id, organization.languages, after=after, limit=BATCH
            ):
                done += await self._replace(organization, agent_id, texts)
                after = texts[-1].document
                if self.clock.monotonic() >= until:
                    return done
        await self.index.finish_reindexing(org_id, begun - FINISH_AFTER)
        return done

    async def _replace(self, organization: Organization, agent_id: UUID, texts: Sequence[OutdatedText]) -> int:
        entries = await self._entries(organization, texts)
        change = await self.index.replace_terms(organization.org_id, agent_id, entries) if entries else None
        if change is None:
            return 0
        # The next change updates the cache; until then readers validate cached data themselves.
        with suppress(StoreError):
            await self.cache.changed(organization.org_id, agent_id, change, ())
        await self.index.tidy(organization.org_id, agent_id)
        return len(entries)

    async def _entries(
        self, organization: Organization, texts: Sequence[OutdatedText]
    ) -> list[tuple[OutdatedText, IndexedText]]:
        """Without texts that cannot be opened: these keep their terms."""
        memories = (await opened(self.opener, organization.org_id, [text.memory for text in texts])).memories
        sealed = {text.memory.id: text.sealed_context for text in texts if text.sealed_context}
        contexts = await opened_contexts(self.opener, organization.org_id, sealed)
        return [
            (text, terms.indexed(memory.content, contexts.get(memory.id, text.context), organization, self.stemmer))
            for text, memory in zip(texts, memories, strict=True)
            if not memory.is_unreadable and contexts.get(memory.id) != UNREADABLE_TEXT
        ]
