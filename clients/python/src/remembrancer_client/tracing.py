"""Spans where the OpenTelemetry API is installed; nothing is imported otherwise."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import Any

Span = Callable[[str], AbstractContextManager[Any]]


def span() -> Span:
    """A function that starts a span of a name; without OpenTelemetry, the span does nothing."""
    if find_spec("opentelemetry") is None:
        return nullcontext
    try:
        from opentelemetry import trace

        return trace.get_tracer("remembrancer_client").start_as_current_span
    except (ImportError, AttributeError):
        # Only the namespace package is installed.
        return nullcontext
