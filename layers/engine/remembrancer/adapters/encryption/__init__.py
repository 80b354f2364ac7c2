"""Data keys in the instance."""
