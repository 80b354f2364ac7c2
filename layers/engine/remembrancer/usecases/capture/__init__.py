"""Capture: from what was said in a conversation to memories."""
