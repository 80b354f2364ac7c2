"""What comes right by itself, on a schedule."""
