"""Organizations, agents, keys and directives."""
