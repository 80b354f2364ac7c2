"""Postgres: every statement of the product, and the runner of its migrations."""
