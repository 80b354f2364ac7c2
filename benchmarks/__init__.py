"""Measurements that documentation may quote: each prints its table, and writes it to a file with the machine's data."""
