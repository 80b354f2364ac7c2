"""Postgres: every SQL statement of the product, and the runner of its migrations."""
