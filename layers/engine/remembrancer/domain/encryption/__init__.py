"""Formats of sealed text and data keys."""
