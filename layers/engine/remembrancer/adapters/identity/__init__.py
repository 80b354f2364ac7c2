"""Verifies the tokens of an identity provider."""
