"""Rows that the scheduled maintenance reads and changes."""
