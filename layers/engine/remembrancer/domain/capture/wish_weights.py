"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = -4.08
_LISTED = """
    0.79 ,; 1.38 , $; 0.48 , 0; -0.59 , about; 1.11 , again; 0.32 , all; 0.72 , all x; 0.27 , and; -0.46 , and $;
    -0.48 , and i; -0.29 , and it; 0.53 , and it's; -0.57 , and my; 0.63 , and not; -0.72 , and the; 0.36 , and
    their; -1.08 , and they; 0.4 , and you; 0.68 , ask; 0.18 , ask you; -0.33 , ask-word; -0.39 , ask-word x; 0.57 ,
    be; 1.48 , delete; 0.84 , filler; 1.73 , filler ?; -0.68 , for; -0.38 , for the; -0.36 , for x; 1.62 , gone;
    0.64 , i move; -0.88 , i said; 0.3 , i x; 0.35 , it; -0.54 , it be; 0.33 , it x; 0.87 , it's not; 0.36 , it's x;
    -0.77 , last; -0.75 , me; 0.61 , move; -0.77 , my; -0.81 , my their; 0.31 , my x; 0.47 , not; 1.33 , out; 0.54 ,
    please; -0.54 , please $; -1.1 , quote; 0.9 , remove; 0.29 , the; -0.86 , the their; -0.43 , they said; 0.59 ,
    they x; 0.84 , what; 0.92 , x; -0.3 , x $; 0.3 , x ,; 2.93 , x ?; -0.51 , x be; -0.61 , x for; 1.07 , x it; 1.2
    , x me; -1.06 , x my; 0.71 , x out; -0.07 , x the; -0.68 , x their; -0.87 , you; 1.2 , you not; -1.65 0; -0.33 0
    $; 0.56 0 0; 0.75 0 0 0; -1.07 0 > 0; -0.5 0 > ?; -0.44 0 > about; -0.2 0 > ask; -0.23 0 > filler; 0.62 0 >
    from; -0.28 0 > i; 0.34 0 > it; -0.07 0 > it's; 0.3 0 > please; 1.05 0 > thing; 0.45 0 > x; 0.78 0 > your; 0.34
    0 and; -0.59 0 be; -0.5 0 be x; -0.48 0 filler; 0.07 0 for; -0.15 0 for x; -0.31 0 i; -0.72 0 it; 0.74 0 not x;
    -0.63 0 the; -0.45 0 the x; -0.94 0 they; -0.23 0 x $; -0.55 0 x ,; 0.5 0 x and; 0.66 0 x be; -0.45 0 x for;
    0.79 0 x from; -0.22 ?; -1.16 ? $; 0.04 ^ 0; -0.2 ^ 0 x; -0.29 ^ about; -0.22 ^ about x; 0.07 ^ and; 1.62 ^ and
    ,; 0.96 ^ and about; -1.33 ^ and i; -0.65 ^ and it's; -0.37 ^ and x; -0.6 ^ and you; 0.73 ^ ask; -0.8 ^ ask you;
    -0.29 ^ ask-word; -0.45 ^ ask-word x; 0.16 ^ be; -0.67 ^ be it; 1.13 ^ be the; -0.8 ^ be x; 0.79 ^ delete; 1.4 ^
    delete $; -0.57 ^ delete the; -0.63 ^ filler; -1.55 ^ filler $; 0.57 ^ filler ,; 0.47 ^ filler the; -0.64 ^
    filler x; 0.31 ^ for the; 1.19 ^ forget; 0.96 ^ forget my; 0.41 ^ forget the; -0.39 ^ forget x; -1.04 ^ from;
    -0.51 ^ gone; -0.67 ^ gone $; -0.8 ^ i; -0.34 ^ i ask; 0.51 ^ i be; 0.36 ^ i not; -0.46 ^ i said; 0.95 ^ i
    should; 1.03 ^ i the; 0.36 ^ i want; 0.26 ^ i x; -0.43 ^ if; -0.24 ^ if i; -1.06 ^ if they; 0.71 ^ if x; 0.9 ^
    instead; 0.97 ^ it; -1.17 ^ it ask; -0.44 ^ it be; -0.8 ^ it not; -0.7 ^ it should; -0.46 ^ it x; -0.88 ^ it's;
    0.57 ^ it's not; 0.01 ^ it's x; -0.48 ^ keep; -0.83 ^ kept; -0.35 ^ kept $; 1.24 ^ let's; 0.73 ^ may; -0.74 ^
    mention; 0.08 ^ move; 0.25 ^ move it; -0.55 ^ move the; -1.15 ^ my; -1.21 ^ my their; -0.08 ^ not; -0.77 ^ not
    $; -0.88 ^ not ,; 1.0 ^ not about; -0.38 ^ not forget; 0.89 ^ out; -0.46 ^ please; 0.94 ^ please forget; 0.46 ^
    please not; 0.99 ^ pretend; -0.01 ^ quote; 1.31 ^ quote x; 0.27 ^ remove; 0.35 ^ remove it; -0.61 ^ remove the;
    -0.73 ^ should; -0.43 ^ the; -0.37 ^ the their; 0.66 ^ the thing; -0.28 ^ the x; -0.97 ^ their; 1.1 ^ their
    about; -0.25 ^ their the; 0.72 ^ their x; -0.89 ^ they; -0.69 ^ they x; -1.33 ^ thing; 0.65 ^ want; 0.61 ^ what;
    0.93 ^ what i; -0.55 ^ what if; -0.3 ^ what the; 0.59 ^ where; -1.48 ^ x $; -0.5 ^ x ,; -0.59 ^ x 0; -0.19 ^ x
    ?; 0.21 ^ x about; 0.2 ^ x and; -0.28 ^ x be; -0.36 ^ x filler; 0.3 ^ x for; -0.23 ^ x from; -0.4 ^ x go; -0.97
    ^ x i; 0.98 ^ x it; 0.4 ^ x my; -0.25 ^ x said; -0.78 ^ x should; 1.26 ^ x that; 0.05 ^ x the; 0.92 ^ x they;
    0.07 ^ x you; -0.7 ^ you ask; 0.11 ^ you be; -1.17 ^ you should; -0.71 ^ your x; 0.69 about; -1.29 about $;
    -0.46 about , x; 0.83 about 0 $; -0.19 about 0 x; 0.33 about > 0; -0.31 about > ?; 0.79 about > about; 0.5 about
    > ask; -0.45 about > ask-word; 0.4 about > filler; 0.17 about > from; 0.65 about > go; 1.16 about > have; 0.37
    about > i; -0.73 about > if; -0.14 about > it; -0.46 about > it's; 0.63 about > know; 0.53 about > may; 0.37
    about > move; -0.53 about > my; -0.6 about > object; -0.72 about > old; 0.26 about > please; -0.81 about >
    remove; 0.5 about > should; 0.56 about > stop; -0.09 about > their; -0.43 about > thing; 0.04 about > x; 0.38
    about > your; -0.35 about it $; -0.36 about it ,; -0.43 about it x; 1.68 about last; 1.02 about me; 0.9 about
    my; 0.59 about my their; -0.18 about the; 0.25 about the 0; -1.01 about the object; 1.03 about the their; 0.13
    about the x; 0.15 about their; 0.44 about their x; -0.44 about x; -0.09 about x $; 0.06 about x ,; -0.05 about x
    ?; 1.4 about x again; 0.25 about x and; -0.37 about x be; 0.62 about x for; -0.69 about x the; 2.15 acts; 0.12
    again; 0.54 again $; 0.03 again ,; -0.6 again , x; 0.32 all; -0.47 all $; 0.67 all > about; 0.42 all > i; -0.35
    all > it; -0.72 all > me; 0.46 all > my; -1.32 all > not; 0.22 all > x; 0.7 all > you; 0.09 all about; 0.76 all
    from; -0.62 all x about; -0.89 always; -0.1 and; -0.08 and $; 0.37 and ,; -0.98 and 0; -0.85 and about the; 0.58
    and all; 0.68 and and; 1.03 and ask; 1.28 and ask-word; -0.1 and be; 0.59 and filler ,; 0.43 and from; -0.6 and
    i; 0.48 and i not; -0.09 and i x; 0.54 and it; -0.73 and it be; 0.19 and it's; -0.64 and it's x; 0.6 and me;
    -0.84 and my; 0.14 and not; -0.36 and not x; 1.33 and out; 0.73 and please; -1.13 and said; -0.41 and the x;
    0.19 and their; -0.39 and they; -0.78 and they not; 0.44 and they x; 0.2 and x; 0.14 and x $; 0.56 and x ,; 0.41
    and x 0; -0.35 and x ?; 0.88 and x and; -0.36 and x be; -0.65 and x for; -0.45 and x from; 0.55 and x it; 0.53
    and x not; -0.31 and x the; 0.51 and you ask; -0.32 ask; -1.37 ask > 0; 0.62 ask > ?; 0.38 ask > about; -1.78
    ask > delete; -0.76 ask > filler; 1.14 ask > forget; 0.29 ask > from; 0.41 ask > go; 0.17 ask > it; -0.19 ask >
    keep; 0.97 ask > last; 0.61 ask > memory; 0.5 ask > not; -0.44 ask > object; 0.86 ask > remove; -0.21 ask >
    their; 0.61 ask > thing; 0.4 ask > want; 0.83 ask > what; 0.04 ask > you; -0.91 ask be; 0.39 ask be x; -0.74 ask
    i x; 0.76 ask it; -1.16 ask keep; -0.74 ask move x; -1.19 ask not; 0.59 ask the; -0.15 ask x; -0.87 ask x $;
    1.29 ask x me; -0.6 ask you; -0.72 ask you x; 1.43 ask-word; 0.41 ask-word $; -1.05 ask-word > ?; 0.46 ask-word
    > i; -0.39 ask-word > me; 0.41 ask-word > move; -0.35 ask-word > my; -0.6 ask-word > out; 1.03 ask-word > thing;
    -0.32 ask-word > x; -0.99 ask-word > your; -0.03 ask-word i; 0.78 ask-word i x; 0.92 ask-word the; 0.61 ask-word
    x ,; 0.75 ask-word x i; 0.17 be; -0.43 be $; -0.78 be , x; -0.35 be 0; 0.72 be 0 and; -0.21 be 0 x; -0.27 be
    about; -1.11 be filler; -0.01 be for; -0.69 be for x; 0.42 be from the; -0.52 be from x; -0.35 be gone; -1.34 be
    it; 0.77 be kept; -0.81 be my; -0.7 be my x; 0.38 be not; 0.48 be not from; 0.84 be not the; 1.12 be said; -0.36
    be the; 0.02 be the x; 0.29 be their; 0.85 be want; -1.19 be what; 0.27 be x; -0.5 be x $; -0.41 be x ,; -0.29
    be x about; 0.64 be x for; 1.22 be x if; -0.16 be x the; 1.27 delete; 1.5 delete $; -0.48 delete > 0; -0.88
    delete > ?; -0.48 delete > about; -0.5 delete > it; -1.26 delete > not; -1.4 delete > object; 0.88 delete >
    said; -0.72 delete > x; 1.74 delete it; 1.75 delete it $; -0.57 delete the; -1.2 delete the x; -1.24 delete x;
    0.16 didn't; 0.69 didn't > i; 0.76 didn't > x; 0.72 dismiss; -0.68 dismiss > x; -0.24 filler; -0.2 filler $;
    -0.02 filler ,; 0.83 filler , it; 1.27 filler > ?; -0.27 filler > about; 0.21 filler > from; -0.79 filler > i;
    0.67 filler > it's; 1.37 filler > keep; -0.19 filler > move; 0.66 filler > my; 0.69 filler > said; 0.41 filler >
    their; -0.54 filler > want; -0.19 filler > x; -0.08 filler > you; 0.47 filler ?; 0.49 filler ? $; -0.21 filler
    for; 1.28 filler out; -0.35 filler x; 0.2 for; -0.78 for 0; 0.19 for 0 $; 0.49 for all; 0.99 for all x; -0.26
    for it; -0.97 for it $; -0.69 for it x; -0.72 for me $; -0.99 for my; -0.58 for my their; 0.37 for the; 0.01 for
    the x; -0.41 for x; 0.59 for x $; -0.63 for x 0; 1.08 for x ?; 0.76 for x about; -0.91 for x for; -0.4 for x
    from; 1.47 for you; 1.18 forget; 0.99 forget > 0; -0.65 forget > about; -0.32 forget > from; -0.61 forget > it;
    -0.32 forget > me; -2.86 forget > not; -1.39 forget > object; -0.98 forget > out; -0.48 forget > x; -0.6 forget
    > you; 1.18 forget it; 0.28 forget my; 1.48 forget the their; -0.27 forget the x; -0.77 forget x; -1.01 forget x
    ,; -0.1 forgot; -0.81 forgot > from; -1.11 forgot > it; -1.8 forgot > x; 0.34 from; -0.68 from $; 0.52 from ,;
    0.65 from , x; -0.5 from 0; 0.48 from > 0; 0.28 from > ?; 0.09 from > about; -0.3 from > ask; 0.64 from >
    ask-word; 0.31 from > filler; 0.6 from > i; 0.16 from > it; -0.34 from > it's; 0.49 from > last; 0.8 from > may;
    -0.08 from > me; 0.7 from > memory; 0.49 from > move; -0.35 from > not; -1.01 from > object; -0.74 from > out;
    -0.54 from > said; -0.33 from > their; -0.85 from > where; -0.29 from > x; 0.34 from > you; 0.49 from > your;
    0.75 from be; -0.79 from for; 0.79 from know; -0.56 from know it; 0.76 from last; 0.62 from memory; 0.32 from
    move; -0.91 from move the; -0.14 from my; -0.99 from my x; 1.78 from not; -0.99 from remove; 0.42 from said;
    0.67 from the; -0.35 from the x; 0.74 from their; 0.01 from x; 0.18 from x $; 0.49 from x ,; -0.48 from x ?;
    0.54 from x about; 0.61 from x be; -0.02 from x from; -0.53 from x the; 1.02 from you; 0.74 from your; 0.39 from
    your x; -0.91 go > 0; 0.44 go > about; -0.5 go > their; 0.55 go from; -0.54 go out; 0.51 go x; -0.66 go x $;
    0.74 gone; 0.37 gone $; 0.8 gone ,; 1.68 gone > ?; -0.44 gone > about; -0.86 gone > it; -1.17 gone > out; 0.73
    gone from; -0.64 gone out; -1.05 gone the; -0.76 gone x; -0.29 i; 0.57 i > 0; -0.1 i > ?; -0.19 i > about; -0.63
    i > all; 0.06 i > ask; 0.54 i > ask-word; 0.92 i > delete; 0.39 i > didn't; 0.29 i > filler; -1.02 i > forget;
    -0.27 i > forgot; 0.25 i > from; -0.28 i > go; -0.52 i > gone; 0.13 i > i; 1.04 i > if; -0.16 i > it; 0.24 i >
    it's; -0.36 i > keep; 0.87 i > kept; -1.01 i > know; 0.44 i > last; -0.64 i > let; -0.3 i > me; -0.29 i >
    memory; -1.03 i > mention; 0.14 i > move; -0.77 i > my; -0.12 i > not; 0.28 i > object; 0.12 i > out; 0.5 i >
    please; 0.6 i > regret; 0.27 i > remove; 0.57 i > should; 0.69 i > their; -0.48 i > thing; 0.59 i > want; 0.29 i
    > x; 0.81 i > you; 0.61 i about; 1.15 i and; -0.72 i ask; -0.22 i ask x; 0.1 i be; -0.56 i be from; -0.86 i be
    said; 0.13 i be x; 0.28 i forget my; -0.69 i forgot; -0.39 i from; -1.23 i go; -0.53 i gone; -0.82 i know; 0.64
    i last; -0.16 i move; -0.81 i move it; 0.36 i move x; -0.74 i not; -0.65 i not said; 0.99 i not want; 0.51 i not
    x; 0.84 i regret; 1.23 i said; 0.6 i said about; 0.2 i said it; -0.67 i said not; 0.44 i said the; -0.33 i said
    x; -0.69 i should; 0.95 i the; -0.46 i the x; -0.27 i want; -0.81 i want from; 0.81 i want x; 0.06 i x; 0.21 i x
    ,; 0.21 i x 0; 0.51 i x about; 0.29 i x for; -0.58 i x move; -0.29 i x my; -0.73 i x not; 0.12 i x the; 1.43 i x
    want; 0.47 i x you; -0.38 if; -0.7 if > ?; 0.95 if > about; 1.56 if > ask-word; -0.47 if > filler; -0.59 if >
    from; -0.41 if > i; -0.2 if > me; -0.21 if > move; 0.48 if > my; -0.53 if > not; 0.66 if > thing; -0.46 if >
    want; 0.55 if > x; 0.52 if > you; -0.59 if i; -1.15 if i x; 0.06 if it; 0.65 if it x; -0.46 if they; -0.22 if
    they x; 0.68 if x; 0.73 instead > not; 1.18 it; -0.1 it $; 0.88 it > ?; -0.21 it > about; 0.27 it > all; -0.76
    it > ask; -0.2 it > ask-word; -0.84 it > didn't; 0.16 it > from; 1.0 it > go; 0.42 it > gone; -0.13 it > i; 0.53
    it > if; -0.95 it > instead; 0.89 it > it; -0.99 it > it's; -0.58 it > know; 0.13 it > let; -1.26 it > may; 0.17
    it > me; 0.09 it > memory; -0.41 it > my; 0.16 it > not; 1.07 it > object; -1.0 it > old; 0.53 it > out; 0.02 it
    > please; -1.03 it > quote; -0.34 it > said; -0.32 it > should; -0.32 it > want; -0.27 it > what; 0.15 it > you;
    0.84 it about the; 0.01 it ask; -0.68 it ask be; -0.75 it be; -0.64 it be $; 0.53 it be not; -0.45 it be x;
    -0.89 it filler; 0.19 it from; 1.26 it gone; 0.83 it it; 0.8 it not; 0.47 it out; 0.72 it out $; 1.17 it please;
    0.62 it they x; 0.91 it thing; 0.02 it x; 0.18 it x ,; 0.27 it x and; 0.47 it x from; -0.49 it x i; -0.28 it x
    me; -0.44 it x out; 0.62 it x thing; -0.82 it x you; -0.62 it you; 0.42 it's; -0.79 it's > 0; -0.08 it's >
    about; 1.15 it's > gone; -0.36 it's > i; 0.29 it's > it; -0.75 it's > last; 0.89 it's > move; 0.22 it's > not;
    0.79 it's > want; -0.79 it's > what; 0.16 it's > you; 0.49 it's for; -0.93 it's my x; -0.08 it's not; -0.8 it's
    not the; 0.49 it's not x; -0.46 it's the; -0.56 it's the x; 1.14 it's their; -0.89 it's what; -0.15 it's x;
    -0.62 it's x $; 0.21 keep; 0.69 keep > 0; -0.68 keep > about; -0.41 keep > from; 0.89 keep > i; -0.48 keep > it;
    -0.78 keep > me; 1.19 keep > not; -0.54 keep > said; 0.7 keep > their; -0.72 keep > x; -0.38 keep > you; 0.89
    keep about; -0.6 keep from; 0.6 keep it; 0.5 keep it $; 0.47 keep it ,; 0.74 keep my; 0.48 keep my x; 1.83 keep
    not; 0.75 kept ,; -1.22 kept > from; 1.01 know; -0.33 know $; 0.94 know > ?; -0.93 know > about; -0.55 know >
    from; -0.23 know > it; -0.76 know > move; -1.31 know > what; 0.46 know > x; 0.56 know > you; 1.41 know about;
    -0.94 know it; 0.47 know my; -0.99 know the x; -1.27 know what; 0.8 know x; -1.14 know you; 0.13 last > about;
    0.49 last > from; -0.26 last > it; -0.93 last > out; 0.03 last > said; 0.54 last > their; 0.83 last > want; 0.25
    last > x; 0.38 last > you; 1.0 last said; -0.62 last x ,; -0.92 last you; 0.76 let > about; 0.31 let > go; 0.38
    let > it; -0.49 let > me; 0.83 let > not; 0.79 let > out; 0.72 let > their; 0.98 let > x; -1.51 let > you; 0.44
    let it; 0.25 let it x; -0.75 let me; 0.75 let's; -0.26 may; -0.71 may ,; 1.64 may > ?; -0.46 may > about; 0.73
    may > my; 0.64 may > x; -0.46 may x; -0.61 me; -0.47 me $; 0.6 me ,; 0.61 me > 0; -0.53 me > ask-word; -0.18 me
    > from; -0.92 me > i; 0.43 me > it; -1.06 me > it's; 0.36 me > know; 0.43 me > me; -0.91 me > my; 1.08 me >
    object; -0.5 me > out; -0.95 me > please; -0.04 me > their; -0.39 me > x; 0.72 me > you; 1.07 me and; 1.27 me
    be; 0.64 me for; 0.77 me for x; -0.72 me forget; 0.23 me from x; -0.69 me it; 0.51 me the x; 0.84 me x; 1.4
    memory; 0.26 memory $; 0.63 memory ,; 0.93 memory , x; 0.85 memory > ?; 0.34 memory > about; 0.41 memory > it;
    -0.55 memory > x; 0.56 memory about; 0.95 mention; -1.29 mention > about; 1.38 mention > my; -1.25 mention the;
    0.5 move; -0.5 move > 0; -0.94 move > ?; -0.55 move > all; -0.65 move > filler; -0.26 move > from; -0.12 move >
    it; -0.8 move > keep; 0.63 move > know; -0.73 move > memory; 0.42 move > move; -0.33 move > my; 0.72 move > not;
    -0.95 move > object; -0.69 move > out; 0.15 move > their; -0.44 move > x; -0.32 move > you; 1.0 move it; -1.23
    move it $; -0.47 move it about; 0.74 move it and; 0.76 move my; 0.43 move my x; 1.31 move not; -0.15 move the;
    -0.15 move x; -1.09 move x out; -0.73 move x the; -0.99 move your; 1.29 my; -0.82 my > 0; 0.34 my > ?; -0.49 my
    > about; -0.39 my > all; 0.66 my > ask; -0.71 my > ask-word; -0.85 my > didn't; -1.25 my > filler; 0.35 my > go;
    -0.35 my > i; -0.92 my > if; -0.24 my > it; 0.76 my > keep; 0.51 my > kept; -0.88 my > know; 0.37 my > last;
    0.82 my > let; -0.72 my > me; 0.66 my > memory; 0.5 my > my; 0.03 my > not; 0.68 my > old; 0.43 my > out; -0.61
    my > quote; -0.76 my > that; -0.49 my > their; -0.19 my > thing; 0.49 my > what; 0.17 my > x; 0.39 my > you;
    0.47 my > your; 1.3 my from; 0.6 my old; 0.96 my their; 1.01 my their x; 0.73 my x; 0.28 my x $; 0.39 my x ,;
    1.06 my x ?; 1.2 my x about; 0.14 my x and; 0.19 my x ask; 1.01 my x be; -0.65 my x said; 1.15 not; 0.55 not ,;
    0.75 not > ?; 0.41 not > all; -1.36 not > ask-word; 0.3 not > filler; -2.36 not > forget; -1.05 not > forgot;
    0.17 not > from; 0.38 not > go; 0.53 not > i; -0.28 not > it; -0.45 not > it's; 1.81 not > keep; 0.66 not >
    kept; 0.85 not > know; -0.51 not > last; -1.0 not > let; -0.12 not > me; -0.42 not > memory; 0.19 not > move;
    -0.2 not > my; 0.61 not > not; 0.24 not > object; -0.49 not > out; -1.15 not > quote; -1.31 not > remove; -0.15
    not > said; 0.45 not > should; -1.16 not > stop; -0.83 not > want; -0.98 not > what; -0.23 not > x; 0.29 not >
    you; 0.54 not > your; 0.82 not about; 0.25 not be; -1.06 not filler; 0.97 not for; 1.0 not for x; -1.37 not
    forget; 0.36 not from; -0.14 not it; 0.91 not keep; 1.09 not keep it; 0.59 not know $; -1.03 not let; 0.7 not
    move; 1.12 not move it; -1.15 not remove; -0.26 not the; 0.33 not the x; 1.58 not want; 0.4 not want it; 0.2 not
    x; 0.1 not x $; 0.17 not x ,; 0.51 not x and; 0.6 not x it; -0.34 object; -0.33 object $; 0.13 object > 0; 0.65
    object > filler; 0.28 object > from; 0.95 object > move; -0.98 object > object; -0.23 object about; -0.64 object
    be; 0.82 object x; 0.44 object x $; -0.78 of 0; -0.36 of 1; -0.14 of 2; 0.38 of 3; 0.71 of 4; 0.9 of 5; -0.78 of
    6; -0.37 old; -0.61 old > from; 1.01 old > i; -0.76 old > it; -0.5 old > x; 0.48 old x ,; 1.37 out; 0.3 out >
    about; 0.48 out > filler; -0.8 out > from; -0.64 out > i; -0.62 out > it; 0.74 out > memory; -1.01 out > my;
    -0.9 out > not; -0.56 out > object; 0.66 out > please; -0.35 out > their; -0.51 out > x; 0.95 out > you; 1.55
    out > your; -0.58 out about the; 0.52 out about your; 1.41 out filler; -1.43 out my; 1.68 please; -0.36 please
    ,; 1.09 please > forget; 0.76 please > it; 0.11 please > keep; 0.63 please > me; -0.7 please > memory; -0.34
    please > my; 0.05 please > not; -0.32 please > their; 1.01 please > what; -1.1 please > you; 1.03 please delete;
    1.48 please forget; 0.87 please not keep; 1.32 pretend; 1.02 pretend > x; -0.75 quote; 0.4 quote $; -0.12 quote
    > from; -0.38 quote > i; -0.5 quote > my; -0.47 quote > not; 0.01 quote > x; 0.29 quote x; 0.59 quote x quote;
    1.63 regret; 0.38 regret $; 0.89 remove; 0.49 remove $; -0.32 remove > 0; -0.78 remove > ?; 1.04 remove >
    ask-word; -0.79 remove > from; -0.14 remove > it; 1.08 remove > me; -1.3 remove > not; -1.15 remove > object;
    -1.4 remove > out; -0.54 remove > please; -0.93 remove > remove; 0.73 remove > what; -0.67 remove about; 1.16
    remove from; 1.17 remove it; 0.44 remove it $; -0.45 remove the; 0.05 remove the x; 0.74 remove what; -0.8
    remove x; 0.73 remove x $; 1.05 said; 0.54 said $; 0.4 said ,; 0.7 said > ?; -0.87 said > all; -0.4 said > from;
    -0.38 said > i; -0.31 said > it; 0.47 said > me; -0.64 said > my; -0.17 said > not; -0.35 said > out; -0.86 said
    > quote; 0.92 said > remove; -0.64 said > thing; 1.13 said > what; -0.22 said > you; 0.67 said about; 0.88 said
    about x; 0.79 said i; -0.34 said it; 1.07 said it be; -0.86 said me; -1.07 said me x; -1.25 said my; -0.68 said
    not; -0.33 said quote; 0.24 said you; 0.61 secret; 0.6 secret $; 0.73 secret > x; -0.93 should; -1.22 should >
    0; -0.43 should > ?; -0.74 should > all; 0.81 should > from; 0.43 should > it; 0.42 should > move; 0.87 should >
    not; -0.93 should > said; -0.1 should > x; 0.76 should > you; -0.36 should be; 0.96 should from; -0.27 should x;
    1.24 stop; -0.6 stop x; 0.68 that; 1.29 that > about; 1.01 that > from; 0.38 that > x; 0.31 the; -0.39 the 0;
    -0.51 the all; 0.62 the filler; -0.76 the last; -0.83 the object; 0.46 the object $; 0.87 the object about;
    -0.33 the old; -0.58 the old x; -0.67 the the; 0.03 the their; 0.48 the thing; -0.51 the thing $; 0.18 the thing
    about; -0.39 the x; -0.2 the x $; -0.16 the x ,; 0.14 the x ?; 0.19 the x about; -0.78 the x again; -0.46 the x
    ask; -0.76 the x be; 0.7 the x filler; 0.18 the x for; 0.08 the x from; 0.37 the x go; 0.55 the x i; -0.71 the x
    it's; -1.39 the x last; 0.25 the x me; -0.79 the x my; -0.47 the x not; -0.6 the x object; -0.66 the x out;
    -0.29 the x said; -0.94 the x stop; -1.03 the x the; 0.33 the x their; 0.37 the x thing; 0.05 the x want; -0.34
    their > 0; -0.9 their > ?; -0.15 their > about; -0.51 their > all; -0.43 their > ask-word; 0.27 their > from;
    0.76 their > go; -0.28 their > it; -0.39 their > last; -0.53 their > may; 0.79 their > move; -0.35 their > my;
    -0.44 their > said; 0.29 their > their; 0.12 their > thing; 0.59 their > want; 0.24 their > x; 0.71 their > you;
    0.32 their > your; -1.12 their about; 0.64 their about x; -0.37 their from; -0.22 their gone; 0.28 their not;
    -0.92 their out; -0.76 their the; -0.06 their the x; 0.49 their their; 0.97 their thing; 0.4 their x; 0.14 their
    x $; 0.26 their x ,; -0.92 their x ?; -0.21 their x about; -0.27 their x and; 0.87 their x ask; 0.46 their x be;
    -0.28 their x from; -0.49 their x it; 0.97 their x not; -0.38 their x the; -0.56 they; -1.09 they about; -0.03
    they be; -0.74 they from; -0.52 they move; 0.82 they not x; 0.61 they said x; 0.3 they x; 0.12 they x $; 0.52
    they x ?; 0.66 they x and; -0.33 they x for; -0.42 they x from; -0.39 they x it; 0.56 they x me; 0.31 they x
    the; -0.39 they x their; 1.95 thing; -0.63 thing $; 0.66 thing ,; -1.28 thing , and; -0.43 thing > ?; 0.06 thing
    > about; -0.44 thing > i; -1.06 thing > it; 1.32 thing > move; 0.48 thing > out; 1.89 thing > want; -0.26 thing
    > x; 0.7 thing about; 0.6 thing about my; 1.14 thing about the; -0.51 thing from; -0.68 thing it; -0.39 thing x
    $; 2.15 unheard; 1.66 unrecorded; -1.44 w !; 1.37 w ! !; -1.43 w ! $; -0.4 w #; 0.95 w # #; -0.41 w # $; -0.74 w
    # ,; -0.39 w # <month>; 0.48 w # @; -0.61 w # at; -0.13 w # by; -0.7 w # euros; -0.95 w # i; -0.49 w # in; -0.37
    w # is; -1.04 w ,; 0.63 w , #; -0.66 w , <day>; -1.52 w , @; 1.0 w , all; 0.16 w , and; -0.41 w , at; 0.13 w ,
    don't; 0.09 w , for; -0.55 w , from; -1.48 w , he; 1.43 w , he'd; 0.64 w , her; 0.38 w , his; -1.19 w , i; -0.69
    w , i'll; -1.08 w , i'm; -0.32 w , i've; 0.72 w , if; -0.8 w , in; -0.78 w , it; 0.51 w , it's; -0.54 w , just;
    1.45 w , le; -0.39 w , my; 0.27 w , no; -0.68 w , nobody; -0.56 w , not; 0.88 w , now; 0.47 w , on; 0.75 w ,
    out; -0.61 w , same; -0.32 w , she; 1.08 w , she'd; -1.14 w , she's; 0.77 w , so; -0.74 w , thank; 0.27 w ,
    that; 0.71 w , that's; 0.93 w , then; 0.53 w , this; -1.31 w , too; -1.02 w , we; -0.83 w , who; -0.06 w , with;
    0.51 w , yes; 0.69 w , you; 1.07 w :; -1.08 w : #; -1.52 w : $; -1.68 w : @; 1.64 w : i; 0.81 w : i'm; 1.08 w :
    my; 0.61 w : the; -0.95 w <day>; -0.44 w <day> $; 0.01 w <day> ,; -1.21 w <month>; -1.3 w <month> ,; -0.53 w
    <time>; -0.51 w <time> $; -0.22 w ?; -0.11 w ? $; -0.24 w @; -0.47 w @ $; -0.69 w @ ,; 1.06 w @ :; -0.53 w @ @;
    -0.01 w @ and; -0.76 w @ has; 0.21 w @ is; -0.63 w @ now; 0.25 w @ the; 0.64 w @ was; -0.55 w ^ <day>; -0.65 w ^
    a; 0.99 w ^ about; 0.63 w ^ also; -0.13 w ^ and; -0.45 w ^ at; 2.27 w ^ be; 0.54 w ^ by; 0.3 w ^ can; -0.62 w ^
    cancel; -0.92 w ^ clear; -0.32 w ^ congratulations; -0.5 w ^ delete; -0.4 w ^ don't; 0.98 w ^ dont; -0.49 w ^
    drop; 0.2 w ^ forget; 0.86 w ^ get; -0.95 w ^ good; -1.01 w ^ got; -0.49 w ^ great; -0.3 w ^ ha; -0.55 w ^ half;
    0.32 w ^ he; -0.25 w ^ hello; 0.43 w ^ his; -0.31 w ^ how; -0.94 w ^ i; 0.47 w ^ i'd; -0.17 w ^ i've; -0.49 w ^
    if; -0.2 w ^ in; 0.1 w ^ is; -1.08 w ^ it; -0.86 w ^ it's; -0.7 w ^ its; 0.63 w ^ let; 0.46 w ^ like; 0.73 w ^
    lose; 0.85 w ^ make; -0.51 w ^ mr; -0.12 w ^ my; -0.99 w ^ nadia; 0.86 w ^ new; -0.32 w ^ no; -0.78 w ^ nobody;
    0.55 w ^ non; 1.94 w ^ nor; -0.6 w ^ not; -0.44 w ^ noted; 0.8 w ^ off; -1.28 w ^ ok; -0.13 w ^ on; 0.72 w ^
    one; -0.54 w ^ only; -0.79 w ^ our; 1.15 w ^ out; -0.61 w ^ please; -0.8 w ^ remember; 0.27 w ^ right; -0.9 w ^
    scrap; -1.38 w ^ scratch; -0.28 w ^ shall; -0.42 w ^ she; 0.33 w ^ she's; 1.07 w ^ so; 1.95 w ^ sweep; -0.87 w ^
    thank; 0.44 w ^ that's; 0.51 w ^ the; 0.81 w ^ then; -1.21 w ^ there; -0.15 w ^ there's; -0.57 w ^ they; 0.07 w
    ^ this; -0.67 w ^ three; 1.42 w ^ till; 1.04 w ^ too; -1.15 w ^ two; 1.17 w ^ u; -1.43 w ^ user; -1.23 w ^
    voice; -0.88 w ^ we; -0.45 w ^ we'll; 0.03 w ^ we're; -0.38 w ^ we've; 0.54 w ^ what; 0.61 w ^ where; -0.7 w ^
    which; 0.52 w ^ who; -0.32 w ^ with; -0.9 w ^ yes; 1.12 w ^ yo; -0.18 w ^ you; -1.19 w ^ you've; -0.82 w ^ your;
    -0.12 w a; -0.45 w a @; -0.89 w a bit; 0.2 w a good; -0.59 w a lot; -0.35 w a month; 0.83 w a thing; 0.58 w
    about; 0.82 w about $; 1.24 w about @; -0.83 w about it; 0.91 w about my; -0.73 w about that; 0.24 w about the;
    -0.47 w actually; -0.88 w add; 2.2 w address; 2.38 w affair; -0.4 w after; -0.29 w again; -0.36 w again $; 1.09
    w age; 1.45 w air; 0.88 w alarm; -1.19 w all; -0.89 w already; 0.33 w also; -0.56 w always; -0.27 w am; 0.75 w
    an; -0.79 w an hour; 0.16 w and; -0.8 w and a; 0.86 w and don't; -0.45 w and he; 0.45 w and i; 1.11 w and i'd;
    -0.76 w and i've; -1.05 w and it; 0.49 w and it's; 0.5 w and my; 1.25 w and that's; 0.75 w and the; 1.49 w and
    you; 1.48 w and you're; -1.25 w another; 0.55 w any; -0.99 w any more; -0.93 w anymore; 0.45 w anything; 1.0 w
    anywhere; 1.05 w app; -0.62 w are; -0.83 w are in; 0.54 w as; -1.01 w as it; -0.92 w as you; 0.79 w ask you;
    -1.19 w asked; 0.97 w asking; 0.89 w asks; -0.38 w at; -0.5 w at #; 1.24 w at a; -0.61 w at home; -0.69 w at my;
    -0.72 w at the; -0.77 w ate; 0.55 w au; -0.89 w aunt; 1.11 w aus; 0.45 w away; 1.26 w away with; 0.87 w back in;
    0.49 w bad; 0.82 w bank; 1.21 w be; -0.54 w be $; -1.03 w be @; 0.78 w be a; -1.42 w because; -0.39 w bed; 0.11
    w been; 0.04 w before; 1.04 w being; -1.17 w believe; -0.4 w best; -0.23 w better; -0.87 w better $; 1.2 w
    between; 1.41 w between me; -1.11 w big; -1.52 w bike; -0.53 w bill; -0.59 w bit; 0.78 w bitte; -0.71 w black;
    2.71 w blank; -0.69 w bless; 1.37 w blind; -1.13 w blue; -0.6 w booked; -1.03 w boots; 0.39 w boss; -0.42 w both
    $; -0.93 w boxes; 0.82 w brain; -0.15 w bring; -0.47 w brings; 1.2 w bro; -0.69 w broken; -0.81 w brother @;
    -0.87 w brown; -0.94 w btw; -0.44 w budget; 0.88 w building; 0.87 w burn; -1.18 w bus; 2.17 w business; -0.42 w
    but; 0.84 w but the; -0.99 w buy; -0.6 w by; -0.5 w by @; -0.54 w by the; -1.39 w cake; -0.55 w call; -0.12 w
    called; -1.11 w calls; -0.38 w came; 0.71 w can; -0.95 w can you; -1.98 w can't; -0.99 w cancel; -0.86 w cancel
    the; -0.51 w cancelled; -1.46 w cant; -0.65 w car; -0.34 w card; 1.82 w cash; -0.43 w cat; -0.4 w chair; -0.49 w
    change; -0.84 w changed; 1.36 w chat; -1.17 w cheese; 1.55 w child; 0.24 w clean; -0.94 w clear; 1.03 w clinic;
    0.78 w closed; 0.8 w club; 1.21 w co; 0.66 w coach; 1.58 w code; 0.87 w code ,; -1.2 w coffee; -0.69 w cold;
    -0.31 w comes; 1.95 w competitor; -0.38 w congratulations; 1.76 w copied; -0.7 w cost; -0.98 w council; -0.54 w
    count; -0.69 w counted; 0.06 w course; -0.52 w cousin; -1.36 w cream; 0.76 w cried; 1.04 w crying; 0.09 w dark;
    1.09 w darling; 0.9 w dat; 0.76 w data; -0.82 w daughter; -0.69 w day; -0.51 w day $; -1.48 w days; -0.58 w days
    $; -0.65 w days ,; 1.38 w deaf; 0.52 w dear; 1.38 w debts; 1.35 w del; -1.26 w delete that; -0.31 w delete the;
    -0.57 w der; 1.79 w des; -0.46 w desk; -0.6 w did; -0.96 w did you; 0.34 w didn't; 0.84 w die; -0.59 w died;
    2.19 w digits; -0.53 w dinner; 0.83 w divorce; -0.54 w do; -0.93 w do i; -0.68 w do it; 0.95 w do not; -0.72 w
    do that; 0.98 w do with; -1.44 w do you; -0.5 w doctor; -1.27 w does; 0.64 w does the; -1.05 w doesn't; -0.5 w
    dog; -0.38 w doing; 0.27 w don't; -0.56 w don't forget; -0.96 w don't let; 1.08 w don't want; -0.75 w done; 0.7
    w door; -0.78 w door $; -0.58 w double; 0.8 w down; -0.31 w down $; 0.6 w down ,; 0.73 w down the; -0.67 w
    draft; 0.86 w drain; 0.61 w drink; -1.21 w drive; 0.96 w driving; -1.04 w drop; -1.12 w drop the; -0.52 w
    dropped; 0.43 w dry; -0.84 w e; -0.95 w each; 1.41 w ear; 0.62 w ears; -0.27 w eat; -1.05 w eats; 0.92 w eh;
    -1.02 w eight; 1.02 w either; 0.48 w either $; -0.8 w eleven; -0.56 w else; 0.31 w em; 2.25 w empty; 0.38 w en;
    -0.12 w end; -0.79 w end of; -0.75 w est; -0.79 w euros; 0.51 w even; -0.42 w evening; -0.28 w evening $; 1.44 w
    ever; -1.27 w every; -0.64 w everyone; 0.97 w everything; 0.86 w ex; 1.51 w exist; -0.47 w extra; -1.45 w face;
    -0.99 w face $; 1.05 w fact; 0.65 w failed; -0.55 w fair; 1.46 w fake; 1.39 w fall; 0.77 w family; 1.92 w
    favour; -0.77 w fifty; 1.75 w figure; 0.98 w file; 0.12 w find; 1.66 w find it; -1.27 w fine; -0.57 w fine $;
    0.54 w fire; 0.83 w firm; -0.96 w first; -0.52 w fish; -1.21 w five; -0.87 w fixed; -0.43 w floor; -1.16 w
    folder; -1.02 w food; -0.34 w for @; -0.13 w for a; 1.0 w for good; -0.45 w for it; -0.3 w for the; -1.25 w for
    you; 0.61 w for your; -0.69 w forget; 1.61 w forget it; 0.55 w forget my; -0.38 w forget the; -1.8 w forgetting;
    -0.01 w forgot; -0.6 w form; -0.72 w forty; -1.04 w found; -0.77 w found it; -1.4 w four; -0.49 w four $; -0.88
    w frame; -0.89 w free; -0.58 w free $; 0.78 w fresh; -0.35 w friend; 0.34 w from; 0.56 w from #; -0.89 w from @;
    -0.84 w from my; -1.03 w from the; 1.7 w from your; -0.69 w front; -0.43 w full; 1.21 w further; 0.65 w für; 1.1
    w gate; -0.48 w gave; -0.53 w get; 0.3 w get rid; 0.38 w gets; 1.67 w ghost; -0.72 w girl; -0.83 w give; -0.66 w
    gives; -1.31 w glad; -1.08 w glasses; 1.08 w goats; 0.81 w god; -0.92 w goes; -0.66 w gold; -1.15 w gone to;
    -0.89 w good; 0.95 w good $; 1.41 w gossip; -0.39 w got; -0.41 w got it; -0.68 w got the; -0.47 w great; -0.4 w
    great $; -1.19 w green; -0.79 w grey; -0.87 w group; 1.54 w guts; -0.5 w had; 0.69 w had a; -0.95 w had to;
    -0.62 w haha; -0.75 w haha $; -0.25 w half; -0.55 w hall; -0.7 w hand; -0.65 w hand $; 0.94 w hang; -0.82 w
    happy; -0.71 w hard; -0.73 w has; -0.68 w has a; 0.93 w has no; -0.34 w has the; -0.58 w hat; 0.84 w hates; 0.88
    w have it; -1.27 w have to; 0.82 w have you; 1.19 w having; 0.42 w he; 0.58 w he has; -0.98 w he said; 0.83 w he
    was; 0.81 w he'd; -0.66 w he'll; 0.49 w he's; 1.05 w he's a; -0.71 w head; -0.83 w hear; 0.78 w heard; 0.92 w
    heart; -1.06 w hello; -0.75 w help; -0.73 w helps; -0.28 w her; -0.78 w her $; 1.04 w here; 1.26 w hers $; 1.14
    w hey; -0.65 w hi; -0.8 w high; -0.4 w him; 0.24 w him $; 0.63 w himself; 1.44 w himself $; -0.4 w his; 0.54 w
    hm; 1.31 w ho; -0.92 w home $; -1.04 w honest; -1.88 w hope; 0.9 w hotel; -0.61 w hour; -0.42 w how; -1.11 w how
    do; 1.31 w how many; -0.74 w hundred; 1.59 w hush; 0.58 w i; -0.18 w i am; -0.84 w i can; 0.78 w i changed;
    -0.32 w i do; -0.68 w i don't; -0.91 w i forget; -0.63 w i found; 1.01 w i got; -1.02 w i have; -0.88 w i hope;
    -0.05 w i know; 0.84 w i let; -1.34 w i like; -0.51 w i never; 0.77 w i put; 0.86 w i said; -0.86 w i see; -0.18
    w i shall; 0.3 w i shouldn't; -1.12 w i tell; -0.53 w i think; 0.68 w i told; 0.53 w i want; 0.42 w i was; 1.09
    w i went; -0.5 w i won't; 0.56 w i would; 0.48 w i'd; 1.19 w i'd like; -1.09 w i'll; -0.76 w i'll be; 1.35 w
    i'll say; -0.44 w i've got; 0.44 w ich; 0.96 w idea; -0.41 w if; -0.58 w if he; -0.13 w if i; -1.34 w ignore;
    0.05 w il; 0.71 w im; -0.58 w im @; -0.23 w in; -0.64 w in $; 0.05 w in <month>; -0.56 w in @; 0.66 w in a;
    -0.89 w in his; -0.47 w in it; 0.65 w in with; 1.47 w in you; 1.6 w ink; -0.94 w instead; 1.07 w insured; 1.02 w
    interview; 0.76 w into; -0.96 w invoice; -0.67 w is; -0.26 w is #; -1.23 w is @; 0.33 w is a; 1.36 w is for;
    -0.77 w is in; 0.83 w is not; -0.32 w is on; -1.53 w is the; -0.83 w is what; -0.96 w isn't; -0.31 w ist; -0.63
    w it; 0.27 w it $; 0.34 w it ,; 0.86 w it as; 0.91 w it back; 0.57 w it be; 0.68 w it down; -0.79 w it has;
    -0.43 w it in; -0.29 w it is; 1.11 w it must; -0.28 w it on; 0.75 w it up; -0.76 w it was; 1.09 w it would;
    -0.72 w it'll; -0.55 w it's; -1.11 w it's @; 0.78 w it's a; -0.69 w it's the; -0.94 w its; 1.44 w jar; 0.56 w
    je; 0.76 w k; 0.76 w keep that; -0.49 w keys; -0.77 w kilos; -0.51 w kind; -0.78 w kitchen; -0.02 w know; -0.86
    w know $; 1.1 w know it; -0.45 w know what; 2.18 w knowing; 1.6 w knowledge; 1.15 w known; -0.98 w knows; 0.68 w
    lady; -1.0 w las; -0.05 w last; -0.66 w last year; -0.44 w late; -1.06 w laugh; 1.44 w lay; 0.24 w le; 0.59 w
    learn; -0.79 w leave that; 1.43 w leaving; 1.26 w ledger; 0.49 w left $; 1.11 w let; -1.01 w let me; 0.7 w let
    that; -0.98 w letter; 0.75 w letters; -0.52 w life; -0.95 w lift; -0.54 w light; -0.58 w like; 0.87 w like the;
    -0.61 w likes; 1.0 w line; 1.14 w lips; -0.95 w list; -0.26 w little; 1.48 w lo; 0.79 w loan; 2.12 w login; 0.55
    w lol; -1.37 w long; -0.18 w look; -1.32 w looked; -0.55 w looks; 1.27 w loose; 0.95 w lose; -0.52 w lost; 1.21
    w love $; -0.96 w love it; -1.38 w lovely; -0.6 w lunch; 0.89 w machine; 1.0 w machine $; -1.13 w mad; -0.94 w
    made; 0.1 w make; -0.81 w makes; 0.26 w man; 0.89 w mate; 0.62 w matter; 0.8 w me; 0.52 w me $; 0.01 w me ,;
    1.19 w me and; 0.99 w me in; -1.27 w me the; -0.81 w me to; 0.82 w mean; 2.42 w medical; 1.49 w meine; 0.94 w
    mentioned; -0.72 w met; -1.2 w middle; 0.47 w mijn; -0.5 w milk; -0.92 w mind; 1.57 w mine to; -1.26 w miss;
    1.38 w mit; 0.8 w mo; 0.25 w money; -0.96 w money $; -1.09 w month; -0.95 w month $; -0.34 w months; -0.67 w
    more; -0.78 w morning; -0.4 w morning ,; -0.86 w most; 0.11 w mother; 1.24 w mouth; 1.04 w mouth $; -0.98 w
    moved; -0.6 w mr @; -0.62 w mrs @; -0.44 w much; 0.41 w much $; -0.64 w mum; 0.44 w mum's; 1.17 w mustn't; -0.26
    w my; 0.79 w my @; -0.72 w my friend; -0.83 w my hand; -1.25 w my head; -1.05 w my life; -0.75 w my mother; -2.1
    w my name; 0.67 w my own; 1.14 w my pension; 0.54 w my sister's; -0.77 w my wife; -0.47 w myself; 1.26 w n; 0.9
    w na; -1.0 w nadia; -0.99 w nadia :; 1.7 w name; 0.73 w name ,; 0.56 w name of; 0.86 w named; 0.83 w names; 1.7
    w needn't; -0.62 w needs; 0.88 w neither; 1.5 w net; 0.68 w never $; -0.84 w never mind; -0.13 w new; 0.33 w
    news; -0.34 w next; 0.91 w ni; -0.59 w nice; 0.33 w niet; 0.49 w night; -0.67 w night $; -0.64 w nights; -1.18 w
    nine; -0.35 w no; -1.74 w no ,; 0.68 w no more; 1.47 w nobody ,; 1.79 w nobody's; 0.75 w noise; 0.24 w non; 0.68
    w none of; -1.17 w noon; 2.02 w nor; -0.41 w not; -0.96 w not $; 0.65 w not a; 2.26 w not for; 0.48 w not have;
    0.97 w not one; -0.98 w not that; 1.22 w not to; -0.64 w note; -0.18 w noted; -0.46 w noted $; -0.82 w notes;
    1.61 w nothing of; -0.59 w notice; -0.02 w now; -0.44 w now ,; 0.9 w now and; 1.64 w nowt; 1.84 w number; -0.58
    w number #; 1.08 w number $; 1.53 w numbers; 1.01 w o; -0.2 w of; -0.85 w of a; -0.83 w of course; 0.34 w of it;
    0.07 w of the; 0.71 w of them; -0.77 w of this; -0.92 w of us; -0.5 w of you; 0.86 w of your; 0.16 w off; -0.78
    w off $; 0.43 w off the; 1.12 w off your; 1.74 w ok; 0.05 w ok $; 0.08 w old; -0.36 w on; -0.67 w on #; -0.38 w
    on $; -0.8 w on ,; -0.53 w on <day>; 0.57 w on @; -0.94 w on it; -0.64 w on my; 1.06 w on paper; 0.61 w on that;
    -0.43 w on the; -0.67 w on your; -0.11 w one; -0.38 w one $; 1.35 w one for; 0.49 w one in; -1.06 w one of;
    -0.63 w one's; -0.5 w only $; 1.24 w ook; 0.36 w or; -0.98 w order; -0.64 w ordered; -1.37 w our; 0.48 w our @;
    0.6 w out; 0.66 w out ,; -0.1 w out of; 0.48 w over; -0.33 w over $; 1.65 w over that; -0.5 w over the; 2.84 w
    overboard; -0.64 w own; 1.1 w page; 1.29 w paid; 1.71 w panic; 0.64 w paper; -0.99 w parents; 0.7 w park; -0.72
    w parking; -0.64 w part; 0.49 w passed; 1.51 w password; 0.48 w past; 0.82 w pension; -0.97 w people; 1.13 w
    per; -0.58 w perfect; -0.53 w person; 0.44 w phone; -0.94 w photo; -0.82 w photos; -0.88 w piano; -1.13 w
    picture; 1.46 w pills; 0.13 w place; -0.97 w place $; 0.9 w plate; -0.94 w play; 0.36 w please $; 1.0 w please
    forget; 1.02 w plot; 1.71 w poof; -0.8 w poor; -0.63 w post; -0.43 w pounds; 1.01 w practice; 1.04 w prefer; 0.6
    w price; 0.66 w private; -0.7 w put; -0.58 w quarter; 0.3 w que; -1.1 w question; 0.75 w quiet; -0.86 w rang;
    0.63 w rather; 1.95 w re; 0.46 w read; -0.67 w read it; 0.53 w reading; 1.78 w reading $; 1.54 w reads; -0.28 w
    ready; 0.72 w real; -1.16 w really; 1.49 w reason; 0.38 w record; 1.16 w remain; -1.77 w remember; -0.71 w
    remember that; -0.75 w remind; 0.43 w remove; -1.04 w remove the; 1.14 w request; 1.16 w rid; 1.62 w rid $;
    -0.48 w rid of; -0.4 w right; -0.61 w right $; 0.82 w roll; -1.2 w roof; -0.67 w round; -0.67 w rule; -0.74 w
    run; -0.18 w said; -1.31 w said $; -0.78 w said about; 0.88 w said it; 1.4 w salary; 0.67 w same $; -0.83 w
    save; 0.76 w saw; -0.76 w say $; 0.28 w say it; -0.73 w say that; -1.34 w says; -1.03 w scrap; -0.77 w scratch;
    -1.27 w scratch that; 1.13 w scrub; -0.37 w se; 1.14 w sea; -1.06 w seat; -0.55 w seats; -0.34 w second; 0.48 w
    secret; -0.38 w see; 0.49 w see $; -1.13 w seen; 0.98 w sees; 1.17 w selling; -1.48 w send; -1.46 w sent; 1.7 w
    session; -0.38 w set; -1.6 w seven; -0.87 w shall; -0.41 w shall i; 1.04 w shared; 1.42 w shares; 0.33 w she;
    0.88 w she is; 1.69 w she'd; 0.65 w she's; 0.69 w she's not; 0.62 w shelf; -0.72 w shoes; 0.67 w shop; 0.38 w
    short; 0.66 w should; 0.89 w should be; 1.86 w shouldn't; -0.78 w show; -1.4 w sie; -0.67 w sign; 1.45 w
    silence; 1.3 w sin; -0.21 w since; 0.97 w since <month>; -1.27 w since the; 1.47 w sink; -0.75 w sister; -0.66 w
    sister @; 1.3 w sit in; -1.03 w six; 0.32 w size; 0.57 w skip; 1.7 w slate; 1.27 w slate $; 0.73 w slip; -0.37 w
    small; 1.15 w snow; -0.39 w so; 0.18 w so ,; -1.1 w so i; -0.97 w so it's; -1.12 w so much; -0.7 w so no; -0.85
    w so that's; 0.75 w so the; 1.4 w sober; -0.54 w sofa; -0.65 w sold; -0.38 w some; -0.56 w somebody; -0.39 w
    someone; 0.62 w something; 1.86 w somewhere; -0.46 w son; -0.9 w sorry; -0.79 w sorry $; -1.05 w sounds; 1.2 w
    spare; 1.14 w spent; 1.08 w spoke; 1.66 w spoken; 1.13 w sponsor; 0.92 w stage; -0.63 w standing; 0.34 w stay;
    0.34 w stays; -0.5 w still; 1.06 w stolen; 0.52 w stop; 0.89 w story; 0.8 w straight; 0.66 w stuff; 2.16 w
    subject; 0.54 w sugar; -0.79 w suits; -0.75 w summer; 1.37 w sur; 1.0 w surprise; 2.51 w swallow; -0.7 w
    swapped; 1.08 w sweep; -0.76 w sweet; 0.07 w table; 1.54 w tablet; 1.01 w tae; -0.64 w take; 0.59 w take it;
    -0.06 w take the; -0.83 w takes; 0.83 w talk; -0.98 w talk about; -1.32 w talked; 1.3 w tax; -0.42 w tea; -0.51
    w teacher; -0.56 w team; 1.4 w tears; -0.84 w tell; -0.79 w tell you; 0.33 w telling; -1.28 w ten; 1.2 w test ,;
    -0.92 w text; -1.23 w than; -0.73 w thank; -1.16 w thank you; -0.71 w thanks; 0.48 w that; -0.19 w that $; 1.07
    w that he; 0.55 w that i; 0.7 w that in; -0.52 w that is; -1.03 w that must; 0.78 w that my; 0.75 w that one;
    0.81 w that to; -0.4 w that you; 0.24 w that's; 1.99 w that's for; -0.54 w that's the; 1.31 w thats; 0.22 w the;
    0.4 w the #; -0.52 w the <day>; 0.38 w the @; 0.95 w the alarm; 1.34 w the baby; -0.68 w the back; -0.94 w the
    best; 0.86 w the car; -1.32 w the end; -2.01 w the file; 0.71 w the first; 0.68 w the gate; -0.94 w the last;
    -0.71 w the left; -0.86 w the list; -0.84 w the one; -0.38 w the other; 1.24 w the record; -1.01 w the right;
    0.94 w the room; 0.3 w the same; 1.34 w the wrong; -1.33 w their; -1.74 w them; -0.7 w then; -0.23 w then $;
    -0.52 w then ,; -0.83 w then you; 0.28 w there; 0.45 w there $; 0.73 w there ,; 0.19 w there's; -0.91 w these
    days; -1.13 w they; -0.6 w they're; -1.3 w they've; -0.11 w thing; 0.62 w thing $; 0.52 w thing about; -0.58 w
    things; -1.04 w think; -1.07 w thinking; 0.65 w thinks; -0.48 w third; -1.32 w thirty; 0.92 w this; -1.11 w this
    <day>; 0.47 w this is; -1.17 w this time; -0.82 w this week; -1.26 w this year; -0.86 w those; -1.29 w three;
    -0.73 w threw; 0.12 w through; 1.05 w through the; -1.4 w throw out; -0.76 w time; -0.16 w to; -0.71 w to #;
    -1.11 w to @; 1.36 w to have; 1.0 w to see; -1.27 w to talk; -0.28 w to the; -0.68 w to you; -1.43 w to your;
    0.4 w today $; -0.69 w together; -0.61 w told; -0.89 w told him; 0.47 w told you; 0.47 w too $; -0.62 w took;
    -1.31 w top; -0.74 w train; 1.99 w treat; 1.9 w treated; -0.65 w trip; -1.05 w trouble; -0.51 w truck; -1.0 w
    try; 1.46 w tu; -1.28 w turned; -1.12 w turns; -1.12 w twelve; -1.0 w twenty; -0.88 w twice; -1.24 w two; 0.91 w
    type; 1.64 w u; 1.49 w un; 0.66 w una; 0.53 w und; 1.32 w under; 2.72 w unsee; -0.15 w until; 0.47 w up; -0.49 w
    up ,; 0.71 w up and; -1.08 w up on; -1.15 w up to; 1.02 w ur; -0.18 w us; 0.62 w us ,; -0.83 w use; -0.61 w
    used; -0.7 w used to; -2.49 w user; -1.42 w user :; -0.42 w van; 1.39 w vanish; -0.64 w very; -0.69 w vet; -1.39
    w voice; 0.81 w w; -1.02 w waiting; 1.41 w walls; 0.74 w want; 0.77 w want it; -0.98 w want to; -1.38 w wanted;
    1.08 w war; -0.92 w warm; 0.25 w was; 0.83 w was #; -0.72 w was @; 0.5 w was a; 0.72 w was at; 0.32 w was in;
    -0.81 w was the; -0.64 w wasn't; -1.07 w watch; -0.16 w way; -0.6 w way ,; -0.87 w we; 0.73 w we have; -0.58 w
    we'd; -0.92 w we'll; -0.33 w we're; -1.04 w we've; -0.86 w wear; -0.35 w wedding; -1.08 w week; -0.34 w week ,;
    -0.41 w weekend; -0.63 w weeks; 1.2 w weigh; 0.83 w weight; -0.64 w well; -0.21 w well ,; -0.24 w were; 0.66 w
    weren't; -0.71 w wet; -0.77 w what; -1.03 w what a; -0.46 w what do; -0.04 w what i; -0.55 w what if; -0.59 w
    what is; 0.55 w what's; -0.99 w when; 0.25 w when i; -0.71 w when the; 0.23 w where; 0.7 w which; -1.01 w while;
    -0.86 w white; 0.25 w who; 0.33 w whole; 0.69 w why; 1.19 w wi; 0.72 w wife; 0.71 w wifi; -0.88 w will; -0.9 w
    will be; 0.69 w will you; 0.68 w wind; -0.7 w winter; -1.03 w with; 0.64 w with @; -0.39 w with a; -0.61 w with
    her; 0.97 w with him; 1.01 w with it; -0.45 w with me; -1.43 w with my; -1.03 w with that; 0.67 w with the; 0.99
    w with you; -2.32 w won't; 0.58 w word; -0.89 w work; -1.24 w works; -0.73 w worth; 0.18 w would be; 0.89 w
    would you; -0.6 w wouldn't; -1.94 w write; -1.06 w writing; -0.76 w wrong; -0.9 w wrote; -1.47 w ya; 1.96 w ye;
    0.73 w yeah; -0.51 w year; -0.75 w year ,; -0.54 w years; -0.6 w years $; 2.29 w yer; -0.97 w yes; -0.65 w yes
    $; -0.76 w yes ,; 1.9 w yes ?; -0.76 w yesterday; -0.51 w yet; 0.67 w yo; -0.04 w you; -0.61 w you ,; -0.75 w
    you could; -0.46 w you don't; -0.37 w you have; -0.76 w you in; 0.07 w you know; 1.29 w you still; 0.25 w you
    to; -0.73 w you want; -0.78 w you were; -0.15 w you'd; -0.96 w you'll; -0.27 w you're; 0.61 w you've; 1.46 w
    you've got; 1.33 w your mind; 1.66 w your side; 0.96 w yours; -0.04 w yourself; 1.44 w zero; 1.0 w zip; -1.0 w
    à; 2.27 w über; 0.07 want; -0.3 want $; -0.84 want > ?; 0.42 want > about; 1.27 want > didn't; -0.47 want >
    filler; -0.15 want > from; -0.91 want > i; 0.37 want > it; -0.39 want > know; 0.54 want > memory; 0.05 want >
    my; 1.08 want > not; 1.08 want > out; -1.14 want > want; 0.46 want > x; 0.24 want > you; -0.98 want from; -0.11
    want from x; -1.39 want it $; 1.65 want it x; -0.36 want the x; -0.33 want x; 0.35 want x $; -0.92 want you
    from; 0.35 what; -1.61 what > ?; 0.36 what > about; -0.84 what > ask; 0.19 what > from; -0.3 what > i; -0.88
    what > if; 1.13 what > it's; -0.63 what > me; 0.65 what > my; 0.69 what > out; -0.57 what > said; 1.46 what >
    their; 1.19 what > x; -0.83 what > you; -0.47 what be; -0.58 what be the; 1.2 what i; 0.52 what i x; -0.55 what
    if; 1.1 what they x; 0.73 what x; -0.91 what x i; -0.9 what x you; 0.71 what you; 0.75 where; -1.14 where > ?;
    0.71 where > i; -0.62 where > it; 1.1 where > their; 0.95 where > x; 0.24 where i; 0.77 where i x; -0.22 x;
    -0.25 x $; -0.21 x ,; 1.13 x , $; -0.56 x , and; -0.51 x , ask-word; 0.41 x , filler; 1.16 x , gone; 0.39 x , i;
    -0.49 x , if; 0.01 x , it; -0.49 x , it's; -0.37 x , my; -0.32 x , not; 0.59 x , please; -0.83 x , quote; -0.43
    x , the; 0.49 x , their; -0.28 x , x; 0.7 x , you; 0.2 x 0; 0.4 x 0 $; -0.42 x 0 and; -0.67 x 0 for; 0.22 x 0 x;
    -0.39 x > 0; -0.61 x > ?; 0.33 x > about; -0.9 x > ask-word; 0.63 x > delete; -0.32 x > forget; 0.13 x > go;
    0.26 x > gone; -0.1 x > i; 0.53 x > if; -0.79 x > instead; 0.32 x > it; 0.18 x > keep; 0.25 x > kept; -0.23 x >
    know; -0.52 x > last; -0.1 x > may; -0.2 x > me; 0.61 x > memory; 0.72 x > mention; -0.27 x > move; -0.27 x >
    my; 0.31 x > not; 0.67 x > object; 0.89 x > old; -0.12 x > out; -0.39 x > please; -0.34 x > quote; 0.42 x >
    remove; 0.32 x > said; 1.19 x > secret; 0.46 x > should; -0.66 x > stop; -0.66 x > that; -0.2 x > their; -0.57 x
    > thing; 0.5 x > unheard; -0.15 x > want; -0.83 x > where; 0.01 x > x; -0.1 x > you; 0.19 x > your; 0.43 x ?;
    -0.54 x ? $; -0.74 x about ,; 0.2 x about it; 0.3 x about me; -0.41 x about the; 0.15 x about their; -0.58 x
    about x; -0.28 x about you; -0.72 x about your; -0.76 x again; -0.62 x again $; -0.2 x again ,; -0.54 x all;
    -0.5 x all x; 0.07 x and; 0.47 x and $; 0.99 x and all; -0.85 x and be; 0.48 x and it; 0.15 x and it's; -0.55 x
    and move; 0.4 x and my; -0.22 x and not; 0.51 x and the; -0.62 x and x; 0.5 x ask-word i; -1.08 x ask-word you;
    0.09 x be; -0.34 x be 0; -0.33 x be about; 0.11 x be from; -0.58 x be not; -0.53 x be out; 0.77 x be said; 0.49
    x be the; 0.28 x be their; -0.48 x be x; -0.27 x filler; 0.39 x filler $; -0.52 x for; 0.19 x for me; 0.54 x for
    my; -0.38 x for their; 0.25 x for x; -0.33 x from; 0.36 x from ,; 0.1 x from 0; -1.04 x from again; 0.64 x from
    be; -0.35 x from it; 1.31 x from last; 0.38 x from me; -0.46 x from the; 0.63 x from their; -0.11 x from x;
    -0.38 x gone; -0.13 x i; -1.49 x i move; 0.1 x i said; -0.57 x i should; 0.2 x i x; -0.93 x if; 0.9 x if it;
    -0.73 x instead; -0.04 x it; -0.57 x it about; 0.44 x it from; -0.61 x it i; 0.32 x it out; -0.94 x it they;
    0.22 x it's; 0.6 x keep; 0.95 x keep it; 0.37 x know; 0.69 x last x; -0.67 x may; 0.32 x me; -0.88 x me $; 0.18
    x me and; 0.68 x me for; 0.56 x me the; -0.72 x me x; -0.95 x memory; -1.03 x memory ,; 1.29 x memory about;
    -0.4 x move x; 0.28 x my; -0.41 x not; 0.83 x not $; -0.34 x not keep; 0.5 x not x; -0.5 x object; 0.32 x object
    ,; -0.83 x object about; -0.81 x out the; 0.51 x quote; -0.4 x quote $; 0.82 x remove; -0.55 x said; 0.44 x
    should; -0.84 x should be; -0.51 x stop; 0.4 x that; -0.51 x the; -0.67 x the 0; 0.84 x the object; 0.36 x the
    x; -0.04 x their; 0.35 x they; 0.63 x they said; -1.03 x they x; 0.53 x thing; -0.24 x thing $; 0.91 x thing x;
    -0.41 x want; -0.82 x want from; -0.96 x want it; 0.04 x want the; 0.76 x want x; -0.51 x where; -0.35 x you;
    -0.45 x you $; 1.53 x you ask; 1.1 x you from; -0.85 x you know; 0.17 x you x; 1.61 you; -0.3 you $; -0.48 you >
    0; 0.5 you > ?; 0.26 you > about; -0.39 you > all; -0.46 you > ask; 0.55 you > filler; 0.59 you > forget; -0.31
    you > from; 0.45 you > go; 0.76 you > i; -0.77 you > if; -0.45 you > it; 0.38 you > keep; 1.11 you > kept; 0.69
    you > know; -0.78 you > last; 0.33 you > move; 0.73 you > my; 0.35 you > not; -1.02 you > out; -0.34 you >
    quote; 0.12 you > remove; -1.0 you > said; -0.16 you > should; 1.49 you > unheard; -0.06 you > want; 0.72 you >
    what; 0.76 you > where; -0.4 you > you; -1.24 you > your; -0.64 you ? $; -1.45 you about my; 0.41 you and; 0.24
    you from; -0.72 you know $; -0.7 you may; -0.12 you not; 1.39 you not $; -1.43 you remove the; -0.76 you said;
    -0.55 you should; -0.64 you want; 0.27 you x; -0.31 you x $; -0.66 you x ,; -1.1 you x ?; 0.71 you x and; 0.41
    you x from; 0.68 you x i; -0.26 you x it; 0.79 you x my; -0.97 you x the; 0.35 your; -0.5 your > from; -0.49
    your > i; -1.4 your > it's; 0.54 your > memory; 1.17 your > my; 0.52 your > object; 0.35 your > x; -1.2 your >
    you; 1.03 your memory; 0.66 your memory $; -0.02 your x; 0.23 your x $; 0.64 your x about; -0.86 your x be
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
