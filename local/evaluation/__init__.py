"""Measures the retrieval of a running service through the API, by questions with known evidence."""
