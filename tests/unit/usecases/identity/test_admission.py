"""Whom an address stands for, and how many refusals it is given."""

import pytest

from remembrancer.domain.identity.scope import RateLimit
from remembrancer.errors import TooManyRequests
from remembrancer.usecases.identity import admission
from remembrancer.usecases.identity.admission import AddressBuckets, network
from tests.builders import SetClock, principal


def taken(buckets: AddressBuckets, address: str, times: int) -> list[bool]:
    """Whether there was a token, each time."""
    given = []
    for _ in range(times):
        try:
            buckets.require(address)
            given.append(True)
        except TooManyRequests:
            given.append(False)
        buckets.take(address)
    return given


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        ("2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_an_ipv6_customer_is_one_address(address: str, place: str) -> None:
    assert network(address) == place


def test_tokens_come_back_with_time_up_to_the_burst() -> None:
    clock = SetClock()
    buckets = AddressBuckets(clock, RateLimit(2, 3))

    first = taken(buckets, "203.0.113.7", 4)
    clock.seconds += 0.5
    after_half_a_second = taken(buckets, "203.0.113.7", 2)
    clock.seconds += 1000
    after_long = taken(buckets, "203.0.113.7", 4)

    assert first == after_long == [True, True, True, False]
    assert after_half_a_second == [True, False]


def test_addresses_have_buckets_of_their_own_and_a_limit_of_0_is_none() -> None:
    buckets = AddressBuckets(SetClock(), RateLimit(1, 1))

    assert [taken(buckets, address, 2) for address in ("203.0.113.7", "203.0.113.8")] == [[True, False]] * 2
    assert taken(AddressBuckets(SetClock(), RateLimit(0, 1)), "203.0.113.7", 1000) == [True] * 1000


def test_what_an_instance_knows_of_addresses_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "ENTRIES", 10)
    buckets = AddressBuckets(SetClock(), RateLimit(0.001, 1))

    for number in range(100):
        buckets.take(f"203.0.113.{number}")

    assert len(buckets._levels._kept) == 10
    assert taken(buckets, "203.0.113.99", 1) == [False]


def test_credentials_that_name_many_end_users_do_not_fill_the_memory_of_an_instance() -> None:
    """An organization may make ten thousand keys, each for a thousand end users with long names."""
    kept, small = admission.Admission(SetClock(), RateLimit(1, 1)), principal()
    names = tuple(f"{number:064}" for number in range(1000))
    keys = [bytes([*divmod(number, 256)]) for number in range(200)]

    for key in keys:
        kept.accept(key, principal(end_users=names))
        kept.accept(b"small", small)

    known = {key: found for key in keys if (found := kept.accepted(key)) is not None}
    assert list(known) == keys[-len(known) :]
    assert 0 < sum(one.nbytes for one in known.values()) <= admission.MOST_BYTES
    assert kept.accepted(b"small") is small
    for key in [*keys, b"small"]:
        kept.refuse(key, "203.0.113.7", is_unknown=False)
    assert kept._accepted._bytes == 0
