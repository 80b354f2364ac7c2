"""Finds personal data in texts, also where invisible or unusual characters hide it."""
