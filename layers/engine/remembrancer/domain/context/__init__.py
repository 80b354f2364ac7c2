"""How many tokens of memory fit, which memories are packed into them, and the text that is injected."""
