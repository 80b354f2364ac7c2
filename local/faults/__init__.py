"""Faults of the stores and the embedder, switched on and off while the local stack runs."""
