"""Requests for erasure, their progress, and the steps that remove rows from every table."""
