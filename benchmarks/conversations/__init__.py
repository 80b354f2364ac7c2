"""Whole conversations in which users correct, agree, and want something forgotten; written by hand.

Each part is a file. `chosen.txt` and `confirming.txt` were written before any rules: rules are chosen with the first
half, and confirmed with the second; no rule may be made from that. `fresh.txt` was written on 27 November 2026 by
somebody who had read neither the rules nor their tests, in other domains and with other people's wording. So were the
213 conversations of `training.txt` on the day after, in five parts with voices of their own, in 75 domains, those of
`further.txt`, in parts of which the first letters of the names tell the writer (`s`: plain corrections), and the 24 of
`unseen.txt`, with which nothing was ever fitted.

What is fitted (`python -m benchmarks.corrections`, `.agreements`, `.wishes`) is fitted on all but `confirming.txt` and
`unseen.txt`. Who writes rules must not read these, nor print their conversations with `--show`. Who has read one for
rules writes another one first.

The format is that of `local/evaluation/conversations.py`, and
`remembrancer eval --conversations benchmarks/conversations/confirming.txt` plays a part and prints its figures.
"""
