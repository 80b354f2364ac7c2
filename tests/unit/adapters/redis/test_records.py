"""Records in Redis, those of earlier versions included."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.redis.records import decode_turn, encode_turn
from remembrancer.domain.retrieval.turn_key import Turn, TurnMemory
from tests.builders import identifier

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
