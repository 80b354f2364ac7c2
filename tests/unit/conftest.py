"""Property-based tests try the same examples in every run, and no example is refused for being slow."""

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True, database=None, max_examples=100)
settings.load_profile("steady")
