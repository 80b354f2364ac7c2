"""Tokens of an identity provider, verified."""
