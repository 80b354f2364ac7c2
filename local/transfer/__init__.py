"""Imports memories from JSON Lines through the public API."""
