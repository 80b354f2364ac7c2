"""Memories stored, changed, counted and exported."""
