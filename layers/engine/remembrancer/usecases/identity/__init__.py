"""Checks credentials, scopes and rate limits, and manages API keys."""
