"""The code of an earlier revision serves the schema of this one, as after a rollback or while a canary runs.

It is the revision that OLDER_CODE names, else the newest one that knows fewer migrations, with its own tests through
its own functions: only the migrations are those of now.
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from hashlib import sha1
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MIGRATIONS = Path("layers/engine/remembrancer/adapters/postgres/migrations")
MODELS = Path("layers/models/build")
# What callers do with memories, not how the tables look meanwhile.
SUBJECTS = tuple(f"tests/e2e/test_{name}.py" for name in ("memories", "changes", "queries", "forgetting", "turns"))
LONGEST_SECONDS = 900


def git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def blob(content: bytes) -> str:
    """Git's name of a file with this content."""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def known_to(revision: str) -> Mapping[str, str]:
    """The migrations of a revision: content by name."""
    lines = git("ls-tree", revision, f"{MIGRATIONS}/").decode().splitlines()
    entries = [line.split() for line in lines]
    return {Path(path).name: content for _, _, content, path in entries if path.endswith(".sql")}


def earlier() -> Iterator[str]:
    """Revisions that know some of the migrations and no other ones, the newest first."""
    now = {file.name: blob(file.read_bytes()) for file in (ROOT / MIGRATIONS).glob("*.sql")}
    for revision in git("rev-list", "--first-parent", "HEAD", "--", str(MIGRATIONS)).decode().split():
        known = known_to(revision)
        if known.items() < now.items():
            yield revision


@pytest.fixture(scope="session")
def revision() -> str:
    chosen = os.environ["OLDER_CODE"] or next(earlier(), None)
    if chosen is None:
        pytest.skip("there is no revision with fewer migrations")
    return chosen


@pytest.fixture
def tree(revision: str, tmp_path: Path) -> Path:
    """The revision with the migrations of now."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", revision))) as archive:
        archive.extractall(tmp_path, filter="data")
    for file in (ROOT / MIGRATIONS).glob("*.sql"):
        shutil.copy(file, tmp_path / MIGRATIONS)
    (tmp_path / MODELS).symlink_to(ROOT / MODELS)
    return tmp_path


@pytest.mark.timeout(LONGEST_SECONDS)
def test_code_that_knows_fewer_migrations_serves_this_schema(tree: Path, revision: str) -> None:
    subjects = [subject for subject in SUBJECTS if (tree / subject).exists()]
    paths = [tree / "layers" / "engine", tree, tree / "layers" / "models"]

    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *subjects],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_SECONDS,
    )

    assert ran.returncode == 0, f"{revision}\n{ran.stdout[-8000:]}"
    sys.stdout.write(f"{revision}: {ran.stdout.splitlines()[-1]}\n")
