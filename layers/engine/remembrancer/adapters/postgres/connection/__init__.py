"""Connections to Postgres: opening, logging in, pipelining statements into one round trip."""
