"""Spans of a traced request: one for each source and stage, sent after the response by the tracer of the process.

In Lambda they are subsegments of the function's X-Ray segment, sent by UDP to the daemon that Lambda runs beside the
function, which needs no library and waits for nobody
(https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html). A request that X-Ray does not sample
costs a look at the environment.
"""

import json
import logging
import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

_HEADER = b'{"format": "json", "version": 1}\n'
# Both are set by Lambda; the first one anew for each invocation.
_TRACE = "_X_AMZN_TRACE_ID"
_DAEMON = "AWS_XRAY_DAEMON_ADDRESS"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a request's work; `started_ms` counts from the request's arrival. `is_missing`: late or failed."""

    name: str
    started_ms: float
    duration_ms: float
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Traced:
    """A request with an answer: its route, the W3C `traceparent` that came with it, and when it arrived, in seconds
    since the epoch.
    """

    route: str
    traceparent: str
    status: int
    arrived: float
    duration_ms: float


class Tracer(Protocol):
    """Where spans go."""

    def is_sampled(self) -> bool:
        """Whether the spans of the request in progress are wanted."""
        ...

    def send(self, request: Traced, spans: Sequence[Span]) -> None:
        """Does not wait for anybody; spans that cannot be sent are lost, and nothing else."""
        ...


class XRayTracer:
    """Sends to the daemon of Lambda."""

    def is_sampled(self) -> bool:
        """As X-Ray has decided."""
        return is_sampled()

    def send(self, request: Traced, spans: Sequence[Span]) -> None:
        """The request itself is a segment of Lambda."""
        send(spans, request.arrived)


tracer: Tracer = XRayTracer()
"""The tracer of this process; a server sets its own at start."""


def send(spans: Sequence[Span], arrived: float, environment: Mapping[str, str] = os.environ) -> None:
    """One datagram for each span of a sampled request; `arrived` in seconds since the epoch.

    A daemon that is not there loses the spans and nothing else.
    """
    trace = _trace(environment)
    host, _, port = environment.get(_DAEMON, "").rpartition(":")
    if not is_sampled(environment) or not host or not port.isdigit():
        return
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as daemon:
            daemon.setblocking(False)
            for span in spans:
                document = json.dumps(_subsegment(span, trace, arrived)).encode()
                daemon.sendto(_HEADER + document, (host, int(port)))
    except OSError as error:
        logger.warning("spans_not_sent", extra={"cause": type(error).__name__})


def is_sampled(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the spans of the request in progress are wanted."""
    return _trace(environment).get("Sampled") == "1"


def _trace(environment: Mapping[str, str]) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in environment.get(_TRACE, "").split(";"))


def _subsegment(span: Span, trace: Mapping[str, str], arrived: float) -> dict[str, object]:
    started = arrived + span.started_ms / 1000
    return {
        "type": "subsegment",
        "name": span.name,
        "id": secrets.token_hex(8),
        "trace_id": trace.get("Root", ""),
        "parent_id": trace.get("Parent", ""),
        "start_time": started,
        "end_time": started + span.duration_ms / 1000,
        **({"fault": True} if span.is_missing else {}),
    }
