"""Conversations, and what of them is worth a memory."""
