"""The weights of `reply_score`; `python -m benchmarks.replies --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = 3.94
_LISTED = """
    1.59 f figure; -0.93 f first; 0.57 f last; 0.18 f long word; -0.69 f meaning 0; -0.38 f meaning 1; -0.41 f
    meaning 2; -0.23 f meaning 3; -0.64 f meaning 4; -0.22 f meaning 6; 0.39 f name; -1.26 f of 1; -0.07 f of 2;
    0.78 f of 3; 0.55 f of 4; 0.41 f others; 0.3 f own; 0.17 f words 1; -0.93 f words 11; -0.4 f words 15; -0.12 f
    words 2; -0.06 f words 20; 0.07 f words 3; 0.36 f words 4; -0.5 f words 6; -0.6 f words 8; -0.92 k asking; -1.62
    k courtesy; 1.8 k told; 0.57 k told beside; -0.55 k untold; 0.75 k wish; -2.05 p figure; 0.53 p none; 0.74 p own
    figure; 0.06 p question; -0.19 p repeats; -0.24 p shares; -0.59 p statement; 0.08 s !; 0.23 s ! !; 0.08 s ! $;
    0.8 s #; -0.16 s # #; 0.5 s # $; -0.35 s # ?; 0.14 s # @; -0.23 s # and; -0.25 s # is; 0.19 s # k; -0.36 s #
    min; 0.12 s # now; -0.24 s # x; 0.04 s ,; 0.37 s , #; 0.04 s , @; 0.17 s , a; -0.79 s , and; -0.4 s , danke;
    -0.31 s , except; -0.3 s , gracias; 0.13 s , he; -0.37 s , i; -0.38 s , i'm; 0.09 s , it's; -0.18 s , je; -0.3 s
    , merci; -0.28 s , my; 0.2 s , never; 0.15 s , no; 0.22 s , not; -0.3 s , on; 0.17 s , same; 0.16 s , she; 0.29
    s , so; -0.37 s , sorry; 0.37 s , the; -0.13 s , we; -0.29 s , whatever; 0.09 s , which; 0.17 s , who; 0.6 s :;
    0.18 s : #; 0.12 s : @; 0.25 s <day>; -0.31 s <day> $; 0.19 s <day> ,; 0.36 s <month>; 0.24 s <month> $; 0.11 s
    <month> ,; 0.51 s <time>; 0.32 s <time> $; -0.32 s ?; -0.32 s ? $; 0.39 s @; -0.14 s @ #; 0.12 s @ $; 0.35 s @
    ,; -0.15 s @ ?; -0.22 s @ a; 0.29 s @ for; 0.08 s @ has; -0.27 s @ i; 0.11 s @ is; -0.14 s @ on; -0.45 s @ und;
    0.29 s ^ #; 0.22 s ^ <day>; -0.36 s ^ ah; -0.25 s ^ all; 0.18 s ^ also; 0.63 s ^ and; -0.27 s ^ as; -0.26 s ^
    aye; -0.26 s ^ by; -0.42 s ^ bye; 0.28 s ^ can; 0.25 s ^ d'accord; 0.16 s ^ do; 0.19 s ^ fine; 0.28 s ^ four;
    -0.14 s ^ give; -0.38 s ^ good; -0.4 s ^ goodbye; 0.26 s ^ grand; 0.51 s ^ he; -0.12 s ^ i; -0.3 s ^ i'd; -0.72
    s ^ i'll; 0.82 s ^ i'm; -0.11 s ^ i've; -0.47 s ^ is; -0.35 s ^ it; 0.17 s ^ it's; -0.27 s ^ lol; 0.2 s ^ me;
    0.21 s ^ mi; 0.22 s ^ mine; 0.57 s ^ my; 0.29 s ^ n; -0.47 s ^ no; -0.09 s ^ oh; -0.62 s ^ ok; -0.21 s ^ okay;
    -0.14 s ^ one; -0.21 s ^ ooh; 0.29 s ^ our; 0.26 s ^ seven; -0.4 s ^ sorry; -0.66 s ^ ta; -0.27 s ^ thank; -0.32
    s ^ thanks; -0.47 s ^ that's; 0.52 s ^ the; -0.35 s ^ then; 0.37 s ^ they; 0.27 s ^ we; 0.17 s ^ we're; -0.07 s
    ^ what; -0.15 s ^ with; 0.19 s ^ yes; -0.18 s ^ you; -0.16 s a; -0.19 s a week; -0.25 s about; -0.25 s actually;
    0.24 s after; -0.36 s ah; 0.27 s aisle; 0.28 s al; -0.32 s alerts; 0.27 s all; -0.25 s all of; 0.33 s allergic;
    0.33 s allergic to; 0.21 s alone; 0.14 s already; -0.12 s also; 0.08 s always; -0.49 s am; 0.18 s and; -0.27 s
    and #; -0.15 s and i; 0.13 s another; 0.18 s answer; 0.23 s anyway; -0.01 s are; 0.21 s as; -0.25 s as a; 0.22 s
    as ever; 0.12 s as well; -0.35 s ask; 0.73 s at; -0.16 s at @; 0.39 s at the; 0.2 s au; -0.19 s avec; -0.18 s
    aye; 0.14 s baby; -0.35 s back; -0.26 s back in; 0.3 s bar; -0.49 s be; -0.26 s be $; -0.24 s be the; -0.39 s be
    there; 0.19 s become; 0.18 s before; 0.28 s before $; -0.34 s before you; 0.27 s believe; -0.16 s big; 0.31 s
    bin; 0.25 s bit; -0.14 s bless; 0.16 s boiler; 0.17 s boss; 0.27 s bought; 0.18 s box; -0.16 s bring; 0.21 s
    broke; 0.12 s brother; 0.22 s btw; 0.16 s btw ,; -0.15 s but; 0.08 s by; 0.12 s by the; -0.42 s bye; 0.25 s
    called; 0.21 s called @; 0.11 s can; 0.55 s can't; 0.2 s card; 0.22 s cat; 0.34 s changed; -0.22 s coach; 0.45 s
    come; -0.32 s comme; 0.17 s could; 0.16 s count; 0.25 s d'accord; -0.56 s danke; -0.3 s dann; 0.08 s day; -0.45
    s day #; 0.25 s days; 0.14 s days $; 0.13 s days ,; -0.17 s de @; -0.32 s de la; -0.24 s dead; -0.16 s der;
    -0.57 s des; 0.15 s do; -0.23 s do $; 0.18 s do you; -0.13 s does; -0.06 s don't; 0.11 s dont; 0.18 s door; 0.22
    s down; 0.12 s down to; -0.28 s drawer; -0.23 s drink; 0.32 s drop; 0.19 s due; -0.34 s early; 0.23 s eight;
    -0.37 s ein; -0.2 s el; 0.17 s em; 0.11 s en; -0.39 s en la; -0.3 s enough for; -0.38 s es; -0.31 s even; -0.13
    s evening; -0.17 s evening $; 0.22 s ever $; 0.08 s every; -0.22 s ex; -0.31 s except; 0.23 s fair; 0.25 s fair
    $; -0.29 s fait; 0.21 s feel; -0.09 s fine; 0.27 s fine ,; -0.34 s first; 0.24 s five; 0.12 s flat; -0.29 s for;
    0.14 s for #; 0.14 s for it; -0.18 s for me; 0.32 s for my; -0.26 s for now; -0.44 s for that; -0.12 s for the;
    0.19 s for us; -0.31 s forget; 0.68 s four; 0.23 s four $; 0.16 s four ,; 0.22 s from; -0.36 s from @; 0.12 s
    from now; 0.23 s from the; 0.21 s frost; 0.2 s garden; -0.44 s geht; 0.23 s get; 0.15 s getting; 0.11 s girl;
    -0.23 s give; -0.11 s give me; 0.25 s go; 0.11 s going; 0.23 s gone; 0.2 s gonna; -0.35 s good; -0.4 s goodbye;
    0.32 s got; -0.24 s got a; -0.63 s gracias; -0.31 s gracias $; 0.34 s grand; -0.34 s great; -0.32 s great ,;
    0.19 s grey; -0.24 s growing; -0.28 s gut; 0.5 s had; -0.68 s haha; -0.64 s haha $; 0.39 s half; 0.3 s half $;
    -0.3 s hand; -0.3 s hand $; 0.19 s has; 0.16 s have; 0.17 s have it; -0.38 s have to; 0.36 s he; 0.14 s he is;
    -0.16 s he's; -0.25 s head; 0.35 s her; 0.1 s hers; 0.15 s him; 0.18 s his; -0.15 s house $; 0.07 s i; -0.47 s i
    @; -0.49 s i am; 0.25 s i bought; -0.42 s i can; 0.47 s i can't; 0.36 s i don't; 0.21 s i feel; 0.2 s i get;
    0.15 s i go; 0.14 s i had; 0.13 s i have; -0.25 s i shall; -0.26 s i was; -0.32 s i will; -0.35 s i'd; -1.0 s
    i'll; -0.26 s i'll be; 0.48 s i'm; 0.14 s i'm on; 0.27 s i'm pregnant; -0.08 s i've; -0.26 s ich; 0.22 s ich
    bin; -0.05 s if; -0.2 s if you; -0.34 s ill; 0.13 s in; 0.1 s in $; 0.12 s in <month>; -0.01 s in @; 0.12 s
    instead; 0.11 s is; -0.15 s is $; -0.2 s is @; 0.21 s is allergic; -0.38 s is not; 0.14 s is still; -0.29 s is
    the; -0.19 s isn't; -0.12 s it; 0.43 s it ,; -0.26 s it shall; -0.06 s it was; 0.44 s it's; 0.11 s it's the;
    0.51 s its; -0.33 s je; 0.13 s job; 0.19 s job $; 0.14 s just; 0.17 s k; 0.14 s keeps; -0.42 s kettle; 0.14 s
    key; -0.23 s kids; -0.15 s kind; 0.22 s kitchen; -0.14 s know $; -0.52 s la; -0.19 s le; -0.12 s left; -0.15 s
    like; -0.33 s like a; -0.23 s like the; 0.33 s lives; -0.24 s lol; -0.25 s long; -0.45 s long as; -0.48 s look;
    0.17 s los; 0.24 s lost; 0.12 s lot; 0.15 s ma; -0.42 s machen; -0.37 s machine; 0.72 s make; 0.45 s make it;
    0.21 s makes; -0.44 s man; 0.17 s may; -0.12 s me; 0.11 s me $; -0.12 s me ,; -0.34 s me on; -0.48 s means; -0.2
    s meeting; -0.51 s merci; 0.3 s mi; -0.26 s mille; -0.26 s min; -0.28 s mind; -0.31 s mind the; 0.31 s mine;
    -0.18 s minutes; -0.19 s minutes $; -0.33 s mir; 0.18 s more; 0.1 s morning; -0.29 s mortgage; 0.23 s moth;
    -0.34 s mother $; 0.49 s moved; 0.2 s moved to; 0.34 s mum; 0.12 s must; -0.02 s my; -0.26 s my @; 0.11 s my
    brother; -0.16 s my mother; -0.21 s my own; 0.35 s my sister; 0.17 s my wife; 0.42 s n; 0.12 s never; 0.17 s
    new; 0.22 s next; -0.35 s nicht; -0.37 s night; 0.13 s nine; 0.37 s nineteen; 0.35 s nineteen $; -0.09 s no;
    0.17 s no ,; 0.49 s not; 0.15 s nous; 0.66 s now; 0.11 s now $; 0.18 s now ,; -0.24 s number; -0.25 s number #;
    0.2 s nurse; 0.24 s o'clock; -0.22 s of; 0.12 s of <month>; -0.21 s of a; 0.15 s of it; -0.25 s of my; -0.15 s
    of the; -0.09 s oh; -0.33 s ok; 0.45 s ok ,; -0.2 s okay; -0.2 s old; -0.46 s omg; 0.06 s on; -0.27 s on #;
    -0.47 s on $; -0.16 s on <day>; 0.17 s on @; 0.18 s on a; 0.39 s on the; 0.39 s one; 0.24 s one ,; 0.28 s only;
    -0.21 s ooh; 0.2 s order; 0.24 s other; 0.37 s our; 0.31 s out; 0.25 s out $; 0.18 s out of; -0.22 s over; -0.34
    s part; 0.2 s past; -0.19 s pay; 0.29 s pays; 0.1 s people; -0.44 s perfect; -0.44 s perfect ,; -0.24 s phone;
    0.18 s please; 0.32 s pls; 0.21 s pls $; -0.25 s possible; -0.17 s pounds; -0.25 s pounds $; -0.22 s pray; -0.23
    s pray for; 0.27 s pregnant; -0.18 s put; -0.56 s que; -0.3 s queen; -0.31 s queen $; -0.19 s quick; 0.16 s
    rather; 0.15 s read; -0.18 s really; 0.1 s red; -0.23 s remain; 0.32 s rice; 0.17 s right; -0.28 s robbery;
    -0.16 s room; -0.14 s room $; 0.32 s run; 0.14 s s; 0.35 s said; 0.47 s same; -0.25 s says he; 0.11 s school;
    0.18 s se; 0.28 s seat; 0.28 s seats; 0.26 s seats $; 0.23 s second; 0.26 s see; 0.17 s see $; -0.3 s seen; 0.28
    s seven; -0.67 s shall; -0.56 s shall be; -0.19 s she; -0.16 s she's; -0.31 s she's a; -0.2 s shes; 0.15 s
    should; 0.28 s since; 0.36 s sister; 0.71 s six; 0.3 s six $; -0.2 s sleep; -0.25 s small $; 0.66 s so; -0.74 s
    sorry; -0.29 s speaking; 0.16 s stay; 0.29 s stays; 0.6 s still; -0.19 s still in; -0.26 s stop; 0.25 s story;
    -0.42 s suit; 0.15 s swapped; -0.97 s ta; -0.17 s ta $; 0.13 s take; -0.09 s tell; 0.42 s ten; -0.29 s thank;
    -0.31 s thank you; -0.35 s thanks; -0.54 s that; -0.59 s that $; 0.18 s that i; -0.32 s that is; -0.24 s that
    to; -0.41 s that's; 0.46 s the; -0.09 s the #; -0.09 s the @; -0.29 s the back; 0.24 s the day; -0.23 s the
    first; -0.35 s the kettle; -0.24 s the number; -0.17 s the one; 0.11 s them; 0.32 s then $; 0.14 s there; 0.4 s
    these; 0.23 s these days; 0.39 s they; -0.39 s they'd; -0.06 s thing; 0.12 s thirty; -0.06 s this; 0.15 s
    though; 0.24 s three; -0.09 s time; 0.14 s to; 0.25 s to #; -0.41 s to ask; 0.13 s to be; -0.08 s to the; 0.21 s
    today $; 0.15 s told; 0.25 s too; 0.22 s turned; 0.18 s turns; 0.35 s twenty; 0.22 s two; -0.47 s un; -0.55 s
    und; 0.14 s under; -0.18 s une; -0.41 s unter; 0.17 s until; 0.16 s up; -0.31 s up $; -0.31 s update; 0.41 s us;
    0.17 s us $; 0.14 s van; 0.13 s vegan; -0.3 s very; -0.33 s vous; 0.12 s w; 0.21 s wait; -0.11 s want to; 0.36 s
    wants; -0.31 s warm; 0.12 s was; 0.11 s way; 0.08 s we; -0.2 s we are; -0.31 s we shall; -0.25 s we'll; -0.24 s
    we'll be; 0.22 s we're; 0.22 s we've; -0.12 s week; 0.23 s well; 0.33 s well $; -0.11 s went; -0.28 s were;
    -0.16 s what is; -0.25 s whatever; -0.23 s where; 0.2 s wi; 0.19 s wife; -0.25 s wifi; -0.65 s will; 0.07 s
    with; 0.19 s with @; 0.19 s with a; 0.24 s with the; 0.21 s won; -0.23 s wonder; 0.24 s work; 0.31 s would; 0.32
    s would you; -0.25 s x; -0.25 s x #; -0.55 s y; -0.25 s yeah; 0.11 s year; 0.34 s yes ,; 0.16 s yesterday; -0.28
    s yo; -0.23 s you; -0.27 s you $; 0.27 s you believe; 0.18 s you have; -0.14 s you're; -0.33 s your; -0.51 s
    yours; -0.52 s ça
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
