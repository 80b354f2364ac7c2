"""The weights of `agreement_score`; `python -m benchmarks.agreements --fit` writes them."""

from collections.abc import Mapping

BIAS = -5.08
_LISTED = """
    0.19 a !; 0.19 a ! $; -0.71 a #; -0.48 a # $; 0.36 a # is; 0.19 a ,; -0.21 a , #; -0.25 a , $; -0.18 a , i; 0.2
    a , i'll; -0.31 a , in; -0.27 a , no; 0.25 a , thank; -0.22 a :; -0.71 a <day>; -0.11 a <day> ,; -0.23 a <day>
    is; -0.15 a <month>; -0.16 a <month> $; -0.23 a <time>; -0.36 a ?; -0.36 a ? $; -0.03 a @; -0.24 a @ $; -0.2 a @
    ,; -0.16 a @ @; -0.31 a ^ <day>; 0.23 a ^ ah; -0.19 a ^ and; 0.16 a ^ aye; 0.33 a ^ bless; 0.38 a ^ do; -0.5 a ^
    don't; 0.2 a ^ fine; 0.2 a ^ god; 0.36 a ^ good; 0.42 a ^ grand; -0.25 a ^ hm; 0.11 a ^ i; -0.16 a ^ i've; -0.15
    a ^ if; 0.2 a ^ is; -0.22 a ^ lol; -0.37 a ^ nah; -0.07 a ^ no; 0.16 a ^ ok; 0.28 a ^ on; 0.11 a ^ one; 0.27 a ^
    perfect; -0.23 a ^ thank; -0.15 a ^ that; -0.12 a ^ the; -0.31 a ^ they; 0.15 a ^ we; -0.38 a ^ will; 0.27 a ^
    worth; 0.08 a ^ yeah; -0.14 a ^ yep; 0.34 a ^ yes; 0.17 a ^ you; -0.06 a a; -0.18 a after; 0.23 a ah; -0.13 a
    am; -0.12 a and; 0.22 a and the; -0.39 a are; 0.11 a as; -0.26 a ask; -0.36 a at; 0.12 a aye; 0.21 a be; 0.21 a
    better; 0.41 a bless; -0.18 a but; 0.07 a by; 0.14 a can; -0.33 a can't; 0.22 a cool; -0.25 a de; -0.18 a did;
    0.26 a die; 0.38 a do; 0.48 a do it; 0.19 a do that; -0.41 a don't; 0.14 a down; -0.27 a evening; 0.27 a fair;
    0.53 a fine; -0.21 a flat; -0.55 a football; -0.14 a for; 0.19 a for the; -0.19 a forget; -0.14 a from; 0.28 a
    go; 0.21 a go on; 0.2 a god; -0.17 a gone; 0.56 a good; 0.32 a good $; -0.2 a got; -0.2 a got a; 0.17 a grand;
    -0.09 a had; -0.08 a has; -0.07 a have; -0.07 a he; 0.14 a her; 0.2 a him; -0.4 a his; -0.25 a hm; -0.19 a how;
    -0.18 a i; 0.3 a i can; 0.32 a i will; 0.34 a i would; 0.13 a i'm; -0.17 a i've; -0.21 a im; -0.15 a in; 0.21 a
    in $; 0.17 a in @; -0.17 a in the; -0.16 a is; 0.17 a it; 0.27 a it in; 0.25 a kind; -0.19 a know; -0.37 a
    leave; -0.27 a leave it; 0.29 a like; -0.34 a lol; -0.56 a long; 0.32 a lovely; -0.21 a maybe; -0.15 a me; 0.28
    a more; -0.14 a moved; -0.19 a much; -0.14 a my; -0.46 a nah; -0.13 a need; -0.31 a never; -0.74 a no; -0.23 a
    no $; -0.2 a no ,; -0.2 a no no; -0.02 a none; -0.45 a not; -0.23 a now; -0.09 a of; -0.27 a off; 0.42 a ok;
    0.34 a ok $; 0.06 a on; 0.24 a on $; -0.11 a on <day>; 0.26 a on my; 0.06 a on the; 0.07 a one; 0.25 a one in;
    -0.13 a only; -0.29 a only ,; -0.36 a our; -0.11 a out; -0.15 a own; -0.4 a pass; 0.28 a perfect; 0.25 a perfect
    ,; 0.15 a please; 0.08 a put; -0.36 a rent; 0.17 a right; -0.1 a said; -0.13 a same; -0.11 a says; -0.32 a see;
    -0.16 a shares; 0.3 a she's; 0.31 a short; -0.25 a since; 0.19 a six; -0.18 a stays; -0.16 a still; 0.17 a take;
    0.22 a than; 0.23 a thank you; 0.12 a thanks; 0.17 a that; 0.18 a that $; -0.19 a the; 0.18 a the #; -0.11 a the
    @; 0.13 a then; 0.16 a then $; -0.36 a they; -0.17 a think; -0.34 a to; 0.14 a to the; -0.41 a too; -0.22 a
    took; -0.15 a two; 0.31 a und; -0.22 a up; -0.28 a us; -0.33 a us $; -0.18 a was; -0.48 a we; -0.36 a we have;
    -0.15 a week; 0.16 a will; 0.15 a will be; -0.38 a will do; 0.12 a with; 0.33 a with the; -0.16 a work; 0.16 a
    works; 0.41 a worth; 0.06 a would; 0.36 a would ,; 0.24 a x; -0.14 a yep; 0.51 a yes; 0.29 a yes do; 0.3 a you;
    0.08 a you $; -0.49 f asked; -1.15 f before question; 0.53 f day new; -0.17 f day said; 1.92 f figure; -1.15 f
    first; 1.22 f last; 0.2 f long; 0.19 f o; -0.11 f of 1; -0.02 f of 2; -0.09 f of 3; -0.49 f q; -0.15 f repeats;
    0.3 f s; -1.04 f said; -0.7 f said last; -0.78 f short; -0.19 o short; -0.19 o that; 0.26 o yeah; -0.28 o yes;
    -0.18 q #; -0.17 q no; -0.07 q none; -0.16 q short; 0.19 q yes; -0.19 s !; -0.19 s ! $; 0.87 s #; 0.09 s # $;
    0.71 s # <month>; -0.14 s # ?; -0.1 s # @; 0.3 s # an; -0.3 s # and; 0.56 s # de; 0.57 s # dollars; 0.18 s #
    euros; 0.42 s # for; -0.25 s # grams; 0.24 s # h; 0.35 s # is; -0.39 s # k; -0.26 s # kilos; -0.35 s # now; 0.35
    s # septembre; -0.15 s # to; 1.06 s ,; -0.48 s , #; -0.29 s , <day>; 0.13 s , <price>; 0.02 s , @; -0.12 s , a;
    0.13 s , and; 0.24 s , because; 0.24 s , by; 0.43 s , die; 0.38 s , every; -0.26 s , for; -0.31 s , i; 0.45 s ,
    in; -0.18 s , it; 0.26 s , no; 0.36 s , on; -0.25 s , please; 0.48 s , same; 0.55 s , so; 0.13 s , the; -0.35 s
    , then; -0.43 s , too; -0.36 s , you; 1.11 s :; 0.16 s : @; 0.22 s : the; 0.35 s <day>; 0.39 s <day> ,; 0.56 s
    <day> at; 0.23 s <month>; 0.05 s <month> $; 0.41 s <month> ,; -0.64 s <month> at; -0.24 s <month> for; 1.73 s
    <price>; 0.44 s <price> $; 0.27 s <price> for; 1.03 s <time>; 0.33 s <time> $; 0.2 s <time> ,; 0.38 s <time> ?;
    -0.31 s <time> as; -0.36 s <time> or; -0.49 s ?; -0.49 s ? $; 0.33 s @; -0.1 s @ !; 0.21 s @ $; 0.47 s @ ,; 0.57
    s @ @; -0.33 s @ as; 0.19 s @ can; 0.24 s @ follows; 0.19 s @ for; 0.27 s @ für; 0.27 s @ is; 0.36 s @ ist; 0.3
    s @ on; -0.35 s @ the; 0.28 s ^ #; -0.1 s ^ <day>; -0.22 s ^ <month>; -0.18 s ^ <time>; 0.28 s ^ a; -0.17 s ^
    an; -0.03 s ^ and; 0.25 s ^ booth; -0.31 s ^ coventry; 0.22 s ^ der; -0.26 s ^ do; 0.18 s ^ does; 0.27 s ^ dr;
    0.23 s ^ for; -0.08 s ^ good; 0.28 s ^ half; 0.17 s ^ he; -0.09 s ^ how; 0.23 s ^ i; -0.18 s ^ i'd; 0.35 s ^
    i'll; -0.24 s ^ i've; -0.41 s ^ if; 0.32 s ^ il; -0.29 s ^ it; 0.08 s ^ it's; -0.18 s ^ keep; -0.18 s ^ many;
    0.29 s ^ mrs; 0.22 s ^ nine; -0.35 s ^ on; -0.23 s ^ only; 0.56 s ^ our; -0.17 s ^ please; -0.05 s ^ shall; 0.27
    s ^ should; 0.22 s ^ six; -0.48 s ^ so; -0.25 s ^ thank; 0.08 s ^ that; 0.43 s ^ the; 0.35 s ^ then; 0.14 s ^
    there; 0.23 s ^ they; 0.27 s ^ want; 0.11 s ^ we; -0.11 s ^ what; -0.15 s ^ which; -0.21 s ^ white; -0.4 s ^
    with; 0.28 s ^ would; -0.26 s ^ yes; -0.44 s ^ you; 0.29 s ^ you'll; -0.43 s ^ your; -0.36 s a; -0.18 s a @;
    -0.36 s a good; -0.34 s a head; 0.26 s a las; 0.16 s a week; 0.39 s a year; 0.38 s ab; -0.3 s about; -0.31 s
    add; -0.29 s add a; 0.07 s after; 0.23 s ah; -0.57 s also; 0.08 s am; 0.28 s an @; 0.41 s an hour; 0.41 s and;
    -0.44 s and @; 0.26 s and i'll; 0.19 s and you; -0.22 s any; -0.32 s apply; -0.2 s are; 0.29 s are <price>;
    -0.18 s as; -0.27 s as before; -0.28 s as well; 0.25 s ask; 0.24 s at; 0.19 s at #; 0.3 s at <price>; 0.41 s at
    <time>; -0.23 s at @; 0.45 s at noon; -0.16 s at the; 0.16 s aye; 0.12 s back; 0.24 s bag; -0.43 s bake; 0.34 s
    be; 0.22 s be #; 0.3 s be at; 0.31 s because; 0.28 s bee; 0.12 s been; 0.12 s before; -0.32 s before the; -0.4 s
    begins; -0.41 s begins on; -0.15 s better; 0.34 s blue; 0.24 s book; 0.28 s booked; 0.28 s booked $; 0.22 s
    booth; 0.25 s booth #; -0.12 s both; 0.24 s bottle; -0.18 s breakfast; -0.27 s bring; -0.19 s bus; 0.79 s by;
    0.15 s by <day>; 0.44 s call; 0.65 s can; -0.25 s can add; 0.31 s can do; -0.46 s can get; 0.4 s can have; -0.37
    s can put; 0.42 s can send; -0.24 s can't; 0.21 s car; 0.17 s card; 0.3 s charge; 0.22 s check; 0.31 s children;
    -0.34 s choice; 0.34 s code; 0.13 s come; -0.18 s come on; 0.18 s come to; 0.78 s comes; 0.43 s comes to; -0.43
    s committee; 0.26 s con; 0.24 s costs; 0.12 s could; -0.39 s could also; -0.23 s could ask; -0.29 s could offer;
    0.41 s council; -0.31 s coventry; 0.29 s coverup; 0.28 s custard; 0.47 s day; 0.15 s day $; 0.25 s days; 0.17 s
    deal; -0.26 s deliver; 0.44 s deposit; 0.35 s deposit $; 0.32 s der; 0.32 s der @; -0.1 s did; 0.18 s die; 0.53
    s do; 0.44 s do <time>; -0.31 s do you; 0.19 s does; 0.57 s dollars; -0.24 s don't; 0.11 s done; 0.22 s door;
    0.33 s door $; 0.27 s dr; 0.27 s dr @; 0.27 s draft; 0.42 s drop; 0.82 s each; -0.39 s ear; 0.64 s el; 0.3 s el
    viernes; 0.17 s end; 0.25 s end of; 0.18 s erased; 0.07 s euros; 0.36 s euros $; -0.16 s euros a; -0.4 s euros
    more; 0.28 s evening; 0.25 s every; -0.23 s everything; 0.28 s extra; 0.3 s fair; -0.23 s family; 0.61 s fee;
    0.36 s fee would; 0.22 s first <day>; 0.69 s five; 0.38 s five $; -0.19 s flat; 0.24 s follows; 0.61 s for;
    -0.51 s for #; 0.28 s for @; 0.12 s for a; 0.24 s for it; 0.22 s for the; -0.38 s for two; 0.73 s for you; 0.23
    s free; 0.24 s free ,; 0.24 s from; -0.26 s from #; 0.33 s from <day>; -0.2 s full; -0.31 s funeral; 0.41 s für;
    0.27 s get; 0.23 s get a; -0.55 s get you; -0.32 s give; -0.32 s give him; 0.33 s go; -0.24 s goes to; 0.22 s
    gone; 0.14 s good; -0.08 s good morning; 0.2 s good news; -0.2 s got; -0.25 s grams; 0.31 s grand; 0.22 s green;
    0.15 s group; 0.24 s h; 0.22 s half; 0.19 s has; -0.53 s has <time>; 0.26 s has a; -0.01 s have; -0.45 s have a;
    -0.33 s have an; 0.15 s have it; 0.31 s have the; -0.36 s head; -0.5 s head $; 0.14 s hear; -0.11 s helps; 0.19
    s hold; -0.14 s home; -0.1 s hope; 0.57 s hour; 0.18 s hours; 0.17 s hours $; -0.08 s how; 0.26 s i; -0.17 s i
    am; 0.12 s i can; 0.18 s i could; -0.44 s i have; -0.1 s i hope; 0.34 s i will; -0.56 s i would; 0.41 s i'd;
    1.03 s i'll; -0.24 s i've; 0.61 s ich; -0.56 s if; 0.32 s il; 0.34 s in; 0.29 s in all; -0.34 s in for; 0.28 s
    in two; 0.34 s in your; 0.37 s invoices; 0.06 s is; -0.1 s is #; -0.3 s is $; 0.3 s is ,; -0.24 s is <day>; 0.31
    s is <price>; -0.16 s is a; 0.17 s is free; 0.23 s is no; 0.4 s is off; -0.27 s is on; 0.27 s is out; -0.13 s is
    the; 0.3 s is too; 0.34 s ist; 0.27 s it; -0.25 s it $; 0.14 s it ?; 0.19 s it on; 0.44 s it's; 0.2 s its; 0.27
    s je; -0.25 s k; -0.31 s keep; -0.37 s keep the; -0.27 s kilos; -0.13 s know; 0.26 s la; 0.26 s las <time>;
    -0.21 s last; 0.43 s le; 0.32 s leave; -0.23 s letter; 0.3 s like; 0.29 s likes; 0.37 s list; 0.11 s list $;
    0.22 s live; -0.65 s long; 0.18 s longer; 0.3 s lower; -0.23 s many; 0.14 s me; -0.18 s metres; -0.27 s might;
    0.21 s mit; 0.29 s month; 0.23 s month $; -0.2 s more; -0.17 s morning; -0.29 s most; 0.16 s move; 0.6 s moved;
    0.29 s moved you; 0.29 s mrs; 0.29 s mrs @; -0.19 s must; -0.19 s my; -0.22 s nah; 0.25 s near; 0.26 s near the;
    -0.12 s need; -0.11 s never; 0.32 s new; 0.2 s news; 0.15 s next; 0.49 s next week; 0.51 s night; 0.37 s nine;
    0.47 s no; 0.13 s none; 0.55 s noon; -0.23 s not; -0.12 s noted; -0.08 s noted $; 0.21 s notes; 0.31 s nothing;
    0.32 s now; 0.26 s now $; -0.3 s of; -0.38 s of her; -0.12 s of the; 0.24 s of you; 0.48 s off; -0.26 s offer;
    0.3 s ok; 0.1 s on; 0.6 s on #; -0.27 s on <day>; -0.3 s on @; 0.24 s on the; 0.24 s on your; 0.03 s one; -0.41
    s one ?; -0.23 s one is; -0.45 s online; -0.24 s open; -0.12 s or; -0.14 s other; 0.31 s our; 0.36 s out; -0.12
    s out $; 0.43 s pads; 0.3 s pages; -0.34 s parking; -0.21 s pass; 0.31 s pay; 0.24 s percent of; 0.23 s
    photographer; 0.34 s pick; -0.26 s please; 0.21 s possible; -0.17 s pounds $; 0.33 s pounds ,; 0.36 s pounds a;
    0.44 s price; -0.14 s put; 0.16 s put it; -0.54 s put you; 0.15 s ready; -0.24 s rent; -0.24 s ring; -0.34 s
    room; -0.21 s room #; 0.14 s run; 0.41 s same; 0.14 s see; 0.14 s see you; 0.36 s send; 0.54 s send you; 0.35 s
    septembre; 0.35 s septembre à; 0.26 s seven; -0.18 s shall; -0.15 s shares; 0.06 s she; 0.6 s short; -0.25 s
    should; 0.28 s should i; -0.29 s side; 0.21 s six; -0.16 s size; -0.24 s slot; -0.29 s slow; 0.17 s small; 0.19
    s so; -0.33 s so you; -0.15 s some; -0.26 s sorry; -0.24 s sorry to; 0.3 s start; -0.41 s stays; -0.39 s stays
    at; -0.15 s still; 0.24 s table; 0.1 s take; -0.77 s talk; -0.42 s talk about; -0.18 s tell the; 0.15 s test;
    0.36 s text; -0.54 s thank; -0.3 s thank you; -0.08 s thanks; 0.22 s that; -0.13 s that $; -0.08 s that is; 0.19
    s that's; 0.37 s the; -0.1 s the #; -0.38 s the <day>; -0.33 s the <time>; 0.41 s the council; 0.23 s the day;
    0.25 s the door; 0.24 s the fee; 0.3 s the first; 0.17 s the new; -0.43 s the next; 0.19 s the price; 0.15 s
    them; 0.34 s them ,; 0.23 s then; -0.39 s then $; 0.31 s then ,; -0.14 s then i; 0.38 s then i'll; 0.14 s then
    the; -0.22 s then you; -0.23 s there; -0.3 s there on; -0.2 s there's a; 0.14 s they; 0.6 s this; 0.24 s this
    year; 0.29 s three; 0.22 s through; 0.08 s time; 0.09 s time $; -0.15 s times; 0.21 s to; 0.1 s to #; 0.28 s to
    <day>; 0.41 s to <time>; -0.22 s to @; 0.26 s to the; 0.21 s today; 0.72 s tomorrow; 0.41 s tonight; 0.5 s
    tonight at; -0.21 s too; -0.41 s too $; 0.4 s top; 0.22 s twice; 0.27 s twice a; 0.4 s two; -0.26 s two weeks;
    -0.48 s un; 0.36 s und; -0.22 s under; 0.16 s until; 0.15 s until #; -0.17 s up to; 0.31 s update; 0.32 s update
    the; -0.29 s usually; 0.3 s viernes; 0.3 s viernes #; 0.3 s vous; -0.32 s wait; -0.17 s we; 0.27 s we can; -0.59
    s we could; 0.14 s we have; 0.08 s we'll; 0.49 s week; -0.22 s week $; 0.27 s week ,; 0.44 s week to; -0.23 s
    weeks; -0.46 s well; 0.11 s well $; -0.41 s well ,; -0.24 s what; 0.2 s when; 0.4 s which; 0.24 s who; 0.91 s
    will; 0.72 s will be; 0.22 s will keep; 0.29 s will put; -0.27 s wir; 0.12 s with; -0.12 s with a; 0.19 s with
    the; 0.16 s with you; 0.39 s within; 0.37 s within #; -0.36 s wood; -0.17 s works; 0.27 s worth; 0.13 s would;
    -0.22 s would be; -0.32 s would put; 0.32 s would take; 0.17 s would you; -0.3 s write to; -0.3 s yard; 0.33 s
    year; 0.28 s year $; -0.18 s yep; -0.25 s yes ,; 0.19 s you; 0.28 s you $; 0.27 s you ,; -0.31 s you @; -0.11 s
    you are; 0.27 s you at; -0.4 s you could; 0.28 s you get; -0.45 s you in; 0.17 s you like; 0.17 s you on; -0.51
    s you should; 0.22 s you the; 0.29 s you'll; 0.56 s you're; 0.35 s you're a; 0.11 s your; 0.29 s yours; 0.37 s
    à; 0.25 s à #
"""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WEIGHTS = _read(_LISTED)
"""By figure; one without a weight has 0."""
