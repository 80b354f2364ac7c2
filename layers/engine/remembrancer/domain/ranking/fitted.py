"""The fitted weights of `helpfulness`: how they were found says docs/adr/0056-few-and-right.md."""

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
NEED = (-5.1012, 7.5721, 0.5373, 0.93704, 6.4852, 3.182, 1.6177)
"""Bias, then the weights of TurnEvidence in the order of its fields."""
NEED_WITHOUT_VECTOR = (-5.458, 8.4, 3.4, 2.8, 3.4, 3.4, 0.0)
"""The same for other embedding models."""
BIAS = -3.5481
LINEAR = (8.5321, 3.7503, -0.033698, 0.0745, -1.8169, 0.22532, 0.45501, -0.15235, 0.79819)
"""Of the nine figures of a candidate, in the order of `Signals.likely`."""
SQUARE = (
    (5.1478, -7.8318, -3.3012, -6.0839, 12.637, 0.20179, 0.22887, 9.4655, 12.601),
    (0.0, 1.629, -0.59497, 0.60114, 4.3337, 0.94845, -0.61724, 0.74145, -1.5731),
    (0.0, 0.0, -0.033698, -0.033698, -0.45219, 0.024088, 0.097551, 0.62295, 1.9054),
    (0.0, 0.0, 0.0, 0.0745, -0.19549, 0.011276, 0.11343, -1.13, 1.9402),
    (0.0, 0.0, 0.0, 0.0, -3.5101, 0.089489, -0.035895, 1.4018, -1.3944),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.00036311, 0.029115, 0.0030361, 0.17235),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0067482, 0.082115, -0.061804),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.15235, -6.6126),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -8.6504),
)
"""Of their products."""
VECTOR = (
    "C7GzN9o4LK67uaU0oTxSuxo32zFrqBS3KDImu2u4KynotEA9+71wO1+1EbhZN6s6GadsNrk4gjdPtgmtqbsAOmm6OrpJIic6G7rdP74udLE1"
    "N0U537xgtuG2HLKwsuU5kLjEqzc5XjwAucA8O7pHvIQ4YjApNzKpWTHpMBO4IDbwtpS/C7xasTusuz6avt8yP7sWOMm8K7PUtlM4fTaIMYLA"
    "eLm3uZm1LTPUt/k9Br0xM5IsjTmBPYW607t8tOQ5kD3zuhi4YzoMNhm3xzloPKAy0SiLM1sy+rxsPBM6XzivN1kw7zVdOUG4eD44t6kvCLq3"
    "uwA5PTF+rJm+zD0LuwAAXbTXOLOybrPNPdwxgzxNMog8qbFDtzw3ZSqAvdK6X7iOLdi1T76kN1A6oLUKtG40BLGytbA3LjgSvPu0kbCrN/kx"
    "tK6Zra85GriHvJS2C7pvO/k6/jqctHQpWjW/OQM3UjkRtWK4Abm/tjS6frj0uLc5FLzsOFe8AT9CKRy8Yjlxtk65obhRvAm5P7fFNVM4WzZ8"
    "uV89jDJKtrczmLvNt9k9RDCCtK49Bbipt+ezzzrZJa86Qjcxsgq5kjzJPQCAmrAztfg7DbwaPVus+7WquR09DrmRtqs8AzEAsUoyM7jMMKqq"
    "sjs8t9s5CzsQMn41IDiwMIo9Ub2jvT6wNLzdqeM5YzzuNwqzer04O8u20Tu+PqoprLw5NdcoYTB8uEOxDDTqs7C2lDVCtuM59jXUPNg8kLZD"
    "LDIy1jbhPPq7aLExvmGnnDrmvC8tLTsfwLuwEzEFu2utHD3srRIzV7HeMIa0tL2dvBM62jp5s8c6bLo1OkQ2ZTiKsBS9QboHNgEAWjfRtP64"
    "c69MN2m6vLwhKMAvoTyFr18wFDsCvJe6HLbYKZSrGrhYNzS1KLkuPMW8Ibc+uiw5+jtCvEU7lKweOl6cw7lnvEExvrnAOG00KT4Bvdq/eqgf"
    "NXa5KCravu47EDzvtGq9PrIqsBs6/S2zp3K7CLp1NTAv/LoquVbAn7Y="
)
"""A bias and a weight for each dimension, half precision."""
