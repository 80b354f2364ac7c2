"""Erasures, their requests, and messages that contain an erased subject."""
