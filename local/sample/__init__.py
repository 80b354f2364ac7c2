"""The sample organization: what is in it, and how it gets into a running Remembrancer through the public API."""

from local.sample.loader import Sample, SampleError, load
from local.sample.story import Story, read

__all__ = ["Sample", "SampleError", "Story", "load", "read"]
