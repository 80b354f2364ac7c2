"""Idempotency keys: a request with the header `Idempotency-Key` takes effect once, however often it is sent."""

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
    """SHA-256 hashes: of credential, end user and key, and of the request."""

    key: bytes
    request: bytes

    def event_id(self) -> UUID:
        """The same id for each repetition of the request."""
        return uuid5(UUID(bytes=self.key[:16]), self.request.hex())


def parse(text: str, principal: Principal, *, method: str, path: str, body: bytes) -> Once:
    """Parses the key; keys are separate for each end user of each credential. Raises InvalidRequest for an invalid
    key.
    """
    if not _KEY.fullmatch(text) or text.isspace():
        problem = f"must have 1 to {LONGEST_KEY} characters, visible ASCII or blanks, and not blanks alone"
        raise InvalidRequest(f"{HEADER} {problem}.", fields={HEADER: problem})
    place = (str(principal.org_id), principal.project_id, principal.environment, str(principal.key_id))
    return Once(
        key=_digest(*place, "" if principal.end_user.text is None else f"user {principal.end_user.text}", text),
        request=_digest(method, path, sha256(body).hexdigest()),
    )


def reused() -> Conflict:
    """The error for a key that was used with a different request before."""
    return Conflict(
        f"This {HEADER} was used with a different request.",
        code="idempotency_key_reused",
        fields={HEADER: "was used with a different request in the last 24 hours"},
    )


def _digest(*parts: str) -> bytes:
    digest = sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


_KEY = re.compile(rf"[\x20-\x7e]{{1,{LONGEST_KEY}}}")
