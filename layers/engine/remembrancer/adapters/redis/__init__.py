"""Caches, rate limits and counts in Redis; Postgres is the source of truth."""
