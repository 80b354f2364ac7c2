"""One agent's memories in arrays, searched inside the process."""
