"""The blocks of a session's earlier user messages, rendered from current rows: byte for byte as before, where nothing
has changed.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from remembrancer.domain.context import excerpts, formatter, told
from remembrancer.domain.context.told import ToldBlock, ToldMemory
from remembrancer.domain.memories.memory import Memory
from remembrancer.ports.models import TokenCounter
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.search import Earlier

MOST_BUDGETS = 4
"""Earlier blocks have at most so many times the tokens that one turn's memories may have."""
LEAST_BOUND = 8_000
"""Or so many tokens, where that is more: small blocks cost little, and dropping them breaks the cached prefix."""
WINDOW_SHARE = 4
"""And never more than the model's window divided by this."""

Open = Callable[[Sequence[Memory]], Awaitable[tuple[Mapping[UUID, Memory], Sequence[str]]]]


LEAST_SHARE = 1 / 4
"""Of the tokens for memories, what a turn gets in any case: what earlier blocks tell need not be told again."""


@dataclass(frozen=True, slots=True)
class EarlierBlocks:
    """The texts of blocks by the positions of their messages, and their `tokens` together.

    `memory_ids` stand in them, and are not told again. `own` is the block that this turn's own message had before, in
    an earlier call of the turn. `changed` are blocks that lost memories, `dropped` those that became too many: the
    session is told of both.
    """

    texts: Mapping[int, str] = field(default_factory=dict)
    tokens: int = 0
    memory_ids: frozenset[UUID] = frozenset()
    own: ToldBlock | None = None
    own_memories: Sequence[Memory] = ()
    changed: Sequence[ToldBlock] = ()
    dropped: Sequence[ToldBlock] = ()
    number: int = 1
    reasons: Sequence[str] = ()

    def left_of(self, memory_tokens: int) -> int:
        """The tokens that this turn's memories may have."""
        return max(memory_tokens - self.tokens, int(memory_tokens * LEAST_SHARE))


async def rendered(
    plan: AssemblyPlan, earlier: Earlier, counter: TokenCounter, opened: Open, *, nonce: str, memory_tokens: int
) -> EarlierBlocks:
    """Renders the blocks, without memories that were removed or changed, or that this caller may no longer see."""
    question, _ = plan.request.question
    may_be_told = {memory_id: row for memory_id, row in earlier.rows.items() if _may_be_told(row, plan)}
    blocks: dict[int, ToldBlock] = {}
    changed: list[ToldBlock] = []
    for position, block in earlier.blocks.items():
        left = tuple(entry for entry in block.memories if _is_as_told(entry, may_be_told.get(entry.memory_id)))
        blocks[position] = block if len(left) == len(block.memories) else replace(block, memories=left)
        if blocks[position] is not block:
            changed.append(blocks[position])
    texts, reasons = await opened(
        [may_be_told[entry.memory_id] for block in blocks.values() for entry in block.memories]
    )
    shown = {
        position: [
            excerpts.shown(texts.get(entry.memory_id, may_be_told[entry.memory_id]), entry.passages)
            for entry in block.memories
        ]
        for position, block in blocks.items()
    }
    shown = {
        position: [memory for memory in memories if not memory.is_unreadable] for position, memories in shown.items()
    }
    parts = {
        position: formatter.parts(None, formatter.grouped(memories), nonce=nonce)
        for position, memories in shown.items()
        if position != question
    }
    tokens = {position: await _tokens(counter, of, plan, nonce) for position, of in parts.items()}
    most = min(max(MOST_BUDGETS * memory_tokens, LEAST_BOUND), plan.profile.window // WINDOW_SHARE)
    kept = told.bounded(parts, tokens, most)
    return EarlierBlocks(
        texts={position: "".join(parts[position]) for position in kept},
        tokens=sum(tokens[position] for position in kept),
        memory_ids=frozenset(memory.id for position in kept for memory in shown[position]),
        own=blocks.get(question),
        own_memories=shown.get(question, ()),
        changed=changed,
        dropped=[blocks[position] for position in parts if position not in kept],
        number=told.next_number({position: block for position, block in blocks.items() if position < question}),
        reasons=reasons,
    )


def _may_be_told(memory: Memory, plan: AssemblyPlan) -> bool:
    request = plan.request
    categories = request.options.categories
    is_seen = memory.is_visible(agent_id=request.agent_id, end_user=request.end_user, now=plan.now)
    return is_seen and (not categories or memory.category in categories)


def _is_as_told(told_memory: ToldMemory, row: Memory | None) -> bool:
    return row is not None and row.version == told_memory.version


async def _tokens(counter: TokenCounter, parts: Sequence[str], plan: AssemblyPlan, nonce: str) -> int:
    counted = formatter.countable(parts, nonce=nonce)
    return sum(count.tokens for count in await counter.count_many(counted, plan.profile.tokenizer_family))
