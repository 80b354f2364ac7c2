"""What helps (`domain/ranking/helpfulness.py`), on labelled turns: figures by half, in arrays, and a fit of weights.

`python -m benchmarks.helpfulness FOLDER` measures the sets of ours; `--dialogues FOLDER` also long conversations, as
`remembrancer eval` reads them. The candidates of every turn are found once, and kept in the first folder.

`--fit` fits anew when a turn needs a memory and how likely a candidate is, on the halves for choosing and for the
embedding model of this checkout. It writes these weights into `domain/ranking/fitted.py`, and prints the figures with
them, too: compare both tables before you keep them.
"""
