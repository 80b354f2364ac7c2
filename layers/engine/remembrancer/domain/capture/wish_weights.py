"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from collections.abc import Mapping

BIAS = -0.47
_LISTED = """
    0.39 ,; -0.05 , i; -0.09 , i x; -0.27 , it; 0.06 , please; 0.2 , remove; 0.15 , remove it; 0.16 , they; 0.24 ,
    they x; -0.11 , x; -0.13 0 > x; -0.32 ?; -0.32 ? $; 0.09 ^ ask; -0.22 ^ ask-word; -0.16 ^ ask-word x; 0.28 ^
    delete; -0.18 ^ delete the; -0.12 ^ filler; 0.34 ^ forget; 0.16 ^ forget the; 0.11 ^ forget what; -0.53 ^ i;
    -0.16 ^ i not; 0.22 ^ it; -0.36 ^ my; -0.3 ^ my x; -0.21 ^ not ,; 0.16 ^ not keep; 0.14 ^ please; 0.19 ^ please
    forget; -0.18 ^ remove; -0.15 ^ remove the; -0.06 ^ the; -0.13 ^ the x; -0.15 ^ they; 0.28 ^ unrecorded; 0.08 ^
    x; -0.16 ^ you; 0.27 about; -0.17 about > ?; 0.27 about > ask; 0.14 about > gone; 0.08 about > i; 0.15 about >
    it; 0.14 about > my; 0.11 about > please; 0.13 about > remove; 0.13 about > what; 0.31 about > x; 0.18 about >
    your; 0.16 about my; 0.25 about my x; 0.32 about the; 0.4 about the x; -0.33 about x; -0.25 about x $; 0.17
    about your; 0.13 about your memory; -0.08 all; 0.13 all > about; -0.15 all > x; -0.14 all x; -0.15 and; -0.19
    and i; 0.18 and not; 0.29 ask; 0.35 ask > forget; 0.2 ask > i; 0.04 ask > it; 0.09 ask > my; -0.18 ask > object;
    0.17 ask > thing; 0.18 ask > what; 0.38 ask > x; 0.08 ask > you; 0.08 ask you; -0.08 ask-word; -0.1 ask-word >
    ?; -0.15 ask-word > x; -0.21 ask-word x; 0.24 be; -0.24 be gone; 0.32 be kept; 0.18 be kept $; 0.08 be x; 0.13
    be x $; 0.14 delete; 0.19 delete > about; 0.11 delete > i; 0.19 delete > it; 0.13 delete > my; -0.45 delete >
    object; 0.1 delete > said; 0.16 delete > what; 0.15 delete > x; 0.24 delete it; 0.14 delete it $; 0.14 delete my
    x; -0.22 delete the; -0.16 delete the x; 0.15 delete what; 0.21 filler; -0.19 filler $; 0.18 filler > ?; -0.19
    filler > about; -0.13 filler > it; -0.15 filler > x; 0.18 filler ?; 0.18 filler ? $; -0.32 for; -0.16 for the x;
    -0.18 for x; -0.16 for x $; 0.15 forget; -0.15 forget > from; 0.07 forget > i; -0.28 forget > it; 0.25 forget >
    my; -0.3 forget > not; 0.33 forget > object; 0.14 forget > please; 0.28 forget > said; 0.16 forget > thing; 0.06
    forget > what; 0.05 forget > x; -0.12 forget about; -0.17 forget about x; -0.04 forget my; -0.25 forget my x;
    0.1 forget the; 0.14 forget what; -0.24 forgot; -0.12 from; -0.17 from > forget; 0.11 from > it; 0.17 from >
    keep; -0.17 from > not; -0.15 from > object; -0.22 from > x; 0.2 from > your; -0.17 from forget; 0.17 from keep;
    -0.26 from the; -0.19 from the x; -0.08 from x; 0.19 from your; 0.19 from your memory; 0.11 go; 0.35 gone $;
    -0.31 gone > x; 0.22 i; -0.17 i > ?; 0.15 i > about; -0.19 i > forget; 0.05 i > from; -0.12 i > i; -0.28 i > it;
    -0.35 i > keep; -0.17 i > memory; 0.11 i > move; -0.32 i > my; -0.26 i > not; 0.21 i > regret; 0.36 i > said;
    0.13 i > thing; 0.19 i > want; -0.17 i > what; 0.17 i > x; 0.32 i > you; 0.26 i be; -0.11 i move; -0.27 i not;
    -0.2 i not keep; 0.16 i not want; -0.16 i not x; 0.39 i said; 0.23 i said about; 0.11 i said you; 0.32 i x; 0.14
    i x $; -0.15 i x it; 0.25 i x the; -0.23 if > i; 0.53 it; 0.11 it ,; -0.19 it , i; 0.19 it > ask; 0.21 it >
    gone; 0.15 it > i; 0.18 it > kept; 0.28 it > me; 0.19 it > memory; 0.16 it > my; 0.07 it > not; 0.15 it > out;
    0.25 it > please; -0.12 it > said; 0.11 it > your; 0.2 it gone; 0.17 it i; 0.25 it i x; 0.13 it not; 0.19 it out
    $; -0.13 it x; -0.27 it x $; 0.16 it x ,; -0.07 keep; -0.09 keep > about; -0.18 keep > forget; -0.28 keep >
    from; 0.43 keep > i; 0.23 keep > it; 0.12 keep > not; -0.13 keep > object; 0.06 keep > x; 0.18 keep it; 0.34
    keep it ,; -0.29 keep it from; 0.16 keep my; 0.16 keep my x; -0.23 keep the; 0.52 kept; 0.29 kept $; 0.22 kept >
    x; -0.17 know > it; -0.21 know > x; -0.18 last; -0.06 last > x; -0.17 last x $; -0.3 me; -0.16 me > forget;
    -0.38 me > x; -0.17 me from; 0.16 memory; 0.35 memory $; -0.17 memory > x; -0.06 mention; -0.12 mention > x;
    -0.18 mention x; -0.2 move > ?; -0.09 move > about; 0.29 move > from; 0.05 move > memory; -0.17 move > my; -0.22
    move > out; -0.16 move > x; 0.15 move > your; -0.17 move my x; 0.5 my; -0.19 my > about; -0.12 my > from; -0.09
    my > gone; -0.25 my > i; -0.09 my > it; -0.15 my > last; -0.19 my > object; 0.27 my > old; 0.22 my > please;
    -0.12 my > remove; -0.19 my > said; 0.11 my > their; 0.71 my > x; 0.19 my > your; -0.17 my memory; -0.17 my
    object; 0.29 my old; 0.23 my old x; 0.26 my their; 0.28 my their x; 0.41 my x; 0.54 my x $; -0.22 my x ,; 0.22
    my x again; -0.13 my x out; -0.13 not; -0.17 not $; -0.25 not ,; -0.05 not > about; -0.14 not > forget; 0.17 not
    > from; 0.49 not > i; 0.29 not > it; 0.45 not > keep; 0.46 not > kept; -0.15 not > me; 0.25 not > memory; 0.14
    not > move; 0.18 not > my; -0.12 not > object; 0.17 not > out; -0.27 not > said; 0.26 not > should; 0.18 not >
    want; -0.12 not > what; -0.08 not > x; 0.28 not > you; 0.17 not > your; 0.08 not be; 0.23 not for; 0.09 not
    keep; 0.44 not keep it; -0.15 not know; -0.14 not mention x; 0.18 not want; -0.09 not x; -0.15 not x $; -0.53
    object; -0.51 object $; -0.22 object > i; 0.2 object x; 0.19 old; 0.12 old > x; -0.07 out; -0.17 out > ?; -0.11
    out > about; 0.18 out > memory; -0.19 out > my; -0.48 out > x; 0.16 out > your; -0.1 out about; -0.15 out about
    the; 0.13 out about your; -0.13 out the x; 0.85 please; 0.32 please $; 0.23 please > about; 0.4 please > forget;
    -0.1 please > from; 0.22 please > i; 0.11 please > it; 0.14 please > my; 0.08 please > remove; 0.43 please > x;
    0.33 please forget; 0.32 please the; 0.26 please the x; 0.17 pretend; -0.2 quote; -0.2 quote > quote; -0.16
    quote > x; 0.16 regret; -0.11 remove; 0.13 remove > about; 0.24 remove > from; 0.16 remove > i; 0.12 remove >
    it; 0.15 remove > my; 0.18 remove > not; -0.24 remove > object; 0.26 remove > thing; 0.18 remove > what; -0.2
    remove > x; 0.13 remove > your; 0.18 remove it; 0.15 remove it $; -0.23 remove it ,; -0.13 remove my; -0.3
    remove the; 0.14 remove the thing; -0.33 remove the x; -0.11 remove x; -0.21 said; 0.34 said > about; -0.16 said
    > from; -0.12 said > i; -0.28 said > me; -0.26 said > not; -0.05 said > x; 0.27 said > you; 0.23 said about;
    -0.25 said me; 0.24 said you; 0.11 said you about; 0.25 secret > not; 0.11 should; 0.17 stop; 0.25 stop > x;
    0.31 that; 0.31 that > x; -0.37 the; -0.24 the object; 0.28 the thing; 0.23 the thing about; -0.25 the x; -0.16
    the x $; -0.4 the x ,; 0.09 the x about; 0.3 the x i; -0.12 the x out; 0.05 their > x; 0.17 their x; -0.11 they;
    -0.2 they said; 0.2 they x; 0.52 thing; 0.25 thing > about; 0.1 thing > it; 0.1 thing > my; 0.3 thing > x; 0.24
    thing about; 0.22 thing about the; 0.13 unheard; 0.31 unrecorded; 0.3 unrecorded ,; 0.28 unrecorded > i; 0.26
    unrecorded > move; 0.31 unrecorded > x; 0.14 want; -0.17 want > from; 0.21 want > gone; 0.11 want > my; 0.31
    want > x; 0.15 want > you; 0.14 want you; 0.26 what; 0.24 what > about; 0.1 what > i; 0.12 what > my; 0.06 what
    > said; 0.2 what > x; 0.16 what i; 0.12 what i said; 0.21 where; 0.18 where > i; 0.16 where > x; -0.33 x; -0.36
    x $; -0.52 x ,; -0.09 x , and; -0.26 x , i; -0.22 x , it; 0.19 x , remove; -0.22 x > ?; 0.02 x > about; -0.14 x
    > all; 0.16 x > ask; 0.09 x > delete; -0.07 x > forget; 0.3 x > from; 0.12 x > go; -0.07 x > i; 0.29 x > it;
    0.21 x > kept; 0.15 x > know; -0.19 x > me; 0.11 x > memory; 0.19 x > my; 0.15 x > not; -0.07 x > out; 0.35 x >
    please; -0.2 x > quote; 0.37 x > remove; -0.14 x > their; 0.26 x > thing; -0.58 x > x; 0.12 x > you; 0.3 x >
    your; -0.13 x about; 0.25 x about my; -0.22 x and; -0.1 x be; -0.26 x for; -0.23 x from; -0.22 x from the; 0.19
    x i; 0.17 x i said; -0.1 x it; -0.25 x it $; -0.11 x out; -0.16 x quote; -0.12 x said; 0.12 x the; 0.08 x the x;
    0.2 x thing; 0.51 you; -0.24 you > ?; 0.29 you > about; 0.27 you > from; 0.08 you > i; 0.46 you > it; 0.15 you >
    know; 0.12 you > my; 0.14 you > please; 0.14 you > remove; 0.18 you > should; 0.21 you > unheard; 0.25 you > x;
    0.11 you about; 0.11 you about the; -0.23 you forget; 0.13 you remove; -0.12 you remove the; 0.21 you unheard;
    0.19 you unheard it; 0.37 your; 0.41 your > memory; 0.41 your memory; 0.18 your memory $; 0.15 your memory ,
"""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WEIGHTS = _read(_LISTED)
"""By figure; one without a weight has 0."""
