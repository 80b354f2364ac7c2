"""Queries, turns, and the evidence that searches find for them."""
