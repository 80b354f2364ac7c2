"""Credentials and addresses that a warm instance remembers, so that some requests need no lookup, and some get none."""

from collections import OrderedDict
from collections.abc import Hashable
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import ceil
from typing import Generic, TypeVar
from uuid import UUID

from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.errors import TooManyRequests
from remembrancer.ports.system import Clock

ACCEPTED_SECONDS = 300.0
"""How long a credential that was accepted may begin work beside its next check."""
UNKNOWN_SECONDS = 60.0
"""How long a key that does not exist is refused without a look; a new key is random, so it was never presented."""
THROTTLED_SECONDS = 5.0
"""How long a credential whose rate was used up is checked before anything is done for it."""
ENTRIES = 4096

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _Recent(Generic[Key, Value]):
    """The newest `ENTRIES` values, each for a time."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._kept: OrderedDict[Key, tuple[float, Value]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """None when it is not there, or no longer."""
        until, value = self._kept.get(key, (0.0, None))
        return value if until > self._clock.monotonic() else None

    def put(self, key: Key, value: Value) -> None:
        """For its time from now on."""
        self._kept[key] = (self._clock.monotonic() + self._seconds, value)
        self._kept.move_to_end(key)
        if len(self._kept) > ENTRIES:
            self._kept.popitem(last=False)

    def drop(self, key: Key) -> None:
        """A missing key is no error."""
        self._kept.pop(key, None)


class AddressBuckets:
    """A bucket of tokens for each address (IPv6: each /64), in this instance; a new one is full."""

    def __init__(self, clock: Clock, limit: RateLimit) -> None:
        """0 a second is no limit."""
        self._clock = clock
        self._limit = RateLimit(limit.per_second, max(limit.burst, 1))
        # A bucket that nobody has touched for so long is full again.
        seconds = self._limit.burst / limit.per_second if limit.per_second > 0 else 0.0
        self._levels: _Recent[str, tuple[float, float]] = _Recent(clock, seconds)

    def require(self, address: str) -> None:
        """TooManyRequests when there is no token; takes none."""
        if self._limit.per_second > 0 and (missing := 1 - self._level(network(address))) > 0:
            raise too_many_requests(missing / self._limit.per_second)

    def take(self, address: str) -> None:
        """One token, if there is one."""
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
    """Credentials by their fingerprint, and how many refusals each address has had."""

    def __init__(self, clock: Clock, limit: RateLimit) -> None:
        """`limit` is that of refused credentials from one address."""
        self._accepted: _Recent[bytes, Principal] = _Recent(clock, ACCEPTED_SECONDS)
        self._unknown: _Recent[bytes, bool] = _Recent(clock, UNKNOWN_SECONDS)
        self._throttled: _Recent[UUID, bool] = _Recent(clock, THROTTLED_SECONDS)
        self._refusals = AddressBuckets(clock, limit)

    def accepted(self, fingerprint: bytes) -> Principal | None:
        """Whose the credential was when it was last accepted here."""
        return self._accepted.get(fingerprint)

    def is_throttled(self, key_id: UUID) -> bool:
        """Whether its rate was used up a moment ago."""
        return self._throttled.get(key_id) is True

    def is_unknown(self, fingerprint: bytes) -> bool:
        """Whether it was looked for a moment ago, in vain."""
        return self._unknown.get(fingerprint) is True

    def require_patience(self, fingerprint: bytes, address: str) -> None:
        """TooManyRequests for an address with too many refusals, unless this credential was accepted lately."""
        if self._accepted.get(fingerprint) is None:
            self._refusals.require(address)

    def accept(self, fingerprint: bytes, principal: Principal) -> None:
        """Remembers that the credential was accepted now."""
        self._accepted.put(fingerprint, principal)

    def throttle(self, key_id: UUID) -> None:
        """Its rate is used up now."""
        self._throttled.put(key_id, True)

    def refuse(self, fingerprint: bytes, address: str, *, is_unknown: bool) -> None:
        """It was refused now; `is_unknown` means that it will be a minute from now, too."""
        self._accepted.drop(fingerprint)
        if is_unknown:
            self._unknown.put(fingerprint, True)
        self._refusals.take(address)


def too_many_requests(wait_s: float) -> TooManyRequests:
    """The same words whatever was used up."""
    seconds = max(ceil(wait_s), 1)
    return TooManyRequests(f"Too many requests; retry after {seconds} s.", headers={"retry-after": str(seconds)})


def network(address: str) -> str:
    """Whom an address stands for: IPv4 itself, of IPv6 the /64 that one customer gets; other text is its own."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)
