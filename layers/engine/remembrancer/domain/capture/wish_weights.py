"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = -4.04
_LISTED = """
    0.62 ,; 0.35 , $; 0.24 , 0; 0.25 , 0 x; -0.29 , and i; -0.22 , and they; 0.49 , and x; 0.31 , ask; 0.22 ,
    filler; -0.15 , filler $; -0.17 , for; -0.22 , for the; -0.15 , from; 0.14 , i; -0.26 , i be; 0.28 , i move;
    0.19 , i x; -0.21 , it x; 0.28 , it's; -0.23 , my; -0.27 , my x; 0.11 , not; 0.33 , remove; 0.3 , remove it;
    -0.43 , that; 0.09 , the; -0.12 , the x; 0.1 , they; 0.51 , x; -0.51 , x $; -0.11 , x ,; 0.26 , x 0; 0.18 , x
    and; -0.15 , x be; -0.33 , x from; 0.68 , x it; 0.25 , x you; -0.38 0; -0.34 0 $; 0.12 0 0; -0.34 0 > 0; -0.07 0
    > ?; -0.27 0 > about; -0.21 0 > ask; -0.27 0 > it; 0.54 0 > keep; -0.19 0 > my; -0.27 0 > their; -0.3 0 > x;
    -0.12 0 about; 0.18 0 from; 0.12 0 x; 0.37 0 x $; -0.21 0 x ,; 0.34 0 x the; -0.37 ?; -0.37 ? $; -0.13 ^ 0;
    -0.18 ^ about; 0.09 ^ and; -0.27 ^ and i; -0.21 ^ and the; 0.17 ^ ask; -0.08 ^ ask-word; -0.3 ^ ask-word x;
    -0.06 ^ be; 0.32 ^ delete; 0.23 ^ delete it; -0.2 ^ delete the; -0.58 ^ filler; -0.12 ^ filler $; 0.74 ^ forget;
    -0.51 ^ forget about; 0.13 ^ forget the; -0.28 ^ from; -0.64 ^ i; -0.16 ^ i ask; 0.27 ^ i be; -0.27 ^ i move;
    -0.35 ^ i not; 0.36 ^ i said; 0.14 ^ i want; -0.11 ^ i x; -0.29 ^ if; 0.18 ^ it; -0.31 ^ it ask; 0.15 ^ it x;
    -0.41 ^ keep; -0.3 ^ keep it; 0.17 ^ move it; -0.33 ^ my; -0.28 ^ my x; -0.04 ^ not; -0.23 ^ not ,; -0.24 ^ not
    forget; 0.15 ^ not keep; 0.18 ^ not x; 0.34 ^ out; 0.23 ^ please; 0.41 ^ please forget; -0.32 ^ please x; 0.44 ^
    quote; 0.53 ^ quote x; -0.17 ^ remove; -0.14 ^ remove the; -0.29 ^ remove x; 0.43 ^ secret; -0.36 ^ the; -0.15 ^
    the their; 0.38 ^ the thing; -0.54 ^ the x; -0.18 ^ their; -0.41 ^ they; -0.26 ^ they x; 0.26 ^ want; -0.14 ^
    what be; 0.5 ^ what i; -0.25 ^ what x; -0.22 ^ x; -0.43 ^ x $; 0.14 ^ x ,; -0.13 ^ x 0; 0.34 ^ x and; 0.15 ^ x
    ask; -0.14 ^ x be; 0.36 ^ x for; -0.23 ^ x i; 0.04 ^ x it; -0.19 ^ x me; -0.47 ^ x not; 0.18 ^ x the; -0.16 ^ x
    their; -0.38 ^ x you; 0.2 ^ you; 0.34 about; -0.27 about $; -0.23 about 0; -0.11 about 0 x; -0.07 about > 0;
    0.63 about > about; -0.22 about > all; 0.71 about > ask; 0.11 about > filler; 0.3 about > from; 0.21 about > i;
    -0.11 about > it; 0.42 about > know; 0.21 about > me; 0.27 about > memory; 0.36 about > move; -0.13 about > my;
    0.73 about > not; -0.41 about > object; 0.22 about > please; 0.24 about > should; 0.09 about > their; -0.22
    about > thing; 0.37 about > what; 0.18 about > x; 0.5 about > your; -0.28 about it; 0.33 about it $; -0.19 about
    it x; 0.28 about me; 0.06 about my; 0.22 about my x; 0.17 about the; -0.29 about the object; 0.08 about the x;
    0.17 about their; 0.02 about their x; -0.26 about x; -0.25 about x $; 0.28 about x about; -0.16 about x and;
    0.31 about x for; -0.23 about x from; 0.42 about your; 3.32 acts; -0.17 again; -0.12 again $; 0.23 all; 0.16 all
    $; -0.28 all > it; -0.29 all > x; 0.23 all x $; -0.32 always; -0.17 always x; 0.2 and; -0.13 and $; -0.2 and ,;
    -0.52 and i; 0.32 and it; 0.33 and it x; 0.21 and it's; -0.32 and my; -0.26 and my x; 0.24 and not; -0.23 and
    not x; 0.35 and please; -0.27 and they; 0.23 and x; -0.46 and x $; 0.82 and x ,; 0.23 and x about; -0.19 and x
    from; -0.17 and x it; 0.05 ask; -0.18 ask > 0; 0.25 ask > ?; 0.5 ask > forget; 0.34 ask > go; 0.13 ask > i;
    -0.38 ask > if; 0.1 ask > it; -0.24 ask > me; -0.25 ask > move; -0.03 ask > my; 0.33 ask > not; -0.65 ask >
    object; -0.43 ask > their; -0.23 ask > want; 0.13 ask > x; -0.14 ask be; 0.46 ask it; -0.28 ask not; -0.38 ask
    x; 0.09 ask you; -0.3 ask you move; -0.14 ask you x; 0.06 ask-word; -0.41 ask-word > ?; 0.07 ask-word > from;
    0.51 ask-word > i; 0.35 ask-word > last; -0.18 ask-word > move; -0.18 ask-word > my; 0.37 ask-word > said; 0.25
    ask-word > their; 0.04 ask-word > x; -0.11 ask-word be; 0.47 ask-word i; 0.27 ask-word i x; 0.27 ask-word they;
    0.28 ask-word they x; -0.34 ask-word x; 0.18 be; -0.21 be from; -0.26 be it; 0.3 be kept; 0.41 be move; -0.3 be
    my; -0.4 be my x; 0.28 be not; -0.21 be not x; -0.29 be the; -0.1 be the x; 0.11 be x; -0.13 be x $; -0.06 be x
    ,; 0.23 be x ?; -0.25 be x and; -0.15 be x for; 0.64 be x if; 0.41 be x the; 0.65 delete; 0.36 delete > about;
    0.1 delete > it; 0.49 delete > my; -0.82 delete > object; 0.69 delete it; 0.76 delete it $; 0.36 delete my; 0.36
    delete my x; -0.23 delete the; -0.27 delete the x; 0.44 didn't; 0.3 didn't > it; 0.67 didn't > x; 0.15 didn't x;
    -0.14 filler; -0.34 filler $; 0.16 filler ,; 0.08 filler , x; 0.34 filler > ?; -0.17 filler > i; -0.15 filler >
    it; 0.33 filler > me; 0.14 filler > move; 0.32 filler > my; -0.05 filler > x; 0.36 filler ?; 0.36 filler ? $;
    -0.09 filler x $; -0.8 for; -0.11 for 0; -0.3 for it; -0.05 for me; -0.24 for me $; -0.2 for my; 0.2 for the;
    0.14 for their; 0.17 for their x; 0.35 for x; 0.07 for x $; 0.2 for x ,; -0.29 for you; 0.63 forget; 0.3 forget
    > ?; 0.32 forget > all; -0.39 forget > from; -0.49 forget > it; -0.43 forget > me; 0.43 forget > my; -1.05
    forget > not; 0.17 forget > please; 0.2 forget > said; 0.4 forget it; 0.25 forget my; 0.11 forget the; -0.2
    forgot; -0.19 from; -0.2 from 0; -0.06 from > 0; 0.3 from > ?; 0.02 from > about; -0.29 from > all; -0.12 from >
    from; 0.39 from > gone; 0.11 from > i; 0.28 from > it's; 0.42 from > kept; 0.27 from > know; 0.24 from > last;
    0.4 from > me; 0.19 from > memory; 0.11 from > move; 0.22 from > not; 0.19 from > object; 0.33 from > out; -0.37
    from > said; -0.25 from > their; -0.19 from > thing; 0.04 from > x; 0.31 from > you; 0.52 from > your; 0.28 from
    be; -0.42 from it; 0.31 from know; 0.22 from move; -0.19 from my; -0.21 from my x; 0.07 from the x; -0.26 from
    their; -0.18 from x; -0.19 from x $; -0.21 from x ,; -0.48 from x about; 0.45 from x and; 0.36 from x from; 0.58
    from your; 0.47 from your x; 0.07 go > from; -0.19 go > x; -0.24 go x; 0.3 gone; 0.26 gone $; -0.14 gone > x;
    0.34 gone from; 0.16 have; 0.17 have > x; 0.29 have x; 0.18 i; -0.35 i > 0; -0.38 i > ?; -0.23 i > about; -0.22
    i > all; -0.28 i > ask; -0.53 i > forget; 0.34 i > from; 0.19 i > gone; 0.29 i > i; 0.42 i > if; -0.62 i > it;
    -0.34 i > keep; 0.3 i > kept; -0.35 i > know; 0.41 i > last; 0.29 i > memory; 0.1 i > move; -0.5 i > my; -0.15 i
    > not; 0.49 i > object; -0.24 i > out; 0.42 i > regret; 0.64 i > said; -0.1 i > should; 0.12 i > thing; 0.15 i >
    want; -0.29 i > what; 0.14 i > x; 0.37 i > you; 0.17 i > your; -0.45 i ask; 0.35 i be; 0.19 i be x; -0.22 i
    keep; -0.25 i move; 0.09 i move x; -0.41 i not; -0.13 i not x; 0.35 i regret; 0.77 i said; 0.22 i said about;
    0.27 i said the; 0.19 i said x; -0.22 i said you; -0.12 i should; 0.27 i x; 0.1 i x $; -0.13 i x ,; -0.19 i x
    for; 0.28 i x from; -0.3 i x it; 0.8 i x the; 0.49 i you; 0.51 i you x; -0.45 if > ?; 0.19 if > about; -0.25 if
    > i; 0.2 if > it; 0.38 if > my; 0.16 if > x; -0.13 if i; -0.29 instead; -0.28 instead > x; 0.67 it; 0.25 it $;
    0.42 it ,; -0.41 it , i; 0.13 it , x; 0.25 it 0; 0.12 it > 0; 0.15 it > ?; 0.26 it > about; 0.15 it > all; -0.15
    it > ask; -0.36 it > filler; 0.02 it > from; 0.4 it > gone; -0.17 it > i; 0.41 it > it; 0.25 it > it's; -0.51 it
    > know; 0.29 it > me; 0.31 it > memory; -0.39 it > move; 0.66 it > not; 0.55 it > object; 0.75 it > out; 0.22 it
    > please; -0.33 it > should; 0.41 it > their; -0.37 it > want; 0.44 it > your; -0.23 it ?; -0.23 it ? $; 0.24 it
    about; -0.4 it and; -0.18 it ask; -0.27 it be; -0.32 it be the; 0.2 it from; -0.33 it from the; 0.42 it gone;
    0.34 it i; 0.53 it i x; 0.47 it not; 0.31 it not x; 0.52 it out; 0.34 it please; -0.26 it the; -0.21 it the x;
    -0.13 it x; -0.02 it x $; -0.26 it's > about; 0.21 it's > filler; 0.32 it's > from; 0.2 it's > not; -0.1 it's >
    x; 0.36 it's > you; -0.26 it's x; -0.15 keep; 0.3 keep $; 0.37 keep > 0; -0.22 keep > ?; -0.23 keep > about;
    -0.37 keep > forget; -0.41 keep > from; 0.21 keep > i; 0.26 keep > it; -0.34 keep > my; 0.14 keep > x; 0.26 keep
    it; 0.66 keep it ,; -0.38 keep it from; 0.19 keep my; 0.2 keep my x; -0.12 keep the; -0.28 keep x; 0.36 kept;
    0.14 kept $; 0.3 kept > x; 0.01 know; -0.5 know > it; 0.21 know > x; -0.23 last; 0.35 last > me; -0.1 last > x;
    0.39 let; 0.55 let > it; -0.32 let > me; 0.47 let > x; 0.65 let it; 0.38 let it x; -0.24 let me; 0.22 may; 0.52
    may > ?; 0.38 may > it; 0.35 may > x; -0.27 me; 0.03 me $; -0.16 me ,; 0.33 me > 0; 0.15 me > ?; 0.13 me >
    about; -0.4 me > forget; -0.47 me > i; -0.32 me > it; -0.44 me > my; 0.45 me > not; -0.3 me > out; 0.43 me >
    thing; -0.2 me > x; 0.27 me and; 0.33 me for; -0.39 me x; -0.29 me x $; 0.95 memory; 0.44 memory $; 0.37 memory
    ,; 0.48 memory > about; 0.22 memory > x; 0.48 mention > my; -0.16 mention > x; -0.19 mention x; -0.11 move;
    -0.17 move > 0; -0.2 move > ?; -0.26 move > about; 0.45 move > from; -0.23 move > i; -0.47 move > memory; -0.32
    move > my; -0.26 move > not; -0.35 move > out; 0.23 move > their; -0.36 move > x; -0.25 move > you; 0.26 move
    it; 0.3 move it from; 0.31 move it x; 0.03 move the; -0.01 move x; -0.14 move x $; 0.38 move x ,; 0.65 my; -0.36
    my > 0; 0.32 my > ?; -0.34 my > about; -0.2 my > all; 0.53 my > ask; -0.6 my > from; -0.59 my > i; -0.34 my >
    it; -0.19 my > me; -0.26 my > move; -0.37 my > not; -0.28 my > object; 0.35 my > old; 0.39 my > please; -0.31 my
    > quote; -0.41 my > said; -0.27 my > their; 0.35 my > thing; 0.86 my > x; -0.18 my > you; 0.37 my old; 0.16 my
    old x; 0.37 my their; 0.45 my their x; 0.61 my x; 0.56 my x $; -0.4 my x ,; 0.25 my x ?; 0.52 my x again; 0.21
    my x be; -0.27 my x for; -0.22 my x not; 0.06 not; -0.57 not $; -0.75 not ,; 0.23 not > 0; 0.55 not > about;
    -0.91 not > forget; 0.47 not > from; 0.08 not > i; 0.4 not > it; 0.78 not > keep; 0.52 not > kept; 0.33 not >
    know; -0.21 not > last; -0.44 not > me; -0.02 not > memory; 0.19 not > move; 0.27 not > my; -0.19 not > not;
    -0.35 not > quote; -0.45 not > remove; -0.55 not > said; 0.48 not > should; 0.36 not > their; 0.43 not > want;
    -0.6 not > what; 0.1 not > x; 0.46 not > you; 0.12 not > your; 0.28 not about; 0.7 not for; -0.43 not forget;
    -0.39 not it; 0.3 not keep; 0.32 not keep it; -0.31 not know; 0.6 not move; 0.37 not move it; 0.22 not should;
    0.51 not want; -0.01 not x; 0.2 not x about; 0.22 not x from; -0.25 not x the; 0.35 not you; -0.38 object; -0.66
    object $; 0.23 object > it; -0.25 object > object; 0.3 object > x; 0.22 object about; -0.55 of 0; -0.42 of 1;
    -0.35 of 2; 0.32 of 3; 0.34 of 4; 0.35 of 5; 0.31 of 6; 0.24 old; -0.42 old > it; -0.42 old x; 0.77 out; 0.46
    out ,; -0.14 out > ?; 0.35 out > about; -0.26 out > from; -0.29 out > it; 0.75 out > memory; -0.46 out > my;
    0.35 out > said; -0.35 out > x; 0.23 out > you; 0.22 out > your; 0.35 out about memory; -0.32 out about the;
    -0.09 out the x; 0.78 please; 0.12 please $; 0.51 please > forget; -0.33 please > from; 0.62 please > i; 0.68
    please > it; -0.38 please > me; 0.11 please > my; 0.15 please > not; 0.35 please > x; 0.32 please delete; 0.48
    please forget; -0.22 please not; 0.44 please the; 0.46 pretend; -0.23 quote; -0.21 quote $; -0.4 quote > not;
    -0.28 quote > you; 0.36 quote x; 0.48 quote x quote; 0.44 regret; 0.26 regret > about; 0.17 regret > x; 0.27
    regret about; 0.28 remove; 0.3 remove > about; 0.29 remove > filler; 0.14 remove > from; 0.06 remove > it; 0.31
    remove > move; -0.46 remove > object; 0.31 remove > thing; 0.69 remove > what; 0.21 remove > x; 0.29 remove it;
    -0.55 remove the; -0.45 remove the x; 0.45 remove what; -0.22 remove x; -0.03 said; -0.19 said > 0; -0.05 said >
    about; -0.07 said > me; -0.34 said > my; -0.37 said > quote; 0.25 said > thing; 0.13 said > x; 0.33 said about;
    -0.24 said it; 0.15 said the; 0.21 said the x; -0.2 said you about; 0.65 secret; 0.54 secret ,; 0.39 secret >
    it; 0.36 secret > not; 0.27 secret > x; -0.15 should; -0.24 should > ?; 0.12 should > about; 0.44 should > from;
    0.42 should > go; 0.23 should > move; 0.23 should > my; -0.55 should > not; 0.28 should > you; -0.26 should be;
    0.63 should from; -0.25 should not; -0.26 should the; -0.23 should the x; -0.26 should x; 0.31 stop; 0.45 stop >
    my; 0.4 stop > x; 0.67 that; 0.68 that > x; 0.71 that the; 0.72 that the x; 0.17 the; -0.11 the 0; 0.37 the
    keep; -0.83 the object; -0.42 the object $; -0.26 the old x; 0.5 the thing; 0.61 the thing about; -0.33 the x;
    -0.25 the x $; -0.06 the x ,; -0.13 the x 0; -0.21 the x ?; 0.1 the x and; -0.19 the x ask; 0.04 the x for; 0.2
    the x from; 0.25 the x i; -0.1 the x it; -0.24 the x last; 0.22 the x not; -0.1 the x object; -0.14 the x out;
    0.45 the x that; -0.36 the x the; 0.08 the x thing; 0.24 their; 0.1 their > 0; -0.17 their > all; 0.13 their >
    from; -0.29 their > i; 0.06 their > it; 0.27 their > out; -0.35 their > said; -0.2 their > their; 0.23 their >
    x; 0.21 their > you; 0.44 their x; 0.21 their x $; 0.46 their x ,; -0.16 their x ?; -0.18 their x about; 0.54
    their x from; 0.11 they; -0.08 they be; -0.24 they not; -0.14 they x $; -0.21 they x the; 1.02 thing; 0.75 thing
    $; 0.39 thing ,; 0.32 thing > about; -0.24 thing > from; 0.21 thing > not; 0.43 thing > remove; 0.24 thing > x;
    0.72 thing about; 0.27 thing about the; 0.38 thing about x; 0.68 unheard; 0.48 unrecorded; -0.43 w !; -0.43 w !
    $; -0.15 w #; 0.13 w # #; -0.24 w # $; -0.09 w # <month>; 0.21 w # @; -0.43 w ,; 0.35 w , #; -0.54 w , @; -0.11
    w , and; 0.17 w , as; -0.22 w , but; -0.5 w , i; -0.23 w , i'll; -0.73 w , it; 0.42 w , je; -0.3 w , no; -0.28 w
    , not; 0.27 w , she; -0.42 w , so; 0.6 w , that; -0.19 w , the; -0.19 w , they; 0.72 w , und; -0.32 w , we; 0.86
    w :; -0.39 w : @; 0.41 w : i; -0.27 w <day>; -0.42 w <day> $; -0.25 w <month>; -0.11 w <month> $; -0.16 w
    <time>; -0.37 w ?; -0.37 w ? $; -0.2 w @; 0.19 w @ $; -0.39 w @ ,; -0.13 w @ ?; 0.25 w @ @; -0.11 w @ has; 0.23
    w @ is; -0.11 w ^ #; -0.17 w ^ a; 0.25 w ^ could; -0.41 w ^ delete; -0.28 w ^ don't; -0.27 w ^ good; -0.22 w ^
    he; -0.23 w ^ how; 0.29 w ^ i'd; -0.13 w ^ i'll; -0.15 w ^ i'm; -0.3 w ^ i've; -0.29 w ^ if; -0.49 w ^ ignore;
    -0.48 w ^ it; -0.19 w ^ keep; -0.13 w ^ mr; -0.49 w ^ my; -0.18 w ^ nadia; -0.36 w ^ no; 0.33 w ^ off; -0.18 w ^
    so; -0.23 w ^ take; -0.21 w ^ thank; 0.51 w ^ that; -0.1 w ^ the; 0.16 w ^ then; -0.16 w ^ they; -0.18 w ^ user;
    -0.14 w ^ we; 0.13 w ^ when; -0.12 w ^ which; 0.55 w ^ wife; -0.13 w ^ yes; -0.24 w ^ you; -0.42 w a; 0.43 w a
    thing; 0.77 w about; 0.44 w about @; 0.81 w about the; 0.61 w address; 0.43 w address $; -0.28 w after; 0.51 w
    age; -0.16 w all; -0.29 w already; -0.28 w always; -0.23 w an; 0.17 w and; -0.11 w and @; -0.22 w and a; 0.36 w
    and i; 0.19 w and the; 0.47 w any; -0.33 w anything; -0.14 w are; 0.28 w as; -0.22 w asked; -0.39 w at; 0.38 w
    auf; 0.14 w away; -0.16 w back; 0.99 w be; -0.18 w because; 0.29 w between; -0.38 w bike; 0.35 w bitte; -0.19 w
    blue; 0.34 w book; 0.38 w both; -0.28 w budget; 1.12 w business; 0.34 w business $; -0.17 w but; -0.41 w by;
    -0.25 w by the; 0.36 w called; 0.38 w can; 0.39 w can it; -0.21 w can you; -0.64 w can't; -0.22 w car; 0.49 w
    changed; 0.36 w chuck; -0.44 w clear; 0.65 w code; 0.14 w could; 0.46 w das; -0.31 w das @; -0.27 w day; -0.3 w
    days; 0.28 w de; 0.24 w de @; -0.27 w de la; 0.41 w del; -0.65 w delete; -0.31 w delete the; -0.25 w desk; -0.1
    w did; 0.31 w didn't; 0.58 w die; 0.31 w die @; -0.39 w do; -0.11 w do i; -0.2 w do you; -0.23 w don't forget;
    -0.19 w done; 0.38 w dont; 0.59 w down; -0.29 w drive; -0.37 w drop; 0.21 w each; -0.23 w el; 0.44 w em; 0.25 w
    en; 0.11 w est; -0.15 w evening; 0.23 w ever; -0.22 w every; 0.35 w everyone; 0.31 w everything; 0.55 w failed;
    -0.17 w fine; -0.19 w first; -0.35 w five; 0.24 w for; 0.19 w for a; 0.39 w for the; -0.29 w for you; -0.67 w
    forget; -0.23 w forget the; -0.78 w forgetting; -0.32 w four; -0.18 w friend; 0.26 w from; -0.43 w from the;
    0.51 w from your; 0.12 w get; 0.32 w get rid; -0.15 w goes; -0.08 w good; -0.14 w got; -0.16 w had; -0.11 w
    half; -0.18 w has; 0.22 w hat; 0.26 w have; 0.32 w have a; -0.36 w have to; 0.42 w he's; -0.38 w head; -0.18 w
    hello; -0.28 w her; 0.09 w here; 0.23 w here $; 0.31 w hers; -0.21 w him; -0.2 w him $; -0.34 w his; 0.56 w hm;
    0.56 w hm $; -0.27 w hope; -0.12 w how; 0.3 w i; -0.07 w i am; -0.13 w i can; -0.22 w i can't; 0.41 w i
    mentioned; 0.37 w i said; 0.26 w i was; -0.18 w i would; 0.49 w i'd; 0.36 w i'd be; -0.39 w i'll; -0.09 w i'm;
    -0.46 w i've; 0.3 w ich; -0.31 w if i; -0.61 w ignore; -0.37 w in; 0.15 w in the; -0.15 w into; -0.8 w is; 0.07
    w is #; -0.41 w is @; -0.14 w is my; 0.21 w is not; -0.25 w is the; -0.19 w isn't; -0.41 w it; 0.19 w it $; 0.36
    w it from; -0.41 w it is; 0.48 w it not; -0.16 w it was; -0.05 w it's; 0.52 w je; 0.5 w je vous; 0.2 w kids;
    0.04 w know; 0.41 w knowing; -0.36 w last; -0.26 w late; 0.17 w le; -0.31 w leave; 0.17 w left; 0.62 w let; 0.44
    w let it; -0.2 w like; -0.4 w list; 0.41 w live; 0.4 w lo; -0.23 w long; 0.33 w longer; 0.51 w mad; -0.27 w may;
    0.3 w me; 0.23 w me $; 0.39 w mentioned; 0.13 w mi; 0.52 w might; -0.24 w mind; 0.54 w mit; -0.34 w more; -0.21
    w morning; -0.17 w moved; -0.13 w mr; -0.19 w much; 0.18 w mum; -0.33 w must; -0.17 w my; 0.68 w my @; -0.47 w
    my name; 0.33 w my old; 0.44 w my weight; -0.24 w my wife; 0.58 w n; -0.18 w nadia; -0.18 w nadia :; 0.08 w
    name; 0.53 w name of; 0.39 w need to; -0.09 w never; -0.18 w nine; -0.09 w no; -0.43 w no ,; 0.4 w no longer;
    0.2 w nobody; 0.35 w not; 0.76 w not for; -0.21 w now ,; 0.68 w number; 0.59 w number $; 0.5 w o; 0.42 w of it;
    0.3 w of my; -0.2 w of the; 0.26 w of your; -0.21 w off; 0.18 w off the; 0.65 w ok; 0.36 w old; -0.45 w on;
    -0.24 w on <day>; -0.15 w on the; 0.34 w on to; 0.42 w one; -0.43 w one $; 0.76 w one for; -0.18 w open; -0.21 w
    order; 0.48 w other; -0.18 w our; 0.6 w out; -0.32 w out $; 0.42 w out ,; 0.15 w out of; -0.42 w own; 0.27 w
    paid; 0.19 w past; -0.28 w place; -0.19 w plan; 0.4 w please forget; 0.17 w put; 0.7 w que; -0.3 w question;
    0.26 w qué; 0.24 w rather; 0.6 w read; 0.32 w reads; 0.63 w record; 0.42 w record $; -0.59 w remember; -0.33 w
    remember that; -0.26 w ring; -0.23 w room; 0.2 w said; 0.25 w said about; 0.57 w salary; -0.17 w same; -0.3 w
    save; -0.33 w say; -0.42 w says; 0.31 w see; -0.31 w shall; 0.25 w she; 0.37 w she'll; 0.27 w should; 0.53 w
    shouldn't; 0.47 w si; -0.4 w since; -0.29 w sister; 0.62 w sit; -0.3 w six; 0.77 w size; 0.18 w some; -0.29 w
    sorry; 0.26 w spring; 0.35 w stay; -0.23 w still; 0.17 w stop; 0.45 w store; 0.42 w sugar; -0.19 w table; -0.58
    w take; -0.2 w take the; -0.54 w tell; -0.22 w ten; -0.37 w thank; -0.35 w thank you; 0.64 w that; -0.08 w that
    $; -0.41 w that ,; 0.4 w that @; 0.13 w that is; 0.46 w that one; -0.33 w the; 0.24 w the @; 0.48 w the name;
    -0.18 w the one; 0.5 w the record; 0.14 w the vicar; -0.21 w the way; -0.28 w their; -0.39 w them; -0.26 w then;
    -0.23 w then $; 0.12 w there; -0.32 w they; 0.08 w thing; 0.37 w thing $; 0.86 w this; 0.5 w this ,; 0.44 w this
    one; -0.33 w three; -0.22 w time; -0.12 w time $; 0.11 w to; 0.59 w to have; 0.24 w to the; 0.39 w told me; 0.18
    w told you; 0.09 w turn; -0.34 w two; 0.26 w u; 0.48 w un; 0.39 w und; -0.19 w under; -0.38 w undo; 0.64 w
    unremember; -0.35 w until; 0.25 w up; -0.07 w us; -0.46 w use; -0.24 w user; -0.18 w user :; 0.14 w vicar; 0.5 w
    vous; 0.45 w want; -0.23 w want to; -0.37 w way; -0.16 w we; -0.15 w we have; -0.12 w week; 0.38 w weight; -0.28
    w well; -0.23 w well $; 0.43 w went; 0.31 w went to; -0.02 w what; 0.31 w what i; 0.32 w when; 0.29 w when i;
    0.16 w where; -0.33 w which; 0.23 w why; 0.87 w wife; -0.57 w will; 0.32 w wipe; 0.38 w wipe the; -0.48 w with;
    -0.17 w with a; -0.36 w with my; 0.03 w with the; -0.23 w won't; -0.23 w work; 0.38 w would you; -0.43 w write;
    -0.23 w yes; -0.23 w yet; -0.25 w yet $; 0.13 w you; 0.23 w you ,; -0.4 w you have; 0.28 w you know; 0.53 w you
    my; 0.16 w your; 0.01 want; -0.26 want $; 0.08 want > about; 0.62 want > gone; 0.07 want > it; 0.42 want > kept;
    0.12 want > my; 0.34 want > x; 0.24 want > you; -0.43 want from; 0.18 want x; 0.29 want you; 0.48 what; -0.34
    what > ?; 0.22 what > ask; -0.29 what > from; 0.09 what > i; -0.29 what > me; 0.49 what > move; 0.28 what >
    their; 0.55 what > x; -0.17 what > you; -0.23 what be; 0.33 what i; 0.24 what i x; 0.6 what they; -0.25 what x;
    0.31 what you; 0.16 where; 0.43 where > i; 0.22 where > x; 0.36 where i; 0.44 where i x; -0.89 x; -0.61 x $;
    -0.64 x ,; 0.14 x , 0; -0.25 x , about; -0.14 x , and; -0.18 x , ask-word; -0.2 x , filler; -0.12 x , for; 0.08
    x , i; 0.41 x , it; 0.23 x , it's; -0.15 x , my; 0.27 x , not; -0.3 x , quote; 0.37 x , remove; -0.15 x , the;
    -0.18 x , they; 0.02 x , x; -0.2 x 0; -0.08 x 0 $; 0.06 x 0 x; -0.63 x > 0; -0.16 x > ?; 0.02 x > about; -0.41 x
    > all; -0.52 x > ask-word; -0.2 x > filler; -0.13 x > forget; 0.06 x > from; 0.35 x > go; 0.19 x > gone; 0.21 x
    > have; -0.17 x > i; 0.34 x > it; 0.12 x > it's; 0.16 x > keep; 0.32 x > kept; 0.22 x > know; -0.16 x > last;
    0.24 x > let; 0.36 x > me; 0.57 x > memory; 0.43 x > move; -0.41 x > my; 0.55 x > not; 0.33 x > object; 0.23 x >
    out; 0.17 x > please; -0.23 x > quote; 0.19 x > regret; 0.77 x > remove; 0.11 x > said; 0.18 x > should; 0.11 x
    > that; 0.17 x > their; 0.3 x > unheard; -0.13 x > want; -0.32 x > where; -0.49 x > x; 0.17 x > your; -0.12 x ?;
    -0.12 x ? $; -0.2 x about; -0.15 x about 0; 0.46 x about my; -0.44 x about the; 0.12 x about x; 0.13 x again $;
    0.23 x all x; -0.08 x and; 0.26 x and i; 0.32 x and it's; -0.2 x and not; -0.13 x ask; -0.2 x ask be; -0.09 x
    ask x; 0.08 x be; 0.27 x be x; -0.24 x filler; -0.24 x for; -0.09 x for 0; -0.23 x for it; 0.45 x for the; 0.54
    x for x; -0.3 x from; -0.22 x from it; 0.28 x from know; -0.3 x from my; 0.6 x from the; 0.1 x from x; -0.18 x
    go; 0.24 x have; 0.33 x have x; 0.11 x i; 0.31 x i said; -0.26 x i x; 0.12 x if; -0.09 x it; -0.34 x it $; 0.3 x
    it out; 0.46 x keep; 0.51 x keep it; 0.21 x last x; -0.27 x may; 0.19 x me; 0.33 x me $; -0.32 x move; 0.14 x my
    x; 0.2 x not; -0.39 x not $; 0.47 x not x; -0.33 x out; 0.15 x out $; -0.27 x out the; -0.42 x please; 0.06 x
    quote; 0.39 x quote x; 0.3 x remove; 0.33 x stop; 0.31 x stop x; 0.71 x that; 0.48 x that the; 0.17 x the; -0.36
    x their; -0.26 x their x; -0.12 x they; -0.32 x they x; 0.42 x thing; 0.17 x thing $; 0.45 x thing ,; -0.35 x
    you; -0.26 x you $; -0.24 x you ,; 0.22 x you x; -0.15 x your; 0.94 you; -0.26 you > 0; 0.29 you > about; -0.15
    you > all; -0.11 you > ask; 0.32 you > didn't; 0.36 you > filler; -0.2 you > from; 0.49 you > go; 0.11 you > i;
    0.48 you > it; 0.48 you > know; -0.26 you > me; 0.29 you > my; 0.14 you > not; -0.09 you > out; 0.15 you >
    please; -0.38 you > quote; 0.26 you > remove; -0.24 you > their; 0.22 you > thing; 0.69 you > unheard; -0.28 you
    > want; 0.1 you > you; -0.28 you about; -0.56 you about my; -0.73 you move; -0.28 you move x; 0.57 you my; 0.45
    you my x; -0.41 you the; -0.31 you the x; 0.62 you unheard; -0.16 you want; -0.17 you x; 0.18 you x $; 0.24
    your; 0.33 your > it; 0.29 your > memory; -0.23 your > you; 0.31 your memory; 0.19 your memory $; -0.16 your x
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
