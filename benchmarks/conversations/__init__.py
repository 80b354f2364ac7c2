"""Whole conversations of 32 domains, in which users correct, agree, and want something forgotten; written by hand.

Three parts, each a file. The first two were written before the rules that they measure: `chosen.txt` is the half with
which rules are chosen, and `confirming.txt` the half with which they are confirmed; no rule may be made from it.

`fresh.txt` was written on 27 November 2026, after the rules, by somebody who had read neither the rules nor their
tests, only the format and a part of the chosen half. Its twelve domains are others than those of the halves, and its
users are as different as their wording: terse, formal, angry, in slang, in the English of people who learned it late.
It confirms what the halves cannot any more, since the figures of both have been looked at. So whoever writes rules
must not read it, nor print its conversations with `--show`: only its figures. A miss is mended by what the halves
show of its kind. Who has read it for rules writes another one first.

The format is that of `local/evaluation/conversations.py`, and
`remembrancer eval --conversations benchmarks/conversations` plays all three and prints the figures of each.
"""
