"""The fitted weights of `helpfulness`: how they were found says docs/adr/0056-few-and-right.md."""

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
NEED = (-5.3944, 3.8598, 2.8033, 2.0928, 7.3585, 3.5522, 3.0707)
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
