"""The weights of `reply_score`; `python -m benchmarks.replies --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = 4.32
_LISTED = """
    1.52 f figure; -0.96 f first; 0.57 f last; 0.08 f long word; -0.78 f meaning 0; -0.35 f meaning 1; -0.42 f
    meaning 2; -0.18 f meaning 3; -0.68 f meaning 4; -0.25 f meaning 6; 0.4 f name; -1.13 f of 1; -0.06 f of 2; 0.71
    f of 3; 0.48 f of 4; 0.39 f others; 0.26 f own; 0.58 f words 1; -0.93 f words 11; -0.39 f words 15; -0.09 f
    words 2; -0.07 f words 20; -0.03 f words 3; 0.36 f words 4; -0.54 f words 6; -0.59 f words 8; -0.63 k asking;
    -1.41 k courtesy; 1.31 k told; 0.35 k told beside; -0.25 k untold; 0.66 k wish; -0.48 p closed; -0.75 p closed
    asking; -0.35 p closed courtesy; 0.58 p closed told; -0.18 p closed untold; 0.21 p closed wish; -2.02 p figure;
    0.4 p none; 0.6 p none asking; 0.13 p none told; -0.19 p none told beside; -0.11 p none untold; 0.78 p open;
    0.25 p open told; -0.23 p open told beside; 0.81 p open untold; 0.79 p own figure; -0.3 p repeats; -0.32 p
    shares; -0.7 p statement; -0.6 p statement asking; -0.86 p statement courtesy; 0.35 p statement told; 0.73 p
    statement told beside; -0.77 p statement untold; 0.44 p statement wish; 0.13 s !; 0.15 s ! !; 0.13 s ! $; 0.8 s
    #; -0.16 s # #; 0.42 s # $; -0.33 s # ?; 0.2 s # @; -0.21 s # and; -0.26 s # is; 0.16 s # k; -0.33 s # min; 0.13
    s # now; -0.23 s # x; 0.38 s , #; 0.17 s , a; -0.78 s , and; -0.44 s , danke; -0.31 s , except; -0.35 s ,
    gracias; 0.14 s , he; -0.39 s , i; -0.36 s , i'm; 0.12 s , if; 0.1 s , it's; -0.2 s , je; -0.32 s , merci; -0.25
    s , my; 0.17 s , no; 0.22 s , not; -0.3 s , on; 0.19 s , same; 0.15 s , she; 0.24 s , so; -0.34 s , sorry; 0.38
    s , the; -0.14 s , we; -0.28 s , whatever; 0.08 s , which; 0.15 s , who; 0.52 s :; 0.19 s : #; 0.12 s : @; 0.24
    s <day>; -0.3 s <day> $; 0.18 s <day> ,; 0.35 s <month>; 0.24 s <month> $; 0.11 s <month> ,; 0.47 s <time>; 0.31
    s <time> $; -0.26 s ?; -0.26 s ? $; 0.4 s @; -0.15 s @ #; 0.11 s @ $; 0.37 s @ ,; -0.1 s @ ?; -0.25 s @ a; 0.3 s
    @ for; -0.26 s @ i; 0.09 s @ is; -0.15 s @ on; -0.44 s @ und; 0.16 s ^ #; 0.21 s ^ <day>; -0.36 s ^ ah; 0.16 s ^
    also; 0.63 s ^ and; -0.28 s ^ as; -0.29 s ^ aye; -0.24 s ^ by; -0.41 s ^ bye; 0.28 s ^ can; 0.26 s ^ d'accord;
    0.19 s ^ do; 0.19 s ^ fine; 0.22 s ^ four; -0.37 s ^ good; -0.4 s ^ goodbye; 0.26 s ^ grand; 0.51 s ^ he; -0.07
    s ^ i; -0.28 s ^ i'd; -0.75 s ^ i'll; 0.83 s ^ i'm; -0.48 s ^ is; -0.4 s ^ it; 0.18 s ^ it's; 0.24 s ^ lactose;
    -0.25 s ^ lol; 0.21 s ^ me; 0.2 s ^ mi; 0.54 s ^ my; 0.32 s ^ n; -0.45 s ^ no; -0.09 s ^ oh; -0.62 s ^ ok; -0.21
    s ^ okay; -0.18 s ^ on; -0.15 s ^ one; -0.23 s ^ ooh; 0.29 s ^ our; -0.38 s ^ sorry; -0.68 s ^ ta; -0.23 s ^
    thank; -0.3 s ^ thanks; -0.46 s ^ that's; 0.53 s ^ the; -0.35 s ^ then; 0.37 s ^ they; 0.18 s ^ three; 0.27 s ^
    we; 0.17 s ^ we're; -0.08 s ^ what; -0.15 s ^ with; 0.09 s ^ yes; -0.3 s ^ you; -0.17 s a; -0.19 s a week; -0.27
    s about; -0.25 s actually; 0.23 s after; 0.1 s again; -0.36 s ah; 0.27 s aisle; 0.27 s al; -0.3 s alerts; 0.27 s
    all; -0.24 s all of; 0.33 s allergic; 0.33 s allergic to; 0.2 s alone; 0.15 s already; -0.16 s also; -0.29 s
    always $; -0.48 s am; 0.17 s and; -0.24 s and #; -0.11 s and a; -0.16 s and i; 0.14 s another; 0.22 s anyway;
    0.02 s are; 0.09 s as; -0.23 s as a; 0.24 s as ever; 0.13 s as well; -0.36 s ask; 0.69 s at; -0.16 s at @; 0.39
    s at the; 0.2 s au; -0.19 s avec; -0.22 s aye; 0.13 s baby; -0.36 s back; -0.23 s back in; 0.3 s bar; -0.52 s
    be; -0.25 s be $; -0.23 s be the; -0.4 s be there; 0.18 s become; 0.18 s before; 0.28 s before $; -0.34 s before
    you; 0.23 s believe; -0.17 s big; 0.31 s bin; 0.24 s bit; 0.19 s black; -0.14 s bless; 0.19 s boss; 0.27 s
    bought; 0.19 s box; -0.16 s bring; 0.21 s broke; 0.1 s brother; 0.22 s btw; 0.17 s btw ,; -0.19 s but; 0.12 s
    by; 0.11 s by the; -0.4 s bye; 0.25 s called; 0.2 s called @; 0.12 s can; 0.39 s can't; 0.2 s card; 0.22 s cat;
    0.36 s changed; -0.18 s cheers; -0.25 s coach; 0.44 s come; -0.32 s comme; 0.2 s company; 0.21 s contact; 0.18 s
    could; 0.26 s d'accord; -0.6 s danke; -0.28 s dann; 0.12 s day; -0.45 s day #; 0.25 s days; 0.13 s days $; -0.31
    s de la; -0.32 s dead; -0.23 s der; -0.57 s des; 0.15 s do; -0.22 s do $; 0.19 s do you; -0.15 s does; 0.12 s
    doing; 0.19 s door; 0.21 s down; 0.12 s down to; -0.27 s drawer; -0.23 s drink; 0.27 s drop; 0.19 s due; -0.34 s
    early; 0.22 s eight; -0.38 s ein; -0.2 s el; 0.14 s em; 0.11 s en; -0.37 s en la; -0.36 s es; -0.16 s et; -0.32
    s even; -0.14 s evening; -0.18 s evening $; 0.24 s ever $; 0.08 s every; -0.21 s ex; -0.31 s except; 0.25 s
    fair; 0.27 s fair $; -0.32 s fait; 0.21 s feel; -0.16 s fine; -0.18 s fine $; 0.29 s fine ,; -0.43 s first; 0.23
    s five; 0.11 s flat; -0.31 s for; 0.16 s for #; 0.14 s for it; -0.17 s for me; 0.3 s for my; -0.27 s for now;
    -0.42 s for that; -0.1 s for the; 0.19 s for us; -0.25 s forget; 0.56 s four; 0.18 s four ,; 0.17 s from; -0.37
    s from @; 0.11 s from now; 0.16 s from the; -0.44 s geht; 0.25 s get; 0.16 s getting; 0.11 s girl; -0.23 s give;
    0.25 s go; 0.12 s going; 0.24 s gone; 0.21 s gonna; -0.32 s good; -0.4 s goodbye; 0.33 s got; -0.3 s got a;
    -0.67 s gracias; -0.35 s gracias $; 0.35 s grand; -0.33 s great; -0.31 s great ,; 0.18 s grey; -0.23 s growing;
    -0.34 s gut; 0.53 s had; -0.67 s haha; -0.64 s haha $; 0.36 s half; 0.29 s half $; -0.29 s hand; -0.29 s hand $;
    0.21 s has; 0.15 s have; -0.28 s have my; -0.34 s have to; 0.36 s he; 0.14 s he is; -0.18 s he's; -0.23 s head;
    0.38 s her; 0.1 s hers; 0.11 s him; 0.13 s him $; 0.17 s his; -0.21 s house $; -0.07 s how; 0.07 s i; -0.46 s i
    @; -0.47 s i am; 0.26 s i bought; -0.43 s i can; 0.48 s i can't; 0.34 s i don't; 0.21 s i feel; 0.2 s i get;
    0.15 s i go; 0.14 s i have; -0.25 s i shall; -0.13 s i want; -0.25 s i was; -0.36 s i will; -0.31 s i'd; -0.99 s
    i'll; -0.27 s i'll be; 0.53 s i'm; 0.13 s i'm on; 0.24 s i'm pregnant; -0.23 s ich; 0.22 s ich bin; -0.07 s if;
    -0.21 s if you; -0.31 s ill; 0.15 s in; 0.11 s in <month>; 0.12 s in the; 0.12 s instead; 0.13 s is; -0.14 s is
    $; -0.19 s is @; -0.36 s is not; 0.13 s is still; -0.28 s is the; -0.2 s isn't; -0.14 s it; 0.42 s it ,; -0.31 s
    it off; -0.27 s it shall; 0.44 s it's; 0.51 s its; -0.32 s je; 0.14 s job; 0.17 s just; 0.13 s k; 0.14 s keeps;
    -0.41 s kettle; -0.24 s kids; -0.14 s kind; 0.19 s kitchen; 0.07 s know; -0.15 s know $; -0.53 s la; 0.27 s
    lactose; -0.19 s le; -0.13 s left; -0.15 s like; -0.31 s like a; -0.22 s like the; 0.31 s lives; -0.27 s lol;
    -0.24 s long; -0.44 s long as; -0.46 s look; 0.17 s los; 0.24 s lost; 0.12 s lot; 0.14 s ma; -0.45 s machen;
    -0.36 s machine; 0.76 s make; 0.47 s make it; 0.18 s makes; -0.45 s man; 0.19 s may; -0.13 s me; -0.11 s me ,;
    -0.33 s me on; -0.45 s means; -0.5 s merci; 0.29 s mi; -0.28 s mille; -0.23 s min; -0.29 s mind; -0.3 s mind
    the; 0.3 s mine; -0.2 s minutes; -0.21 s minutes $; -0.3 s mir; 0.16 s more; 0.14 s morning; -0.33 s mortgage;
    0.22 s moth; -0.34 s mother $; 0.48 s moved; 0.18 s moved to; 0.32 s mum; 0.11 s must; -0.04 s my; -0.26 s my @;
    -0.18 s my own; 0.34 s my sister; 0.15 s my wife; 0.45 s n; 0.13 s never; 0.16 s new; 0.15 s next; -0.32 s
    nicht; -0.32 s night; 0.1 s nine; 0.23 s nineteen; -0.03 s no; 0.19 s no ,; 0.49 s not; 0.61 s now; 0.13 s now
    $; 0.19 s now ,; -0.25 s number; -0.25 s number #; 0.3 s nurse; 0.29 s nurse $; 0.27 s o'clock; 0.26 s o'clock
    $; -0.18 s of; 0.12 s of <month>; -0.2 s of a; 0.15 s of it; -0.25 s of my; -0.12 s of the; -0.09 s oh; -0.32 s
    ok; 0.13 s ok $; 0.44 s ok ,; -0.19 s okay; -0.18 s old; -0.44 s omg; -0.26 s on #; -0.56 s on $; -0.13 s on
    <day>; 0.14 s on @; 0.17 s on a; 0.37 s on the; 0.41 s one; 0.24 s one ,; 0.27 s only; -0.23 s ooh; 0.15 s
    order; 0.24 s other; 0.38 s our; 0.33 s out; 0.25 s out $; 0.16 s out of; -0.24 s over; -0.34 s part; 0.23 s
    past; -0.19 s pay; 0.29 s pays; 0.12 s people; -0.5 s perfect; -0.5 s perfect ,; -0.2 s phone; 0.13 s please;
    0.36 s pls; -0.27 s possible; -0.23 s pounds; -0.22 s pray; -0.23 s pray for; 0.24 s pregnant; -0.16 s put; 0.15
    s quarter; -0.57 s que; -0.29 s queen; -0.3 s queen $; 0.15 s rather; 0.17 s read; -0.18 s really; -0.23 s
    remain; 0.33 s rice; 0.16 s right; -0.27 s robbery; -0.17 s room; -0.14 s room $; 0.32 s run; 0.14 s s; 0.36 s
    said; 0.49 s same; -0.25 s says he; 0.19 s se; 0.28 s seat; 0.28 s seats; 0.26 s seats $; 0.21 s second; 0.27 s
    see; 0.2 s see $; -0.31 s seen; 0.17 s seven; -0.68 s shall; -0.56 s shall be; -0.19 s she; -0.18 s she's; -0.3
    s she's a; -0.2 s shes; 0.15 s should; 0.27 s since; 0.36 s sister; 0.71 s six; 0.31 s six $; -0.24 s sleep;
    0.16 s small; 0.65 s so; -0.69 s sorry; -0.28 s speaking; 0.15 s stay; 0.24 s stays; 0.58 s still; -0.19 s still
    in; -0.26 s stop; 0.24 s story; -0.41 s suit; 0.17 s swapped; -0.98 s ta; -0.24 s ta $; 0.14 s take; -0.09 s
    tell; 0.45 s ten; -0.25 s thank; -0.27 s thank you; -0.35 s thanks; -0.53 s that; -0.57 s that $; 0.17 s that i;
    -0.33 s that is; -0.22 s that to; -0.4 s that's; 0.48 s the; -0.1 s the #; -0.11 s the @; -0.3 s the back; 0.24
    s the day; -0.26 s the first; -0.33 s the kettle; -0.25 s the number; -0.18 s the one; 0.14 s them; 0.34 s then
    $; 0.12 s there; 0.4 s these; 0.22 s these days; 0.38 s they; -0.45 s they'd; -0.06 s thing; 0.14 s third; 0.13
    s thirty; 0.15 s though; 0.32 s three; 0.1 s till; -0.08 s time; -0.21 s tired; 0.1 s to; 0.3 s to #; -0.44 s to
    ask; 0.14 s to be; -0.15 s to the; 0.21 s today $; 0.13 s told; 0.22 s too; 0.23 s turned; 0.18 s turns; 0.3 s
    twenty; 0.27 s two; -0.5 s un; -0.55 s und; 0.14 s under; -0.21 s une; -0.4 s unter; 0.17 s until; 0.15 s up;
    -0.32 s up $; -0.35 s update; 0.4 s us; 0.16 s us $; 0.14 s van; 0.13 s vegan; -0.31 s very; -0.37 s vous; 0.13
    s w; 0.22 s wait; -0.17 s want to; 0.36 s wants; -0.3 s warm; 0.13 s was; 0.11 s way; 0.1 s we; -0.22 s we are;
    -0.32 s we shall; -0.25 s we'll; -0.23 s we'll be; 0.23 s we're; 0.17 s we've; -0.12 s week; 0.24 s well; 0.32 s
    well $; -0.08 s went; -0.26 s were; -0.16 s what is; -0.24 s whatever; -0.23 s where; 0.21 s wi; 0.17 s wife;
    -0.24 s wifi; -0.64 s will; 0.06 s with; 0.21 s with @; 0.16 s with a; 0.26 s with the; -0.22 s wonder; 0.24 s
    work; 0.27 s would; 0.28 s would you; -0.24 s x; -0.61 s y; -0.26 s yeah; 0.11 s year; 0.36 s yes ,; 0.19 s
    yesterday; -0.28 s yo; -0.33 s you; -0.22 s you $; 0.17 s you have; -0.33 s your; -0.51 s yours; -0.52 s ça
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
