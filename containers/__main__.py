"""The commands of the image.

api                      serves the API on PORT (8000), and metrics on METRICS_PORT (9464)
worker                   works on the queues and runs maintenance, until it is told to stop
migrate                  brings the schema up to date, then ends
task NAME [JSON]         runs a task of the functions migrate and maintain, as `task create_organization '{…}'`
health [URL]             status 0 if the process of this container answers
"""

import asyncio
import importlib.util
import json
import os
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from containers import environment
from remembrancer.errors import RemembrancerError

GRACE_SECONDS = 20
"""For the requests in progress when the API is told to stop."""
KEEP_ALIVE_SECONDS = 75
"""More than a load balancer keeps an idle connection, so that it is not closed while a request is on its way."""
_TASK_SECONDS = 24 * 3600.0
_FUNCTIONS = Path(__file__).resolve().parent.parent / "functions"


def main(arguments: list[str]) -> int:
    """The status of the process."""
    command, *rest = arguments or [""]
    known = {"api": _api, "worker": _worker, "migrate": _migrate, "task": _task, "health": _health}
    if command not in known:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return known[command](rest) or 0
    except RemembrancerError as error:
        print(f"{command}: {error}", file=sys.stderr)
        return 1


def _api(_: list[str]) -> None:
    os.environ.update(environment.read(os.environ))
    processes = int(os.environ.get("WEB_CONCURRENCY", "1"))
    if processes > 1:
        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp())
    # After that variable is set.
    import uvicorn

    from containers import metrics

    metrics.serve(_metrics_port())
    uvicorn.run(
        "containers.api:application",
        factory=True,
        host="0.0.0.0",  # noqa: S104 - a container's own port
        port=int(os.environ.get("PORT", "8000")),
        workers=processes,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _worker(_: list[str]) -> None:
    os.environ.update(environment.read(os.environ))
    from containers import server, worker

    server.log_lines()
    asyncio.run(worker.serve(_metrics_port()))


def _migrate(_: list[str]) -> None:
    _run("migrate", {})


def _task(arguments: list[str]) -> None:
    name, *rest = arguments or [""]
    function = "maintain" if name in {"run", "erase", "find_erasures"} else "migrate"
    _run(function, {**json.loads(rest[0] if rest else "{}"), "task": name})


def _run(function: str, event: dict[str, Any]) -> None:
    """Calls the function's own handler and prints its answer."""
    os.environ.update(environment.read(os.environ, as_owner=function == "migrate"))
    from containers.server import Invocation

    spec = importlib.util.spec_from_file_location(function, _FUNCTIONS / function / "app.py")
    assert spec is not None and spec.loader is not None
    app = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(app)
    print(json.dumps(app.handler(event, Invocation(function, _TASK_SECONDS)), default=str))


def _health(arguments: list[str]) -> int:
    url = arguments[0] if arguments else f"http://127.0.0.1:{_metrics_port()}/health"
    try:
        with urllib.request.urlopen(url, timeout=3) as answer:  # noqa: S310 - an address of this container
            return int(answer.status != 200)
    except OSError as error:
        print(f"{url}: {error}", file=sys.stderr)
        return 1


def _metrics_port() -> int:
    return int(os.environ.get("METRICS_PORT", "9464"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
