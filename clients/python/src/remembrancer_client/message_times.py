"""When a message was said, by the fields in which hosts and frameworks keep it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timezone
from typing import Any

PLAIN_FIELDS = ("timestamp", "created_at", "createdAt")
"""Those that can mean nothing else, also beside other data of a framework."""
FIELDS = (*PLAIN_FIELDS, "time", "date")
"""Those that the service reads, in its order."""
_LATEST = datetime(9000, 1, 1, tzinfo=timezone.utc)
_NUMBERS_BELOW = 1e14
_MILLISECONDS_FROM = 1e11


def said_at(message: Mapping[str, Any]) -> str | None:
    """The first time of the message that can be read, in ISO 8601 and UTC; None without one, as the service refuses
    others.
    """
    return next((moment for name in FIELDS if (moment := in_iso(message.get(name))) is not None), None)


def in_iso(value: object) -> str | None:
    """From ISO 8601, a datetime or date, or seconds or milliseconds since 1970; without an offset it is UTC."""
    try:
        moment = _moment(value)
    except (ValueError, OverflowError, OSError):
        return None
    return None if moment is None or moment > _LATEST else moment.isoformat()


def _moment(value: object) -> datetime | None:
    if isinstance(value, str):
        text = value.strip()
        # Python 3.10 knows no Z.
        value = datetime.fromisoformat(f"{text[:-1]}+00:00" if text.endswith(("Z", "z")) else text)
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if isinstance(value, datetime):
        return value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _NUMBERS_BELOW:
        return None
    return datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS_FROM else value, timezone.utc)
