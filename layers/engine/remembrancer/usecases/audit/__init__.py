"""Links and removes audit entries, and records reads."""
