"""What the product does, step by step, over ports."""
