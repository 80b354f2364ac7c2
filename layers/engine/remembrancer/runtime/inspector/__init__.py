"""The inspector: one page made of the files of this folder, and the headers that it is served with.

The scripts are modules that import each other while they are developed and type-checked. In the page they are one
script, without imports, comments and indentation; the style loses the blanks around its signs. So every name at the
top level of a script is unique, no string has a line break, and `SCRIPTS` has each script after those that it needs
while it is loaded.
"""

import base64
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent
SCRIPTS = (
    "elements.js",
    "figures.js",
    "service.js",
    "messages.js",
    "virtual_list.js",
    "graph.js",
    "explanation.js",
    "assemble.js",
    "memory.js",
    "memories.js",
    "review.js",
    "conversations.js",
    "directive.js",
    "faults.js",
    "inspector.js",
)
MOST_BYTES = 110_000
"""Most bytes of the page, so that it loads at once on a slow network."""

_IMPORTS = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_COMMENTS = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/)[\s\S])*\*/|//.*)\n|/\*\* @[^\n]*?\*/ ?", re.MULTILINE)
_INDENTATION = re.compile(r"^\s+", re.MULTILINE)
_BLANKS = re.compile(r"\s*([{};])\s*")
_EXPORT = re.compile(r"^export ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """The text of the page, and its headers."""

    html: str
    headers: dict[str, str]


@cache
def page(stage: str) -> Page:
    """The page of a deployment's stage. In the stage `local` it has the switches for faults."""
    style = _BLANKS.sub(r"\1", _read("style.css"))
    script = f'"use strict";\n{"".join(map(_script, SCRIPTS))}'
    html = _read("page.html")
    for name, text in (("stage", stage), ("style", style), ("script", script)):
        html = html.replace(f"{{{{{name}}}}}", text)
    return Page(html, {"content-security-policy": policy(style, script), **_HEADERS})


def policy(style: str, script: str) -> str:
    """Allows this style and this script by their hashes, requests to the page's own origin, and nothing else."""
    rules = (
        "default-src 'none'",
        f"script-src {_hash(script)}",
        f"style-src {_hash(style)}",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # No text can become markup, even by a mistake in the script.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(rules)


def _script(name: str) -> str:
    text = _read(name)
    for pattern in (_IMPORTS, _COMMENTS, _EXPORT, _INDENTATION):
        text = pattern.sub("", text)
    return text


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
