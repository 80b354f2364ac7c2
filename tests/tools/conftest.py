"""Tests of what the project is developed with: benchmarks, figures, documents, the Makefile. `make test-all` runs them."""

from tests.faults.conftest import _patient_rate_limits, loop, stack

__all__ = ["_patient_rate_limits", "loop", "stack"]
