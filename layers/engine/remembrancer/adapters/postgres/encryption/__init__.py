"""Wrapped data keys, and the texts sealed with them."""
