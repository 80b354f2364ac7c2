"""The environment of a container: secrets come from files, and what Lambda's template sets has a default."""

from collections.abc import Mapping
from pathlib import Path

from remembrancer.errors import ConfigurationError
from remembrancer.settings import DEFAULTS

OWNER = "OWNER_DATABASE_URL"
"""The database as the role that owns it; only migrations and tasks have it."""
FILE = "_FILE"
_DEFAULTS = {
    # In the stage `local` each request has its line and its metrics at once.
    "STAGE": "production",
    "LOG_EVERY": "20",
    "EMBED_QUEUE_URL": "postgres:embed",
    "CAPTURE_QUEUE_URL": "postgres:capture",
    "SIDE_EFFECTS_QUEUE_URL": "postgres:side-effects",
    "DEAD_LETTER_QUEUE_URLS": "postgres:embed.dead,postgres:capture.dead,postgres:side-effects.dead",
}


def read(env: Mapping[str, str], *, as_owner: bool = False) -> dict[str, str]:
    """The environment with each setting `X` that `X_FILE` names as a file; `as_owner` uses the owner's database.

    Raises ConfigurationError for a file that cannot be read, or a setting that is there twice.
    """
    values = {**_DEFAULTS, **env}
    for name in (*DEFAULTS, OWNER):
        path = env.get(name + FILE)
        if path is None:
            continue
        if name in env:
            raise ConfigurationError(f"{name} and {name}{FILE} are both set; remove one of them")
        try:
            values[name] = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{name}{FILE}={path} cannot be read: {type(error).__name__}") from error
    if as_owner:
        values["DATABASE_URL"] = values.get(OWNER) or values.get("DATABASE_URL", "")
    if not values.get("DATABASE_URL"):
        raise ConfigurationError(f"DATABASE_URL or DATABASE_URL{FILE} is required")
    return values
