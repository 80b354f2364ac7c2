"""What is to be erased, and which messages tell of it."""
