"""Memories as they are written and read, their limits and their clusters."""
