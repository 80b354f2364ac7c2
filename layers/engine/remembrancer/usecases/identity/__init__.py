"""Checks credentials, scopes and rates, and administers API keys."""
