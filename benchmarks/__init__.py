"""Measurements that documentation may quote: each prints its table and writes it down with the machine it ran on."""
