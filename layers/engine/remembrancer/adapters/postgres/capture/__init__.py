"""Conversations as they are stored, and the memories that are made of them."""
