"""Data keys that an instance keeps, and sealing and opening with them."""
