"""Who asks, whether they may, and how often."""
