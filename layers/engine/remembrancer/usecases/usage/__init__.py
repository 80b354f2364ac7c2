"""Counts which memories were returned, each answer once."""
