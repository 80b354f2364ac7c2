"""What a provider's prompt cache keeps of a conversation with memories, and what a million chats cost.

    python -m benchmarks.prompt_cache            conversations of 20, 5 and 1 turns, and a tool loop of ten calls
    python -m benchmarks.prompt_cache --breaks   and where each prompt differs from the one before it

Memories come from an assembly instance in this process, on the local stack's Postgres and Redis; each request waits
until the work after the response before it is done, and no deadline is near. The provider is a stand-in that counts
tokens. What is not named in a variant is the default. Nothing is written where an answer lacked a source.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import assembly, chats, figures, prompt_cost
from benchmarks.prompt_cost import PRICES, AutomaticCache, BreakpointCache, Count, Message
from local.sample import story
from local.stack import Stack, StackSettings
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.domain.context import budget
from remembrancer.domain.context.placement import DEFAULT_PLACEMENT
from remembrancer.usecases.assembly import earlier
from remembrancer.usecases.encryption.opening import Keyless
from tests.faults.instance import Agent, AssemblyInstance, create_agent

PAGE = Path(__file__).parents[1] / "docs" / "prompt-cost.md"
QUALITY = Path(__file__).parent / "quality" / "memories.jsonl"
MEMORIES = 1_000
TOP_K = 10
FEW_TOKENS = 300
"""A budget of memories about as large as the top k."""
UNHURRIED = {
    "ASSEMBLY_MS": "20000",
    "RETRIEVAL_MS": "16000",
    "COLD_MS": "15000",
    "LEXICAL_MS": "15000",
    "DIRECTIVE_MS": "10000",
    "HOT_MS": "10000",
}
SYSTEM_TOKENS = 1_500
ANSWER_TOKENS = 150
TOOL_CALLS = 10
ENCODING = "o200k_base"
MODEL = "gpt-4o"
QUESTIONS = (
    "Which room do the Lindqvist sisters get?",
    "When does the Fort Arrin van fetch the laundry?",
    "Who may not serve wine or use the slicer?",
    "What has the goose done to delivery drivers?",
    "Who is allergic to peanuts?",
    "How much does a double room cost in the season?",
    "What do I do if Bertha goes out?",
    "When is the fish delivered, and by whom?",
    "Which doors does a wheelchair pass?",
    "How do we cook without gluten?",
    "Who plays the oboe?",
    "What is planned for Isla's fiftieth birthday?",
    "How much is left of the loan with the Clydesdale?",
    "When does Tomasz take his leave?",
    "What must never run together with the dishwasher?",
    "Who looks after the website?",
    "How do I order a taxi for the evening?",
    "What happens to lost property?",
    "What colour is Dipper to be painted?",
    "How long does the generator run on one tank?",
)
POLICY = (
    "You answer the people who work at a guesthouse. Answer in the language of the question, in four sentences. "
    "Name the room, the person and the hour where they matter. Say so when you do not know. "
)
"""Repeated to the length of a usual system message."""
REPLY = (
    "I have looked that up for you, and this is what I found in the notes of the house and in the calendar. "
    "Please tell me if it is to be changed, and I will pass it on to whoever is on duty this evening. "
)


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to put memories into prompts; `placement` None asks for no assembly."""

    name: str
    placement: str | None = None
    mode: str = "system_first"
    has_session: bool = True
    memory_tokens: int | None = None
    top_k: int = 0


