"""Vector and lexical search, and the data that they read."""
