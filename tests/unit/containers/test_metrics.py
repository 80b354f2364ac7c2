"""Metrics of telemetry as Prometheus reads them, from a server of its own."""

import socket
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from containers import metrics
from remembrancer.runtime.telemetry import Metrics, count, duration


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def page(port: int, path: str = "/metrics") -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
        return str(answer.read().decode())


def test_counts_and_durations_of_the_same_calls_are_counters_and_histograms_in_seconds(port: int) -> None:
    collected = Metrics()
    collected.sink = metrics.record
    collected.add(count("ProbeFallback", 2, reason="timeout"), duration("ProbeLatency", 20.0), count("ProbeFailed"))
    collected.add(count("ProbeFallback", reason="timeout"), duration("ProbeLatency", 4000.0))
    collected.write()
    collected.add(count("ProbeFallback", reason="other"))
    collected.write()
    metrics.serve(port)

    samples = {
        (one.name, *one.labels.values()): one.value
        for family in text_string_to_metric_families(page(port))
        for one in family.samples
    }

    assert samples["remembrancer_probe_fallback_total", "timeout"] == 3
    assert samples["remembrancer_probe_fallback_total", "other"] == 1
    assert samples["remembrancer_probe_failed_total",] == 1
    assert samples["remembrancer_probe_latency_seconds_bucket", "0.02"] == 1
    assert samples["remembrancer_probe_latency_seconds_bucket", "10.0"] == 2
    assert samples["remembrancer_probe_latency_seconds_sum",] == pytest.approx(4.02)


def test_health_says_whether_the_process_is_stuck_and_there_is_nothing_else(port: int) -> None:
    alive = [True]
    metrics.serve(port, lambda: alive[0])

    assert page(port, "/health") == "ok\n"
    alive[0] = False
    with pytest.raises(urllib.error.HTTPError, match="503"):
        page(port, "/health")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        page(port, "/v1/agents")
