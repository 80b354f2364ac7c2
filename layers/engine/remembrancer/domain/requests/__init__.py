"""Parsing of requests: typed fields, listing cursors, idempotency keys."""
