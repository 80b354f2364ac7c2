"""One module a command, found by its name."""
