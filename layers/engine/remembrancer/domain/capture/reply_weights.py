"""The weights of `reply_score`; `python -m benchmarks.replies --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = 4.27
_LISTED = """
    1.49 f figure; -0.95 f first; 0.61 f last; 0.79 f lasting; 0.09 f long word; -0.79 f meaning 0; -0.38 f meaning
    1; -0.49 f meaning 2; -0.15 f meaning 3; -0.64 f meaning 4; -0.29 f meaning 6; 0.39 f name; -1.04 f of 1; -0.12
    f of 2; 0.7 f of 3; 0.45 f of 4; 0.29 f others; 0.16 f own; 0.6 f words 1; -0.94 f words 11; -0.39 f words 15;
    -0.14 f words 2; -0.07 f words 20; -0.03 f words 3; 0.33 f words 4; -0.44 f words 6; -0.57 f words 8; -0.66 k
    asking; -1.42 k courtesy; 1.32 k told; 0.38 k told beside; -0.23 k untold; 0.65 k wish; -0.5 p closed; -0.77 p
    closed asking; -0.36 p closed courtesy; 0.56 p closed told; -0.17 p closed untold; -1.75 p figure; 0.43 p none;
    0.62 p none asking; 0.1 p none told; -0.18 p none told beside; -0.09 p none untold; 0.78 p open; 0.26 p open
    told; 0.8 p open untold; 0.78 p own figure; -0.31 p repeats; -0.45 p shares; -0.71 p statement; -0.63 p
    statement asking; -0.86 p statement courtesy; 0.4 p statement told; 0.73 p statement told beside; -0.76 p
    statement untold; 0.42 p statement wish; 0.12 s !; 0.14 s ! !; 0.12 s ! $; 0.8 s #; 0.42 s # $; 0.09 s #
    <month>; -0.35 s # ?; 0.21 s # @; -0.21 s # and; -0.33 s # is; 0.16 s # k; -0.34 s # min; -0.24 s # x; -0.11 s
    ,; 0.39 s , #; 0.16 s , a; -0.79 s , and; -0.45 s , danke; -0.3 s , except; -0.35 s , gracias; 0.15 s , he;
    -0.39 s , i; -0.37 s , i'm; 0.1 s , it's; -0.2 s , je; -0.34 s , merci; -0.24 s , my; 0.18 s , no; 0.2 s , not;
    -0.33 s , on; 0.2 s , same; 0.17 s , she; 0.27 s , so; -0.34 s , sorry; 0.32 s , the; -0.15 s , we; -0.27 s ,
    whatever; 0.17 s , who; 0.64 s :; 0.17 s : #; 0.1 s : @; 0.23 s <day>; -0.16 s <day> $; 0.17 s <day> ,; 0.41 s
    <month>; 0.29 s <month> $; 0.13 s <month> ,; 0.46 s <time>; 0.3 s <time> $; -0.25 s ?; -0.25 s ? $; 0.39 s @;
    -0.15 s @ #; 0.3 s @ $; 0.35 s @ ,; -0.12 s @ ?; -0.28 s @ a; 0.26 s @ for; -0.25 s @ i; -0.18 s @ on; -0.49 s @
    und; 0.13 s ^ #; 0.17 s ^ <day>; -0.35 s ^ ah; 0.17 s ^ also; 0.64 s ^ and; 0.2 s ^ ann; -0.19 s ^ at; -0.33 s ^
    aye; 0.46 s ^ ben; -0.24 s ^ by; -0.39 s ^ bye; 0.32 s ^ can; 0.18 s ^ do; 0.22 s ^ elena; 0.25 s ^ four; -0.39
    s ^ good; -0.38 s ^ goodbye; 0.26 s ^ grand; 0.5 s ^ he; -0.11 s ^ i; -0.26 s ^ i'd; -0.77 s ^ i'll; 0.78 s ^
    i'm; -0.09 s ^ in; -0.5 s ^ is; -0.41 s ^ it; 0.16 s ^ it's; -0.26 s ^ lol; 0.18 s ^ me; 0.18 s ^ mi; 0.53 s ^
    my; 0.33 s ^ n; 0.26 s ^ nina; -0.44 s ^ no; -0.7 s ^ ok; -0.22 s ^ okay; -0.19 s ^ omg; -0.18 s ^ on; -0.16 s ^
    one; -0.26 s ^ ooh; 0.28 s ^ our; -0.36 s ^ sorry; -0.68 s ^ ta; -0.23 s ^ thank; -0.3 s ^ thanks; -0.44 s ^
    that's; 0.75 s ^ the; -0.38 s ^ then; 0.37 s ^ they; 0.24 s ^ tom's; 0.24 s ^ we; 0.18 s ^ we're; -0.08 s ^
    what; -0.18 s ^ with; -0.29 s ^ you; -0.13 s a; 0.3 s a @; -0.23 s a week; -0.27 s about; 0.23 s after; -0.35 s
    ah; 0.21 s aisle; 0.25 s al; -0.3 s alerts; 0.24 s all; -0.21 s all of; 0.46 s allergic; 0.46 s allergic to; 0.2
    s alone; 0.17 s already; -0.2 s also; -0.35 s always $; -0.4 s am; 0.22 s am allergic; 0.14 s and; -0.24 s and
    #; -0.19 s and i; 0.2 s ann; 0.2 s ann lives; 0.14 s another; 0.08 s are; 0.06 s as; -0.23 s as a; 0.22 s as
    ever; 0.13 s as well; -0.35 s ask; 0.76 s at; 0.43 s at the; 0.2 s au; -0.21 s avec; -0.26 s aye; 0.12 s baby;
    -0.37 s back; -0.25 s back in; 0.14 s bank; 0.3 s bar; -0.55 s be; -0.24 s be $; -0.25 s be the; -0.43 s be
    there; 0.15 s before; 0.29 s before $; -0.36 s before you; 0.23 s believe; 0.18 s ben; -0.2 s big; 0.29 s bin;
    0.23 s bit; 0.19 s black; -0.15 s bless; 0.26 s bought; 0.19 s box; -0.18 s bring; 0.21 s broke; 0.1 s brother;
    0.22 s btw; 0.18 s btw ,; -0.22 s but; 0.09 s by; 0.11 s by the; -0.39 s bye; 0.29 s called; 0.25 s called @;
    0.09 s can; 0.37 s can't; 0.2 s card; 0.19 s cat; 0.36 s changed; -0.25 s coach; 0.24 s colour; 0.52 s come;
    -0.35 s comme; 0.21 s company; 0.18 s could; -0.59 s danke; -0.29 s dann; 0.11 s day; -0.45 s day #; 0.24 s
    days; 0.12 s days $; -0.18 s de @; -0.3 s de la; -0.35 s dead; -0.26 s der; -0.17 s der @; -0.58 s des; 0.16 s
    do; -0.21 s do $; 0.22 s do you; 0.14 s dog; 0.13 s doing; 0.19 s door; 0.23 s down; -0.29 s drawer; -0.29 s
    drink; 0.26 s drop; 0.18 s due; -0.32 s early; 0.21 s eight; -0.42 s ein; -0.19 s el; 0.22 s elena; 0.22 s elena
    studies; 0.1 s en; -0.37 s en la; -0.36 s es; -0.16 s et; -0.34 s even; -0.14 s evening; -0.18 s evening $; 0.22
    s ever $; 0.15 s every; -0.3 s except; 0.25 s fair; 0.3 s fair $; -0.33 s fait; 0.21 s feel; -0.17 s fine; -0.17
    s fine $; 0.29 s fine ,; -0.4 s first; 0.23 s five; 0.11 s flat; -0.33 s for; 0.17 s for #; 0.15 s for it; -0.19
    s for me; 0.32 s for my; -0.27 s for now; -0.42 s for that; -0.1 s for the; 0.18 s for us; -0.23 s forget; 0.59
    s four; 0.21 s four ,; 0.17 s from; -0.37 s from @; 0.16 s from the; -0.44 s geht; 0.25 s get; -0.25 s give;
    0.22 s go; 0.11 s going; 0.23 s gone; -0.34 s good; -0.38 s goodbye; 0.33 s got; -0.28 s got a; -0.68 s gracias;
    -0.36 s gracias $; 0.33 s grand; -0.32 s great; -0.3 s great ,; 0.15 s green; 0.28 s green $; -0.36 s gut; 0.53
    s had; -0.66 s haha; -0.61 s haha $; 0.35 s half; 0.28 s half $; -0.3 s hand; -0.3 s hand $; 0.31 s has; 0.17 s
    has a; 0.18 s have; -0.27 s have my; -0.34 s have to; 0.34 s he; 0.14 s he is; -0.19 s he's; -0.22 s head; 0.38
    s her; 0.1 s him; 0.18 s his; -0.12 s house; -0.21 s house $; -0.1 s how; 0.12 s i; -0.48 s i @; -0.35 s i am;
    0.25 s i bought; -0.45 s i can; 0.49 s i can't; 0.28 s i don't; 0.21 s i feel; 0.19 s i get; 0.14 s i have;
    -0.29 s i shall; -0.11 s i want; -0.27 s i was; -0.4 s i will; -0.28 s i'd; -1.02 s i'll; -0.28 s i'll be; 0.48
    s i'm; 0.24 s i'm pregnant; -0.24 s ich; 0.22 s ich bin; -0.1 s if; -0.21 s if you; -0.37 s ill; 0.2 s in; 0.11
    s in <month>; 0.13 s in @; 0.19 s in the; 0.12 s instead; 0.25 s is; 0.13 s is #; -0.18 s is $; -0.22 s is @;
    0.17 s is called; 0.23 s is green; -0.36 s is not; 0.14 s is on; -0.3 s is the; -0.22 s isn't; -0.18 s it; 0.41
    s it ,; -0.27 s it shall; 0.41 s it's; 0.54 s its; -0.32 s je; 0.14 s just; 0.11 s k; -0.41 s kettle; -0.25 s
    kids; -0.16 s kind; 0.16 s kitchen; 0.06 s know; -0.53 s la; 0.29 s lactose; -0.18 s le; -0.16 s left; -0.18 s
    like; -0.3 s like a; -0.22 s like the; 0.4 s likes; 0.45 s lives; 0.24 s lives in; -0.3 s lol; -0.23 s long;
    -0.47 s long as; -0.47 s look; 0.18 s los; 0.24 s lost; -0.13 s love; -0.47 s machen; -0.35 s machine; 0.78 s
    make; 0.46 s make it; 0.2 s makes; -0.51 s man; 0.25 s manager; 0.19 s may; -0.12 s me; 0.07 s me $; -0.11 s me
    ,; -0.33 s me on; -0.43 s means; 0.2 s meat; 0.22 s medicine; 0.22 s medicine $; -0.18 s meeting; -0.52 s merci;
    0.28 s mi; -0.3 s mille; -0.24 s min; -0.28 s mind; -0.28 s mind the; 0.3 s mine; -0.21 s minutes; -0.22 s
    minutes $; -0.28 s mir; 0.17 s more; 0.15 s morning; -0.31 s mortgage; 0.45 s moved; 0.16 s moved to; 0.26 s
    mum; -0.06 s my; -0.31 s my @; -0.17 s my own; 0.34 s my sister; 0.44 s n; 0.14 s new; 0.15 s next; -0.34 s
    nicht; -0.23 s night; 0.26 s nina; 0.09 s nine; 0.23 s nineteen; -0.05 s no; 0.2 s no ,; 0.6 s not; 0.61 s now;
    0.12 s now $; 0.21 s now ,; -0.19 s number; -0.26 s number #; 0.3 s nurse; 0.29 s nurse $; 0.28 s o'clock; -0.24
    s of; 0.14 s of <month>; -0.2 s of a; 0.15 s of it; -0.25 s of my; -0.14 s of the; -0.14 s off; 0.28 s office;
    0.22 s office $; -0.41 s ok; 0.15 s ok $; 0.44 s ok ,; -0.2 s okay; -0.16 s old; -0.45 s omg; 0.09 s on; -0.24 s
    on #; -0.59 s on $; 0.05 s on <day>; 0.15 s on a; 0.37 s on the; 0.38 s one; 0.25 s one ,; 0.25 s only; -0.26 s
    ooh; 0.14 s order; 0.23 s other; 0.35 s our; 0.35 s out; 0.26 s out $; 0.16 s out of; -0.25 s over; -0.33 s
    part; 0.22 s past; -0.2 s pay; 0.28 s pays; 0.33 s peanuts; 0.31 s peanuts $; 0.1 s people; -0.51 s perfect;
    -0.51 s perfect ,; -0.18 s phone; 0.12 s please; 0.36 s pls; -0.33 s possible; -0.26 s pounds; -0.22 s pray;
    -0.24 s pray for; 0.32 s prefers; 0.24 s pregnant; -0.16 s put; -0.58 s que; -0.29 s queen; -0.29 s queen $;
    0.15 s rather; 0.17 s read; -0.26 s remain; 0.12 s rent; 0.33 s rice; 0.17 s right; -0.32 s robbery; -0.19 s
    room; -0.16 s room $; 0.31 s run; 0.13 s runs; 0.38 s said; 0.48 s same; -0.24 s says he; 0.17 s se; 0.23 s
    seat; 0.27 s seats; 0.24 s seats $; 0.2 s second; 0.28 s see; 0.21 s see $; -0.33 s seen; 0.18 s seven; -0.75 s
    shall; -0.6 s shall be; -0.21 s she; -0.21 s she's; -0.32 s she's a; -0.23 s shes; 0.17 s should; 0.26 s since;
    0.35 s sister; 0.71 s six; 0.32 s six $; -0.25 s sleep; 0.16 s small; 0.62 s so; -0.67 s sorry; -0.27 s
    speaking; 0.14 s stay; 0.22 s stays; 0.54 s still; -0.2 s still in; -0.26 s stop; 0.25 s story; 0.22 s studies;
    0.22 s studies medicine; -0.43 s suit; 0.18 s swapped; -0.98 s ta; -0.25 s ta $; 0.12 s take; 0.24 s tea; -0.11
    s tell; 0.41 s ten; -0.26 s thank; -0.28 s thank you; -0.35 s thanks; -0.53 s that; -0.58 s that $; 0.18 s that
    i; -0.34 s that is; -0.39 s that's; 0.54 s the; -0.17 s the #; -0.16 s the @; -0.29 s the back; 0.26 s the day;
    -0.27 s the first; -0.33 s the kettle; -0.25 s the number; 0.2 s the office; -0.2 s the one; 0.19 s them; 0.31 s
    then $; 0.09 s there; 0.37 s these; 0.2 s these days; 0.39 s they; -0.46 s they'd; -0.08 s thing; 0.15 s third;
    0.12 s thirty; 0.14 s though; 0.34 s three; 0.11 s till; -0.12 s time; 0.1 s to; 0.29 s to #; -0.43 s to ask;
    0.14 s to be; 0.22 s to peanuts; -0.19 s to the; 0.09 s today; 0.31 s today $; 0.13 s told; 0.24 s tom's; 0.32 s
    too; 0.17 s too much; 0.21 s turned; 0.3 s twenty; 0.25 s two; 0.13 s u; -0.55 s un; -0.62 s und; -0.2 s une;
    -0.39 s unter; 0.15 s until; 0.14 s up; -0.32 s up $; -0.36 s update; 0.42 s us; 0.15 s us $; 0.15 s van; -0.34
    s very; -0.39 s vous; 0.13 s w; 0.23 s wait; -0.15 s want to; 0.38 s wants; -0.29 s warm; 0.09 s was; 0.12 s
    way; 0.11 s we; -0.26 s we are; -0.35 s we shall; -0.29 s we'll; -0.24 s we'll be; 0.23 s we're; 0.18 s we've;
    -0.13 s week; 0.2 s well; 0.31 s well $; -0.09 s went; -0.28 s were; -0.17 s what is; -0.23 s whatever; -0.27 s
    where; -0.12 s which; 0.2 s wi; 0.18 s wife; -0.22 s wifi; -0.67 s will; 0.04 s with; 0.2 s with @; 0.15 s with
    a; 0.1 s with my; 0.27 s with the; -0.23 s wonder; 0.23 s work; 0.29 s works; 0.3 s would; 0.29 s would you;
    -0.26 s x; -0.63 s y; -0.28 s yeah; 0.11 s year; 0.35 s yes ,; 0.17 s yesterday; -0.27 s yo; -0.32 s you; -0.22
    s you $; -0.35 s your; -0.52 s yours; -0.52 s ça
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
