"""The metrics of `telemetry` for Prometheus, on a port of their own: callers of the API do not reach it.

A count becomes a counter `remembrancer_…_total`, a duration a histogram `remembrancer_…_seconds`, a size a gauge
`remembrancer_…_bytes`; dimensions become labels. Several processes of one container add theirs up in the folder
PROMETHEUS_MULTIPROC_DIR.
"""

import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, make_wsgi_app
from prometheus_client.exposition import ThreadingWSGIServer
from prometheus_client.multiprocess import MultiProcessCollector

from remembrancer.runtime.telemetry import Group, Series

PORT = 9464
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_BUCKETS = (0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.048, 0.06, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_lock = threading.Lock()
_known: dict[str, Counter | Gauge | Histogram] = {}

_QUEUE: Any = {"labelnames": ["queue"], "multiprocess_mode": "max"}
MESSAGES = Gauge("remembrancer_queue_messages", "Messages of a queue, received ones too", **_QUEUE)
OLDEST = Gauge("remembrancer_queue_oldest_seconds", "Age of a queue's oldest message", **_QUEUE)


def record(groups: Mapping[Group, Mapping[str, Series]]) -> None:
    """A sink of `telemetry.METRICS`: a metric exists from its first value on."""
    for group, series in groups.items():
        labels = dict(group.dimensions)
        for name, one in series.items():
            metric = _metric(name, one.unit, tuple(labels))
            child = metric.labels(**labels) if labels else metric
            for value in one.values:
                if isinstance(child, Histogram):
                    child.observe(value / 1000)
                elif isinstance(child, Gauge):
                    child.set(value)
                else:
                    child.inc(value)


def serve(port: int, is_alive: Callable[[], bool] = lambda: True) -> None:
    """Serves `/metrics`, and `/health`: 503 when `is_alive` is false. On a thread that ends with the process."""
    page = make_wsgi_app(_registry())

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/metrics":
            return page(environ, start)  # type: ignore[no-any-return]
        if environ["PATH_INFO"] != "/health":
            start("404 Not Found", [("Content-Type", "text/plain")])
            return [b"There are /metrics and /health.\n"]
        well = is_alive()
        start("200 OK" if well else "503 Service Unavailable", [("Content-Type", "text/plain")])
        return [b"ok\n" if well else b"stuck\n"]

    server = make_server("0.0.0.0", port, application, ThreadingWSGIServer, _Quiet)  # noqa: S104 - a container's own port
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def _registry() -> CollectorRegistry:
    """The process's own, or that of all processes of the folder."""
    if FOLDER not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def _metric(name: str, unit: str, labels: tuple[str, ...]) -> Counter | Gauge | Histogram:
    with _lock:
        metric = _known.get(name)
        if metric is None:
            full = f"remembrancer_{_WORDS.sub('_', name).lower()}"
            text = f"{name} of docs/operations.md"
            if unit == "Count":
                metric = Counter(full, text, labels)
            elif unit == "Bytes":
                metric = Gauge(f"{full.removesuffix('_bytes')}_bytes", text, labels, multiprocess_mode="livesum")
            else:
                metric = Histogram(f"{full}_seconds", text, labels, buckets=_BUCKETS)
            _known[name] = metric
    return metric


class _Quiet(WSGIRequestHandler):
    """Without a log line for each scrape."""

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the parent's name
        """Logs nothing."""
