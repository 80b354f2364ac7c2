"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = -3.2
_LISTED = """
    0.48 ,; 0.26 , $; 0.07 , 0 x; 0.07 , about; 0.27 , about the; 0.36 , again; 0.28 , all; -0.37 , and; 0.29 , and
    and; -0.4 , and i; -0.42 , and it; 0.26 , and please; -0.18 , and the; -0.22 , and they; 0.43 , and x; 0.19 ,
    and you; 0.44 , ask; 0.26 , ask it; 0.28 , ask you; -0.05 , ask-word; 0.39 , delete; -0.25 , filler $; 0.36 ,
    filler ?; -0.49 , for; -0.29 , for the; 0.25 , from x; 0.1 , i; -0.26 , i be; 0.37 , i move; 0.1 , i x; 0.3 ,
    if; 0.16 , it; -0.37 , it x; 0.36 , it's their; -0.38 , last; 0.49 , may; 0.22 , move; 0.49 , move x; -0.3 , my;
    -0.23 , my x; 0.19 , not; 0.15 , not x; 0.29 , please; -0.32 , quote; 0.27 , remove; 0.38 , remove it; -0.37 ,
    that; 0.13 , the; -0.16 , the x; -0.12 , their; -0.2 , their x; 0.12 , they x; -0.51 , want; 0.22 , x; -0.16 , x
    $; 0.86 , x ?; 0.32 , x about; 0.72 , x and; 0.26 , x from; 0.33 , x i; 0.86 , x it; 0.16 , x me; -0.54 , x my;
    0.21 , x out; -0.5 , x you; 0.87 , x your; -0.24 , you; -0.51 0; -0.36 0 $; 0.24 0 0 0; -0.47 0 > 0; -0.24 0 >
    ?; -0.1 0 > about; 0.2 0 > all; -0.27 0 > ask; 0.47 0 > from; 0.16 0 > i; -0.26 0 > if; -0.15 0 > it; 0.35 0 >
    keep; -0.01 0 > my; 0.28 0 > not; -0.44 0 > their; 0.32 0 > thing; -0.27 0 > x; 0.7 0 > you; 0.16 0 about; -0.26
    0 about x; 0.07 0 and; 0.17 0 be; -0.12 0 be x; 0.22 0 for; -0.25 0 it; -0.23 0 not; -0.17 0 the; -0.1 0 the x;
    0.17 0 x; -0.21 0 x $; -0.43 0 x ,; 0.08 0 x 0; -0.29 0 x about; -0.14 0 x for; 0.35 0 x from; 0.37 0 x the;
    -0.5 ?; -0.49 ? $; -0.25 ^ 0; -0.12 ^ about; -0.39 ^ about the; 0.46 ^ about x; -0.25 ^ all; -0.13 ^ and; -0.3 ^
    and i; -0.41 ^ and the; -0.17 ^ and x; -0.23 ^ and you; 0.24 ^ ask; 0.22 ^ ask i; -0.4 ^ ask you; -0.44 ^
    ask-word; -0.11 ^ ask-word be; -0.33 ^ ask-word x; 0.2 ^ be; 0.34 ^ be i; -0.19 ^ be it; 0.25 ^ be the; -0.13 ^
    be x; 0.35 ^ delete; 0.58 ^ delete $; 0.26 ^ delete it; -0.31 ^ delete the; -0.68 ^ filler; -0.26 ^ filler $;
    0.23 ^ filler ,; 0.19 ^ filler x; 0.88 ^ forget; -0.48 ^ forget about; 0.28 ^ forget the; -0.48 ^ from; -0.92 ^
    i; -0.11 ^ i ask; 0.25 ^ i be; -0.13 ^ i keep; -0.07 ^ i move; -0.22 ^ i not; -0.23 ^ i regret; 0.15 ^ i said;
    -0.34 ^ i want; -0.08 ^ i x; -0.25 ^ if; -0.22 ^ if i; 0.11 ^ instead; 0.48 ^ instead x; 0.25 ^ it; 0.27 ^ it
    about; -0.38 ^ it ask; 0.4 ^ it go; -0.25 ^ it not; 0.65 ^ it's not; -0.19 ^ it's the; -0.25 ^ it's x; -0.73 ^
    keep; -0.59 ^ keep it; -0.25 ^ kept; 0.11 ^ let; 0.2 ^ let's; 0.27 ^ move; 0.41 ^ move it; -0.23 ^ my; -0.18 ^
    my x; 0.03 ^ not; -0.35 ^ not ,; 0.4 ^ not for; -0.32 ^ not forget; 0.08 ^ not keep; 0.3 ^ not x; 0.51 ^ out;
    0.54 ^ out about; 0.51 ^ please; 0.6 ^ please forget; -0.28 ^ please remove; -0.42 ^ please x; 0.34 ^ pretend;
    -0.27 ^ remove; 0.3 ^ remove it; -0.28 ^ remove my; -0.27 ^ remove the; -0.35 ^ remove x; 0.33 ^ secret; 0.21 ^
    stop; -0.4 ^ the; 0.48 ^ the thing; -0.64 ^ the x; -0.34 ^ their; -0.59 ^ they; -0.34 ^ they x; -0.42 ^ thing;
    0.43 ^ want; -0.26 ^ what be; 0.76 ^ what i; -0.29 ^ what x; 0.11 ^ x; -0.78 ^ x $; -0.38 ^ x ,; -0.14 ^ x
    about; -0.2 ^ x again; 0.24 ^ x and; -0.21 ^ x be; 0.26 ^ x for; 0.65 ^ x forget; 0.11 ^ x from; -0.24 ^ x have;
    -0.43 ^ x i; 0.16 ^ x it; -0.19 ^ x me; 0.22 ^ x my; -0.52 ^ x not; 1.03 ^ x remove; -0.2 ^ x said; 0.69 ^ x
    that; 0.29 ^ x the; 0.19 ^ x thing; -0.34 ^ x you; 0.06 ^ you; -0.36 ^ you ask; -0.18 ^ you not; 0.28 ^ you x;
    0.73 ^ your; 0.62 about; -0.44 about $; -0.25 about ,; -0.2 about 0; -0.2 about > 0; 0.14 about > ?; 0.63 about
    > about; -0.33 about > all; 0.62 about > ask; -0.59 about > ask-word; -0.43 about > delete; -0.17 about >
    filler; 0.22 about > from; 0.79 about > have; 0.64 about > i; -0.1 about > it; -0.29 about > it's; 0.27 about >
    know; -0.23 about > last; 0.2 about > may; 0.38 about > me; 0.04 about > memory; 0.42 about > move; -0.49 about
    > my; 0.31 about > not; -0.52 about > object; -0.56 about > old; 0.11 about > out; 0.35 about > please; -0.39
    about > remove; 0.3 about > said; 0.69 about > should; 0.34 about > stop; 0.25 about > their; -0.14 about >
    thing; -0.13 about > want; 0.45 about > what; 0.1 about > x; 0.01 about > you; 0.53 about > your; 0.15 about all
    x; 0.44 about filler; -0.53 about it; 0.28 about it $; -0.32 about it ,; 0.72 about me; 0.16 about me $; 0.49
    about me ,; 0.21 about me x; 0.36 about memory; 0.41 about my; 0.24 about my x; -0.06 about the; -0.44 about the
    object; 0.05 about their; 0.22 about their x; -0.65 about x; 0.15 about x $; 0.65 about x ,; -0.14 about x 0;
    -0.35 about x ?; 0.35 about x about; 0.4 about x and; -0.25 about x be; 0.27 about x for; -0.55 about x from;
    -0.3 about x the; 0.47 about x you; 0.41 about you; 0.38 about you x; 0.22 about your; 2.86 acts; -0.06 again;
    -0.38 again ,; 0.47 all; 0.1 all $; 0.06 all ,; -0.18 all > ?; 0.25 all > about; -0.29 all > from; 0.3 all > i;
    -0.25 all > it; -0.25 all > last; -0.16 all > me; 0.45 all > memory; -0.5 all > move; 0.31 all > my; -0.55 all >
    not; -0.46 all > out; -0.33 all > remove; -0.31 all > thing; -0.1 all > x; 0.43 all > you; -0.53 all about;
    -0.31 all the; 0.16 all x; 0.39 all x $; -0.25 all x ,; -0.23 all x from; 0.45 all you; -0.97 always; -0.26
    always $; -0.31 always x; -0.02 and; -0.18 and $; -0.27 and ,; -0.27 and , x; -0.13 and 0; -0.14 and about; 0.44
    and all; 0.38 and and; 0.32 and ask-word; -0.15 and filler; -0.92 and i; -0.41 and i not; 0.29 and i want; -0.25
    and i x; -0.2 and it be; -0.46 and it i; 0.25 and it x; 0.31 and it's; -0.4 and keep; -0.36 and move; -0.19 and
    my; -0.38 and my x; 0.53 and not; -0.41 and not x; 0.48 and out; 0.23 and please; 0.59 and remove; 0.02 and the;
    -0.5 and the x; -0.15 and they; 0.23 and they x; 0.35 and what; 0.49 and x; 0.72 and x ,; -0.22 and x 0; 0.23
    and x and; -0.21 and x be; 0.3 and x from; 0.32 and x it; -0.59 and x me; 0.24 and x not; 0.29 and you; 0.12
    ask; 0.39 ask $; -0.47 ask > 0; 0.4 ask > ?; 0.18 ask > about; -0.26 ask > all; -0.2 ask > ask-word; -0.54 ask >
    delete; 0.72 ask > forget; -0.04 ask > from; 0.43 ask > go; 0.18 ask > i; -0.42 ask > if; -0.03 ask > it; -0.32
    ask > keep; -0.51 ask > me; 0.31 ask > memory; -0.3 ask > move; 0.09 ask > my; 0.62 ask > not; -0.79 ask >
    object; -0.15 ask > out; -0.45 ask > their; 0.14 ask > thing; -0.17 ask > want; 0.3 ask > what; -0.04 ask > x;
    0.2 ask > your; -0.42 ask be; -0.04 ask be x; -0.26 ask i x; 0.55 ask it; -0.24 ask keep; 0.28 ask move; -0.61
    ask not; -0.25 ask want; -0.34 ask x; 0.27 ask x it; -0.32 ask x the; -0.32 ask you move; -0.5 ask you x; -0.04
    ask-word; -0.14 ask-word > ?; -0.24 ask-word > about; -0.15 ask-word > ask; 0.31 ask-word > from; 0.69 ask-word
    > i; -0.04 ask-word > it; 0.22 ask-word > know; -0.41 ask-word > move; -0.81 ask-word > out; 0.3 ask-word >
    said; -0.35 ask-word > should; 0.29 ask-word > their; -0.21 ask-word > thing; 0.13 ask-word > x; -0.11 ask-word
    > you; -0.18 ask-word be; 0.63 ask-word i; -0.38 ask-word i be; 0.27 ask-word i said; 0.14 ask-word i x; 0.27
    ask-word the; 0.27 ask-word the x; 0.29 ask-word they; 0.33 ask-word they x; -0.6 ask-word x; 0.16 ask-word x i;
    -0.25 ask-word x you; 0.17 be; -0.1 be $; 0.14 be 0 $; -0.23 be 0 x; 0.18 be about; -0.36 be about x; -0.15 be
    for; -0.22 be from; -0.22 be gone; 0.16 be i; -0.56 be it; 0.39 be kept; 0.58 be know; 0.45 be move; 0.24 be
    move x; -0.52 be my; -0.64 be my x; 0.59 be not; 0.26 be not from; -0.45 be not x; -0.3 be the; 0.25 be their;
    -0.17 be want; -0.35 be what; -0.07 be x; -0.06 be x $; -0.74 be x ,; 0.22 be x ?; 0.33 be x about; -0.25 be x
    again; -0.06 be x and; 0.66 be x ask-word; -0.07 be x for; -0.29 be x from; 0.99 be x if; -0.45 be x the; 0.6
    delete; 0.68 delete $; -0.47 delete > 0; -0.25 delete > ?; -0.11 delete > about; -0.45 delete > from; 0.38
    delete > i; 0.1 delete > it; -0.34 delete > keep; 0.49 delete > my; -0.55 delete > not; -1.04 delete > object;
    -0.5 delete > x; 0.85 delete it; 1.17 delete it $; 0.64 delete my; 0.53 delete my x; -0.33 delete the; -0.62
    delete the x; 0.26 didn't; 0.39 didn't > from; 0.6 didn't > x; -0.22 dismiss; -0.23 dismiss > x; -0.09 filler;
    -0.11 filler $; 0.32 filler ,; 0.51 filler , x; -0.21 filler > 0; 0.15 filler > ?; -0.27 filler > about; -0.18
    filler > ask-word; 0.21 filler > filler; -0.53 filler > i; -0.44 filler > it; 0.4 filler > it's; 0.17 filler >
    keep; 0.2 filler > me; 0.23 filler > move; 0.81 filler > my; 0.46 filler > not; 0.23 filler > out; -0.31 filler
    > remove; -0.23 filler > x; 0.22 filler > you; 0.4 filler ?; 0.4 filler ? $; 0.15 filler and; 0.69 filler x;
    0.15 filler x $; 0.21 filler x ,; -0.71 for; -0.13 for 0; -0.11 for 0 x; -0.08 for it; -0.26 for it $; 0.37 for
    it x; -0.16 for me; -0.42 for me $; -0.47 for my; -0.13 for my x; 0.05 for the; 0.16 for their; 0.17 for their
    x; -0.02 for x; 0.69 for x $; -0.3 for x about; -0.23 for x and; -0.34 for you $; 0.7 forget; 0.25 forget > ?;
    -0.35 forget > about; 0.31 forget > all; -0.56 forget > from; -0.37 forget > i; -0.45 forget > it; -0.52 forget
    > me; 0.38 forget > my; -0.95 forget > not; 0.17 forget > please; 0.31 forget > said; 0.36 forget > thing; -0.4
    forget > want; -0.32 forget > what; -0.21 forget > x; -0.11 forget > you; -0.3 forget > your; 0.3 forget all;
    -0.2 forget from; -0.19 forget from x; 0.59 forget it; -0.28 forget it x; 0.08 forget my; 0.09 forget the; -0.45
    forgot; -0.25 forgot > about; -0.27 forgot > from; -0.22 forgot > it; -0.36 forgot > x; -0.2 from; -0.38 from 0;
    -0.16 from 0 $; 0.23 from > ?; -0.14 from > about; -0.32 from > all; -0.29 from > ask; 0.03 from > filler; 0.02
    from > from; 0.55 from > i; -0.58 from > it; 0.2 from > it's; 0.26 from > keep; 0.57 from > kept; 0.46 from >
    know; 0.3 from > may; -0.26 from > me; 0.37 from > memory; 0.35 from > move; -0.33 from > my; -0.14 from > not;
    0.49 from > out; 0.55 from > quote; -0.26 from > remove; -0.62 from > said; -0.42 from > thing; -0.26 from >
    where; 0.21 from > x; 0.63 from > you; 0.57 from > your; -0.35 from about; -0.23 from again; 0.64 from be; -0.41
    from it; -0.19 from it x; 0.15 from keep; 0.46 from keep my; -0.36 from keep the; 0.34 from know; -0.42 from
    memory ,; 0.46 from move; -0.29 from move it; -0.44 from my; -0.5 from my x; 0.5 from not; -0.19 from the; -0.47
    from the x; 0.17 from their x; -0.07 from x; 0.1 from x $; -0.28 from x ?; -0.1 from x and; 0.39 from x be; 0.28
    from x from; 0.23 from x i; -0.21 from x it; 0.46 from x me; -0.6 from x not; 0.23 from x the; -0.35 from x you;
    0.62 from you; 0.33 from you x; 0.64 from your; 0.39 from your x; 0.06 go; -0.17 go > 0; 0.54 go > filler; 0.29
    go > from; -0.14 go > it; 0.24 go > not; 0.2 go > x; 0.06 go from; 0.2 go x; 0.19 gone; 0.47 gone $; -0.31 gone
    > about; 0.35 gone > filler; 0.3 gone > from; -0.27 gone > i; -0.22 gone > my; -0.44 gone > out; -0.51 gone > x;
    0.46 gone from; -0.35 gone out; 0.29 have; -0.26 have > 0; -0.22 have > i; -0.46 have > you; 0.34 have x; 0.24
    i; -0.26 i > 0; -0.42 i > ?; -0.15 i > about; -0.46 i > all; -0.37 i > ask; 0.38 i > ask-word; 0.39 i > didn't;
    0.64 i > filler; -0.61 i > forget; -0.3 i > forgot; 0.27 i > have; 0.23 i > i; 0.75 i > if; 0.24 i > instead;
    -0.54 i > it; -0.24 i > keep; -0.24 i > know; 0.56 i > last; 0.3 i > may; -0.27 i > me; 0.32 i > memory; 0.22 i
    > mention; -0.14 i > move; -0.44 i > my; -0.11 i > not; 0.13 i > object; -0.28 i > old; 0.13 i > out; 0.17 i >
    please; 0.64 i > regret; -0.31 i > remove; 0.53 i > said; -0.17 i > should; 0.27 i > their; -0.12 i > thing;
    0.22 i > want; -0.56 i > what; -0.08 i > x; 0.68 i > you; 0.23 i > your; -0.18 i always; -0.42 i ask; 0.16 i ask
    move; -0.18 i ask x; 0.28 i be; 0.56 i be x; -0.2 i forgot; -0.31 i from; -0.29 i from x; -0.28 i know; 0.47 i
    may; -0.12 i move; -0.11 i move it; -0.28 i move not; 0.06 i move the; 0.14 i move x; -0.53 i not; -0.28 i not
    said; 0.24 i not want; -0.03 i not x; 0.6 i regret; 0.69 i said; 0.37 i said $; 0.25 i said about; 0.21 i said
    the; -0.23 i said x; -0.22 i said you; -0.03 i should; 0.6 i the; 0.17 i the x; 0.36 i want it; 0.4 i want x;
    0.63 i x; 0.49 i x $; 0.44 i x ,; -0.26 i x about; -0.21 i x and; -0.17 i x for; 0.17 i x from; -0.7 i x it;
    -0.39 i x move; -0.23 i x my; 0.22 i x not; 0.33 i x the; 0.26 i x want; 0.43 i x you; -0.16 if; -0.25 if > ?;
    0.24 if > about; -0.29 if > filler; -0.45 if > i; 0.43 if > it; 0.4 if > memory; 0.34 if > my; -0.11 if > not;
    -0.35 if > should; 0.06 if > x; -0.3 if > you; -0.29 if i; -0.14 if you; -0.17 instead; 0.44 instead > 0; 0.31
    instead > about; -0.35 instead > it; 0.2 instead > my; -0.17 instead it; 0.48 instead x; 0.89 it; 0.18 it $;
    0.34 it ,; -0.45 it , i; 0.39 it 0; 0.03 it > 0; 0.49 it > ?; -0.06 it > about; -0.53 it > ask; -0.16 it >
    ask-word; -0.31 it > didn't; -0.2 it > filler; -0.51 it > forget; 0.32 it > from; 0.21 it > go; 0.12 it > gone;
    -0.23 it > i; 0.62 it > it; 0.22 it > keep; 0.27 it > kept; -0.87 it > know; 0.34 it > last; 0.21 it > me; 0.04
    it > memory; -0.53 it > move; -0.25 it > my; 0.13 it > not; 0.77 it > object; 0.65 it > out; 0.59 it > please;
    -0.34 it > quote; -0.33 it > remove; 0.33 it > said; -0.12 it > should; -0.46 it > stop; 0.03 it > thing; -0.72
    it > want; 0.25 it > x; 0.08 it > your; -0.02 it ?; -0.02 it ? $; 0.07 it about; -0.28 it all; 0.67 it and x;
    -0.05 it ask; -0.25 it ask be; -0.53 it be; -0.19 it be $; -0.2 it be the; -0.39 it didn't; -0.19 it filler;
    -0.33 it filler $; -0.17 it for; -0.29 it for x; 0.26 it from; -0.58 it from the; 0.11 it go; 0.41 it go x; 0.65
    it gone; 0.38 it i be; 0.29 it i x; 0.42 it last; 0.21 it my x; 0.52 it not; 0.49 it not x; 0.15 it object; 0.45
    it out; 0.23 it out $; 0.37 it out ,; 0.48 it please; -0.31 it the; -0.27 it the x; -0.24 it thing; 0.02 it x;
    -0.03 it x $; -0.16 it x ,; 0.15 it x ?; 0.28 it x and; 0.51 it x be; 0.28 it x for; -0.41 it x me; 0.41 it x
    not; -0.13 it x out; -0.25 it x want; -0.46 it x you; -0.08 it you; -0.15 it's > 0; -0.46 it's > about; -0.22
    it's > i; 0.24 it's > it; -0.3 it's > me; 0.15 it's > not; 0.13 it's > their; 0.29 it's > you; 0.39 it's not;
    0.49 it's not for; -0.45 it's the; -0.4 it's the x; 0.25 it's their; -0.69 it's x; -0.26 it's x from; 0.01 keep;
    0.56 keep $; 0.26 keep ,; 0.43 keep > 0; -0.46 keep > about; -0.21 keep > all; -0.32 keep > ask-word; -0.42 keep
    > forget; -0.75 keep > from; 0.36 keep > i; 0.34 keep > it; -0.15 keep > me; -0.21 keep > move; -0.15 keep > my;
    0.45 keep > not; -0.31 keep > object; -0.11 keep > their; -0.28 keep > x; -0.55 keep > you; -0.35 keep forget;
    0.07 keep it; 0.34 keep it $; 0.83 keep it ,; -0.62 keep it from; 0.12 keep it x; -0.37 keep me; 0.32 keep my;
    0.33 keep my x; 0.58 keep not; -0.12 keep x; 0.39 kept; -0.29 kept > from; 0.39 kept > x; 0.55 kept x; 0.23
    know; -0.27 know $; 0.43 know ,; -0.27 know > filler; -0.73 know > it; -0.42 know > not; 0.36 know > their;
    -0.28 know > what; 0.83 know > x; 0.76 know > you; 0.46 know about; -0.24 last; 0.28 last > about; -0.2 last >
    from; 0.14 last > it; 0.23 last > me; 0.26 last > not; -0.16 last > x; 0.28 last it; 0.18 last x; -0.25 last
    you; -0.05 let; 0.72 let > it; -0.56 let > me; 0.26 let > move; 0.34 let > out; 0.17 let > x; 0.81 let it; 0.49
    let it x; -0.48 let me; 0.28 let the; -0.51 let x; 0.34 let's > about; 0.34 may; 0.4 may > ?; -0.24 may > about;
    0.37 may > from; 0.44 may > it; 0.59 may > remove; 0.13 may > x; 0.59 may remove; -0.33 me; 0.07 me $; 0.25 me >
    0; 0.4 me > all; 0.23 me > filler; -0.46 me > forget; 0.1 me > from; -0.94 me > i; 0.22 me > it; 0.35 me > it's;
    0.24 me > me; 0.24 me > move; -0.71 me > my; 0.26 me > not; 0.37 me > object; -0.24 me > out; -0.45 me > their;
    -0.14 me > x; 0.62 me and; 0.56 me and the; 0.34 me for; -0.35 me forget; 0.28 me the; 0.32 me the x; -0.07 me
    x; -0.43 me x $; 0.83 me x ,; 0.82 memory; 0.69 memory $; 0.41 memory ,; 0.4 memory , i; 0.37 memory > about;
    0.09 memory > i; -0.13 memory > x; -0.28 memory > you; -0.33 memory about; 0.17 mention; -0.26 mention > from;
    -0.38 mention > it; -0.22 mention > me; 0.43 mention > my; -0.17 mention > x; -0.22 mention me; 0.5 mention my;
    0.5 mention my x; -0.27 mention the; -0.27 mention the x; 0.11 move; 0.2 move $; -0.46 move ,; -0.28 move > 0;
    -0.2 move > ?; -0.08 move > about; -0.44 move > all; -0.25 move > ask-word; -0.21 move > filler; -0.06 move >
    from; -0.29 move > i; -0.27 move > if; 0.27 move > it; -0.29 move > keep; 0.36 move > know; 0.47 move > me;
    -0.44 move > memory; 0.28 move > move; -0.2 move > my; 0.31 move > not; -0.22 move > object; -1.12 move > out;
    0.33 move > please; -0.22 move > thing; -0.35 move > x; -0.23 move > your; 0.24 move about; 0.24 move it; 0.16
    move it from; -0.42 move it out; 0.19 move it x; 0.34 move me; -0.27 move my x; 0.36 move not; 0.62 move not x;
    -0.13 move the; 0.03 move the x; 0.28 move x; 0.25 move x ,; -0.28 move x about; 0.12 move x from; -0.17 move x
    out; -0.34 move your; -0.26 move your x; 0.84 my; -0.76 my > 0; 0.18 my > ?; -0.41 my > about; -0.71 my > all;
    0.41 my > ask; -0.27 my > ask-word; -0.29 my > filler; -0.42 my > from; 0.31 my > go; -0.59 my > i; -0.35 my >
    if; -0.6 my > it; 0.23 my > it's; 0.24 my > keep; 0.18 my > kept; -0.3 my > know; 0.22 my > memory; -0.08 my >
    move; -0.46 my > not; -0.23 my > object; 0.64 my > old; 0.64 my > please; -0.35 my > quote; -0.28 my > remove;
    -0.41 my > said; -0.62 my > that; -0.33 my > their; 0.33 my > want; 1.06 my > x; 0.41 my > you; -0.27 my memory;
    -0.22 my object; 0.74 my old; 0.65 my old x; 0.5 my their; 0.4 my their x; 0.71 my x; 0.27 my x $; 0.41 my x ?;
    0.56 my x again; -0.34 my x and; 0.25 my x be; -0.21 my x for; 0.37 my x from; -0.21 my x i; -0.21 my x said;
    -0.35 my x the; 0.51 my x you; 0.24 not; -0.31 not $; -0.49 not ,; 0.28 not > ?; 0.05 not > about; -0.52 not >
    ask; -0.48 not > ask-word; -0.39 not > filler; -0.77 not > forget; -0.29 not > forgot; 0.51 not > from; 0.25 not
    > i; 1.01 not > keep; 0.52 not > kept; -0.38 not > last; -0.44 not > let; -0.63 not > me; 0.24 not > move; -0.24
    not > my; -0.01 not > not; 0.16 not > object; -0.47 not > out; -0.55 not > quote; -0.67 not > remove; -0.96 not
    > said; 0.45 not > should; -0.69 not > stop; -0.91 not > that; 0.08 not > their; 0.35 not > want; -0.93 not >
    what; 0.19 not > x; 0.26 not > you; 0.1 not > your; -0.25 not and; -0.29 not and x; 0.33 not be; 0.25 not be x;
    -0.26 not filler; 1.15 not for; 1.01 not for x; -0.65 not forget; 0.24 not from; -0.64 not it; 0.37 not keep;
    0.38 not keep it; 0.26 not keep my; -0.23 not know; -0.25 not let me; 0.52 not move; 0.4 not move it; 0.61 not
    object; -0.39 not remove; 0.38 not should; 0.66 not want; 0.17 not x; -0.15 not x $; 0.17 not x about; 0.4 not x
    and; 0.3 not x from; 0.47 not x it; 0.33 not x my; -0.51 not x not; -0.31 not x the; 0.3 not x you; 0.22 not
    you; -0.5 object; -0.78 object $; -0.36 object ,; -0.26 object , x; -0.3 object > ?; -0.22 object > about; -0.33
    object > ask; -0.18 object > i; 0.26 object > it; 0.42 object > me; -0.4 object > object; -0.4 object > out;
    0.31 object > x; 0.15 object > you; 0.33 object be; -0.19 object for; 0.47 object it; 0.44 object x; -1.3 of 0;
    -0.86 of 1; -0.32 of 2; 1.04 of 3; 1.53 of 4; 1.03 of 5; -1.13 of 6; 0.1 old; -0.41 old > about; -0.24 old >
    from; 0.76 old > i; -0.56 old > it; -0.14 old x; 0.25 old x ,; 1.09 out; 0.3 out $; 0.25 out ,; 0.32 out , and;
    0.18 out > about; -0.23 out > ask; -0.21 out > ask-word; -0.63 out > from; -0.27 out > i; -0.32 out > it; 0.21
    out > last; 0.72 out > memory; -0.19 out > move; -0.75 out > my; -0.14 out > not; -0.12 out > object; 0.32 out >
    said; -0.85 out > x; 0.49 out > you; 0.25 out > your; 0.23 out about memory; -0.35 out about my; -0.13 out about
    the; -0.35 out about x; 0.2 out about your; -0.3 out my; -0.3 out my x; 0.98 please; -0.12 please $; -0.33
    please ,; -0.18 please > 0; -0.25 please > about; -0.6 please > filler; 0.63 please > forget; 0.44 please > i;
    0.5 please > it; 0.22 please > keep; -0.14 please > me; -0.3 please > move; 0.22 please > not; 0.51 please >
    object; -0.28 please > out; 0.08 please > remove; 0.39 please > thing; 0.39 please > x; -0.49 please > you; 0.21
    please > your; 0.33 please delete; 0.62 please forget; -0.22 please move; -0.32 please not; 0.36 please remove
    it; 0.34 please the; 0.27 please the x; 0.52 please x ,; -0.31 please x it; 0.28 pretend; 0.38 pretend > i; 0.27
    pretend > it; 0.36 pretend it; -0.14 quote; -0.23 quote $; -0.43 quote > i; -0.4 quote > not; -0.08 quote >
    quote; -0.35 quote > you; 0.38 quote x; 0.25 quote x quote; 0.77 regret; 0.53 regret > about; 0.58 regret >
    filler; 0.25 regret > x; 0.47 regret about; 0.85 remove; -0.38 remove $; -0.03 remove > 0; 0.21 remove > all;
    0.26 remove > ask; 0.25 remove > filler; 0.01 remove > from; -0.26 remove > it; 0.23 remove > last; 0.27 remove
    > me; -0.35 remove > not; -0.71 remove > object; -0.34 remove > said; 0.79 remove > what; 0.16 remove > x; -0.17
    remove > you; 0.55 remove from; 0.3 remove it; -0.19 remove my; -0.29 remove my x; -0.58 remove the; -0.36
    remove the x; 0.57 remove what; 0.26 remove what i; -0.39 remove x; 0.06 said; 0.19 said $; -0.37 said > 0; 0.28
    said > ?; -0.09 said > about; 0.28 said > ask; 0.29 said > filler; -0.39 said > it; 0.22 said > keep; -0.23 said
    > me; -0.49 said > my; 0.37 said > not; -0.21 said > out; -0.6 said > quote; 0.35 said > should; 0.12 said >
    their; -0.32 said > thing; 0.41 said > x; 0.23 said > you; 0.31 said about; 0.34 said about x; 0.41 said from;
    -0.42 said it; -0.27 said quote; 0.2 said the; 0.21 said the x; 0.24 said x; 0.38 said x and; -0.18 said you;
    -0.11 said you about; 0.4 said you my; 0.59 secret; 0.49 secret ,; 0.25 secret > about; 0.3 secret > from; 0.53
    secret > it; 0.46 secret > not; -0.28 should; -0.15 should > 0; -0.29 should > ?; -0.26 should > all; 0.27
    should > from; 0.26 should > go; -0.23 should > i; 0.16 should > it; -0.19 should > last; -0.22 should > me;
    0.44 should > move; 0.23 should > my; -0.5 should > not; 0.25 should > stop; 0.27 should > you; -0.46 should be;
    0.51 should from; 0.3 should stop; -0.36 should the; -0.34 should the x; -0.17 should x; 0.12 stop; -0.4 stop >
    out; 0.52 stop > x; 0.4 stop x; 0.43 that; -0.34 that > ?; 0.94 that > about; 0.62 that > from; 0.33 that > my;
    0.45 that > x; -0.35 that > you; 0.61 that the; 0.64 that the x; 0.26 that x; 0.35 that x $; 0.38 the; -0.05 the
    0; 0.23 the 0 x; 0.53 the filler; 0.56 the filler x; 0.57 the keep; -0.19 the last; 0.28 the memory; -0.59 the
    object; -0.32 the object $; -0.37 the object ,; 0.28 the object about; -0.33 the old x; 0.15 the thing; 0.86 the
    thing about; -0.36 the thing x; -0.09 the x; -0.12 the x $; -0.02 the x ,; -0.21 the x ?; 0.22 the x about;
    -0.14 the x again; 0.3 the x all; 0.14 the x and; -0.2 the x ask; -0.67 the x be; -0.17 the x filler; 0.4 the x
    for; 0.18 the x from; 0.29 the x i; -0.36 the x if; -0.36 the x it; 0.38 the x move; -0.26 the x not; -0.2 the x
    object; -0.26 the x out; 0.19 the x quote; -0.97 the x the; -0.43 the x their; -0.21 the x they; -0.04 the x
    thing; -0.02 the x you; -0.01 their; -0.42 their $; 0.25 their > 0; -0.43 their > about; -0.23 their > ask-word;
    -0.17 their > filler; 0.35 their > from; 0.28 their > gone; -0.38 their > i; 0.29 their > it; 0.28 their > know;
    -0.15 their > last; 0.31 their > memory; 0.23 their > move; 0.7 their > out; 0.42 their > quote; 0.2 their >
    remove; -0.5 their > said; 0.58 their > should; 0.47 their > stop; -0.22 their > their; 0.19 their > x; 0.47
    their > you; 0.77 their > your; -0.32 their not; -0.28 their not x; -0.14 their the; 0.36 their x; -0.12 their x
    $; 0.61 their x ,; -0.43 their x about; -0.19 their x and; 0.1 their x be; -0.2 their x for; 0.5 their x from;
    0.6 their x should; -0.36 they; -0.17 they be; -0.17 they be x; -0.29 they not; -0.24 they not x; -0.25 they
    the; 0.15 they x; -0.22 they x $; 0.16 they x ?; 0.27 they x about; -0.22 they x from; 0.19 they x me; -0.27
    they x my; -0.36 they x the; 0.86 thing; 0.67 thing $; 0.56 thing ,; -0.19 thing > 0; -0.54 thing > ?; 0.45
    thing > about; -0.21 thing > from; -0.26 thing > i; -0.3 thing > last; -0.22 thing > me; 0.65 thing > not; 0.29
    thing > out; 0.25 thing > remove; -0.44 thing > thing; 0.33 thing > x; 1.0 thing about; 0.25 thing about my;
    0.22 thing about the; 0.43 thing about x; -0.39 thing from; -0.43 thing i; 0.36 thing x about; 0.94 unheard;
    0.44 unheard $; 0.53 unrecorded; 0.45 unrecorded $; -1.41 w !; 0.25 w ! !; -1.4 w ! $; -0.11 w #; 0.28 w # #;
    -0.33 w # $; -0.1 w # <month>; 0.48 w # @; -0.25 w # euros; 0.26 w # for; 0.24 w # is; 0.44 w # on; -0.71 w ,;
    0.3 w , #; -0.29 w , <day>; -0.8 w , @; 0.11 w , as; -0.42 w , because; -0.3 w , but; -0.19 w , by; -0.31 w ,
    can; 0.54 w , des; 0.4 w , don't; 0.46 w , en; -0.25 w , for; -0.71 w , i; 0.73 w , i'd; -0.33 w , i'll; 0.34 w
    , if; -0.23 w , in; -0.2 w , is; -0.95 w , it; -0.07 w , it's; -0.46 w , je; -0.24 w , just; 0.58 w , kannst;
    -0.22 w , my; -0.2 w , no; -0.58 w , not; 0.36 w , now; -0.24 w , on; 0.13 w , please; -0.24 w , que; 0.44 w ,
    she; 0.42 w , she'll; 0.77 w , that; -0.09 w , the; 0.24 w , then; -0.26 w , they; -0.19 w , too; 0.35 w , und;
    0.32 w , was; -0.39 w , we; -0.08 w , which; -0.1 w , with; 1.08 w :; -0.2 w : #; -0.51 w : @; 0.34 w : i; -0.26
    w <day>; 0.19 w <day> $; -0.06 w <day> ,; -0.16 w <day> and; -0.65 w <month>; -0.08 w <month> $; -0.35 w <month>
    ,; -0.14 w <price>; -0.31 w <time>; -0.1 w <time> ,; -0.5 w ?; -0.5 w ? $; -0.2 w @; 0.07 w @ #; 0.15 w @ $;
    -0.24 w @ ,; 0.3 w @ :; 0.04 w @ @; -0.33 w @ am; -0.19 w @ for; -0.21 w @ from; -0.34 w @ für; -0.25 w @ has;
    -0.49 w @ hat; 0.08 w @ is; -0.18 w @ ist; 0.22 w @ und; -0.28 w @ wants; -0.21 w ^ #; -0.14 w ^ <day>; -0.4 w ^
    a; -0.32 w ^ ah; -0.24 w ^ all; -0.24 w ^ also; 0.48 w ^ bank; 0.3 w ^ between; 0.38 w ^ bin; -0.11 w ^ can;
    -0.19 w ^ cancel; 0.35 w ^ could; 0.29 w ^ das; -0.27 w ^ delete; -0.33 w ^ did; 0.11 w ^ do; -0.19 w ^ don't;
    0.24 w ^ dont; -0.24 w ^ drop; 0.22 w ^ erase; 0.56 w ^ get; -0.32 w ^ good; -0.22 w ^ he; -0.13 w ^ hello;
    -0.13 w ^ hi; -0.22 w ^ how; 0.41 w ^ i'd; -0.16 w ^ i'll; -0.2 w ^ i'm; -0.44 w ^ i've; -0.25 w ^ if; -0.71 w ^
    ignore; 0.62 w ^ il; -0.15 w ^ in; -0.22 w ^ is; -1.06 w ^ it; -0.2 w ^ it's; 0.26 w ^ just; -0.25 w ^ la; -0.21
    w ^ le; 0.33 w ^ let; 0.21 w ^ let's; 0.48 w ^ like; 0.48 w ^ lose; 0.52 w ^ ma; 0.1 w ^ make; -0.24 w ^ mr;
    -0.29 w ^ mrs; -0.98 w ^ my; -0.37 w ^ nadia; -0.25 w ^ never; -0.29 w ^ no; 0.31 w ^ non; 0.15 w ^ not; 0.44 w
    ^ off; 0.24 w ^ oh; -0.25 w ^ ok; 0.39 w ^ olvida; -0.2 w ^ oskar; -0.25 w ^ our; 0.56 w ^ out; -0.18 w ^
    please; -0.24 w ^ put; 0.26 w ^ right; -0.14 w ^ shall; -0.08 w ^ she; -0.39 w ^ so; 0.22 w ^ sorry; 0.28 w ^
    stop; -0.36 w ^ take; -0.38 w ^ thank; -0.13 w ^ thanks; 0.3 w ^ that; 0.19 w ^ that's; -0.39 w ^ the; 0.24 w ^
    then; -0.16 w ^ there; -0.24 w ^ they; 0.37 w ^ this; -0.36 w ^ user; 0.39 w ^ was; -0.3 w ^ we; -0.15 w ^ what;
    -0.31 w ^ when; -0.11 w ^ which; 0.25 w ^ why; 0.28 w ^ wipe; 0.21 w ^ would; -0.14 w ^ write; -0.18 w ^ yes;
    -0.14 w ^ you; -0.23 w ^ you're; -0.55 w a; -0.28 w a bit; 0.43 w a favour; 0.22 w a good; 0.71 w about; 0.72 w
    about @; -0.43 w about it; 0.37 w about my; 0.99 w about the; 0.39 w account; 1.26 w address; 0.98 w address $;
    0.41 w ade; 0.77 w adresse; -0.09 w after; 0.83 w age; -0.42 w ah; 0.55 w al; -0.49 w all; 0.29 w alles; -0.21 w
    along; -0.38 w already; -0.12 w also; -0.35 w always; -0.58 w am; -0.18 w am @; -0.7 w an; 0.02 w and; -0.15 w
    and @; -0.27 w and a; 0.53 w and all; 0.28 w and don't; -0.15 w and i; -0.21 w and it; -0.29 w and she; 0.58 w
    and the; 0.34 w and then; 0.38 w and what; -0.44 w another; -0.24 w answer; 0.63 w any; -0.24 w anyone; -0.38 w
    anything; -0.32 w appointment; -0.42 w are; 0.32 w as; 0.27 w as a; -0.3 w ask; -0.26 w asked; 0.35 w assistant;
    -0.56 w at; -0.19 w at @; -0.21 w at the; 0.22 w au; 0.73 w aus; 0.23 w away; -0.11 w back; -0.25 w back $;
    -0.19 w bag; 0.64 w bank; 1.27 w be; 0.37 w be a; -0.34 w be the; -0.33 w because; 0.18 w bed; 0.34 w bed #;
    -0.21 w before; -0.22 w before you; 0.45 w bei @; 0.45 w being; -0.07 w better; 0.37 w between; 0.31 w bien;
    -0.19 w big; -0.57 w bike; -0.26 w bill; 0.11 w bin; 0.31 w bitte; 0.42 w bitte die; -0.44 w blue; 0.21 w book;
    -0.35 w booked; -0.35 w booking; -0.38 w boots; 0.13 w both; 0.32 w bottom; -0.27 w box; 0.14 w bring; -0.14 w
    broke; 0.43 w brother; -0.39 w btw; -0.51 w budget; 0.43 w burn; 0.73 w burn the; 0.51 w bury; 1.27 w business;
    0.5 w business $; -0.14 w but; 0.54 w but that's; -0.39 w by; -0.27 w by the; 0.4 w c'est; 0.55 w ca; -0.16 w
    call; 0.16 w called; 0.62 w can; 0.31 w can $; 0.33 w can have; -0.33 w can i; 0.35 w can it; 0.17 w can we;
    -0.44 w can you; -0.79 w can't; -0.3 w cancel; -0.27 w cancelled; -0.26 w cannot; -0.43 w car; 0.26 w case; 0.28
    w cash; -0.24 w change; 0.53 w changed; 0.54 w che; 0.33 w check; 0.83 w cher; 0.25 w children; -0.23 w class;
    -0.7 w clear; -0.27 w closed; 0.91 w code; 0.26 w code ,; 0.18 w come; 0.37 w come down; -0.21 w comes; 0.38 w
    con; -0.29 w contract; 0.88 w conversation; 0.35 w could; 0.39 w could come; 0.16 w could you; -0.15 w count;
    0.21 w course; -0.26 w customer; -0.52 w cut; -0.37 w cut out; 0.62 w d; -0.34 w dann; 0.62 w dans; 0.33 w das;
    -0.64 w das @; -0.22 w daughter; -0.44 w day; -0.19 w day $; -0.43 w days; -0.14 w days $; -0.24 w days ,; 0.45
    w de; -0.19 w de @; 0.33 w de la; 0.27 w de mi; -0.28 w deal; 0.43 w dear; 1.23 w del; -0.54 w delete; -0.53 w
    delete the; -0.29 w der; -0.14 w der @; 0.94 w des; -0.37 w desk; 0.32 w dey; 0.29 w di; 0.59 w diary; 0.73 w
    diary $; -0.22 w did; -0.21 w did i; 0.36 w didnt; 0.43 w die; 0.62 w dir; -0.43 w do; -0.25 w do $; -0.23 w do
    i; 0.24 w do not; -0.25 w do that; -0.36 w do you; -0.18 w does; -0.2 w doesn't; -0.18 w dog; -0.23 w doing;
    -0.29 w don; 0.46 w don't be; -0.26 w don't forget; -0.27 w don't keep; 0.4 w don't put; 0.35 w don't store;
    0.17 w don't want; -0.4 w don't write; 0.28 w don't you; -0.52 w done; -0.17 w done $; 0.23 w dont; -0.53 w dos;
    1.04 w down; 0.4 w draw; -0.24 w drive; -0.35 w drop; -0.31 w drop the; -0.2 w du; 0.42 w ear; 0.32 w ears; 0.19
    w eat; -0.23 w eight; -0.31 w el; -0.3 w elle; -0.35 w else; 0.63 w em; 0.43 w en; -0.68 w en la; -0.27 w end;
    0.17 w erase; -0.22 w et; -0.26 w euros; 0.27 w even; -0.24 w evening; -0.15 w evening $; 0.47 w ever; -0.37 w
    every; 0.82 w everything; 0.71 w expunge; 0.71 w failed; 0.78 w fais; -0.28 w family; -0.2 w far; 0.43 w favour;
    -0.18 w fee; 0.19 w file; -0.36 w final; -0.44 w fine; -0.16 w fine $; -0.71 w first; -0.38 w fish; -0.32 w
    five; 0.31 w floor; 0.39 w for; -0.05 w for a; -0.19 w for me; -0.16 w for my; -0.24 w for that; 0.62 w for the;
    -0.46 w for you; -0.63 w forget; -0.31 w forget about; 0.13 w forget that; -0.41 w forget the; -0.93 w
    forgetting; -0.1 w forgot; -0.19 w forty; -0.58 w four; 0.71 w fr; 0.71 w fr $; -0.21 w friend; 0.13 w from;
    -0.27 w from @; -0.21 w from now; -0.74 w from the; 0.56 w from your; 0.44 w frost; 0.47 w gas; 0.5 w gas $;
    -0.04 w get; 0.73 w get that; -0.12 w gets; 1.01 w ghost; -0.16 w give; -0.44 w glasses; -0.29 w gluten; -0.43 w
    go; -0.26 w goes; 0.36 w going to; -0.29 w gone; -0.14 w good; -0.34 w goodbye; 0.45 w got; 0.53 w grad; 0.32 w
    great; -0.26 w green; 0.41 w ha; 0.27 w hab; -0.47 w had; -0.21 w haha; -0.25 w half; -0.32 w hand; 0.4 w hang;
    0.36 w hang on; -0.29 w hard; -0.6 w has; -0.26 w has been; 0.31 w has no; 0.57 w hast; -0.17 w hat; 0.23 w
    have; 0.37 w have a; -0.16 w have it; 0.32 w have that; -0.45 w have to; 0.75 w he's; -0.69 w head; -0.21 w
    hear; 0.33 w heard; -0.39 w hello; -0.24 w help; -0.65 w her; 0.35 w here; 0.43 w hers; -0.13 w hi; -0.56 w him;
    -0.21 w him $; -0.29 w his; 0.18 w ho; 0.38 w hold; -0.47 w holds; 0.4 w home; -0.45 w home $; -0.66 w hope;
    -0.22 w hospital; -0.17 w hour; -0.11 w how; -0.14 w how do; 0.16 w how much; -0.2 w husband; 0.4 w i; -0.21 w i
    am; 0.32 w i ask; -0.31 w i asked; -0.24 w i can; -0.21 w i do; -0.34 w i don't; 0.44 w i got; -0.17 w i had;
    -0.09 w i have; -0.52 w i hope; -0.25 w i know; 0.32 w i live; 0.44 w i mean; 0.43 w i mentioned; -0.16 w i
    never; 0.32 w i put; 0.24 w i said; -0.19 w i say; -0.29 w i shall; -0.39 w i tell; 0.46 w i was; 0.69 w i'd;
    0.3 w i'd be; -0.64 w i'll; -0.11 w i'm; -0.3 w i've; -0.49 w if i; -0.89 w ignore; 0.55 w ik; 0.46 w il; -0.3 w
    ill; -0.13 w im; -0.52 w im @; -0.27 w in; -0.11 w in #; -0.2 w in $; -0.18 w in <month>; -0.38 w in @; -0.11 w
    in a; 0.44 w in here; 0.51 w in law; 0.37 w in one; 0.3 w in there; -0.25 w in your; -0.21 w instead; -0.4 w
    internet; -0.57 w into; -0.17 w invoice; -0.61 w is; 0.34 w is #; -0.2 w is $; -0.26 w is @; 0.67 w is a; -0.14
    w is it; -0.16 w is my; 0.18 w is not; -0.63 w is the; -0.54 w isn't; -0.23 w ist; -0.5 w it; 0.31 w it $; 0.36
    w it and; 0.51 w it be; -0.16 w it in; -0.36 w it is; 0.42 w it not; -0.37 w it off; 0.33 w it to; 0.37 w it up;
    -0.45 w it was; -0.39 w it's; 0.19 w it's @; -0.16 w it's the; 0.45 w j'ai; 0.3 w je; -0.1 w job; -0.38 w job $;
    0.46 w just; 0.54 w k; 0.73 w k $; 0.29 w kannst; -0.05 w keep; -0.35 w keep forgetting; 0.4 w keep that; 0.67 w
    keeps; 0.54 w keinen; 0.54 w keinen @; -0.21 w keys; 0.57 w kids; -0.25 w kilos; -0.39 w kind; -0.32 w kind of;
    0.42 w kindly; 0.31 w knee; -0.13 w know that; -0.4 w know what; 1.04 w knowing; -0.49 w knows; -0.2 w la; -0.24
    w landlord; -0.5 w las; -0.24 w last; 0.51 w law; 0.4 w le; -0.22 w leave; -0.32 w left $; -0.67 w les; 0.73 w
    let; 0.44 w let it; -0.31 w let me; 0.45 w let that; 0.38 w let the; 0.12 w letter; -0.47 w letters; -0.37 w
    life; -0.47 w like; -0.35 w like it; 0.37 w line; 0.56 w lips; -0.67 w list; 0.36 w live; 1.6 w lo; 0.27 w lol;
    0.17 w lol $; -0.59 w long; 0.35 w longer; -0.16 w look; -0.38 w los; 0.38 w lose it; -0.38 w lot; -0.21 w
    lovely; 0.15 w make; -0.25 w makes; -0.21 w man; 0.34 w mate; 0.36 w mate ,; 0.73 w matter; -0.75 w may; 0.28 w
    me; 0.31 w me $; 0.53 w me and; -0.23 w me forget; 0.53 w me lo; -0.19 w me the; 0.34 w mean; -0.3 w meetings;
    0.45 w mein; 0.68 w meine; 0.5 w meine @; -0.29 w memory; 0.35 w mention; 0.38 w mentioned; 0.38 w mentioned
    the; 0.16 w mi; 1.05 w might; 0.64 w mijn; 0.01 w mind; 0.34 w mind $; 0.32 w minute; 0.37 w minutes; 0.29 w
    minutes $; 0.09 w mir; -0.22 w miss; 0.89 w mit; 0.42 w mit der; -0.65 w moi; -0.22 w money; -0.46 w month;
    -0.23 w month $; -0.61 w more; -0.38 w morning; 0.31 w move; -0.51 w moved; -0.25 w mr; -0.24 w mr @; -0.29 w
    mrs; -0.28 w mrs @; -0.44 w much; -0.47 w must; 0.66 w mustn't; -0.55 w my; 0.96 w my @; -0.34 w my bike; -0.28
    w my head; -0.54 w my name; -0.5 w my own; 0.59 w my salary; 0.36 w my sister's; 0.31 w my son's; 0.7 w my
    weight; -0.28 w my wife; 0.33 w n; -0.37 w nadia; -0.37 w nadia :; 0.44 w name; 0.44 w name of; 0.31 w need to;
    0.72 w net; -0.6 w never; 0.34 w never heard; -0.21 w never mind; -0.16 w new; -0.21 w next; 0.5 w nia; -0.26 w
    nicht; 0.63 w nichts; -0.26 w night; -0.28 w nights; -0.54 w nine; 0.15 w no; -0.28 w no $; -0.52 w no ,; 0.43 w
    no longer; 0.13 w nobody; 0.45 w nobody's; -0.34 w noch; 0.31 w non; -0.23 w noon; 0.3 w not; 1.32 w not for;
    -0.29 w note; -0.19 w noted; 0.44 w notes :; -0.48 w nous; -0.56 w now ,; 0.78 w number; 0.82 w number $; 0.37 w
    nunca; 0.53 w nur; 0.63 w o; -0.21 w o'clock; -0.09 w of; 0.48 w of <day>; -0.12 w of <month>; -0.17 w of a;
    0.47 w of it; 0.4 w of my; -0.47 w of the; -0.31 w of us; -0.5 w of you; 0.32 w of your; -0.12 w off; -0.31 w
    off $; -0.24 w off ,; -0.21 w off my; 0.1 w off the; -0.18 w office; 0.24 w oh; 0.76 w ok; 0.37 w ok ?; -0.01 w
    old; 0.34 w olvida; -0.39 w on; -0.16 w on #; -0.31 w on ,; -0.58 w on <day>; 0.24 w on @; -0.27 w on that;
    -0.18 w on the; 0.36 w on to; 0.26 w on your; -0.18 w once; -0.15 w one; -0.51 w one $; -0.16 w one ,; 0.43 w
    one ear; 0.93 w one for; -0.06 w only; 0.2 w or; -0.28 w order; -0.36 w ordered; -0.2 w oskar; -0.2 w oskar :;
    0.24 w other; 0.48 w other $; 0.54 w oublie; 0.42 w ought; -0.75 w our; 0.14 w out; -0.2 w out $; 0.56 w out ,;
    0.15 w out of; -0.14 w out the; 0.47 w over; -0.3 w over the; 0.35 w owes; 0.35 w owes me; -0.7 w own; 0.31 w
    paid; 0.43 w para; -0.32 w parents; -0.25 w part; 0.35 w pas; 0.34 w past; -0.44 w people; 0.62 w per; 0.26 w
    pero; 0.16 w phone; 0.38 w phone number; -0.43 w photo; -0.22 w place; -0.38 w plan; -0.26 w play; -0.34 w
    please; -0.12 w please $; -0.27 w please ,; 0.51 w please forget; 0.73 w plot; 0.5 w plot #; 0.37 w pls; -0.24 w
    price; 0.32 w pull; -0.31 w put; 0.4 w que; -0.32 w question; 0.09 w qué; -0.25 w rang; 0.25 w rather; 0.58 w
    raus; 0.56 w read; 0.41 w reads; 0.38 w reckon; 0.72 w record; 0.59 w record $; 0.39 w red; -1.17 w remember;
    -0.61 w remember that; -0.25 w remind; -0.16 w remove; -0.37 w remove the; -0.14 w rid of; 0.64 w rien; -0.37 w
    right; -0.5 w ring; -0.19 w room; -0.2 w room $; -0.23 w round; 0.51 w rug; -0.32 w run; 0.17 w said about; 0.77
    w sais; 0.65 w salary; -0.07 w same; -0.47 w save; 0.22 w say $; -0.65 w says; 0.18 w school; 0.96 w schreib;
    -0.26 w scratch; -0.27 w seat; -0.25 w see; 0.58 w sei; -0.37 w send; -0.3 w sent; -0.35 w shall; -0.28 w shall
    i; -0.38 w share; 0.26 w she; 0.23 w she is; 0.38 w she'll; -0.33 w she's; 0.42 w shoe; 0.45 w should; 0.74 w
    shouldn't; -0.34 w show; -0.27 w show me; -0.35 w shut; 0.21 w side; -0.19 w sie; 0.27 w signed; -0.32 w silly;
    -0.66 w since; 0.36 w sister's; 0.55 w sit; 0.57 w sit with; -0.43 w six; 0.61 w size; 0.31 w skip; 0.09 w so;
    -0.25 w so i'm; -0.36 w so no; 0.49 w solo; -0.15 w somebody; 0.33 w something; 0.7 w somewhere; -0.3 w son;
    0.31 w son's; 0.42 w sooner; -0.1 w sorry; -0.22 w sorry $; -0.19 w sounds; 0.29 w spare; 0.81 w speeding; 0.87
    w spoken; 0.33 w spring; 0.41 w station; 0.51 w stay; 0.24 w stays; -0.04 w still; 0.54 w stop; 0.49 w store;
    -0.25 w strike; 0.31 w stuff; 0.25 w su; -0.24 w such; 0.43 w sugar; -0.2 w summer; 0.76 w sur; -0.2 w sure;
    -0.3 w table; 1.08 w tae; -0.22 w take; 0.52 w take it; -0.32 w take the; -0.17 w takes; -0.34 w talk; 0.34 w
    talking; 0.11 w te; -0.19 w team; -0.6 w tell; -0.15 w tell you; -0.11 w ten; -0.12 w test; -0.14 w than; -0.56
    w thank; -0.53 w thank you; -0.22 w thanks; 0.34 w that; -0.37 w that $; -0.21 w that ,; 0.59 w that @; 0.29 w
    that i; 0.48 w that i'm; 0.27 w that in; 0.28 w that my; 0.44 w that one; 0.3 w that out; -0.37 w that the; 0.35
    w that to; -0.25 w that you; 0.36 w that's; -0.66 w the; 0.53 w the @; -0.26 w the blue; -0.49 w the budget;
    -0.29 w the desk; 0.74 w the diary; 0.31 w the door; -0.27 w the end; -0.19 w the first; -0.15 w the last; 0.34
    w the name; -0.25 w the new; 0.59 w the record; -0.1 w the same; 0.3 w the spare; 0.38 w the stuff; 0.17 w the
    thing; 0.45 w the vicar; -0.18 w the way; 0.26 w the window; -0.45 w their; -0.53 w them; 0.25 w them $; 0.33 w
    then; -0.39 w then $; -0.18 w then ,; -0.22 w there is; -0.3 w these; -0.56 w they; -0.24 w thing; 0.3 w thing
    $; 0.37 w thing about; -0.29 w things; -0.23 w think; -0.29 w third; -0.35 w thirty; 1.05 w this; 0.34 w this ,;
    -0.57 w this in; 0.51 w this one; -0.23 w this week; -0.29 w this year; -0.65 w those; -0.21 w though; -0.73 w
    three; 0.27 w through; 0.42 w ticket; -0.22 w till; -0.39 w time; -0.26 w time $; -0.4 w times; -0.57 w to;
    -0.11 w to #; -0.34 w to @; 0.07 w to be; 0.85 w to have; -0.26 w to take; 0.2 w to the; 0.22 w to you; -0.13 w
    today; -0.17 w told; 0.4 w told me; -0.33 w told the; -0.24 w too; 0.19 w too $; 0.15 w too ,; -0.28 w too much;
    0.34 w took; -0.45 w toujours; -0.19 w train; 0.87 w treat; 0.75 w treat this; -0.27 w try; 1.03 w tu; 0.2 w
    turn; -0.53 w twice; -0.61 w two; 0.72 w u; 0.97 w un; 0.31 w una; 0.69 w und; -0.45 w undo; -0.46 w une; 1.2 w
    unremember; -0.3 w uns; -0.59 w until; 0.16 w up; -0.36 w up on; -0.21 w up to; -0.36 w us; -0.29 w us $; -0.63
    w use; -0.23 w used; -0.45 w user; -0.36 w user :; -0.18 w van; -0.28 w very; 0.45 w vicar; -0.38 w vous; 0.47 w
    wallet; 0.57 w want; 0.51 w want it; 0.58 w want that; -0.33 w want to; -0.39 w wants; 0.95 w war; -0.19 w was
    #; -0.11 w was the; -0.37 w wasn't; -0.43 w way; -0.44 w we; -0.33 w we have; -0.52 w we'll; -0.17 w we're;
    -0.22 w wedding; 0.45 w wee; -0.38 w week; -0.17 w week $; 0.64 w weg; 0.49 w weigh; 0.52 w weight; -0.24 w
    well; -0.32 w well $; 0.23 w went; 0.12 w were; -0.39 w what; 0.17 w what i; -0.14 w what is; -0.19 w what was;
    -0.11 w what's; 0.35 w whatever; 0.15 w when; 0.38 w when i; -0.43 w which; -0.23 w white; 0.35 w why; 0.34 w
    wieder; 0.33 w wife; -1.26 w will; -0.55 w will be; 0.46 w wind; 0.56 w wipe; 0.81 w wipe the; -0.58 w wir;
    -1.06 w with; 0.14 w with a; -0.49 w with my; -0.11 w with the; 0.26 w with you; -0.34 w without; -0.72 w won't;
    0.28 w word; -0.63 w work; -0.12 w works; -0.48 w worry; 0.08 w would; 0.29 w would you; -0.79 w write; 0.37 w
    write down; -0.53 w write it; -0.45 w wrong; 0.24 w y; -0.74 w ya; 0.67 w ye; -0.02 w year; -0.31 w years; 0.57
    w yer; -0.37 w yes; -0.24 w yesterday; -0.37 w yet; -0.37 w yet $; 0.53 w yo; -0.39 w you; 0.23 w you ,; 0.13 w
    you can; -0.21 w you don't; 0.28 w you had; -0.37 w you have; 0.1 w you know; 0.5 w you my; -0.35 w you should;
    0.3 w you still; -0.3 w you want; -0.07 w you're; 0.9 w you've; -0.23 w your; 0.19 w your memory; 0.44 w your
    side; 0.23 w zu; 0.28 w zum; 0.32 w zum @; -0.26 w à; 0.7 w ça; 1.02 w über; -0.2 want; -0.29 want $; -0.12 want
    > 0; -0.22 want > ?; 0.69 want > about; -0.26 want > filler; 0.38 want > forget; 0.67 want > gone; -0.23 want >
    i; 0.38 want > it; -0.43 want > keep; 0.48 want > kept; -0.51 want > know; 0.32 want > memory; 0.41 want > move;
    0.32 want > my; -0.52 want > remove; 0.24 want > their; 0.74 want > x; 0.4 want > you; -0.42 want > your; -0.67
    want from; -0.3 want from know; -0.14 want from x; -0.28 want it $; 0.58 want it x; -0.37 want the; -0.28 want
    the x; 0.38 want their; 0.44 want their x; 0.34 want x; 0.26 want x $; 0.37 want you; 0.55 what; -0.35 what > ?;
    -0.19 what > about; -0.11 what > from; 0.47 what > go; 0.25 what > i; 0.03 what > it; 0.37 what > last; -0.16
    what > me; 0.52 what > move; 0.13 what > my; -0.47 what > not; -0.24 what > should; 0.54 what > their; 0.7 what
    > x; -0.11 what > you; 0.33 what > your; -0.2 what ask; -0.36 what be; -0.16 what be the; 0.64 what i; 0.27 what
    i said; 0.28 what i x; 0.45 what they; -0.32 what x; 0.4 what you; 0.25 where; -0.34 where > from; 0.54 where >
    i; 0.32 where > x; 0.54 where i; 0.73 where i x; -1.22 x; -0.4 x $; -0.55 x ,; 0.18 x , 0; 0.25 x , all; -0.1 x
    , and; 0.05 x , ask; -0.39 x , ask-word; -0.45 x , filler; -0.31 x , for; 0.01 x , from; 0.39 x , it; 0.49 x ,
    may; 0.32 x , move; -0.39 x , my; 0.2 x , not; 0.18 x , please; -0.31 x , quote; 0.22 x , remove; -0.19 x ,
    that; 0.42 x , the; -0.46 x , they; -0.35 x , want; 0.06 x , x; 0.05 x 0; 0.01 x 0 $; 0.15 x 0 about; 0.04 x 0
    and; 0.27 x 0 be; -0.26 x 0 from; 0.38 x 0 x; -0.65 x > 0; -0.22 x > ?; 0.21 x > about; 0.1 x > all; -0.15 x >
    ask; -0.31 x > ask-word; 0.22 x > didn't; 0.11 x > filler; -0.69 x > forget; 0.31 x > from; 0.25 x > go; 0.29 x
    > have; 0.08 x > i; -0.29 x > if; -0.12 x > instead; 0.38 x > it; 0.08 x > it's; 0.1 x > keep; 0.2 x > kept;
    0.18 x > know; -0.49 x > last; 0.12 x > may; 0.08 x > me; 0.41 x > memory; 0.18 x > mention; 0.36 x > move;
    -0.14 x > my; 0.68 x > not; 0.61 x > object; 0.33 x > out; 0.37 x > please; -0.14 x > quote; 0.73 x > regret;
    1.0 x > remove; 0.03 x > said; 0.01 x > should; -0.44 x > that; 0.2 x > their; 0.38 x > unheard; 0.13 x > what;
    -0.17 x > where; -0.61 x > x; 0.25 x > you; 0.65 x > your; 0.15 x ?; 0.16 x ? $; -0.12 x about; -0.29 x about $;
    -0.26 x about ,; -0.41 x about 0; 0.81 x about me; 0.29 x about my; -0.21 x about the; 0.13 x about their; 0.14
    x about x; 0.2 x about you; -0.06 x again; -0.25 x all; 0.1 x all x; -0.63 x always; -0.25 x and; -0.16 x and $;
    -0.18 x and about; 0.52 x and all; 0.41 x and it; 0.46 x and out; 0.29 x and the; 0.27 x and their; 0.21 x and
    they; -0.15 x and x; -0.28 x ask; -0.1 x ask be; -0.13 x ask x; 0.27 x ask-word; 0.43 x ask-word i; 0.14 x be;
    0.3 x be 0; -0.2 x be from; 0.25 x be move; -0.28 x be not; 0.23 x be out; 0.5 x be the; -0.12 x be x; -0.28 x
    delete; -0.38 x filler; 0.23 x filler $; -0.32 x filler x; -0.55 x for; -0.25 x for it; 0.22 x for the; 0.2 x
    for x; -0.26 x from; -0.22 x from 0; -0.35 x from about; -0.34 x from it; 0.65 x from know; -0.39 x from memory;
    0.08 x from move; -0.52 x from my; 0.21 x from the; 0.23 x from their; -0.02 x from x; 0.09 x from your; -0.23 x
    go; -0.29 x gone; 0.33 x gone $; -0.08 x have; 0.22 x i; 0.35 x i not; 0.63 x i regret; 0.24 x i said; -0.25 x i
    should; -0.29 x i x; 0.19 x if; -0.21 x instead; -0.08 x it; -0.78 x it $; -0.15 x it about; 0.76 x it and;
    -0.28 x it be; -0.46 x it from; -0.23 x it i; 0.57 x it object; 0.43 x it out; -0.11 x it x; -0.39 x it's; -0.15
    x it's x; 0.6 x keep; 0.76 x keep it; -0.25 x know; -0.04 x last; 0.11 x last x; -0.46 x may; -0.1 x me; 0.3 x
    me $; 0.43 x me and; 0.28 x me for; -0.38 x me x; -0.29 x memory; -0.27 x memory $; -0.06 x move; 0.23 x my;
    0.54 x my old; 0.25 x my x; -0.45 x not $; 0.26 x not be; 0.72 x not x; -0.18 x object; -0.5 x old; -0.29 x old
    x; -0.34 x out; -0.12 x out about; -0.26 x out my; -0.18 x out the; 0.12 x out x; -0.12 x please; -0.33 x please
    $; 0.24 x quote; 0.44 x quote x; 1.11 x remove; -0.06 x said; 0.28 x said x; 0.28 x should; -0.33 x should be;
    0.37 x stop x; 0.75 x that; 0.24 x that x; -0.31 x the; -0.23 x the 0; 0.38 x the all; 0.28 x the object; -0.42
    x the thing; -0.27 x the x; -0.27 x their; -0.42 x their x; -0.36 x they; -0.35 x they x; 0.55 x thing; 0.18 x
    thing $; 0.59 x thing ,; -0.29 x thing from; 0.45 x thing x; -0.23 x want; -0.22 x want from; -0.16 x what;
    -0.28 x where; -0.51 x you; -0.26 x you $; -0.47 x you ,; -0.24 x you about; 0.36 x you ask; -0.3 x you the;
    0.17 x your; 0.28 x your x; 1.33 you; 0.25 you $; 0.18 you ,; -0.35 you > 0; 0.27 you > ?; 0.16 you > about;
    -0.23 you > all; -0.14 you > ask; 0.33 you > didn't; 0.88 you > filler; 0.22 you > from; 0.67 you > go; 0.33 you
    > i; -0.29 you > if; 0.35 you > it; 0.22 you > keep; 0.14 you > know; -0.14 you > last; -0.22 you > me; -0.39
    you > memory; -0.41 you > move; 0.72 you > my; -0.11 you > not; 0.38 you > object; -0.32 you > old; -0.17 you >
    out; 0.08 you > please; -0.23 you > remove; -0.44 you > said; -0.52 you > that; -0.29 you > their; 0.22 you >
    thing; 0.94 you > unheard; -0.18 you > want; -0.18 you > what; 0.07 you > x; -0.71 you > you; -0.47 you > your;
    -0.36 you about; -0.72 you about my; 0.36 you about the; -0.45 you and; 0.21 you ask x; 0.1 you be; 0.35 you be
    x; 0.22 you it; 0.1 you know; -0.66 you move; -0.27 you move the; -0.27 you move x; 0.48 you my; 0.33 you my x;
    -0.24 you not; -0.24 you not x; -0.23 you remove the; -0.32 you should; -0.23 you the; 0.79 you unheard; -0.23
    you want; 0.16 you x; -0.21 you x $; -0.22 you x ?; 0.21 you x from; 0.43 you x keep; 0.47 you x my; 0.5 you x
    not; -0.34 you x the; 0.62 your; 0.12 your > 0; -0.26 your > ?; -0.26 your > about; -0.45 your > filler; 0.26
    your > from; 0.18 your > it; 0.44 your > memory; 0.42 your > x; -0.75 your > you; 0.46 your memory; 0.32 your
    memory $; 0.03 your x; 0.35 your x ,; -0.42 your x and; -0.22 your x be
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
