"""The stand-in provider counts cached tokens as providers do."""

from collections.abc import Sequence

from benchmarks import prompt_cost
from benchmarks.prompt_cost import AutomaticCache, BreakpointCache, Count, Message, Price


def said(role: str, tokens: int, sign: str = "a") -> Message:
    return {"role": role, "content": sign * tokens}


def encode(text: str) -> Sequence[int]:
    """A token for each character of the content."""
    return [ord(sign) for sign in text.partition("\n")[2].rstrip("\n")]


def counts(cache: AutomaticCache | BreakpointCache, *chats: list[Message]) -> list[Count]:
    return [cache.count(chat, prompt_cost.tokens_of(chat, encode)) for chat in chats]


def test_an_automatic_cache_has_the_common_beginning_in_steps_from_the_least_on() -> None:
    short, long, other = said("system", 1_000), said("system", 1_200), said("user", 300, "b")

    _, too_short = counts(AutomaticCache(), [short], [short])
    first, second = counts(AutomaticCache(), [long, said("user", 300)], [long, other])

    assert too_short.cached == 0
    assert first == Count(1_500, 0)
    assert second == Count(1_500, 1_152)


def test_an_automatic_cache_ends_within_the_message_that_differs() -> None:
    first, second = said("user", 1_500), {"role": "user", "content": "a" * 1_300 + "b" * 200}

    *_, last = counts(AutomaticCache(), [first], [said("user", 2_000, "c")], [second])

    assert last.cached == 1_280


def test_breakpoints_are_read_whole_or_not_at_all() -> None:
    system, question = said("system", 1_100), said("user", 500)
    changed = {"role": "user", "content": "a" * 499 + "b"}

    first, grown, edited = counts(
        BreakpointCache(),
        [system, question],
        [system, question, said("assistant", 100), said("user", 50)],
        [system, changed],
    )

    assert first == Count(1_600, 0, 1_600)
    assert grown == Count(1_750, 1_600, 150)
    assert edited == Count(1_600, 1_100, 500)


def test_the_result_of_a_tool_is_marked_and_what_is_too_short_is_not_written() -> None:
    question, call = said("user", 1_024), {"role": "assistant", "tool_calls": [{"id": "call"}]}
    result = {"role": "tool", "tool_call_id": "call", "content": "b" * 100}

    _, second, third = counts(
        BreakpointCache(), [question], [question, call, result], [question, call, result, call, result]
    )
    short = counts(BreakpointCache(), [said("user", 1_023)], [said("user", 1_023)])

    assert second.cached == 1_024
    assert third.cached == second.tokens
    assert [count.cached + count.written for count in short] == [0, 0]


def test_the_first_difference_is_found_and_growth_is_none() -> None:
    before = [said("system", 10), said("user", 5)]

    found = prompt_cost.first_difference(before, [said("system", 10), said("user", 5, "b"), said("user", 1)])

    assert prompt_cost.first_difference(before, [*before, said("assistant", 3)]) is None
    assert found is not None
    assert (found["message"], found["from_end"], found["character"]) == (1, 1, len("user\n"))
    assert prompt_cost.first_difference(before, before[:1]) is not None


def test_dollars_are_those_of_new_cached_and_written_tokens() -> None:
    price = Price("model", "anthropic", 2.0, 0.5, 4.0)

    assert Count(1_000_000, 600_000, 100_000).dollars(price) == 1.3
    assert Count().cached_share == 0.0


def test_the_marks_of_a_request_to_anthropic_are_those_of_its_blocks() -> None:
    def text(tokens: int, **fields: object) -> dict[str, object]:
        return {"type": "text", "text": "a" * tokens, **fields}

    mark = {"cache_control": {"type": "ephemeral"}}
    first = {"system": [text(1_500, **mark), text(9)], "messages": [{"role": "user", "content": [text(3, **mark)]}]}
    second = {"system": first["system"], "messages": [*first["messages"], {"role": "assistant", "content": "b"}]}  # type: ignore[misc]
    blocks = prompt_cost.blocks_of(first)

    def length(content: str) -> Sequence[int]:
        return [0] * content.count("a")

    cache = BreakpointCache()
    found = [
        cache.count(prompt, prompt_cost.tokens_of(prompt, length)) for prompt in (blocks, prompt_cost.blocks_of(second))
    ]

    assert [block["marked"] for block in blocks] == [True, False, True]
    assert [block["role"] for block in prompt_cost.blocks_of(second)] == ["system", "system", "user", "assistant"]
    assert found[1].cached == found[0].tokens == found[0].written
