"""The budget against the formula of the specification."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context import budget
from remembrancer.domain.context.budget import Budget
from remembrancer.domain.context.token_counts import ClientTokens, TokenCount
from tests.builders import message, profile

CATS = [{"type": "text", "text": "Two"}, {"type": "text", "text": "cats"}]


def compute(
    *,
    messages: int = 100,
    tools: int = 0,
    directive: int = 0,
    formatter: int = 0,
    memory_tokens: int = 2000,
    exact: bool = True,
    **model: Any,
) -> Budget:
    return budget.compute(
        profile(**model),
        ClientTokens(messages, tools, exact),
        directive=TokenCount(directive, exact=True),
        formatter=formatter,
        memory_tokens=memory_tokens,
    )


def test_every_term_of_the_formula_for_a_model_like_gpt_4o() -> None:
    terms = compute(messages=1000, tools=200, directive=300, formatter=50)

    assert terms.as_json() == {
        "window": 128_000,
        "reserve": 4096,
        "safety": 2560,
        "messages": 1000,
        "tools": 200,
        "directive": 300,
        "pinned": 0,
        "formatter": 50,
        "told": 0,
        "memory": 128_000 - 4096 - 2560 - 1000 - 200 - 300 - 50,
        "constrained": False,
        "memory_tokens": 2000,
        "available": 2000,
        "model_known": True,
        "tokenizer": "o200k_base",
        "exact": True,
    }


@pytest.mark.parametrize(
    ("window", "max_output", "reserve"),
    [
        pytest.param(1_000, 4096, 500, id="never under 500"),
        pytest.param(8_192, 4096, 1228, id="15 percent of a small window"),
        pytest.param(128_000, 2048, 2048, id="no more than the model can put out"),
        pytest.param(128_000, 100, 500, id="500 even if the model puts out less"),
        pytest.param(1_000_000, 65_536, 4096, id="never over 4096"),
    ],
)
def test_the_reserve_for_the_answer(window: int, max_output: int, reserve: int) -> None:
    assert compute(window=window, max_output_tokens=max_output).reserve == reserve


@pytest.mark.parametrize(("fraction", "safety"), [(0.02, 163), (0.05, 409), (0.10, 819)])
def test_the_safety_margin_is_a_part_of_the_window(fraction: float, safety: int) -> None:
    assert compute(window=8192, safety_fraction=fraction).safety == safety


@given(
    window=st.integers(1, 2_000_000),
    max_output=st.integers(1, 200_000),
    percent=st.sampled_from([2, 5, 10]),
    counts=st.tuples(*[st.integers(0, 300_000)] * 4),
    memory_tokens=st.integers(0, 10_000_000),
)
def test_the_budget_is_the_formula(
    window: int, max_output: int, percent: int, counts: tuple[int, int, int, int], memory_tokens: int
) -> None:
    messages, tools, directive, formatter = counts

    terms = compute(
        window=window,
        max_output_tokens=max_output,
        safety_fraction=percent / 100,
        messages=messages,
        tools=tools,
        directive=directive,
        formatter=formatter,
        memory_tokens=memory_tokens,
    )

    reserve = max(Fraction(500), min(Fraction(15, 100) * window, Fraction(max_output), Fraction(4096)))
    safety = Fraction(percent, 100) * window
    assert 0 <= reserve - terms.reserve < 1
    assert abs(safety - terms.safety) < Fraction(1000001, 1000000)
    assert terms.memory == max(0, window - terms.reserve - terms.safety - sum(counts))
    assert terms.available == min(terms.memory, memory_tokens)
    assert terms.constrained == (terms.memory < 1000)


def test_a_full_window_leaves_nothing() -> None:
    terms = compute(window=8192, messages=9000)

    assert (terms.memory, terms.available, terms.constrained) == (0, 0, True)


@pytest.mark.parametrize(("left", "constrained"), [(999, True), (1000, False)])
def test_a_budget_is_constrained_below_a_thousand_tokens(left: int, constrained: bool) -> None:
    around = compute(window=8192, messages=0)

    terms = compute(window=8192, messages=around.memory - left)

    assert (terms.memory, terms.constrained) == (left, constrained)


def test_a_cap_of_zero_leaves_nothing_to_pack_but_is_no_constraint_of_the_window() -> None:
    terms = compute(memory_tokens=0)

    assert (terms.available, terms.constrained) == (0, False)


def test_an_unknown_model_and_an_estimated_count_are_reported() -> None:
    terms = compute(known=False, tokenizer_family="cl100k_base", exact=False)

    assert (terms.model_known, terms.tokenizer, terms.exact) == (False, "cl100k_base", False)


@pytest.mark.parametrize(
    ("sent", "texts"),
    [
        pytest.param(message("Hello"), ["user", "Hello"], id="one text"),
        pytest.param(message("B", role="assistant"), ["assistant", "B"], id="another role"),
        pytest.param(message(None, role="assistant"), ["assistant"], id="no content"),
        pytest.param(message(CATS), ["user", "Two", "cats"], id="text parts"),
        pytest.param(message(""), ["user", ""], id="empty content"),
    ],
)
def test_texts_that_become_tokens_and_the_overhead(sent: dict[str, Any], texts: list[str]) -> None:
    assert budget.texts_of(sent) == (texts, 4)


@pytest.mark.parametrize("kind", ["image_url", "input_image", "image"])
def test_an_image_part_costs_a_fixed_number_of_tokens_whatever_its_data(kind: str) -> None:
    part = {"type": kind, kind: {"url": "data:image/png;base64," + "A" * 10_000}}

    texts, fixed = budget.texts_of(message([part]))

    assert "".join(texts) == "user"
    assert fixed == 4 + 765


def test_tool_calls_and_names_are_counted_as_text() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": '{"city":"Köln"}'}}

    texts, _ = budget.texts_of(message(None, role="assistant", name="helper", tool_calls=[call]))

    assert json.loads(texts[-1]) == {"name": "helper", "tool_calls": [call]}
    assert "Köln" in texts[-1]


def test_a_part_of_unknown_kind_is_counted_as_its_json() -> None:
    part = {"type": "file", "file": {"file_id": "file-1"}}

    texts, fixed = budget.texts_of(message([part]))

    assert json.loads(texts[1]) == part
    assert fixed == 4


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=3),
    max_leaves=8,
)


@given(
    sent=st.fixed_dictionaries(
        {"role": st.text(), "content": st.none() | st.text() | st.lists(json_values, max_size=4)},
        optional={"name": json_values, "tool_calls": json_values},
    )
)
def test_every_message_that_can_be_sent_can_be_counted(sent: dict[str, Any]) -> None:
    texts, fixed = budget.texts_of(sent)

    assert fixed >= 4
    assert sent["role"] in texts
    assert not isinstance(sent["content"], str) or sent["content"] in texts


def test_tools_are_counted_as_their_schemas() -> None:
    tools = [{"type": "function", "function": {"name": "look_up", "description": "Sucht in Köln"}}]

    assert json.loads(budget.tool_text(tools)) == tools
    assert "Köln" in budget.tool_text(tools)


def test_no_tools_have_no_text() -> None:
    assert budget.tool_text([]) == ""
