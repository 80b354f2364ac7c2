"""The rehearsal's release: one more migration, and a query function that raises."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from scripts import failing_release
from scripts.configuration import ROOT


def test_the_release_migrates_and_then_fails_every_query(tmp_path: Path) -> None:
    shutil.copytree(ROOT / failing_release.MIGRATIONS, tmp_path / failing_release.MIGRATIONS)
    app = tmp_path / failing_release.APP
    app.parent.mkdir(parents=True)
    stand_in = """
class instance:
    loop, after_response = None, None
http_handler = lambda routes, **_: routes
"""
    app.write_text(stand_in, encoding="utf-8")
    before = sorted(path.name for path in (tmp_path / failing_release.MIGRATIONS).glob("*.sql"))

    added = failing_release.write(tmp_path)

    assert int(added.name[:4]) == int(before[-1][:4]) + 1
    namespace: dict[str, object] = {}
    exec(app.read_text(encoding="utf-8"), namespace)
    handler: Any = namespace["handler"]
    assert handler.keys() == {"POST /memory/query", "POST /v1/memories/query"}
    with pytest.raises(RuntimeError):
        asyncio.run(handler["POST /memory/query"](None, None))
