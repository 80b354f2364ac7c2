"""What was returned to whom, counted once."""
