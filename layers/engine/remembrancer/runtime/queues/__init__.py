"""Handlers of queue messages; they return the failed ones."""
