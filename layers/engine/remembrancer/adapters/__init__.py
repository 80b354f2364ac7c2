"""The only modules that import drivers; each serves one or more ports."""
