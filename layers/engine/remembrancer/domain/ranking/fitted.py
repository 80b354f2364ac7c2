"""The fitted weights of `helpfulness`: how they were found says docs/adr/0056-few-and-right.md."""

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
NEED = (-4.7042, 3.632, 3.6448, 1.8593, 7.617, 3.5693, 3.3235)
"""Bias, then the weights of TurnEvidence in the order of its fields."""
NEED_WITHOUT_VECTOR = (-5.458, 8.4, 3.4, 2.8, 3.4, 3.4, 0.0)
"""The same for other embedding models."""
BIAS = -2.9476
LINEAR = (6.1177, 1.7632, 0.077356, 0.059465, -1.3848, 0.24745, 0.41622, 0.13321, 0.85192)
"""Of the nine figures of a candidate, in the order of `Signals.likely`."""
SQUARE = (
    (1.7182, -5.0538, -2.3837, -3.1777, 10.938, -0.0040264, -0.25358, 2.7748, 9.4384),
    (0.0, 1.3337, -0.58437, 0.25509, 3.0215, 0.78671, -0.056146, 1.1495, -1.2246),
    (0.0, 0.0, 0.077356, 0.077356, -0.76002, 0.038562, 0.12185, -0.27401, 0.17384),
    (0.0, 0.0, 0.0, 0.059465, 0.22342, -0.0068444, 0.059198, -0.40215, 1.4304),
    (0.0, 0.0, 0.0, 0.0, -1.3973, 0.039601, -0.089044, 1.2749, 0.35614),
    (0.0, 0.0, 0.0, 0.0, 0.0, -0.00045184, 0.047537, 0.021032, 0.14229),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.020229, 0.0060358, -0.18994),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.13321, -3.6645),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.3004),
)
"""Of their products."""
VECTOR = (
    "LyyFqGkzr7Y7tpKt2TqIu18zxi0bJ0uz8zgot3S4fKaVtB45oLifOU8pJri6Jxs2TDGvMgosvzAhqCwyX7bxPEm68rehqXs46rI4Pvo1Krf1"
    "ODo23LiBtIK10rSduI85s7bDrJU17jqYtYs6WbktvJaRnbCmrGCnfzYvrE0txi08t8u83LlrsLmvbjxyvAwtx7WnJTa5tbOCNAw5dDUhuHS+"
    "arogtU21UjXXtz48LLy3NFowKTfUPYeuGblSsasyKjxwuB21XDtFtKuzTDP3OGY3+zBDtacrCLxDLW03KzffNDYwGanKMwu1qTvBshaoHbig"
    "t6A49i7ItV+7lDz6rQAAeLeyMOG3vyz3Oig2fjnoNEA9bq3Us8cyADbBvLi5S6oJscC0BLz3MEQ2TLZrskk6uC44Nvs24zcMu7+01LTXMhc0"
    "QCh3rCg4xbftuHkzGLndNfs48TeHsKM0l7GJOOI3rTcvstC0v7VxuTe2M7iytpMxwLmfObW7mD0oLQ27lzjvqH245q88ua+1pLYkMQAzO7Rf"
    "tyk1ETQAuG81w7S3tXo5lzIjqss93LeLtGiwBjzyraQ4tzH2qn+27TXbPgCABTI7s8I4JLhEOse2bLgNuqs7k7T7uak4VTWfrgy1xK/3KKmy"
    "8zRmtXA5sjmiKhwyuDHjsc053LhguWK09riLrR45yTgiNNwpgri8ODW2bzvPPRqm1LiWLFKtKjjiuJC5lDh0tHa1XTM0trA4XTa0Np47KLjL"
    "NVGpHzduOcq3zrjGvBsxDDkpuYEovjmKugyxLThbujW3RDueMDCxmK/bL+KzHbwyuHs4ZTpgK/M2KLpUK5sy4jW3tvS6HLlrpgAAkqHAqUyu"
    "b7EbNe28hrkeNZQ3Oj2wqgMqvjtZudm3O7KorPOzmbfVqf+2aLfBOBW7PKRitzU1sjYvuL07AbAVsdI3K7ZcubOturiuNQA33ziyuV67XLih"
    "NwWvNbZFvgA6qjbwLdW5ILhIMMMypa6BrG21BLrLL4GxCLw5twG9SrY="
)
"""A bias and a weight for each dimension, half precision."""
