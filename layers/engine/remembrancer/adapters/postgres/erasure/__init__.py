"""Erasing step by step."""