VARIANTS = (
    Variant("without memory"),
    Variant("placement `turn`", "turn"),
    Variant("placement `system`", "system"),
    Variant("top 10 into the system message", top_k=TOP_K),
    Variant(f"placement `turn`, `memory_tokens` {FEW_TOKENS}", "turn", memory_tokens=FEW_TOKENS),
    Variant(f"placement `system`, `memory_tokens` {FEW_TOKENS}", "system", memory_tokens=FEW_TOKENS),
    Variant("placement `turn`, no `session_id`", "turn", has_session=False),
    Variant("placement `turn`, directive `user_prepend`", "turn", mode="user_prepend"),
)
BUDGETS = {f"{budget.MEMORY_TOKENS:,} tokens": "", f"{FEW_TOKENS} tokens": f", `memory_tokens` {FEW_TOKENS}"}
"""The budgets of `turn` and `system`, and how the names of their variants end."""
PROVIDERS: Mapping[str, Callable[[], AutomaticCache | BreakpointCache]] = {
    "openai": AutomaticCache,
    "anthropic": BreakpointCache,
}


@dataclass(slots=True)
class Row:
    """The counts of one conversation in one variant."""

    chat: str
    variant: str
    counts: dict[str, Count] = field(default_factory=dict)
    injected: list[int] = field(default_factory=list)
    breaks: list[dict[str, Any]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def requests(self) -> int:
        """Of the conversation, which are prompts too."""
        return len(self.injected)

    def as_json(self) -> dict[str, Any]:
        """The row for the result file."""
        return {
            "chat": self.chat,
            "variant": self.variant,
            "requests": self.requests,
            "tokens": self.counts["openai"].tokens,
            "injected_mean": round(sum(self.injected) / self.requests, 1),
            "cached_share": {name: round(count.cached_share, 4) for name, count in self.counts.items()},
            "cached": {name: count.cached for name, count in self.counts.items()},
            "written": {name: count.written for name, count in self.counts.items()},
            "dollars_of_a_million_chats": {
                price.model: round(self.counts[price.provider].dollars(price) * 1_000_000) for price in PRICES
            },
            "broken_prefixes": self.breaks,
            "reasons": dict(self.reasons),
        }


class Memory:
    """Puts memories into the client's messages by a variant."""

    def __init__(self, instance: AssemblyInstance) -> None:
        self._instance = instance

    def prompt(self, variant: Variant, messages: Sequence[Message], session: str) -> tuple[Sequence[Message], str]:
        """The messages for the provider, and what was missing of them; returns when the work after it is done."""
        if variant.top_k:
            question = next(one["content"] for one in reversed(messages) if one["role"] == "user")
            answer = self._instance.query(question, k=variant.top_k)
            lines = [f"- {memory['content']}" for memory in answer.body["memories"]]
            system = f"{messages[0]['content']}\n\nWhat you remember:\n" + "\n".join(lines)
            return [{**messages[0], "content": system}, *messages[1:]], ""
        if variant.placement is None:
            return messages, ""
        fields = {"session_id": session} if variant.has_session else {}
        options: dict[str, Any] = {"placement": variant.placement}
        if variant.memory_tokens is not None:
            options["memory_tokens"] = variant.memory_tokens
        answer = self._instance.assemble("", messages=messages, options=options, model=MODEL, **fields)
        self._instance.follow_up()
        return answer.body["messages"], answer.reason


class Talks:
    """The client's side of each conversation."""

    def __init__(self, encode: Callable[[str], Sequence[int]]) -> None:
        self._system = _repeated(POLICY, SYSTEM_TOKENS, encode)
        self._reply = _repeated(REPLY, ANSWER_TOKENS, encode)

    def turns(self, number: int) -> Iterator[list[Message]]:
        """The client's messages of each request: a question, then its answer and the next question."""
        messages: list[Message] = [{"role": "system", "content": self._system}]
        for question in QUESTIONS[:number]:
            messages.append({"role": "user", "content": question})
            yield list(messages)
            messages.append({"role": "assistant", "content": self._reply})

    def tool_loop(self) -> Iterator[list[Message]]:
        """One question, then one more call of a tool and its result in each request."""
        (messages,) = self.turns(1)
        yield list(messages)
        for number in range(TOOL_CALLS):
            call: dict[str, Any] = {"id": f"call_{number}", "type": "function"}
            call |= {"function": {"name": "find_booking", "arguments": json.dumps({"room": number})}}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": self._reply})
            yield list(messages)

    def all(self) -> dict[str, Callable[[], Iterator[list[Message]]]]:
        """The conversations by their names in the tables."""
        return {
            "20 turns": lambda: self.turns(20),
            "5 turns": lambda: self.turns(5),
            "1 turn": lambda: self.turns(1),
            f"tool loop of {TOOL_CALLS}": self.tool_loop,
        }


async def main() -> None:
    """Prints the rows, and writes benchmarks/results/prompt_cache.json and docs/prompt-cost.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=MEMORIES, help="of the agent")
    parser.add_argument("--breaks", action="store_true", help="print where a prompt differs from the one before it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        async with assembly.local_stack(Path(directory), {}) as stack:
            agent = await create_agent(stack.postgres, texts()[: arguments.memories])
            rows = await asyncio.to_thread(measure, stack, agent)
    console = Console(width=160)
    for row in rows:
        told = row.as_json()
        breaks = told.pop("broken_prefixes")
        console.print(told, highlight=False)
        if arguments.breaks:
            console.print_json(data=breaks)
    found = [row.as_json() for row in rows]
    if late := {f"{row.chat}, {row.variant}": dict(row.reasons) for row in rows if set(row.reasons) != {""}}:
        sys.exit(f"Nothing is written, since answers lacked a source: {late}")
    figures.write("prompt_cache", {"memories": arguments.memories, "prices_of": prompt_cost.PRICES_OF, "rows": found})
    figures.document("prompt_setup", _setup(arguments.memories), page=PAGE)
    figures.document("prompt_cache", _caches(found), page=PAGE)
    figures.document("prompt_prices", _prices(), page=PAGE)
    figures.document("prompt_cost", _dollars(found), page=PAGE)
    figures.document("prompt_placement", _compared(found), page=PAGE)


def texts() -> list[str]:
    """Different memories: the sample's guesthouse, then dialogues and chats about other things."""
    known = [line.content for line in story.read().lines]
    known += [json.loads(line)["content"] for line in QUALITY.read_text(encoding="utf-8").splitlines()]
    known += [memory["content"] for memory in chats.chat(chats.AGENTS[0]).memories]
    return list(dict.fromkeys(known))


def measure(stack: Stack, agent: Agent) -> list[Row]:
    """Every conversation in every variant; blocks."""
    counter = TiktokenCounter(StackSettings().models)
    encode = counter._encoding(ENCODING).encode_ordinary
    instance = AssemblyInstance(agent, database_url=stack.database_url, redis_url=stack.redis_url, **UNHURRIED)
    memory, rows = Memory(instance), []
    instance.assemble("Is the map there?")
    instance.follow_up()
    try:
        for mode in dict.fromkeys(variant.mode for variant in VARIANTS):
            asyncio.run(_direct(stack, agent, mode))
            instance.later(3_600)
            instance.assemble("Which directive is there?")
            instance.follow_up()
            for name, talk in Talks(encode).all().items():
                rows += [_row(name, variant, talk(), memory, encode) for variant in VARIANTS if variant.mode == mode]
    finally:
        instance.close()
        counter.close()
    names = [variant.name for variant in VARIANTS]
    order = list(Talks(encode).all())
    return sorted(rows, key=lambda row: (order.index(row.chat), names.index(row.variant)))


def _row(
    chat: str, variant: Variant, talk: Iterator[list[Message]], memory: Memory, encode: Callable[[str], Sequence[int]]
) -> Row:
    row, session = Row(chat, variant.name), str(uuid.uuid4())
    caches = {name: cache() for name, cache in PROVIDERS.items()}
    row.counts = dict.fromkeys(caches, Count())
    before: Sequence[Message] = ()
    for messages in talk:
        sent, reason = memory.prompt(variant, messages, session)
        prompt = prompt_cost.tokens_of(sent, encode)
        for name, cache in caches.items():
            row.counts[name] += cache.count(sent, prompt)
        own = prompt_cost.tokens_of(messages, encode)
        row.injected.append(sum(map(len, prompt)) - sum(map(len, own)))
        row.reasons[reason] += 1
        difference = prompt_cost.first_difference(before, sent)
        if difference is not None:
            row.breaks.append({"request": row.requests, **difference})
        before = sent
    return row


async def _direct(stack: Stack, agent: Agent, mode: str) -> None:
    """Gives the agent the sample's directive."""
    organization = json.loads((story.FOLDER / "organization.json").read_text(encoding="utf-8"))
    database = Database(stack.postgres.app_url)
    await PostgresDirectory(database, Keyless()).put_directive(
        agent.org_id, agent.agent_id, organization["directive"]["text"], mode
    )
    await database.close()


def _repeated(text: str, tokens: int, encode: Callable[[str], Sequence[int]]) -> str:
    return (text * round(tokens / len(encode(text)))).strip()


def _caches(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        "| chat | variant | input tokens | injected, mean of a request | cached, OpenAI | cached, Anthropic | "
        "prompts that differ before their end |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {row['chat']} | {row['variant']} | {row['tokens']:,} | {row['injected_mean']:,.0f} | "
            f"{row['cached_share']['openai']:.1%} | {row['cached_share']['anthropic']:.1%} | "
            f"{len(row['broken_prefixes'])} of {row['requests'] - 1} |"
            for row in rows
        ),
    ]


