"""The weights of `agreement_score`; `python -m benchmarks.agreements --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = -5.01
_LISTED = """
    0.06 a !; 0.06 a ! $; -0.68 a #; -0.46 a # $; 0.38 a # is; 0.25 a ,; -0.22 a , #; -0.26 a , $; -0.19 a , i; 0.24
    a , i'll; -0.27 a , in; -0.27 a , no; 0.18 a , thank; 0.16 a , the; -0.22 a :; -0.76 a <day>; -0.13 a <month>;
    -0.22 a <time>; -0.35 a ?; -0.35 a ? $; 0.06 a @; -0.22 a @ $; -0.24 a @ ,; -0.19 a @ @; -0.49 a ^ <day>; -0.16
    a ^ and; 0.19 a ^ aye; 0.38 a ^ bless; -0.39 a ^ danke; 0.38 a ^ do; -0.47 a ^ don't; 0.21 a ^ fine; 0.16 a ^
    good; 0.38 a ^ grand; -0.26 a ^ hm; 0.06 a ^ i; -0.16 a ^ i've; -0.18 a ^ if; 0.21 a ^ is; -0.2 a ^ lol; -0.34 a
    ^ nah; -0.12 a ^ no; 0.27 a ^ on; 0.13 a ^ one; 0.27 a ^ ta; -0.13 a ^ the; -0.31 a ^ they; 0.14 a ^ we; -0.14 a
    ^ what; -0.37 a ^ will; 0.29 a ^ worth; 0.27 a ^ yes; 0.17 a ^ you; -0.12 a a; -0.2 a about; -0.22 a about it;
    -0.14 a and; 0.21 a and the; -0.39 a are; 0.12 a as; -0.31 a ask; -0.34 a at; 0.12 a aye; 0.22 a be; 0.24 a
    better; 0.44 a bless; 0.26 a bless you; -0.17 a but; -0.27 a by the; 0.16 a can; -0.32 a can't; 0.34 a das;
    -0.29 a de; -0.16 a did; 0.42 a do; 0.52 a do it; 0.25 a do that; -0.4 a don't; 0.16 a down; -0.24 a evening;
    0.32 a fair; 0.56 a fine; -0.19 a flat; -0.57 a football; 0.19 a for the; -0.18 a forget; -0.15 a from; 0.32 a
    go; 0.23 a go on; 0.21 a god; -0.17 a gone; 0.45 a good; 0.45 a good $; -0.18 a got; 0.18 a grand; -0.08 a has;
    -0.07 a have; -0.11 a he; 0.22 a him; -0.43 a his; -0.26 a hm; -0.15 a i; 0.32 a i can; 0.3 a i will; 0.35 a i
    would; -0.15 a i've; -0.18 a im; -0.09 a in; 0.21 a in $; 0.18 a in @; -0.21 a in the; -0.11 a is; 0.11 a is $;
    0.23 a it; -0.1 a it $; 0.28 a it in; 0.15 a it is; 0.33 a kind; -0.46 a leave; -0.36 a leave it; 0.3 a like;
    -0.3 a lol; -0.56 a long; 0.27 a lovely; -0.11 a me; 0.17 a me $; 0.27 a more; -0.32 a moved; -0.22 a my; -0.23
    a my sister; -0.43 a nah; -0.14 a need; -0.29 a never; -0.7 a no; -0.2 a no $; -0.38 a no ,; 0.05 a none; -0.5 a
    not; -0.2 a now; -0.26 a off; 0.33 a ok; 0.08 a on; 0.26 a on $; 0.3 a on my; 0.06 a on the; 0.04 a one; -0.15 a
    only; -0.27 a only ,; -0.36 a our; -0.1 a out; -0.22 a own; -0.35 a pass; 0.31 a perfect; 0.29 a perfect ,; 0.27
    a please; -0.34 a rent; -0.12 a said; -0.18 a same; -0.11 a says; -0.35 a see; -0.19 a shares; 0.33 a she's;
    0.35 a short; -0.23 a since; -0.25 a sister; 0.21 a six; 0.13 a so; -0.15 a still; 0.12 a ta; 0.14 a ta $; 0.18
    a take; 0.09 a thank; 0.27 a thank you; 0.15 a that; 0.19 a that $; 0.19 a that ,; -0.26 a the; 0.16 a the #;
    0.16 a then; 0.17 a then $; -0.41 a they; -0.29 a think; 0.33 a thx; -0.38 a to; -0.53 a too; -0.31 a too much;
    -0.17 a two; 0.28 a und; 0.24 a uns; -0.2 a up; -0.28 a us; -0.35 a us $; -0.17 a was; -0.47 a we; -0.33 a we
    have; -0.17 a week; 0.12 a will; 0.12 a will be; -0.39 a will do; 0.11 a with; 0.32 a with the; -0.14 a work;
    0.36 a works; 0.4 a worth; 0.36 a would ,; 0.54 a yes; -0.15 a yes $; 0.3 a yes do; 0.24 a yes please; 0.3 a
    you; 0.09 a you $; -0.71 f asked; -1.13 f before question; 0.58 f day new; -0.24 f day said; 1.67 f figure;
    -1.11 f first; -1.03 f general; 1.18 f last; 0.29 f long; 0.17 f o; -0.11 f of 1; -0.02 f of 2; -0.46 f past;
    -0.48 f q; -0.25 f repeats; 0.31 f s; -1.09 f said; -0.78 f said last; -0.79 f short; -0.05 o none; -0.19 o
    short; -0.22 o yes; -0.19 q #; -0.09 q long; -0.06 q none; -0.06 q short; 0.33 q yes; -0.3 s !; -0.3 s ! $; 0.86
    s #; 0.07 s # $; 0.72 s # <month>; -0.03 s # @; 0.21 s # a; -0.18 s # and; 0.6 s # de; 0.55 s # dollars; 0.17 s
    # euros; 0.47 s # for; 0.37 s # h; 0.45 s # is; -0.42 s # k; -0.29 s # kilos; -0.12 s # minutes; -0.24 s #
    percent; -0.33 s # seconds; -0.21 s # to; 1.03 s ,; -0.45 s , #; -0.28 s , <day>; 0.06 s , @; -0.11 s , a; 0.16
    s , and; 0.25 s , by; 0.42 s , die; 0.38 s , every; -0.25 s , for; -0.35 s , i; 0.52 s , in; -0.21 s , it; 0.24
    s , no; 0.26 s , on; -0.23 s , please; 0.48 s , same; 0.39 s , so; 0.2 s , the; -0.52 s , then; -0.48 s , too;
    -0.3 s , you; 1.16 s :; 0.19 s : @; 0.27 s : it; 0.26 s : the; 0.34 s <day>; 0.13 s <day> #; 0.3 s <day> $; 0.22
    s <day> ,; 0.63 s <day> at; 0.26 s <month>; 0.02 s <month> $; 0.4 s <month> ,; -0.51 s <month> at; -0.26 s
    <month> for; 1.84 s <price>; 0.45 s <price> $; 0.3 s <price> for; 0.97 s <time>; 0.38 s <time> $; 0.36 s <time>
    ,; 0.45 s <time> ?; -0.33 s <time> as; -0.48 s ?; -0.48 s ? $; 0.33 s @; -0.1 s @ !; 0.09 s @ $; 0.43 s @ ,;
    0.56 s @ @; -0.33 s @ as; 0.26 s @ follows; 0.23 s @ for; 0.36 s @ für; 0.31 s @ is; 0.19 s @ ist; 0.36 s @
    kostet; 0.33 s @ on; 0.43 s ^ #; -0.19 s ^ <month>; 0.18 s ^ a; -0.02 s ^ and; -0.23 s ^ at; 0.3 s ^ booth;
    -0.29 s ^ coventry; 0.21 s ^ der; -0.3 s ^ do; 0.18 s ^ does; 0.28 s ^ dr; 0.14 s ^ for; -0.03 s ^ good; 0.31 s
    ^ half; 0.21 s ^ he; 0.09 s ^ how; 0.3 s ^ i; 0.3 s ^ i'll; -0.25 s ^ i've; 0.44 s ^ ich; -0.43 s ^ if; 0.36 s ^
    il; -0.22 s ^ in; -0.24 s ^ it; 0.14 s ^ it's; -0.2 s ^ keep; 0.33 s ^ le; 0.27 s ^ mrs; -0.16 s ^ noted; 0.12 s
    ^ ok; -0.35 s ^ on; -0.24 s ^ only; 0.58 s ^ our; -0.21 s ^ please; -0.04 s ^ shall; 0.31 s ^ should; 0.23 s ^
    six; -0.52 s ^ so; -0.25 s ^ thank; 0.12 s ^ that; 0.4 s ^ the; 0.36 s ^ then; 0.39 s ^ there; 0.14 s ^ they;
    -0.28 s ^ try; 0.19 s ^ we; -0.13 s ^ what; -0.18 s ^ which; -0.24 s ^ white; -0.25 s ^ with; 0.17 s ^ would;
    -0.19 s ^ yes; -0.46 s ^ you; -0.45 s ^ your; -0.34 s a; -0.44 s a good; -0.29 s a head; 0.23 s a las; -0.23 s a
    place; 0.16 s a week; 0.29 s a year; 0.38 s ab; -0.38 s about; -0.39 s about #; -0.35 s add; -0.32 s add a; 0.14
    s all; -0.63 s also; 0.42 s an hour; 0.39 s and; -0.41 s and @; 0.26 s and i'll; 0.2 s and you; -0.18 s any;
    -0.35 s apply; -0.14 s are; 0.3 s are <price>; -0.17 s as; -0.28 s as before; -0.3 s as well; 0.27 s ask; 0.22 s
    at; 0.11 s at #; 0.29 s at <time>; -0.21 s at @; 0.46 s at noon; -0.08 s at the; 0.18 s aye; 0.2 s back; -0.44 s
    bake; 0.36 s be; 0.04 s be a; 0.34 s be at; 0.33 s because; -0.28 s bed; 0.35 s bee; 0.19 s before; -0.24 s
    before the; -0.39 s begins; -0.4 s begins on; -0.16 s best; -0.14 s better; 0.24 s bless; 0.3 s blue; 0.18 s
    book; 0.28 s booked; 0.24 s booked $; 0.28 s booth; 0.3 s booth #; -0.13 s both; 0.27 s bottle; -0.19 s
    breakfast; -0.32 s bring; 0.64 s by; 0.27 s call; 0.55 s can; 0.34 s can do; -0.5 s can get; 0.4 s can have;
    -0.4 s can put; 0.37 s can send; -0.22 s can't; 0.22 s car; 0.32 s carry; 0.4 s charge; -0.27 s cheaper; 0.23 s
    check; 0.31 s children; -0.34 s choice; 0.34 s code; 0.13 s come; -0.25 s come on; 0.19 s come to; 0.87 s comes;
    0.3 s comes on; 0.46 s comes to; -0.43 s committee; 0.24 s con; 0.17 s costs; 0.05 s could; -0.41 s could also;
    -0.21 s could ask; -0.29 s could offer; 0.47 s council; 0.07 s course; -0.29 s coventry; 0.36 s coverup; 0.31 s
    coûte; 0.31 s coûte #; -0.4 s danke; 0.4 s day; 0.08 s day $; 0.17 s days; -0.15 s days $; -0.25 s deliver; 0.18
    s delivery; 0.45 s deposit; 0.34 s deposit $; 0.31 s der; 0.31 s der @; -0.22 s die @; 0.53 s do; 0.48 s do
    <time>; -0.34 s do you; 0.19 s does; 0.55 s dollars; -0.23 s don't; 0.13 s done; 0.32 s door; 0.32 s door $;
    0.28 s dr; 0.28 s dr @; 0.25 s draft; 0.31 s driver; 0.39 s drop; 0.31 s drops; 0.88 s each; -0.39 s ear; 0.38 s
    ein; 0.65 s el; 0.28 s el viernes; 0.23 s end; 0.22 s erased; 0.17 s euros; 0.42 s euros $; 0.43 s euros ?;
    -0.19 s euros a; -0.41 s euros more; 0.42 s evening; 0.17 s evening $; 0.18 s every; -0.21 s everything; 0.27 s
    extra; 0.27 s fair; -0.21 s family; 0.72 s fee; -0.17 s fine $; 0.06 s first; 0.25 s first <day>; 0.72 s five;
    0.39 s five $; -0.19 s flat; 0.25 s follows; 0.56 s for; -0.6 s for #; 0.32 s for @; 0.18 s for a; 0.26 s for
    it; 0.23 s for the; -0.58 s for two; 0.78 s for you; 0.4 s free; 0.24 s free ,; 0.33 s from; -0.26 s from #;
    0.31 s from <day>; -0.25 s full; -0.32 s funeral; 0.54 s für; 0.26 s get; 0.24 s get a; -0.59 s get you; -0.33 s
    give; -0.32 s give him; 0.15 s go; -0.22 s goes to; 0.15 s gone; -0.06 s good; 0.24 s good news; -0.19 s got;
    0.3 s grand; 0.23 s green; 0.21 s group; 0.37 s h; 0.23 s half; 0.04 s has; -0.52 s has <time>; 0.31 s has a;
    0.05 s have; -0.47 s have a; -0.31 s have an; 0.18 s have it; 0.27 s have the; 0.13 s he; -0.32 s head; -0.48 s
    head $; 0.13 s hear; -0.22 s hm; -0.15 s home; -0.11 s hope; 0.58 s hour; 0.19 s hours $; 0.09 s how; 0.28 s how
    about; 0.29 s i; -0.18 s i am; 0.11 s i can; 0.15 s i could; -0.28 s i have; -0.11 s i hope; 0.21 s i order;
    0.24 s i suggest; 0.13 s i will; -0.54 s i would; 0.51 s i'd; 0.99 s i'll; -0.21 s i've; 0.67 s ich; -0.44 s if;
    0.35 s il; 0.27 s in; -0.36 s in #; 0.03 s in @; 0.47 s in all; -0.37 s in for; -0.13 s in the; 0.3 s in two;
    0.45 s in your; 0.19 s instead; 0.33 s instead $; 0.38 s invoices; -0.01 s is; -0.05 s is #; -0.27 s is $; 0.37
    s is ,; 0.32 s is <price>; -0.19 s is a; -0.17 s is fine; 0.16 s is free; 0.2 s is no; 0.39 s is off; -0.3 s is
    on; 0.27 s is out; -0.12 s is the; 0.3 s is too; 0.18 s ist; 0.09 s it; -0.29 s it $; 0.14 s it is; 0.16 s it
    will; 0.44 s it's; 0.18 s its; 0.3 s je; -0.25 s k; -0.3 s keep; -0.22 s keep the; -0.29 s kilos; -0.12 s know;
    0.35 s kostet; 0.5 s la; 0.27 s las; 0.4 s las <time>; -0.27 s last; 0.7 s le; 0.45 s leave; 0.38 s leave out;
    -0.19 s letter; 0.26 s like; -0.21 s like it; 0.27 s likes; 0.33 s list; 0.24 s live; -0.63 s long; -0.14 s
    lovely; 0.3 s lower; -0.3 s many; 0.13 s me; -0.22 s metres; -0.28 s might; -0.15 s minutes; 0.22 s mit; 0.28 s
    month; 0.3 s month $; -0.18 s more; 0.46 s morgen; -0.36 s morning; -0.28 s most; 0.17 s move; 0.63 s moved;
    0.31 s moved you; 0.26 s mrs; 0.27 s mrs @; -0.18 s must; -0.18 s my; -0.2 s nah; 0.26 s near; 0.26 s near the;
    -0.29 s need; 0.33 s new; 0.24 s news; 0.2 s next; 0.5 s next week; -0.34 s nice; 0.52 s night; 0.38 s nine;
    0.47 s no; 0.15 s none; 0.62 s noon; -0.29 s not; -0.24 s noted; -0.07 s noted $; 0.18 s notes; 0.32 s nothing;
    0.49 s now; 0.23 s now $; -0.21 s of; -0.37 s of her; -0.13 s of the; 0.21 s of you; 0.52 s off; -0.25 s offer;
    0.15 s ok; 0.08 s on; 0.64 s on #; 0.3 s on $; -0.35 s on <day>; -0.34 s on @; 0.21 s on the; 0.05 s one; -0.41
    s one ?; -0.42 s online; 0.26 s only; -0.46 s open; 0.06 s order; 0.4 s our; 0.53 s out; -0.15 s out $; 0.43 s
    pads; 0.23 s pages; -0.33 s parking; 0.36 s pay; -0.16 s percent; 0.29 s percent of; 0.38 s pick; -0.07 s place;
    -0.26 s please; 0.22 s possible; -0.11 s pounds $; 0.35 s pounds ,; 0.4 s pounds a; 0.42 s price; 0.23 s price
    is; -0.05 s put; 0.23 s put it; -0.39 s put you; 0.24 s ready; 0.24 s ready on; -0.14 s removed; -0.21 s rent;
    -0.32 s rest; 0.16 s ring you; 0.25 s room $; 0.44 s same; -0.35 s seconds; 0.15 s see; 0.57 s send; 0.57 s send
    you; 0.28 s seven; -0.19 s shall; -0.16 s shares; 0.1 s she; 0.52 s short; 0.31 s should i; -0.25 s side; 0.24 s
    six; -0.16 s size; 0.15 s small; 0.12 s so; -0.34 s so you; -0.26 s sorry; -0.24 s sorry to; 0.26 s start; -0.35
    s stays; -0.33 s stays at; -0.11 s still; 0.37 s suggest; 0.27 s ta; 0.56 s table; -0.22 s takes; -0.76 s talk;
    -0.39 s talk about; 0.1 s tell; 0.14 s test; 0.36 s text; -0.44 s thank; -0.32 s thank you; -0.2 s thanks; 0.16
    s that; -0.21 s that $; 0.16 s that's; 0.43 s the; -0.4 s the <day>; -0.38 s the <time>; 0.47 s the council;
    0.24 s the day; 0.35 s the door; 0.38 s the driver; 0.28 s the fee; 0.3 s the first; -0.17 s the last; 0.22 s
    the new; -0.4 s the next; 0.22 s the price; 0.11 s them; 0.34 s them ,; 0.13 s then; -0.28 s then $; 0.36 s then
    ,; -0.16 s then i; 0.37 s then i'll; 0.23 s then the; -0.23 s then you; -0.14 s there; -0.33 s there on; 0.52 s
    there will; -0.21 s there's a; 0.22 s they; 0.7 s this; 0.22 s this year; 0.31 s three; 0.22 s through; 0.05 s
    time; 0.1 s time $; -0.39 s times; 0.14 s to; 0.12 s to #; 0.32 s to <day>; 0.45 s to <time>; -0.27 s to @;
    -0.16 s to be; -0.25 s to go; 0.3 s to the; 0.32 s today; 0.21 s today ,; 0.88 s tomorrow; 0.47 s tonight; 0.54
    s tonight at; -0.23 s too; -0.45 s too $; 0.38 s top; -0.29 s try; 0.2 s twice; 0.26 s twice a; 0.39 s two;
    -0.22 s two weeks; 0.27 s tyre; -0.56 s un; 0.34 s und; -0.21 s under; 0.18 s until; 0.16 s until #; 0.27 s
    until the; 0.26 s up; 0.19 s up $; -0.17 s up to; 0.32 s update; 0.33 s update the; -0.37 s usually; 0.28 s
    viernes; 0.28 s viernes #; -0.28 s was; -0.22 s water; -0.64 s we could; 0.13 s we have; 0.37 s we will; 0.46 s
    week; -0.23 s week $; 0.26 s week ,; 0.41 s week to; -0.25 s weeks; -0.46 s well; 0.09 s well $; -0.41 s well ,;
    -0.23 s what; 0.21 s when; 0.4 s which; 0.18 s who; 1.36 s will; 0.76 s will be; 0.19 s will keep; 0.34 s will
    leave; 0.2 s will tell; 0.38 s window; 0.16 s with; -0.11 s with a; 0.12 s with the; 0.44 s within; 0.43 s
    within #; -0.38 s wood; -0.16 s works; 0.29 s worth; 0.17 s would; -0.12 s would be; -0.34 s would put; 0.33 s
    would take; 0.06 s would you; -0.3 s write to; 0.23 s year; 0.27 s year $; -0.18 s yes ,; 0.22 s you; 0.33 s you
    $; 0.22 s you ,; -0.31 s you @; -0.12 s you are; 0.28 s you at; -0.42 s you could; -0.15 s you down; 0.22 s you
    get; -0.1 s you have; 0.08 s you like; -0.18 s you need; 0.17 s you on; -0.48 s you should; 0.27 s you the; 0.31
    s you'll; 0.54 s you're; 0.36 s you're a; 0.33 s your; 0.31 s your room; 0.33 s yours; 0.43 s à; 0.22 s à #
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
