"""How long a new instance of the assembly function takes before it can serve, phase by phase, on one core.

Each start is a new process of the real function, pinned to one core as a Lambda of 1,769 MB has one, against real
servers that run already. `wall` is what passed; `processor` is the time the process computed, which a busy machine
changes less. Phases are measured inside the same start: a phase's time is what it adds.

    python -m benchmarks.cold_start [--starts 10] [--label after] [--python PATH] [--engine PATH]
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks import figures
from local.servers import PostgresServer, ValkeyServer
from local.stack import ROOT, StackSettings
from remembrancer.adapters.postgres.migrations import migrate, packaged

TARGET_MS = 900.0
_LONGEST_LIST = 12
_IMPORTED = (
    "remembrancer.bootstrap.assembly",
    "redis.asyncio",
    "onnxruntime",
    "tokenizers",
    "tiktoken",
    "Stemmer",
)
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \|\s+(\S+)")

# In the process that is measured; its first clock reading is Python's own start-up later than the process's.
_CHILD = """
import time
marks = [("", time.perf_counter(), time.process_time())]
def mark(name):
    marks.append((name, time.perf_counter(), time.process_time()))
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.assembly import assembly_api
from remembrancer.runtime.router import http_handler
mark("import")
instance = Instance()
mark("instance")
run = instance.loop.run
for name, step in STEPS:
    try:
        run(step(instance))
    except Exception as error:
        raise SystemExit(f"{name}: {error!r}")
    mark(name)
assembly_api(instance)
mark("rest")
import json
phases = {name: ((b - a) * 1000, (d - c) * 1000) for (_, a, c), (name, b, d) in zip(marks, marks[1:])}
phases["total"] = ((marks[-1][1] - marks[0][1]) * 1000, (marks[-1][2] - marks[0][2]) * 1000)
print(json.dumps(phases))
"""
# One by one, what `Instance.warm` partly does at once: the sum is therefore an upper bound of the whole.
_PHASES = """STEPS = (
    ("model", lambda instance: instance.embedder.warm()),
    ("database", lambda instance: instance.database.warm()),
    ("cache", lambda instance: instance.redis.ping()),
)
"""
_WHOLE = "STEPS = ()\n"


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        folder.chmod(0o755)
        with PostgresServer(folder / "postgres") as postgres, ValkeyServer(folder / "valkey") as valkey:
            asyncio.run(migrate(postgres.owner_url, packaged()))
            environment = _environment(arguments.engine, postgres.app_url, valkey.url)
            results = {
                "target_ms": TARGET_MS,
                "on_demand": _measure(arguments, environment),
                "provisioned": _measure(
                    arguments, {**environment, "AWS_LAMBDA_INITIALIZATION_TYPE": "provisioned-concurrency"}
                ),
                "phases": _measure(arguments, environment, _PHASES),
                "imports_ms": _imports(arguments.python, environment),
            }
    path = figures.RESULTS / "cold_start.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept.pop("machine", None)
    figures.write("cold_start", {**kept, arguments.label: results})
    _show(results)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--label", default="after", help="under which name the results are kept, beside the others")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--engine", default=str(ROOT / "layers" / "engine"), help="another version's folder")
    return parser.parse_args()


def _environment(engine: str, database_url: str, redis_url: str) -> dict[str, str]:
    """As Lambda would set it, with the models of this tree; the runtime's address is that of nobody."""
    return {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONPATH": engine,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "MODELS_DIR": str(StackSettings().models),
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
    }


def _measure(
    arguments: argparse.Namespace, environment: Mapping[str, str], steps: str = _WHOLE
) -> dict[str, dict[str, float]]:
    """Median and best wall time, and median processor time, of each phase; the first start only warms the disk."""
    starts = []
    with _Extensions() as address:
        for _ in range(arguments.starts + 1):
            child = _run(arguments.python, steps + _CHILD, {**environment, "AWS_LAMBDA_RUNTIME_API": address})
            starts.append(json.loads(child.stdout.splitlines()[-1]))
    phases = {}
    for name in starts[0]:
        wall, processor = ([start[name][kind] for start in starts[1:]] for kind in (0, 1))
        phases[name] = {
            "wall_p50_ms": round(figures.percentile(wall, 0.5), 1),
            "wall_best_ms": round(min(wall), 1),
            "processor_p50_ms": round(figures.percentile(processor, 0.5), 1),
            "processor_best_ms": round(min(processor), 1),
        }
    return phases


def _imports(python: str, environment: Mapping[str, str]) -> dict[str, float]:
    """Milliseconds by package, each without what it imports itself; asking for them slows every import a little."""
    program = f"import {', '.join(_IMPORTED)}"
    output = _run(python, program, environment, "-X", "importtime").stderr
    packages: Counter[str] = Counter()
    for own, _, module in _IMPORT.findall(output):
        packages[module.partition(".")[0]] += int(own)
    longest = packages.most_common(_LONGEST_LIST)
    others = packages.total() - sum(own for _, own in longest)
    return {name: round(own / 1000, 1) for name, own in [*longest, ("others", others)]}


def _run(python: str, program: str, environment: Mapping[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    """On the first core that this process may use."""
    core = min(os.sched_getaffinity(0))
    command: Sequence[str] = (python, *options, "-c", program)
    return subprocess.run(
        command,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )


class _Extensions:
    """Lambda's Extensions API, as far as an instance needs it to register; no event ever comes."""

    def __enter__(self) -> str:
        closing = self._closing = threading.Event()

        class Answer(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Lambda-Extension-Identifier", "extension")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self) -> None:
                closing.wait()

            def log_message(self, *arguments: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"127.0.0.1:{self._server.server_port}"

    def __exit__(self, *error: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()


def _show(results: Mapping[str, Any]) -> None:
    for name in ("on_demand", "provisioned", "phases"):
        print(name)
        for phase, row in results[name].items():
            print(f"  {phase:10} " + "  ".join(f"{figure} {value:7.1f}" for figure, value in row.items()))
    print("imports_ms", results["imports_ms"])


if __name__ == "__main__":
    main()
