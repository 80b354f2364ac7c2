"""What the layers install, as their lists say it."""

import re
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "layers" / "engine" / "requirements.txt"
SHIPPED_MCP = ROOT / "layers" / "mcp" / "requirements.txt"
BUILDS_MODELS = ROOT / "layers" / "models" / "requirements.txt"
HASH = re.compile(r" --hash=sha256:[0-9a-f]{64}(?= |$)")


def lines(path: Path) -> list[str]:
    """Requirements with their hashes, one a line."""
    text = re.sub(r"\s*\\\n\s*", " ", path.read_text(encoding="utf-8"))
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def pins(path: Path) -> dict[str, str]:
    """Version by normalised name; every line must be an exact pin."""
    found: dict[str, str] = {}
    for line in lines(path):
        requirement = Requirement(HASH.sub("", line))
        (specifier,) = requirement.specifier
        assert specifier.operator == "==", line
        found[canonicalize_name(requirement.name)] = specifier.version
    return found
