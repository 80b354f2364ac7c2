"""Queue messages in, the failed ones out."""
