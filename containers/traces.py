"""Spans of requests to an OpenTelemetry collector, over OTLP and HTTP, if OTEL_EXPORTER_OTLP_ENDPOINT names one.

The other standard variables hold too: OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER,
OTEL_EXPORTER_OTLP_HEADERS. A request with `traceparent` continues its caller's trace.
"""

from collections.abc import Mapping, Sequence

from remembrancer.runtime import trace_spans
from remembrancer.runtime.trace_spans import Span, Traced

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROBES = frozenset({"GET /v1/health", "GET /v1/ready"})


class Untraced:
    """Sends nothing."""

    def is_sampled(self) -> bool:
        """Never."""
        return False

    def send(self, request: Traced, spans: Sequence[Span]) -> None:
        """Nothing is sent."""

    def end(self) -> None:
        """Nothing waits."""


class OtlpTracer:
    """A span for each request, with one in it for each source and stage; sent in batches, by a thread."""

    def __init__(self) -> None:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._trace = trace
        self._provider = TracerProvider(resource=Resource.create({"service.name": "remembrancer"}))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("remembrancer")
        self._propagator = TraceContextTextMapPropagator()

    def is_sampled(self) -> bool:
        """The SDK's sampler decides about each request when it is sent."""
        return True

    def send(self, request: Traced, spans: Sequence[Span]) -> None:
        """Names, times and status; nothing of who asks, or of any text."""
        if request.route in _PROBES:
            return
        parent = self._propagator.extract({"traceparent": request.traceparent})
        root = self._tracer.start_span(
            request.route or "unknown route",
            parent,
            kind=self._trace.SpanKind.SERVER,
            attributes={"http.route": request.route, "http.response.status_code": request.status},
            start_time=_nanoseconds(request.arrived),
        )
        inside = self._trace.set_span_in_context(root)
        for span in spans:
            began = request.arrived + span.started_ms / 1000
            child = self._tracer.start_span(span.name, inside, start_time=_nanoseconds(began))
            if span.is_missing:
                child.set_status(self._trace.StatusCode.ERROR, "late or failed")
            child.end(_nanoseconds(began + span.duration_ms / 1000))
        if request.status >= 500:
            root.set_status(self._trace.StatusCode.ERROR)
        root.end(_nanoseconds(request.arrived + request.duration_ms / 1000))

    def end(self) -> None:
        """Sends what waits."""
        self._provider.shutdown()


_current: Untraced | OtlpTracer = Untraced()


def begin(env: Mapping[str, str]) -> None:
    """Makes the tracer that the environment chooses the process's own."""
    global _current  # noqa: PLW0603 - as there is one `trace_spans.tracer`
    if any(env.get(name) for name in ENDPOINTS):
        _current = OtlpTracer()
    trace_spans.tracer = _current


def end() -> None:
    """Sends what waits."""
    _current.end()


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
