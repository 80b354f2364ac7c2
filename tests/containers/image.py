"""Assembles the image's root file system by the steps of the Dockerfile, without a container engine and without root.

    python -m tests.containers.image FOLDER

Stages become folders. `RUN` runs on this machine, with a Python of the version that the base image has; absolute paths
below /opt and /build are those of the stage's folder. What only an engine can do is not done: the base image's own
files, users, and the isolation of a container.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ASSEMBLED = ROOT / ".cache" / "image"
_OWN = re.compile(r"(?<![\w./-])(/opt/remembrancer|/build)(?![\w-])")
_VARIABLE = re.compile(r"\$\{(\w+)\}")


@dataclass(slots=True)
class Stage:
    """A stage so far: its files, and what its processes begin with."""

    root: Path
    base: str
    environment: dict[str, str] = field(default_factory=dict)
    directory: str = "/"
    user: str = ""
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def placed(self, text: str) -> str:
        """The text with absolute paths of the stage as those of this machine."""
        return _OWN.sub(lambda match: f"{self.root}{match[1]}", text)

    def path(self, name: str) -> Path:
        """A path of the stage, relative ones from its working directory."""
        return self.root / Path(self.directory, name).relative_to("/")

    def environ(self, python: Path) -> dict[str, str]:
        """The environment of a process: the stage's, with the base image's Python where the base image has it."""
        own = {name: self.placed(value) for name, value in self.environment.items()}
        path = [*own.pop("PATH", "").split(":"), str(python), "/usr/bin", "/bin"]
        return {**own, "HOME": "/tmp", "LC_ALL": "C.UTF-8", "PATH": ":".join(filter(None, path))}


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction with its argument, continued lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if line.strip():
            word, _, argument = line.strip().partition(" ")
            yield word.upper(), argument.strip()


def assemble(folder: Path, python: Path) -> Stage:
    """The last stage; `python` is a folder that has `python` of the base image's version."""
    arguments: dict[str, str] = {}
    stages: dict[str, Stage] = {}
    stage: Stage | None = None
    for word, given in instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        argument = _VARIABLE.sub(lambda match: arguments.get(match[1], match[0]), given)
        if word == "ARG":
            name, _, value = argument.partition("=")
            arguments[name] = value
        elif word == "FROM":
            base, _, name = argument.partition(" AS ")
            stage = Stage(folder / (name or "image"), base)
            stage.root.mkdir(parents=True)
            stages[name] = stage
        else:
            assert stage is not None, f"{word} before FROM"
            _step(stage, word, argument, stages, python)
    assert stage is not None
    return stage


def _step(stage: Stage, word: str, argument: str, stages: Mapping[str, Stage], python: Path) -> None:
    match word:
        case "ENV":
            stage.environment |= dict(part.split("=", 1) for part in shlex.split(argument))
        case "WORKDIR":
            stage.directory = argument
            stage.path(".").mkdir(parents=True, exist_ok=True)
        case "USER":
            stage.user = argument
        case "ENTRYPOINT":
            stage.entrypoint = json.loads(argument)
        case "CMD":
            stage.command = json.loads(argument)
        case "EXPOSE":
            pass
        case "COPY":
            _copy(stage, shlex.split(argument), stages)
        case "RUN":
            command = ["sh", "-ec", stage.placed(argument)]
            # How packages are downloaded here is none of the image's business.
            here = {name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "SSL_", "REQUESTS_"))}
            subprocess.run(command, check=True, cwd=stage.path("."), env={**here, **stage.environ(python)})
        case _:
            raise NotImplementedError(f"the test does not know {word}")


def _copy(stage: Stage, words: Sequence[str], stages: Mapping[str, Stage]) -> None:
    """Folders by their contents, as Docker copies them; of the context only what .dockerignore leaves."""
    other = next((stages[word.removeprefix("--from=")] for word in words if word.startswith("--from=")), None)
    *sources, target = [word for word in words if not word.startswith("--")]
    for source in sources:
        path = other.path(source) if other else ROOT / source
        into = stage.path(target)
        if path.is_dir():
            ignore = None if other else _ignored
            shutil.copytree(path, into, symlinks=True, dirs_exist_ok=True, ignore=ignore)
        else:
            assert other or is_sent(Path(source)), f"{source} is in .dockerignore"
            into = into / path.name if target.endswith("/") else into
            into.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, into)


def _ignored(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not is_sent((Path(folder) / name).relative_to(ROOT))]


def is_sent(path: Path) -> bool:
    """Whether .dockerignore leaves the path in the build's context: the last pattern that matches it decides."""
    sent = True
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.strip()
        if pattern and not pattern.startswith("#"):
            names = [str(one) for one in (path, *path.parents)]
            wanted = pattern.removeprefix("!").removeprefix("**/")
            anywhere = "**/" in pattern
            if any(fnmatch(Path(name).name if anywhere else name, wanted) for name in names):
                sent = pattern.startswith("!")
    return sent


def python_of(base: str, folder: Path) -> Path:
    """A folder with `python` of the base image's minor version. LookupError if this machine has none."""
    match = re.match(r"python:(\d+\.\d+)", base)
    assert match is not None, f"the base image is {base}"
    wanted = match[1]
    names = [os.environ.get("PYTHON313", ""), f"python{wanted}"]
    names += map(str, Path("~/.pyenv/versions").expanduser().glob(f"{wanted}.*/bin/python"))
    for found in filter(None, map(shutil.which, names)):
        ask = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"
        answer = subprocess.run([found, "-c", ask], check=False, capture_output=True, text=True).stdout
        version, _, real = answer.strip().partition(" ")
        if version == wanted:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "python").unlink(missing_ok=True)
            (folder / "python").symlink_to(real)
            return folder
    raise LookupError(f"this machine has no Python {wanted}; name one in PYTHON313")


def base_image() -> str:
    """The base image that the Dockerfile names."""
    return dict(part.split("=", 1) for word, part in instructions((ROOT / "Dockerfile").read_text()) if word == "ARG")[
        "PYTHON"
    ]


def main(folder: Path) -> None:
    """Assembles anew, and leaves what processes begin with in `image.json`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        python = python_of(base_image(), folder / "python")
    except LookupError as error:
        sys.stderr.write(f"{error}; tests of the containers are skipped\n")
        return
    stage = assemble(folder, python)
    shutil.rmtree(folder / "build")
    description = {
        "root": str(stage.root),
        "environment": stage.environ(python),
        "entrypoint": stage.entrypoint,
        "command": stage.command,
        "user": stage.user,
        "base": stage.base,
    }
    (folder / "image.json").write_text(json.dumps(description, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ASSEMBLED)
