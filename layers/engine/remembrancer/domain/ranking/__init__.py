"""Evidence to scores, and scores to an order."""
