"""Writes the hashes of what the layers and the container's image install into their requirements.

Run by `make hashes` after a version changed.

    python layers/lock.py

Takes the versions that stand there and asks pip which file it would install on each platform that the layer is made
for or on. Nothing is installed. Addresses are not kept: a file is what its hash says, wherever it comes from.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
Target = tuple[str, Sequence[str]]


def linux(processor: str) -> list[str]:
    """As in engine/Makefile."""
    return [f"{tag}_{processor}" for tag in ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")]


def mac(processor: str) -> list[str]:
    """Of the last years."""
    return [
        f"macosx_{version}_{kind}" for version in ("14_0", "13_0", "12_0", "11_0") for kind in (processor, "universal2")
    ]


# Lambda runs the engine and MCP on Python 3.13; the models are built on any machine that develops or deploys.
TARGETS: dict[str, list[Target]] = {
    "engine": [("3.13", linux("x86_64")), ("3.13", linux("aarch64"))],
    "mcp": [("3.13", linux("x86_64")), ("3.13", linux("aarch64"))],
    "../containers": [("3.13", linux("x86_64")), ("3.13", linux("aarch64"))],
    "models": [
        (python, platforms)
        for python in ("3.11", "3.12", "3.13", "3.14")
        for platforms in (linux("x86_64"), linux("aarch64"), mac("arm64"))
    ],
}


def main() -> None:
    """Keeps comments, order and versions."""
    for layer, targets in TARGETS.items():
        path = HERE / layer / "requirements.txt"
        text = path.read_text(encoding="utf-8")
        pins = re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)
        found: dict[str, set[str]] = {}
        for python, platforms in targets:
            for name, digest in chosen([f"{name}=={version}" for name, version in pins], python, platforms):
                found.setdefault(normal(name), set()).add(digest)
        comments = [line for line in text.splitlines() if line.startswith("#")]
        lines = [
            " \\\n".join(
                [f"{name}=={version}", *(f"    --hash=sha256:{digest}" for digest in sorted(found[normal(name)]))]
            )
            for name, version in pins
        ]
        path.write_text("\n".join([*comments, *lines]) + "\n", encoding="utf-8")


def chosen(pins: Sequence[str], python: str, platforms: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Name and sha256 of each wheel that pip would install."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run"]
        command += ["--ignore-installed", "--no-deps", "--only-binary=:all:", "--implementation=cp"]
        command += [f"--python-version={python}", *(f"--platform={platform}" for platform in platforms)]
        command += [f"--target={folder}", "--report=-", *pins]
        finished = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own words
    for item in json.loads(finished.stdout)["install"]:
        yield item["metadata"]["name"], item["download_info"]["archive_info"]["hashes"]["sha256"]


def normal(name: str) -> str:
    """PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
