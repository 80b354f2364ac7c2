"""The fitted weights of `correction_cue`, written by `python -m benchmarks.corrections --fit`."""

from remembrancer.domain.capture import listed_weights

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
BIAS = -2.321
_LISTED = """
    0.27 !; 0.47 ! !; 0.48 ! #; -0.1 ! i; 0.28 ! … @; 0.25 ! … a; -0.37 ! … so; 0.02 #; 0.76 # !; -0.07 # #; 0.19 #
    $; -0.25 # %; -0.21 # ,; -0.32 # <day>; -0.02 # <month>; -0.41 # @; -0.52 # a; -0.19 # all; -0.23 # and; -0.32 #
    at; -0.44 # but; -0.31 # by; -0.32 # cm; -0.31 # days; -0.44 # degrees; 0.42 # dollars; -0.24 # for; 0.08 #
    from; -0.31 # g; -0.2 # h; -0.5 # has; -0.3 # i; -0.44 # in; -0.39 # inch; 0.07 # is; -0.5 # kg; -0.26 #
    minutes; -0.23 # of; -0.17 # on; 0.28 # percent; -0.12 # pounds; -0.28 # quid; -0.11 # s; 0.18 # so; 0.81 #
    sorry; -0.39 # till; -0.28 # too; 0.45 # was; -0.56 # weeks; -0.11 # with; 0.52 # … !; -1.05 # … #; -0.84 # … ,;
    -0.49 # … :; -0.56 # … <day>; -0.41 # … <time>; -0.77 # … @; -0.37 # … a; -0.43 # … and; -0.83 # … at; -0.51 # …
    by; -0.26 # … day; -0.38 # … each; -0.27 # … for; -0.48 # … got; 0.4 # … if; -0.52 # … in; 0.12 # … is; 0.22 # …
    it; -0.22 # … me; -0.32 # … my; 0.31 # … no; -0.32 # … of; -0.37 # … on; 0.3 # … the; -0.3 # … to; -0.23 # …
    too; 0.39 # … us; -0.22 # … with; -0.13 # … you; -0.26 %; 0.55 ,; -0.41 , #; -0.04 , $; 0.13 , <day>; -0.08 , @;
    0.6 , a; -0.24 , all; -0.23 , and; -0.09 , as; 0.47 , at; 0.38 , because; -0.29 , before; 0.28 , both; -0.38 ,
    but; 0.18 , by; 0.35 , could; -0.42 , different; -0.17 , four; -0.49 , ha; 0.43 , had; 0.15 , his; 0.22 , i;
    0.26 , i'd; -0.28 , i'll; 0.11 , i'm; 0.35 , i've; 0.24 , if; 0.44 , im; 0.52 , it; 0.29 , it's; 0.4 , its;
    -0.56 , just; -0.31 , leave; -0.53 , me; -0.24 , mind; 0.53 , my; 0.42 , new; -0.43 , next; -0.45 , no; 0.3 ,
    not; -0.36 , nothing; -0.31 , now; -0.4 , of; 0.48 , on; -0.49 , only; 0.41 , our; -0.58 , please; -0.12 , poor;
    -0.29 , ready; -0.35 , right; 0.66 , same; -0.15 , she; 0.38 , so; -0.3 , that; -0.57 , that's; 0.47 , the;
    -0.64 , then; 0.28 , there's; -0.16 , they; 0.21 , this; 0.3 , to; -0.13 , two; -0.12 , we; 0.21 , we're; -0.42
    , what; 0.55 , when; -0.24 , which; 0.51 , who; 0.25 , with; -0.24 , … !; -0.46 , … #; -0.4 , … ,; -0.34 , … :;
    -0.57 , … <day>; 0.46 , … <month>; 0.3 , … <time>; 0.15 , … ?; -0.18 , … @; -0.25 , … am; 0.06 , … and; 0.32 , …
    as; -0.38 , … at; -0.15 , … be; -0.4 , … by; -0.46 , … do; 0.2 , … euros; -0.58 , … for; 0.4 , … four; -0.37 , …
    from; 0.31 , … goes; 0.09 , … got; -0.18 , … had; 0.28 , … has; 0.23 , … have; -0.14 , … he; -0.41 , … her;
    -0.44 , … here; -0.37 , … him; 0.3 , … hour; -0.41 , … i; -0.15 , … i'm; -0.35 , … i've; -0.28 , … if; 0.01 , …
    is; -0.31 , … me; -0.47 , … more; -0.34 , … my; -0.22 , … need; -0.64 , … not; -0.5 , … now; -0.27 , … of; -0.29
    , … on; 0.24 , … one; 0.29 , … please; -0.47 , … pounds; 0.21 , … put; 0.12 , … says; 0.45 , … see; -0.12 , …
    she; -0.29 , … so; -0.05 , … the; -0.39 , … then; 0.25 , … there; -0.53 , … they; -0.17 , … this; -0.34 , …
    till; -0.24 , … to; -0.4 , … up; -0.3 , … us; 0.43 , … was; -0.26 , … we; -0.43 , … week; 0.38 , … went; 0.31 ,
    … what; 0.18 , … will; -0.18 , … with; 0.62 , … wrote; 0.36 , … you; 0.36 :; 0.03 : #; 0.41 : $; 0.46 : <time>;
    -0.17 : @; 0.41 : a; -0.52 : i; -0.83 : me; 1.1 : the; -0.27 : … #; -0.9 : … ,; 0.41 : … is; 0.89 <change>; 1.22
    <cue>; -0.33 <day>; -0.2 <day> #; 0.35 <day> $; 0.4 <day> <day>; -0.5 <day> <time>; -0.39 <day> ?; -0.2 <day> @;
    0.05 <day> and; -0.01 <day> at; 0.39 <day> night; 0.44 <day> now; -0.51 <day> only; -0.26 <day> … #; 0.21 <day>
    … ,; 0.47 <day> … <month>; -0.27 <day> … @; -0.28 <day> … and; -0.43 <day> … at; 0.39 <day> … the; -0.49
    <excluded>; -0.49 <month>; -0.2 <month> #; 0.31 <month> $; -0.3 <month> ?; -0.14 <month> at; -0.26 <month> … ,;
    0.1 <month> … <time>; -0.16 <month> … @; 0.93 <month> … same; 0.72 <month> … the; -0.75 <price>; 0.81 <price> $;
    -0.44 <time>; 0.4 <time> $; -0.49 <time> ,; 0.28 <time> ?; -0.37 <time> and; 0.49 <time> instead; -0.41 <time>
    to; -0.5 <time> … #; -0.3 <time> … ,; -0.63 <time> … @; 0.34 <time> … the; 1.73 <wrong>; -0.52 ?; 0.48 ? #;
    -1.38 ? $; 0.28 ? ?; 0.16 ? @; 0.29 @; -0.4 @ #; 0.25 @ $; -0.12 @ ,; -0.25 @ :; -0.27 @ <day>; 0.19 @ @; -0.1 @
    a; 0.33 @ and; -0.06 @ at; 0.25 @ by; -0.26 @ can; 0.27 @ do; 0.26 @ for; -0.53 @ from; 0.45 @ has; -0.31 @
    have; 0.48 @ he; -0.36 @ here; 0.16 @ in; 0.21 @ is; -0.41 @ it; 0.35 @ makes; -0.31 @ my; -0.43 @ next; 0.68 @
    now; 0.19 @ on; -0.45 @ one; 0.38 @ since; -0.23 @ sister; 0.32 @ the; -0.1 @ to; -0.53 @ wants; 0.27 @ who;
    -0.12 @ with; 0.4 @ … !; -0.72 @ … #; -0.19 @ … ,; -0.51 @ … :; -0.3 @ … <day>; -0.61 @ … <time>; -0.11 @ … @;
    0.04 @ … a; -0.37 @ … also; -0.02 @ … and; 0.11 @ … be; 0.24 @ … been; 0.35 @ … but; 0.41 @ … can; -0.19 @ …
    for; 0.33 @ … go; 0.23 @ … good; -0.21 @ … got; -0.31 @ … had; 0.57 @ … has; 0.18 @ … have; -0.26 @ … her; 0.21
    @ … i; 0.3 @ … i'm; -0.1 @ … in; -0.22 @ … is; 0.23 @ … it; 0.57 @ … last; 0.4 @ … like; 0.34 @ … my; -0.38 @ …
    nine; 0.54 @ … now; -0.27 @ … number; -0.16 @ … on; -0.22 @ … one; -0.18 @ … out; 0.29 @ … room; 0.47 @ … same;
    0.25 @ … she's; 0.16 @ … the; -0.53 @ … three; -0.11 @ … to; 0.3 @ … too; -0.29 @ … two; -0.17 @ … up; 0.48 @ …
    us; -0.33 @ … want; 0.14 @ … was; 0.41 @ … where; 0.37 @ … who; 0.3 @ … with; 0.15 @ … you; -0.27 ^ !; -0.03 ^
    ,; -0.17 ^ :; 0.12 ^ <time>; -0.17 ^ ?; -0.09 ^ @; -0.13 ^ a; 0.31 ^ about; 0.35 ^ after; 0.43 ^ again; -0.51 ^
    all; -0.39 ^ alright; 0.3 ^ also; -0.37 ^ always; 0.53 ^ and; 0.46 ^ another; 0.18 ^ are; -0.18 ^ as; 0.47 ^
    ate; -0.23 ^ aye; 0.17 ^ back; -0.69 ^ bad; -0.09 ^ be; 0.31 ^ big; -0.46 ^ bin; 0.32 ^ bought; 0.49 ^ box;
    -0.31 ^ brother; -0.4 ^ brother's; 0.44 ^ but; -0.38 ^ by; 0.25 ^ came; -0.34 ^ can; 0.14 ^ can't; -0.39 ^
    cancel; 0.37 ^ change; -0.57 ^ colleague; 0.14 ^ comes; 0.16 ^ could; 0.38 ^ council; 0.21 ^ course; -0.37 ^
    cousin; 0.43 ^ cousins; -0.28 ^ date; -0.74 ^ delete; 0.21 ^ did; 0.38 ^ died; -0.25 ^ do; -0.15 ^ does; -0.38 ^
    doesn't; 0.45 ^ double; 0.15 ^ down; -0.54 ^ drop; -0.37 ^ due; 0.46 ^ eight; -0.25 ^ evening; -0.44 ^ ex; -0.3
    ^ fair; 0.39 ^ fell; -0.13 ^ fine; -0.39 ^ flat; -0.1 ^ for; -0.82 ^ forget; -0.51 ^ forgets; -0.7 ^ forgot;
    -0.29 ^ forty; 0.33 ^ found; -0.12 ^ friend; 0.33 ^ from; 0.4 ^ full; 0.2 ^ gave; -0.27 ^ gets; 0.39 ^ go; 0.29
    ^ goes; 0.42 ^ gone; -0.2 ^ good; 0.31 ^ got; 0.11 ^ had; 0.51 ^ has; -0.18 ^ he; 0.4 ^ he's; -0.2 ^ hello; 0.26
    ^ her; 0.29 ^ here; -0.3 ^ here's; -0.23 ^ hey; -0.23 ^ hi; -0.09 ^ his; -0.27 ^ hiya; -0.38 ^ how; -0.23 ^ i;
    -0.18 ^ i'd; -0.18 ^ i'll; -0.18 ^ i'm; -0.05 ^ i've; -1.4 ^ if; -0.15 ^ in; -0.13 ^ is; -0.09 ^ it's; -0.18 ^
    its; 0.15 ^ just; 0.21 ^ k; -0.34 ^ kids; 0.43 ^ landlord; -0.3 ^ last; 0.28 ^ late; -0.25 ^ left; 0.29 ^ like;
    0.39 ^ line; 0.23 ^ lol; 0.58 ^ looked; 0.19 ^ lost; -0.53 ^ love; -0.21 ^ lovely; 0.58 ^ make; 0.34 ^ man;
    -0.42 ^ mate; -0.25 ^ me; -0.57 ^ money; -0.28 ^ more; -0.4 ^ mornin; -0.22 ^ morning; -0.29 ^ mother; 0.26 ^
    moved; 0.43 ^ mrs; -0.23 ^ mum; -0.18 ^ my; 0.27 ^ n; -0.28 ^ nah; 0.24 ^ need; -0.35 ^ neighbour; -0.21 ^
    never; 0.14 ^ new; -0.33 ^ next; -0.44 ^ night; 0.25 ^ no; 0.49 ^ not; -0.28 ^ nothing; 0.03 ^ now; -0.12 ^ of;
    0.77 ^ off; 0.56 ^ office; 0.27 ^ oh; -0.16 ^ ok; -0.36 ^ okay; -0.32 ^ old; -0.2 ^ one; -0.34 ^ order; -0.95 ^
    other; -0.13 ^ our; 0.39 ^ out; -0.66 ^ own; -0.17 ^ pay; -0.39 ^ pays; 0.18 ^ people; -0.01 ^ please; 0.08 ^
    put; 0.43 ^ read; -0.52 ^ remains; -0.57 ^ remember; -0.33 ^ remind; -0.44 ^ remove; 0.38 ^ roof; -0.31 ^ room;
    -0.22 ^ said; -1.26 ^ same; 0.41 ^ saw; 0.3 ^ say; -0.31 ^ says; -0.28 ^ school; -0.19 ^ see; 0.37 ^ seen; -0.17
    ^ shall; -0.4 ^ should; 0.35 ^ shut; 0.49 ^ silver; -0.41 ^ sis; -0.28 ^ sister; 0.15 ^ six; -0.27 ^ sleep;
    -0.33 ^ slot; -0.27 ^ so; 0.49 ^ sold; -0.45 ^ someone; -0.48 ^ stay; -0.7 ^ stays; -1.39 ^ still; -0.43 ^
    strike; -0.28 ^ ta; -0.24 ^ take; -0.37 ^ than; -0.25 ^ thank; -0.25 ^ thanks; 0.1 ^ that; -0.26 ^ that's; -0.11
    ^ the; 0.19 ^ them; -0.02 ^ then; 0.08 ^ they; 0.53 ^ they've; -0.19 ^ this; 0.24 ^ those; 0.3 ^ three; -0.31 ^
    time; 0.04 ^ to; -0.4 ^ tonight; 0.35 ^ too; 0.12 ^ turned; -0.26 ^ twenty; 0.12 ^ two; 0.3 ^ up; -0.35 ^
    upstairs; 0.17 ^ us; 0.3 ^ voice; 0.47 ^ w; 0.64 ^ wait; 0.25 ^ want; 0.2 ^ wants; -0.18 ^ was; -0.58 ^ we;
    -0.34 ^ were; -0.54 ^ what; -0.29 ^ what's; -0.33 ^ when; -0.32 ^ where; 0.34 ^ which; 0.51 ^ whole; -0.36 ^
    why; 0.35 ^ wife; -0.47 ^ will; 0.22 ^ with; -0.28 ^ work; -0.51 ^ would; 0.26 ^ wrong; 0.48 ^ yes; -0.29 ^ yo;
    -0.1 ^ you; -0.3 ^ you've; 0.13 ^ your; 0.13 a; 0.28 a @; -0.48 a bit; 0.31 a cat; 0.34 a day; 0.68 a half; 0.45
    a lesson; 0.34 a month; -0.71 a new; 0.61 a no; 0.4 a quarter; 0.45 a single; 0.37 a third; 0.19 a week; 0.59 a
    woman; 0.51 a … !; 0.41 a … :; -0.17 a … ?; 0.08 a … @; -0.34 a … for; 0.26 a … i; 0.39 a … more; -0.14 a … of;
    -0.14 a … on; 0.55 a … then; -0.08 a … with; 0.55 ab; -0.65 about; -0.54 about #; -0.49 about $; -0.43 about @;
    0.41 about it; 0.37 account; 0.79 actually; 0.62 afraid; 0.2 after; 0.44 after ,; -0.2 afternoon; 0.18 again;
    -0.5 again $; -0.38 again ,; 0.33 again @; 0.22 agreed; -0.29 alarm; 0.28 all; -0.42 all @; 0.3 all of; -0.49
    all … ,; 0.4 all … @; -0.44 allergic; -0.3 allergic to; 0.51 allows; 0.38 almost; 0.35 alone; -0.18 also; 0.21
    also ,; 0.29 also i; -0.69 also … ,; -0.62 always; -0.43 always $; 0.19 am; -0.34 am … ,; -0.44 an $; -0.25 an
    hour; -0.29 an … ,; -0.05 and; 0.2 and #; 0.38 and <day>; -0.19 and @; 0.1 and he; -0.3 and her; 0.41 and i'm;
    0.6 and it's; -0.27 and me; -0.71 and my; 0.52 and not; -0.61 and now; 0.07 and she; 0.34 and that; -0.09 and
    the; -0.65 and then; 0.58 and there; -0.14 and we; -0.47 and you; 0.06 and … ,; 0.08 and … @; 0.36 and … are;
    0.24 and … at; 0.34 and … had; 0.55 and … half; -0.34 and … has; 0.68 and … have; 0.35 and … is; -0.12 and … it;
    0.29 and … my; 0.38 and … not; 0.25 and … on; -0.41 and … still; -0.3 and … to; 0.53 and … with; 0.36 and … you;
    -0.38 another $; -0.25 anyway; -0.23 app; -0.02 are; -0.37 are #; -0.22 are @; 0.41 are … on; -0.24 are … the;
    -0.28 are … to; -0.24 around; 0.44 as; -0.75 as $; 1.26 as of; -0.46 as said; 0.56 as the; -0.16 as well; -0.52
    as … ,; 0.18 asked for; -0.35 asked me; 0.3 asks; -0.04 assistant:; -0.69 assistant: #; 0.34 assistant: <day>;
    -0.34 assistant: <time>; -0.8 assistant: a; 0.32 assistant: and; 0.45 assistant: for; -0.28 assistant: i; 0.35
    assistant: i'll; 0.33 assistant: shall; 0.17 assistant: the; 1.1 assistant: then; 0.45 assistant: yes; 0.05 at;
    -0.2 at #; 0.09 at $; 0.09 at <time>; -0.21 at five; 0.42 at it; -0.21 at noon; -0.28 at six; -0.06 at the;
    -0.07 at … ,; 0.5 at … ?; 0.07 at … @; -0.22 at … and; -0.31 at … in; -0.22 at … with; 0.43 ate; 0.55 au; 0.36
    aunt; -0.5 away $; -0.47 aye; -0.31 aye $; -0.17 b; 0.5 baby; -0.06 back; -0.14 back $; 0.29 back on; -0.37 back
    to; -0.27 back … #; 0.3 back … the; -0.12 bad; 0.31 bank; -0.41 batch; -0.25 bath; 0.34 battery; 0.16 be; -0.2
    be #; 0.43 be ,; 0.29 be a; 0.53 be at; -0.26 be in; -0.15 be … ,; -0.34 be … by; -0.25 be … for; -0.29 be … if;
    -0.28 be … to; -0.41 beans; -0.65 bear; 0.6 became; 0.19 because; -0.37 because i; 0.68 become; 0.5 becomes;
    -0.16 bed; -0.36 bed $; 0.3 beds; 0.06 been; -0.51 been $; 0.29 been … ,; 0.68 been … by; -0.53 been … since;
    0.34 been … to; -0.23 before; -0.07 before !; -0.3 before #; -0.26 before $; -0.27 before ,; -0.3 before :; 0.08
    before <day>; -0.74 before <month>; -0.98 before <price>; -0.9 before <time>; -1.02 before ?; -0.34 before @;
    -0.42 before a; -0.42 before about; -0.34 before add; -0.23 before after; -0.16 before again; -0.34 before
    alarm; -0.18 before all; -0.39 before also; 0.21 before am; -0.26 before an; -0.89 before and; 0.41 before
    another; -0.17 before any; 0.36 before anything; -0.34 before are; 0.34 before as; -0.11 before ask; -0.39
    before at; 0.41 before baby; -0.19 before back; 0.25 before bad; -0.2 before be; -0.39 before been; -0.54 before
    before; -0.39 before behind; -0.27 before best; 0.14 before better; 0.35 before bigger; -0.53 before book; -0.08
    before both; -0.23 before box; 0.34 before brave; 0.24 before bravo; -0.43 before bridge; -0.09 before bring;
    -0.43 before but; -0.57 before by; 0.43 before calm; 0.29 before came; -0.15 before can; 0.57 before cant; -0.23
    before car; -0.32 before card; -0.29 before care; 0.43 before change; 0.46 before changed; 0.28 before changes;
    -0.26 before child; 0.28 before choice; -0.42 before code; -0.18 before come; 0.41 before coming; 0.7 before
    congratulations; -0.3 before costs; -0.43 before could; 0.2 before course; 0.5 before cousin; -0.49 before day;
    0.07 before days; -0.24 before de; -0.39 before deleted; -0.42 before did; 0.31 before die; -0.07 before do;
    -0.16 before does; -0.15 before dog; -0.09 before dollars; -0.36 before don't; -0.34 before done; -0.24 before
    door; -0.34 before down; -0.19 before due; -0.41 before each; -0.46 before ear; -0.31 before eat; 0.5 before
    eight; 0.28 before else; -0.25 before empty; -0.22 before end; -0.73 before enough; -0.15 before even; -0.4
    before evening; -0.35 before every; -0.27 before everything; -0.31 before eye; 0.31 before eyes; -0.34 before
    face; 0.49 before fair; -0.45 before family; 0.24 before feet; -0.29 before file; -0.26 before finally; 0.11
    before fine; -0.26 before fire; -0.56 before first; 0.39 before fits; 0.2 before five; -0.34 before food; -0.41
    before for; -0.39 before forget; 0.46 before form; -0.21 before forty; 0.37 before forward; -0.36 before four;
    -0.11 before free; -0.32 before from; -0.29 before front; 0.4 before garden; -0.4 before gate; -0.13 before get;
    0.25 before girl; -0.23 before give; 0.17 before glad; 0.27 before go; -0.24 before going; -0.19 before gone;
    0.23 before good; -0.39 before got; 0.28 before grand; 0.12 before great; -0.34 before green; 0.39 before
    guests; 0.18 before ha; -0.46 before had; -0.32 before half; -0.31 before hands; 0.12 before happy; -0.31 before
    hard; -0.39 before has; -0.46 before hat; -0.3 before head; 0.38 before hear; -0.35 before hello; -0.22 before
    help; -0.11 before her; -0.13 before here; -0.29 before hers; -0.4 before hi; 0.41 before hm; -0.36 before hold;
    -0.14 before home; 0.39 before hope; 0.46 before horse; -0.31 before hot; 0.27 before hour; -0.33 before house;
    -0.28 before how; -0.25 before i; -0.38 before i'd; -0.08 before i'll; -0.52 before i'm; -0.6 before i've; -0.37
    before if; -0.33 before im; -0.52 before in; 0.48 before inch; -0.46 before included; 0.2 before instead; -0.26
    before insurance; -0.3 before isn't; -0.06 before it; 0.27 before it's; 0.28 before its; -0.24 before job; -0.36
    before just; -0.2 before keep; -0.78 before kids; -0.36 before km; -0.3 before la; 0.53 before landlord; -0.16
    before last; 0.28 before late; 0.36 before later; 0.2 before leave; -0.31 before left; 0.6 before less; -0.36
    before let; -0.52 before lift; -0.12 before like; -0.22 before line; -0.19 before list; -0.22 before lol; -0.29
    before long; 0.29 before lot; -0.45 before love; -0.37 before lower; 0.47 before luck; -0.38 before made; -0.36
    before mail; -0.32 before makes; -0.54 before many; -0.53 before may; -0.36 before maybe; -0.38 before me; 0.36
    before meant; -0.31 before meet; -0.59 before might; -0.3 before mine; -0.14 before month; 0.43 before more;
    -0.82 before morning; -0.2 before most; -0.19 before move; 0.63 before moved; -0.46 before much; -0.44 before
    my; 0.35 before n; -0.24 before needs; -0.17 before new; 0.32 before news; 0.35 before nice; -0.26 before night;
    -0.23 before nights; 0.15 before no; -0.72 before nobody; -0.36 before noise; -0.26 before noon; 0.44 before
    not; -0.3 before notes; 0.99 before nothing; 0.39 before now; -0.33 before number; 0.49 before o'clock; -0.4
    before of; -0.33 before off; -0.32 before offer; -0.49 before often; -0.23 before oh; 0.46 before ok; -0.69
    before old; -0.46 before on; -0.51 before once; -0.27 before ones; -0.47 before only; 0.37 before open; -0.62
    before or; -0.31 before ordered; -0.46 before other; -0.25 before our; -0.87 before out; -0.22 before over;
    -0.38 before own; -0.34 before page; -0.17 before paid; -0.32 before part; 0.26 before pay; -0.26 before pays;
    -0.41 before people; -0.37 before per; -0.34 before photos; -0.46 before pick; 0.36 before plan; -0.26 before
    play; -0.41 before please; 0.51 before poor; -0.65 before pounds; 0.31 before price; 0.72 before problem; -0.34
    before radio; -0.29 before read; 0.47 before remains; -0.56 before removed; 0.21 before right; 0.33 before ring;
    -0.51 before round; -0.23 before run; 0.21 before same; 0.37 before saw; -0.32 before seat; -0.22 before seats;
    -0.3 before sell; -0.2 before sent; 0.45 before seven; -0.35 before shall; 0.05 before she; -0.13 before she's;
    -0.22 before shoes; 0.18 before shop; -0.41 before should; -0.32 before sign; -0.21 before six; -0.12 before
    sleep; -0.31 before slow; -0.2 before small; -0.47 before some; -0.6 before something; 0.34 before sorry; -0.6
    before sounds; -0.32 before soup; -0.29 before spare; -0.3 before starting; 0.46 before stay; 0.36 before stays;
    0.67 before still; 0.31 before suit; -0.33 before table; 0.18 before take; -0.28 before takes; -0.26 before
    talk; -0.4 before tea; -0.31 before teacher; -0.34 before telling; -0.23 before ten; -0.34 before test; -0.51
    before than; 0.46 before thank; 0.32 before thanks; 0.06 before that; -0.21 before that's; -0.14 before the;
    -0.2 before their; -0.35 before them; 0.21 before then; -0.47 before there's; 0.14 before they; 0.18 before
    think; -0.21 before third; -0.45 before thirty; -0.47 before this; 0.34 before thousand; -0.35 before three;
    -0.31 before to; 0.27 before told; -0.15 before too; -0.29 before took; 0.34 before train; -0.41 before truck;
    -0.32 before try; 0.17 before twenty; -0.43 before twice; -0.23 before under; -0.87 before understood; -0.22
    before until; -0.08 before up; 0.16 before us; -0.31 before usually; -0.31 before van; -0.24 before very; -0.74
    before walk; -0.36 before want; 0.13 before wants; -0.25 before warm; -0.34 before was; -0.26 before we; 0.16
    before we'll; 0.31 before we're; -0.29 before wear; -0.16 before week; 0.21 before weeks; 0.51 before welcome;
    0.09 before well; -0.25 before went; -0.16 before were; 0.1 before what; -0.57 before when; -0.37 before which;
    -0.44 before white; -0.77 before who; -0.71 before whole; -0.31 before wife's; -0.22 before will; -0.53 before
    window; 0.27 before wish; -0.43 before with; -0.48 before within; 0.33 before wonderful; -0.36 before word; 0.26
    before work; -0.54 before would; 0.24 before wrong; -0.68 before year; -0.56 before years; 0.17 before yes; 0.39
    before yet; -0.54 before you; -0.33 before you'd; -0.23 before you'll; -0.36 before you're; -0.48 before your;
    0.42 begin; 0.45 behind $; 0.39 being; 0.32 believe $; 0.28 best; 0.44 better; 0.24 better $; -0.6 between; 0.23
    between #; -0.53 between us; 0.13 big; 0.3 bigger; -0.47 birds; -0.28 bit; 0.36 bit $; -0.33 block; -0.4 bloke;
    0.06 blue; 0.09 blue $; -0.46 boiler; -0.28 book $; -0.44 booking; -0.35 boot; -0.42 boots; -0.33 boss; -0.26
    boss $; -0.23 both; -0.19 both $; 0.36 both of; 0.3 bother; -0.22 bottle; 0.21 bought; -0.35 bout; 0.12 box;
    -0.11 boy; -0.17 bring; -0.19 bring $; 0.14 brings; 0.31 broke; -0.28 brother; -0.18 brother's; -0.4 btw $; 0.55
    btw ,; -0.38 budget; -0.4 bus; -0.91 business; -0.41 but; -0.36 but $; -0.57 but that's; 0.42 but the; 0.48 but
    … ,; -0.29 but … a; -0.3 buy; 0.28 by; -0.28 by #; -0.7 by $; -0.42 by <day>; -0.07 by @; 0.62 by a; 0.12 by
    the; -0.15 by … #; -0.19 by … ,; -0.37 by … <month>; -0.35 by … @; 0.71 by … way; 0.25 cake; -0.59 called @;
    0.19 calls; 0.47 calm; 0.43 came; 0.37 came back; 0.46 came to; 0.47 came … #; -0.36 camp; 0.24 can; 0.22 can $;
    0.38 can do; -0.28 can see; -0.32 can … it; -0.28 can … the; 0.26 can … you; -0.39 cancel; -0.19 car; 0.27 car
    $; -0.29 case; -0.29 cash; -0.33 chair; 0.34 chair $; -0.48 change $; 0.42 changed; -0.25 chapter; -0.41 charge;
    0.48 cheaper; -0.38 checked; -0.3 children; -0.23 class; 0.18 clear; -0.28 client; -0.31 close; 0.2 club; -0.45
    code; 0.38 cold; -0.42 colleague; 0.08 come; -0.32 come ,; 0.26 come on; 0.17 comes $; 0.15 coming; 0.49
    committee; 0.4 con; -0.27 concert; -0.37 copies; 0.35 cos of; -0.17 costs; -0.2 costs #; 0.06 could; 0.28
    council; 0.35 count; 0.48 counting; -0.35 courier; 0.55 cousins; -0.36 crane; 0.53 crash; -0.37 crew; 0.49
    cried; -0.32 cut; -0.31 dad; -0.23 dad's; -0.39 daily; -0.13 day; -0.43 day #; 0.13 days ,; 0.46 dead ,; -0.3
    deaf; 0.13 dear; 0.1 dear @; -0.38 degrees; -0.93 delete; -0.39 delete the; -0.29 dentist; -0.4 deposit; 0.18
    desk; -0.48 desk #; -0.51 dev; 0.14 did; -0.28 did $; 0.45 did it; 0.51 did the; 0.5 did … ,; -0.57 didn't; 0.33
    die; 0.65 died; -0.25 different; -0.63 different $; -0.35 digits; -0.35 dinner; 0.61 discovered; 0.39 do; 0.38
    do ,; 0.31 do <day>; 0.35 do it; -0.4 do not; 0.32 do the; 0.28 doctor; 0.04 does; -0.42 does #; 0.47 does $;
    0.46 does it; -0.54 doesn't; -0.6 doesnt; -0.38 doesnt $; -0.35 dog $; -0.37 dogs; 0.1 doing; 0.42 doing $; 0.46
    doing the; 0.49 don; -0.52 don't; 0.2 don't $; -0.23 don't let; 0.24 done; -0.55 dont; -0.22 dont $; 0.54
    double; -0.32 down $; -0.39 down the; 0.91 down to; -0.23 dr; -0.24 drinks; -0.5 drive; 0.44 driving; -0.39
    drop; -0.2 drops; -0.25 due; -0.6 each; 0.19 each $; -0.23 each … ,; -0.38 ear; -0.52 early ,; -0.37 easy; 0.19
    eats; -0.42 eggs; 0.42 eight $; 0.24 eighty; 0.51 electric; -0.28 eleven; 0.26 em; -0.36 empty; 0.27 en; 0.28
    end; -0.57 ends; 0.17 enough; 0.55 euros $; 0.26 euros a; 0.27 evening; -0.24 evening … @; -0.57 ever; -0.42
    ever $; -0.18 every; 0.27 every … ,; 0.49 everybody; 0.36 everything; 0.46 example; 0.4 face; 0.18 fair; -0.32
    fall; 0.43 family ,; -0.19 far; -0.28 father; -0.41 feel; 0.44 feet; 0.35 fell; 0.3 field; 0.38 fifteen; 0.47
    fifty; 0.33 fifty ,; 0.5 finance; 0.64 find; -0.53 find $; -0.18 fine $; 0.46 finger; -0.13 first; 0.38 first $;
    -0.43 first … ,; -0.38 fish $; 0.63 fit; 0.48 fits; 0.09 five; 0.24 five $; -0.19 five ,; 0.41 five days; -0.34
    five … ,; -0.48 flat; -0.4 flatmate; 0.43 flooded; -0.42 floor; 0.43 flu; 0.22 foot; 0.23 football; -0.12 for;
    -0.83 for #; 0.37 for $; -0.25 for <day>; -0.62 for @; 0.08 for a; 0.33 for each; 0.89 for good; 0.13 for me;
    -0.13 for my; -0.76 for now; 0.21 for that; 0.18 for two; 0.3 for us; -0.36 for you; 0.08 for … ,; -0.18 for …
    :; -0.26 for … @; -0.29 for … and; 0.32 for … from; -0.42 for … is; -0.44 for … on; -0.31 for … week; -1.58
    forget; -0.39 forget the; -0.15 forget to; -0.67 forgets; -0.55 forgetting; -0.81 forgot; -0.2 forgot to; -0.29
    forgotten; -0.3 forty; 0.42 forward; 0.92 found; 0.46 found the; -0.18 four; 0.29 four $; -0.6 four … @; 0.27
    frame; 0.45 free; -0.22 free $; -0.19 friend; -0.5 friend @; -0.19 friends; 0.19 from; 0.38 from $; 0.21 from
    <day>; 0.59 from <month>; -0.25 from <time>; -0.69 from @; 1.02 from here; -0.37 from me; -0.19 from my; 0.38
    from next; 0.62 from now; -0.27 from the; 1.04 from this; 0.9 from today; -0.8 from … #; 0.16 from … ,; -0.21
    from … <month>; -0.08 from … @; 0.52 from … on; -0.68 from … to; 0.57 from … week; -0.22 front; 0.78 full; -0.46
    full $; 0.55 further; -0.38 g; -0.59 gate; -0.25 gate $; 0.35 gave; -0.38 get; -0.28 get #; 0.42 get a; -0.23
    gets; -0.67 gets #; -0.05 girl; -0.16 girl … @; 0.49 give; 0.34 give me; 0.56 given; 0.34 gives; 0.28 glasses;
    0.08 go; 0.47 go for; 0.27 go to; 0.46 go up; -0.37 go … #; 0.37 go … ,; 0.2 go … the; 0.15 goes; 0.25 going;
    -0.23 going $; -0.25 going to; 0.23 gold; 0.79 gone; -0.35 gone $; -0.06 good; -0.52 good $; 0.15 good evening;
    0.34 good … !; -0.19 good … ,; 0.31 good … @; -0.7 got #; -0.21 got $; -0.37 got one; 0.36 got … ,; 0.32 gran's;
    -0.35 grand; -0.31 grand $; 0.39 grandson; -0.19 great; -0.25 grey; 0.46 grown; 0.38 guess; -0.29 guest; -0.21
    h; -0.08 had; -0.64 had #; 0.55 had a; 0.37 had the; -0.49 had … in; 0.14 half; -0.23 half $; 0.18 half past;
    -0.38 half the; -0.5 half … @; 0.42 half … hour; 0.49 handed; 0.37 hang; -0.36 hard; 0.07 has; -1.25 has #; 0.16
    has $; -0.61 has a; 0.54 has been; 0.39 has gone; 0.48 has her; 0.55 has taken; 0.15 has the; -0.45 has … #;
    -0.23 has … ,; 0.36 has … a; 0.41 has … me; 0.18 has … the; 0.48 has … to; 0.53 has … up; -0.55 hasn't; 0.57
    hat; 0.32 have; -0.76 have #; -0.37 have $; -0.51 have a; 0.25 have been; 0.24 have the; 0.24 have … ,; 0.46
    have … for; 0.19 have … to; 0.21 having; 0.12 he; -0.22 he $; -0.23 he has; 0.17 he is; 0.48 he likes; 0.23 he
    was; 0.3 he … a; 0.22 he … in; 0.17 he … the; -0.34 he'll; 0.22 he's … the; -0.13 hear; 0.41 heat; -0.37 heavy;
    0.31 held; -0.03 hello; -0.48 hello ,; 0.44 hello again; -0.32 hello … ,; 0.26 hello … @; -0.37 help; 0.39
    hence; 0.18 her; 0.08 her $; -0.27 her … ,; -0.5 her … is; -0.32 her … the; -0.15 here; 0.25 here $; 0.42 here
    on; -0.27 here's; -0.62 hers; -0.38 hi; 0.22 hi !; -0.35 hi ,; -0.35 high; 0.28 him; -0.15 him ,; 0.27 hip; 0.1
    his; -0.17 his $; 0.3 his … @; -0.27 hiya; -0.17 home $; 0.46 home … @; -0.31 honey; 0.23 hospital; -0.63 hotel;
    0.25 hour; -0.24 hour ,; 0.25 hours $; -0.35 house; -0.56 how; -0.37 hull; 0.35 hundred; 0.26 hundred and; -0.23
    husband; -0.28 husband's; -0.5 hush; 0.19 i; 0.07 i $; 0.1 i am; -0.52 i can; 0.49 i don't; 0.67 i find; -0.08 i
    forget; -0.21 i forgot; -0.39 i gave; -0.1 i got; 0.21 i have; 0.47 i look; 0.53 i looked; 0.39 i must; -0.24 i
    never; 0.39 i read; -0.33 i say; 0.29 i take; -0.47 i told; -0.55 i want; -0.13 i was; -0.21 i will; -0.28 i
    work; 0.11 i … #; 0.39 i … ,; -0.2 i … @; -0.46 i … a; 0.11 i … at; -0.33 i … do; -0.25 i … forget; 0.64 i … go;
    0.21 i … have; -0.31 i … her; -0.51 i … like; -0.34 i … my; 0.22 i … not; 0.27 i … on; -0.18 i … the; -0.74 i …
    to; -0.28 i … two; 0.57 i … until; 0.32 i … with; -0.39 i'd; -0.36 i'd like; -0.49 i'd … to; -0.23 i'll; 0.28
    i'll have; -0.22 i'll … you; 0.13 i'm; 0.48 i'm afraid; -0.08 i'm not; 0.46 i'm … @; -0.3 i'm … for; 0.15 i've;
    -0.44 i've a; -0.25 i've got; 0.33 i've … the; -0.29 idea; -0.4 if; 0.48 if $; -0.3 if @; -0.23 if he; -0.46 if
    it; -0.24 if the; -0.23 if they; 0.88 if you; 0.2 ill; 0.28 im $; 0.39 im … #; 0.43 imagine; 0.12 in; -0.5 in #;
    0.2 in ,; -0.68 in <month>; -0.09 in @; 0.46 in all; -0.24 in her; 0.43 in its; 0.31 in my; 0.21 in that; 0.11
    in the; 0.47 in there; -0.19 in … #; -0.09 in … ,; -0.16 in … @; 0.56 in … end; 0.26 in … for; -0.33 in … is;
    0.42 in … of; 0.55 insists; 0.63 instead; 0.26 instead $; 0.52 instead of; -0.12 into; -0.23 iron; -0.45 is #;
    0.14 is $; 0.21 is ,; -0.23 is <day>; -0.35 is <price>; -0.72 is @; 0.09 is a; -0.21 is at; 0.4 is being; 0.51
    is free; 0.33 is in; -0.42 is it; -0.18 is my; -0.38 is not; 0.07 is on; 0.29 is out; -0.44 is still; -0.25 is
    that; -0.22 is the; -0.29 is there; 0.77 is too; 0.51 is what; -0.1 is … #; 0.6 is … :; 0.5 is … <day>; -0.16 is
    … @; -0.56 is … a; -0.33 is … and; -0.34 is … at; 0.14 is … for; -0.45 is … from; 0.39 is … i; 0.48 is … in;
    -0.56 is … on; -0.2 is … pounds; -0.12 is … the; 0.42 is … up; -0.41 is … with; -0.19 isn't; 0.38 isn't … ,;
    -0.49 issue; 0.08 it; 0.33 it #; -0.34 it $; -0.27 it ?; 0.17 it @; 0.29 it all; -0.33 it back; -0.54 it be;
    -0.31 it for; -0.63 it from; 0.87 it is; 0.23 it on; -0.49 it out; -0.39 it so; -0.41 it to; 0.37 it too; -0.47
    it up; -0.12 it was; 0.48 it will; -0.35 it … !; 0.19 it … #; 0.24 it … <day>; 0.18 it … @; 0.12 it … a; 0.24 it
    … and; 0.23 it … be; 0.52 it … by; 0.2 it … in; -0.25 it … me; -0.34 it … not; -0.35 it … of; 0.23 it … on;
    -0.35 it … so; 0.4 it'll; 0.35 it'll be; 0.42 it's; 0.68 it's #; -0.36 it's $; 0.24 it's @; 0.2 it's a; -0.43
    it's been; 0.37 it's my; -0.52 it's not; 0.38 it's … #; -0.8 it's … ,; 0.28 it's … @; -0.43 it's … from; 0.38
    it's … i; 0.3 its; 0.47 its a; 0.34 its … ,; 0.39 itself; -0.4 jam; 0.36 job $; 0.42 joy; -0.33 just; 0.2 just
    the; -0.58 keep; -0.61 keeps; -0.17 key; -0.53 kg; -0.37 kids; -0.22 kilo; -0.21 km; 0.22 knee; 0.21 knees;
    -0.58 know; -0.2 know $; -0.53 known; -0.13 knows; -0.3 knows $; 0.33 lady; 0.39 landlord; -0.54 last; 0.28 last
    $; -0.15 last week; -0.37 last year; 0.11 late; 0.53 late $; 0.47 later; 0.55 later ,; 0.5 law; 0.35 le; -0.56
    lead; 0.19 leave; -0.31 leave $; 0.33 leave the; -0.74 left; -0.21 lemon; 0.13 length 0; 0.68 length 1; 0.66
    length 2; 0.37 length 3; -0.47 length 5; -1.26 length 6; 0.3 less; 0.38 lesson; 0.31 lessons; -0.21 let; -0.38
    let it; -0.33 let's; 0.42 letter; -0.39 letters; -0.24 level; 0.41 library; 0.37 licence; 0.46 lie; -0.16 lift;
    0.19 light; -0.24 lights; 0.15 like; -0.22 like a; 0.3 like it; -0.4 likes; 0.49 lilies; -0.28 limit; -0.29 line
    $; -0.33 list; -0.38 list $; -0.38 list ,; 0.43 listened; 0.25 little; 0.24 little $; 0.21 live; -0.55 loan;
    -0.2 log; -0.36 login; -0.22 lol; -0.46 lol $; -0.25 long $; 1.01 longer; 0.09 look; -0.3 look $; 0.39 look at;
    1.01 looked; 0.46 looked … the; 0.2 looks; -0.54 loose; -0.67 lose; -0.27 lost $; -0.21 love; -0.16 lunch; -0.36
    m; -0.23 machine; 0.39 mad; 0.59 make; 0.21 make it; 0.42 makes; 0.21 makes $; 0.37 makes it; -0.4 makes me;
    -0.3 making; 0.25 man; 0.35 manager; 0.43 manual; -0.38 march; -0.41 mate; -0.47 maths; -0.41 matter; -0.3 may
    $; -0.36 maybe; 0.29 me; -0.22 me #; 0.08 me $; -0.11 me ,; -0.24 me a; -0.15 me and; 0.17 me at; 0.32 me from;
    0.18 me in; 0.18 me … #; 0.24 me … @; 0.33 me … and; 0.43 me … i; 0.39 means; -0.54 medical; -0.29 meeting;
    -0.41 meter; -0.3 metres; -0.35 mind; -0.3 mine; -0.41 mine ,; 0.37 mint; -0.09 minutes; -0.27 mix; -0.35 mm;
    -0.13 money; -0.16 month; 0.39 month $; -0.3 month ,; 0.78 more; 0.44 more ,; 0.53 more like; -0.37 more than;
    0.35 more … ,; -0.36 mornin; 0.3 morning; -0.19 morning ,; -0.34 morning … @; 0.19 mornings; 0.32 most $; -0.25
    mostly; 0.16 mother; 0.58 mother $; 0.28 moved; -0.26 moved $; 0.22 moved to; 0.21 mr; 0.32 mr @; 0.18 mrs; 0.14
    mrs @; -0.36 much; 0.28 mum $; -0.37 mustn't; -0.05 my; 0.08 my $; -0.38 my @; 0.44 my card; 0.29 my dad; -0.29
    my friend; 0.23 my own; 0.37 my wife; 0.06 my … ,; -0.36 my … @; 0.43 my … has; 0.27 my … i; 0.18 my … is; 0.3
    my … name; -0.4 my … says; 0.3 my … to; 0.23 myself; 0.24 myself $; -0.29 n $; -0.39 nah; 0.09 name; -0.42 name
    @; -0.7 named; 0.46 navy; 0.26 near; -0.29 need; -0.42 need a; 0.47 needed; 0.08 needs; -0.5 neighbour; -0.42
    neighbour's; -0.47 neither; 0.32 nephew; -0.92 never; -0.26 never … ,; 0.29 new; 0.48 new job; 0.28 new … ,;
    -0.4 next; 0.32 next … ,; 0.27 niece; -0.22 night; -0.08 night $; -0.4 night ,; 0.15 nights; -0.36 nine; 0.51
    nine $; -0.34 nine … ,; -0.7 no; -0.27 no $; 0.86 no ,; 0.33 no charge; 0.83 no longer; 0.24 no need; -0.3 no …
    ,; 0.37 no … @; -0.67 no … no; -0.57 no … not; 0.37 no … the; -0.47 nobody; 0.3 noise; -0.42 none; -0.3 noon;
    -0.42 nope; -0.45 not; 1.33 not #; 0.41 not $; 0.46 not <day>; 0.63 not <time>; 1.19 not @; -0.53 not bad; -0.26
    not for; -0.36 not me; -0.15 not to; -0.45 not yet; 0.37 not … ,; 0.4 not … @; -0.41 notes; -0.42 nothing; -0.26
    nothing $; 0.62 now; -0.04 now $; 0.25 now ,; 0.21 now @; -0.33 now i; -0.4 now … and; 0.53 nowadays; -0.37
    nowt; -0.8 number; -0.21 number #; -0.51 number $; -0.24 numbers; 0.25 o; -0.42 obviously; -0.43 of #; 0.16 of
    <month>; -0.21 of @; 0.24 of a; 0.52 of her; 0.2 of me; -0.42 of my; 0.17 of the; 0.41 of those; -0.42 of us;
    -0.23 of you; 0.21 of … #; 0.17 of … ,; -0.32 of … in; -0.34 of … on; -0.24 off; -0.2 off $; 0.39 off ,; -0.34
    off my; -0.29 off the; 0.36 off to; 0.65 off … ,; -0.31 offers; 0.27 office; 0.21 oh; 0.5 oh and; -0.12 ok;
    -0.56 ok $; -0.4 ok so; 0.51 ok … ,; -0.52 okay; -0.17 old; -0.27 old … ,; 0.2 on; -0.26 on #; -0.09 on $; 0.27
    on ,; -0.54 on <day>; -0.3 on <month>; -0.11 on a; 0.48 on it; 0.37 on leave; -0.28 on me; -0.29 on my; 0.1 on
    the; 0.31 on top; -0.58 on … #; -0.59 on … <month>; 0.23 on … and; 0.39 on … in; 0.32 on … is; -0.59 on … left;
    0.33 on … now; 0.39 on … since; -0.37 once; -0.26 once ,; 0.09 one; -0.51 one @; 0.21 one for; -0.35 one in;
    -0.31 one of; -0.41 one on; 0.37 one … #; -0.33 one … ,; -0.59 one … @; -0.39 one … the; 0.24 one's; 0.06 ones;
    -0.2 only $; -0.04 open; 0.42 opened; -0.37 or; 0.35 orange; -0.54 order; -0.29 other; 0.06 other $; 0.34 other
    one; 0.3 others; -0.09 our; -0.2 our @; -0.39 ours; -0.31 ours $; -0.21 out $; 0.44 out ,; -0.41 out on; -0.52
    out to; -0.25 out … the; -0.28 outside; -0.11 over; -0.29 over it; 0.68 over to; 0.26 over … @; -0.51 owes; -0.2
    own; -0.23 own $; -0.42 owner; -0.38 paid; 0.2 painted; 0.27 paper; -0.33 park; -0.39 parking; 0.45 part; -0.42
    password; 0.13 past; 0.3 past … ,; -0.5 pay; -0.24 paying; -0.51 pays; 0.35 peace; 0.1 people; -0.27 per; -0.32
    pick; -0.37 picked; -0.33 pickup; -0.37 piece; -0.4 pink $; 0.46 pipe; -0.43 pitch; 0.47 place; 0.26 place $;
    -0.19 plan; -0.46 planned; 0.23 plate; -0.15 play; -0.12 please; 0.35 please $; 0.27 please ,; 0.34 plenty;
    -0.56 pls; -0.3 pls $; 0.22 point; -0.32 points; -0.34 police; -0.41 poor; -0.87 poor $; -0.45 porch; 0.44
    possible; 0.4 post; -0.34 pounds; 0.3 pounds $; -0.25 pounds a; 0.16 ppl; 0.35 prefer; -0.47 pressure; -0.27
    price $; 0.72 price … #; 0.49 pulled; -0.38 pump; 0.41 pushed; 0.72 put; -0.3 put $; -0.36 put it; 0.23 put me;
    0.23 put … in; 0.5 puts; -0.47 queen; -0.34 quiet; -0.29 radio; -0.68 rain; -0.49 raised; 0.62 rang; 0.45
    rather; 0.46 re; 0.32 read; 0.37 read the; -0.22 ready; 0.3 real; -0.49 reason; -0.4 reckons; -0.14 red; 0.26
    red $; 0.29 remain; -0.75 remains; -0.31 remains $; -0.67 remember; -0.41 remind; -0.33 remind me; -0.77 remove;
    0.3 report; -0.35 results; 0.28 retired; -0.26 right; -0.07 right $; -0.35 right @; 0.14 ring; -0.43 river; 0.45
    roof; -0.41 roof $; 0.22 room; 0.61 room ,; -0.49 room @; -0.29 rota; 0.44 round; -0.24 row; 0.19 run; -0.09
    said; 0.63 said #; -0.36 said ,; -0.32 said it; -0.37 said … @; 0.36 same $; 0.24 same as; 0.69 same price; 0.37
    same time; -0.47 same … ,; -0.42 saw $; 0.19 say; 0.58 say #; -0.24 say $; -0.35 say it; 0.65 says; 0.61 says #;
    0.2 says $; 0.24 says ,; 0.53 says the; -0.29 says … ,; -0.4 says … @; -0.31 scan; -0.5 screen; 0.62 se; -0.32
    sea; 0.3 season; 0.43 seat $; 0.06 second; 0.2 second $; -0.4 secret; 0.34 see; -0.23 see $; 0.51 seems; 0.63
    seen; -0.29 seen $; 0.45 send; 0.37 send $; 0.4 send the; -0.58 sense; 0.33 sent; -0.48 separate; -0.39 server;
    -0.19 service; -0.29 seven; 0.28 seven $; 0.4 seven ,; 0.3 shall; 0.22 shall $; 0.12 shall be; 0.12 she; -0.24
    she $; -0.18 she is; 0.41 she says; -0.35 she … ,; 0.23 she … a; 0.6 she … the; -0.16 she'd; 0.35 she's; -0.37
    she's $; -0.28 sheet; 0.39 sheets; 0.54 shifted; -0.42 shoes; -0.19 shop; -0.18 short; -0.63 should; -0.29
    should be; -0.59 shouldn't; -0.29 show; 0.6 showed; 0.3 shows; 0.12 shut; 0.34 sick; -0.34 sign; 0.26 since;
    -0.58 since #; 0.26 since <day>; 0.29 since <month>; 0.36 since @; 0.47 since the; 0.57 since … @; 0.37 single;
    -0.33 sink; -0.54 sis; -0.27 sister; 0.41 sit; 0.23 six $; 0.33 six weeks; -0.45 six … @; 0.38 sixteen; 0.38
    sixteen $; -0.5 sixty; 0.32 sleep; 0.2 sleep $; -0.46 sleeping; -0.28 slept; -0.37 slow; 0.42 smells; -0.29
    smoke; 1.02 so; 0.75 so #; -0.29 so $; -0.23 so ,; 0.35 so @; -0.58 so far; 0.16 so i; 0.44 so it's; -0.42 so
    no; 0.31 so that's; 0.24 so the; 0.31 so … #; 0.29 so … @; 0.32 so … are; -0.3 so … i; 0.32 so … in; -0.18 so …
    that; 0.24 so … the; 0.17 sold; 0.28 sold the; 0.43 sold … @; -0.31 some; -0.4 someone; -0.2 something; -0.27
    son; -0.28 son @; 0.45 sorry; 0.73 sorry $; 0.52 sorry ,; -0.49 sort; 0.26 sound; 0.2 speak; -0.35 split; 0.31
    spot; 0.32 stage; 0.22 stands; -0.04 start; -0.34 starts; -0.56 stay; -0.36 stayed; -0.41 stays; -0.38 stays $;
    -0.37 stays … the; 0.49 steps; 0.48 sticker; -1.08 still; -0.39 still #; -0.12 still $; -0.39 still the; 0.33
    still … ,; 0.58 stolen; 0.37 stood; -0.38 stopped; -0.26 story; -0.37 straight; 0.25 studio; -0.11 stuff; 0.38
    suit; 0.21 suits; 0.27 suits $; 0.73 sum; 0.69 summer; 0.3 summer $; 0.39 swap; 0.63 swapped; 0.36 sweet; -0.43
    ta; -0.27 ta $; -0.08 take; 0.69 take #; -0.13 take the; 0.49 taken; -0.45 takes #; 0.35 takes $; 0.4 talk …
    the; -0.42 tank; 0.54 tape; -0.3 tea; -0.25 teacher; 0.48 teal; -0.32 team; -0.36 tell me; -0.25 telling; 0.22
    ten $; 0.41 ten … ,; 0.44 tested; 0.37 than i; -0.14 thank; -0.28 thank $; -0.14 thank you; -0.22 thanks; -0.23
    thanks $; -0.2 that; -0.13 that $; 0.46 that @; -0.22 that i; -0.48 that is; -0.37 that was; 0.36 that … #; 0.24
    that … @; 0.5 that … is; -0.21 that's a; -0.32 thats; 0.03 the; 0.25 the #; 0.17 the $; -0.44 the <time>; -0.29
    the @; -0.41 the baby; -0.5 the bed; -0.29 the best; -0.46 the blue; -0.26 the bus; 0.35 the cake; -0.26 the
    cat; 0.46 the church; -0.11 the day; 0.5 the desk; 0.21 the dog; 0.67 the end; -0.19 the first; 0.54 the front;
    0.22 the last; -0.56 the left; 0.3 the library; 0.27 the morning; -0.67 the new; 0.52 the night; -0.35 the
    number; -0.41 the old; 0.35 the one; 0.15 the other; 0.29 the paper; 0.27 the plan; -0.38 the pump; 0.53 the
    rest; 0.39 the right; -0.37 the river; -0.1 the same; -0.45 the small; 0.28 the two; 0.31 the way; -0.19 the
    whole; -0.34 the … #; 0.08 the … ,; -0.2 the … :; 0.17 the … ?; -0.24 the … after; 0.38 the … and; -0.23 the …
    as; -0.2 the … at; -0.32 the … but; -0.24 the … by; 0.22 the … comes; 0.18 the … day; 0.48 the … does; -0.27 the
    … door; -0.2 the … from; 0.35 the … go; 0.23 the … got; 0.31 the … had; 0.18 the … has; 0.25 the … i; 0.3 the …
    in; 0.5 the … is; -0.22 the … list; -0.1 the … now; 0.07 the … of; 0.17 the … off; -0.29 the … on; 0.22 the …
    ones; 0.42 the … people; -0.34 the … place; 0.17 the … room; 0.46 the … the; 0.27 the … thing; 0.37 the … till;
    -0.18 the … time; 0.23 the … to; 0.33 the … two; 0.38 the … was; 0.42 the … week; 0.21 the … went; -0.32 the …
    with; 0.51 the … would; 0.07 their; -0.59 theirs; 0.76 then; 0.31 then $; 0.36 then ,; -0.39 then @; -0.3 then
    the; 0.76 then … and; 0.07 there; 0.09 there $; 0.31 there @; 0.49 there are; 0.29 there is; 0.51 there's; -0.2
    there's a; 0.36 there's no; 0.46 these; 0.21 these $; 1.01 these days; 0.38 these … ,; 0.56 they; 0.2 they $;
    -0.3 they are; -0.35 they have; -0.36 they say; -0.22 they were; 0.23 they're; -0.37 they're $; 0.59 they've;
    0.08 thing; 0.24 thing $; -0.28 think; -0.5 thinks; 0.24 third; 0.47 thirteen; -0.47 thirty; -0.19 thirty $;
    -0.32 thirty ,; -0.35 thirty one; -0.43 this; 0.41 this $; 0.52 this morning; 0.45 this time; 0.26 this year;
    0.25 this … ,; -0.46 this … only; 0.39 tho; 0.3 tho ,; 0.33 those; 0.22 thousand $; -0.2 three ,; 0.31 three
    times; -0.33 three … @; -0.16 through; -0.57 throw; 0.55 thus; -0.27 thx; -0.42 till <month>; -0.26 time $; 0.26
    time ,; 0.21 times; 0.27 to; 0.57 to #; 0.11 to $; 0.7 to <day>; 0.54 to <time>; 0.06 to @; -0.32 to go; -0.4 to
    have; -0.28 to know; -0.21 to me; 0.64 to my; 0.47 to one; -0.36 to say; 0.3 to see; -0.29 to the; 0.4 to three;
    0.43 to … #; 0.36 to … ,; 0.11 to … @; -0.23 to … a; 0.24 to … and; 0.38 to … at; -0.17 to … in; -0.37 to … it;
    -0.28 to … my; -0.3 to … on; -0.35 to … the; -0.5 today; -0.29 told; -0.31 told $; -0.27 tomorrow; -0.36
    tomorrow … #; -0.08 too; -0.23 too $; -0.66 too ,; 0.35 too … @; 0.26 too … for; 0.17 took; -0.18 took the; 0.16
    top; 0.38 traded; 0.55 traffic; 0.15 train; -0.48 treat; -0.45 trip; -0.33 turn; 0.62 turns out; -0.23 twice;
    0.44 twin; 0.13 two $; -0.64 two ,; 0.25 two hours; -0.13 two … ,; -0.32 two … @; 0.17 two … the; 0.35 typed;
    -0.3 u; -0.15 u $; -0.38 unchanged; -0.31 unchanged $; 0.14 under the; -0.33 units; 0.53 until; -0.22 until $;
    0.18 until the; 0.21 until … #; 0.26 up; 0.14 up $; -0.35 up at; 0.18 up on; 0.54 up to; 0.45 up … #; 0.76 upon;
    -0.22 upstairs; 0.47 us; 0.12 us $; 0.26 us to; 0.43 us … the; 0.14 use; -0.39 used; -0.32 used to; 0.04 user:;
    0.25 user: #; 0.1 user: <day>; -0.38 user: <month>; 0.57 user: <time>; 0.58 user: after; -0.38 user: alright;
    0.98 user: also; 1.21 user: and; -0.41 user: between; -0.46 user: can; -0.47 user: could; -0.51 user: delete;
    -0.1 user: do; -0.44 user: don't; 0.29 user: dr; -0.29 user: drop; -0.37 user: evening; 0.16 user: fine; -0.34
    user: flat; -0.41 user: forget; -0.33 user: forgot; 0.5 user: found; 0.29 user: from; -0.21 user: go; -0.19
    user: good; 0.29 user: got; -0.59 user: had; -0.23 user: he's; -0.31 user: hello; -0.57 user: her; -0.3 user:
    here's; -0.18 user: hey; -0.18 user: hi; -0.48 user: his; -0.31 user: hiya; -0.29 user: how; -0.34 user: i;
    -0.24 user: i'll; -1.27 user: if; -0.6 user: in; -0.49 user: is; -0.29 user: it; -0.33 user: it's; -0.25 user:
    k; -0.54 user: last; 0.43 user: make; -0.2 user: me; -0.4 user: mornin; -0.62 user: morning; 0.18 user: mrs;
    -0.59 user: my; -0.23 user: nah; -0.39 user: never; 0.5 user: new; -0.28 user: next; -0.77 user: no; 0.42 user:
    not; -0.42 user: now; -0.29 user: ok; 0.29 user: on; 0.22 user: one; 0.37 user: only; -0.5 user: our; -0.59
    user: please; -0.37 user: remember; -0.27 user: remind; -0.34 user: remove; -0.23 user: right; -0.29 user: same;
    -0.58 user: seven; -0.51 user: should; -0.48 user: sister; 0.44 user: so; -0.34 user: strike; -0.87 user: take;
    -0.43 user: that; -0.31 user: that's; -0.09 user: the; -0.22 user: then; -0.81 user: this; -0.53 user: today;
    0.22 user: voice; 0.82 user: wait; 0.25 user: well; -0.8 user: were; -0.54 user: what; -0.27 user: what's; -0.37
    user: wife; 0.49 user: with; -0.71 user: would; 0.12 user: yes; -0.29 user: yo; 0.22 user: you; -0.25 user:
    your; -0.35 uses; 0.43 van ,; 0.11 very; 0.29 vet; 0.54 view of; 0.24 voice; 0.46 vote; 0.29 voted; 0.08 w; 0.18
    w $; -0.51 wait $; -0.33 waiting; -0.29 wall; -0.2 want a; 0.18 wants; 0.42 wants it; 0.57 wants the; -0.41
    wants to; 0.34 wants … ,; -0.3 warm; 0.12 was; -0.11 was #; -0.34 was $; -0.33 was ,; -0.52 was @; -0.15 was a;
    -0.33 was it; 0.25 was on; 0.17 was the; 0.39 was wrong; -0.31 was … a; -0.37 was … and; 0.26 was … by; -0.22
    was … for; -0.1 water; -0.21 way; -0.23 way $; 0.23 way ,; 0.61 we; 0.58 we can; 0.3 we get; -0.22 we got; -0.56
    we had; -0.35 we shall; 0.42 we … @; 0.25 we … in; -0.27 we … it; -0.4 we … the; -0.17 we … to; -0.33 we'd; 0.17
    we'll; 0.34 we're; 0.25 we've; -0.09 week; 0.19 week ,; -0.14 weekend; -0.32 weeks; -0.33 weight; -0.13 well;
    -0.13 well ,; 0.33 went; 0.68 went to; 0.31 went … @; -0.25 were $; -0.43 were … to; -0.26 what; -0.29 what $;
    -0.27 what … i; -0.35 what's; -0.24 whatever; 0.24 when i; 0.21 where; -0.59 which is; 0.31 while; 0.24 white;
    -0.34 who; -0.45 who $; 0.2 whole; -1.05 why; -0.18 wife; -0.42 wife @; -0.46 wifi; 0.47 will; 0.2 will $; 0.03
    will be; 0.4 will not; 0.5 will … me; -0.29 will … the; -0.4 win; 0.28 window; -0.78 windows; -0.49 windows $;
    0.35 with; -0.34 with #; -0.31 with $; 0.28 with a; 0.14 with my; -0.27 with us; -0.15 with … ,; -0.3 with … @;
    0.28 with … and; 0.2 with … on; 0.48 woman; 0.22 won't; 0.43 wood; 0.35 work $; -0.32 worked; -0.38 worse; 0.04
    would; 0.16 would be; 0.44 would do; -0.37 would like; 0.39 would … believe; 0.27 wrist; 0.2 write; 0.35 writes;
    1.04 wrong; 0.25 wrong $; 0.36 wrong ,; 0.47 wrong … the; 0.44 wrote; 0.3 y; -0.7 yeah; -0.07 year; -0.13 years;
    0.02 yes; -0.63 yes $; -0.41 yes ,; 0.32 yes … #; 0.34 yesterday ,; -0.55 yet; -0.58 yet ,; -0.4 yo; -0.44 you;
    0.6 you #; -0.11 you $; -0.23 you ,; 0.43 you ?; -0.31 you and; -0.26 you are; 0.47 you at; 0.39 you believe;
    0.17 you can; -0.28 you get; 0.49 you know; -0.34 you on; 0.4 you please; -0.29 you … #; -0.51 you … me; -0.31
    you … my; 0.49 you … that; 0.06 you … the; 0.33 you'd; 0.34 you'll; -0.2 you're; -0.32 you've; 0.24 young; 0.45
    young @; -0.11 your; -0.47 your $; -0.21 your … ,; -0.23 yourself
"""
VECTOR = (
    "sjLfMoIyBLblPfq4aje9rfg6akD4ug2azLw7ONu8vD16Ov2uDj3yueW41jGDvYWyzzy7OAe4zbyaOC3ADTwIQAO4ojsRs4K8VTg3qeO0vT5bsiam"
    "lDpXPTcypZFku4M3BTyCt4W4Kj4xOES48L39sKk18DciPaC8jDR/PQ47ErEGuRK+bju2wRTBlK0rOe+txT3JOCgtir0WuDOvjT1JvQE8UrndssQq"
    "kDlauCE01TtmwaE8XkBhMyu5XD1gu8a7yjKAt0q2+7+vuKE8kLfotlGuH7lbPRW1tKzVMB02MziGPRI7HbixNM2+564BtIsy6Lj/rlK9TLzRuR0+"
    "1zAAAGw2r7jVNR+4XTN+OhqzH7l9sUi96jkrs8u+TrtvNxO9jz/gumC8oLykOGO42TzBs0Sz5zjdOco/5bUCQYM/qbKtPPY1rDHdPgMuDbc4vki2"
    "8LfVM6Y1VTYyPZM+Zr1Vtn8p9SLnOAg40TroO+I9djqPPLk6lbpyvMo/rTncNnw8ay7UtdAtKDhFNp4/n7tZOSG6MbNoNqS7VDe6QCw7zjyGO4NA"
    "uTpnPB+4zzpdwBq5AzZLu0ApEDbkNHE8MiEAgD04Gryktf0k0TFnu584dzgDNoK6Zi1/uj4x+z39vOa5QzWcuss4yrvENx+3WrcqPCM+HzrpOWQw"
    "zDZsPjG/fcAiMw07EioXOiq6Dy7pOV+6ETXZMQdB1zzMtSE1mS5bN722FLUIPJm9TD1BN1GxCqw4OAG6XrTsPZCztLqsNCm73bUAORayvDggvUu5"
    "xLKwPHg71CBFt2is8zrFIJO6nDjdvRGwc7iCuTI0zrtKNWg6cTk1uWk//rpJNe8+cL0jAPK5tjWMvT40zbowuzS6UTRnN8Y9TcDpvZE5RLXGuD+2"
    "G6j1tlm8A6gBuAC+BbcHumGybjhTNuk+vzlFwf43Ur35uVo18RC4ONowLbSqOMG/kTQqvAa73Lret7+54qedOrow3rffO0EoNjkxsveypLIasz25"
    "37+IrT28er6bsBHA"
)
"""A weight for each dimension, half precision."""


WORDS = listed_weights.read(_LISTED)
"""By word or pair of words; one without a weight has 0."""
