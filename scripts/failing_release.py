"""Turns the working tree into a release that fails, for the rehearsal in docs/first-deployment.md.

It migrates, and then no query works.

`git checkout functions && git clean -f layers/engine/remembrancer/adapters/postgres/migrations` reverts it.
"""

import sys
from pathlib import Path

from scripts.configuration import ROOT

MIGRATIONS = "layers/engine/remembrancer/adapters/postgres/migrations"
APP = "functions/query/app.py"
MIGRATION = (
    "-- A table that no code reads: older code serves this schema as well.\nCREATE TABLE rehearsal (at timestamptz);\n"
)
FAILURE = '''

async def fails(request, work):  # type: ignore[no-untyped-def]
    """Fails on purpose: an answer of status 500, which Lambda takes for a success."""
    raise RuntimeError("a release that fails")


handler = http_handler(
    {"POST /memory/query": fails, "POST /v1/memories/query": fails},
    loop=instance.loop,
    after_response=instance.after_response,
)
'''


def write(root: Path = ROOT) -> Path:
    """Returns the added migration; its number is the next free one."""
    folder = root / MIGRATIONS
    newest = max(int(file.name[:4]) for file in folder.glob("[0-9]*.sql"))
    migration = folder / f"{newest + 1:04}_rehearsal.sql"
    migration.write_text(MIGRATION, encoding="utf-8")
    app = root / APP
    app.write_text(app.read_text(encoding="utf-8") + FAILURE, encoding="utf-8")
    return migration


def main() -> int:
    """Prints what it wrote."""
    sys.stdout.write(f"{write().relative_to(ROOT)}\n{APP}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
