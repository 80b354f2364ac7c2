"""Random chats in the shapes of several providers, and the rules of these providers for the order of messages.

Each rule names what a chat violates; an empty list means that the provider takes it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

Message = Mapping[str, Any]

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def text_part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def call(name: str) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}}


words = st.sampled_from(
    ["Where is the key?", "Hi", "\nIndented\n\n", "  two  ", "a\n\nb", "ключ", "<b>&</b>\n", "\n\n"]
)
contents = st.one_of(
    words,
    words,
    st.lists(words.map(text_part) | st.just(IMAGE), min_size=1, max_size=3),
    st.lists(words, min_size=1, max_size=2),
    st.sampled_from(["", [], [IMAGE], [{"type": "image", "source": {"type": "url", "url": "x"}}]]),
)
said = st.builds(lambda content, more: [{"role": "user", "content": content, **more}], contents, st.just({}))
nothing_said = st.just([{"role": "user", "content": None}])
answered = words.map(lambda text: [{"role": "assistant", "content": text}])
ids = st.lists(st.sampled_from(["t1", "t2", "t3"]), min_size=1, max_size=2, unique=True)


def _openai_round(names: Sequence[str], role: str) -> list[Message]:
    asked = {"role": "assistant", "content": None, "tool_calls": [call(name) for name in names]}
    return [asked, *({"role": role, "tool_call_id": name, "content": "7"} for name in names)]


def _anthropic_round(names: Sequence[str], after: Sequence[Any], thought: bool) -> list[Message]:
    calls = [{"type": "tool_use", "id": name, "name": "look", "input": {}} for name in names]
    results = [{"type": "tool_result", "tool_use_id": name, "content": "7"} for name in names]
    return [
        {"role": "assistant", "content": [*([text_part("Let me look.")] if thought else []), *calls]},
        {"role": "user", "content": [*results, *after]},
    ]


def _gemini_round(names: Sequence[str]) -> list[Message]:
    return [
        {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in names]},
        {"role": "user", "parts": [{"functionResponse": {"name": name, "response": {}}} for name in names]},
    ]


openai_round = st.builds(_openai_round, ids, st.just("tool"))
function_round = st.just([
    {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": "{}"}},
    {"role": "function", "name": "look", "content": "7"},
])  # fmt: skip
anthropic_round = st.builds(_anthropic_round, ids, st.sampled_from([[], [text_part("And then?")]]), st.booleans())
gemini_said = words.map(lambda text: [{"role": "user", "parts": [{"text": text}]}])
gemini_answered = words.map(lambda text: [{"role": "model", "parts": [{"text": text}]}])
gemini_round = st.builds(_gemini_round, ids)
instructed = st.builds(
    lambda role, content: [{"role": role, "content": content}], st.sampled_from(["system", "developer"]), contents
)


def _chat(before: Sequence[list[Message]], turns: Sequence[list[Message]]) -> list[Message]:
    return [message for several in (*before, *turns) for message in several]


def _orderly(first: list[Message], turns: Sequence[Sequence[list[Message]]]) -> list[Message]:
    """A chat that every provider of its shape takes: users and assistants alternate, each round is whole."""
    return [*first, *(message for turn in turns for several in turn for message in several)]


def _turns(*kinds: st.SearchStrategy[list[Message]]) -> st.SearchStrategy[Any]:
    return st.lists(st.tuples(*kinds), max_size=3)


plain_content = st.one_of(words, st.lists(words.map(text_part) | st.just(IMAGE), min_size=1, max_size=3))
plain = plain_content.map(lambda content: [{"role": "user", "content": content}])
first = st.one_of(st.just([]), plain_content.map(lambda content: [{"role": "system", "content": content}]))
orderly = st.one_of(
    st.builds(lambda start, turns, end: [*_orderly(start, turns), *end], first, _turns(plain, answered), plain),
    st.builds(
        lambda start, turns, end: [*_orderly(start, turns), *end],
        first,
        _turns(plain, openai_round, answered),
        st.tuples(plain, openai_round).map(lambda pair: [*pair[0], *pair[1]]) | plain,
    ),
    st.builds(
        lambda turns, end: [*_orderly([], turns), *end],
        _turns(plain, anthropic_round, answered),
        st.tuples(plain, anthropic_round, anthropic_round).map(lambda parts: [*parts[0], *parts[1], *parts[2]]) | plain,
    ),
    st.builds(
        lambda turns, end: [*_orderly([], turns), *end],
        _turns(gemini_said, gemini_round, gemini_answered),
        st.tuples(gemini_said, gemini_round).map(lambda pair: [*pair[0], *pair[1]]) | gemini_said,
    ),
)
disorderly = st.builds(
    _chat,
    st.lists(instructed, max_size=2),
    st.lists(
        st.one_of(
            said, said, nothing_said, answered, openai_round, function_round, anthropic_round, gemini_said,
            gemini_round, instructed, openai_round.map(lambda messages: messages[:1]),
            anthropic_round.map(lambda messages: messages[1:]),
        ),
        max_size=7,
    ),
)  # fmt: skip
chats = orderly | disorderly
"""Histories that a provider takes, and any others."""


def one_first_system(messages: Sequence[Message]) -> list[str]:
    """OpenAI, and the templates of open models: one system or developer message, the first."""
    places = [place for place, message in enumerate(messages) if message["role"] in ("system", "developer")]
    return [] if places in ([], [0]) else [f"system messages at {places}"]


def alternation(messages: Sequence[Message]) -> list[str]:
    """The templates of Mistral, Gemma and Llama: users and assistants alternate, the user first."""
    spoken = [message for message in messages if message["role"] not in ("system", "developer", "tool", "function")]
    roles = [one["role"] for one in spoken if not one.get("tool_calls")]
    expected = ["user", "assistant"] * len(roles)
    return [] if roles == expected[: len(roles)] else [f"roles {roles}"]


def tool_messages(messages: Sequence[Message]) -> list[str]:
    """OpenAI: directly after a message with calls, one tool's message for each call, and nowhere else."""
    found, waiting = [], set[str]()
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                found.append(f"{place}: the result of no call")
            waiting.discard(message["tool_call_id"])
            continue
        if waiting:
            found.append(f"{place}: {waiting} have no result")
        waiting = {one["id"] for one in message.get("tool_calls") or ()}
    return [*found, *([f"{waiting} have no result"] if waiting else [])]


