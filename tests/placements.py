"""Random chats in the shapes of several providers, and the rules of these providers for the order of messages.

Each rule names what a chat violates; an empty list means that the provider takes it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

Message = Mapping[str, Any]
Chat = list[Any]

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def text_part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def call(name: str) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}}


def told(role: str, contents: st.SearchStrategy[Any], field: str = "content") -> st.SearchStrategy[Chat]:
    """One message."""
    return contents.map(lambda content: [{"role": role, field: content}])


def in_turn(*parts: st.SearchStrategy[Chat]) -> st.SearchStrategy[Chat]:
    """The messages of the parts one after the other."""
    return st.tuples(*parts).map(lambda drawn: [message for part in drawn for message in part])


def repeated(*parts: st.SearchStrategy[Chat], most: int = 3) -> st.SearchStrategy[Chat]:
    """The parts one after the other, several times or never."""
    return st.lists(in_turn(*parts), max_size=most).map(lambda drawn: [message for part in drawn for message in part])


def _openai_round(names: Sequence[str]) -> Chat:
    asked = {"role": "assistant", "content": None, "tool_calls": [call(name) for name in names]}
    return [asked, *({"role": "tool", "tool_call_id": name, "content": "7"} for name in names)]


def _anthropic_round(names: Sequence[str], thought: Chat, after: Chat) -> Chat:
    calls = [{"type": "tool_use", "id": name, "name": "look", "input": {}} for name in names]
    results = [{"type": "tool_result", "tool_use_id": name, "content": "7"} for name in names]
    return [{"role": "assistant", "content": [*thought, *calls]}, {"role": "user", "content": [*results, *after]}]


def _gemini_round(names: Sequence[str]) -> Chat:
    return [
        {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in names]},
        {"role": "user", "parts": [{"functionResponse": {"name": name, "response": {}}} for name in names]},
    ]


words = st.sampled_from(
    ["Where is the key?", "Hi", "\nIndented\n\n", "  two  ", "a\n\nb", "ключ", "<b>&</b>\n", "\n\n"]
)
parts = st.lists(words.map(text_part) | st.just(IMAGE), min_size=1, max_size=3)
odd = st.sampled_from(["", [], ["Hi", "there"], [IMAGE], [{"type": "image", "source": {"type": "url", "url": "x"}}]])
gemini_parts = words.map(lambda text: [{"text": text}])
ids = st.lists(st.sampled_from(["t1", "t2", "t3"]), min_size=1, max_size=2, unique=True)
extra = st.sampled_from([[], [text_part("And then?")]])

said, answered = told("user", words | parts), told("assistant", words)
gemini_said, gemini_answered = told("user", gemini_parts, "parts"), told("model", gemini_parts, "parts")
openai_round, gemini_round = ids.map(_openai_round), ids.map(_gemini_round)
anthropic_round = st.builds(_anthropic_round, ids, extra, extra)
function_round: st.SearchStrategy[Chat] = st.just([
    {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": "{}"}},
    {"role": "function", "name": "look", "content": "7"},
])  # fmt: skip
instructed = told("system", words | parts)
directed = st.sampled_from(["system", "developer"]).flatmap(lambda role: told(role, words | parts | odd))

plain_chats = in_turn(repeated(instructed, most=1), repeated(said, answered), said)
openai_chats = in_turn(
    repeated(instructed, most=1), repeated(said, openai_round, answered), said, repeated(openai_round)
)
anthropic_chats = in_turn(repeated(said, anthropic_round, answered), said, repeated(anthropic_round))
gemini_chats = in_turn(repeated(gemini_said, gemini_round, gemini_answered), gemini_said, repeated(gemini_round))
other_chats = in_turn(
    repeated(directed, most=2),
    repeated(
        st.one_of(
            said, told("user", odd), told("user", st.none()), answered, openai_round, function_round, anthropic_round,
            gemini_said, gemini_round, directed, openai_round.map(lambda chat: chat[:1]),
            anthropic_round.map(lambda chat: chat[1:]),
        ),
        most=7,
    ),
)  # fmt: skip
chats = plain_chats | openai_chats | anthropic_chats | gemini_chats | other_chats
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
