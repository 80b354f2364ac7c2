"""Memories written, embedded, changed and read whole."""
