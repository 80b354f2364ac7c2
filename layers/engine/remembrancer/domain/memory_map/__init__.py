"""One agent's memories in arrays, searched in the process."""
