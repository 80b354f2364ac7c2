"""Prepares `sam local invoke`: a container engine, an image of Lambda's Python, servers reachable by containers."""
