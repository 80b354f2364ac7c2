"""The fitted weights of `correction_cue`, written by `python -m benchmarks.corrections --fit`."""

from remembrancer.domain.capture import listed_weights

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
BIAS = -1.978
_LISTED = """
    0.65 !; 0.26 ! !; 0.51 ! #; -0.2 ! $; -0.34 ! @; -0.39 ! i; -0.41 ! … !; -0.16 ! … ,; 0.22 ! … @; 0.52 # !; 0.13
    # $; -0.37 # %; -0.23 # ,; -0.25 # :; -0.03 # <month>; -0.22 # @; -0.42 # a; 0.33 # after; -0.43 # again; -0.25
    # all; -0.55 # also; -0.36 # and; -0.31 # at; -0.35 # but; -0.44 # cm; -0.31 # days; -0.78 # degrees; 0.26 #
    dollars; 0.23 # each; -0.38 # euro; -0.36 # for; -0.34 # g; -0.44 # h; -0.82 # has; 0.11 # i; -0.59 # in; 0.24 #
    is; -0.16 # k; -0.52 # kg; -0.46 # ml; 0.28 # not; 0.31 # now; -0.23 # of; 0.36 # percent; -0.32 # quid; 0.44 #
    she; 0.75 # sorry; 0.36 # the; 0.42 # they; -0.6 # times; -0.15 # to; -0.54 # too; 0.61 # was; -0.77 # weeks;
    0.18 # … !; -0.9 # … #; -0.65 # … ,; -0.61 # … :; -0.25 # … <day>; -0.13 # … <month>; -0.6 # … <time>; -0.64 # …
    @; -0.34 # … a; -0.67 # … and; -0.79 # … at; -0.64 # … by; -0.49 # … day; -0.33 # … each; -0.25 # … for; -0.39 #
    … got; 0.3 # … if; -0.57 # … in; 0.58 # … it; -0.32 # … my; 0.29 # … no; -0.37 # … of; -0.37 # … on; -0.51 # …
    out; -0.29 # … so; 0.32 # … the; 0.43 # … us; -0.25 # … week; -0.28 # … with; -0.37 %; 0.53 ,; -0.33 , #; -0.07
    , $; -0.38 , <month>; -0.14 , <time>; 0.3 , a; -0.3 , all; -0.19 , and; -0.42 , as; 0.42 , at; 0.51 , because;
    -0.41 , before; 0.48 , both; -0.44 , but; 0.24 , by; 0.46 , could; 0.82 , de; -0.19 , for; -0.1 , from; -0.79 ,
    ha; 0.54 , had; -0.1 , he; 0.26 , his; 0.17 , i; 0.24 , i'd; -0.41 , i'll; 0.08 , i'm; 0.22 , i've; 0.24 , if;
    0.74 , ik; 0.62 , im; -0.15 , in; 0.33 , it; 0.09 , it's; 0.4 , its; -0.58 , just; -0.62 , me; -0.47 , mind;
    0.49 , my; 0.38 , new; -0.41 , next; -0.53 , no; -0.2 , nobody; 0.11 , not; -0.45 , nothing; -0.54 , now; 0.47 ,
    number; -0.47 , of; 0.41 , on; -0.19 , one; -0.35 , only; 0.23 , our; -0.34 , ready; -0.39 , said; 0.65 , same;
    -0.42 , says; -0.12 , she's; 0.33 , so; 0.31 , sorry; -0.3 , that; -0.16 , that's; 0.37 , the; -0.59 , then; 0.4
    , there's; -0.19 , they; 0.21 , this; 0.21 , to; 0.47 , too; -0.37 , two; 0.24 , we're; -0.24 , what; 0.48 ,
    when; -0.19 , which; 0.84 , who; -0.38 , … #; -0.17 , … ,; -0.2 , … <day>; 0.47 , … <month>; 0.25 , … <time>;
    0.16 , … ?; -0.15 , … @; -0.06 , … a; -0.46 , … am; 0.2 , … an; 0.11 , … and; 0.78 , … as; -0.15 , … at; -0.34 ,
    … be; -0.56 , … by; 0.21 , … does; -0.61 , … for; 0.47 , … four; -0.18 , … from; 0.3 , … goes; 0.57 , … going;
    0.18 , … got; 0.32 , … has; -0.82 , … her; -0.57 , … here; -0.26 , … him; -0.23 , … i; -0.35 , … i'm; -0.44 , …
    i've; -0.53 , … if; 0.38 , … left; -0.47 , … look; -0.27 , … me; -0.47 , … more; -0.27 , … my; -0.24 , … no;
    -0.79 , … not; -0.28 , … now; -0.48 , … of; -0.33 , … on; 0.31 , … please; -0.4 , … pounds; 0.2 , … put; -0.31 ,
    … say; 0.82 , … see; -0.26 , … she; 0.23 , … she's; -0.49 , … so; -0.15 , … that; -0.55 , … then; 0.41 , …
    there; -0.37 , … they; -0.47 , … till; -0.16 , … to; -0.47 , … up; 0.31 , … was; -0.35 , … we; 0.31 , … went;
    -0.21 , … with; 0.56 , … wrote; 0.3 , … you; 0.36 :; 0.5 : $; 0.74 : <time>; -0.28 : @; -0.31 : i; 0.47 : it's;
    -1.05 : me; 0.93 : the; -0.43 : … #; -0.7 : … ,; 0.18 : … @; 0.53 : … is; 0.76 <change>; 0.92 <cue>; -0.42
    <day>; -0.21 <day> #; 0.43 <day> $; 0.37 <day> <day>; -0.56 <day> <time>; -0.48 <day> ?; 0.57 <day> for; 0.19
    <day> now; 0.38 <day> on; -0.48 <day> only; -0.42 <day> to; 0.34 <day> … ,; -0.21 <day> … <day>; 0.34 <day> …
    <month>; -0.14 <day> … @; -0.52 <day> … at; 0.44 <day> … for; 0.49 <day> … the; 0.41 <day> … to; -0.42
    <excluded>; -0.35 <month>; -0.08 <month> #; 0.33 <month> $; -0.36 <month> ?; -0.23 <month> at; 0.3 <month> i;
    -0.21 <month> … #; 0.2 <month> … <time>; -0.44 <month> … @; 0.98 <month> … same; 0.57 <month> … the; -0.77
    <price>; 0.74 <price> $; -0.3 <price> a; -0.41 <price> for; -0.61 <time>; 0.53 <time> $; -0.42 <time> ,; 0.28
    <time> ?; -0.21 <time> a; -0.2 <time> and; -0.55 <time> … #; -0.29 <time> … ,; -0.77 <time> … @; 0.25 <time> …
    the; 1.6 <wrong>; -0.62 ?; -1.35 ? $; 0.28 ? ?; 0.51 ? … @; 0.18 @; -0.15 @ !; -0.1 @ #; 0.26 @ $; -0.11 @ ,;
    -0.41 @ :; 0.42 @ <month>; -0.44 @ <time>; 0.17 @ @; 0.1 @ and; -0.12 @ at; 0.39 @ by; -0.47 @ did; 0.24 @ for;
    -0.26 @ from; 0.46 @ gone; 0.28 @ has; -0.16 @ have; 0.5 @ he; 0.48 @ he's; -0.61 @ here; 0.56 @ his; 0.15 @ i;
    0.22 @ is; 0.28 @ ist; -0.3 @ it; 0.58 @ it's; 0.6 @ just; 0.34 @ makes; -0.2 @ my; 0.33 @ not; 0.67 @ now; 0.28
    @ on; -0.19 @ one; 0.53 @ please; -0.23 @ says; 0.74 @ since; 0.33 @ the; 0.41 @ there; -0.18 @ to; -0.66 @
    wants; 0.43 @ went; 0.34 @ … !; -0.72 @ … #; -0.13 @ … ,; -0.71 @ … :; -0.14 @ … <day>; -0.26 @ … <month>; -0.37
    @ … <price>; -0.46 @ … <time>; 0.27 @ … a; -0.41 @ … also; 0.33 @ … an; 0.4 @ … been; 0.14 @ … by; 0.44 @ … can;
    0.77 @ … don't; 0.18 @ … from; 0.33 @ … go; 0.5 @ … good; 0.47 @ … half; 0.61 @ … has; -0.23 @ … he's; 0.48 @ …
    i'd; 0.51 @ … i've; 0.39 @ … if; -0.19 @ … is; 0.2 @ … it; 0.47 @ … last; 0.23 @ … like; -0.17 @ … me; 0.48 @ …
    my; -0.25 @ … not; 0.09 @ … now; -0.37 @ … number; -0.25 @ … one; 0.35 @ … same; 0.52 @ … say; 0.36 @ … she;
    0.34 @ … six; 0.22 @ … the; -0.49 @ … three; 0.43 @ … told; -0.44 @ … two; 0.4 @ … us; 0.44 @ … was; 0.33 @ …
    who; 0.31 @ … with; 0.38 @ … you; -0.66 ^ !; -0.04 ^ ,; -0.11 ^ :; 0.16 ^ <day>; -0.15 ^ <month>; 0.17 ^ <time>;
    -0.14 ^ @; -0.09 ^ a; -0.15 ^ about; -0.21 ^ actually; 0.42 ^ after; -0.49 ^ afternoon; 0.36 ^ again; -0.5 ^
    all; -0.47 ^ alright; 0.27 ^ also; -0.45 ^ always; 0.49 ^ and; 0.34 ^ another; 0.2 ^ are; -0.12 ^ at; 0.68 ^
    ate; -0.29 ^ aye; -0.09 ^ be; 0.31 ^ big; -0.48 ^ bin; 0.26 ^ bought; 0.72 ^ box; -0.56 ^ brother; -0.64 ^
    brother's; 0.58 ^ but; -0.33 ^ by; 0.18 ^ came; -0.34 ^ can; -0.64 ^ cancel; 0.46 ^ change; -0.5 ^ colleague;
    0.18 ^ comes; -0.27 ^ coming; 0.28 ^ could; 0.4 ^ counted; -0.48 ^ cousin; -0.39 ^ date; -0.48 ^ day; -0.28 ^
    de; -0.83 ^ delete; 0.57 ^ died; -0.36 ^ do; -0.33 ^ doesn't; -0.14 ^ don't; 0.48 ^ double; -0.39 ^ drive; -0.72
    ^ drop; 0.61 ^ eight; 0.47 ^ en; -0.49 ^ evening; 0.6 ^ every; -0.45 ^ ex; -0.48 ^ fair; 0.5 ^ fell; -0.2 ^
    first; -0.53 ^ flat; -0.19 ^ for; -0.66 ^ forget; -0.52 ^ forgets; -0.89 ^ forgot; -0.38 ^ forgotten; -0.39 ^
    forty; 0.29 ^ found; 0.2 ^ four; -0.11 ^ friend; 0.09 ^ from; 0.63 ^ full; 0.36 ^ gave; -0.33 ^ gets; 0.14 ^ go;
    -0.33 ^ god; 0.21 ^ goes; -0.37 ^ going; 0.39 ^ gone; -0.49 ^ good; 0.32 ^ got; 0.3 ^ ha; 0.36 ^ had; -0.39 ^
    happy; 0.51 ^ has; 0.18 ^ have; -0.32 ^ hello; 0.3 ^ her; -0.35 ^ hey; -0.27 ^ hi; -0.14 ^ his; 0.36 ^ hmm;
    -0.42 ^ hola; -0.46 ^ how; -0.14 ^ i; -0.22 ^ i'd; -0.26 ^ i'm; 0.16 ^ i've; -1.5 ^ if; -0.16 ^ in; -0.08 ^ is;
    0.33 ^ isn't; 0.43 ^ ist; 0.11 ^ it; -0.2 ^ it's; 0.19 ^ just; -0.3 ^ kids; 0.64 ^ landlord; -0.34 ^ last; 0.33
    ^ late; -0.23 ^ le; 0.36 ^ like; 0.31 ^ list; -0.19 ^ long; 0.68 ^ looked; -0.4 ^ lot; -0.39 ^ love; 0.69 ^
    make; -0.42 ^ mate; -0.37 ^ me; -0.4 ^ minutes; -0.35 ^ money; -0.34 ^ more; -0.68 ^ mornin; -0.35 ^ morning;
    0.26 ^ moved; 0.52 ^ mrs; -0.23 ^ mum; -0.23 ^ my; 0.2 ^ n; -0.13 ^ nah; 0.26 ^ need; -0.42 ^ neighbour; -0.16 ^
    never; 0.14 ^ new; -0.54 ^ next; -0.4 ^ nice; -0.56 ^ night; 0.37 ^ no; 0.35 ^ not; 0.04 ^ now; 0.38 ^ number;
    -0.21 ^ of; 0.78 ^ off; 0.71 ^ office; 0.4 ^ oh; -0.37 ^ ok; -0.32 ^ okay; -0.48 ^ old; -0.29 ^ one; -0.34 ^ or;
    -0.2 ^ order; -0.94 ^ other; -0.27 ^ our; 0.33 ^ out; -0.19 ^ over; -0.65 ^ own; 0.2 ^ rang; 0.48 ^ read; -0.48
    ^ remains; -0.62 ^ remember; -0.33 ^ remind; -0.51 ^ remove; 0.53 ^ retired; 0.45 ^ roof; -0.46 ^ said; -1.4 ^
    same; 0.49 ^ saw; 0.23 ^ say; -0.29 ^ says; -0.28 ^ school; -0.24 ^ see; 0.56 ^ seen; -0.22 ^ seven; -0.31 ^
    shall; -0.27 ^ she's; -0.16 ^ should; -0.38 ^ show; -0.5 ^ si; -0.35 ^ sister; -0.54 ^ sister's; 0.32 ^ six;
    -0.38 ^ sleep; -0.48 ^ so; 0.41 ^ sold; -0.51 ^ something; 0.13 ^ sorry; -0.29 ^ started; -0.52 ^ stay; -0.67 ^
    stays; -1.42 ^ still; -0.36 ^ strike; -0.36 ^ take; -0.13 ^ thank; -0.06 ^ thanks; 0.07 ^ that; -0.25 ^ that's;
    -0.11 ^ the; 0.09 ^ them; -0.03 ^ then; -0.28 ^ there; -0.35 ^ there's; 0.44 ^ they've; -0.24 ^ thing; -0.23 ^
    this; 0.43 ^ three; -0.37 ^ time; -0.26 ^ today; -0.25 ^ told; -0.44 ^ tonight; 0.54 ^ too; -0.3 ^ took; 0.14 ^
    turned; 0.49 ^ twice; 0.11 ^ two; -0.16 ^ u; 0.3 ^ und; 0.27 ^ up; -0.42 ^ upstairs; 0.25 ^ voice; 0.41 ^ w;
    0.78 ^ wait; 0.45 ^ want; 0.34 ^ wants; -0.28 ^ was; -0.41 ^ we; -0.4 ^ week; -0.3 ^ were; -0.44 ^ what; -0.41 ^
    what's; -0.64 ^ when; -0.53 ^ where; 0.36 ^ which; 0.23 ^ who; 0.59 ^ whole; 0.26 ^ wife; -0.51 ^ will; 0.23 ^
    with; -0.57 ^ would; 0.29 ^ yeah; -0.4 ^ year; 0.35 ^ yes; -0.36 ^ yo; -0.03 ^ you; -0.39 ^ you've; 0.13 a;
    -0.24 a #; -0.05 a $; 0.4 a <day>; 0.38 a @; 0.55 a bad; -0.64 a bit; 0.42 a car; 0.36 a day; 0.71 a funeral;
    0.83 a half; -0.25 a lot; -0.43 a man; 0.36 a month; -0.68 a new; 0.59 a no; 0.5 a single; -0.35 a small; 0.12 a
    week; 0.89 a woman; 0.17 a year; 0.63 a … !; 0.52 a … :; -0.35 a … ?; 0.09 a … @; -0.28 a … for; 0.15 a … from;
    -0.2 a … of; -0.3 a … on; 0.72 a … then; -0.17 a … with; 0.46 ab; -0.18 about; -0.46 about #; -0.6 about $; 0.59
    about it; -0.41 about the; 0.34 account; -0.27 actually; 0.63 actually $; 0.86 afraid; 0.23 after; -0.24 after
    $; 0.33 after ,; -0.35 after … ,; -0.24 afternoon; -0.67 again $; 0.45 again … @; 0.51 agreed; -0.53 airport;
    0.6 al; -0.35 alarm; 0.28 all; -0.16 all $; 0.2 all ,; -0.41 all @; -0.5 all … ,; -0.41 allergic; -0.33 allergic
    to; 0.5 alone; -0.16 also; -0.5 also … ,; -0.4 always; -0.7 always $; 0.3 am; -0.42 am … ,; 0.13 an; -0.45 an $;
    -0.31 an hour; -0.29 an … ,; -0.14 and; 0.44 and #; 0.4 and <day>; -0.16 and @; 0.28 and he; 0.58 and i'm; 0.48
    and in; 0.36 and it's; -0.7 and my; 0.86 and not; -0.61 and now; 0.26 and she; 0.4 and that; 0.38 and that's;
    -0.17 and the; -0.69 and then; 0.71 and there; -0.3 and you; 0.12 and … ,; 0.14 and … @; 0.47 and … had; 0.39
    and … half; 0.68 and … have; 0.45 and … is; -0.2 and … it; 0.27 and … not; 0.31 and … on; -0.25 and … one; 0.63
    and … said; -0.45 and … still; -0.24 and … the; 0.25 and … was; 0.33 and … you; -0.44 another $; 0.13 any; 0.55
    any more; 1.05 anymore; -0.27 anything $; -0.34 anyway; -0.46 appointment; 0.05 are; -0.33 are #; 0.48 are … on;
    -0.36 are … to; 0.25 as; -0.63 as $; 1.36 as of; -0.52 as … ,; 0.55 as … today; -0.22 asked; -0.37 asked me;
    -0.46 asking; 0.22 asks; -0.12 assistant:; -0.58 assistant: #; 0.38 assistant: <day>; -0.37 assistant: <time>;
    -0.57 assistant: a; 0.47 assistant: for; -0.25 assistant: i; 0.41 assistant: i'll; 0.32 assistant: shall; 1.51
    assistant: then; 0.42 assistant: yes; 0.29 assistant: your; -0.09 at; -0.26 at #; 0.11 at $; 0.02 at <time>;
    -0.31 at @; 0.29 at all; -0.35 at five; 0.4 at it; 0.25 at me; -0.43 at noon; 0.27 at seven; -0.29 at six; 0.09
    at … ,; 0.5 at … ?; 0.14 at … @; -0.38 at … in; -0.24 at … with; 0.23 ate; 0.52 ate a; 0.54 au; 0.35 auf; 0.68
    avec; 0.27 away; -0.4 away $; -0.46 aye; -0.3 aye $; -0.18 b; 0.24 baby; 0.43 back @; 0.3 back on; -0.36 back
    to; -0.59 back … #; 0.32 back … ,; 0.42 back … the; 0.51 bank; -0.41 batch; -0.42 bath; 0.17 be; -0.44 be #;
    0.42 be ,; 1.08 be <day>; 0.37 be @; 0.58 be at; -0.31 be in; -0.34 be there; 0.33 be … #; -0.21 be … ,; 0.56 be
    … a; -0.4 be … by; -0.39 be … to; -0.46 beans; -0.76 bear; 0.68 became; 0.11 because; 0.6 because $; -0.51
    because i; 0.17 because of; 0.7 become; -0.39 bed $; 0.43 beds; 0.28 been; -0.48 been $; -0.47 been to; 0.45
    been … ,; 0.66 been … by; -0.73 been … since; -0.41 bees; -0.28 before; -0.13 before !; -0.06 before #; -0.3
    before ,; -0.43 before :; 0.09 before <day>; -0.47 before <month>; -0.46 before <price>; -0.8 before <time>;
    -0.49 before ?; -0.21 before @; -0.37 before a; -0.58 before about; -0.81 before actually; -0.38 before add;
    0.45 before adults; -0.41 before afternoon; -0.28 before age; -0.36 before alarm; -0.34 before all; -0.2 before
    also; -0.29 before always; 0.29 before am; -0.45 before an; -0.57 before and; -0.32 before any; 0.27 before
    anything; -0.3 before are; 0.35 before as; -0.27 before asked; -0.22 before at; 0.37 before baby; -0.11 before
    back; -0.24 before be; -0.51 before been; -0.51 before before; -0.29 before behind; 0.11 before better; 0.37
    before boiler; -0.56 before book; -0.14 before both; -0.19 before box; 0.45 before bravo; -0.54 before bridge;
    -0.09 before bring; -0.4 before but; -0.59 before by; -0.28 before c'est; -0.19 before can; -0.38 before car;
    -0.36 before card; 0.6 before change; 0.68 before changed; 0.47 before clear; -0.41 before clock; -0.47 before
    code; -0.26 before come; -0.07 before comes; 0.25 before coming; 0.59 before congratulations; -0.43 before
    costs; -0.42 before could; 0.24 before course; 0.53 before cousin; -0.31 before cried; 0.28 before das; -0.49
    before day; -0.19 before days; -0.16 before de; -0.22 before deleted; -0.4 before den; -0.22 before der; -0.47
    before did; -0.28 before didn't; -0.32 before dollars; -0.13 before don't; -0.3 before done; -0.09 before door;
    0.48 before double; -0.41 before down; -0.22 before drive; 0.34 before driver; -0.3 before dry; -0.23 before
    due; -0.41 before each; -0.38 before egg; 0.29 before eight; -0.44 before el; -0.85 before enough; -0.31 before
    euros; -0.27 before even; -0.71 before evening; -0.23 before every; 0.41 before excellent; -0.39 before eye;
    -0.46 before face; 0.33 before fair; 0.13 before fine; -0.3 before fire; -0.65 before first; 0.18 before five;
    0.2 before floor; -0.35 before food; -0.35 before for; -0.44 before forget; 0.52 before forgotten; 0.51 before
    form; -0.23 before forty; 0.53 before forward; -0.26 before found; -0.44 before four; -0.36 before frame; -0.37
    before from; -0.23 before front; 0.41 before garden; -0.37 before gate; -0.18 before get; -0.28 before gets;
    0.28 before girl; 0.43 before glad; 0.18 before go; -0.2 before gone; 0.16 before good; -0.54 before got; 0.46
    before grand; 0.22 before great; -0.25 before group; 0.45 before guy; -0.29 before h; 0.25 before ha; -0.31
    before had; -0.45 before half; -0.35 before hands; -0.2 before has; -0.62 before hat; 0.15 before have; -0.25
    before he's; -0.35 before head; 0.4 before hear; -0.65 before hello; -0.43 before help; -0.2 before her; -0.14
    before here; -0.74 before hi; 0.5 before hm; -0.27 before hold; 0.37 before hope; -0.37 before hot; 0.15 before
    hour; -0.38 before house; -0.29 before how; -0.33 before hurt; -0.4 before i; -0.24 before i'd; -0.57 before
    i'm; -0.44 before i've; -0.11 before if; -0.33 before im; -0.46 before in; 0.4 before inch; -0.64 before
    included; -0.36 before indeed; -0.25 before into; -0.08 before is; -0.5 before isn't; -0.03 before it; 0.3
    before it'll; 0.21 before its; -0.57 before just; -0.57 before kids; -0.36 before knows; -0.33 before la; -0.35
    before last; -0.22 before le; 0.26 before leave; -0.35 before leaves; -0.32 before left; 0.61 before less; -0.41
    before let; -0.23 before lift; -0.32 before light; -0.2 before like; 0.19 before list; -0.13 before little;
    -0.31 before lol; -0.28 before long; 0.31 before longer; -0.16 before look; -0.36 before lost; 0.61 before lot;
    -0.35 before love; 0.27 before luck; -0.45 before made; -0.45 before mail; -0.1 before make; -0.31 before makes;
    -0.99 before many; 0.54 before match; -0.58 before may; -0.42 before me; -0.39 before meet; -0.41 before met;
    -0.39 before might; -0.39 before mine; 0.1 before minutes; -0.35 before miss; -0.18 before month; 0.28 before
    more; -1.02 before morning; -0.36 before mornings; -0.34 before most; 0.47 before moved; -0.41 before much;
    -0.53 before my; 0.29 before n; -0.6 before nah; -0.21 before name; -0.23 before needs; -0.14 before never; -0.2
    before new; 0.29 before news; 0.39 before nice; -0.25 before night; -0.35 before nine; 0.09 before no; -0.68
    before nobody; -0.47 before noon; 0.15 before not; 0.41 before note; 0.77 before nothing; -0.36 before notice;
    -0.3 before number; 0.49 before o'clock; -0.41 before of; -0.28 before off; -0.43 before often; -0.14 before oh;
    0.56 before ok; -0.45 before old; -0.3 before on; -0.5 before ones; -0.37 before only; -0.49 before or; -0.43
    before ordered; -0.61 before other; -0.49 before our; -0.74 before out; -0.31 before own; -0.37 before paid;
    -0.56 before part; 0.4 before past; 0.29 before pay; -0.45 before pays; -0.22 before people; -0.35 before per;
    -0.18 before place; -0.33 before please; 0.33 before poor; -0.51 before pounds; 0.26 before price; 0.66 before
    problem; -0.25 before quiet; -0.45 before rain; -0.23 before rather; -0.7 before read; -0.34 before ready; -0.56
    before removed; 0.1 before right; -0.27 before room; -0.23 before round; -0.39 before row; -0.45 before run;
    -0.3 before s; -0.23 before said; 0.21 before same; 0.24 before say; -0.12 before says; -0.39 before seats;
    -0.49 before second; -0.51 before seconds; -0.14 before send; -0.32 before service; 0.15 before set; -0.27
    before shall; -0.17 before she's; -0.34 before shoes; -0.45 before should; -0.33 before sign; -0.19 before six;
    -0.27 before size; -0.31 before slow; -0.19 before small; 0.03 before so; -0.26 before sold; -0.55 before some;
    -0.46 before someone; -0.62 before something; 0.54 before sorry; -0.42 before sounds; -0.49 before soup; 0.55
    before stay; -0.39 before stayed; 0.37 before stays; 0.59 before still; 0.46 before surprise; 0.12 before take;
    0.22 before taken; -0.26 before takes; -0.48 before talk; -0.25 before tea; 0.21 before tell; -0.3 before
    telling; -0.23 before ten; -0.38 before test; -0.41 before than; 0.34 before thank; 0.38 before thanks; 0.03
    before that; -0.34 before that's; -0.22 before the; -0.39 before their; -0.23 before them; 0.23 before then;
    0.11 before there; -0.71 before there's; 0.2 before they; 0.25 before things; -0.65 before thirty; -0.31 before
    this; -0.22 before those; -0.26 before three; -0.33 before ticket; -0.24 before time; -0.35 before to; -0.24
    before today; -0.36 before took; -0.42 before truck; -0.65 before try; -0.68 before twice; -0.03 before two;
    -0.35 before under; -0.45 before understood; -0.2 before until; -0.24 before up; 0.12 before us; -0.29 before
    used; -0.39 before usually; -0.31 before van; -0.3 before very; -0.79 before walk; -0.33 before want; -0.38
    before was; -0.44 before wasn't; -0.25 before water; -0.25 before we; 0.31 before we'd; 0.38 before we're; -0.71
    before we've; -0.18 before week; -0.31 before weekend; 0.51 before welcome; 0.16 before well; -0.4 before went;
    -0.62 before were; -0.19 before what; -0.76 before when; -0.25 before where; -0.49 before which; -0.33 before
    while; -0.24 before white; -0.64 before who; -0.62 before whole; -0.39 before why; -0.14 before will; -0.53
    before window; 0.28 before wish; -0.52 before with; -0.5 before within; -0.31 before without; 0.18 before
    wonderful; -0.25 before word; -0.28 before words; 0.17 before work; -0.36 before would; -0.21 before write;
    -0.62 before year; -0.51 before years; -0.49 before yep; 0.18 before yes; 0.35 before yet; -0.53 before you;
    -0.27 before you'd; -0.39 before you'll; -0.39 before you're; -0.37 before your; 0.37 before à; 0.5 begin; 0.19
    behind the; 0.34 being; 0.31 being $; 0.32 best; 0.53 better; 0.23 better $; -0.79 between; -0.78 between us;
    0.23 big; 0.2 bin; -0.39 birds; -0.09 bit; -0.3 block; -0.72 bloke; -0.02 blue; -0.54 boiler; -0.34 book $;
    -0.51 booking; -0.51 boot; -0.31 boots; -0.29 boss; -0.21 both; -0.3 both $; -0.41 bottle; 0.35 bought; -0.36
    bought $; -0.61 bout; 0.34 boxes; -0.36 boys; -0.27 bread; -0.42 bring; 0.47 bring it; 0.18 brings; 0.4 broke;
    -0.41 broken; -0.44 broken $; -0.28 brother; 0.49 brother $; 0.17 btw; -0.46 btw $; 0.74 btw ,; -0.3 budget;
    0.48 bumped; -0.33 bus; -0.8 business; -0.47 but; -0.21 but $; -0.33 but he; -0.6 but she; -0.7 but that's; 0.45
    but the; 0.41 but … ,; 0.33 but … is; -0.51 but … not; 0.48 but … the; 0.17 by; -0.67 by $; -0.36 by <day>; 0.55
    by a; 0.12 by the; -0.31 by … #; -0.2 by … ,; -0.25 by … <month>; -0.44 by … @; 0.9 by … way; 0.66 c'est; 0.25
    cake; 0.31 cake $; 0.26 called $; -0.58 called @; 0.22 called … ,; 0.24 came; 0.44 came to; 0.67 came … #; 0.45
    came … the; -0.42 camp; 0.1 can; 0.38 can do; 0.67 can only; -0.38 can see; 0.29 can you; 0.39 can … @; -0.52
    can … it; -0.36 can … the; 0.26 can't; -0.63 cancel; -0.49 cancel the; -0.3 cant; -0.24 car; 0.28 car $; -0.4
    card $; 0.43 carried; -0.38 chair; 0.5 chair $; -0.32 change $; 0.56 changed; -0.54 charge; 0.58 cheaper; -0.35
    cheese $; -0.35 children; 0.19 church; -0.48 class; -0.27 clean; 0.28 clear; -0.36 close; 0.4 closed; -0.35 cm;
    -0.56 code; 0.21 cold; -0.49 colleague; 0.13 come; 0.42 con; -0.24 cool; -0.24 costs; 0.05 could; 0.28 council;
    0.32 count; -0.44 courier; 0.16 course; 0.49 cousins; -0.41 crew; 0.41 cried; 0.43 cried $; -0.31 cut; -0.3 da;
    -0.37 dad; 0.3 dark; 0.53 das @; -0.18 day; -0.55 day #; 0.21 day ,; -0.53 day … #; 0.21 days ,; 0.21 de; 0.71
    dead ,; -0.46 deadline; 0.07 dear; 0.05 dear @; 0.16 dear … ,; -0.82 degrees; -0.98 delete; -0.4 delete the;
    -0.31 delivered; -0.38 delivery; 0.54 dem; -0.39 deposit; -0.56 dev; 0.18 did; -0.3 did $; 0.47 did it; -0.46
    didn't; 0.23 die; 0.28 die @; 0.29 died; -0.4 different; -0.53 different $; -0.35 dinner; 0.66 discovered; 0.37
    do; -0.29 do $; 0.38 do ,; -0.26 do i; -0.21 do not; -0.37 do that; 0.29 doctor; 0.13 does; 0.29 does $; 0.56
    does it; -0.22 doesn't; -0.48 doesn't know; -0.61 doesnt; -0.49 dog $; -0.39 don't; -0.28 don't know; -0.38
    don't let; -0.59 don't … it; 0.14 done; -0.55 done @; -0.64 dont; -0.46 door's; 0.69 double; -0.27 down $; -0.4
    down the; 0.91 down to; -0.3 down … #; -0.21 down … the; -0.47 draft; -0.46 drive; 0.55 driving; -0.32 drop;
    -0.37 due; 0.61 e; -0.52 each; -0.48 early ,; -0.58 easy; 0.16 eat; 0.45 eats; 0.48 een; -0.34 eggs; 0.35 eight
    $; 0.44 electric; -0.68 eleven; 0.5 eleven $; 0.25 else; 0.21 em; -0.4 empty; 0.2 en; 0.11 end; -0.23 end $;
    -0.67 ends; 0.64 ends in; -0.48 engineer; 0.22 enough; -0.51 eu; -0.31 euro; -0.3 euros; 0.51 euros $; -0.21
    even; -0.49 ever; -0.4 ever $; -0.09 every; 0.51 everybody; 0.25 everything; 0.54 example; 0.42 exams; 0.33 eye;
    0.27 eyes; 0.24 face; 0.26 fair; 0.48 family ,; -0.4 far; -0.28 father; -0.33 feel; 0.63 feet; 0.31 feet $; 0.28
    fell; 0.44 fifteen; 0.61 fifty; 0.42 fifty ,; -0.34 file; -0.3 film; 0.63 finance; 0.58 find; -0.63 find $;
    -0.28 fine $; 0.51 fine @; 0.43 finish; 0.4 finished; -0.12 first; 0.1 first $; -0.29 first … ,; 0.53 fit; 0.5
    fits; 0.2 five; -0.32 five … ,; -0.49 flat; -0.5 flatmate; 0.61 flooded; -0.43 floor; -0.1 for; -0.72 for #;
    0.27 for $; -0.25 for <day>; -0.6 for @; 0.19 for a; 1.21 for good; 0.16 for his; 0.09 for me; -0.17 for my;
    -0.89 for now; 0.25 for that; -0.08 for the; 0.18 for us; -0.32 for you; -0.27 for … and; -0.39 for … days;
    -0.53 for … is; -0.35 for … on; -0.43 for … to; -0.43 for … week; 0.42 forever; -1.74 forget; -0.46 forget the;
    -0.24 forget to; -0.86 forgets; -0.76 forgetting; -0.52 forgive; -0.74 forgot; -0.28 forgot my; -0.27 forgot to;
    -0.14 forgotten; -0.36 form; -0.3 forty; 0.62 found; 0.52 found the; -0.3 four; 0.41 four $; -0.5 four … @; 0.51
    four … a; 0.4 frame; 0.24 free; -0.27 free $; -0.3 fridge; -0.63 friend @; 0.32 from; -0.48 from #; 0.15 from $;
    0.9 from <month>; -0.18 from <time>; -0.65 from @; -0.23 from a; 1.09 from here; -0.46 from me; 0.57 from next;
    0.71 from now; -0.33 from the; 1.37 from this; 0.96 from today; 0.48 from tomorrow; -0.74 from … #; 0.05 from …
    ,; -0.27 from … @; 0.42 from … on; -1.08 from … to; 0.92 from … week; 0.54 full; -0.42 full $; -0.62 funny; 0.55
    further; -0.48 g; 0.31 garage; -0.49 gate; -0.33 gate $; 0.4 gave; -0.56 gave … a; -0.33 get; 0.4 get a; -0.22
    gets; -0.66 gets #; -0.17 getting; -0.21 girl; 0.38 give; 0.77 given; 0.55 gives; 0.55 glasses; 0.5 glasses $;
    0.03 go; 0.28 go $; -0.35 go on; 0.24 go to; 0.31 go … ,; 0.26 go … the; -0.45 goat; 0.29 goes; 0.29 gold; 0.76
    gone; -0.12 gone $; 0.17 gone to; 0.39 gone … to; 0.07 good; -0.63 good $; -0.34 good ,; 0.36 good day; 0.18
    good evening; 0.41 good … !; 0.31 good … @; 0.06 got; -0.95 got #; -0.53 got one; 0.08 got the; 0.18 got … ,;
    0.2 got … @; -0.33 got … in; 0.4 gran's; -0.27 grand; -0.26 grand $; 0.45 grandson; -0.28 group; 0.34 grown;
    0.37 guess; -0.3 guy; -0.24 h; 0.38 ha; -0.15 had; -0.76 had #; -0.11 had $; 0.18 had a; 0.25 had the; -0.46 had
    … in; -0.34 haha; 0.24 half past; 0.63 handed; -0.34 hands $; 0.86 hang; 0.33 happy $; 0.1 has; -1.46 has #;
    0.25 has $; -0.49 has a; 0.41 has been; 0.28 has gone; 0.3 has her; 0.61 has taken; -0.39 has to; -0.39 has … #;
    0.57 has … the; 0.4 has … to; 0.53 has … up; -0.57 hasn't; 0.63 hat; 0.4 hat $; 0.2 have; -0.8 have #; -0.11
    have $; 0.44 have @; -0.28 have a; -0.21 have it; 0.3 have the; -0.26 have to; 0.23 have … ,; 0.42 have … for;
    0.29 having; -0.25 he $; -0.28 he has; 0.33 he was; 0.1 he … ,; 0.25 he … @; 0.38 he … a; -0.41 he … at; 0.36 he
    … for; 0.28 he … it; 0.24 he'd; -0.11 he's; -0.12 he's $; -0.08 hello; -0.4 hello ,; 0.55 hello again; -0.4
    hello … ,; 0.45 hello … @; 0.61 henceforth; 0.03 her; -0.38 her … ,; -0.36 her … is; -0.1 here; 0.29 here $;
    -0.82 hers; -0.21 hey; -0.49 hi; -0.39 hi … ,; -0.2 hi … @; -0.37 high; -0.24 him ,; 0.07 his; 0.53 his … @;
    0.42 his … is; -0.42 hola; 0.01 home; -0.24 home $; 0.48 honestly; 0.18 hospital; -0.36 hotel; 0.18 hour; -0.32
    hour ,; -0.17 hours; -0.3 hours ,; -0.21 house; -0.67 how; 0.26 hundred; 0.48 hundred and; -0.4 husband; -0.44
    husband's; -0.62 hush; 0.25 i; -0.07 i $; 0.57 i always; 0.34 i asked; 0.31 i bought; -0.28 i can; -0.25 i
    can't; 0.03 i do; 0.39 i don't; -0.36 i feel; 0.71 i find; -0.23 i forget; -0.47 i gave; 0.34 i had; 0.12 i
    have; 0.26 i know; -0.31 i like; 0.47 i look; 0.47 i looked; -0.3 i make; 0.31 i meant; 0.37 i moved; 0.43 i
    must; -0.48 i only; 0.67 i read; 0.01 i said; -0.53 i say; 0.43 i see; 0.36 i still; -0.37 i used; -0.69 i want;
    -0.31 i will; -0.52 i write; 0.21 i … ,; 0.05 i … @; -0.55 i … a; 0.31 i … at; -0.32 i … do; -0.37 i … for;
    -0.31 i … forget; 0.47 i … go; -0.46 i … her; -0.49 i … him; 0.43 i … i; -0.22 i … in; -0.41 i … like; -0.48 i …
    my; 0.43 i … on; -0.45 i … to; 0.59 i … until; 0.35 i … wrong; -0.4 i'd; 0.28 i'd $; -0.27 i'd be; 0.54 i'd
    been; -0.56 i'd like; -0.39 i'd … to; -0.31 i'll; -0.17 i'll be; 0.23 i'll … the; -0.29 i'll … you; 0.3 i'm;
    0.69 i'm afraid; 0.38 i'm going; 0.27 i'm on; -0.42 i'm so; 0.64 i'm … #; -0.41 i'm … ,; -0.36 i'm … for; 0.12
    i've; -0.15 i've a; 0.5 i've been; -0.46 i've got; -0.39 i've moved; -0.49 i've told; 0.42 i've … @; 0.15 i've …
    the; -0.43 if; 0.56 if $; -0.19 if @; -0.26 if he; 0.18 if i; -0.23 if it; -0.31 if the; 0.61 if you; 0.19 im;
    0.58 imagine; 0.1 in; -0.43 in #; 0.31 in ,; -0.33 in <month>; -0.11 in @; -0.15 in a; 0.46 in all; 0.2 in law;
    0.26 in my; -0.34 in one; 0.06 in the; 0.57 in there; -0.36 in … #; -0.19 in … ,; -0.12 in … and; 0.81 in … end;
    0.24 in … i; -0.38 in … is; 0.33 in … of; 0.14 in … the; 0.56 in … van; -0.37 inch; 0.29 inside; 0.7 instead;
    0.4 instead $; 0.3 instead ,; -0.45 iron; 0.08 is; -0.23 is #; -0.65 is @; -0.18 is a; -0.22 is at; 0.4 is for;
    0.47 is free; 0.72 is full; 0.42 is in; -0.7 is it; -0.37 is not; -0.34 is off; -0.52 is still; -0.5 is that;
    -0.4 is there; 0.69 is too; 0.53 is what; -0.2 is … #; 0.44 is … <day>; -0.19 is … <month>; -0.24 is … @; -0.42
    is … a; -0.32 is … at; -0.29 is … from; -0.58 is … his; 0.59 is … i; 0.66 is … in; -0.44 is … on; -0.17 is …
    the; 0.21 is … to; -0.36 isn't $; 0.07 it; 0.49 it #; -0.26 it $; 0.17 it ,; -0.23 it ?; -0.16 it @; 0.31 it
    all; 0.56 it and; -0.45 it back; -0.35 it be; 0.34 it comes; -0.38 it from; 0.42 it goes; -0.09 it in; 0.49 it
    is; -0.52 it isn't; 0.21 it on; 0.47 it over; -0.53 it to; -0.37 it up; -0.24 it was; -0.55 it wasn't; 0.32 it
    with; 0.26 it … #; 0.43 it … <day>; 0.17 it … a; 0.35 it … and; 0.33 it … in; -0.44 it … like; -0.32 it … me;
    0.21 it … my; -0.32 it … not; 0.59 it … on; -0.34 it … so; 0.29 it … to; -0.37 it … you; 0.46 it'll; 0.44 it'll
    be; 0.56 it's; 0.56 it's #; -0.63 it's $; 0.3 it's @; -0.5 it's been; -0.99 it's not; -0.46 it's still; 0.47
    it's … #; -0.35 it's … ,; 0.3 it's … @; -0.17 it's … a; 0.43 it's … i; 0.22 its; -0.52 jam; 0.34 jetzt; 0.17
    job; 0.25 job $; -0.29 joke; -0.3 just; 0.55 just me; 0.44 just the; -0.21 k; -0.54 keep; -0.59 keeps; -0.34
    key; -0.55 kg; -0.34 kid; -0.14 kids; 0.25 knees; -0.41 know; -0.13 know $; -0.52 known; -0.37 knows $; 0.22 la;
    -0.16 la $; 0.3 landlord; -0.4 laptop; -0.55 last; 0.31 last $; 0.46 last night; 0.06 late; 0.56 late $; 0.49
    later; 0.47 later ,; -0.46 laughed; 0.57 law; 0.35 le; -0.35 le $; -0.35 leave $; -0.2 leave it; -0.74 left;
    -0.36 left … ,; -0.36 lemon; -0.27 length 0; 0.31 length 1; 0.35 length 2; 0.18 length 3; 0.05 length 4; -0.1
    length 5; -0.51 length 6; 0.4 lesson; 0.35 lessons; -0.15 let; -0.37 let it; 0.34 let me; 0.41 letter; -0.33
    letters; -0.41 level; 0.44 library; 0.58 lie; -0.37 lift; 0.62 lift $; -0.05 like; 0.28 like $; 0.24 like it;
    0.3 like to; -0.47 likes; -0.37 limit; -0.22 list; -0.38 list $; -0.32 list ,; 0.24 little; 0.48 little $; -0.58
    loan; -0.17 lol; -0.43 lol $; 0.25 long; 1.06 longer; 0.18 look; 0.35 look at; 1.1 looked; 0.67 looked … the;
    -0.52 loose; -0.64 lose; 0.59 lost his; -0.11 lot; 0.39 lot ,; -0.31 love; -0.27 lunch; -0.43 m; -0.22 machine;
    0.43 made me; 0.54 make; 0.67 makes; 0.51 makes $; 0.29 man; 0.56 manual; -0.4 mate; -0.55 maths; -0.35 may $;
    -0.33 maybe; 0.34 me; -0.23 me #; -0.03 me ,; -0.18 me and; 0.31 me at; 0.29 me on; 0.54 me that; -0.16 me … a;
    0.24 me … i; 0.45 me … with; -0.64 medical; 0.27 met; 0.48 met $; -0.36 meter; -0.32 metres; -0.35 might; -0.29
    miles; 0.19 milk; -0.17 mind; -0.18 mine; -0.41 mine ,; -0.41 minutes; 0.47 mir; 0.53 miss @; -0.39 mix; -0.47
    ml; -0.54 mm; -0.25 money; -0.18 month; 0.3 month $; -0.28 month ,; -0.45 monthly; -0.5 months; -0.32 months $;
    0.85 more; 0.46 more ,; 0.62 more like; -0.38 more than; -0.26 morning ,; -0.26 morning … @; 0.37 most $; 0.4
    mother $; -0.39 move $; 0.25 moved; -0.58 moved $; 0.2 moved to; 0.22 mr; 0.4 mr @; 0.19 mrs; -0.4 much; -0.34
    mum's; -0.37 music; -0.15 my; -0.06 my $; -0.47 my @; 0.4 my brother's; -0.37 my colleague; -0.41 my friend;
    0.37 my husband; -0.32 my mother; -0.23 my mum; -0.31 my neighbour; 0.28 my own; -0.1 my sister; -0.26 my
    sister's; 0.43 my wife; -0.21 my … @; 0.28 my … and; -0.24 my … at; 0.41 my … has; 0.31 my … i; 0.28 my … is;
    0.43 my … to; 0.46 myself; 0.47 na; 0.59 naar; -0.35 nah; -0.09 name; -0.41 name @; -0.57 named; 0.43 navy; 0.47
    ne; -0.33 need; -0.35 need a; 0.38 need the; 0.48 needed; -0.52 neighbour; -0.47 neighbour's; 0.54 nephew; -0.72
    never; -0.31 never … a; 0.43 new; -0.32 new one; 0.23 new … ,; 0.41 new … is; -0.36 next; -0.37 next door; 0.31
    next … ,; -0.39 nicht; 0.24 niece; -0.26 night; -0.2 night ,; 0.2 nights; -0.53 nine; 0.38 nine $; -0.35 nine …
    ,; -0.55 nineteen; -0.48 no; 0.41 no #; -0.3 no $; 0.7 no ,; 0.34 no @; -0.53 no idea; 0.67 no longer; 0.7 no
    more; 0.44 no need; -0.42 no no; -0.09 no … ,; 0.72 no … @; -0.66 no … no; -0.33 no … not; -0.4 nobody; 0.53
    noch; 0.4 non; -0.44 none; -0.34 noon; -0.2 not; 1.62 not #; -0.51 not ,; 0.58 not <day>; 0.68 not <time>; 1.04
    not @; -0.46 not me; -0.6 not mine; 0.11 not the; 0.41 not … #; 0.32 not … ,; 0.61 not … @; -0.5 not … me; 0.3
    not … the; -0.31 notes; -0.41 nothing $; 0.64 nous; 0.85 now; -0.19 now $; 0.32 now ,; 0.27 now @; -0.58 now i;
    0.37 now … @; -0.37 now … and; 0.41 now … is; 0.59 nowadays; 1.32 nu; -1.14 number; -0.18 number #; -0.46 number
    $; 0.56 number … #; 0.3 o; -0.29 o'clock; -0.54 obviously; 0.03 of; -0.55 of #; 0.13 of <month>; -0.24 of @;
    0.44 of her; -0.13 of my; 0.19 of the; -0.25 of them; 0.41 of those; -0.47 of us; 0.17 of … ,; 0.16 of … @;
    -0.34 of … in; -0.44 of … on; -0.12 off; 0.34 off ,; -0.2 off the; -0.59 off with; 0.48 off … ,; -0.34 offers;
    0.54 office; 0.16 oh; 0.9 oh and; -0.5 ok $; 0.4 ok ,; -0.7 ok so; -0.61 okay; -0.2 old; 0.27 old $; -0.34 old …
    ,; 0.14 on; -0.35 on #; -0.1 on $; 0.28 on ,; -0.41 on <day>; -0.21 on <month>; -0.22 on a; 0.43 on it; 0.55 on
    leave; -0.31 on me; 0.41 on top; -0.67 on … #; -0.16 on … ,; -0.59 on … <month>; 0.04 on … @; 0.37 on … in;
    -0.88 on … left; 0.52 on … of; 0.5 on … since; -0.38 once; 0.15 one; -0.71 one @; -0.18 one in; -0.56 one of;
    -0.42 one on; -0.31 one … ,; -0.41 one … @; 0.22 ones; -0.39 only $; 0.32 op; 0.52 opened; -0.35 or; 0.27
    orange; -0.64 order; -0.4 other; 0.36 other one; -0.51 ours $; 0.16 out; -0.5 out $; 0.55 out ,; 0.4 out at;
    -0.42 out on; -0.53 out to; -0.46 out … #; -0.16 out … the; -0.52 outside; 0.55 over to; 0.38 over … @; -0.6
    owes; -0.38 own; -0.28 own $; -0.57 paid; -0.44 paint; 0.2 paper; 0.45 papers; -0.44 park; -0.23 parking; 0.34
    part; 0.5 passed; -0.53 password; 0.41 past; -0.32 patient; -0.39 pay; -0.22 paying; -0.75 pays; -0.31 pays #;
    0.66 peace; 0.16 people $; -0.35 per; 0.31 per $; -0.42 per … ,; 0.17 percent; -0.19 perfect; -0.39 pick; -0.55
    piece; 0.52 pipe; -0.52 pitch; 0.31 place; -0.2 plan; -0.47 planned; -0.49 planning; -0.29 play; 0.35 please $;
    0.25 please @; 0.48 please do; -0.29 please … the; -0.67 pls; -0.27 pls $; 0.23 plus; 0.24 point; -0.53 points;
    -0.51 police; -0.39 poor; -0.57 poor $; -0.41 por; 0.45 post; -0.34 pounds; 0.41 pounds $; -0.44 pressure; -0.34
    price $; 0.87 price … #; 0.55 properly; -0.27 pump; 0.44 pushed; 0.86 put; -0.39 put it; 0.38 put me; 0.56 puts;
    0.53 que; -0.52 queen; -0.39 quiet; 0.56 quite; -0.39 radio; -0.5 rain; 0.66 rang; 0.69 rather; 0.26 read; 0.58
    read the; -0.15 ready; -0.33 really; -0.63 reason; -0.5 reckons; -0.8 remains; -0.71 remember; -0.5 remind;
    -0.41 remind me; -0.67 remove; 0.47 report; 0.24 retired; -0.3 right; -0.21 right $; 0.39 right … the; 0.38
    roof; -0.44 roof $; 0.14 room; 0.69 room ,; -0.76 room @; -0.44 rota; 0.32 round; -0.31 row; 0.47 rule; 0.64
    said #; -0.27 said ,; 0.55 said @; -0.35 said it; -0.4 said no; -0.36 said … ,; -0.37 said … @; 0.46 same $;
    0.59 same price; 0.55 same time; -0.69 same … ,; -0.13 saw; -0.28 saw $; 0.19 say; 0.74 say #; -0.16 say $; 0.47
    say no; 0.62 says; 0.27 says #; 0.37 says $; 0.21 says ,; -0.37 says @; -0.61 says i; -0.35 says no; 0.38 says
    the; -0.48 says … @; -0.11 says … the; 0.37 se; -0.4 sea; 0.32 seat; 0.18 second; 0.44 second ,; -0.27 second …
    ,; -0.59 secret; 0.06 see; 0.59 seems; 0.67 seen; -0.43 seen $; 0.4 send; 0.4 send the; -0.61 sense; 0.25 sent;
    -0.59 separate; -0.46 server; -0.34 service; -0.36 session; -0.22 set; -0.17 seven; 0.51 shall; 0.08 she; -0.34
    she is; 0.19 she says; -0.4 she … #; 0.34 she … a; 0.38 she … it; 0.55 she's; -0.44 she's #; -0.42 she's $; -0.3
    she's … ,; 0.83 shifted; -0.06 shop; -0.4 short; 0.52 shorter; -0.44 should; -0.73 shouldn't; -0.3 show; 0.77
    showed; 0.33 shut; -0.39 si; 0.36 sick; 0.14 side; -0.27 sign; 0.27 signed; 0.34 since; -0.79 since #; 0.26
    since <day>; 0.23 since <month>; 0.45 since the; 0.24 since … ,; 0.25 since … @; 0.56 sind; 0.39 sing; 0.29
    single; -0.69 sis; -0.38 sister; 0.23 sister @; 0.65 sister has; -0.18 sister's; 0.26 sit; -0.32 six; 0.36 six
    $; -0.59 six @; -0.46 six … @; 0.23 sixteen; -0.51 sixty; -0.4 size #; 0.31 sleep; -0.54 sleeping; -0.41 slept;
    0.35 small; 1.04 so; 0.57 so #; -0.29 so $; -0.26 so ,; 0.36 so @; -0.65 so far; -0.46 so he's; 0.2 so i; 0.31
    so i'm; 0.35 so it's; -0.28 so much; -0.37 so no; 0.54 so she's; 0.52 so that's; 0.34 so the; -0.42 so you; 0.17
    so … #; -0.27 so … ,; 0.11 so … @; 0.33 so … are; 0.41 so … at; -0.34 so … have; 0.25 so … in; 0.44 so … me;
    0.51 so … my; 0.14 so … the; -0.27 sofa; 0.37 sold the; -0.33 some; -0.28 somebody; -0.21 something; -0.31 son
    @; 0.54 sorry; 0.3 sorry $; 0.68 sorry ,; -0.54 sort; -0.5 soul; 0.29 sound; 0.4 speech; -0.5 split; 0.34
    square; 0.46 stands; -0.13 start; -0.21 station; -0.43 stay; -0.53 stayed; -0.61 stays; -0.46 stays $; -0.33
    step; 0.84 sticker; -1.15 still; -0.35 still #; -0.4 still the; 0.64 stolen; 0.42 stood; -0.48 straight; 0.19
    suits; 0.61 sum; 0.64 summer; 0.24 swap; 0.72 swapped; -0.38 swimming; -0.14 ta; -0.29 ta $; -0.23 take; 0.77
    take #; 0.42 taken; -0.44 takes; -0.72 takes #; 0.51 takes $; 0.47 talked; -0.32 tank; 0.43 tape; -0.47 tax;
    -0.38 tea; -0.37 teacher; -0.44 team; 0.45 teeth; -0.25 tell me; -0.26 telling; -0.3 ten; 0.36 ten $; -0.31 ten
    minutes; 0.41 ten … ,; 0.61 term; 0.54 tested; -0.14 than $; 0.41 than i; -0.5 than me; -0.38 than the; -0.2
    thank; -0.58 thank $; 0.36 thank … @; -0.1 thanks; -0.33 thanks ,; -0.15 that; -0.24 that $; 0.48 that ,; 0.34
    that @; -0.39 that i; -0.68 that is; -0.47 that was; 0.69 that wrong; -0.28 that … ,; 0.62 that … is; -0.2
    that's; -0.1 that's $; -0.19 that's a; 0.59 that's … @; -0.42 thats; -0.24 thats $; 0.07 the; 0.51 the #; 0.1
    the $; 0.23 the <day>; -0.29 the @; -0.38 the best; -0.21 the blue; -0.21 the bus; -0.35 the cat; 0.34 the
    church; -0.14 the day; 0.67 the desk; -0.33 the doctor; 0.57 the end; 0.42 the front; -0.32 the group; 0.51 the
    hall; 0.22 the last; -0.66 the left; 0.54 the letter; 0.39 the library; -0.19 the man; 0.26 the morning; 0.5 the
    neighbours; -0.71 the new; -0.29 the next; 0.7 the night; -0.37 the old; 0.18 the other; 0.27 the paper; 0.57
    the rest; 0.64 the right; -0.49 the river; -0.14 the same; -0.42 the small; 0.43 the two; 0.18 the way; 0.3 the
    weekend; -0.37 the whole; 0.57 the year; -0.29 the … !; -0.24 the … #; 0.06 the … ,; -0.1 the … :; 0.08 the … @;
    0.21 the … and; 0.1 the … are; -0.13 the … at; 0.24 the … before; -0.3 the … by; 0.31 the … can; -0.37 the …
    down; -0.38 the … from; 0.43 the … got; -0.28 the … hall; 0.25 the … has; 0.24 the … i; 0.28 the … in; 0.39 the
    … is; -0.26 the … list; -0.27 the … on; 0.07 the … one; 0.6 the … one's; 0.29 the … people; -0.46 the … place;
    0.24 the … room; -0.34 the … since; 0.51 the … the; 0.31 the … thing; -0.3 the … time; 0.21 the … to; 0.54 the …
    two; 0.36 the … was; 0.4 the … week; -0.26 the … with; 0.61 the … would; -0.8 theirs; 0.1 them; -0.23 them $;
    -0.4 them in; 0.7 then; 0.47 then $; 0.47 then ,; -0.52 then @; 0.51 then it's; 0.8 then … and; -0.04 there $;
    0.47 there @; 0.39 there are; 0.33 there is; 0.4 there's; -0.16 there's a; 0.31 there's no; 0.58 these; 1.3
    these days; 0.6 these … ,; 0.37 they; 0.21 they $; -0.51 they are; 0.48 they can; -0.53 they do; 0.31 they said;
    -0.33 they say; -0.42 they … it; 0.27 they … me; 0.29 they … the; 0.19 they're; -0.47 they're $; 0.69 they've;
    0.21 thing; 0.44 thing $; 0.13 things; -0.3 think; -0.35 thinks; 0.3 third; 0.41 thirteen; -0.35 thirty; -0.44
    thirty one; -0.37 this; 0.37 this $; -0.39 this is; 0.63 this morning; 0.27 this time; -0.32 this week; 0.42
    this year; 0.1 this … ,; 0.35 this … @; -0.44 this … only; 0.17 tho; 0.45 tho ,; 0.21 those; 0.63 though ,;
    -0.16 three; -0.16 three ,; -0.68 throw; 0.61 thumb; 0.6 thus; -0.37 thx; 0.13 till; -0.32 till <month>; 0.35
    till … ,; -0.06 time; 0.4 tired; 0.22 to; 0.71 to #; 0.54 to <day>; 0.58 to <price>; 0.68 to <time>; 0.11 to a;
    -0.57 to get; -0.29 to go; -0.23 to her; 0.23 to it; -0.38 to know; -0.35 to me; 0.29 to my; 0.56 to one; -0.19
    to say; -0.12 to the; 0.27 to … #; 0.35 to … ,; 0.35 to … <month>; 0.11 to … @; 0.29 to … and; 0.3 to … at;
    -0.21 to … in; -0.3 to … it; -0.29 to … on; -0.28 to … the; -0.42 to … to; 0.38 to … you; -0.6 today; 0.39 today
    $; -0.09 told; 0.43 told you; -0.35 tomorrow; -0.3 tomorrow $; -0.3 tonight; -0.09 too; -0.43 too ,; -0.49 too
    but; 0.24 too … @; 0.38 took; -0.3 took $; 0.23 train; -0.62 trip; -0.56 turn; 0.78 turns out; -0.4 twelve;
    -0.34 twice $; 0.4 twice a; 0.86 twin; 0.01 two; -0.36 two ,; 0.46 two hours; -0.34 two … ,; -0.57 two … @; 0.52
    typed; -0.49 u; -0.33 um; -0.44 uncle; -0.4 under $; 0.17 under the; -0.38 units; 0.49 until; -0.32 until $;
    0.19 up; -0.28 up @; -0.28 up at; -0.42 up for; 0.29 up to; 0.39 up … #; 0.82 upon; -0.38 upstairs; 0.35 us; 0.3
    us $; 0.39 us to; 0.23 us … @; 0.41 us … the; 0.23 use; -0.65 used; -0.44 used to; 0.12 user:; 0.27 user: #; 0.7
    user: <time>; -0.12 user: a; -0.47 user: actually; 0.46 user: after; -0.46 user: all; -0.5 user: alright; 1.09
    user: also; 1.59 user: and; -0.48 user: back; -0.33 user: can; -0.41 user: could; -0.44 user: delete; -0.13
    user: do; -0.44 user: don't; -0.15 user: dont; -0.34 user: drop; -0.66 user: evening; 0.26 user: for; -0.34
    user: forget; -0.33 user: forgot; 0.34 user: found; 0.31 user: from; -0.32 user: go; -0.21 user: good; -0.74
    user: had; -0.32 user: he's; -0.36 user: hello; -0.9 user: her; -0.25 user: hey; -0.15 user: hi; -0.76 user:
    his; -0.45 user: hiya; 0.36 user: hmm; -0.42 user: hola; -0.32 user: how; -0.41 user: i; -0.4 user: i'll; -0.43
    user: i've; -1.34 user: if; -0.49 user: in; -0.66 user: is; -0.38 user: it; -0.11 user: it's; 0.32 user: its;
    -0.21 user: k; -0.49 user: last; 0.32 user: lost; 0.47 user: miss; -0.62 user: morning; 0.28 user: mrs; 0.28
    user: mum; -0.56 user: my; 0.32 user: n; -0.39 user: nah; -0.29 user: never; 0.41 user: new; -0.43 user: no;
    0.11 user: not; -0.74 user: now; 0.33 user: on; 0.2 user: one; -0.56 user: our; -0.45 user: please; -0.36 user:
    put; -0.23 user: right; -0.31 user: same; -0.63 user: seven; -0.23 user: she's; -0.82 user: should; -0.41 user:
    si; 0.48 user: so; -0.45 user: sold; -0.54 user: someone; -0.8 user: take; 0.41 user: thank; -0.43 user: that;
    -0.17 user: that's; -0.09 user: the; -0.91 user: this; 0.15 user: three; 0.48 user: und; 0.67 user: wait; -0.34
    user: we; -0.48 user: we've; 0.33 user: well; -0.85 user: were; -0.49 user: what; -0.37 user: what's; 0.62 user:
    with; -0.69 user: would; -0.65 user: wrong; -0.42 user: yo; 0.21 van; 0.28 vegan; 0.17 very; 0.28 very $; 0.32
    vet; 0.6 view of; 0.21 voice; -0.88 von; 0.4 vote; 0.46 voted; 0.24 w $; -0.56 wait $; 0.52 wait ,; -0.41
    waiting; -0.41 wall; -0.41 want a; 0.61 wants it; 0.51 wants the; -0.51 wants to; 0.31 war; 0.22 was; -0.2 was
    #; -0.32 was $; -0.22 was @; -0.14 was a; -0.52 was it; 0.19 was on; 0.31 was the; 0.48 was wrong; -0.1 was … ,;
    -0.21 was … and; -0.36 was … to; -0.23 way; -0.28 way $; 0.15 way ,; 0.42 way @; 0.49 we; 0.15 we $; 0.34 we
    can; 0.37 we get; 0.6 we go; -0.24 we got; -0.24 we had; -0.28 we … #; 0.31 we … @; 0.41 we … in; -0.18 we … it;
    -0.22 we … the; 0.41 we're; 0.56 we're at; 0.37 we're … @; 0.4 we're … the; 0.39 wear; 0.1 week $; 0.22 week ,;
    0.35 week … ,; -0.26 weeks; -0.28 well ,; 0.3 went; 0.72 went to; 0.2 went … the; -0.29 were $; -0.46 were … to;
    -0.24 what; -0.26 what $; -0.23 what if; -0.22 what's; -0.41 whatever; 0.14 when; 0.31 when i; -0.09 which;
    -0.68 which is; 0.38 while; 0.21 white; -0.06 who; -0.3 who $; 0.42 whole; -1.08 why; -0.48 why $; -0.27 wife;
    0.42 will; 0.23 will $; 0.32 will do; 0.19 window; -0.41 windows; 0.25 with; -0.57 with #; -0.17 with $; 0.18
    with @; 0.1 with a; 0.45 with an; 0.23 with my; 0.32 with that; 0.11 with the; -0.21 with … @; 0.38 with … and;
    0.38 without; 0.3 woman; 0.78 wood; -0.4 words; 0.31 work $; -0.22 works; -0.5 worse; 0.5 would do; 0.26 would
    you; 0.44 wrist; 0.48 write; 0.66 writes; 0.77 writes that; 0.55 wrong; 0.18 wrong $; 0.44 wrong … the; 0.35
    wrote; 0.77 y; -0.39 ye; -0.43 yeah; -0.42 yeah $; 0.19 year; 0.22 years; -0.54 yes $; -0.27 yes ,; 0.67 yes …
    #; 0.45 yesterday ,; -0.64 yet; -0.62 yet ,; -0.34 yo; -0.36 you; 0.74 you #; -0.33 you ,; 0.46 you ?; 0.21 you
    @; -0.29 you a; -0.37 you and; -0.29 you are; 0.52 you at; 0.28 you believe; 0.24 you can; -0.33 you get; 0.5
    you know; -0.48 you on; 0.33 you … @; -0.37 you … me; -0.3 you … my; 0.35 you … that; 0.08 you … the; 0.29
    you'd; 0.28 you'll; 0.36 young; -0.16 your; -0.37 your $; -0.32 your … ,; 0.35 your … is; -0.3 yours; -0.38
    yourself; 0.52 à
"""
VECTOR = (
    "KzsSMxezSLPdPc+5BTYZpto9DUHDvTw2rrxtOOC9VjyGNvu1CD7evMG6ei2Kvfu3VT0aO+s3wLvzNpXAq0AbPzS5KjwXsPu/aywmnnu0XT3LuBqs"
    "MzpcPVa0taI+syg7DDdJuIu7wD4aOV2wsL0sr5mt7DTeOH+4/TUGQGM8uzaYujm7VjmqwdnBx7MfObYy2DyDOl2fh7yXuVq1xThjvxI+bLgblTc5"
    "IjSyLJcxBDxvv5o5fEC/p5K2sjq4ugy8arSvtLy6NcHiug0+17kAs4+3E7gBOqK0wTehN48zcTb3P0s6MbzZLF2+bLQeuO8s4bkGtr29bLbku/g8"
    "AC4AAMM4x7iNOFa4TDJqOue34a9RsgG+DTjFs3+9TbtmKhW9pz9avXC8ZbeEO8Qq9zyjuoq78SwAOks9F7ikPsVACzRrOcMa7jFuQLmx8bwov2+5"
    "v7Hkpcgs8jURPYY8YLrUuco52BzIOlk0OjylOJE8EDqXPWM4w7kNuzFAsj9+OMs4HDIGH2mYLDZoLOo+sryPOsO86zK2OFq0SzjHQKs2Lj78OkJB"
    "paL1OjS4YjS+wEC5vjgdu5K0CjVyOAM8wDYAgLA8xi2YtoC5VLXMuO00nTU0O4W6biCQuTivQkC+vta5gypOvFI5xLgXNfy48rgtOXw8Xjl3Mduu"
    "NzwAPSPAfb7WOx89aTeqOvq6O7MePZqzrjiWp94/NzjRLmE52jKBNTW7Z7IFPJi87z4VN5u2DybqOHUiOrXQO2oqb71hs/2+Jbt7Oca15TlCvkO5"
    "CLV4OOI5WDb9uEmxgzkYLQ26gzZKuoO0Y7lDvA4xkL4WPe89VDiRuNw+/riNMfU+Vb0tANa23Dlpvhchub3qsbq9HjdHOKY+0r0TvXI9Trgzt8q9"
    "NLO6LEG9w7V9vNG/8R0NvDcwwzu5NFtA0zo/wNgooL5dujyshDcZptAo3Ky2tgm+FJpVvaa4Ob2FuTy8EK5uM6A30rXsOdQ0qTcJtC+0lKvjtz23"
    "BsCPsN+9q78ouce/"
)
"""A weight for each dimension, half precision."""


WORDS = listed_weights.read(_LISTED)
"""By word or pair of words; one without a weight has 0."""
