"""The fitted weights of `helpfulness`: how they were found says docs/adr/0056-few-and-right.md."""

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
NEED = (-5.3944, 3.8598, 2.8033, 2.0928, 7.3585, 3.5522, 3.0707)
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
    "fTSXKFM11a2zs5epVDoSulIxhCvOLR+0lTgxuW23gCqrsmk4dbmdOUGqBLntJYQ2MCtHNPg0lDTjqzU13bWqPBK8/LhhLg44FbISPvI1MLYG"
    "NxIz47lLtEm1ybWquAQ79LcMsGM3fTtXtac5A7qMvGqQFbY0qg6eATghsOYy0jLWtkq9dbrQtA4rTj0qvbgwTbT7MwW6CLErMmQ5BDa1usC+"
    "hrkQtGO1bjXmtto8/ry8M2YvxTY7Phuyh7fUrLk01Tx/uDS2WTzGsHy0AzUYOtE2MjXtsw4sH7yWLS04BzhPM6oywCvPMba2kjp9tampz7h4"
    "ubY3hDE9t2m8wzzFsgCAHrc8tBa4wyzeOck4ozqpL/U8aLNetf8xejO3vO25laf1sL+2DbxKMqg2rrVrsdc6bDJaN+I11DTQu9C0ELWWMz4u"
    "vSyspZE4XLejuqUzErjhNpM5FDdNtVszorNqOAA6BjXLs7q1h7iFuXa27Llttuk2h7lsOmC78T3UM4W7zDjTJGq3I7BUufm1wLbHLzM2VrXZ"
    "t1o3IDQrtyg0U7iwsPo58zJknII/ZLnarU60RzzunpY44zAAqt64DDNRPgCAMTBStdQ6TbkGO3i3rrgcusM7NbOKupU4+ThpKzeyfbBTI6iz"
    "zzbitHc39zlOLEAuEjTYskQ6Qbt7ug22Bbi0Li06YTlWNEow+rhLOA+2EDmRPSuvzLh8NJyoATq4uSy5nDkBtVS0QTUMtds3fTfjN9Q6TrnN"
    "NXCroTdaOcK32LhrvYguFTrnufcn3jf/uccqGTc4uzq2NDxnLhaleip7MEywcrzCuSk4oDvtLs805LkrqkQd9DfDtae8E7kfqgEAny/KrFG1"
    "N7RJNAm9R7mMOL83zDyksfKqFDyvuAq41LR6L4KuGbhHMv63lrh5Oe+5WK5euec2+jVatqE7FLFQshc2LrjAuM6skLiiGpY13zgnuHm5rLWq"
    "N82ykLWfvY84kjd2slG7R7TvLDM0dKkvr8C2lroxLrGy4Ls5uK29N7Q="
)
"""A bias and a weight for each dimension, half precision."""
