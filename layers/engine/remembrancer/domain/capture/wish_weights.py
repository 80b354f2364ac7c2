"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from collections.abc import Mapping

BIAS = -0.73
_LISTED = """
    0.34 ,; -0.15 , forget; -0.07 , i; -0.23 , it; -0.12 , not; 0.09 , please; 0.28 , remove; 0.22 , remove it; 0.16
    , the; 0.18 , they; 0.25 , they x; -0.18 0 > x; -0.33 ?; -0.33 ? $; 0.17 ^ ask; -0.21 ^ ask-word; -0.16 ^
    ask-word x; 0.32 ^ delete; -0.17 ^ delete the; 0.33 ^ forget; -0.18 ^ forget about; -0.15 ^ forget it; 0.22 ^
    forget the; 0.12 ^ forget what; -0.53 ^ i; -0.17 ^ i always; -0.15 ^ i not; 0.23 ^ it; -0.39 ^ my; -0.33 ^ my x;
    -0.11 ^ not; 0.18 ^ not keep; -0.22 ^ not memory; 0.13 ^ please; 0.22 ^ please forget; -0.22 ^ remove; -0.19 ^
    remove the; -0.12 ^ the x; -0.15 ^ they; 0.25 ^ unrecorded; 0.23 ^ unrecorded ,; -0.13 ^ you; 0.26 about; -0.09
    about > ?; 0.29 about > ask; 0.14 about > gone; 0.1 about > i; 0.18 about > it; 0.15 about > my; 0.1 about >
    please; 0.12 about > remove; 0.15 about > what; 0.31 about > x; 0.17 about > your; 0.19 about my; 0.22 about my
    x; 0.28 about the; 0.37 about the x; -0.4 about x; -0.27 about x $; -0.12 about x ,; 0.16 about your; 0.12 about
    your memory; 0.13 all > about; -0.16 all > x; -0.19 all x; -0.27 always; -0.09 and; -0.19 and i; 0.16 and not;
    0.15 and please; -0.09 and x; 0.28 ask; 0.42 ask > forget; 0.19 ask > i; 0.11 ask > it; 0.1 ask > my; -0.15 ask
    > object; -0.19 ask > out; 0.17 ask > thing; 0.35 ask > x; 0.08 ask > you; 0.08 ask you; -0.07 ask-word; -0.15
    ask-word > ?; -0.06 ask-word > x; -0.11 ask-word x; 0.27 be; -0.25 be gone; 0.31 be kept; 0.17 be kept $; 0.1 be
    x; 0.14 be x $; 0.22 delete; 0.13 delete > about; 0.1 delete > i; 0.27 delete > it; 0.12 delete > my; -0.48
    delete > object; 0.12 delete > please; 0.1 delete > said; 0.17 delete > what; 0.14 delete > x; 0.23 delete it;
    0.14 delete it $; 0.13 delete my x; -0.2 delete the; -0.15 delete the x; 0.16 delete what; 0.24 filler; -0.27
    filler $; 0.21 filler > ?; -0.16 filler > forget; -0.11 filler > it; -0.2 filler > x; 0.15 filler > you; -0.33
    for; -0.16 for the x; -0.21 for x; -0.14 for x $; -0.15 forget > about; -0.17 forget > from; 0.19 forget > i;
    -0.47 forget > it; 0.22 forget > my; -0.3 forget > not; 0.41 forget > object; 0.29 forget > said; 0.17 forget >
    thing; 0.07 forget > what; 0.09 forget > x; -0.14 forget about; -0.12 forget it; -0.25 forget it ,; -0.11 forget
    my x; 0.15 forget the; 0.09 forget the x; 0.16 forget what; -0.19 forgot; -0.09 from; -0.14 from > forget; -0.09
    from > i; 0.16 from > keep; 0.06 from > memory; -0.12 from > my; -0.16 from > not; -0.14 from > object; -0.25
    from > x; 0.21 from > your; -0.12 from forget; 0.15 from keep; -0.23 from the; -0.19 from the x; -0.13 from x;
    0.2 from your; 0.2 from your memory; 0.07 gone; 0.35 gone $; -0.29 gone > x; 0.15 i; -0.18 i > ?; 0.3 i > about;
    -0.39 i > forget; 0.05 i > from; -0.1 i > i; -0.27 i > it; -0.36 i > keep; -0.1 i > memory; 0.1 i > move; -0.36
    i > my; -0.23 i > not; 0.09 i > please; 0.2 i > regret; 0.42 i > said; 0.15 i > thing; 0.23 i > want; -0.13 i >
    what; 0.11 i > x; 0.37 i > you; -0.16 i always; 0.31 i be; -0.26 i not; -0.21 i not keep; 0.15 i not want; -0.15
    i not x; -0.11 i remove; 0.39 i said; 0.24 i said about; 0.1 i said you; 0.44 i x; 0.1 i x $; -0.19 i x it; 0.27
    i x the; -0.25 if > ?; -0.2 if > i; 0.59 it; -0.15 it , i; 0.16 it > ask; 0.21 it > gone; 0.16 it > i; 0.17 it >
    kept; 0.28 it > me; 0.27 it > memory; 0.19 it > my; 0.04 it > not; 0.18 it > out; 0.25 it > please; -0.15 it >
    said; 0.11 it > your; 0.2 it gone; 0.15 it i; 0.24 it i x; 0.14 it not; 0.08 it out; 0.17 it out $; -0.05 it x;
    -0.2 it x $; 0.15 it x ,; -0.07 keep; -0.11 keep > about; -0.27 keep > from; 0.45 keep > i; 0.23 keep > it; 0.1
    keep > not; 0.04 keep > x; 0.2 keep it; 0.35 keep it ,; -0.3 keep it from; 0.15 keep my; 0.15 keep my x; -0.22
    keep the; 0.54 kept; 0.31 kept $; 0.22 kept > x; -0.26 know > x; -0.08 last; 0.17 last > it; -0.11 last x; -0.2
    last x $; 0.13 let; -0.28 me; -0.16 me > forget; -0.36 me > x; -0.16 me from; 0.06 memory; 0.23 memory $; -0.18
    memory > it; -0.18 memory > x; -0.08 mention > x; -0.18 mention x; 0.05 move; -0.18 move > ?; -0.06 move >
    about; 0.27 move > from; 0.11 move > memory; -0.18 move > my; -0.22 move > out; -0.17 move > x; 0.13 move >
    your; 0.48 my; -0.16 my > about; -0.18 my > from; -0.32 my > i; -0.11 my > it; -0.12 my > last; 0.05 my >
    memory; 0.08 my > not; -0.16 my > object; 0.23 my > please; -0.18 my > remove; -0.15 my > said; 0.15 my > their;
    0.64 my > x; 0.19 my > your; -0.13 my object; 0.29 my their; 0.3 my their x; 0.58 my x; 0.49 my x $; -0.22 my x
    ,; 0.23 my x again; 0.07 my x be; 0.14 my x not; -0.07 not; -0.21 not ,; -0.09 not > about; 0.2 not > from; 0.44
    not > i; 0.38 not > it; 0.48 not > keep; 0.46 not > kept; -0.14 not > me; 0.12 not > memory; 0.12 not > move;
    0.23 not > my; 0.13 not > out; -0.27 not > said; 0.25 not > should; 0.12 not > want; -0.1 not > x; 0.23 not >
    you; 0.19 not > your; 0.07 not be; 0.22 not for; 0.09 not keep; 0.44 not keep it; -0.2 not memory; -0.19 not
    memory $; -0.15 not mention x; -0.06 not said; 0.18 not want; -0.12 not x; -0.16 not x $; -0.54 object; -0.52
    object $; -0.22 object > i; 0.23 object x; -0.04 out; 0.11 out $; -0.19 out > ?; -0.1 out > about; 0.22 out >
    memory; -0.16 out > my; -0.47 out > x; 0.14 out > your; -0.09 out about; -0.16 out about the; 0.12 out about
    your; -0.14 out the x; 0.81 please; 0.26 please $; 0.17 please > about; 0.39 please > forget; -0.09 please >
    from; 0.24 please > i; 0.23 please > it; 0.13 please > my; 0.1 please > remove; 0.39 please > x; 0.38 please
    forget; 0.13 please forget my; 0.17 pretend; -0.17 quote; -0.17 quote > quote; -0.16 quote > x; 0.15 regret;
    -0.05 remove; 0.24 remove > about; 0.22 remove > from; 0.17 remove > i; 0.22 remove > it; 0.13 remove > my; 0.17
    remove > not; -0.22 remove > object; 0.26 remove > thing; -0.19 remove > x; 0.13 remove > your; 0.23 remove it;
    0.19 remove it $; -0.11 remove my; -0.2 remove the; 0.13 remove the thing; -0.29 remove the x; -0.14 remove x;
    -0.14 said; 0.36 said > about; -0.19 said > from; -0.14 said > i; -0.26 said > me; -0.23 said > not; -0.11 said
    > quote; 0.26 said > you; 0.24 said about; 0.12 said about the; -0.22 said me; 0.26 said you; 0.11 said you
    about; 0.27 secret > not; 0.09 should; 0.16 stop; 0.23 stop > x; 0.32 that; 0.32 that > x; -0.33 the; -0.26 the
    object; 0.26 the thing; 0.22 the thing about; -0.3 the x; -0.23 the x $; -0.36 the x ,; 0.13 the x about; -0.08
    the x from; 0.3 the x i; -0.14 the x out; 0.02 their > x; 0.16 their x; -0.17 they; -0.19 they said; 0.11 they
    x; 0.51 thing; 0.24 thing > about; 0.11 thing > my; 0.27 thing > x; 0.25 thing about; 0.22 thing about the; 0.29
    unrecorded; 0.28 unrecorded ,; 0.23 unrecorded , i; 0.25 unrecorded > i; 0.24 unrecorded > move; 0.29 unrecorded
    > x; 0.15 want; -0.16 want > from; 0.22 want > gone; 0.14 want > my; 0.29 want > x; 0.16 want > you; 0.16 want
    you; 0.19 what; -0.11 what > ?; 0.18 what > about; 0.14 what > i; 0.11 what > my; 0.1 what > said; 0.13 what >
    x; 0.2 what i; 0.14 what i said; 0.2 where; 0.2 where > i; 0.15 where > x; -0.19 x; -0.28 x $; -0.5 x ,; -0.08 x
    , and; -0.27 x , i; -0.21 x , it; 0.17 x , remove; -0.28 x > ?; 0.03 x > about; -0.12 x > all; 0.09 x > delete;
    -0.11 x > forget; 0.26 x > from; -0.06 x > i; 0.22 x > it; 0.2 x > kept; 0.13 x > know; -0.15 x > last; -0.16 x
    > me; 0.21 x > memory; 0.2 x > my; 0.18 x > not; -0.09 x > out; 0.31 x > please; -0.17 x > quote; 0.2 x >
    remove; -0.15 x > their; 0.23 x > thing; -0.6 x > x; 0.09 x > you; 0.3 x > your; 0.2 x about my; -0.12 x about
    x; -0.16 x and; -0.13 x be; -0.28 x for; -0.17 x from; -0.19 x from the; 0.2 x gone $; 0.19 x i; 0.16 x i said;
    -0.16 x it; -0.27 x it $; 0.14 x object; -0.11 x out; -0.12 x quote; 0.08 x the; 0.1 x the x; 0.22 x thing; 0.54
    you; -0.29 you > ?; 0.29 you > about; 0.3 you > from; 0.51 you > it; 0.3 you > know; 0.17 you > me; 0.11 you >
    my; 0.05 you > not; 0.17 you > should; 0.24 you > x; 0.11 you about; 0.11 you about the; -0.13 you forget; 0.16
    you know; 0.38 your; 0.42 your > memory; 0.09 your > x; 0.42 your memory; 0.18 your memory $; 0.16 your memory ,
"""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WEIGHTS = _read(_LISTED)
"""By figure; one without a weight has 0."""
