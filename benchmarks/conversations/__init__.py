"""Whole conversations of 20 domains, in which users correct, agree, and want something forgotten; written by hand.

They were written before the rules that they measure. `chosen.txt` is the half with which rules are chosen, and
`confirming.txt` the half with which they are confirmed; no rule may be made from it. The format is that of
`local/evaluation/conversations.py`, and `remembrancer eval --conversations benchmarks/conversations` plays them.
"""
