"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from collections.abc import Mapping

BIAS = -0.58
_LISTED = """
    0.37 ,; -0.03 , i; -0.08 , i x; -0.26 , it; 0.07 , please; 0.21 , remove; 0.15 , remove it; 0.15 , they; 0.24 ,
    they x; -0.08 , x; -0.13 0 > x; -0.31 ?; -0.31 ? $; 0.12 ^ ask; -0.21 ^ ask-word; -0.16 ^ ask-word x; 0.31 ^
    delete; -0.18 ^ delete the; 0.45 ^ forget; 0.18 ^ forget the; 0.11 ^ forget what; -0.6 ^ i; -0.15 ^ i always;
    -0.15 ^ i not; 0.23 ^ it; -0.39 ^ my; -0.34 ^ my x; -0.22 ^ not ,; 0.15 ^ not keep; 0.15 ^ please; 0.2 ^ please
    forget; -0.14 ^ remove; -0.15 ^ remove the; -0.13 ^ the x; -0.17 ^ they; 0.29 ^ unrecorded; -0.14 ^ you; 0.28
    about; -0.13 about > ?; 0.26 about > ask; 0.14 about > gone; 0.09 about > i; 0.18 about > it; 0.15 about > my;
    0.11 about > please; 0.12 about > remove; 0.35 about > x; 0.18 about > your; 0.17 about my; 0.26 about my x;
    0.31 about the; 0.4 about the x; -0.34 about x; -0.24 about x $; -0.12 about x ,; 0.17 about your; 0.13 about
    your memory; -0.1 all; 0.12 all > about; -0.15 all > x; -0.15 all x; -0.33 always; -0.18 always forget; -0.1
    and; -0.18 and i; 0.19 and not; -0.12 and x; 0.31 ask; 0.37 ask > forget; 0.24 ask > i; 0.1 ask > my; -0.19 ask
    > object; 0.16 ask > thing; 0.19 ask > what; 0.36 ask > x; 0.09 ask > you; 0.09 ask you; -0.06 ask-word; -0.1
    ask-word > ?; -0.15 ask-word > x; -0.21 ask-word x; 0.24 be; -0.24 be gone; 0.33 be kept; 0.18 be kept $; 0.1 be
    x; 0.14 be x $; 0.16 delete; 0.19 delete > about; 0.11 delete > i; 0.19 delete > it; 0.14 delete > my; -0.44
    delete > object; 0.1 delete > said; 0.15 delete > what; 0.15 delete > x; 0.25 delete it; 0.14 delete it $; 0.14
    delete my x; -0.21 delete the; -0.16 delete the x; 0.15 delete what; 0.13 filler; -0.26 filler $; 0.2 filler >
    ?; -0.18 filler > about; -0.13 filler > i; -0.15 filler > it; -0.11 filler > x; 0.17 filler > you; 0.2 filler ?;
    0.2 filler ? $; -0.32 for; -0.16 for the x; -0.19 for x; -0.14 for x $; 0.06 forget; -0.2 forget > from; 0.14
    forget > i; -0.27 forget > it; 0.21 forget > my; -0.3 forget > not; 0.35 forget > object; 0.15 forget > please;
    0.29 forget > said; 0.16 forget > thing; 0.09 forget > what; -0.12 forget about; -0.06 forget my; -0.26 forget
    my x; 0.11 forget the; 0.14 forget what; -0.21 forgot; -0.1 from; 0.06 from > it; 0.14 from > keep; -0.17 from >
    not; -0.17 from > object; -0.24 from > x; 0.2 from > your; 0.14 from keep; -0.26 from the; -0.19 from the x;
    -0.05 from x; 0.19 from your; 0.19 from your memory; 0.13 go; 0.38 gone $; -0.3 gone > x; 0.13 i; -0.14 i > ?;
    0.18 i > about; -0.38 i > forget; 0.07 i > from; -0.09 i > i; -0.28 i > it; -0.33 i > keep; -0.16 i > memory;
    0.13 i > move; -0.35 i > my; -0.25 i > not; 0.1 i > please; 0.23 i > regret; 0.39 i > said; 0.14 i > thing; 0.24
    i > want; -0.12 i > what; 0.15 i > x; 0.34 i > you; -0.14 i always; 0.27 i be; -0.07 i move; -0.25 i not; -0.2 i
    not keep; 0.16 i not want; -0.16 i not x; 0.42 i said; 0.23 i said about; 0.1 i said you; 0.39 i x; 0.14 i x $;
    -0.14 i x it; 0.25 i x the; -0.17 if; -0.22 if > ?; -0.28 if > i; -0.23 if i; 0.48 it; 0.03 it $; 0.1 it ,;
    -0.18 it , i; 0.2 it > ask; 0.09 it > from; 0.22 it > gone; 0.16 it > i; 0.17 it > kept; 0.31 it > me; 0.19 it >
    memory; 0.16 it > my; 0.07 it > not; 0.16 it > out; 0.25 it > please; -0.14 it > said; 0.1 it > your; -0.22 it
    ?; -0.22 it ? $; 0.21 it gone; 0.16 it i; 0.25 it i x; 0.13 it not; 0.08 it out; 0.18 it out $; -0.12 it x;
    -0.26 it x $; 0.16 it x ,; -0.06 keep; -0.09 keep > about; -0.29 keep > from; 0.44 keep > i; 0.2 keep > it; 0.1
    keep > not; -0.14 keep > object; 0.05 keep > x; 0.18 keep it; 0.33 keep it ,; -0.3 keep it from; 0.17 keep my;
    0.17 keep my x; -0.22 keep the; 0.53 kept; 0.29 kept $; 0.23 kept > x; -0.14 know > it; -0.28 know > x; -0.16
    last; -0.18 last x $; -0.31 me; -0.16 me > forget; -0.42 me > x; 0.15 memory; 0.37 memory $; -0.21 memory > x;
    -0.11 mention > x; -0.18 mention x; 0.08 move; -0.16 move > ?; -0.09 move > about; 0.31 move > from; 0.06 move >
    memory; -0.18 move > my; -0.23 move > out; -0.16 move > x; 0.14 move > your; -0.18 move my x; 0.51 my; -0.19 my
    > about; -0.15 my > forget; -0.11 my > from; -0.29 my > i; -0.12 my > it; -0.15 my > last; -0.19 my > object;
    0.28 my > old; 0.22 my > please; -0.16 my > remove; -0.18 my > said; 0.12 my > their; 0.71 my > x; 0.19 my >
    your; -0.17 my memory; -0.17 my object; 0.3 my old; 0.24 my old x; 0.27 my their; 0.28 my their x; 0.4 my x; 0.5
    my x $; -0.21 my x ,; 0.23 my x again; -0.13 my x out; -0.05 not; -0.25 not ,; -0.1 not > about; 0.16 not >
    from; 0.5 not > i; 0.4 not > it; 0.45 not > keep; 0.46 not > kept; -0.15 not > me; 0.26 not > memory; 0.13 not >
    move; 0.19 not > my; 0.16 not > out; -0.28 not > said; 0.25 not > should; 0.19 not > want; -0.1 not > what; -0.1
    not > x; 0.27 not > you; 0.17 not > your; 0.07 not be; 0.23 not for; 0.08 not keep; 0.43 not keep it; -0.15 not
    mention x; -0.07 not said; 0.19 not want; -0.1 not x; -0.16 not x $; -0.53 object; -0.51 object $; -0.22 object
    > i; 0.2 object x; 0.21 old; 0.13 old > x; -0.05 out; -0.13 out > ?; -0.12 out > about; 0.18 out > memory; -0.19
    out > my; -0.49 out > x; 0.16 out > your; -0.11 out about; -0.16 out about the; 0.13 out about your; -0.13 out
    the x; 0.88 please; 0.33 please $; 0.22 please > about; 0.42 please > forget; -0.1 please > from; 0.22 please >
    i; 0.12 please > it; 0.14 please > my; 0.09 please > remove; 0.43 please > x; 0.35 please forget; 0.13 please
    forget my; 0.32 please the; 0.26 please the x; 0.17 pretend; -0.2 quote; -0.2 quote > quote; -0.17 quote > x;
    0.18 regret; -0.12 remove; 0.15 remove > about; 0.24 remove > from; 0.19 remove > i; 0.12 remove > it; 0.15
    remove > my; 0.17 remove > not; -0.24 remove > object; 0.26 remove > thing; 0.2 remove > what; -0.21 remove > x;
    0.13 remove > your; 0.17 remove it; 0.18 remove it $; -0.21 remove it ,; -0.12 remove my; -0.31 remove the; 0.14
    remove the thing; -0.33 remove the x; 0.14 remove what; -0.15 remove x; -0.16 said; 0.35 said > about; -0.17
    said > from; -0.12 said > i; -0.28 said > me; -0.27 said > not; 0.26 said > you; 0.23 said about; 0.11 said
    about the; -0.24 said me; 0.24 said you; 0.11 said you about; 0.26 secret > not; 0.11 should; 0.18 stop; 0.25
    stop > x; 0.32 that; 0.32 that > x; -0.36 the; -0.24 the object; 0.28 the thing; 0.24 the thing about; -0.24 the
    x; -0.16 the x $; -0.41 the x ,; 0.1 the x about; 0.3 the x i; -0.13 the x out; 0.04 their > x; 0.19 their x;
    -0.16 they; -0.19 they said; 0.19 they x; 0.53 thing; 0.24 thing > about; 0.11 thing > it; 0.1 thing > my; 0.31
    thing > x; 0.24 thing about; 0.22 thing about the; 0.33 unrecorded; 0.31 unrecorded ,; 0.29 unrecorded > i; 0.33
    unrecorded > x; 0.18 want; -0.17 want > from; 0.13 want > my; 0.34 want > x; 0.15 want > you; 0.15 want you;
    0.26 what; 0.23 what > about; 0.09 what > i; 0.1 what > my; 0.05 what > said; 0.2 what > x; 0.17 what i; 0.12
    what i said; 0.23 where; 0.2 where > i; 0.18 where > x; -0.31 x; -0.35 x $; -0.51 x ,; -0.07 x , and; -0.29 x ,
    i; -0.21 x , it; 0.19 x , remove; -0.2 x > ?; -0.16 x > all; 0.16 x > ask; 0.09 x > delete; -0.09 x > filler;
    -0.05 x > forget; 0.29 x > from; -0.13 x > i; 0.29 x > it; 0.2 x > kept; 0.15 x > know; -0.11 x > last; -0.19 x
    > me; 0.14 x > memory; 0.22 x > my; 0.14 x > not; -0.08 x > out; 0.35 x > please; -0.2 x > quote; 0.32 x >
    remove; -0.11 x > their; 0.26 x > thing; -0.51 x > x; 0.15 x > you; 0.29 x > your; -0.13 x about; 0.24 x about
    my; -0.11 x about x; -0.21 x and; -0.12 x be; -0.28 x for; -0.22 x from; -0.22 x from the; 0.18 x i; 0.18 x i
    said; -0.11 x it; -0.23 x it $; -0.12 x out; -0.15 x quote; -0.12 x said; 0.11 x the; 0.07 x the x; 0.21 x
    thing; -0.08 x you; 0.53 you; -0.25 you > ?; 0.28 you > about; 0.28 you > from; 0.47 you > it; 0.31 you > know;
    0.14 you > my; 0.1 you > not; 0.12 you > please; 0.13 you > remove; 0.18 you > should; 0.23 you > x; 0.11 you
    about; 0.11 you about the; -0.2 you forget; 0.15 you know; 0.12 you remove; 0.37 your; 0.41 your > memory; 0.41
    your memory; 0.18 your memory $; 0.15 your memory ,
"""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WEIGHTS = _read(_LISTED)
"""By figure; one without a weight has 0."""
