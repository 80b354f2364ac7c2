"""Time zones by their names in the IANA database, such as `Europe/Berlin`."""

import re
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

LONGEST_NAME = 64
_NAME = re.compile(r"(?!posix/|right/)[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_NO_ZONES = frozenset({"Factory", "localtime", "posixrules"})
"""Files of the database that mean no place, or another one on each machine."""


@lru_cache(maxsize=1024)
def named(name: str) -> tzinfo | None:
    """The zone of that name, in its letter case; None when there is none."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME or name in _NO_ZONES:
        return None
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        # A folder of the database is an OSError.
        return None


def first(*names: str | None) -> tzinfo:
    """The zone of the first name that is one; UTC without any."""
    return next((zone for name in names if name and (zone := named(name)) is not None), UTC)


def local(moment: datetime, zone: tzinfo) -> datetime:
    """The moment on the clocks of the zone; unchanged at the ends of the calendar."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment
