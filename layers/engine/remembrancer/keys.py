"""API keys: 256 random bits, shown once, stored only as their SHA-256."""

import secrets
from hashlib import sha256

PREFIX = "rk_"


def new_api_key() -> str:
    """Generates the text of a new key."""
    return f"{PREFIX}{secrets.token_urlsafe(32)}"


def fingerprint(api_key: str) -> bytes:
    """The hash by which a key is stored and looked up."""
    return sha256(api_key.encode("utf-8", "surrogatepass")).digest()
