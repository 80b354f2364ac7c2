"""The blocks of a session's earlier user messages, rendered from current rows: byte for byte as before, where nothing
has changed.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from uuid import UUID

from remembrancer.domain.context import excerpts, formatter, told
from remembrancer.domain.context.told import ToldBlock, ToldMemory
from remembrancer.domain.memories.memory import Memory
from remembrancer.ports.models import TokenCounter
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.search import Earlier

LEAST_SHARE = 1 / 3
"""Of the tokens for memories, what a turn gets in any case: what earlier blocks tell need not be told again."""
MOST_BUDGETS = 5
"""Earlier blocks have at most so many times the tokens that one turn's memories may have."""
LEAST_BOUND = 10_000
"""Or so many tokens, where that is more: small blocks cost little, and dropping them breaks the cached prefix."""
WINDOW_SHARE = 4
"""And never more than the model's window divided by this."""

Open = Callable[[Sequence[Memory]], Awaitable[tuple[Mapping[UUID, Memory], Sequence[str]]]]


@dataclass(frozen=True, slots=True)
class EarlierBlocks:
    """The texts of blocks by the positions of their messages, the tokens of `each`, and their `tokens` together.

    `memory_ids` stand in them, and are not told again. `own` is the block that this turn's own message had before, in
    an earlier call of the turn. `changed` are blocks that lost memories, `dropped` those that became too many: the
    session is told of both. `breaks` says of each block why it might not be what it was, in words of `prefix.BREAKS`.
    """

    texts: Mapping[int, str] = field(default_factory=dict)
    each: Mapping[int, int] = field(default_factory=dict)
    tokens: int = 0
    memory_ids: frozenset[UUID] = frozenset()
    own: ToldBlock | None = None
    own_memories: Sequence[Memory] = ()
    changed: Sequence[ToldBlock] = ()
    dropped: Sequence[ToldBlock] = ()
    number: int = 1
    reasons: Sequence[str] = ()
    breaks: Mapping[int, str] = field(default_factory=dict)

    def left_of(self, memory_tokens: int) -> int:
        """The tokens that this turn's memories may have."""
        return max(memory_tokens - self.tokens, int(memory_tokens * LEAST_SHARE))


async def rendered(
    plan: AssemblyPlan,
    earlier: Earlier,
    counter: TokenCounter,
    opened: Open,
    *,
    nonce: str,
    memory_tokens: int,
    goes_on: bool,
    pinned: Collection[UUID] = (),
) -> EarlierBlocks:
    """Renders the blocks, without memories that were removed or changed, that this caller may no longer see, or that
    are pinned by now.

    `goes_on`: the request goes on with a turn; else its message begins one, also in the words of an earlier turn. Of
    other categories than the request wants, memories are left out this time, but not forgotten.
    """
    request, rows = plan.request, earlier.rows
    question, _ = request.question
    blocks = {position: _as_told(block, rows, plan, pinned) for position, block in earlier.blocks.items()}
    ids = dict.fromkeys(memory.memory_id for block in blocks.values() for memory in block.memories)
    texts, reasons = await opened([rows[memory_id] for memory_id in ids])
    shown = {
        position: [
            excerpts.shown(memory, entry.passages)
            for entry in block.memories
            for memory in [texts.get(entry.memory_id, rows[entry.memory_id])]
            if not memory.is_unreadable and memory.category in (request.options.categories or (memory.category,))
        ]
        for position, block in blocks.items()
    }
    parts = {
        position: formatter.parts(None, formatter.grouped(memories), nonce=nonce)
        for position, memories in shown.items()
        if position != question
    }
    tokens = await _tokens(counter, parts, plan, nonce)
    most = min(max(MOST_BUDGETS * memory_tokens, LEAST_BOUND), plan.profile.window // WINDOW_SHARE)
    kept = told.bounded(parts, tokens, most)
    dropped = [position for position in parts if position not in kept]
    return EarlierBlocks(
        texts={position: "".join(parts[position]) for position in kept},
        each={position: tokens[position] for position in kept},
        tokens=sum(tokens[position] for position in kept),
        memory_ids=frozenset(memory.id for position in kept for memory in shown[position]),
        own=blocks.get(question) if goes_on else None,
        own_memories=shown.get(question, ()),
        changed=[block for position, block in blocks.items() if block is not earlier.blocks[position]],
        dropped=[blocks[position] for position in dropped],
        number=told.next_number({position: block for position, block in blocks.items() if position < question}),
        reasons=reasons,
        breaks=dict.fromkeys(blocks, "earlier_missing" if reasons else "memory") | dict.fromkeys(dropped, "bound"),
    )


def _as_told(block: ToldBlock, rows: Mapping[UUID, Memory], plan: AssemblyPlan, pinned: Collection[UUID]) -> ToldBlock:
    """The block without memories that have gone, changed or been pinned since; the same object where there is none."""
    request = plan.request

    def is_there(told_memory: ToldMemory) -> bool:
        row = rows.get(told_memory.memory_id)
        if row is None or row.version != told_memory.version or row.id in pinned:
            return False
        return row.is_visible(agent_id=request.agent_id, end_user=request.end_user, now=plan.now)

    left = tuple(filter(is_there, block.memories))
    return block if len(left) == len(block.memories) else replace(block, memories=left)


async def _tokens(
    counter: TokenCounter, parts: Mapping[int, Sequence[str]], plan: AssemblyPlan, nonce: str
) -> dict[int, int]:
    """The tokens of each block, all counted in one call."""
    texts = [text for of in parts.values() for text in formatter.countable(of, nonce=nonce)]
    counts = iter(await counter.count_many(texts, plan.profile.tokenizer_family))
    return {position: sum(count.tokens for count in islice(counts, len(of))) for position, of in parts.items()}
