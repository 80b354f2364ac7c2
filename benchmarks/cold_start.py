"""How long a new instance of the assembly function takes before it can serve, phase by phase, on one core.

An instance is a new process of Lambda's runtime client, pinned to one core (a Lambda of 1,769 MB has one), with real
servers that already run; `start` ends when the process asks for its first event, as Lambda's init phase does. Phases
and imports are measured in separate starts, because measuring slows them: a phase's time is what it adds. `wall` is
elapsed time; `processor` is computing time, which depends less on the load of the machine.

    python -m benchmarks.cold_start [--starts 10]
    python -m benchmarks.cold_start --python python3.13 --built before=FOLDER --built after=.aws-sam/x86_64

The second form starts builds of `sam build`, several versions in turn, so that load affects all of them. Phases and
imports are those of the last version. The floor (a million additions by the same Python on that core, between starts)
shows how fast the machine was.
"""

import argparse
import asyncio
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from benchmarks import figures
from local.sam_image import image
from local.servers import PostgresServer, ValkeyServer
from local.stack import ROOT, StackSettings
from remembrancer.adapters.postgres.migrations import migrate, packaged

TARGET_MS = 900.0
FUNCTION = "AssembleFunction"
_LONGEST_LIST = 12
_LONGEST_START_SECONDS = 60.0
_IMPORTED = (
    "remembrancer.bootstrap.assembly",
    "redis.asyncio",
    "onnxruntime",
    "tokenizers",
    "Stemmer",
)
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \|\s+(\S+)")
_TICKS = os.sysconf("SC_CLK_TCK")

# Runs in the measured process, step by step. `Instance.warm` does some steps concurrently: the sum is an upper bound.
_PHASES = """
import time
marks = [("", time.perf_counter(), time.process_time())]
def mark(name):
    marks.append((name, time.perf_counter(), time.process_time()))
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.assembly import assembly_api
from remembrancer.runtime.http.router import http_handler
mark("imports of every function")
instance = Instance()
mark("settings, extension")
for name, step in (
    ("embedding model", lambda: instance.embedder.warm()),
    ("database", lambda: instance.database.warm()),
    ("cache", lambda: instance.redis.ping()),
    ("vocabulary's file", lambda: instance.counter.open(["o200k_base"])),
):
    instance.loop.run(step())
    mark(name)
assembly_api(instance)
mark("the rest")
import json
phases = {name: ((b - a) * 1000, (d - c) * 1000) for (_, a, c), (name, b, d) in zip(marks, marks[1:])}
print(json.dumps(phases))
"""

_FLOOR = """
import time
started, total = time.process_time(), 0
for number in range(1_000_000):
    total += number
print((time.process_time() - started) * 1000)
"""


@dataclass(frozen=True, slots=True)
class MeasuredBuild:
    """A build to start: folders of function, engine, models and Lambda's runtime client, and the Python to use."""

    python: str
    function: Path
    search_path: str
    models: Path

    def environment(self, database_url: str, redis_url: str) -> dict[str, str]:
        """The environment that Lambda would set; no bytecode is written, because layers are read-only."""
        return {
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "PYTHONPATH": self.search_path,
            "PYTHONDONTWRITEBYTECODE": "1",
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "MODELS_DIR": str(self.models),
            "OPENBLAS_NUM_THREADS": "1",
            "AWS_EXECUTION_ENV": "AWS_Lambda_python3.13",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
        }


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        folder.chmod(0o755)
        subjects = _subjects(arguments, folder)
        with PostgresServer(folder / "postgres") as postgres, ValkeyServer(folder / "valkey") as valkey:
            asyncio.run(migrate(postgres.owner_url, packaged()))
            environments = {
                label: subject.environment(postgres.app_url, valkey.url) for label, subject in subjects.items()
            }
            results = _results(subjects, environments, arguments.starts)
    results["python"] = _version(arguments.python)
    figures.write("cold_start", results)
    lines = _tables(results)
    figures.document("cold_start", lines)
    print("\n".join(lines))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--built", action="append", default=[], metavar="LABEL=FOLDER", help="default: the source")
    return parser.parse_args()


def _subjects(arguments: argparse.Namespace, folder: Path) -> dict[str, MeasuredBuild]:
    if not arguments.built:
        source = str(ROOT / "layers" / "engine")
        return {
            "source": MeasuredBuild(arguments.python, ROOT / "functions" / "assemble", source, StackSettings().models)
        }
    # A separate virtual environment: other packages installed for that Python would affect each start.
    runtime, python = folder / "runtime", folder / "python"
    image.install_runtime(runtime, platform.machine())
    subprocess.run([arguments.python, "-m", "venv", "--without-pip", python], check=True)
    subjects = {}
    for named in arguments.built:
        label, _, place = named.partition("=")
        built = Path(place).resolve()
        search_path = f"{built / 'EngineLayer' / 'python'}:{runtime}"
        models = built / "ModelsLayer" / "models"
        subjects[label] = MeasuredBuild(str(python / "bin" / "python"), built / FUNCTION, search_path, models)
    return subjects


