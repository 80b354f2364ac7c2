"""How likely a turn corrects a memory (`domain/memories/correction_features.py`): figures on labelled turns, and a fit.

`python -m benchmarks.corrections FOLDER` captures the conversations of ours without servers, and counts which
corrections are linked with what they correct, and which other memories are marked. Vectors are kept in the folder.
Figures are cross-validated: each conversation is judged by weights fitted without it (most of an hour on two cores).
Pairs of `benchmarks/data/conflicts.jsonl` (the half for choosing) and messages of friends are in the fit, too, so that
what repeats or elaborates a memory, and ordinary chat, corrects nothing.

`--fit` writes the weights of all of them into `domain/memories/correction_weights.py` and `correction_cue_weights.py`.
"""
