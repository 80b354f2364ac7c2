"""Whole conversations of 32 domains, in which users correct, agree, and want something forgotten; written by hand.

Three parts, each a file. The first two were written before the rules that they measure: `chosen.txt` is the half with
which rules are chosen, and `confirming.txt` the half with which they are confirmed; no rule may be made from it.

`fresh.txt` was written on 27 November 2026, after the rules, by somebody who had read neither the rules nor their
tests, only the format and a part of the chosen half. Its twelve domains are others than those of the halves, and its
users are as different as their wording: terse, formal, angry, in slang, in the English of people who learned it late.
It was a blind set once. Now the weights of corrections are fitted on it
(`python -m benchmarks.corrections`), so only `confirming.txt` confirms: who writes rules must not read that, nor print
its conversations with `--show`. Who has read it for rules writes another one first.

The format is that of `local/evaluation/conversations.py`, and
`remembrancer eval --conversations benchmarks/conversations` plays all three and prints the figures of each.
"""
