"""Memories in and out through the public API, as JSON Lines."""
