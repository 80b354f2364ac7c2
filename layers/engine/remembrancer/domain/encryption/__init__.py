"""The form of sealed text."""
