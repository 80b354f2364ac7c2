"""The memory query, step by step (docs/query.md); each step is one module."""
