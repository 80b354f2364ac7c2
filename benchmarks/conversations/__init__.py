"""Whole conversations in which users correct, agree, and want something forgotten; written by hand.

Each part is a file. `chosen.txt` and `confirming.txt` were written before any rules: rules are chosen with the first
half, and confirmed with the second; no rule may be made from that. `fresh.txt` was written on 27 November 2026 by
somebody who had read neither the rules nor their tests, in other domains and with other people's wording. So were the
213 conversations of `training.txt` on the day after, in five parts with voices of their own, in 75 domains, and
the 24 of `unseen.txt`, with which nothing was ever fitted. `further.txt` has 2,482 more by 17 writers, and
`plain.txt` 304 short ones with corrections and wishes in the words that most people use. In `training.txt` and
`further.txt` the first letter of a name tells the writer.

Nothing is fitted on `confirming.txt` and `unseen.txt`. `python -m benchmarks.corrections` and `.wishes` fit on all
others, `.agreements` and `.replies` on `chosen.txt`, `fresh.txt` and `training.txt`. Who writes
rules must not read the two, nor print their conversations with `--show`. Who has read one for rules writes another one
first.

The format is that of `local/evaluation/conversations.py`, and
`remembrancer eval --conversations benchmarks/conversations/confirming.txt` plays a part and prints its figures.
"""
