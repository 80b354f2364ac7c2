"""An image of Lambda's Python 3.13, built from Debian's packages and AWS's runtime client; nothing is pulled.

It has the paths that SAM and Lambda's code rely on: the runtime in /var/runtime, Python in /var/lang/bin, layers first
in the search path. Unlike Lambda it has Debian's libraries, so it proves nothing about glibc: tests/build does.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from local.sam_image import debian
from local.sam_image.engine import ContainerEngine
from local.sam_image.errors import ContainersUnavailableError

ROOT = Path(__file__).resolve().parents[2]
_CACHE = ROOT / ".cache"
NAME = "remembrancer-lambda-python3.13"
RELEASE = "trixie"  # the Debian release whose python3 is 3.13
RUNTIME = ("awslambdaric", "boto3")  # installed on Lambda itself
_TOOLS = {
    "debootstrap": "debootstrap",
    "debian-archive-keyring": "/usr/share/keyrings/debian-archive-keyring.gpg",
    "util-linux": "unshare",
    "tar": "tar",
}
_PLATFORMS = ("manylinux_2_28", "manylinux_2_17")
_SECONDS = 900

_BOOTSTRAP = """\
#!/bin/sh
export AWS_EXECUTION_ENV=AWS_Lambda_python3.13
exec /var/lang/bin/python3.13 /var/runtime/bootstrap.py
"""
# SAM starts this file for a debugger.
_BOOTSTRAP_PYTHON = """\
import os
import sys

from awslambdaric.__main__ import main

main(["bootstrap", os.environ["_HANDLER"]])
"""
_ENVIRONMENT = {
    "PATH": "/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "LAMBDA_TASK_ROOT": "/var/task",
    "LAMBDA_RUNTIME_DIR": "/var/runtime",
    # Functions before layers before the runtime, as on Lambda.
    "PYTHONPATH": "/var/task:/opt/python/lib/python3.13/site-packages:/opt/python:/var/runtime",
}
# Each container has its own devices.
_LEFT_OUT = (
    "dev/*",
    "var/cache/apt/*",
    "var/lib/apt/lists/*",
    "usr/share/doc/*",
    "usr/share/locale/*",
    "usr/share/man/*",
)


def ensure(engine: ContainerEngine, machine: str) -> str:
    """The image's name in the engine, after loading it there if necessary.

    `machine` is x86_64 or aarch64, this machine's. It is built once, in two minutes, as root, and kept as one file in
    `.cache`. Raises ContainersUnavailableError.
    """
    fingerprint = _fingerprint(machine)
    name = f"{NAME}:{fingerprint}"
    if engine.has_image(name):
        return name
    archive = _CACHE / f"{NAME}-{fingerprint}.tar"
    if not archive.exists():
        _make(archive, machine)
    changes = [f"ENV {variable}={value}" for variable, value in _ENVIRONMENT.items()] + ["WORKDIR /var/task"]
    engine.client.api.import_image_from_file(str(archive), repository=NAME, tag=fingerprint, changes=changes)
    if not engine.has_image(name):
        raise ContainersUnavailableError(f"the engine did not take the image of {archive}")
    return name


def _make(archive: Path, machine: str) -> None:
    if sys.platform != "linux" or os.geteuid() != 0:
        raise ContainersUnavailableError("Only root on Linux can make the image: docs/sam-local.md has another way")
    debian.require(_TOOLS, purpose="The image")
    _CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="remembrancer-image-") as folder:
        root = Path(folder) / "root"
        _bootstrap(root)
        install_runtime(root / "var" / "runtime", machine)
        _lay_out(root)
        partial = archive.with_suffix(".partial")
        excluded = [f"--exclude=./{pattern}" for pattern in _LEFT_OUT]
        _run(["tar", "--create", "--numeric-owner", *excluded, f"--file={partial}", f"--directory={root}", "."])
        partial.replace(archive)


def _fingerprint(machine: str) -> str:
    """A hash of everything that the image is built from, except Debian's updates."""
    versions = [line for line in _constraints().splitlines() if line.partition("==")[0] in RUNTIME]
    recipe = json.dumps([machine, RELEASE, versions, _BOOTSTRAP, _BOOTSTRAP_PYTHON, _ENVIRONMENT, _PLATFORMS])
    return sha256(recipe.encode()).hexdigest()[:12]


def _constraints() -> str:
    return (ROOT / "constraints.txt").read_text(encoding="utf-8")


def _bootstrap(root: Path) -> None:
    """Installs a minimal Debian; its mounts are private to it, and removed however it ends."""
    debootstrap = ["debootstrap", "--variant=minbase", "--include=python3,ca-certificates", RELEASE, str(root)]
    _run(["unshare", "--mount", "--propagation=private", *debootstrap])


def install_runtime(folder: Path, machine: str) -> None:
    """Installs the packages of Lambda itself for Python 3.13, runtime client and boto3, in the tested versions."""
    folder.mkdir(parents=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    target = ["--only-binary=:all:", "--implementation=cp", "--python-version=3.13", f"--target={folder}"]
    platforms = [f"--platform={platform}_{machine}" for platform in _PLATFORMS]
    _run([*pip, *target, *platforms, f"--constraint={ROOT / 'constraints.txt'}", *RUNTIME])


def _lay_out(root: Path) -> None:
    runtime = root / "var" / "runtime"
    for name, text in (("bootstrap", _BOOTSTRAP), ("bootstrap.py", _BOOTSTRAP_PYTHON)):
        (runtime / name).write_text(text, encoding="ascii")
        (runtime / name).chmod(0o755)
    for folder in ("var/task", "var/lang/bin", "opt"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "var" / "lang" / "bin" / "python3.13").symlink_to("/usr/bin/python3.13")


def _run(command: Sequence[str]) -> None:
    """Runs a command; after a failure raises ContainersUnavailableError with the end of its output."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ContainersUnavailableError(f"{command[0]} took longer than {_SECONDS} s") from error
    if done.returncode != 0:
        raise ContainersUnavailableError(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}")
