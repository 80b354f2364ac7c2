"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from collections.abc import Mapping

BIAS = -0.38
_LISTED = """
    0.34 ,; -0.05 , i; -0.06 , i x; -0.32 , it; -0.14 , it be; 0.05 , please; 0.18 , remove; 0.13 , remove it; 0.25
    , they; 0.23 , they x; -0.09 , x; -0.32 ?; -0.32 ? $; 0.12 ^ ask; -0.26 ^ ask-word; -0.19 ^ ask-word x; 0.16 ^
    delete; -0.15 ^ delete the; 0.29 ^ forget; 0.16 ^ forget the; 0.11 ^ forget what; -0.48 ^ i; -0.16 ^ i not; 0.24
    ^ it; -0.38 ^ my; -0.29 ^ my x; 0.05 ^ not; -0.21 ^ not ,; 0.13 ^ not keep; 0.13 ^ please; 0.19 ^ please forget;
    -0.21 ^ remove; -0.12 ^ remove the; -0.08 ^ the; -0.14 ^ the x; -0.1 ^ they; 0.27 ^ unrecorded; 0.1 ^ x; -0.06 ^
    you; 0.26 about; -0.15 about > ?; 0.25 about > ask; 0.1 about > from; 0.11 about > gone; 0.14 about > i; 0.22
    about > it; 0.18 about > memory; 0.05 about > my; 0.15 about > please; 0.12 about > remove; 0.34 about > x; 0.13
    about > your; -0.13 about it; 0.08 about my; 0.11 about my x; 0.35 about the; 0.43 about the x; -0.37 about x;
    -0.28 about x $; 0.13 about your; 0.09 about your memory; 0.12 all > about; -0.12 all > x; -0.19 and; -0.17 and
    i; 0.16 and not; 0.31 ask; -0.1 ask > delete; 0.34 ask > forget; 0.19 ask > i; 0.06 ask > it; 0.1 ask > my;
    -0.19 ask > object; -0.15 ask > out; 0.16 ask > thing; 0.32 ask > x; 0.11 ask > you; 0.11 ask you; -0.14
    ask-word > ?; -0.15 ask-word > x; -0.21 ask-word x; -0.12 ask-word x i; 0.11 be; -0.25 be gone; 0.3 be kept;
    0.17 be kept $; -0.17 be said; -0.12 be the; 0.12 be x $; 0.12 delete; 0.2 delete > about; 0.16 delete > it;
    0.19 delete > my; -0.45 delete > object; 0.1 delete > please; 0.13 delete > said; 0.17 delete > what; 0.2 delete
    it; 0.14 delete it $; 0.09 delete my; 0.12 delete my x; -0.18 delete the; -0.15 delete the x; 0.17 delete what;
    0.18 filler; -0.27 filler $; 0.2 filler > ?; -0.15 filler > it; 0.2 filler ?; 0.2 filler ? $; -0.26 for; -0.17
    for the; -0.17 for the x; -0.16 for x; -0.17 for x $; 0.15 forget; -0.15 forget > from; 0.05 forget > i; -0.26
    forget > it; 0.22 forget > my; -0.32 forget > not; 0.33 forget > object; 0.14 forget > old; 0.14 forget >
    please; 0.3 forget > said; 0.14 forget > thing; -0.13 forget about; -0.18 forget about x; -0.06 forget my; -0.23
    forget my x; 0.09 forget the; 0.14 forget what; -0.26 forgot; -0.01 from; 0.13 from > about; 0.15 from > keep;
    0.08 from > memory; -0.15 from > not; -0.17 from > object; -0.22 from > x; 0.19 from > your; 0.19 from keep;
    -0.25 from the; -0.2 from the x; -0.06 from x; 0.19 from your; 0.19 from your memory; 0.12 gone; 0.34 gone $;
    -0.21 gone > x; 0.33 i; -0.18 i > ?; 0.16 i > about; -0.09 i > forget; 0.1 i > from; -0.15 i > i; -0.24 i > it;
    -0.26 i > keep; -0.28 i > my; -0.2 i > not; 0.19 i > regret; 0.29 i > said; 0.15 i > want; -0.26 i > what; 0.25
    i > x; 0.25 i > you; 0.13 i be; -0.12 i move; -0.13 i not; 0.12 i not want; 0.32 i said; 0.26 i said about; 0.24
    i x; 0.05 i x $; -0.2 i x it; 0.26 i x the; -0.21 if > i; 0.53 it; -0.3 it , i; 0.19 it > ask; 0.09 it > from;
    0.17 it > gone; 0.17 it > i; 0.17 it > kept; 0.25 it > me; 0.25 it > memory; 0.13 it > my; 0.06 it > not; 0.12
    it > out; 0.25 it > please; -0.09 it > x; 0.08 it > your; 0.17 it gone; 0.26 it i; 0.25 it i x; 0.13 it not;
    0.18 it out $; -0.08 it x; -0.23 it x $; 0.16 it x ,; -0.16 keep; -0.17 keep > about; -0.2 keep > filler; -0.18
    keep > forget; -0.26 keep > from; 0.32 keep > i; 0.21 keep > it; 0.11 keep > not; -0.15 keep > said; 0.16 keep
    it; 0.35 keep it ,; -0.27 keep it from; 0.18 keep my; 0.18 keep my x; -0.17 keep the; 0.48 kept; 0.29 kept $;
    0.18 kept > x; 0.18 know; -0.09 last; -0.04 last > x; -0.27 me; -0.15 me > not; -0.35 me > x; 0.15 memory; 0.37
    memory $; 0.12 memory ,; 0.16 memory , i; -0.14 memory > it; -0.18 memory > x; -0.11 mention; -0.16 mention > x;
    -0.2 mention x; 0.01 move; -0.18 move > ?; -0.08 move > about; 0.12 move > from; -0.1 move > it; 0.1 move >
    memory; -0.28 move > my; -0.17 move > not; -0.23 move > out; -0.23 move > x; 0.12 move > your; -0.07 move my;
    -0.17 move my x; 0.58 my; -0.15 my > about; -0.17 my > from; -0.2 my > i; -0.13 my > it; 0.07 my > memory; 0.06
    my > not; -0.23 my > object; 0.22 my > old; 0.24 my > please; -0.12 my > remove; -0.16 my > said; 0.09 my >
    their; 0.73 my > x; 0.16 my > your; -0.18 my object; 0.22 my old; 0.15 my old x; 0.22 my their; 0.23 my their x;
    0.41 my x; 0.53 my x $; -0.16 my x ,; 0.19 my x again; 0.11 my x be; -0.16 my x out; -0.11 not; -0.17 not $;
    -0.25 not ,; -0.09 not > about; -0.17 not > forget; 0.12 not > from; 0.48 not > i; 0.35 not > it; 0.31 not >
    keep; 0.41 not > kept; -0.17 not > me; 0.31 not > memory; 0.12 not > move; 0.11 not > my; 0.18 not > out; -0.38
    not > said; 0.21 not > should; 0.14 not > want; -0.17 not > what; 0.11 not > x; 0.13 not > you; 0.12 not > your;
    0.06 not be; 0.28 not for; 0.05 not keep; 0.46 not keep it; -0.12 not mention; -0.16 not mention x; -0.08 not
    said; 0.14 not want; -0.52 object; -0.55 object $; -0.17 object > i; 0.15 object > x; 0.17 object x; 0.16 old;
    0.09 old > x; -0.02 out; -0.17 out > ?; -0.07 out > about; 0.28 out > memory; -0.17 out > my; -0.44 out > x;
    0.12 out > your; -0.18 out about the; 0.09 out about your; -0.13 out the x; 0.86 please; 0.29 please $; 0.23
    please > about; 0.37 please > forget; -0.11 please > from; 0.22 please > i; 0.07 please > it; 0.19 please > my;
    -0.12 please > not; 0.09 please > remove; 0.44 please > x; 0.3 please forget; 0.32 please the; 0.26 please the
    x; 0.13 pretend; -0.24 quote; -0.24 quote > quote; -0.19 quote > x; 0.16 regret; -0.16 remove; 0.16 remove >
    about; 0.24 remove > from; 0.12 remove > it; 0.15 remove > my; 0.16 remove > not; -0.26 remove > object; 0.25
    remove > thing; 0.17 remove > what; -0.26 remove > x; 0.12 remove > you; 0.14 remove > your; 0.15 remove it;
    0.18 remove it $; -0.28 remove it ,; 0.16 remove it from; -0.12 remove my; -0.25 remove the; 0.15 remove the
    thing; -0.32 remove the x; 0.12 remove what; -0.15 remove x; -0.26 said; 0.28 said > about; -0.11 said > from;
    -0.15 said > i; 0.07 said > it; -0.26 said > me; -0.12 said > my; -0.32 said > not; -0.15 said > x; 0.23 said >
    you; 0.26 said about; 0.11 said about the; 0.11 said about x; -0.23 said me; 0.2 said you; 0.25 secret > not;
    0.07 should; 0.16 stop > my; 0.2 stop > x; 0.31 that; 0.31 that > x; -0.36 the; -0.19 the object; -0.12 the
    object $; 0.28 the thing; 0.24 the thing about; -0.24 the x; -0.19 the x $; -0.39 the x ,; 0.1 the x about;
    -0.12 the x be; 0.29 the x i; -0.14 the x out; 0.12 their > x; 0.19 their x; 0.14 their x $; -0.2 they said;
    0.24 they x; 0.55 thing; 0.21 thing $; 0.25 thing > about; 0.09 thing > my; 0.27 thing > x; 0.24 thing about;
    0.21 thing about the; 0.12 unheard; 0.31 unrecorded; 0.3 unrecorded ,; 0.27 unrecorded > i; 0.26 unrecorded >
    move; 0.31 unrecorded > x; 0.13 want; 0.17 want > my; 0.3 want > x; 0.31 what; 0.14 what > about; 0.09 what > i;
    0.1 what > said; 0.31 what > x; 0.09 what i; 0.22 where; 0.18 where > i; 0.18 where > x; -0.28 x; -0.43 x $;
    -0.5 x ,; -0.3 x , i; -0.24 x , it; 0.18 x , remove; -0.07 x , x; -0.24 x > ?; 0.07 x > about; 0.16 x > ask; 0.1
    x > delete; -0.12 x > forget; 0.2 x > from; 0.13 x > go; 0.27 x > it; 0.11 x > keep; 0.18 x > kept; -0.2 x > me;
    0.2 x > memory; 0.26 x > my; 0.12 x > not; 0.08 x > object; -0.05 x > out; 0.36 x > please; -0.24 x > quote;
    0.33 x > remove; 0.03 x > said; -0.07 x > secret; 0.2 x > thing; -0.58 x > x; 0.08 x > you; 0.25 x > your; -0.12
    x about; 0.24 x about my; -0.17 x and; -0.23 x for; -0.32 x from; -0.21 x from the; 0.21 x i; 0.19 x i said;
    -0.11 x it; -0.24 x it $; -0.11 x out; -0.18 x quote; 0.15 x the; 0.1 x the x; 0.16 x thing; -0.1 x you; 0.46
    you; -0.2 you > ?; 0.2 you > about; 0.11 you > ask; 0.12 you > from; 0.13 you > i; 0.46 you > it; 0.22 you >
    know; -0.14 you > memory; -0.15 you > move; 0.13 you > not; 0.13 you > please; 0.15 you > remove; 0.22 you >
    should; 0.21 you > unheard; 0.22 you > x; 0.15 you about the; -0.22 you forget; -0.18 you move; 0.12 you remove;
    -0.12 you remove the; 0.21 you unheard; 0.18 you unheard it; 0.3 your; 0.35 your > memory; 0.35 your memory;
    0.15 your memory $; 0.13 your memory ,
"""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WEIGHTS = _read(_LISTED)
"""By figure; one without a weight has 0."""
