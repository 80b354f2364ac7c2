"""What the scheduled run reads and changes."""
