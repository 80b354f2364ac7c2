"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = -0.01
_LISTED = """
    0.36 ,; 0.08 , and; -0.14 , i; -0.08 , i x; -0.34 , it; -0.13 , it be; 0.19 , remove; 0.15 , remove it; 0.22 ,
    the; 0.24 , they; 0.19 , they x; -0.06 , x; -0.29 ?; -0.29 ? $; 0.13 ^ ask; -0.23 ^ ask-word; -0.18 ^ ask-word
    x; 0.13 ^ delete; -0.16 ^ delete the; -0.11 ^ filler; 0.17 ^ forget; 0.14 ^ forget the; -0.27 ^ i; -0.13 ^ i
    not; 0.19 ^ it; -0.09 ^ keep; -0.11 ^ move the; -0.26 ^ my; -0.14 ^ my x; 0.12 ^ not; -0.1 ^ not mention; 0.16 ^
    please; 0.18 ^ please forget; -0.34 ^ remove; -0.17 ^ remove the; -0.1 ^ remove x; -0.06 ^ the; -0.12 ^ the x;
    0.23 ^ unrecorded; 0.19 ^ unrecorded ,; 0.06 ^ x; -0.07 ^ you; 0.31 about; -0.09 about > ?; 0.23 about > ask;
    0.07 about > from; 0.11 about > gone; 0.18 about > it; 0.17 about > memory; 0.18 about > my; -0.11 about > not;
    -0.16 about > object; 0.13 about > please; 0.31 about > x; 0.12 about > you; 0.12 about > your; 0.16 about my;
    0.21 about my x; 0.29 about the; 0.36 about the x; -0.41 about x; -0.19 about x $; 0.11 about your; 0.09 about
    your memory; 0.1 all > about; -0.15 always; -0.04 and; -0.22 and forget; 0.27 ask; -0.11 ask > delete; 0.32 ask
    > forget; 0.19 ask > i; 0.03 ask > it; 0.15 ask > my; -0.2 ask > object; -0.16 ask > out; 0.14 ask > thing; 0.3
    ask > x; 0.08 ask > you; 0.08 ask you; -0.14 ask-word > ?; -0.12 ask-word > x; -0.17 ask-word x; 0.31 be; -0.28
    be gone; 0.25 be kept; 0.15 be kept $; -0.09 delete > ?; 0.16 delete > about; 0.13 delete > it; 0.12 delete >
    my; -0.47 delete > object; 0.1 delete > please; 0.08 delete > said; 0.14 delete > what; -0.12 delete > x; 0.18
    delete it; 0.14 delete it $; 0.1 delete my x; -0.2 delete the; -0.16 delete the x; 0.14 delete what; 0.17
    filler; -0.21 filler $; 0.18 filler > ?; -0.13 filler > about; -0.2 filler > it; -0.14 filler > remove; 0.17
    filler ?; 0.17 filler ? $; -0.25 for; -0.12 for the; -0.12 for the x; -0.15 for x; -0.15 for x $; -0.15 forget >
    from; -0.31 forget > it; 0.15 forget > my; -0.37 forget > not; 0.31 forget > object; 0.12 forget > old; 0.16
    forget > please; 0.19 forget > said; 0.19 forget > that; 0.13 forget > thing; -0.14 forget > x; -0.11 forget
    about; -0.12 forget it $; -0.05 forget my; -0.23 forget my x; 0.09 forget the; 0.08 forget the x; 0.1 forget
    what; -0.13 forget x; -0.06 from; 0.16 from > keep; 0.08 from > memory; -0.15 from > object; -0.35 from > x;
    0.18 from > your; 0.17 from keep; -0.26 from the; -0.21 from the x; -0.06 from x; 0.18 from your; 0.18 from your
    memory; 0.3 gone $; -0.21 gone > x; 0.37 i; -0.24 i > ?; 0.28 i > about; -0.18 i > forget; 0.1 i > from; -0.16 i
    > it; -0.09 i > keep; 0.1 i > move; -0.12 i > my; -0.15 i > not; 0.13 i > regret; 0.09 i > remove; 0.22 i >
    said; -0.11 i > should; 0.11 i > want; 0.21 i > x; 0.18 i > you; 0.17 i be; -0.19 i not; -0.15 i not said; 0.27
    i said; 0.16 i said about; 0.1 i said you; 0.23 i x; -0.17 i x it; 0.24 i x the; 0.47 it; -0.35 it , i; 0.04 it
    > about; 0.19 it > ask; 0.12 it > from; 0.15 it > gone; 0.13 it > i; 0.15 it > kept; 0.23 it > me; 0.16 it >
    memory; 0.18 it > my; 0.12 it > not; 0.08 it > out; 0.23 it > please; 0.08 it > your; 0.14 it gone; 0.24 it i;
    0.24 it i x; 0.21 it out $; -0.07 it x; -0.24 it x $; 0.15 it x ,; -0.27 keep; -0.11 keep > about; -0.17 keep >
    filler; -0.19 keep > forget; -0.23 keep > from; 0.38 keep > i; 0.14 keep > it; 0.09 keep > not; -0.1 keep > out;
    -0.17 keep forget; 0.13 keep it; 0.09 keep it $; 0.3 keep it ,; -0.21 keep it from; 0.11 keep it x; 0.14 keep
    my; 0.14 keep my x; -0.19 keep the; -0.11 keep the x; 0.39 kept; 0.26 kept $; 0.13 kept > x; -0.07 last; -0.23
    me; -0.28 me > x; 0.12 memory; 0.37 memory $; 0.08 memory ,; 0.14 memory , i; -0.19 memory > it; -0.25 memory >
    x; -0.16 mention; 0.16 mention > my; -0.19 mention > x; -0.19 mention x; -0.13 mention x $; -0.04 move; 0.09
    move > from; -0.15 move > my; -0.26 move > not; -0.16 move > out; -0.27 move > x; 0.12 move > your; 0.09 move
    it; -0.13 move my; -0.2 move my x; 0.09 move x; 0.52 my; -0.1 my > about; -0.14 my > forget; -0.15 my > from;
    -0.21 my > i; -0.12 my > it; 0.09 my > memory; 0.04 my > not; -0.24 my > object; 0.2 my > old; 0.21 my > please;
    0.1 my > their; 0.7 my > x; 0.14 my > your; -0.19 my object; -0.15 my object $; 0.2 my old; 0.13 my old x; 0.14
    my their; 0.19 my their x; 0.47 my x; 0.52 my x $; -0.17 my x ,; 0.22 my x be; -0.16 my x out; -0.1 not; -0.18
    not ,; 0.09 not > from; 0.5 not > i; 0.25 not > it; 0.22 not > keep; 0.33 not > kept; 0.12 not > memory; -0.13
    not > mention; 0.13 not > move; 0.15 not > my; 0.1 not > not; -0.15 not > object; 0.13 not > out; 0.19 not >
    should; 0.11 not > want; 0.14 not > x; 0.21 not > you; 0.1 not > your; 0.21 not for; 0.12 not from; 0.4 not keep
    it; -0.16 not mention; -0.17 not mention x; -0.15 not said; 0.1 not should; 0.11 not want; -0.53 object; -0.54
    object $; 0.16 object > x; 0.19 object x; 0.14 old; 0.09 old > x; -0.07 out; 0.11 out $; 0.19 out > memory;
    -0.37 out > x; 0.12 out > your; -0.21 out about the; 0.09 out about your; -0.14 out the; -0.13 out the x; 0.78
    please; 0.28 please $; 0.19 please > about; 0.34 please > forget; -0.14 please > from; 0.19 please > i; 0.1
    please > it; -0.1 please > keep; 0.18 please > my; -0.13 please > not; 0.14 please > remove; 0.41 please > x;
    0.27 please forget; -0.08 please not; 0.08 please remove; 0.13 please remove it; 0.32 please the; 0.26 please
    the x; 0.15 pretend; -0.23 quote; -0.23 quote > quote; -0.17 quote > x; -0.19 remove; 0.08 remove > about; 0.22
    remove > from; 0.07 remove > it; 0.14 remove > memory; 0.07 remove > my; 0.14 remove > not; -0.26 remove >
    object; 0.22 remove > thing; 0.15 remove > what; -0.28 remove > x; 0.11 remove > you; 0.13 remove > your; 0.11
    remove it; 0.09 remove it $; -0.3 remove it ,; 0.14 remove it from; -0.16 remove my; -0.14 remove my x; -0.27
    remove the; 0.15 remove the thing; -0.34 remove the x; -0.11 remove x; 0.02 said; 0.32 said > about; -0.14 said
    > from; -0.13 said > i; 0.09 said > it; -0.12 said > my; 0.15 said > you; 0.16 said about; 0.13 said you; 0.08
    said you about; 0.22 secret; 0.18 secret > not; 0.17 secret > x; 0.12 stop; 0.13 stop > x; 0.28 that; 0.28 that
    > x; -0.39 the; -0.2 the object; -0.13 the object $; 0.26 the thing; 0.21 the thing about; -0.28 the x; -0.15
    the x $; -0.4 the x ,; 0.27 the x i; -0.14 the x out; 0.19 the x thing; 0.15 their; 0.14 their > x; 0.21 their
    x; 0.07 they; 0.17 they x; 0.52 thing; 0.21 thing $; 0.21 thing > about; 0.11 thing > it; 0.27 thing > x; 0.23
    thing about; 0.21 thing about the; 0.15 unheard; 0.16 unheard > it; 0.23 unrecorded; 0.22 unrecorded ,; 0.19
    unrecorded , i; 0.23 unrecorded > i; 0.22 unrecorded > move; 0.23 unrecorded > x; 0.1 want; 0.12 want > my; 0.23
    want > x; 0.34 what; 0.14 what > about; 0.14 what > i; 0.1 what > my; 0.21 what > said; 0.26 what > x; 0.11 what
    > you; 0.13 what i; 0.15 what i said; 0.17 where; 0.13 where > i; 0.13 where > x; -0.3 x; -0.31 x $; -0.43 x ,;
    -0.28 x , i; -0.19 x , it; 0.13 x , remove; 0.13 x , they; -0.11 x , x; -0.23 x > ?; 0.06 x > about; 0.13 x >
    ask; -0.21 x > forget; 0.19 x > from; 0.26 x > it; 0.12 x > keep; 0.15 x > kept; -0.2 x > me; 0.23 x > memory;
    0.27 x > my; 0.12 x > not; 0.11 x > object; -0.15 x > out; 0.28 x > please; -0.23 x > quote; 0.39 x > remove;
    0.09 x > said; -0.12 x > should; 0.21 x > thing; -0.56 x > x; 0.09 x > you; 0.23 x > your; -0.07 x about; 0.19 x
    about my; -0.08 x about x; -0.06 x and; 0.09 x be; -0.23 x for; -0.23 x from; -0.22 x from the; 0.11 x from x;
    0.08 x from your; 0.11 x i; 0.15 x i said; -0.07 x it; -0.2 x it $; 0.09 x my; 0.09 x my x; -0.18 x out; -0.11 x
    out $; -0.2 x quote; -0.16 x should; 0.17 x the; 0.09 x the x; 0.2 x thing; -0.1 x you; 0.53 you; -0.23 you > ?;
    0.24 you > about; 0.08 you > ask; 0.12 you > from; 0.11 you > i; 0.32 you > it; 0.18 you > know; -0.2 you >
    move; -0.06 you > my; 0.1 you > not; 0.13 you > please; 0.09 you > remove; 0.2 you > should; 0.15 you > unheard;
    0.18 you > x; 0.08 you about; 0.07 you about the; -0.14 you forget; -0.22 you move; -0.11 you remove the; 0.15
    you unheard; 0.29 your; 0.35 your > memory; 0.35 your memory; 0.14 your memory $; 0.11 your memory ,
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
