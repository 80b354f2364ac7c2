"""Erasures, their requests, and the messages that name an erased subject."""
