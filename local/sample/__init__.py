"""The sample organization: its contents, and how they are loaded through the public API."""

from local.sample.loader import Sample, SampleError, load
from local.sample.story import Story, read

__all__ = ["Sample", "SampleError", "Story", "load", "read"]
