"""Finding memories for a turn, inside its deadline."""
