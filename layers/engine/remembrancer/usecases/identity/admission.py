"""Caches accepted and refused credentials, and addresses, in a warm instance, to skip lookups or refuse early."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import ceil
from typing import Generic, TypeVar
from uuid import UUID

from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.errors import TooManyRequests
from remembrancer.ports.system import Clock

ACCEPTED_SECONDS = 300.0
"""Seconds for which an accepted credential may start work while it is checked again."""
UNKNOWN_SECONDS = 60.0
"""Seconds for which an unknown key is refused without a lookup; new keys are random, so none was presented before."""
THROTTLED_SECONDS = 5.0
"""Seconds for which a credential over its rate limit is checked before any work starts."""
ENTRIES = 4096
MOST_BYTES = 8_000_000
"""A key may name a thousand end users, in 64 KB, and an organization may make as many keys as there are entries."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _Recent(Generic[Key, Value]):
    """The newest `ENTRIES` values, of `MOST_BYTES` together as they are weighed, each with a time to live."""

    def __init__(self, clock: Clock, seconds: float, *, weigh: Callable[[Value], int] = lambda _: 0) -> None:
        self._clock = clock
        self._seconds = seconds
        self._weigh = weigh
        self._bytes = 0
        self._kept: OrderedDict[Key, tuple[float, Value]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """The value; None when it is missing or expired."""
        until, value = self._kept.get(key, (0.0, None))
        return value if until > self._clock.monotonic() else None

    def put(self, key: Key, value: Value) -> None:
        """Stores the value; its time to live starts now."""
        known = self._kept.get(key)
        if known is None or known[1] is not value:
            self.drop(key)
            self._bytes += self._weigh(value)
        self._kept[key] = (self._clock.monotonic() + self._seconds, value)
        self._kept.move_to_end(key)
        while len(self._kept) > ENTRIES or (self._bytes > MOST_BYTES and len(self._kept) > 1):
            self.drop(next(iter(self._kept)))

    def drop(self, key: Key) -> None:
        """Removes a key; a missing key is no error."""
        known = self._kept.pop(key, None)
        if known is not None:
            self._bytes -= self._weigh(known[1])


class AddressBuckets:
    """A token bucket for each address (IPv6: each /64), in this instance; a new bucket is full."""

    def __init__(self, clock: Clock, limit: RateLimit) -> None:
        """A rate of 0 per second means no limit."""
        self._clock = clock
        self._limit = RateLimit(limit.per_second, max(limit.burst, 1))
        # A bucket unused for this long is full again.
        seconds = self._limit.burst / limit.per_second if limit.per_second > 0 else 0.0
        self._levels: _Recent[str, tuple[float, float]] = _Recent(clock, seconds)

    def require(self, address: str) -> None:
        """Raises TooManyRequests when the bucket is empty; takes no token."""
        if self._limit.per_second > 0 and (missing := 1 - self._level(network(address))) > 0:
            raise too_many_requests(missing / self._limit.per_second)

    def take(self, address: str) -> None:
        """Takes one token, if there is one."""
        if self._limit.per_second > 0:
            place = network(address)
            self._levels.put(place, (max(self._level(place) - 1, 0.0), self._clock.monotonic()))

    def _level(self, place: str) -> float:
        kept = self._levels.get(place)
        if kept is None:
            return float(self._limit.burst)
        level, since = kept
        return min(level + (self._clock.monotonic() - since) * self._limit.per_second, float(self._limit.burst))


class Admission:
    """Accepted and refused credentials by fingerprint, and refusals by address."""

    def __init__(self, clock: Clock, limit: RateLimit) -> None:
        """`limit` is the rate limit of refused credentials per address."""
        self._accepted: _Recent[bytes, Principal] = _Recent(clock, ACCEPTED_SECONDS, weigh=lambda one: one.nbytes)
        self._unknown: _Recent[bytes, bool] = _Recent(clock, UNKNOWN_SECONDS)
        self._throttled: _Recent[UUID, bool] = _Recent(clock, THROTTLED_SECONDS)
        self._refusals = AddressBuckets(clock, limit)

    def accepted(self, fingerprint: bytes) -> Principal | None:
        """The principal of the credential, if it was accepted here recently."""
        return self._accepted.get(fingerprint)

    def is_throttled(self, key_id: UUID) -> bool:
        """Whether the credential was over its rate limit a moment ago."""
        return self._throttled.get(key_id) is True

    def is_unknown(self, fingerprint: bytes) -> bool:
        """Whether a recent lookup did not find the credential."""
        return self._unknown.get(fingerprint) is True

    def require_patience(self, fingerprint: bytes, address: str) -> None:
        """Raises TooManyRequests for an address with too many refusals, unless this credential was accepted
        recently.
        """
        if self._accepted.get(fingerprint) is None:
            self._refusals.require(address)

    def accept(self, fingerprint: bytes, principal: Principal) -> None:
        """Records that the credential was accepted."""
        self._accepted.put(fingerprint, principal)

    def throttle(self, key_id: UUID) -> None:
        """Records that the credential is over its rate limit."""
        self._throttled.put(key_id, True)

    def refuse(self, fingerprint: bytes, address: str, *, is_unknown: bool) -> None:
        """Records a refusal; with `is_unknown`, the credential is refused without a lookup for a minute."""
        self._accepted.drop(fingerprint)
        if is_unknown:
            self._unknown.put(fingerprint, True)
        self._refusals.take(address)


def too_many_requests(wait_s: float) -> TooManyRequests:
    """The same message for each kind of limit."""
    seconds = max(ceil(wait_s), 1)
    return TooManyRequests(f"Too many requests; retry after {seconds} s.", headers={"retry-after": str(seconds)})


def network(address: str) -> str:
    """The network that counts as one client: an IPv4 address, the /64 of an IPv6 address; other text counts as
    itself.
    """
    try:
        found: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)
