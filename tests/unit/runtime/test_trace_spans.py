"""Spans of a sampled request reach the daemon, each in a datagram of its own; nothing else does."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.runtime.endpoints.assembly_api import spans
from remembrancer.runtime.trace_spans import Span, send
from remembrancer.usecases.retrieval.deadline import Account

TRACE = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled="
SPANS = [Span("cold", 2.0, 30.0), Span("hot", 1.0, 10.0, is_missing=True)]


@pytest.fixture
def daemon() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(5)
        yield listening


def environment(daemon: socket.socket, sampled: str = "1") -> dict[str, str]:
    host, port = daemon.getsockname()
    return {"_X_AMZN_TRACE_ID": TRACE + sampled, "AWS_XRAY_DAEMON_ADDRESS": f"{host}:{port}"}


def received(daemon: socket.socket) -> dict[str, Any]:
    header, _, document = daemon.recv(65536).partition(b"\n")
    assert json.loads(header) == {"format": "json", "version": 1}
    subsegment: dict[str, Any] = json.loads(document)
    return subsegment


def test_each_span_is_a_subsegment_of_the_function(daemon: socket.socket) -> None:
    send(SPANS, 1000.0, environment(daemon))

    cold, hot = received(daemon), received(daemon)
    assert (cold["type"], cold["name"]) == ("subsegment", "cold")
    assert cold["trace_id"] == "1-5759e988-bd862e3fe1be46a994272793"
    assert cold["parent_id"] == "53995c3f42cd8ad8"
    assert (cold["start_time"], cold["end_time"]) == pytest.approx((1000.002, 1000.032))
    assert len(cold["id"]) == 16
    assert cold["id"] != hot["id"]
    assert "fault" not in cold
    assert hot["fault"]


@pytest.mark.parametrize("sampled", ["0", ""])
def test_a_request_that_is_not_sampled_sends_nothing(daemon: socket.socket, sampled: str) -> None:
    send(SPANS, 1000.0, environment(daemon, sampled))

    daemon.setblocking(False)
    with pytest.raises(BlockingIOError):
        daemon.recv(65536)


@pytest.mark.parametrize("address", ["", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:x"])
def test_without_a_daemon_nothing_fails(address: str) -> None:
    send(SPANS, 1000.0, {"_X_AMZN_TRACE_ID": TRACE + "1", "AWS_XRAY_DAEMON_ADDRESS": address})


def test_sources_that_ran_and_stages_that_were_timed_are_spans() -> None:
    account = Account(
        reports={"hot": SourceReport("timeout", 1.0, 10.0), "cold": SourceReport("skipped")},
        timings_ms={"pack": 2.0, "total": 40.0},
        started_ms={"pack": 30.0},
    )

    assert spans(account) == [Span("hot", 1.0, 10.0, is_missing=True), Span("pack", 30.0, 2.0)]
