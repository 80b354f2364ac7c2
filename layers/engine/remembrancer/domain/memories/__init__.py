"""Memories, the requests that write them, their limits and their clusters."""