def _results(
    subjects: Mapping[str, MeasuredBuild], environments: Mapping[str, Mapping[str, str]], starts: int
) -> dict[str, Any]:
    with _Lambda() as address:
        tokens = {"JWT_ISSUER": "https://issuer.example", "JWT_AUDIENCE": "us", "JWT_JWKS_URL": address.keys_url}
        kinds = {
            "on demand": {},
            "on demand, with tokens": tokens,
            "provisioned": {"AWS_LAMBDA_INITIALIZATION_TYPE": "provisioned-concurrency"},
        }
        rounds: defaultdict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        floors = []
        for _ in range(starts + 1):
            for label, subject in subjects.items():
                environment = {**environments[label], "AWS_LAMBDA_RUNTIME_API": address.api}
                for kind, more in kinds.items():
                    rounds[label, kind].append(_start(subject, {**environment, **more}, address))
                floors.append(float(_run(subject, environment, "-c", _FLOOR).stdout))
        phases = [_phases(subject, environment) for _ in range(starts + 1)]
        return {
            "target_ms": TARGET_MS,
            "floor_ms": round(figures.percentile(floors, 0.5), 1),
            "starts": {label: {kind: _summary(rounds[label, kind]) for kind in kinds} for label in subjects},
            "phases": {name: _summary([phase[name] for phase in phases]) for name in phases[0]},
            "imports_ms": _imports(subject, environment),
        }


def _summary(measured: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Median and minimum of (wall, processor) in ms, without the first start, which fills the disk cache."""
    wall, processor = zip(*measured[1:], strict=True)
    return {
        "wall_p50_ms": round(figures.percentile(wall, 0.5), 1),
        "wall_best_ms": round(min(wall), 1),
        "processor_p50_ms": round(figures.percentile(processor, 0.5), 1),
        "processor_best_ms": round(min(processor), 1),
    }


def _start(subject: MeasuredBuild, environment: Mapping[str, str], address: "_Lambda") -> tuple[float, float]:
    """Wall and processor ms from the start of the process to its first request for an event."""
    address.ready.clear()
    started = time.perf_counter()
    with subprocess.Popen(
        [*_pinned(), subject.python, "-m", "awslambdaric", "app.handler"],
        cwd=subject.function,
        env=dict(environment),
        stdout=subprocess.DEVNULL,
    ) as process:
        try:
            if not address.ready.wait(_LONGEST_START_SECONDS) or address.failure:
                raise SystemExit(f"the function did not start: {address.failure or 'no event was asked for'}")
            wall = (time.perf_counter() - started) * 1000
            fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            return wall, (int(fields[11]) + int(fields[12])) * 1000 / _TICKS
        finally:
            process.kill()


def _phases(subject: MeasuredBuild, environment: Mapping[str, str]) -> dict[str, tuple[float, float]]:
    phases: dict[str, tuple[float, float]] = json.loads(
        _run(subject, environment, "-c", _PHASES).stdout.splitlines()[-1]
    )
    return phases


def _imports(subject: MeasuredBuild, environment: Mapping[str, str]) -> dict[str, float]:
    """Milliseconds by package, without the packages that it imports; the measurement slows each import a little."""
    output = _run(subject, environment, "-X", "importtime", "-c", f"import {', '.join(_IMPORTED)}").stderr
    packages: Counter[str] = Counter()
    for own, _, module in _IMPORT.findall(output):
        packages[module.partition(".")[0]] += int(own)
    longest = packages.most_common(_LONGEST_LIST)
    others = packages.total() - sum(own for _, own in longest)
    return {name: round(own / 1000, 1) for name, own in [*longest, ("others", others)]}


def _run(subject: MeasuredBuild, environment: Mapping[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*_pinned(), subject.python, *options],
        cwd=subject.function,
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=2 * _LONGEST_START_SECONDS,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return done


def _pinned() -> tuple[str, ...]:
    """The start of a command that runs on the first core that this process may use."""
    return ("taskset", "--cpu-list", str(min(os.sched_getaffinity(0))))


def _version(python: str) -> str:
    command = [python, "-c", "import platform; print(platform.python_version())"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


class _Lambda:
    """Serves the parts of the Runtime and Extensions APIs that an instance needs to start; sends no events.

    Serves the identity provider's keys too.
    """

    def __enter__(self) -> "_Lambda":
        self.ready = threading.Event()
        self.failure = ""
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.api = f"127.0.0.1:{self._server.server_port}"
        self.keys_url = f"http://{self.api}/keys"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(lambda_) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - `self` is the request's
        keys = _public_keys()

        class _RuntimeHandler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path.endswith("/init/error"):
                    lambda_.failure = body.decode()
                    lambda_.ready.set()
                self._answer(b"")

            def do_GET(self) -> None:
                if self.path == "/keys":
                    self._answer(keys)
                    return
                if self.path.endswith("/invocation/next"):
                    lambda_.ready.set()
                lambda_._closing.wait()

            def _answer(self, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Lambda-Extension-Identifier", "extension")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: Any) -> None:
                return

        return _RuntimeHandler


def _public_keys() -> bytes:
    public = rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key()
    key = RSAAlgorithm.to_jwk(public, as_dict=True)
    return json.dumps({"keys": [{**key, "kid": "one", "use": "sig", "alg": "RS256"}]}).encode()


def _tables(results: Mapping[str, Any]) -> list[str]:
    machine = (
        f"Python {results['python']}; a million additions take {results['floor_ms']:.0f} ms of the processor there."
    )
    heads = "wall p50 | wall, best | processor p50 | processor, best"
    lines = [f"Milliseconds on one core, {machine}", "", f"| version | start | {heads} |", "|---" * 6 + "|"]
    for label, kinds in results["starts"].items():
        lines += [f"| {label} | {kind} | {_cells(row)} |" for kind, row in kinds.items()]
    lines += ["", f"| phase | {heads} |", "|---" * 5 + "|"]
    lines += [f"| {name} | {_cells(row)} |" for name, row in results["phases"].items()]
    imports = ", ".join(f"{name} {own:.0f}" for name, own in results["imports_ms"].items())
    return [*lines, "", f"Imports by package, as `-X importtime` says, which slows them: {imports}."]


def _cells(row: Mapping[str, float]) -> str:
    return " | ".join(f"{value:.0f}" for value in row.values())


if __name__ == "__main__":
    main()
