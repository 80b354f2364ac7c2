"""Records in Redis, those of earlier versions included."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.redis.records import (
    decode_directive,
    decode_memory,
    decode_pins,
    decode_prompt,
    decode_told,
    decode_turn,
    encode_directive,
    encode_memory,
    encode_pins,
    encode_prompt,
    encode_told,
    encode_turn,
    told_field,
)
from remembrancer.domain.context.prefix import DIGEST_BYTES, PARTS, Hashed, Prompt
from remembrancer.domain.context.told import ToldBlock, ToldMemory
from remembrancer.domain.identity.scope import NOBODY, EndUser
from remembrancer.domain.memories.memory import Change, Directive
from remembrancer.domain.memories.pins import Pins
from remembrancer.domain.retrieval.turn_key import Turn, TurnMemory
from tests.builders import identifier, memory, unit_vector

FOUND = (
    TurnMemory(identifier(1), 0.5, None, 1.25, 0.0, (3, 4), True),
    TurnMemory(identifier(2), None, None, None, passages=(0, 7)),
)


@given(st.integers(0, 9), st.booleans(), st.integers(0, 9))
def test_a_turn_comes_back_as_it_was(available: int, silent: bool, duplicates: int) -> None:
    turn = Turn(FOUND, available, silent=silent, duplicates=duplicates, missing=("cold_timeout",), information=1.5)

    assert decode_turn(encode_turn(turn)) == turn


@pytest.mark.parametrize(("missing", "silent"), [(4, True), (5, False)])
def test_a_turn_of_an_earlier_version_is_read_without_what_that_did_not_count(missing: int, silent: bool) -> None:
    encoded = encode_turn(Turn(FOUND[:1], 7, silent=True, duplicates=5))
    told = json.loads(encoded[1:])

    older = encoded[:1] + json.dumps(told[:-missing]).encode()

    assert decode_turn(older) == Turn(FOUND[:1], 7, silent=silent)


AGENT, ANOTHER = memory(1).agent_id, identifier(99)
DIRECTIVE = Directive(version=3, text="Be brief.", injection_mode="system_prepend")
HASHED = Hashed(b"h" * DIGEST_BYTES, b"t" * DIGEST_BYTES, 7)
PROMPT = Prompt((b"p" * DIGEST_BYTES,) * len(PARTS), 5, "turn", 0, [HASHED], 1, HASHED)
BLOCK = ToldBlock(1, "ab" * 8, "cd" * 8, (ToldMemory(identifier(1), 2, (0, 7)),))
DEEP = b"[" * 200_000
VALUES: dict[str, tuple[bytes, Callable[[bytes], Any]]] = {
    "memory": (encode_memory(memory(1, vector=unit_vector(1))), decode_memory),
    "pins": (encode_pins(Pins(Change(1, 2), [memory(1)])), lambda value: decode_pins(value, AGENT, NOBODY)),
    "directive": (encode_directive(DIRECTIVE, AGENT), lambda value: decode_directive(value, AGENT)),
    "turn": (encode_turn(Turn(FOUND, 2, vectors=np.eye(2, 8, dtype=np.float32), model="m")), decode_turn),
    "told": (encode_told(BLOCK), lambda value: decode_told([told_field(BLOCK).encode(), value])),
    "prompt": (encode_prompt(PROMPT), lambda value: decode_prompt([b"prompt", value])),
}


@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_a_damaged_value_is_read_or_missed_and_never_an_error(kind: str, data: st.DataObject) -> None:
    """Cut, with flipped bits, with another's bytes in it, and with JSON that has no end."""
    whole, decode = VALUES[kind]
    assert decode(whole)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    other = data.draw(st.sampled_from([one for one, _ in VALUES.values()]))
    inserted = data.draw(
        st.sampled_from([b"", b"\0", b"Infinity", b"1e999", b"-1", b"null", b"\xff", DEEP, other, other[start:end]])
    )
    damaged = bytearray(whole[:start] + inserted + whole[end:])
    for place in data.draw(st.lists(st.integers(0, 8 * len(whole)), max_size=3)):
        if place // 8 < len(damaged):
            damaged[place // 8] ^= 1 << place % 8

    decode(bytes(damaged))


@pytest.mark.parametrize("hostile", [b"6" + DEEP, b"6[Infinity, [], null]", b'6[1, [["x"]], [9, "", ""]]', b"6" * 5000])
def test_what_no_version_wrote_is_a_miss(hostile: bytes) -> None:
    assert [decode(hostile) or None for _, decode in VALUES.values()] == [None] * len(VALUES)


def test_what_belongs_to_another_is_a_miss() -> None:
    pins = encode_pins(Pins(Change(1, 2), [memory(1), memory(2, user_id="ada")]))

    assert decode_directive(encode_directive(DIRECTIVE, AGENT), ANOTHER) is None
    assert decode_pins(pins, ANOTHER, EndUser("ada")) is None
    assert decode_pins(pins, AGENT, EndUser("bob")) is None
    assert decode_pins(pins, AGENT, NOBODY) is None
    assert decode_pins(pins, AGENT, EndUser("ada")) is not None