def _setup(memories: int) -> list[str]:
    """What the figures depend on, as the code has it."""
    system = round(SYSTEM_TOKENS, -2)
    return [
        f"An agent with {memories:,} memories, a system message of about {system:,} tokens, answers of about "
        f"{ANSWER_TOKENS}, questions about something else each turn. In a tool loop, one question is followed by "
        f"{TOOL_CALLS} calls. By default a turn's memories have {budget.MEMORY_TOKENS:,} tokens at most, and "
        f"{earlier.LEAST_SHARE:.0%} of that in any case beside blocks of earlier messages, which have "
        f"{earlier.MOST_BUDGETS} times as many at most, or {earlier.LEAST_BOUND:,}; the default `placement` is "
        f"`{DEFAULT_PLACEMENT}`.",
    ]


def _prices() -> list[str]:
    return [
        f"| dollars a million tokens, {prompt_cost.PRICES_OF} | input | cached input | written to the cache |",
        "|---|---|---|---|",
        *(f"| {one.model} | {one.new:.2f} | {one.cached:.3g} | {one.written:.2f} |" for one in PRICES),
    ]


def _dollars(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        f"| chat | variant | {' | '.join(price.model for price in PRICES)} |",
        f"|---|---|{'---|' * len(PRICES)}",
        *(
            f"| {row['chat']} | {row['variant']} | "
            f"{' | '.join(f'{dollars:,}' for dollars in row['dollars_of_a_million_chats'].values())} |"
            for row in rows
        ),
    ]


def _compared(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What `turn` costs beside `system`, in percent of it, with the same budget."""
    dollars = {(row["chat"], row["variant"]): row["dollars_of_a_million_chats"] for row in rows}
    lines = [
        f"| chat | {' | '.join(f'{price.model}, {tokens}' for tokens in BUDGETS for price in PRICES)} |",
        f"|---|{'---|' * len(PRICES) * len(BUDGETS)}",
    ]
    for chat in dict.fromkeys(row["chat"] for row in rows):
        pairs = [
            [dollars[chat, f"placement `{placement}`{suffix}"][price.model] for placement in ("turn", "system")]
            for suffix in BUDGETS.values()
            for price in PRICES
        ]
        lines.append(f"| {chat} | {' | '.join(f'{turn / system - 1:+.0%}' for turn, system in pairs)} |")
    return lines


if __name__ == "__main__":
    asyncio.run(main())
