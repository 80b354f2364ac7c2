"""JSON Web Tokens of one identity provider, verified by its public keys (RFC 7519, RFC 8725)."""

from collections.abc import Mapping, Sequence
from typing import Any

from remembrancer.adapters.identity.jwks import JsonWebKeys

ALGORITHMS = ("RS256", "ES256")
LEEWAY_SECONDS = 30
"""By so much the clocks of the provider and of an instance may differ: `exp`, `nbf` and `iat` count with it."""
_LONGEST = 8192
_TYPES = {"jwt", "at+jwt", "application/jwt", "application/at+jwt"}


class JwtTokens:
    """Serves the Tokens port. A key decides which algorithm it verifies; what the token says must be the same."""

    def __init__(self, keys: JsonWebKeys, *, issuer: str, audiences: Sequence[str]) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audiences = list(audiences)

    async def warm(self) -> None:
        """Imports what the first token needs, on a thread, and fetches the keys."""
        await self._keys.refresh()

    async def verified(self, token: str) -> Mapping[str, Any] | None:
        import jwt

        header = _header(token)
        if header is None:
            return None
        key = await self._keys.find(header.get("kid"), header["alg"])
        if key is None:
            return None
        try:
            claims: Mapping[str, Any] = jwt.decode(
                token,
                key.key,
                algorithms=[key.algorithm],
                audience=self._audiences,
                issuer=self._issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud"]},
            )
        except (jwt.PyJWTError, ValueError, OverflowError):
            return None
        return claims


def _header(token: str) -> Mapping[str, Any] | None:
    import jwt

    if len(token) > _LONGEST:
        return None
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError):
        return None
    kind = header.get("typ", "JWT")
    kid = header.get("kid")
    named = isinstance(kind, str) and kind.lower() in _TYPES and (kid is None or isinstance(kid, str))
    return header if named and header.get("alg") in ALGORITHMS else None
