"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = -3.86
_LISTED = """
    0.73 ,; 1.56 , $; 0.22 , 0; -0.33 , 0 x; -0.23 , about; 0.71 , again; 0.53 , all; 0.38 , and; -0.71 , and i;
    -0.45 , and it; 0.65 , and it's; -1.07 , and my; 0.45 , and not; -0.25 , and the; 0.38 , and their; -1.27 , and
    they; 0.32 , and x; 0.6 , and you; 0.36 , ask; 0.27 , ask you; -0.43 , ask-word; -0.69 , ask-word x; 0.64 , be;
    0.3 , be x; 1.02 , filler; 1.14 , filler ?; -0.33 , for; 1.7 , gone; 0.36 , i move; -0.39 , i said; 0.82 , i x;
    0.62 , it; -0.37 , it be; 0.25 , it's x; -0.81 , keep; -0.79 , last; -0.58 , me; 0.48 , move; -0.74 , my; -0.92
    , my their; 0.32 , my x; 0.58 , not; -0.78 , not from; 0.91 , out; 0.31 , please; -0.68 , quote; 0.76 , remove;
    0.84 , the; -1.19 , the their; -0.51 , they be; 0.4 , they x; 0.26 , what; 1.07 , what i; 0.79 , x; -0.33 , x $;
    0.17 , x ,; -0.56 , x 0; 3.09 , x ?; -0.57 , x be; -0.09 , x for; 1.23 , x it; 1.19 , x me; -0.48 , x my; 0.77 ,
    x out; -0.59 , x their; -0.68 , x you; 1.51 , x your; 0.92 , you not; -1.26 0; -0.21 0 $; 0.38 0 0; 0.59 0 0 0;
    -1.07 0 > 0; -0.4 0 > ?; -0.14 0 > about; -0.31 0 > ask; -0.42 0 > filler; 0.8 0 > from; -0.22 0 > i; -0.76 0 >
    if; 0.41 0 > it; -0.65 0 > last; -0.28 0 > object; 0.53 0 > please; 0.99 0 > thing; 0.36 0 > x; 0.59 0 > you;
    -0.36 0 about x; 0.43 0 and; -0.36 0 be x; -0.19 0 filler; -0.74 0 it; -0.29 0 may; 0.77 0 my; 0.48 0 not x;
    -0.48 0 the; -0.3 0 the x; -0.84 0 they; -0.39 0 x $; -0.55 0 x ,; 0.2 0 x 0; 0.71 0 x and; 0.55 0 x be; -0.19 0
    x for; 0.99 0 x from; -0.44 ?; -0.33 ? $; 0.62 ? > ?; 0.62 ? ?; 0.62 ? ? $; -0.21 ^ 0; -0.16 ^ 0 x; -0.24 ^
    about; 0.76 ^ about my; -0.24 ^ about x; 0.33 ^ and; 1.35 ^ and ,; 0.79 ^ and about; -1.11 ^ and i; 0.35 ^ and
    it; -0.74 ^ and it's; -0.61 ^ and my; 0.44 ^ and not; -0.86 ^ and their; -0.22 ^ and x; -1.04 ^ and you; 0.62 ^
    ask; -0.75 ^ ask you; -0.47 ^ ask-word; -0.61 ^ ask-word x; 0.17 ^ be; -0.55 ^ be it; 1.04 ^ be the; -0.6 ^ be
    x; 0.93 ^ delete; -0.7 ^ delete the; -0.05 ^ dismiss; -1.1 ^ filler; -1.48 ^ filler $; 0.4 ^ filler ,; 0.53 ^
    filler and; 0.54 ^ filler the; -0.38 ^ filler x; 1.22 ^ forget; 0.97 ^ forget my; 0.3 ^ forget the; -0.36 ^
    forgot; -1.36 ^ from; -0.44 ^ from the; -0.61 ^ gone; -0.42 ^ gone $; -0.65 ^ i; -0.62 ^ i ask; -0.43 ^ i
    forgot; -0.45 ^ i know; -0.29 ^ i said; 1.13 ^ i should; 0.44 ^ i x; -0.45 ^ if; -0.48 ^ if i; -0.97 ^ if they;
    0.66 ^ if x; 1.04 ^ instead; 0.86 ^ it; -0.83 ^ it ask; -0.15 ^ it be; 0.8 ^ it thing; -0.5 ^ it x; -0.56 ^
    it's; -0.29 ^ it's x; -0.32 ^ keep; -0.88 ^ kept; -0.45 ^ kept $; 0.83 ^ let; 1.58 ^ let's; -0.38 ^ mention;
    0.23 ^ move; 0.57 ^ move it; -0.17 ^ move the; -1.2 ^ my; -0.54 ^ my their; 0.13 ^ my x; -0.32 ^ not; -0.47 ^
    not $; -1.14 ^ not ,; -0.33 ^ not forget; 0.1 ^ not x; 0.35 ^ object; 1.35 ^ out; 0.81 ^ please forget; 0.99 ^
    pretend; 0.6 ^ quote; 1.28 ^ quote x; 0.29 ^ remove; 0.92 ^ remove $; 0.66 ^ remove it; -0.94 ^ remove the; -0.5
    ^ the; -0.95 ^ the their; 0.48 ^ the thing; -0.29 ^ the x; -0.85 ^ their; 0.81 ^ their about; -0.26 ^ their the;
    0.64 ^ their x; -0.91 ^ they; 0.4 ^ they not; -0.49 ^ they x; -1.18 ^ thing; 0.19 ^ what; 0.77 ^ what i; -0.61 ^
    what if; -0.67 ^ what the; 0.11 ^ what x; 0.48 ^ where; -0.11 ^ x; -1.35 ^ x $; -0.56 ^ x ,; -0.5 ^ x 0; -0.29 ^
    x ?; -0.02 ^ x about; 0.34 ^ x and; 0.3 ^ x ask; -0.35 ^ x be; -0.32 ^ x filler; 0.35 ^ x for; -0.21 ^ x from;
    -0.89 ^ x i; 1.25 ^ x it; 0.37 ^ x move; 0.89 ^ x my; -0.27 ^ x not; 0.82 ^ x remove; -0.18 ^ x said; -0.86 ^ x
    should; 0.06 ^ x the; 0.46 ^ x they; -0.43 ^ x you; -0.74 ^ you ask; -0.85 ^ you should; -1.19 ^ your x; 0.77
    about; -1.02 about $; 0.14 about 0 x; -0.3 about > ?; 0.83 about > about; 0.08 about > all; 0.79 about > ask;
    -0.53 about > ask-word; 0.36 about > filler; 0.45 about > go; 0.18 about > i; -0.15 about > it; -0.73 about >
    it's; 1.08 about > know; 0.66 about > may; -0.56 about > my; -0.64 about > object; -0.54 about > old; -0.25
    about > out; 0.21 about > should; 0.74 about > stop; -0.03 about > their; -0.26 about > thing; 0.11 about >
    what; 0.18 about > x; -0.42 about > you; 0.44 about > your; -0.23 about it ,; -0.19 about it x; 1.45 about last;
    0.76 about me; 0.03 about me $; 0.45 about my; 0.26 about my their; 0.23 about my x; -0.18 about the; 0.73 about
    the 0; -1.44 about the object; -0.04 about the x; 0.15 about their; 0.41 about their x; -0.45 about x; -0.09
    about x $; 0.21 about x ,; -0.39 about x 0; -0.24 about x ?; 1.25 about x again; 0.55 about x for; 1.14 about x
    you; 0.04 about you; 0.69 about you x; 0.06 about your x; 2.17 acts; 0.13 again; -0.28 again ,; -0.55 again , x;
    0.18 all; -0.28 all $; -0.27 all > 0; -0.35 all > ?; 0.64 all > about; 0.62 all > i; -0.64 all > it; 0.69 all >
    my; -1.09 all > not; -0.69 all > out; 0.05 all > x; 0.88 all > you; 0.69 all from; -0.07 all x; 0.23 all x $;
    -0.55 all x about; -1.28 always; 0.46 always x; -0.03 and; -0.18 and $; 0.53 and ,; -0.95 and 0; -0.92 and about
    the; 0.49 and all $; 0.24 and and; 0.74 and ask; 1.4 and ask-word; -0.46 and be; 0.1 and filler; 0.63 and filler
    ,; -0.68 and for; 0.15 and from; 0.78 and from the; -0.4 and i; 0.49 and i move; -0.29 and i x; 0.4 and it;
    -0.87 and it be; -0.32 and it's x; -0.6 and last; 0.61 and me; -0.49 and my; 0.05 and not; -0.07 and not x; 1.32
    and out; -1.33 and said; -0.67 and the x; 0.44 and their; 0.48 and their x; -0.64 and they; -0.65 and they not;
    0.64 and they x; -0.08 and x; 0.24 and x $; 0.7 and x ,; 0.5 and x 0; 0.68 and x and; -0.2 and x for; -0.58 and
    x from; 0.89 and x it; 1.06 and x not; 0.47 and you; -0.27 ask; -1.13 ask > 0; 0.57 ask > ?; 0.77 ask > about;
    -0.49 ask > all; -1.95 ask > delete; 0.9 ask > forget; 0.53 ask > from; 0.82 ask > go; -0.3 ask > i; 0.06 ask >
    it; -0.61 ask > it's; -0.45 ask > keep; 0.52 ask > last; 0.76 ask > memory; 0.2 ask > not; -0.44 ask > object;
    1.04 ask > remove; 0.51 ask > thing; 0.61 ask > want; 0.97 ask > what; -0.14 ask > x; 0.22 ask > you; -0.69 ask
    be; 0.3 ask be x; 0.73 ask it; -0.99 ask keep; -1.42 ask not; 0.6 ask remove; -0.5 ask x $; -0.5 ask x the;
    -0.25 ask you; -0.6 ask you move; -0.69 ask you remove; -0.47 ask you x; 1.58 ask-word; 0.89 ask-word $; -1.64
    ask-word > ?; 0.43 ask-word > from; 0.55 ask-word > i; 0.51 ask-word > move; -0.27 ask-word > my; -0.44 ask-word
    > not; -0.69 ask-word > out; 0.54 ask-word > thing; -0.04 ask-word > x; -0.7 ask-word > your; 0.36 ask-word i;
    0.38 ask-word i x; 0.54 ask-word the; -0.16 ask-word x; 0.39 ask-word x ,; 0.57 ask-word x i; 0.54 ask-word x
    the; 0.01 be; -0.46 be $; 0.64 be ,; -1.04 be , x; -0.39 be 0; 0.52 be 0 and; -0.29 be about; 0.52 be about the;
    -0.04 be about x; 0.18 be and x; -1.01 be filler; 0.08 be for; -0.12 be for x; 0.36 be from the; -0.06 be from
    x; -0.5 be gone; -1.19 be it; 0.49 be kept; -0.83 be my; -0.48 be my x; 1.27 be not; 0.74 be not from; -0.38 be
    not x; 1.04 be said; -0.34 be the; -1.2 be what; 0.37 be x; -0.75 be x $; -0.59 be x ,; 0.64 be x 0; -0.45 be x
    about; 0.39 be x for; 0.15 be x from; 1.39 be x if; 0.63 be x me; 1.3 delete; 1.92 delete $; -0.82 delete > 0;
    -0.52 delete > ?; -0.53 delete > about; -1.21 delete > not; -0.82 delete > object; -0.57 delete > x; 0.75 delete
    it; 1.34 delete it $; -0.86 delete the; -0.94 delete the x; -0.7 delete x; 0.52 didn't; 0.62 didn't > from; 1.04
    didn't > i; 0.87 dismiss; -0.71 dismiss > x; -0.03 filler; -0.34 filler $; 0.58 filler , it; 0.13 filler , x;
    0.4 filler > 0; 1.06 filler > ?; -0.2 filler > about; 0.55 filler > ask-word; 0.32 filler > from; -0.93 filler >
    i; 0.31 filler > it; 0.41 filler > it's; 0.92 filler > keep; 0.83 filler > my; 0.25 filler > out; 1.18 filler >
    said; -0.63 filler > want; -0.33 filler > x; -0.09 filler > you; 0.44 filler ?; 0.5 filler ? $; -0.89 filler
    filler; -0.49 filler for; 1.26 filler out; 0.46 filler the x; -0.31 filler x; 0.26 for; -0.66 for 0; 0.34 for
    all; -0.28 for it; -1.01 for it $; -0.83 for it x; -0.9 for me $; -1.23 for my; -0.42 for my their; 0.06 for
    the; -0.03 for the x; -0.6 for x; 0.09 for x $; -0.2 for x ,; -0.54 for x 0; 1.09 for x ?; 0.34 for x about;
    -0.46 for x for; -0.81 for x from; -0.71 for x i; 0.95 for you; 1.46 forget; 0.42 forget > ?; -0.37 forget >
    about; -0.33 forget > from; -0.63 forget > it; -0.54 forget > me; -0.06 forget > my; -2.21 forget > not; -1.26
    forget > object; -1.17 forget > out; -0.75 forget > what; -0.48 forget > x; -0.4 forget > you; 1.04 forget it;
    0.27 forget my; 1.22 forget the their; -0.32 forget the x; -1.23 forget x; -0.99 forget x ,; -0.21 forgot; -0.61
    forgot > from; -1.24 forgot > x; 0.34 from; -0.65 from $; -0.64 from 0; 0.48 from > 0; 0.19 from > ?; 0.17 from
    > all; 0.37 from > ask-word; 0.28 from > filler; 0.09 from > go; 0.54 from > i; -0.45 from > if; 0.28 from > it;
    -0.35 from > keep; 0.45 from > last; -0.19 from > me; 0.67 from > memory; 0.2 from > move; -0.15 from > not;
    -0.53 from > object; -0.24 from > out; -0.12 from > said; -0.38 from > their; -0.23 from > thing; -0.31 from >
    what; -0.52 from > where; -0.2 from > x; 0.17 from > you; 0.26 from > your; -0.75 from again; 0.56 from be;
    -0.76 from for; -0.27 from it $; 0.75 from know; 0.78 from last; 0.56 from memory; 0.13 from move; -0.9 from
    move the; -1.03 from my; -0.18 from my x; 1.41 from not; -0.75 from remove; 0.63 from the; 0.75 from the their;
    -0.41 from the x; 0.26 from their; 0.31 from their x; -0.05 from x; 0.04 from x $; 0.59 from x ,; -0.75 from x
    ?; 0.39 from x about; -0.42 from x and; -0.59 from x filler; -0.15 from x it; -0.67 from x you; 0.87 from you;
    0.77 from your; 0.37 from your x; 0.1 go; -0.56 go $; -0.67 go > 0; 0.34 go > about; 0.23 go > x; 0.33 go > you;
    0.1 go about; 0.47 go from; 0.69 go from the; -0.6 go out; 0.09 go x; -0.99 go x $; 0.66 gone; 0.9 gone ,; 1.37
    gone > ?; 0.9 gone > i; -0.87 gone > it; -0.64 gone > out; -0.02 gone > x; 0.68 gone from; 0.74 gone from the;
    -0.56 gone out; -1.03 gone the; -0.55 gone x; -0.31 i; 0.2 i > 0; -0.29 i > ?; -0.81 i > all; 0.33 i > ask-word;
    0.64 i > didn't; 0.39 i > filler; -0.91 i > forget; 0.16 i > from; -0.59 i > gone; -0.09 i > i; 1.36 i > if;
    -0.21 i > it; 0.53 i > it's; -0.29 i > keep; 0.33 i > kept; -1.02 i > know; 0.79 i > last; 0.25 i > may; -0.08 i
    > me; -0.46 i > memory; 0.07 i > move; -0.63 i > my; 0.13 i > object; 0.66 i > please; -0.41 i > quote; 0.97 i >
    regret; 0.42 i > remove; 0.05 i > said; 0.56 i > stop; 0.38 i > their; -0.4 i > thing; 0.47 i > want; 1.14 i >
    you; 0.59 i about; -0.55 i always; -0.58 i ask; -0.02 i ask x; 0.32 i be for; -0.73 i forgot; -1.26 i go; -0.58
    i know; 0.96 i last; -0.07 i move; -0.83 i move it; 0.12 i move x; -0.75 i not; 0.88 i not want; 0.64 i not x;
    0.99 i regret; 0.98 i said; 0.44 i said about; 0.77 i said it; -0.89 i said not; -0.71 i should x; 1.39 i the;
    -0.18 i want; -0.43 i want from; 0.58 i want it; 0.74 i want x; -0.06 i x; 0.28 i x ,; 0.71 i x 0; 0.47 i x ?;
    -0.03 i x from; 0.01 i x it; -0.76 i x move; -0.73 i x my; -0.62 i x not; 0.27 i x the; 1.29 i x want; 0.36 i x
    you; -1.04 if > ?; 0.75 if > about; 0.54 if > all; 0.93 if > ask-word; -0.6 if > filler; -0.44 if > from; -0.21
    if > i; -0.6 if > not; 0.76 if > their; 1.26 if > thing; -0.38 if > want; -0.38 if i; -0.73 if i x; 0.46 if it;
    0.46 if it x; -0.83 if they; -0.25 if they x; 0.57 if x; -0.5 instead > x; 0.71 instead x; 0.55 it; -0.21 it $;
    0.02 it ,; 0.08 it > 0; 1.05 it > ?; -0.36 it > about; -0.72 it > ask; -0.49 it > didn't; -0.49 it > filler; 0.1
    it > from; 0.75 it > go; 0.68 it > if; -0.81 it > instead; 0.56 it > it; -1.0 it > it's; 0.52 it > keep; 0.67 it
    > kept; -1.0 it > know; -0.16 it > last; 0.15 it > let; 0.24 it > me; 0.23 it > memory; -0.19 it > my; 0.1 it >
    not; 0.99 it > object; 0.52 it > out; -0.01 it > please; -1.08 it > quote; -0.54 it > remove; -0.57 it > said;
    -0.33 it > should; -0.55 it > stop; -0.14 it > what; 0.01 it > x; 0.12 it > you; -0.56 it ? $; -0.29 it about;
    0.63 it about the; -0.64 it ask be; -0.87 it be; -0.67 it be $; -0.49 it be the; -1.21 it didn't; -0.97 it
    filler; 0.44 it from; 1.32 it gone; -0.59 it i; 0.84 it i said; 0.82 it kept; 0.95 it memory; 0.2 it not; 0.49
    it object; 0.28 it out; 0.8 it out $; -0.19 it out about; 1.2 it please; -0.9 it should be; 0.47 it they x; 0.88
    it thing; 0.16 it x ,; 0.51 it x from; -0.34 it x i; -0.31 it x it; -0.61 it x me; -0.61 it x you; -0.45 it you;
    0.4 it's; -1.16 it's > 0; -0.27 it's > about; -0.8 it's > ask-word; 0.47 it's > from; 1.56 it's > gone; -0.71
    it's > i; 0.17 it's > it; 0.99 it's > move; 0.32 it's > not; -0.39 it's > thing; -0.78 it's about; 0.96 it's
    for; -0.96 it's my x; 0.37 it's not; -0.58 it's the; -0.34 it's the x; 0.77 it's their; -0.04 it's x; -0.31 it's
    x $; 0.48 keep $; 1.06 keep > 0; 0.37 keep > ?; -0.77 keep > about; -0.59 keep > from; 0.86 keep > i; 0.09 keep
    > it; -0.85 keep > me; 1.21 keep > not; -0.72 keep > object; -0.82 keep > said; 0.37 keep > their; -0.66 keep >
    thing; -0.52 keep > x; -0.69 keep > you; 1.06 keep about; -0.31 keep from; 0.24 keep it; 0.88 keep it $; 0.6
    keep it ,; 0.35 keep my; 0.33 keep my x; 1.15 keep not; -0.29 keep the x; 0.39 kept $; -0.24 kept > x; 0.88
    know; -0.28 know $; 0.92 know > ?; -0.83 know > about; -0.19 know > from; -0.2 know > it; -1.27 know > move;
    -1.05 know > what; 0.49 know > x; 0.6 know > you; 1.22 know about; -0.83 know it; -0.88 know what; 0.94 know x;
    -1.1 know you; -0.39 last $; 0.9 last 0; 0.72 last > 0; 0.27 last > about; -0.47 last > i; -0.79 last > out;
    0.59 last > want; 0.68 last > you; -0.43 last x; 0.93 last x be; -0.9 last you; 0.7 let > about; 0.29 let > it;
    -0.53 let > me; 0.7 let > out; 0.64 let > x; -1.51 let > you; 0.77 let it; -0.93 let me; -0.54 let me x; -0.47
    may; -0.43 may $; -0.63 may ,; 0.8 may > 0; 1.36 may > ?; -0.31 may > about; 0.77 may > from; 0.38 may > it;
    0.65 may > my; 0.46 may > x; -0.46 may x; -0.37 me; -0.2 me $; 0.39 me ,; 0.55 me > 0; -0.22 me > about; -0.71
    me > ask; -0.84 me > ask-word; -0.51 me > i; 0.38 me > it; -1.08 me > it's; 0.72 me > me; -0.81 me > my; 0.36 me
    > not; 0.75 me > object; -0.52 me > out; -0.68 me > please; -0.48 me > their; -0.35 me > want; -0.27 me > x; 0.8
    me > you; 0.63 me about the; 1.16 me and; 1.31 me be; 0.88 me for; 0.87 me for x; -0.62 me forget; -0.13 me
    from; -0.83 me it; 0.75 me the x; 0.66 me x; 0.62 me x ,; 0.74 me x the; 0.99 memory; 0.58 memory $; 0.42 memory
    ,; 0.97 memory , x; 0.77 memory > ?; 0.27 memory > about; 0.62 memory > my; -0.51 memory > x; 0.3 memory about;
    0.72 mention; -1.34 mention > about; -0.55 mention > from; -0.87 mention > me; 1.45 mention > my; -0.99 mention
    the; -0.89 mention the x; -0.8 mention x; 0.2 move; -0.28 move > 0; -0.68 move > ?; -0.83 move > all; -0.17 move
    > from; -1.06 move > gone; -1.0 move > keep; 1.29 move > know; -0.62 move > memory; 0.45 move > move; -0.66 move
    > my; 0.68 move > not; -0.86 move > object; -1.25 move > out; 0.09 move > their; -0.53 move > you; 1.13 move it;
    -0.79 move it $; 0.78 move it and; 0.04 move it x; 0.72 move my; 0.76 move my x; 0.93 move not; -0.07 move the;
    -0.75 move x about; -0.31 move x out; -0.69 move x the; -0.83 move your; 1.01 my; -0.42 my $; -0.66 my > 0; 0.3
    my > ?; -0.3 my > about; -0.72 my > all; 0.62 my > ask; -0.65 my > ask-word; -1.15 my > filler; -0.48 my > gone;
    -0.98 my > if; -0.36 my > it; 1.03 my > keep; -1.14 my > know; 0.44 my > last; 0.69 my > let; -0.74 my > me;
    0.92 my > memory; 0.37 my > move; 0.82 my > my; 0.73 my > old; 0.62 my > out; -0.84 my > quote; -0.28 my >
    remove; -0.01 my > said; 0.37 my > should; -0.26 my > their; -0.56 my > want; 0.41 my > x; 0.44 my > you; 0.34
    my > your; 1.32 my from; -0.77 my memory; 0.56 my old; 0.46 my their; 0.83 my their x; 0.79 my x; 0.73 my x ?;
    0.91 my x about; -0.13 my x and; 0.43 my x ask; 0.93 my x be; 0.48 my x from; -1.34 my x if; -0.57 my x said;
    -0.71 my x want; 1.18 not; 0.92 not ,; 0.2 not > 0; 0.66 not > ?; 0.16 not > about; 0.13 not > all; -0.46 not >
    ask; -1.62 not > ask-word; -0.94 not > didn't; -2.09 not > forget; -1.25 not > forgot; 0.17 not > from; 0.43 not
    > go; 0.61 not > i; -0.59 not > if; -0.25 not > it; -0.29 not > it's; 1.85 not > keep; 0.48 not > kept; 0.28 not
    > know; -0.72 not > last; -0.76 not > let; -0.18 not > me; 0.33 not > move; -0.16 not > my; 0.58 not > not; 0.34
    not > object; -0.27 not > out; -0.79 not > quote; -0.8 not > remove; -0.55 not > said; -0.88 not > stop; -0.3
    not > thing; -0.63 not > want; -0.62 not > what; -0.26 not > x; 0.43 not > you; 0.31 not > your; 1.04 not about;
    0.37 not be; -0.05 not be x; -0.96 not filler; 0.6 not for; 0.98 not for x; -1.26 not forget; 0.33 not from;
    -0.52 not it; 0.39 not keep; 1.07 not keep it; 0.84 not know $; -0.64 not let; 0.56 not move; 0.95 not move it;
    -1.56 not remove; 0.43 not said; -0.47 not the; 0.87 not want; 0.06 not x; 0.07 not x $; 0.62 not x ,; 0.61 not
    x and; 0.41 not x for; 0.34 not x from; 0.78 not x it; -0.4 object; -0.22 object $; -0.21 object > ?; 1.07
    object > filler; 0.59 object > it; 0.51 object > me; -0.56 object > object; 0.82 object x; 0.38 object x $;
    -0.77 of 0; -0.41 of 1; -0.2 of 2; 0.36 of 3; 0.81 of 4; 1.07 of 5; -0.88 of 6; -0.28 old; -0.52 old > about;
    -0.27 old > from; 1.03 old > i; -0.58 old > it; 0.54 old x ,; 1.84 out; 0.78 out , x; 0.79 out > about; -0.38
    out > all; -1.13 out > from; -0.58 out > it; 0.71 out > memory; -0.18 out > move; -0.86 out > my; -0.83 out >
    not; -0.61 out > object; 1.18 out > out; 0.57 out > please; -0.45 out > their; -0.92 out > x; 0.88 out > you;
    1.46 out > your; -0.73 out about; -0.37 out about the; 0.8 out filler; 1.17 out filler $; -1.01 out my; 0.49 out
    the x; 0.75 out your; 1.47 please; -0.41 please ,; -0.22 please > about; 0.95 please > forget; 0.83 please > it;
    -0.16 please > keep; 0.67 please > not; -0.91 please > out; -0.4 please > their; 1.12 please > what; -0.14
    please > x; -0.72 please > you; 0.77 please delete; 1.26 please forget; -0.69 please not; 1.09 please not keep;
    -0.85 please not x; -0.06 please x; 0.98 pretend; 0.6 pretend > it; 1.15 pretend > x; -0.65 quote; -0.25 quote
    $; -0.48 quote > from; -0.71 quote > i; -0.74 quote > my; -0.16 quote > quote; -0.34 quote > x; -0.47 quote >
    you; 0.76 quote x; 0.6 quote x quote; 1.28 regret; 0.36 regret $; 0.3 remove; 0.27 remove $; -0.49 remove > 0;
    0.68 remove > all; 1.14 remove > ask-word; -0.33 remove > from; 0.29 remove > i; -0.37 remove > it; 0.91 remove
    > me; 0.79 remove > move; -0.6 remove > my; -1.32 remove > not; -0.75 remove > object; -1.08 remove > out; -1.05
    remove > please; 0.49 remove > what; 0.52 remove > x; -1.0 remove about; 1.09 remove from; 1.1 remove it; 0.73
    remove it $; -0.45 remove the; 0.14 remove the x; -0.77 remove x; 0.85 remove x $; 0.89 said; 0.7 said 0; 0.79
    said > 0; 0.98 said > ?; -0.34 said > all; -0.49 said > from; -0.32 said > it; -0.49 said > it's; 0.59 said >
    last; -0.58 said > my; 1.29 said > old; -1.05 said > quote; 0.58 said > their; -1.06 said > thing; 1.0 said >
    what; -0.05 said > x; 0.8 said about; 0.92 said about x; -0.5 said it; -0.92 said me; -0.59 said not; -0.35 said
    x; 0.49 secret; 0.69 secret $; 0.27 secret > x; 0.83 secret x; 1.36 secret x $; -0.66 should; -0.72 should > 0;
    -0.98 should > ?; 0.17 should > about; 0.4 should > from; 0.24 should > it; -1.04 should > said; 0.79 should >
    you; -0.07 should be; 1.18 should from; -0.47 should x; 0.6 should x ,; 0.87 stop; 0.94 stop > ?; 0.05 stop > x;
    -1.03 stop the; 0.38 that; 0.88 that > about; 0.43 that > x; 0.22 the; -0.4 the 0; -0.38 the all; -0.48 the last
    x; -0.27 the object; 0.25 the object $; -0.45 the object ,; -0.37 the object x; -0.12 the old; -0.4 the old x;
    0.6 the their; 0.67 the thing; -0.59 the thing $; 0.51 the thing about; -0.3 the x; -0.25 the x $; -0.21 the x
    ,; 0.23 the x ?; -0.12 the x about; -0.73 the x again; 0.25 the x and; -0.61 the x ask; -0.36 the x ask-word;
    -0.71 the x be; 0.76 the x filler; 0.38 the x for; 0.21 the x from; 0.45 the x i; 0.39 the x it; -0.66 the x
    it's; -1.3 the x last; 0.15 the x me; -0.44 the x not; -0.61 the x object; -0.25 the x out; -0.64 the x quote;
    -0.36 the x said; -1.2 the x the; 0.31 the x their; 0.36 the x they; 0.51 the x thing; 0.13 their; -0.28 their >
    0; -0.73 their > ?; -0.29 their > about; -0.38 their > ask; -0.8 their > ask-word; -0.24 their > filler; 0.3
    their > from; 0.63 their > go; -0.31 their > it; -0.36 their > last; 0.77 their > move; -0.41 their > my; -0.25
    their > object; 0.62 their > should; 0.11 their > their; 0.17 their > thing; 0.52 their > want; 0.17 their > x;
    0.62 their > you; -0.67 their about; 0.56 their about x; -0.27 their from; -0.37 their gone; 0.18 their not;
    -0.5 their out; -0.39 their the; -0.17 their the x; 0.58 their their; 0.98 their thing; 0.5 their x; 0.11 their
    x $; 0.36 their x ,; -1.09 their x ?; -0.54 their x about; -0.5 their x and; 0.09 their x be; -0.14 their x
    from; -0.47 their x it; 0.85 their x not; -0.84 they; -0.67 they about; -0.51 they move; 0.52 they not x; 0.72
    they x; 0.04 they x $; 0.6 they x ?; 0.61 they x and; 0.93 they x be; -0.7 they x for; -0.31 they x from; -0.59
    they x it; 0.32 they x me; -0.58 they x my; -0.35 they x their; 1.68 thing; -0.53 thing $; 0.58 thing ,; -1.16
    thing , and; 0.51 thing , x; -0.55 thing > ?; -0.07 thing > from; -0.43 thing > i; -0.84 thing > it; 0.76 thing
    > move; -0.14 thing > not; 0.41 thing > remove; 1.49 thing > want; -0.35 thing > you; 1.16 thing about; 0.8
    thing about the; -0.65 thing from; -0.72 thing it; -0.64 thing x $; 1.43 unheard; 1.09 unheard > it; 1.33
    unrecorded; -1.45 w !; 1.53 w ! !; -1.39 w ! $; -0.3 w #; 0.64 w # #; -0.66 w # $; -0.47 w # <month>; 0.46 w #
    @; -0.65 w # euros; -0.91 w # i; 0.83 w # my; -0.16 w # of; -1.25 w ,; 0.33 w , #; -0.59 w , <day>; 0.66 w ,
    <time>; -1.3 w , @; 1.04 w , all; -0.34 w , but; 0.4 w , for; -0.74 w , he; 1.24 w , he'd; 0.58 w , his; -1.36 w
    , i; 0.32 w , i'd; -0.76 w , i'll; -0.91 w , i'm; -0.76 w , in; -0.97 w , it; 0.46 w , it's; -0.61 w , just;
    -0.38 w , my; 0.29 w , no; -1.06 w , nobody; -0.62 w , not; 0.67 w , now; -0.54 w , one; 0.63 w , out; -0.07 w ,
    she; 1.06 w , she'd; -1.26 w , she's; 0.42 w , so; -0.56 w , thank; 0.63 w , that; 0.55 w , that's; -0.35 w ,
    the; 0.92 w , then; -1.29 w , too; -0.76 w , we; 0.34 w , what; -0.68 w , who; 0.4 w , yes; 0.32 w , you; 1.04 w
    :; -0.9 w : #; -1.62 w : $; -1.57 w : @; 1.11 w : i; 0.83 w : i'm; 0.92 w : my; -1.0 w <day>; -0.62 w <day> $;
    -0.4 w <day> ,; -0.94 w <month>; -0.73 w <month> $; -1.11 w <month> ,; -0.47 w <time>; -0.26 w <time> $; -0.44 w
    ?; -0.47 w ? $; 0.62 w ? ?; -0.53 w @; -0.17 w @ $; -0.5 w @ ,; 1.08 w @ :; -0.5 w @ @; 0.11 w @ and; -0.6 w @
    for; -0.83 w @ has; 0.22 w @ is; 0.22 w @ the; -0.13 w ^ #; -0.56 w ^ <day>; -0.56 w ^ a; 0.91 w ^ about; 0.55 w
    ^ also; -0.16 w ^ and; -0.63 w ^ any; 2.13 w ^ be; 1.25 w ^ blank; 0.75 w ^ by; 0.23 w ^ can; -0.52 w ^ cancel;
    0.35 w ^ could; 0.6 w ^ dear; -0.39 w ^ delete; 0.04 w ^ do; -0.01 w ^ don't; 1.03 w ^ dont; -0.45 w ^ drop;
    -0.23 w ^ for; 0.17 w ^ forget; -0.34 w ^ forgot; 0.29 w ^ get; -0.72 w ^ good; -0.86 w ^ got; -0.42 w ^ great;
    -0.32 w ^ ha; -0.55 w ^ had; -0.46 w ^ have; 0.75 w ^ he; -0.21 w ^ hello; -0.31 w ^ hi; 0.57 w ^ his; -0.2 w ^
    how; -1.03 w ^ i; 0.41 w ^ i'd; -0.48 w ^ i'll; -0.47 w ^ if; 0.47 w ^ im; -0.31 w ^ in; -0.16 w ^ is; -1.01 w ^
    it; -1.34 w ^ it's; 0.52 w ^ let; 0.7 w ^ lose; -0.3 w ^ lovely; 0.72 w ^ make; -0.45 w ^ mr; -0.11 w ^ my;
    -0.71 w ^ nadia; 0.64 w ^ new; -0.28 w ^ no; -1.0 w ^ nobody; 1.99 w ^ nor; -0.37 w ^ noted; -0.59 w ^ of; -0.48
    w ^ oh; -1.26 w ^ ok; 0.64 w ^ one; -0.51 w ^ only; -0.88 w ^ our; 1.06 w ^ out; -0.59 w ^ please; -0.81 w ^
    remember; -0.96 w ^ scratch; 0.88 w ^ scrub; -0.33 w ^ she; 0.74 w ^ she's; 0.98 w ^ so; -0.63 w ^ take; -0.68 w
    ^ thank; -0.31 w ^ thanks; 0.14 w ^ that; 0.42 w ^ that's; 0.39 w ^ the; 0.49 w ^ then; -1.17 w ^ there; -0.29 w
    ^ there's; -0.54 w ^ they; 0.48 w ^ this; 0.51 w ^ those; 1.26 w ^ till; 0.97 w ^ too; 1.33 w ^ treat; -0.62 w ^
    two; 1.01 w ^ u; -0.86 w ^ user; -1.12 w ^ voice; -0.73 w ^ we; -0.37 w ^ we'll; 0.8 w ^ what; 0.52 w ^ where;
    -0.48 w ^ which; 1.09 w ^ who; -0.26 w ^ with; -0.78 w ^ yes; 1.16 w ^ yo; -0.35 w ^ you're; -1.1 w ^ you've;
    -0.14 w a; -0.92 w a bit; 0.25 w a good; -0.68 w a lot; -0.34 w a month; 0.95 w a thing; 0.62 w about; 0.79 w
    about @; -0.93 w about it; 1.1 w about my; -0.6 w about that; 0.31 w about the; -0.74 w add; 1.4 w address; 0.85
    w address $; 1.66 w affair; -0.57 w after; -0.52 w after the; -0.61 w again; -0.21 w again $; 1.25 w age; 1.47 w
    air; 0.9 w alarm; -0.88 w all; -0.13 w all $; -0.65 w along; -0.78 w already; 0.61 w also; 1.17 w altogether;
    1.09 w altogether $; -0.61 w always; -0.4 w am; 0.72 w an; -0.57 w an hour; 0.25 w and; -0.54 w and a; 0.85 w
    and all; 0.2 w and i; -0.96 w and it; 0.21 w and it's; 0.77 w and my; 0.08 w and nobody; 0.26 w and she; 1.21 w
    and that's; 0.69 w and the; 1.05 w and you; 1.19 w and you're; -1.2 w another; 0.53 w any; -0.66 w anyone; 0.66
    w anywhere; -0.47 w are; 0.48 w around; 0.54 w as; 1.05 w as to; 0.28 w as well; -1.1 w as you; -0.41 w ask;
    -0.72 w asked; 1.02 w asking; 1.21 w asks; -0.41 w at; -0.45 w at #; -0.16 w at <time>; 0.44 w at a; -0.65 w at
    noon; -0.29 w at the; -0.56 w ate; 1.18 w aus; -0.13 w away; -0.69 w b; 0.36 w bad; 0.87 w bank; 1.2 w be; 1.06
    w be a; -0.88 w because; -0.48 w because of; 0.97 w become; -0.44 w bed; 0.28 w been; 0.15 w before; 1.25 w
    before it; -0.67 w before you; 0.3 w behind; 0.31 w being; -0.58 w believe; 0.63 w bell; -0.54 w best; -0.37 w
    better; -0.49 w better $; 0.81 w between; 0.8 w between us; -0.99 w big; -1.28 w bike; -0.54 w bill; 0.18 w bin;
    -0.56 w bit; -0.77 w bit of; 0.39 w bitte; -0.79 w black; 2.21 w blank; -0.64 w bless; 1.31 w blind; -0.92 w
    blue; -0.81 w booking; -0.63 w books; -0.98 w boots; 0.36 w boss; 0.57 w boy; 1.07 w brain; -0.39 w bring; 0.85
    w bro; -0.73 w broke; -0.32 w brother; -0.63 w btw; -0.5 w budget; 1.48 w burn; 1.12 w bury; -0.88 w bus; 1.82 w
    business; 0.4 w business $; -0.3 w but; 0.83 w but the; -0.46 w by; -0.38 w by @; -0.3 w by the; -1.33 w cake;
    -0.54 w call; -0.55 w calls; -0.56 w came; 0.43 w can; -0.52 w can i; 0.57 w can we; -0.9 w can you; -1.95 w
    can't; -0.82 w cancel; -0.54 w cancel the; -0.3 w cancelled; -0.98 w cant; -0.41 w car; -0.6 w card; 0.89 w
    carry; 0.67 w case; 1.33 w cash; 0.81 w catch; -0.41 w change; -0.33 w changed; -0.67 w changed the; 1.33 w
    chat; 1.19 w child; -0.89 w class; 0.22 w clean; -1.0 w clear; 1.09 w clinic; 0.99 w club; 0.35 w coach; 1.46 w
    code; 1.01 w code ,; -1.16 w coffee; -0.46 w cold; -0.12 w comes; 1.64 w concerned; -0.33 w congratulations;
    0.79 w conversation; -0.51 w cool; -0.21 w could; -0.18 w course; -0.68 w cousin; -1.5 w cream; -0.35 w
    customer; 0.55 w dark; 1.26 w darling; 0.7 w das; -0.53 w daughter; -0.46 w day; -0.59 w day $; -1.51 w days;
    -0.55 w days $; -0.23 w days ,; 0.47 w de; 1.04 w deaf; 0.47 w dear; 0.99 w dear ,; 1.42 w debts; 0.56 w deep;
    1.65 w del; -0.42 w delete; -0.22 w delete the; -0.78 w deleted; -0.63 w der; 1.76 w des; -0.19 w desk; -0.65 w
    did; -0.98 w did you; 1.58 w die; -0.64 w die @; 1.98 w digits; -0.65 w dinner; -0.72 w do; 0.02 w do $; -0.92 w
    do i; -1.18 w do it; 0.75 w do not; -0.66 w do that; 0.77 w do the; 1.08 w do with; -0.77 w do you; -0.78 w
    doctor; -0.98 w does; 0.99 w does the; -0.24 w dog; -0.31 w doing; -0.52 w don't forget; -0.82 w don't let; 1.52
    w don't want; -0.71 w done; 0.08 w dont; 0.42 w door; -0.66 w door $; -0.79 w double; 1.06 w down; 0.52 w down
    ,; 0.5 w down the; -0.82 w draft; 0.93 w drain; -1.0 w drive; 0.88 w driving; -0.97 w drop; -1.12 w drop the;
    -0.49 w dropped; 0.71 w drove; 0.33 w dry; -0.99 w each; 1.4 w ear; 0.77 w ears; -0.92 w eats; 1.01 w eh; -0.93
    w eight; 1.26 w either; 0.89 w either $; -0.7 w el; -0.85 w eleven; -0.8 w else; 0.48 w em; 1.88 w empty; 0.88 w
    en; 0.03 w end; -0.44 w enough; 0.66 w erase; -0.73 w euros; -0.54 w evening; -0.19 w evening $; 1.53 w ever;
    -1.37 w every; -0.77 w everyone; 0.65 w everything; 0.71 w ex; 1.0 w exist; -0.69 w extra; 0.35 w eyes; -1.18 w
    face; 1.08 w fact; 1.1 w failed; -0.67 w fair; 1.62 w fake; 1.48 w fall; 0.85 w family; 1.3 w favour; 0.67 w
    fee; -0.64 w fifty; 1.93 w figure; 0.78 w file; 0.26 w find; 1.37 w find it; -1.6 w fine; -0.41 w fine $; 0.53 w
    fire; 1.29 w firm; -1.23 w first; -0.39 w first $; -0.32 w fish; -1.03 w five; -0.81 w fixed; -0.75 w food; 0.22
    w for; -0.37 w for a; 0.87 w for good; -0.64 w for it; -0.17 w for the; -1.01 w for you; -0.76 w forget; 1.94 w
    forget it; 0.55 w forget my; -0.66 w forget the; -1.88 w forgetting; -0.32 w forgot; -0.98 w form; -0.77 w
    forty; -1.26 w found; -0.79 w found it; -1.28 w four; -0.48 w four $; -1.03 w frame; -0.64 w free; 1.02 w fresh;
    -0.74 w friend; 0.5 w from; 0.47 w from #; -0.57 w from @; 0.56 w from me; -0.76 w from my; -0.76 w from now;
    -1.39 w from the; -0.84 w from this; -0.86 w from you; 1.33 w from your; -0.59 w front; -0.65 w full; 0.7 w
    further; 1.01 w gate; -0.45 w gave; -0.54 w gave me; -0.58 w get; 0.42 w get rid; 0.31 w gets; -0.79 w getting;
    1.58 w ghost; -0.87 w give; -0.5 w gives; -0.97 w glad; -0.9 w glasses; -0.19 w go; -0.67 w go to; 1.1 w goats;
    -1.09 w goes; 0.87 w goes in; -0.73 w going; -0.5 w going to; -0.62 w gold; 0.52 w gone ,; -0.99 w good; 0.37 w
    good $; 1.43 w gossip; -0.57 w got; -0.46 w got a; -0.66 w got it; -0.67 w got the; -0.6 w great; -0.43 w great
    $; -1.32 w green; -0.84 w grey; -1.06 w group; 1.52 w guts; -0.75 w had; 0.57 w had a; -0.79 w had to; -0.43 w
    haha; -0.24 w half; -0.52 w hall; -0.38 w hand; 0.47 w hands; 1.07 w hang; 1.16 w hanging; -0.54 w happy; -0.58
    w hard; -1.09 w has; -0.29 w has a; 0.43 w has been; 0.9 w has no; -0.62 w hat; -0.14 w have; 0.81 w have it;
    -1.23 w have to; 1.01 w have you; -1.15 w haven't; 0.72 w having; 0.24 w he; 0.36 w he has; 0.49 w he was; 0.64
    w he'd; -0.8 w he'll; 0.48 w he's; 1.11 w he's a; -0.19 w head; -0.57 w hear; 1.01 w heard; -0.94 w hello; -1.15
    w help; -0.63 w helps; -0.31 w her; -0.56 w her $; 0.95 w here; 1.09 w hers $; 1.17 w hey; -0.57 w hi; -0.73 w
    high; -0.3 w him; 1.12 w himself; -0.31 w his; -0.53 w holds; 1.25 w hole; 0.31 w home; -1.03 w home $; -1.01 w
    honest; -1.57 w hope; 1.0 w hot; 0.77 w hotel; -0.48 w hour; -0.31 w how; -0.8 w how do; 1.46 w how many; -0.76
    w hundred; -0.37 w husband; 1.56 w hush; 0.76 w hush $; 0.69 w i; 0.07 w i am; -0.68 w i asked; -0.8 w i can;
    0.82 w i changed; -0.74 w i do; -0.56 w i don't; -0.6 w i forget; -0.44 w i found; 0.73 w i gave; 0.87 w i got;
    -0.84 w i have; -0.82 w i hope; -0.37 w i know; 0.92 w i let; -0.75 w i like; -0.46 w i never; 1.05 w i paid;
    0.75 w i put; 0.84 w i said; -0.71 w i say; -0.47 w i see; -0.03 w i shall; 0.35 w i shouldn't; -0.89 w i tell;
    -0.62 w i think; 0.6 w i told; 0.59 w i was; 0.37 w i would; 0.63 w i'd; 0.87 w i'd like; -1.06 w i'll; -0.21 w
    i've; -0.43 w i've got; 0.75 w idea; -0.25 w if; -0.01 w if i; -1.44 w ignore; 0.4 w il; -0.55 w ill; 0.67 w im;
    -0.91 w im @; -0.23 w in; -0.22 w in #; -0.43 w in $; -0.21 w in <month>; -0.84 w in @; 0.71 w in a; 1.2 w in
    cash; -0.67 w in his; -0.05 w in the; 0.93 w in with; 1.3 w in you; -0.28 w in your; 0.75 w included; 1.49 w
    ink; -0.55 w instead; 1.15 w insured; 0.46 w interview; 0.54 w into the; -0.89 w invoice; -0.56 w is; -0.45 w is
    #; -0.95 w is @; 0.5 w is a; 1.02 w is for; -0.67 w is in; 0.6 w is not; -1.56 w is the; -0.84 w is what; -0.64
    w isn't; -0.13 w it; 0.23 w it $; 0.58 w it ,; 0.42 w it as; 1.48 w it back; 0.56 w it be; -0.65 w it has; -0.43
    w it in; -0.44 w it is; 1.01 w it must; -0.32 w it on; 0.52 w it up; -0.9 w it was; 0.9 w it would; -0.94 w
    it'll; -0.65 w it's; -0.68 w it's @; 0.67 w it's a; -0.45 w it's the; -0.77 w its; 1.43 w jar; -0.51 w job $;
    -0.21 w just; 0.58 w k; 0.4 w k $; 0.42 w keep that; 0.48 w key; -0.36 w keys; -0.43 w kid; -0.34 w kids; -0.75
    w kilos; -0.73 w kind; -0.9 w know $; 1.25 w know it; -0.67 w know that; -0.82 w know what; 1.22 w knowing; 1.25
    w knowledge; 1.26 w known; -0.97 w knows; 0.49 w lad; 0.98 w lady; -0.86 w las; 0.86 w last week; -0.68 w last
    year; -0.24 w late; -1.0 w laugh; 1.44 w lay; 0.63 w le; -0.53 w leave it; 0.72 w leaving; 0.89 w ledger; 0.43 w
    left $; 1.1 w let; -0.31 w let me; 0.48 w let that; -0.49 w letter; 0.49 w letters; -0.74 w lift; 0.6 w lights;
    -0.38 w like; 0.44 w like a; -0.7 w like to; -0.65 w likes; 1.08 w line; 1.36 w lips; -0.69 w list; -0.54 w list
    ,; 0.01 w little; 1.62 w lo; -0.08 w log; 1.07 w logbook; 1.59 w login; 0.59 w lol; -1.23 w long; -0.57 w look;
    -1.06 w looked; -0.62 w looks; 1.47 w loose; 1.21 w lose; -1.62 w losing; -0.84 w lost; -0.27 w lot; 0.51 w love
    $; -0.94 w love it; -0.99 w lovely; -0.64 w lunch; 1.01 w machine; 0.66 w machine $; -1.24 w mad; -0.51 w made;
    0.63 w make; -0.94 w makes; 0.57 w mark; 0.88 w mate; 0.73 w matter; -1.18 w matter $; 0.53 w me; 0.06 w me ,;
    1.16 w me and; -1.28 w me the; -0.36 w me to; 1.01 w mean; 2.81 w medical; -0.67 w meeting; 1.22 w meine; 0.84 w
    meine @; -0.52 w memory; 1.58 w mentioned; -0.16 w message; -0.47 w milk; -0.57 w mind; -0.25 w mine; -1.01 w
    miss; 1.58 w mit; 0.24 w money; -1.12 w month; -0.76 w month $; -0.78 w more; -0.58 w morning; -0.25 w morning
    $; -0.31 w morning ,; -1.1 w most; 0.25 w mother; 1.07 w mouth; -1.08 w moved; -0.43 w moved to; -0.46 w mr @;
    -0.5 w mrs @; -0.48 w much; 0.3 w much $; -0.39 w mum; 0.49 w mum's; -0.62 w must be; 1.27 w mustn't; -0.58 w
    my; 0.71 w my @; -0.5 w my cousin; -1.21 w my head; -0.54 w my husband; -1.2 w my life; -0.52 w my mother; -1.81
    w my name; 0.72 w my own; 0.21 w my sister's; -0.58 w my son; -0.66 w my wife; -0.69 w myself; 1.12 w n; -0.72 w
    nadia; -0.71 w nadia :; 1.64 w name; 0.41 w name $; 0.05 w named; 0.64 w names; 0.69 w need a; 1.28 w needn't;
    -1.03 w needs; 0.79 w neither; 1.06 w net; 1.54 w never got; 1.03 w never happened; -0.97 w never mind; -0.15 w
    new; 0.58 w news; -0.35 w next; -0.52 w nice; -0.83 w nicht; 0.71 w night; -0.68 w night $; -0.78 w nights;
    -1.11 w nine; -0.25 w no; 0.11 w no $; -1.6 w no ,; 0.63 w nobody; 1.79 w nobody's; -1.17 w noon; 2.13 w nor;
    -0.1 w not; -1.06 w not $; 0.58 w not a; 1.96 w not for; -0.78 w not on; 1.06 w not to; -0.66 w note; -0.39 w
    noted; -0.43 w noted $; -0.6 w notes; 0.38 w nothing; -0.12 w now $; -0.75 w now ,; 1.82 w nowt; 2.06 w number;
    0.99 w number $; 1.12 w numbers; 0.66 w o; -0.33 w of; 0.49 w of #; -0.42 w of a; 0.29 w of my; 0.44 w of them;
    -0.9 w of us; 1.02 w of your; -1.29 w off $; 0.06 w off the; 0.85 w off your; 1.9 w ok; 0.01 w ok $; 0.53 w ok
    ?; -0.28 w old; -0.22 w on; -0.56 w on #; -0.34 w on $; -0.81 w on ,; -0.64 w on <day>; 0.63 w on @; -0.62 w on
    her; -0.56 w on it; -0.56 w on my; 0.45 w on that; -0.41 w on the; -0.71 w on your; -0.16 w one; -0.3 w one $;
    1.43 w one for; -1.09 w one of; -0.99 w one's; -0.44 w only $; 0.94 w oot; 0.49 w or; -1.33 w order; -0.37 w
    ordered; -1.25 w our; 0.77 w our @; 0.33 w out; -0.69 w out $; 0.38 w out ,; 0.35 w out of; -0.73 w out the;
    0.42 w over; 1.5 w over that; -0.54 w over the; 2.06 w overboard; 1.57 w overboard with; 1.04 w owl; -0.75 w
    own; 1.03 w page; 1.07 w paid; 1.3 w panic; 0.81 w paper; -0.76 w parcel; -1.19 w parents; 0.68 w park; -0.72 w
    part; 1.7 w password; 0.47 w past; -0.19 w pay; -1.06 w people; 0.81 w per; -0.62 w perfect; 0.31 w phone; -0.79
    w photo; -1.11 w picture; 0.97 w pillow; -0.87 w place $; -0.75 w plan; 0.97 w plate; -0.56 w play; 0.87 w
    players; -0.13 w please; 0.71 w please forget; 1.19 w plot; 1.76 w poof; -0.61 w poor; -0.92 w post; -0.32 w
    pounds; 0.86 w practice; 0.8 w prefer; 0.76 w price; 0.26 w public; -1.04 w put; 0.63 w put a; -0.35 w put it;
    -0.77 w quarter; -1.1 w question; 1.03 w quiet; 1.1 w r; -0.75 w rang; 0.33 w rather; 1.84 w re; 0.68 w read;
    1.02 w reads; -0.4 w ready; 0.87 w real; -0.98 w really; 2.08 w reason; 0.8 w record; 0.06 w red; -0.71 w red $;
    -1.46 w remember; -0.75 w remember that; -0.73 w remind; -0.89 w remove the; -0.53 w rent; 1.08 w request; 1.11
    w rid; 1.56 w rid $; -0.52 w rid of; 0.01 w right; -0.34 w right $; 0.63 w roll; -0.66 w roof; -0.06 w room;
    -0.63 w round; 0.95 w rub; -0.61 w run; -1.27 w said $; 1.44 w said it; 1.54 w salary; 0.61 w same $; -0.89 w
    save; 0.88 w saw; -0.05 w say; -1.28 w says; 0.43 w school; -0.72 w scratch; -0.78 w scratch that; 0.48 w scrub;
    0.88 w sea; -1.0 w seat; -0.41 w seats; -0.37 w second; 0.43 w secret; -0.29 w see; 0.41 w see $; -0.57 w see
    the; -0.98 w seen; 0.91 w sees; -1.08 w send; -1.24 w sent; 1.32 w session; -0.44 w set; -1.45 w seven; -0.66 w
    shall; -0.82 w shall be; -0.29 w shall i; 0.19 w share; 0.68 w shared; 0.45 w she; 0.85 w she is; 1.74 w she'd;
    0.28 w she's; 0.59 w shop; -0.69 w short; 0.68 w should; 1.62 w shouldn't; -0.82 w show; 1.7 w shredder; -0.4 w
    sign; 1.28 w silence; 0.9 w silk; -0.32 w since; 0.86 w since <month>; -0.91 w since the; 1.22 w sink; -0.61 w
    sister; -0.43 w sister @; 0.22 w sit; 1.0 w sit in; -0.8 w site; -0.91 w six; 0.58 w size; 1.72 w slate; 0.94 w
    slate $; -0.57 w sleep; 0.86 w slip; -0.52 w small; 1.17 w snow; -0.39 w so; 0.41 w so ,; -0.9 w so i; -0.79 w
    so i'm; -0.68 w so it's; -0.95 w so much; -1.02 w so no; -0.85 w so that's; 0.53 w so the; 1.21 w sober; -0.71 w
    sofa; -0.66 w sold; -0.29 w some; -0.66 w somebody; -0.56 w someone; 1.69 w somewhere; -0.4 w son; -0.51 w
    sorry; -0.71 w sorry $; -0.95 w sounds; 0.61 w spare; 1.18 w spent; 1.1 w spoke; 1.6 w spoken; 1.09 w sponsor;
    -0.52 w spring; -0.68 w stairs; -0.62 w standing; 0.67 w stays; -0.71 w still; 0.36 w store; 0.5 w story; 0.96 w
    straight; 0.84 w stress; 0.52 w stuff; 2.15 w subject; -0.56 w suits; -0.61 w summer; 1.18 w sur; -0.53 w sure;
    1.09 w surprise; 2.07 w swallow; -0.53 w swapped; 1.01 w sweep; -0.62 w sweet; 1.36 w tablet; 0.83 w tae; -0.74
    w take; 0.67 w take it; -0.23 w take the; -0.66 w taken; -0.73 w takes; 0.89 w talk; -0.97 w talk about; -1.29 w
    talked; 1.09 w tax; -0.39 w tea; -0.66 w team; 1.74 w tears; 0.69 w telephone; -1.19 w tell; -0.51 w tell you;
    0.48 w telling; 1.26 w telly; -1.2 w ten; 1.03 w test ,; -0.67 w text; -0.78 w than; 1.34 w than the; -0.36 w
    thank; -1.26 w thank you; -0.68 w thanks; 0.8 w that; 0.98 w that about; 1.04 w that he; 0.94 w that i; 0.34 w
    that in; -0.53 w that is; -1.16 w that must; 1.54 w that number; 0.92 w that one; 0.23 w that was; -0.84 w that
    would; -0.71 w that you; 0.1 w that's; 1.25 w thats; 0.18 w the; -0.21 w the <day>; 0.52 w the @; 0.59 w the
    alarm; -0.77 w the back; -1.0 w the best; 0.78 w the car; -0.75 w the desk; -1.16 w the end; -1.41 w the file;
    1.0 w the first; -0.34 w the fridge; 0.75 w the gate; 0.71 w the kitchen; -0.57 w the last; -0.69 w the list;
    -0.88 w the one; -0.86 w the phone; 1.43 w the record; 1.26 w the room; 0.18 w the same; 0.97 w the small; 0.39
    w the wall; 0.98 w the wrong; -1.09 w their; -1.17 w them; -0.74 w then; -0.42 w then $; -0.58 w then ,; 0.15 w
    there; 0.25 w there $; 0.51 w there ,; 0.32 w there's; -0.67 w these days; -0.94 w they; -0.48 w they're; -0.65
    w they've; 0.56 w thing $; -0.62 w things; -0.83 w think; -0.9 w thinking; -1.18 w thirty; 1.17 w this; -0.97 w
    this <day>; -1.04 w this morning; -0.94 w this time; -0.71 w this week; -1.05 w this year; -1.35 w three; -0.57
    w threw; 0.14 w through; 1.19 w through the; 0.45 w throw; 0.23 w till; -0.97 w time; -0.21 w to; -0.69 w to #;
    -0.94 w to @; 0.52 w to do; 1.54 w to have; -0.44 w to hear; 1.11 w to see; -1.08 w to your; -0.4 w today; -0.69
    w told; 0.66 w told me; -0.38 w told the; 0.12 w tomorrow; 1.21 w tongue; 0.32 w too; 0.53 w too ,; 0.23 w too
    much; -0.71 w took; -1.04 w top; -0.66 w train; 2.35 w treat; -0.49 w trip; 0.61 w true; -0.94 w try; 1.06 w tu;
    -0.97 w turned; -0.93 w turns; -0.71 w twelve; -0.71 w twenty; -1.16 w twice; -1.51 w two; 0.99 w typed; 1.55 w
    u; 1.46 w un; 0.83 w und; 1.38 w under; 2.45 w unsee; -0.11 w until; 0.51 w up; -0.56 w up ,; 0.79 w up and;
    -1.13 w up on; -0.68 w up to; 0.48 w up with; 0.9 w ur; -0.09 w us; -0.04 w us $; 0.45 w us ,; -0.6 w use; -0.77
    w used to; -1.86 w user; -0.8 w user :; -0.32 w van; -0.45 w very; 0.61 w visa; -1.09 w voice; 0.5 w w; 1.33 w
    walls; 0.56 w want; 0.61 w want it; -0.55 w want to; -1.08 w wanted; 1.68 w war; -0.72 w warm; 0.32 w was; -0.68
    w was @; 0.47 w was a; 0.7 w was at; 0.56 w was never; -0.74 w was the; 0.99 w wash; -0.86 w watch; 0.45 w
    water; -0.17 w way; -0.94 w we; 0.34 w we have; -0.84 w we'll; -0.7 w we're; -0.8 w we've; -0.8 w wear; -0.45 w
    wedding; -0.95 w week; -0.46 w weekend; -0.5 w weeks; 1.15 w weigh; 0.9 w weight; -0.75 w well; 0.39 w went;
    -0.2 w were; 0.9 w weren't; -0.96 w wet; -0.94 w what a; -0.28 w what i; -0.67 w what if; -0.35 w what is; 0.56
    w what's; -0.71 w when; 0.2 w where; 0.67 w which; -0.91 w while; -0.8 w white; 0.11 w who; 0.38 w whole; 0.83 w
    why; 1.52 w wi; 0.86 w wifi; -0.9 w will; -0.79 w will be; 0.95 w wind; -0.87 w window; -0.88 w winter; -1.38 w
    with; 0.56 w with @; -0.44 w with a; 0.91 w with him; 1.15 w with it; -0.94 w with my; -1.24 w with that; 0.63 w
    with the; 1.11 w with you; -0.79 w won; -2.55 w won't; -0.36 w wonderful; 1.02 w word; -0.87 w work; -1.03 w
    works; -0.79 w worry; -0.77 w worth; -0.33 w would; 0.57 w would be; 0.53 w would you; -1.68 w write; -0.66 w
    write it; -0.82 w writing; -0.84 w ya; 1.66 w ye; 1.06 w yeah; -0.5 w year; -0.56 w year ,; -0.33 w years; -0.47
    w years $; 1.89 w yer; -0.75 w yes; -0.5 w yes $; -0.46 w yes ,; 1.45 w yes ?; -0.85 w yesterday; 0.89 w yo;
    0.04 w you; -0.64 w you could; -0.51 w you for; -0.66 w you have; -0.83 w you never; 0.64 w you still; -0.51 w
    you'll; 0.84 w you've; 1.68 w you've got; 1.31 w your mind; 0.65 w your notes; 1.7 w your side; 0.67 w yours;
    1.51 w zero; -0.53 w à; 1.56 w über; 0.31 want; -0.5 want $; -0.67 want > 0; -1.04 want > ?; 0.15 want > about;
    0.99 want > didn't; -0.24 want > filler; -0.17 want > from; -0.91 want > i; 0.23 want > it; 1.03 want > kept;
    -0.23 want > me; 0.83 want > memory; 0.1 want > my; 0.69 want > not; 0.63 want > out; -0.33 want > their; -0.92
    want > thing; -0.95 want > want; 0.43 want > x; 0.44 want > you; -0.82 want from; -1.05 want it $; 1.45 want it
    x; -0.46 want the x; 0.25 want x $; -0.41 want x ,; -0.8 want you from; 0.26 what; -2.16 what > ?; -0.18 what >
    about; -0.87 what > ask; 0.23 what > from; -0.1 what > i; -0.99 what > if; -0.05 what > it; 0.81 what > it's;
    -0.5 what > me; 0.72 what > my; 0.67 what > should; 1.56 what > their; 1.4 what > x; -0.29 what > you; -0.48
    what be; -0.58 what be the; 0.5 what i; 0.76 what i x; -0.67 what if; -0.44 what the; -0.28 what the x; 0.44
    what they; -0.78 what x i; 0.89 where; -1.25 where > ?; 0.78 where > i; -0.72 where > it; 1.17 where > their;
    1.03 where > x; 0.32 where i; 0.71 where i x; -0.14 x; -0.15 x $; 1.04 x , $; 0.72 x , again; -0.84 x , and;
    -0.44 x , ask-word; 0.15 x , filler; -0.61 x , for; 0.29 x , i; 0.03 x , if; -0.49 x , my; -0.32 x , not; 0.84 x
    , out; 0.53 x , please; -0.64 x , quote; 0.44 x , remove; -0.55 x , the; 0.25 x , they; -0.3 x , x; 0.33 x ,
    you; -0.33 x 0; 0.39 x 0 $; 0.55 x 0 x; -0.41 x > 0; -0.66 x > ?; 0.22 x > about; 0.22 x > all; 0.05 x > ask;
    -1.04 x > ask-word; 0.7 x > delete; -0.24 x > filler; -0.57 x > forget; 0.62 x > forgot; -0.01 x > from; 0.13 x
    > go; 0.35 x > gone; 0.79 x > have; -0.2 x > i; -0.77 x > instead; 0.42 x > it; 0.07 x > it's; -0.08 x > last;
    0.41 x > memory; 0.85 x > mention; -0.04 x > move; 0.32 x > not; 0.8 x > object; 0.43 x > old; -0.15 x > out;
    0.21 x > please; -0.11 x > quote; 0.18 x > regret; 0.47 x > remove; 0.36 x > said; 1.4 x > secret; 0.31 x >
    should; -0.54 x > stop; -0.15 x > their; -0.35 x > thing; 0.27 x > unheard; -0.6 x > where; 1.4 x > wish; -0.09
    x > x; -0.12 x > you; 0.56 x > your; 0.29 x ?; 0.25 x about; 0.11 x about $; -0.87 x about ,; -0.85 x about 0;
    0.22 x about it; 0.41 x about me; -0.25 x about the; 0.21 x about their; -0.46 x about x; -0.55 x about your;
    -0.35 x again; -0.44 x again $; -0.7 x all; -0.22 x all x; 0.39 x and $; -0.19 x and about; 0.58 x and all;
    -0.53 x and be; 0.54 x and it; 0.26 x and it's; 0.34 x and my; -0.1 x and not; 0.64 x and the; 0.08 x and they;
    -0.47 x and x; 0.85 x and you; -0.25 x ask be; 0.01 x ask x; -0.21 x ask-word; -1.22 x ask-word you; 0.21 x be;
    -0.14 x be 0; -0.23 x be about; -0.32 x be from; -0.93 x be not; -0.5 x be out; 0.75 x be said; 0.53 x be the;
    0.44 x be their; -0.42 x be x; -0.26 x filler; 0.71 x filler $; -0.67 x for; -0.23 x for 0; 0.66 x for my; 0.02
    x for the; -0.15 x for their; 0.41 x for x; -0.35 x from; -0.54 x from again; 0.7 x from be; -0.57 x from it;
    0.42 x from know; 0.94 x from last; 0.37 x from me; 0.17 x from my; -0.31 x from the; 0.41 x from their; -0.28 x
    go; -0.34 x gone; -1.03 x i move; -0.66 x i should; 0.48 x i x; 0.55 x if it; -0.36 x instead; 0.27 x it ,;
    -0.41 x it about; 0.67 x it and; 0.54 x it from; 0.7 x it out; 0.57 x it's; 0.72 x keep; 1.16 x keep it; 0.84 x
    last x; -0.57 x may; 0.14 x me; -0.48 x me $; 0.67 x me and; 0.85 x me for; 0.65 x me the; -0.96 x me x; -0.74 x
    memory $; 0.96 x memory about; -0.26 x move x; 0.17 x my; -0.28 x my x; -0.44 x not; 0.55 x not $; -0.85 x not
    keep; -0.46 x not know; 0.51 x not x; -0.52 x object; -0.13 x object $; 0.61 x object ,; -0.05 x out; -0.44 x
    out ,; -0.53 x out the; 0.54 x quote; -0.12 x quote $; 0.92 x remove; -0.85 x said; 0.61 x said $; 0.47 x
    should; -0.86 x should be; 0.68 x should x; -0.62 x stop; 0.72 x that; -0.74 x the; -0.58 x the 0; 0.48 x the
    object; 0.46 x the x; -0.58 x their the; 0.72 x they; 0.53 x they be; -0.91 x they x; 0.69 x thing; 1.07 x thing
    x; -0.21 x want; -0.78 x want from; -0.71 x want it; 0.46 x want x; -0.78 x where; -0.14 x you; -0.35 x you $;
    -0.17 x you ,; 1.05 x you ask; 0.97 x you from; 1.21 x you should; 1.35 you; -0.22 you $; -0.11 you ,; -0.28 you
    > 0; 0.56 you > ?; -0.22 you > all; -0.25 you > ask; 0.29 you > didn't; 0.46 you > filler; 0.53 you > forget;
    -0.42 you > from; 0.34 you > go; 0.97 you > i; -0.66 you > if; -0.43 you > it; 0.61 you > keep; 0.47 you > know;
    -0.8 you > last; 0.31 you > move; 0.74 you > my; 0.24 you > not; -0.75 you > out; -0.74 you > quote; -0.52 you >
    said; -0.15 you > should; -1.38 you > that; 1.32 you > unheard; -0.54 you > want; 0.52 you > what; -0.03 you >
    x; -0.74 you > you; -1.31 you > your; -0.17 you about; -1.25 you about my; 0.57 you and; 0.82 you and x; 0.4 you
    ask x; 0.67 you didn't; 0.29 you from; -0.71 you may x; 0.27 you not; 1.21 you not $; -0.82 you remove the;
    -1.34 you said; -0.57 you should; 0.35 you unheard; -0.92 you want; 0.17 you x; -0.66 you x $; -0.77 you x ?;
    0.75 you x and; 1.21 you x i; -0.35 you x it; 0.95 you x my; 1.06 you x not; -1.01 you x the; 0.25 your; 0.45
    your > 0; -0.26 your > from; -0.98 your > it's; 0.34 your > memory; 0.98 your > my; 0.2 your > x; -0.73 your >
    you; 1.45 your memory; 0.6 your memory $; -0.21 your x; 0.45 your x $; -0.78 your x be
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
