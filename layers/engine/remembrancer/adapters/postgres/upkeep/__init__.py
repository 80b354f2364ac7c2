"""Queries of the scheduled maintenance."""
