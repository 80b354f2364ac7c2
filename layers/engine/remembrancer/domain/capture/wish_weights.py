BIAS = 0.0
WEIGHTS: dict[str, float] = {}
