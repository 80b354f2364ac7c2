"""Stores, changes, counts and exports memories."""