def tool_results(messages: Sequence[Message]) -> list[str]:
    """Anthropic: the message after `tool_use` begins with one `tool_result` for each; there are no others."""
    found, waiting = [], set[str]()
    for place, message in enumerate(messages):
        parts = message["content"] if isinstance(message.get("content"), list) else []
        kinds = [part.get("type") if isinstance(part, dict) else None for part in parts]
        results = {part["tool_use_id"] for part, kind in zip(parts, kinds, strict=True) if kind == "tool_result"}
        if results != waiting or kinds[: len(results)] != ["tool_result"] * len(results):
            found.append(f"{place}: results of {results} where {waiting} wait")
        waiting = {part["id"] for part, kind in zip(parts, kinds, strict=True) if kind == "tool_use"}
    return found


def function_responses(messages: Sequence[Message]) -> list[str]:
    """Gemini: after calls comes a message with as many responses and nothing else."""
    found, waiting = [], 0
    for place, message in enumerate(messages):
        parts = [part for part in message.get("parts") or () if isinstance(part, dict)]
        responses = sum("functionResponse" in part for part in parts)
        if responses != waiting or (waiting and responses != len(parts)):
            found.append(f"{place}: {responses} responses where {waiting} wait")
        waiting = sum("functionCall" in part for part in parts)
    return found


RULES: tuple[Callable[[Sequence[Message]], list[str]], ...] = (
    one_first_system, alternation, tool_messages, tool_results, function_responses,
)  # fmt: skip
