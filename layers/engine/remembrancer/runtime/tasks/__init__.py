"""Functions that are neither HTTP nor queue."""
