"""Installs Debian's packages on a machine without a container engine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from local.sam_image.errors import ContainersUnavailableError

_UPDATE_SECONDS = 180
_INSTALL_SECONDS = 600


def require(packages: Mapping[str, str], *, purpose: str) -> None:
    """Installs missing packages; `packages` maps each package to one of its programs, or the path of one of its files.

    Raises ContainersUnavailableError where this is not possible: another system, no root, no such package.
    """
    missing = [package for package, proof in packages.items() if not _is_there(proof)]
    if not missing:
        return
    names = " ".join(missing)
    if sys.platform != "linux" or shutil.which("apt-get") is None:
        raise ContainersUnavailableError(f"{purpose} needs Debian or a system made from it, for its packages: {names}")
    if os.geteuid() != 0:
        raise ContainersUnavailableError(f"{purpose} needs root, or first: apt-get install {names}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    # A failure may concern a source without these packages; the installation below shows if they are available.
    _run(["apt-get", "update", "--quiet"], environment, _UPDATE_SECONDS)
    install = ["apt-get", "install", "--quiet", "--yes", "--no-install-recommends", *missing]
    output = _run(install, environment, _INSTALL_SECONDS)
    if not all(_is_there(packages[package]) for package in missing):
        raise ContainersUnavailableError(f"{' '.join(install)} did not help:\n{output[-2000:]}")


def find(program: str) -> str | None:
    """The program's path, including folders that are only in root's search path; None without it."""
    return shutil.which(program, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")


def _is_there(proof: str) -> bool:
    return Path(proof).exists() if proof.startswith("/") else find(proof) is not None


def _run(command: list[str], environment: Mapping[str, str], seconds: float) -> str:
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ContainersUnavailableError(f"{' '.join(command)} took longer than {seconds:g} s") from error
    return done.stdout
