"""Caches, rates and counts in Redis; Postgres has the truth."""
