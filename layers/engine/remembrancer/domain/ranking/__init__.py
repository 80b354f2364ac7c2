"""Turns evidence into scores, and scores into an order."""
