"""The form of sealed text and of data keys."""
