"""Seals turns before they are stored, and opens them for the worker and the API."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from remembrancer.domain.capture.turns import Turn
from remembrancer.domain.encryption.sealed_text import (
    TURN,
    UNREADABLE_TEXT,
    Plain,
    Sealed,
    decode_text,
    encode_text,
)
from remembrancer.ports.encryption import Cipher


async def sealed(sealer: Cipher, org_id: UUID, turns: Sequence[Turn], *, version: int | None = None) -> list[Turn]:
    """The same turns with text and speaker sealed under the newest data key, or under `version`."""
    fields = [Plain(turn.memory_id, TURN, encode_text(turn.text, turn.speaker)) for turn in turns]
    answer = await sealer.seal(org_id, fields, version=version)
    return [
        replace(turn, sealed=value, key_version=answer.key_version)
        for turn, value in zip(turns, answer.values, strict=True)
    ]


async def opened(opener: Cipher, org_id: UUID, turns: Sequence[Turn]) -> list[Turn]:
    """The turns with their text; a notice replaces text that could not be opened."""
    closed = [turn for turn in turns if turn.is_closed]
    if not closed:
        return list(turns)
    answer = await opener.open(org_id, [Sealed(turn.memory_id, TURN, turn.sealed or b"") for turn in closed])
    texts = {
        turn.memory_id: (UNREADABLE_TEXT, None) if value is None else decode_text(value)
        for turn, value in zip(closed, answer.values, strict=True)
    }
    return [_with_text(turn, *texts[turn.memory_id]) if turn.memory_id in texts else turn for turn in turns]


def _with_text(turn: Turn, text: str, speaker: str | None) -> Turn:
    return replace(turn, text=text, speaker=speaker)
