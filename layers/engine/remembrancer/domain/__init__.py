"""Pure rules: standard library and numpy only; time, randomness, ids and weights are passed as arguments."""
