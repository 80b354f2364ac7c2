"""Tests of what the project is developed with, all of them `long`: benchmarks, figures, documents, the Makefile."""

from tests.faults.conftest import _patient_rate_limits, loop, stack

__all__ = ["_patient_rate_limits", "loop", "stack"]
