"""Who asks, what they may see, and what an organization has chosen."""
