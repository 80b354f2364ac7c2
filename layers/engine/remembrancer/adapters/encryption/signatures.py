"""Ed25519 signatures with a key that is derived from a secret of the organization."""

import hmac
from hashlib import sha256

from remembrancer.ports.audit import Sign


def signer(secret: bytes) -> Sign:
    """Signs as whoever has the secret; nothing of it can be learnt from the public key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(hmac.digest(secret, b"audit checkpoint", sha256))
    public_key = key.public_key().public_bytes_raw().hex()
    return lambda message: (public_key, key.sign(message).hex())


def is_signed(public_key: str, message: bytes, signature: str) -> bool:
    """Whether the key's owner has signed the message; False also for what is no key or no signature."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True
