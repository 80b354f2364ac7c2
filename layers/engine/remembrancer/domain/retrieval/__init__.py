"""What is asked, what a turn is, and what helps to find memories for it."""
