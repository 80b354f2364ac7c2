"""Random passwords of local servers, in files that only their owner can read."""

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path


def read(path: Path) -> dict[str, str] | None:
    """The passwords by name, or None if the file is missing or damaged."""
    try:
        passwords = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return passwords if isinstance(passwords, dict) else None


def create(path: Path, names: Sequence[str]) -> dict[str, str]:
    """Creates passwords for these names and replaces the file."""
    passwords = {name: secrets.token_urlsafe(24) for name in names}
    write(path, passwords)
    return passwords


def write(path: Path, passwords: Mapping[str, str]) -> None:
    """Replaces the file atomically: after a failure it is unchanged."""
    written = path.with_suffix(".new")
    written.unlink(missing_ok=True)
    with os.fdopen(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(passwords, file)
    written.replace(path)


def kept(path: Path, names: Sequence[str]) -> dict[str, str]:
    """The passwords of the file, or new ones if it does not have them all."""
    passwords = read(path)
    return passwords if passwords is not None and set(names) <= passwords.keys() else create(path, names)
