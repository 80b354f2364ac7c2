"""Scheduled maintenance."""
