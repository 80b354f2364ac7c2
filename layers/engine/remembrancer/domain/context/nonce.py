"""The number in the tags around injected text: the same for a whole conversation, unknown to who writes memories.

It only marks the text. What keeps a memory from closing its tag is escaping (`own_tags`).
"""

import hmac
import json
from uuid import UUID

NONCE_DIGITS = 9
"""Tokenizers group digits by three, so every nonce of this form has the same number of tokens."""
COUNTED_NONCE = "0" * NONCE_DIGITS


def nonce_of(org_id: UUID, agent_id: UUID, end_user: str | None, session_id: str | None, *, key: bytes) -> str:
    """A keyed hash, so that every instance has the same one. `end_user` as in `EndUser.text`."""
    named = json.dumps([str(org_id), str(agent_id), end_user, session_id])
    digest = hmac.digest(key, b"nonce:" + named.encode(), "sha256")
    return f"{int.from_bytes(digest[:16], 'big') % 10**NONCE_DIGITS:0{NONCE_DIGITS}d}"
