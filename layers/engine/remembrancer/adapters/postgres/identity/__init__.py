"""Tables of identities: organizations, agents with their directives and change counters, and API keys."""
