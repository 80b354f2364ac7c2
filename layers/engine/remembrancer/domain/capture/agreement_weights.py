"""The weights of `agreement_score`; `python -m benchmarks.agreements --fit` writes them."""

from collections.abc import Mapping

BIAS = -5.01
_LISTED = """
    0.09 a !; 0.09 a ! $; -0.66 a #; -0.47 a # $; 0.38 a # is; 0.21 a ,; -0.23 a , #; -0.24 a , $; -0.19 a , i; 0.23
    a , i'll; -0.27 a , in; -0.28 a , no; 0.21 a , thank; -0.22 a :; -0.76 a <day>; -0.11 a <day> ,; -0.12 a
    <month>; -0.22 a <time>; -0.35 a ?; -0.35 a ? $; 0.05 a @; -0.22 a @ $; -0.23 a @ ,; -0.19 a @ @; -0.49 a ^
    <day>; -0.17 a ^ and; 0.17 a ^ aye; 0.33 a ^ bless; -0.4 a ^ danke; 0.38 a ^ do; -0.46 a ^ don't; 0.22 a ^ fine;
    0.21 a ^ god; 0.17 a ^ good; 0.4 a ^ grand; -0.26 a ^ hm; 0.06 a ^ i; -0.17 a ^ i've; -0.17 a ^ if; 0.21 a ^ is;
    -0.21 a ^ lol; -0.34 a ^ nah; -0.1 a ^ no; 0.29 a ^ on; 0.14 a ^ one; 0.25 a ^ perfect; -0.13 a ^ thanks; -0.11
    a ^ the; -0.33 a ^ they; 0.14 a ^ we; -0.14 a ^ what; -0.35 a ^ will; 0.28 a ^ worth; 0.28 a ^ yes; 0.18 a ^
    you; -0.09 a a; -0.2 a about; -0.21 a about it; -0.14 a and; 0.2 a and the; -0.39 a are; 0.12 a as; -0.3 a ask;
    -0.34 a at; 0.12 a aye; 0.23 a be; 0.26 a better; 0.4 a bless; -0.14 a but; -0.26 a by the; 0.15 a can; -0.33 a
    can't; 0.34 a das; -0.27 a de; -0.18 a did; 0.44 a do; 0.53 a do it; 0.26 a do that; -0.38 a don't; 0.16 a down;
    -0.24 a evening; 0.31 a fair; 0.56 a fine; -0.2 a flat; -0.56 a football; 0.19 a for the; -0.17 a forget; -0.16
    a from; 0.32 a go; 0.22 a go on; 0.2 a god; -0.17 a gone; 0.46 a good; 0.44 a good $; -0.18 a got; -0.18 a got
    a; 0.2 a grand; -0.08 a has; -0.09 a have; -0.1 a he; 0.17 a her; 0.22 a him; -0.43 a his; -0.26 a hm; -0.14 a
    i; 0.3 a i can; 0.3 a i will; 0.35 a i would; -0.16 a i've; -0.18 a im; -0.08 a in; 0.21 a in $; 0.18 a in @;
    -0.2 a in the; -0.1 a is; 0.11 a is $; 0.21 a it; -0.12 a it $; 0.29 a it in; 0.15 a it is; 0.36 a kind; -0.22 a
    le; -0.46 a leave; -0.36 a leave it; 0.29 a like; -0.32 a lol; -0.56 a long; 0.27 a lovely; -0.1 a me; 0.17 a me
    $; 0.25 a more; -0.33 a moved; -0.23 a my; -0.23 a my sister; -0.43 a nah; -0.14 a need; -0.29 a never; -0.69 a
    no; -0.19 a no $; -0.35 a no ,; -0.22 a no no; 0.03 a none; -0.48 a not; -0.21 a now; -0.25 a off; 0.3 a ok;
    0.09 a on; 0.26 a on $; 0.3 a on my; 0.05 a on the; 0.06 a one; -0.26 a only ,; -0.36 a our; -0.11 a out; -0.17
    a own; -0.36 a pass; 0.29 a perfect; 0.27 a perfect ,; 0.26 a please; -0.34 a rent; -0.18 a same; -0.11 a says;
    -0.35 a see; -0.18 a shares; 0.34 a she's; 0.32 a short; -0.23 a since; -0.24 a sister; 0.21 a six; 0.12 a so;
    -0.15 a still; 0.17 a take; 0.1 a thank; 0.28 a thank you; -0.18 a thanks; 0.2 a that; 0.18 a that $; 0.22 a
    that ,; -0.23 a the; 0.16 a the #; 0.16 a then; 0.16 a then $; -0.41 a they; -0.28 a think; 0.32 a thx; -0.36 a
    to; -0.52 a too; -0.3 a too much; -0.16 a two; 0.28 a und; 0.22 a uns; -0.21 a up; -0.26 a us; -0.34 a us $;
    -0.16 a was; -0.47 a we; -0.34 a we have; -0.17 a week; 0.17 a will; 0.13 a will be; -0.36 a will do; 0.1 a
    with; 0.31 a with the; -0.14 a work; 0.36 a works; 0.4 a worth; 0.36 a would ,; 0.54 a yes; -0.15 a yes $; 0.3 a
    yes do; 0.23 a yes please; 0.26 a you; -0.7 f asked; -1.14 f before question; 0.58 f day new; -0.22 f day said;
    1.73 f figure; -1.13 f first; -1.0 f general; 1.18 f last; 0.26 f long; 0.17 f o; -0.12 f of 1; -0.43 f past;
    -0.48 f q; -0.22 f repeats; 0.31 f s; -1.07 f said; -0.82 f said last; -0.77 f short; -0.05 o none; -0.18 o
    short; -0.22 o that; -0.23 o yes; -0.19 q #; -0.09 q long; -0.06 q none; -0.06 q short; 0.35 q yes; -0.28 s !;
    -0.28 s ! $; 0.86 s #; 0.08 s # $; 0.71 s # <month>; -0.11 s # ?; -0.04 s # @; 0.22 s # a; -0.2 s # and; 0.6 s #
    de; 0.56 s # dollars; 0.19 s # euros; 0.46 s # for; 0.39 s # h; 0.44 s # is; -0.42 s # k; -0.29 s # kilos; -0.09
    s # minutes; -0.25 s # percent; -0.34 s # seconds; 0.35 s # septembre; -0.21 s # to; 1.08 s ,; -0.5 s , #; -0.27
    s , <day>; 0.03 s , @; -0.13 s , a; 0.16 s , and; 0.25 s , by; 0.42 s , die; 0.4 s , every; -0.23 s , for; 0.22
    s , free; -0.33 s , i; 0.5 s , in; -0.23 s , it; 0.26 s , no; 0.27 s , on; -0.23 s , please; 0.46 s , same; 0.41
    s , so; 0.22 s , the; -0.54 s , then; -0.47 s , too; -0.33 s , you; 1.15 s :; 0.2 s : @; 0.27 s : the; 0.35 s
    <day>; 0.13 s <day> #; 0.31 s <day> $; 0.22 s <day> ,; 0.61 s <day> at; 0.27 s <month>; 0.02 s <month> $; 0.4 s
    <month> ,; -0.51 s <month> at; -0.24 s <month> for; 1.81 s <price>; 0.47 s <price> $; 0.3 s <price> for; 0.99 s
    <time>; 0.4 s <time> $; 0.34 s <time> ,; 0.43 s <time> ?; -0.35 s <time> as; -0.48 s ?; -0.48 s ? $; 0.37 s @;
    -0.09 s @ !; 0.1 s @ $; 0.44 s @ ,; 0.55 s @ @; -0.34 s @ as; 0.26 s @ follows; 0.2 s @ for; 0.36 s @ für; 0.29
    s @ is; 0.18 s @ ist; 0.36 s @ kostet; 0.32 s @ on; 0.42 s ^ #; -0.19 s ^ <month>; -0.14 s ^ <time>; 0.21 s ^ a;
    -0.01 s ^ and; -0.2 s ^ at; 0.29 s ^ booth; -0.31 s ^ coventry; 0.21 s ^ der; -0.29 s ^ do; 0.18 s ^ does; 0.3 s
    ^ dr; 0.16 s ^ for; -0.05 s ^ good; 0.31 s ^ half; 0.26 s ^ he; 0.08 s ^ how; 0.32 s ^ i; 0.31 s ^ i'll; -0.24 s
    ^ i've; 0.43 s ^ ich; -0.44 s ^ if; 0.31 s ^ il; -0.22 s ^ in; -0.24 s ^ it; 0.15 s ^ it's; -0.18 s ^ keep; 0.25
    s ^ le; 0.26 s ^ mrs; -0.16 s ^ noted; 0.12 s ^ ok; -0.36 s ^ on; -0.2 s ^ only; 0.59 s ^ our; -0.19 s ^ please;
    -0.03 s ^ shall; 0.31 s ^ should; 0.23 s ^ six; -0.5 s ^ so; -0.25 s ^ thank; 0.1 s ^ that; 0.37 s ^ the; 0.41 s
    ^ then; 0.27 s ^ there; 0.17 s ^ they; -0.27 s ^ try; 0.27 s ^ want; -0.12 s ^ what; -0.17 s ^ which; -0.25 s ^
    with; 0.18 s ^ would; -0.19 s ^ yes; -0.44 s ^ you; -0.42 s ^ your; -0.35 s a; -0.43 s a good; -0.29 s a head;
    0.23 s a las; -0.24 s a place; 0.16 s a week; 0.29 s a year; 0.38 s ab; -0.35 s about; -0.39 s about #; -0.35 s
    add; -0.31 s add a; 0.13 s all; -0.6 s also; 0.45 s an hour; 0.42 s and; -0.43 s and @; 0.28 s and i'll; 0.21 s
    and you; -0.18 s any; -0.33 s apply; -0.13 s are; 0.31 s are <price>; -0.18 s as; -0.31 s as before; -0.3 s as
    well; 0.28 s ask; 0.18 s at; 0.14 s at #; 0.3 s at <price>; 0.31 s at <time>; -0.21 s at @; 0.45 s at noon;
    -0.15 s at the; 0.17 s aye; 0.21 s back; 0.24 s bag; -0.42 s bake; 0.4 s be; 0.34 s be at; 0.33 s because; -0.27
    s bed; 0.36 s bee; 0.19 s before; 0.15 s before $; -0.39 s begins; -0.4 s begins on; -0.16 s best; -0.13 s
    better; 0.32 s blue; 0.19 s book; 0.32 s booked; 0.26 s booked $; 0.27 s booth; 0.29 s booth #; 0.38 s bottle;
    -0.19 s breakfast; -0.28 s bring; 0.66 s by; 0.35 s call; 0.57 s can; 0.33 s can do; -0.5 s can get; 0.4 s can
    have; -0.41 s can put; 0.38 s can send; -0.23 s can't; 0.22 s car; 0.16 s card; 0.42 s charge; -0.28 s cheaper;
    0.24 s check; 0.32 s children; -0.33 s choice; 0.36 s code; 0.13 s come; -0.26 s come on; 0.2 s come to; 0.89 s
    comes; 0.29 s comes on; 0.47 s comes to; -0.43 s committee; 0.23 s con; 0.17 s costs; 0.08 s could; -0.4 s could
    also; -0.22 s could ask; -0.29 s could offer; 0.47 s council; 0.07 s course; -0.31 s coventry; 0.37 s coverup;
    0.31 s coûte; 0.31 s coûte #; -0.41 s danke; 0.39 s day; 0.09 s day $; 0.18 s days; -0.15 s days $; 0.16 s deal;
    -0.25 s deliver; 0.45 s deposit; 0.35 s deposit $; 0.3 s der; 0.31 s der @; -0.23 s die @; 0.55 s do; 0.48 s do
    <time>; -0.34 s do you; 0.19 s does; 0.56 s dollars; -0.22 s don't; 0.13 s done; 0.24 s door; 0.33 s door $; 0.3
    s dr; 0.3 s dr @; 0.26 s draft; 0.4 s drop; 0.9 s each; -0.38 s ear; 0.38 s ein; 0.65 s el; 0.28 s el viernes;
    0.23 s end; 0.23 s erased; 0.19 s euros; 0.43 s euros $; 0.42 s euros ?; -0.2 s euros a; -0.41 s euros more;
    0.28 s evening; 0.17 s evening ,; 0.19 s every; 0.29 s extra; 0.27 s fair; -0.21 s family; 0.69 s fee; 0.37 s
    fee would; -0.16 s fine $; 0.07 s first; 0.25 s first <day>; 0.71 s five; 0.39 s five $; 0.25 s follows; 0.54 s
    for; -0.58 s for #; 0.36 s for @; 0.17 s for a; 0.26 s for it; 0.25 s for the; -0.58 s for two; 0.71 s for you;
    0.33 s free; 0.24 s free ,; 0.28 s from; -0.26 s from #; 0.31 s from <day>; -0.24 s full; -0.32 s funeral; 0.53
    s für; 0.29 s get; 0.24 s get a; -0.58 s get you; -0.32 s give; -0.33 s give him; 0.17 s go; -0.21 s goes to;
    0.17 s gone; 0.23 s good news; -0.19 s got; 0.32 s grand; 0.21 s green; 0.2 s group; 0.39 s h; 0.24 s half; 0.07
    s has; -0.52 s has <time>; 0.3 s has a; 0.09 s have; -0.48 s have a; -0.32 s have an; 0.18 s have it; 0.27 s
    have the; 0.17 s he; -0.32 s head; -0.48 s head $; 0.16 s hear; -0.21 s hm; 0.19 s hold; -0.11 s hope; 0.59 s
    hour; 0.2 s hours $; 0.16 s how; 0.27 s how about; 0.3 s i; -0.18 s i am; 0.07 s i can; 0.12 s i could; -0.3 s i
    have; -0.11 s i hope; 0.21 s i order; 0.24 s i suggest; 0.32 s i will; -0.57 s i would; 0.48 s i'd; 1.03 s i'll;
    -0.2 s i've; 0.67 s ich; -0.4 s if; 0.31 s il; 0.28 s in; -0.35 s in #; 0.02 s in @; 0.46 s in all; -0.37 s in
    for; -0.11 s in the; 0.29 s in two; 0.43 s in your; 0.2 s instead; 0.33 s instead $; 0.38 s invoices; 0.03 s is;
    -0.07 s is #; -0.28 s is $; 0.36 s is ,; -0.25 s is <day>; 0.32 s is <price>; -0.2 s is a; -0.17 s is fine; 0.18
    s is free; 0.21 s is no; 0.4 s is off; -0.28 s is on; 0.26 s is out; -0.1 s is the; 0.3 s is too; 0.17 s ist;
    0.16 s it; -0.29 s it $; 0.1 s it is; 0.09 s it on; 0.19 s it will; 0.49 s it's; 0.17 s its; 0.26 s je; -0.25 s
    k; -0.31 s keep; -0.3 s keep the; -0.29 s kilos; -0.11 s know; 0.36 s kostet; 0.52 s la; 0.27 s las; 0.39 s las
    <time>; -0.27 s last; 0.63 s le; 0.48 s leave; 0.38 s leave out; -0.18 s letter; 0.26 s like; -0.21 s like it;
    0.27 s likes; 0.33 s list; 0.11 s list $; 0.24 s live; -0.63 s long; 0.19 s longer; -0.14 s lovely; 0.31 s
    lower; -0.31 s many; 0.15 s me; -0.22 s metres; -0.28 s might; -0.12 s minutes; 0.22 s mit; 0.27 s month; 0.3 s
    month $; -0.18 s more; 0.46 s morgen; -0.34 s morning; -0.29 s most; 0.17 s move; 0.63 s moved; 0.31 s moved
    you; 0.25 s mrs; 0.26 s mrs @; -0.18 s must; -0.19 s my; -0.2 s nah; 0.26 s near; 0.27 s near the; -0.28 s need;
    0.36 s new; 0.23 s news; 0.19 s next; 0.49 s next week; -0.34 s nice; 0.51 s night; 0.37 s nine; 0.49 s no; 0.13
    s none; 0.62 s noon; -0.27 s not; -0.25 s noted; 0.18 s notes; 0.33 s nothing; 0.36 s now; 0.26 s now $; -0.22 s
    of; -0.36 s of her; -0.14 s of the; 0.21 s of you; 0.52 s off; -0.25 s offer; 0.11 s ok; 0.07 s on; 0.65 s on #;
    -0.35 s on <day>; -0.33 s on @; 0.27 s on the; 0.09 s one; -0.42 s one ?; -0.43 s online; -0.46 s open; -0.15 s
    or; 0.07 s order; 0.38 s our; 0.53 s out; -0.14 s out $; 0.43 s pads; 0.25 s pages; -0.32 s parking; 0.35 s pay;
    -0.17 s percent; 0.27 s percent of; 0.4 s pick; -0.09 s place; -0.24 s please; 0.22 s possible; -0.11 s pounds
    $; 0.35 s pounds ,; 0.4 s pounds a; 0.41 s price; 0.22 s price is; 0.19 s put it; -0.4 s put you; 0.25 s ready;
    0.25 s ready on; -0.13 s removed; -0.22 s rent; -0.34 s rest; -0.21 s ring; 0.42 s same; -0.35 s seconds; 0.15 s
    see; 0.57 s send; 0.57 s send you; 0.35 s septembre; 0.35 s septembre à; 0.27 s seven; -0.18 s shall; -0.15 s
    shares; 0.1 s she; 0.5 s short; 0.32 s should i; -0.26 s side; 0.24 s six; -0.15 s size; -0.28 s slow; 0.15 s
    small; 0.16 s so; -0.34 s so you; -0.25 s sorry; -0.24 s sorry to; 0.26 s start; -0.34 s stays; -0.33 s stays
    at; -0.11 s still; 0.36 s suggest; 0.43 s table; 0.13 s take; -0.21 s takes; -0.77 s talk; -0.4 s talk about;
    -0.2 s tell the; 0.14 s test; 0.37 s text; -0.47 s thank; -0.31 s thank you; -0.2 s thanks; 0.2 s that; -0.19 s
    that $; -0.04 s that is; 0.4 s the; -0.08 s the #; -0.41 s the <day>; -0.37 s the <time>; 0.47 s the council;
    0.26 s the day; 0.26 s the door; 0.28 s the fee; 0.31 s the first; -0.16 s the last; 0.23 s the new; -0.39 s the
    next; 0.21 s the price; 0.15 s them; 0.34 s them ,; 0.17 s then; -0.29 s then $; 0.34 s then ,; -0.18 s then i;
    0.38 s then i'll; 0.21 s then the; -0.22 s then you; -0.2 s there; -0.32 s there on; 0.37 s there will; -0.24 s
    there's a; 0.24 s they; 0.59 s this; 0.24 s this year; 0.32 s three; 0.23 s through; 0.06 s time; 0.09 s time $;
    -0.4 s times; 0.12 s to; 0.14 s to #; 0.33 s to <day>; 0.45 s to <time>; -0.26 s to @; -0.16 s to be; -0.24 s to
    go; 0.31 s to the; 0.35 s today; 0.23 s today ,; 0.9 s tomorrow; 0.47 s tonight; 0.54 s tonight at; -0.22 s too;
    -0.44 s too $; 0.39 s top; -0.28 s try; 0.2 s twice; 0.26 s twice a; 0.4 s two; -0.21 s two weeks; 0.27 s tyre;
    -0.53 s un; 0.34 s und; -0.2 s under; 0.2 s until; 0.15 s until #; 0.28 s until the; 0.14 s up; -0.15 s up to;
    0.33 s update; 0.34 s update the; -0.38 s usually; 0.28 s viernes; 0.28 s viernes #; -0.34 s wait; -0.26 s was;
    -0.2 s water; -0.05 s we; -0.58 s we could; 0.15 s we have; 0.49 s week; -0.22 s week $; 0.25 s week ,; 0.4 s
    week to; -0.23 s weeks; -0.45 s well; 0.09 s well $; -0.4 s well ,; -0.22 s what; 0.21 s when; 0.4 s which; 0.21
    s who; 1.07 s will; 0.79 s will be; 0.14 s will keep; 0.26 s will put; 0.23 s will send; 0.16 s with; -0.11 s
    with a; 0.13 s with the; 0.15 s with you; 0.47 s within; 0.46 s within #; -0.38 s wood; -0.15 s works; 0.28 s
    worth; 0.14 s would; -0.14 s would be; -0.34 s would put; 0.3 s would take; 0.07 s would you; -0.3 s write to;
    0.24 s year; 0.26 s year $; -0.18 s yes ,; 0.18 s you; 0.26 s you $; 0.25 s you ,; -0.32 s you @; -0.13 s you
    are; 0.28 s you at; -0.44 s you could; -0.15 s you down; 0.24 s you get; -0.1 s you have; 0.08 s you like; -0.17
    s you need; 0.21 s you on; -0.47 s you should; 0.29 s you the; 0.31 s you'll; 0.57 s you're; 0.36 s you're a;
    0.21 s your; 0.32 s yours; 0.34 s à; 0.2 s à #
"""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WEIGHTS = _read(_LISTED)
"""By figure; one without a weight has 0."""
