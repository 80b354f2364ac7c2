"""Cursors of listings: opaque positions, each valid for one listing of one organization only."""

import base64
import binascii
import hmac

_MAC_BYTES = 12


def seal(position: str, *, key: bytes, listing: str) -> str:
    """Makes a cursor; `listing` names the organization, the route and its filters."""
    text = position.encode()
    return base64.urlsafe_b64encode(_mac(text, key, listing) + text).decode().rstrip("=")


def unseal(cursor: str, *, key: bytes, listing: str) -> str | None:
    """The position in a cursor; None if `seal` did not make it with this key and listing."""
    try:
        value = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), b"-_", validate=True)
    except (ValueError, binascii.Error):
        return None
    mac, text = value[:_MAC_BYTES], value[_MAC_BYTES:]
    if not hmac.compare_digest(mac, _mac(text, key, listing)):
        return None
    return text.decode()


def _mac(text: bytes, key: bytes, listing: str) -> bytes:
    named = b"cursor:" + len(listing.encode()).to_bytes(4, "big") + listing.encode() + text
    return hmac.digest(key, named, "sha256")[:_MAC_BYTES]
