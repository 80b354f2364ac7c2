"""Erasures, in bounded steps."""
