"""The steps of the memory query that need more than the domain, one module each, in the order of their docstrings."""
