"""The HTTP side of each capability."""
