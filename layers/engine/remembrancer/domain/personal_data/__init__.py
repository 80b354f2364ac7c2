"""Personal data in texts, and what hides it."""
