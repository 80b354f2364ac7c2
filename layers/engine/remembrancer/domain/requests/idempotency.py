"""A request that takes effect once however often it comes: what the header `Idempotency-Key` makes of it."""

import re
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID, uuid5

from remembrancer.domain.identity.scope import Principal
from remembrancer.errors import Conflict, InvalidRequest

HEADER = "Idempotency-Key"
LONGEST_KEY = 255


@dataclass(frozen=True, slots=True)
class Once:
    """SHA-256 of who uses which key, and of what was asked with it."""

    key: bytes
    request: bytes

    def event_id(self) -> UUID:
        """The same for each time that it comes."""
        return uuid5(UUID(bytes=self.key[:16]), self.request.hex())


def parse(text: str, principal: Principal, *, method: str, path: str, body: bytes) -> Once:
    """Each end user of each credential has keys of their own. InvalidRequest for what is no key."""
    if not _KEY.fullmatch(text):
        problem = f"must have 1 to {LONGEST_KEY} characters, all of them visible ASCII or blanks"
        raise InvalidRequest(f"{HEADER} {problem}.", fields={HEADER: problem})
    place = (str(principal.org_id), principal.project_id, principal.environment, str(principal.key_id))
    return Once(
        key=_digest(*place, "" if principal.end_user.text is None else f"user {principal.end_user.text}", text),
        request=_digest(method, path, sha256(body).hexdigest()),
    )


def reused() -> Conflict:
    """The refusal of a key that came with another request before."""
    return Conflict(
        f"This {HEADER} was used for another request.",
        code="idempotency_key_reused",
        fields={HEADER: "was used for another request in the last 24 hours"},
    )


def _digest(*parts: str) -> bytes:
    digest = sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


_KEY = re.compile(rf"[\x20-\x7e]{{1,{LONGEST_KEY}}}")
