"""The weights of `agreement_score`; `python -m benchmarks.agreements --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = -4.8
_LISTED = """
    -0.6 a #; -0.46 a # $; 0.34 a # is; 0.31 a ,; -0.21 a , #; -0.26 a , $; -0.2 a , i; 0.27 a , i'll; -0.26 a , in;
    -0.29 a , no; 0.19 a , the; -0.21 a :; -0.66 a <day>; -0.13 a <day> ,; -0.1 a <month>; -0.22 a <time>; -0.37 a
    ?; -0.37 a ? $; -0.11 a @ $; -0.25 a @ ,; -0.16 a @ @; -0.41 a ^ <day>; -0.16 a ^ and; 0.24 a ^ aye; 0.36 a ^
    bless; -0.39 a ^ danke; 0.34 a ^ do; -0.47 a ^ don't; 0.21 a ^ fine; 0.14 a ^ good; 0.35 a ^ grand; -0.29 a ^
    hm; 0.1 a ^ i; -0.19 a ^ if; 0.2 a ^ is; -0.19 a ^ lol; -0.3 a ^ nah; 0.28 a ^ on; 0.23 a ^ ta; -0.14 a ^
    thanks; -0.15 a ^ that; -0.08 a ^ the; -0.28 a ^ they; 0.17 a ^ we; -0.15 a ^ what; -0.37 a ^ will; 0.3 a ^
    worth; 0.22 a ^ yes; -0.2 a about; -0.21 a about it; -0.13 a and; 0.19 a and the; -0.39 a are; 0.1 a as; -0.26 a
    ask; -0.03 a asking; -0.28 a at; 0.18 a aye; 0.22 a be; 0.23 a better; 0.42 a bless; 0.26 a bless you; -0.12 a
    but; -0.25 a by the; 0.18 a can; -0.31 a can't; 0.41 a courtesy; -0.21 a danke; 0.35 a das; -0.28 a de; -0.16 a
    did; 0.38 a do; -0.15 a do $; 0.49 a do it; 0.23 a do that; 0.25 a dog; -0.41 a don't; 0.16 a down; -0.22 a
    evening; 0.33 a fair; 0.5 a fine; -0.53 a football; 0.23 a for the; -0.17 a forget; -0.16 a from; 0.3 a go; 0.22
    a go on; 0.37 a good; 0.43 a good $; -0.16 a got; 0.2 a grand; -0.09 a has; -0.1 a have; 0.14 a her; 0.24 a her
    $; 0.24 a him; -0.41 a his; -0.29 a hm; -0.19 a how; 0.02 a i; 0.3 a i can; 0.29 a i will; 0.34 a i would; -0.14
    a i've; -0.01 a in; 0.24 a in $; 0.17 a in @; -0.21 a in the; -0.06 a is; 0.11 a is $; 0.18 a it; -0.07 a it $;
    0.3 a it in; 0.35 a kind; -0.16 a know; -0.47 a leave; -0.36 a leave it; 0.29 a like; -0.3 a lol; -0.6 a long;
    0.24 a lovely; -0.19 a maybe; -0.06 a me; 0.26 a more; -0.3 a moved; -0.14 a much; -0.13 a my; -0.37 a nah;
    -0.25 a never; -0.22 a nice; -0.74 a no; -0.25 a no $; -0.38 a no ,; -0.08 a none; -0.43 a not; -0.2 a now;
    -0.28 a off; 0.25 a ok; 0.16 a on; 0.27 a on $; 0.28 a on my; 0.06 a on the; 0.07 a one; -0.25 a only ,; -0.32 a
    our; -0.09 a out; -0.4 a pass; 0.27 a perfect; 0.26 a perfect ,; 0.21 a please; -0.32 a rent; -0.12 a said;
    -0.21 a same; -0.43 a see; 0.11 a she; 0.37 a she's; 0.13 a short; -0.2 a since; -0.23 a sister; 0.21 a six;
    0.12 a so; -0.17 a still; 0.14 a ta; 0.17 a ta $; 0.18 a take; 0.27 a thank you; 0.14 a that; 0.14 a that $;
    0.15 a that ,; -0.21 a the; 0.15 a the #; 0.18 a then; 0.16 a then $; -0.38 a they; -0.32 a think; 0.31 a thx;
    -0.36 a to; -0.45 a told; 0.25 a told beside; -0.54 a too; -0.33 a too much; -0.15 a two; 0.31 a und; 0.29 a
    uns; 0.27 a untold; -0.2 a up; -0.3 a us; -0.34 a us $; -0.15 a was; -0.38 a we; -0.33 a we have; -0.16 a week;
    -0.05 a what; 0.14 a will; 0.16 a will be; -0.4 a will do; 0.12 a with; 0.35 a with the; -0.1 a work; 0.33 a
    works; 0.43 a worth; 0.35 a would ,; 0.47 a yes; -0.19 a yes $; 0.26 a yes do; 0.25 a you; 0.06 a you $; -0.7 f
    asked; -1.09 f before question; 0.55 f day new; -0.21 f day said; 1.68 f figure; -1.17 f first; -1.05 f general;
    1.18 f last; 0.28 f long; 0.11 f o; -0.16 f of 1; -0.06 f of 2; -0.47 f past; -0.42 f q; -0.27 f repeats; 0.31 f
    s; -1.14 f said; -0.81 f said last; -0.78 f short; -0.07 o none; -0.26 o short; -0.25 o that; -0.15 o told; 0.35
    o untold; -0.17 o yes; -0.15 q #; 0.5 q courtesy; -0.17 q none; -0.12 q short; -0.4 q told; -0.18 q untold; 0.22
    q yes; -0.3 s !; -0.3 s ! $; 0.9 s #; 0.74 s # <month>; -0.06 s # @; 0.18 s # a; -0.14 s # and; 0.57 s # de;
    0.55 s # dollars; 0.14 s # euros; 0.46 s # for; 0.36 s # h; 0.4 s # is; -0.43 s # k; -0.26 s # kilos; -0.14 s #
    minutes; -0.38 s # now; -0.29 s # percent; -0.36 s # seconds; 0.38 s # septembre; -0.2 s # to; 1.09 s ,; -0.46 s
    , #; -0.27 s , <day>; 0.06 s , @; -0.11 s , a; 0.15 s , and; 0.26 s , by; 0.42 s , die; 0.38 s , every; -0.23 s
    , for; 0.2 s , free; -0.29 s , i; 0.49 s , in; -0.24 s , it; 0.24 s , no; 0.26 s , on; -0.26 s , please; 0.46 s
    , same; 0.36 s , so; 0.22 s , the; -0.54 s , then; -0.48 s , too; -0.27 s , you; 1.14 s :; 0.21 s : @; 0.28 s :
    it; 0.26 s : the; 0.33 s <day>; 0.16 s <day> #; 0.32 s <day> $; 0.24 s <day> ,; 0.64 s <day> at; 0.25 s <month>;
    0.02 s <month> $; 0.39 s <month> ,; -0.52 s <month> at; -0.25 s <month> for; 1.85 s <price>; 0.47 s <price> $;
    0.3 s <price> for; 0.97 s <time>; 0.4 s <time> $; 0.35 s <time> ,; 0.46 s <time> ?; -0.35 s <time> as; -0.42 s
    ?; -0.42 s ? $; 0.37 s @; -0.1 s @ !; 0.1 s @ $; 0.46 s @ ,; 0.55 s @ @; -0.37 s @ as; 0.25 s @ follows; 0.38 s
    @ für; 0.3 s @ is; 0.2 s @ ist; 0.34 s @ kostet; 0.31 s @ on; 0.44 s ^ #; -0.21 s ^ <month>; -0.15 s ^ <time>;
    0.24 s ^ a; -0.17 s ^ an; -0.21 s ^ at; 0.29 s ^ booth; -0.28 s ^ coventry; 0.22 s ^ der; -0.29 s ^ do; 0.18 s ^
    does; 0.28 s ^ dr; 0.12 s ^ for; -0.06 s ^ good; 0.3 s ^ half; 0.2 s ^ he; 0.33 s ^ i; 0.3 s ^ i'll; -0.26 s ^
    i've; 0.42 s ^ ich; -0.43 s ^ if; 0.33 s ^ il; -0.24 s ^ in; -0.24 s ^ it; 0.12 s ^ it's; -0.21 s ^ keep; 0.27 s
    ^ le; 0.26 s ^ mrs; 0.24 s ^ nine; -0.17 s ^ noted; 0.13 s ^ ok; -0.37 s ^ on; -0.21 s ^ only; 0.57 s ^ our;
    -0.2 s ^ please; -0.07 s ^ shall; 0.28 s ^ should; 0.21 s ^ six; -0.52 s ^ so; -0.15 s ^ still; -0.25 s ^ thank;
    0.38 s ^ the; 0.39 s ^ then; 0.4 s ^ there; 0.14 s ^ they; -0.27 s ^ try; 0.18 s ^ we; -0.14 s ^ what; -0.15 s ^
    which; -0.26 s ^ with; 0.2 s ^ would; -0.19 s ^ yes; -0.45 s ^ you; -0.47 s ^ your; -0.34 s a; -0.42 s a good;
    -0.28 s a head; 0.26 s a las; 0.15 s a week; 0.27 s a year; 0.39 s ab; -0.41 s about; -0.41 s about #; -0.34 s
    add; -0.29 s add a; 0.15 s all; -0.61 s also; 0.39 s an hour; 0.38 s and; -0.44 s and @; 0.26 s and i'll; 0.2 s
    and you; -0.19 s any; -0.34 s apply; -0.14 s are; 0.28 s are <price>; -0.19 s as; -0.3 s as before; -0.32 s as
    well; 0.25 s ask; 0.15 s at; 0.08 s at #; 0.33 s at <time>; -0.22 s at @; 0.46 s at noon; -0.08 s at the; 0.18 s
    aye; 0.21 s back; -0.4 s bake; 0.34 s be; 0.04 s be a; 0.34 s be at; 0.35 s because; -0.29 s bed; 0.36 s bee;
    0.17 s before; 0.11 s before $; -0.22 s before the; -0.37 s begins; -0.39 s begins on; -0.2 s best; -0.14 s
    better; 0.23 s bless; 0.3 s blue; 0.2 s book; 0.27 s booked; 0.23 s booked $; 0.26 s booth; 0.29 s booth #;
    -0.19 s both; 0.31 s bottle; -0.21 s breakfast; -0.28 s bring; 0.66 s by; 0.05 s by <day>; 0.27 s call; 0.56 s
    can; 0.36 s can do; -0.51 s can get; 0.4 s can have; -0.4 s can put; 0.36 s can send; -0.22 s can't; 0.21 s car;
    0.31 s carry; 0.39 s charge; -0.27 s cheaper; 0.2 s check; 0.3 s children; -0.31 s choice; 0.31 s code; 0.16 s
    come; -0.19 s come on; 0.19 s come to; 0.86 s comes; 0.3 s comes on; 0.47 s comes to; -0.42 s committee; 0.23 s
    con; 0.18 s costs; 0.07 s could; -0.42 s could also; -0.23 s could ask; 0.48 s council; 0.1 s course; -0.06 s
    courtesy; -0.28 s coventry; 0.38 s coverup; 0.32 s coûte; 0.32 s coûte #; -0.4 s danke; 0.37 s day; 0.11 s day
    $; 0.15 s days; -0.16 s days $; -0.22 s deliver; 0.43 s deposit; 0.35 s deposit $; 0.3 s der; 0.3 s der @; -0.19
    s die @; 0.53 s do; 0.48 s do <time>; -0.31 s do you; 0.2 s does; 0.55 s dollars; -0.24 s don't; 0.11 s done;
    0.31 s door; 0.3 s door $; 0.28 s dr; 0.28 s dr @; 0.24 s draft; 0.29 s driver; 0.37 s drop; 0.31 s drops; 0.87
    s each; -0.36 s ear; 0.36 s ein; 0.64 s el; 0.28 s el viernes; 0.2 s end; 0.27 s end of; 0.2 s erased; 0.15 s
    euros; 0.42 s euros $; 0.43 s euros ?; -0.21 s euros a; -0.39 s euros more; 0.4 s evening; 0.18 s evening $;
    0.18 s every; 0.25 s extra; 0.23 s fair; -0.22 s family; 0.72 s fee; 0.4 s fee would; -0.04 s fine; -0.19 s fine
    $; 0.71 s five; 0.38 s five $; -0.19 s flat; 0.25 s follows; 0.58 s for; -0.6 s for #; 0.34 s for @; 0.15 s for
    a; 0.24 s for it; 0.31 s for the; -0.59 s for two; 0.75 s for you; 0.42 s free; 0.21 s free ,; 0.34 s from;
    -0.27 s from #; 0.3 s from <day>; -0.18 s full; -0.33 s funeral; 0.58 s für; 0.28 s get; 0.23 s get a; -0.63 s
    get you; -0.29 s give; -0.31 s give him; 0.16 s go; 0.14 s gone; -0.08 s good; 0.22 s good news; -0.17 s got;
    0.28 s grand; 0.25 s green; 0.19 s group; 0.36 s h; 0.25 s half; 0.07 s has; -0.51 s has <time>; 0.28 s has a;
    0.02 s have; -0.47 s have a; -0.31 s have an; 0.2 s have it; 0.26 s have the; 0.14 s he; -0.31 s head; -0.46 s
    head $; 0.14 s hear; -0.25 s hm; 0.2 s hold; -0.16 s home; 0.52 s hour; 0.22 s hour $; 0.17 s hours $; 0.27 s i;
    -0.15 s i am; 0.18 s i can; 0.2 s i could; -0.28 s i have; 0.19 s i order; 0.26 s i suggest; 0.11 s i will;
    -0.56 s i would; 0.51 s i'd; 0.99 s i'll; -0.21 s i've; 0.68 s ich; -0.44 s if; 0.32 s il; 0.29 s in; -0.39 s in
    #; 0.04 s in @; 0.46 s in all; -0.36 s in for; -0.14 s in the; 0.3 s in two; 0.44 s in your; 0.18 s instead;
    0.34 s instead $; 0.35 s invoices; 0.02 s is; -0.08 s is #; -0.25 s is $; 0.36 s is ,; -0.24 s is <day>; 0.4 s
    is <price>; -0.19 s is a; -0.19 s is fine; 0.13 s is free; 0.21 s is no; 0.4 s is off; -0.27 s is on; 0.25 s is
    out; -0.14 s is the; 0.26 s is too; 0.19 s ist; 0.09 s it; -0.28 s it $; 0.12 s it is; 0.16 s it will; 0.48 s
    it's; 0.16 s its; 0.28 s je; -0.24 s k; -0.31 s keep; -0.22 s keep the; -0.27 s kilos; -0.11 s know; 0.34 s
    kostet; 0.5 s la; 0.28 s las; 0.41 s las <time>; -0.27 s last; 0.65 s le; 0.46 s leave; 0.39 s leave out; -0.19
    s letter; 0.29 s like; -0.22 s like it; 0.26 s likes; 0.33 s list; 0.24 s live; -0.66 s long; -0.16 s lovely;
    0.3 s lower; -0.29 s many; 0.15 s me; -0.22 s metres; -0.27 s might; -0.18 s minutes; 0.26 s mit; 0.29 s month;
    0.29 s month $; -0.14 s more; 0.51 s morgen; -0.36 s morning; -0.27 s most; 0.2 s move; 0.64 s moved; 0.29 s
    moved you; 0.26 s mrs; 0.26 s mrs @; -0.17 s must; -0.17 s my; -0.18 s nah; 0.26 s near; 0.26 s near the; -0.3 s
    need; 0.32 s new; 0.22 s news; 0.23 s next; 0.51 s next week; -0.33 s nice; 0.49 s night; 0.38 s nine; 0.44 s
    no; 0.15 s none; 0.6 s noon; -0.3 s not; -0.25 s noted; 0.19 s notes; 0.31 s nothing; 0.51 s now; 0.23 s now $;
    -0.21 s of; -0.34 s of her; -0.13 s of the; 0.23 s of you; 0.52 s off; -0.28 s offer; 0.12 s ok; 0.09 s on; 0.64
    s on #; 0.3 s on $; -0.36 s on <day>; -0.33 s on @; 0.2 s on the; 0.1 s one; -0.36 s one ?; -0.42 s online; 0.24
    s only; -0.46 s open; -0.18 s or; 0.09 s order; 0.25 s otter; 0.41 s our; 0.52 s out; -0.14 s out $; 0.43 s
    pads; 0.23 s pages; -0.31 s parking; 0.32 s pay; -0.21 s percent; 0.3 s percent of; 0.38 s pick; -0.12 s place;
    -0.29 s please; 0.2 s possible; -0.07 s pounds $; 0.36 s pounds ,; 0.39 s pounds a; 0.39 s price; 0.22 s price
    is; -0.05 s put; 0.25 s put it; -0.38 s put you; 0.24 s ready; 0.24 s ready on; -0.14 s removed; -0.2 s rent;
    -0.33 s rest; 0.16 s ring you; 0.25 s room $; 0.44 s same; -0.37 s seconds; 0.14 s see; 0.53 s send; 0.56 s send
    you; 0.38 s septembre; 0.38 s septembre à; 0.28 s seven; -0.24 s shall; -0.24 s shares; 0.15 s she; 0.45 s
    short; 0.29 s should i; -0.25 s side; 0.22 s six; -0.16 s size; 0.12 s so; -0.33 s so you; -0.24 s sorry; -0.22
    s sorry to; 0.25 s start; -0.37 s stays; -0.35 s stays at; -0.15 s still; 0.37 s suggest; 0.23 s ta; 0.52 s
    table; -0.22 s takes; -0.78 s talk; -0.38 s talk about; 0.1 s tell; 0.12 s test; 0.37 s text; -0.43 s thank;
    -0.32 s thank you; -0.23 s thanks; 0.19 s that; -0.21 s that $; 0.14 s that's; 0.44 s the; -0.39 s the <day>;
    0.48 s the council; 0.23 s the day; 0.34 s the door; 0.37 s the driver; 0.29 s the fee; 0.3 s the first; -0.17 s
    the last; 0.23 s the new; -0.38 s the next; 0.25 s the otter; 0.21 s the price; 0.1 s them; 0.12 s then; -0.3 s
    then $; 0.33 s then ,; -0.14 s then i; 0.35 s then i'll; 0.2 s then the; -0.23 s then you; -0.14 s there; -0.35
    s there on; 0.52 s there will; -0.23 s there's a; 0.22 s they; 0.71 s this; 0.26 s three; 0.22 s through; 0.05 s
    time; 0.11 s time $; -0.4 s times; 0.14 s to; 0.12 s to #; 0.31 s to <day>; 0.43 s to <time>; -0.26 s to @;
    -0.17 s to be; -0.25 s to go; 0.34 s to the; 0.32 s today; 0.05 s told; 0.85 s tomorrow; 0.45 s tonight; 0.52 s
    tonight at; -0.24 s too; -0.43 s too $; 0.38 s top; -0.28 s try; 0.2 s twice; 0.24 s twice a; 0.4 s two; -0.22 s
    two weeks; 0.25 s tyre; -0.52 s un; 0.38 s und; -0.19 s under; -0.1 s understood; 0.16 s until; 0.27 s until
    the; 0.1 s untold; 0.26 s up; 0.19 s up $; -0.19 s up to; 0.3 s update; 0.3 s update the; -0.38 s usually; 0.28
    s viernes; 0.28 s viernes #; -0.29 s was; -0.23 s water; -0.59 s we could; 0.13 s we have; 0.36 s we will; 0.46
    s week; -0.23 s week $; 0.26 s week ,; 0.4 s week to; -0.23 s weeks; -0.46 s well; 0.1 s well $; -0.43 s well ,;
    -0.25 s what; 0.18 s when; 0.4 s which; 0.18 s who; 1.35 s will; 0.76 s will be; 0.19 s will keep; 0.35 s will
    leave; 0.2 s will tell; 0.38 s window; 0.15 s with; -0.13 s with a; 0.11 s with the; 0.41 s within; 0.4 s within
    #; -0.36 s wood; -0.16 s works; 0.3 s worth; 0.19 s would; -0.34 s would put; 0.29 s would take; 0.08 s would
    you; -0.29 s write to; 0.23 s year; 0.26 s year $; -0.18 s yes ,; 0.21 s you; 0.33 s you $; 0.24 s you ,; -0.33
    s you @; -0.11 s you are; 0.27 s you at; -0.43 s you could; -0.17 s you down; 0.24 s you get; -0.11 s you have;
    0.1 s you like; -0.19 s you need; 0.19 s you on; -0.47 s you should; 0.25 s you the; 0.31 s you'll; 0.49 s
    you're; 0.35 s you're a; 0.33 s your; 0.32 s your room; 0.3 s yours; 0.37 s à; 0.22 s à #
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
