"""Connections to Postgres: connecting, logging in, and pipelining statements into one round trip."""
