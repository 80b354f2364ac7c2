"""The fitted weights of `correction_cue`, written by `python -m benchmarks.corrections --fit`."""

from remembrancer.domain.capture import listed_weights

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
BIAS = -2.091
_LISTED = """
    0.32 !; 0.38 ! !; 0.43 ! #; 0.06 ! $; -0.04 ! @; -0.13 ! i; 0.29 ! … @; 0.27 ! … a; -0.39 ! … so; 0.03 #; 0.72 #
    !; -0.01 # #; 0.11 # $; -0.23 # %; -0.28 # ,; -0.3 # <day>; -0.03 # <month>; -0.41 # @; -0.5 # a; -0.16 # all;
    -0.21 # and; -0.31 # at; -0.46 # but; -0.31 # by; -0.38 # cm; -0.29 # days; -0.44 # degrees; -0.28 # for; 0.08 #
    from; -0.31 # g; -0.22 # h; -0.43 # has; -0.26 # i; -0.42 # in; -0.36 # inch; 0.15 # is; -0.23 # k; -0.53 # kg;
    -0.41 # minutes; -0.24 # not; -0.22 # of; -0.23 # on; -0.26 # pounds; -0.26 # quid; 0.17 # so; -0.38 # till;
    -0.3 # too; 0.48 # was; -0.53 # weeks; -0.1 # with; 0.23 # x; 0.53 # … !; -1.07 # … #; -0.9 # … ,; -0.47 # … :;
    -0.54 # … <day>; -0.39 # … <time>; -0.74 # … @; -0.47 # … a; -0.42 # … and; -0.79 # … at; -0.5 # … by; -0.3 # …
    each; -0.31 # … for; -0.46 # … got; 0.39 # … if; -0.54 # … in; 0.2 # … it; -0.21 # … me; -0.24 # … my; 0.26 # …
    no; -0.29 # … of; -0.35 # … on; 0.28 # … the; -0.3 # … to; 0.36 # … us; -0.2 # … with; -0.14 # … you; -0.24 %;
    0.51 ,; -0.34 , #; -0.12 , $; 0.15 , <day>; -0.07 , @; 0.54 , a; -0.19 , all; -0.22 , and; -0.08 , as; 0.56 ,
    at; 0.38 , because; -0.29 , before; 0.3 , both; -0.41 , but; 0.27 , by; 0.35 , could; -0.18 , four; -0.49 , ha;
    0.46 , had; 0.1 , he's; 0.22 , his; 0.18 , i; 0.27 , i'd; -0.24 , i'll; 0.17 , i'm; 0.3 , i've; 0.22 , if; 0.48
    , im; 0.45 , it; 0.14 , it's; 0.43 , its; -0.62 , just; -0.3 , leave; -0.5 , me; -0.21 , mind; 0.34 , my; 0.41 ,
    new; -0.43 , next; -0.24 , no; -0.46 , not; -0.29 , nothing; -0.27 , now; -0.35 , of; 0.48 , on; -0.52 , only;
    0.4 , our; -0.52 , please; -0.14 , poor; -0.29 , ready; -0.35 , right; 0.69 , same; -0.16 , she; 0.39 , so;
    -0.35 , that; -0.43 , that's; 0.47 , the; -0.58 , then; 0.26 , there's; -0.09 , they; 0.25 , this; 0.31 , to;
    0.29 , too; -0.11 , two; -0.1 , we; 0.26 , we're; -0.41 , what; 0.52 , when; -0.25 , which; 0.49 , who; 0.23 ,
    with; 0.15 , … !; -0.42 , … #; -0.42 , … ,; -0.25 , … :; -0.53 , … <day>; 0.5 , … <month>; 0.2 , … <time>; 0.12
    , … ?; -0.21 , … @; -0.11 , … a; -0.25 , … am; 0.32 , … as; -0.31 , … at; -0.13 , … be; -0.43 , … by; -0.48 , …
    do; 0.25 , … euros; -0.55 , … for; 0.43 , … four; -0.31 , … from; 0.33 , … goes; 0.15 , … got; -0.27 , … had;
    0.28 , … has; 0.26 , … have; -0.38 , … her; -0.37 , … here; -0.26 , … him; 0.29 , … hour; -0.38 , … i; -0.09 , …
    i'm; -0.37 , … i've; -0.26 , … if; 0.05 , … is; -0.25 , … me; -0.41 , … more; -0.25 , … my; -0.24 , … need;
    -0.42 , … not; -0.44 , … now; -0.31 , … of; -0.29 , … on; 0.25 , … one; -0.38 , … pounds; 0.2 , … put; 0.09 , …
    says; 0.43 , … see; -0.12 , … she; 0.28 , … she's; -0.28 , … so; -0.05 , … the; -0.38 , … then; 0.25 , … there;
    -0.54 , … they; -0.32 , … three; -0.36 , … till; 0.1 , … time; -0.21 , … to; -0.42 , … up; 0.38 , … was; -0.23 ,
    … we; -0.41 , … week; 0.33 , … what; 0.2 , … will; -0.13 , … with; 0.41 , … you; 0.3 :; 0.07 : #; 0.4 : $; 0.4 :
    <time>; -0.14 : @; 0.35 : a; -0.57 : i; -0.84 : me; 1.08 : the; -0.24 : … #; -0.87 : … ,; 0.38 : … is; 0.84
    <change>; 1.01 <cue>; -0.28 <day>; -0.2 <day> #; 0.26 <day> $; -0.04 <day> ,; 0.2 <day> <day>; -0.47 <day>
    <time>; -0.35 <day> ?; -0.21 <day> @; 0.08 <day> and; 0.06 <day> at; 0.3 <day> for; 0.43 <day> night; -0.45
    <day> only; 0.2 <day> the; -0.24 <day> … #; 0.26 <day> … ,; 0.48 <day> … <month>; -0.26 <day> … @; -0.28 <day> …
    and; -0.38 <day> … at; 0.43 <day> … so; 0.35 <day> … the; -0.5 <excluded>; -0.44 <month>; -0.19 <month> #; 0.24
    <month> $; -0.01 <month> ,; -0.31 <month> ?; -0.17 <month> @; -0.15 <month> at; -0.23 <month> … ,; 0.14 <month>
    … <time>; -0.17 <month> … @; 0.91 <month> … same; 0.67 <month> … the; -0.82 <price>; 0.75 <price> $; -0.47
    <time>; 0.34 <time> $; -0.52 <time> ,; 0.28 <time> ?; -0.35 <time> and; 0.47 <time> instead; -0.39 <time> to;
    -0.47 <time> … #; -0.23 <time> … ,; -0.65 <time> … @; 0.38 <time> … the; 0.7 <wrong>; -0.44 ?; 0.48 ? #; -1.36 ?
    $; 0.25 ? ?; 0.16 ? @; 0.31 @; -0.4 @ #; 0.19 @ $; -0.21 @ ,; -0.24 @ :; -0.23 @ <day>; 0.2 @ @; -0.13 @ a; 0.29
    @ and; -0.08 @ at; 0.27 @ by; -0.27 @ can; 0.31 @ do; 0.24 @ for; -0.52 @ from; 0.43 @ has; -0.25 @ have; 0.53 @
    he; -0.39 @ here; 0.12 @ in; 0.25 @ is; -0.45 @ it; 0.33 @ makes; -0.24 @ me; -0.32 @ my; 0.26 @ never; -0.43 @
    next; 0.24 @ no; 0.5 @ now; -0.09 @ of; 0.2 @ on; -0.44 @ one; 0.41 @ since; -0.22 @ sister; -0.1 @ so; 0.31 @
    the; -0.07 @ to; -0.54 @ wants; 0.28 @ were; 0.29 @ who; -0.11 @ with; 0.3 @ … !; -0.75 @ … #; -0.15 @ … ,;
    -0.47 @ … :; -0.31 @ … <day>; -0.55 @ … <time>; -0.09 @ … @; 0.06 @ … a; -0.38 @ … also; -0.35 @ … an; -0.04 @ …
    and; 0.09 @ … be; 0.3 @ … been; 0.32 @ … but; 0.41 @ … can; -0.2 @ … for; 0.34 @ … go; -0.25 @ … got; -0.32 @ …
    had; 0.53 @ … has; 0.22 @ … have; -0.29 @ … her; 0.15 @ … i; 0.32 @ … i'm; -0.09 @ … in; -0.2 @ … is; 0.21 @ …
    it; 0.57 @ … last; 0.39 @ … like; 0.29 @ … my; -0.39 @ … nine; -0.5 @ … not; 0.34 @ … now; -0.14 @ … on; -0.2 @
    … one; -0.13 @ … out; 0.47 @ … same; 0.18 @ … the; -0.49 @ … three; -0.14 @ … to; 0.25 @ … too; -0.25 @ … two;
    -0.18 @ … up; 0.46 @ … us; -0.36 @ … want; 0.15 @ … was; 0.4 @ … where; 0.36 @ … who; 0.18 @ … with; 0.15 @ …
    you; -0.31 ^ !; -0.09 ^ #; -0.13 ^ ,; -0.18 ^ :; -0.14 ^ ?; -0.13 ^ @; -0.24 ^ a; 0.26 ^ about; 0.35 ^ after;
    0.6 ^ again; 0.34 ^ agreed; -0.49 ^ all; -0.41 ^ alright; 0.32 ^ also; -0.37 ^ always; 0.52 ^ and; 0.46 ^
    another; 0.23 ^ are; -0.17 ^ as; -0.2 ^ asked; 0.45 ^ ate; -0.18 ^ aye; 0.17 ^ back; -0.1 ^ be; 0.34 ^ big;
    -0.44 ^ bin; 0.5 ^ box; -0.22 ^ brother; -0.37 ^ brother's; 0.45 ^ but; -0.36 ^ by; 0.26 ^ came; -0.4 ^ can;
    0.17 ^ can't; -0.36 ^ cancel; 0.5 ^ change; -0.55 ^ colleague; 0.13 ^ comes; 0.33 ^ costs; 0.13 ^ could; 0.35 ^
    council; 0.41 ^ counted; 0.23 ^ course; -0.34 ^ cousin; 0.4 ^ cousins; -0.17 ^ day; -0.7 ^ delete; 0.22 ^ did;
    0.39 ^ died; -0.25 ^ do; -0.38 ^ doesn't; -0.22 ^ don't; -0.31 ^ door; 0.41 ^ double; 0.15 ^ down; -0.51 ^ drop;
    -0.33 ^ due; 0.49 ^ eight; -0.24 ^ evening; 0.29 ^ every; -0.41 ^ ex; -0.25 ^ fair; 0.41 ^ fell; -0.13 ^ fine;
    -0.41 ^ flat; -0.13 ^ for; -0.8 ^ forget; -0.5 ^ forgets; -0.69 ^ forgot; 0.26 ^ found; 0.34 ^ from; 0.36 ^
    full; 0.21 ^ gave; -0.23 ^ gets; 0.29 ^ go; 0.28 ^ goes; 0.41 ^ gone; -0.17 ^ good; 0.33 ^ got; 0.08 ^ had; 0.51
    ^ has; -0.12 ^ he; 0.14 ^ he's; -0.22 ^ hello; 0.22 ^ her; 0.29 ^ here; -0.29 ^ here's; -0.2 ^ hey; -0.22 ^ hi;
    -0.11 ^ his; -0.28 ^ hiya; 0.25 ^ hmm; -0.38 ^ how; -0.31 ^ i; -0.26 ^ i'd; -0.15 ^ i'll; -0.14 ^ i'm; -0.06 ^
    i've; -1.38 ^ if; -0.14 ^ in; -0.11 ^ is; -0.1 ^ it's; -0.15 ^ its; 0.13 ^ just; 0.33 ^ k; -0.27 ^ keeps; -0.34
    ^ kids; 0.34 ^ landlord; -0.3 ^ last; 0.26 ^ late; 0.11 ^ leave; -0.31 ^ left; 0.3 ^ like; 0.29 ^ list; 0.21 ^
    lol; 0.56 ^ looked; 0.18 ^ lost; -0.51 ^ love; -0.16 ^ lovely; 0.43 ^ make; 0.31 ^ man; -0.41 ^ mate; -0.28 ^
    me; -0.6 ^ money; -0.31 ^ more; -0.41 ^ mornin; -0.21 ^ morning; -0.27 ^ mother; 0.29 ^ moved; 0.41 ^ mrs; -0.29
    ^ mum; -0.42 ^ my; 0.24 ^ n; -0.21 ^ nah; 0.25 ^ need; -0.32 ^ neighbour; -0.24 ^ never; 0.11 ^ new; -0.26 ^
    next; -0.41 ^ night; 0.43 ^ not; 0.07 ^ now; -0.14 ^ of; 0.73 ^ off; 0.57 ^ office; 0.28 ^ oh; -0.09 ^ ok; -0.35
    ^ okay; -0.33 ^ old; -0.22 ^ one; -0.3 ^ order; -0.88 ^ other; -0.16 ^ our; 0.35 ^ out; -0.61 ^ own; -0.27 ^
    pay; -0.33 ^ pays; 0.2 ^ people; -0.28 ^ please; 0.41 ^ problem; 0.07 ^ put; 0.36 ^ read; -0.49 ^ remains; -0.48
    ^ remember; -0.32 ^ remind; -0.45 ^ remove; 0.4 ^ roof; -1.25 ^ same; 0.4 ^ saw; 0.29 ^ say; -0.24 ^ says; -0.24
    ^ school; 0.39 ^ seen; -0.15 ^ shall; -0.4 ^ should; 0.3 ^ shut; -0.43 ^ sis; -0.22 ^ sister; 0.12 ^ six; -0.28
    ^ so; 0.51 ^ sold; -0.38 ^ someone; 0.27 ^ sorry; -0.47 ^ stay; -0.62 ^ stays; -1.38 ^ still; -0.41 ^ strike;
    -0.24 ^ ta; -0.35 ^ take; -0.22 ^ thank; -0.23 ^ that's; -0.17 ^ the; 0.21 ^ them; 0.05 ^ then; 0.13 ^ they; 0.5
    ^ they've; -0.18 ^ thing; -0.19 ^ this; 0.27 ^ three; -0.3 ^ time; 0.06 ^ to; -0.21 ^ today; -0.37 ^ tonight;
    0.44 ^ too; 0.16 ^ turned; -0.26 ^ twenty; 0.35 ^ twice; 0.1 ^ two; 0.3 ^ up; 0.16 ^ us; 0.3 ^ voice; 0.46 ^ w;
    0.5 ^ wait; 0.24 ^ want; 0.17 ^ wants; -0.13 ^ was; -0.57 ^ we; -0.36 ^ were; -0.53 ^ what; -0.28 ^ what's;
    -0.36 ^ when; -0.34 ^ where; 0.34 ^ which; 0.45 ^ whole; -0.39 ^ why; -0.48 ^ will; 0.26 ^ with; -0.5 ^ would;
    0.48 ^ yes; -0.28 ^ yo; -0.15 ^ you; -0.34 ^ you've; 0.14 ^ your; 0.17 a; -0.12 a $; 0.21 a <day>; 0.29 a @;
    -0.48 a bit; 0.35 a cat; 0.22 a day; 0.69 a half; -0.27 a head; -0.22 a man; 0.41 a month; -0.63 a new; 0.62 a
    no; 0.38 a quarter; 0.36 a third; 0.12 a week; 0.59 a woman; 0.51 a … !; 0.09 a … ,; 0.43 a … :; -0.15 a … ?;
    0.1 a … @; -0.35 a … for; 0.28 a … i; 0.39 a … more; -0.14 a … of; -0.13 a … on; -0.16 a … one; 0.55 a … then;
    0.55 ab; -0.62 about; -0.52 about #; -0.49 about $; -0.44 about @; 0.38 about it; 0.37 about that; 0.26 account;
    -0.29 add; 0.43 afraid; 0.23 after; -0.13 after $; 0.41 after ,; 0.15 again; -0.45 again $; 0.37 again @; 0.2
    agreed; 0.26 all; 0.11 all ,; -0.4 all @; 0.27 all of; -0.41 all … ,; 0.37 all … @; -0.37 allergic; -0.26
    allergic to; 0.5 allows; 0.37 almost; 0.42 alone; -0.11 also; 0.22 also ,; 0.36 also i; -0.67 also … ,; -0.57
    always; -0.38 always $; 0.22 am; -0.01 an; -0.54 an $; 0.36 an @; -0.19 an hour; -0.29 an … ,; -0.04 and; 0.17
    and #; 0.41 and <day>; -0.19 and @; 0.07 and a; 0.08 and he; -0.28 and her; 0.37 and i'm; 0.61 and it's; -0.24
    and me; -0.65 and my; 0.51 and not; -0.6 and now; 0.13 and she; 0.34 and that; -0.09 and the; -0.68 and then;
    0.6 and there; 0.22 and they; -0.47 and you; 0.1 and … @; 0.31 and … are; 0.28 and … at; 0.3 and … had; 0.56 and
    … half; -0.35 and … has; 0.6 and … have; 0.38 and … is; -0.13 and … it; 0.28 and … my; 0.4 and … not; 0.24 and …
    on; -0.4 and … still; -0.14 and … the; -0.34 and … to; 0.57 and … with; 0.35 and … you; -0.4 another $; 0.03
    any; 0.01 are; -0.33 are #; -0.15 are … ,; 0.41 are … on; -0.25 are … the; -0.28 are … to; -0.19 around; 0.44
    as; -0.76 as $; 1.29 as of; -0.45 as said; 0.58 as the; -0.58 as … ,; 0.27 asked for; -0.33 asked me; 0.3 asks;
    0.1 assistant:; -0.7 assistant: #; 0.37 assistant: <day>; -0.35 assistant: <time>; -0.73 assistant: a; 0.3
    assistant: and; 0.52 assistant: for; -0.25 assistant: i; 0.28 assistant: i'll; 0.33 assistant: shall; 0.18
    assistant: the; 1.09 assistant: then; 0.3 assistant: with; 0.46 assistant: yes; -0.18 at #; 0.11 at $; 0.03 at
    <time>; 0.2 at all; -0.21 at five; 0.42 at it; -0.23 at noon; -0.24 at six; -0.07 at the; -0.05 at … ,; 0.49 at
    … ?; 0.1 at … @; -0.22 at … and; -0.3 at … in; -0.22 at … with; 0.43 ate; 0.54 au; 0.37 aunt; -0.51 away $;
    -0.41 aye; -0.28 aye $; -0.13 b; 0.45 baby; -0.05 back; -0.17 back $; 0.24 back on; -0.36 back to; -0.29 back …
    #; 0.25 back … the; 0.45 bank; -0.38 batch; -0.23 bath; 0.39 battery; 0.15 be; 0.43 be ,; 0.32 be a; 0.52 be at;
    -0.31 be in; -0.13 be … ,; -0.33 be … by; -0.25 be … for; -0.29 be … if; -0.25 be … to; -0.4 beans; -0.64 bear;
    0.65 became; 0.19 because; -0.35 because i; 0.69 become; 0.48 becomes; -0.16 bed; -0.39 bed $; 0.37 beds; 0.04
    been; -0.47 been $; 0.28 been … ,; 0.71 been … by; -0.52 been … since; 0.36 been … to; -0.19 before; -0.04
    before !; -0.35 before #; -0.21 before $; -0.37 before ,; -0.3 before :; -0.03 before <day>; -0.75 before
    <month>; -0.92 before <price>; -1.05 before <time>; -0.97 before ?; -0.39 before @; -0.4 before a; -0.47 before
    about; -0.31 before add; -0.21 before after; -0.18 before again; -0.35 before alarm; -0.11 before all; -0.39
    before also; -0.23 before always; 0.25 before am; -0.19 before an; -0.9 before and; 0.37 before another; -0.23
    before any; 0.47 before anything; -0.33 before are; 0.37 before as; -0.07 before ask; -0.27 before at; 0.44
    before baby; -0.15 before back; -0.18 before be; -0.39 before been; -0.51 before before; -0.38 before behind;
    -0.12 before best; 0.16 before better; -0.16 before between; 0.33 before bigger; -0.5 before book; -0.08 before
    both; -0.17 before box; 0.34 before brave; 0.25 before bravo; -0.39 before bridge; -0.03 before bring; -0.54
    before but; -0.48 before by; 0.4 before calm; 0.28 before came; -0.1 before can; 0.56 before cant; -0.25 before
    car; -0.32 before card; -0.33 before care; 0.43 before change; 0.37 before changed; 0.32 before changes; 0.26
    before choice; -0.37 before code; -0.13 before come; 0.73 before congratulations; -0.29 before costs; -0.37
    before could; 0.21 before course; 0.29 before cousin; -0.46 before day; 0.1 before days; -0.27 before de; -0.23
    before dear; -0.36 before deleted; -0.38 before did; 0.31 before die; -0.13 before does; -0.13 before dog; -0.28
    before dollars; -0.34 before don't; -0.33 before done; -0.21 before door; -0.33 before down; -0.21 before due;
    -0.37 before each; -0.4 before ear; -0.3 before eat; 0.36 before eight; -0.23 before empty; 0.19 before enjoy;
    -0.67 before enough; -0.09 before euros; -0.13 before even; -0.37 before evening; -0.4 before every; -0.25
    before everything; -0.31 before eye; 0.3 before eyes; -0.36 before face; 0.51 before fair; -0.4 before family;
    0.25 before feet; 0.18 before fine; -0.49 before first; 0.39 before fits; 0.23 before five; -0.25 before floor;
    -0.29 before food; -0.34 before for; -0.39 before forget; 0.52 before form; -0.21 before forty; 0.39 before
    forward; -0.32 before four; -0.1 before free; -0.23 before from; -0.24 before front; 0.44 before garden; -0.4
    before gate; -0.09 before get; 0.27 before girl; -0.17 before give; 0.24 before glad; 0.18 before go; -0.23
    before going; -0.17 before gone; 0.25 before good; -0.53 before got; 0.29 before grand; 0.14 before great; -0.31
    before green; -0.23 before grey; 0.2 before ha; -0.46 before had; -0.3 before half; -0.28 before hands; 0.17
    before happy; -0.3 before hard; -0.39 before has; -0.45 before hat; -0.26 before head; 0.23 before hear; -0.35
    before hello; -0.19 before help; -0.14 before her; -0.12 before here; -0.26 before hers; -0.34 before hi; 0.39
    before hm; -0.34 before hold; 0.42 before hope; 0.44 before horse; -0.31 before hot; 0.23 before hour; -0.17
    before hours; -0.35 before house; -0.27 before how; -0.31 before i; -0.37 before i'd; -0.51 before i'm; -0.53
    before i've; -0.28 before if; -0.33 before im; -0.5 before in; 0.56 before inch; -0.43 before included; 0.18
    before instead; -0.28 before insurance; -0.46 before isn't; -0.11 before it; 0.3 before its; -0.34 before just;
    -0.29 before keep; -0.75 before kids; 0.33 before kilos; -0.35 before km; -0.32 before la; 0.2 before late; 0.37
    before later; 0.2 before leave; -0.18 before left; 0.61 before less; -0.28 before let; -0.46 before lift; -0.06
    before like; -0.22 before line; -0.19 before list; -0.29 before long; -0.17 before look; 0.27 before lot; -0.44
    before love; 0.36 before luck; -0.36 before made; -0.35 before mail; -0.17 before make; -0.32 before makes;
    -0.74 before many; -0.51 before may; -0.38 before maybe; -0.42 before me; -0.29 before meet; -0.56 before might;
    -0.26 before mine; -0.35 before month; 0.45 before more; -0.81 before morning; -0.2 before most; 0.62 before
    moved; -0.45 before much; -0.52 before my; 0.33 before n; -0.19 before needs; -0.2 before new; 0.35 before news;
    0.33 before nice; -0.29 before night; -0.1 before no; -0.7 before nobody; -0.36 before noise; -0.29 before noon;
    -0.16 before not; -0.25 before noted; -0.31 before notes; 0.92 before nothing; -0.49 before number; 0.42 before
    o'clock; -0.37 before of; -0.29 before off; -0.32 before offer; 0.15 before office; -0.47 before often; -0.15
    before oh; 0.47 before ok; -0.63 before old; -0.39 before on; -0.5 before once; -0.26 before ones; -0.44 before
    only; 0.39 before open; 0.44 before opened; -0.54 before or; -0.29 before ordered; -0.35 before other; -0.22
    before our; -0.78 before out; -0.2 before over; -0.34 before own; -0.34 before page; -0.17 before paid; -0.32
    before part; 0.29 before pay; -0.29 before pays; -0.31 before people; -0.31 before per; -0.2 before percent;
    -0.21 before photo; -0.35 before photos; -0.37 before pick; -0.1 before place; -0.26 before play; -0.38 before
    please; 0.47 before poor; -0.7 before pounds; 0.31 before price; 0.73 before problem; -0.34 before radio; -0.23
    before read; -0.31 before ready; 0.46 before remains; -0.54 before removed; 0.14 before right; 0.3 before ring;
    -0.23 before room; -0.43 before round; -0.23 before row; -0.23 before run; -0.3 before running; 0.28 before
    same; 0.34 before saw; -0.33 before seat; -0.18 before seats; -0.13 before second; 0.21 before see; -0.32 before
    sell; 0.17 before send; -0.19 before sent; 0.39 before seven; -0.25 before shall; 0.04 before she; -0.12 before
    she's; -0.24 before shoes; 0.2 before shop; -0.36 before should; -0.28 before sign; -0.21 before six; -0.29
    before size; -0.29 before slow; -0.16 before small; 0.1 before so; -0.46 before some; -0.52 before something;
    0.44 before sorry; -0.6 before sounds; -0.31 before soup; -0.28 before spare; 0.08 before start; -0.25 before
    starting; 0.33 before stay; 0.37 before stays; 0.68 before still; 0.25 before stop; 0.34 before suit; 0.24
    before sure; -0.33 before table; 0.27 before take; -0.47 before takes; -0.26 before talk; -0.4 before tea; -0.3
    before telling; -0.2 before ten; -0.22 before test; -0.44 before than; 0.38 before thank; 0.04 before that;
    -0.23 before that's; -0.19 before the; -0.18 before their; -0.37 before them; 0.35 before then; 0.08 before
    there; -0.4 before there's; 0.32 before they'll; -0.32 before third; -0.37 before thirty; -0.42 before this; 0.3
    before though; 0.31 before thousand; -0.35 before three; -0.27 before to; -0.45 before today; 0.34 before told;
    -0.36 before took; -0.36 before truck; -0.28 before try; 0.2 before twenty; -0.39 before twice; -0.7 before
    understood; -0.12 before until; -0.14 before up; 0.18 before us; -0.3 before van; -0.2 before very; -0.75 before
    walk; -0.31 before want; 0.16 before wants; -0.32 before was; -0.31 before we; 0.15 before we'll; 0.35 before
    we're; -0.28 before wear; -0.16 before week; 0.23 before weeks; 0.53 before welcome; 0.13 before well; -0.25
    before went; 0.09 before what; -0.59 before when; -0.31 before which; -0.46 before white; -0.77 before who;
    -0.69 before whole; -0.27 before wife's; -0.13 before will; -0.5 before window; 0.3 before wish; -0.4 before
    with; -0.49 before within; 0.39 before wonderful; -0.24 before word; 0.3 before work; 0.21 before works; -0.46
    before would; -0.33 before yeah; -0.64 before year; -0.52 before years; 0.22 before yes; -0.6 before you; -0.32
    before you'd; -0.22 before you'll; -0.34 before you're; -0.5 before your; 0.44 begin; 0.47 behind $; 0.39 being;
    0.35 believe $; 0.42 better; 0.25 better $; -0.74 between; -0.56 between us; 0.12 big; 0.3 big one; 0.35 bigger;
    -0.46 birds; -0.27 bit; 0.37 bit $; -0.19 black; -0.32 block; -0.37 bloke; 0.12 blue; 0.13 blue $; -0.46 boiler;
    -0.31 book $; -0.41 booking; -0.39 boot; -0.41 boots; -0.37 boss; -0.18 both; -0.19 both $; 0.37 both of; 0.34
    bother; -0.2 bottle; 0.14 bought; 0.29 bought a; -0.35 bout; 0.16 box; -0.14 boy; -0.16 bring; -0.21 bring $;
    0.14 brings; 0.3 broke; -0.22 brother; -0.12 brother's; -0.36 btw $; 0.53 btw ,; -0.34 budget; 0.3 building;
    -0.44 bus; -0.88 business; -0.31 but; -0.34 but $; -0.61 but that's; 0.35 but the; 0.61 but … ,; -0.3 but … a;
    -0.27 buy; 0.25 by; -0.22 by #; -0.7 by $; -0.46 by <day>; -0.03 by @; 0.59 by a; 0.09 by the; -0.16 by … #;
    -0.22 by … ,; -0.35 by … <month>; -0.29 by … @; 0.6 by … way; 0.23 cake; -0.54 called @; 0.22 calls; 0.48 calm;
    0.41 came; 0.37 came back; 0.42 came to; 0.45 came … #; -0.33 camp; 0.29 can; 0.35 can do; -0.3 can see; -0.35
    can … it; -0.29 can … the; 0.25 can … you; -0.38 cancel; -0.16 car; -0.26 card $; -0.28 case; -0.24 cash; -0.29
    chair; 0.33 chair $; -0.4 change $; 0.46 changed; -0.22 chapter; -0.43 charge; 0.52 cheaper; -0.25 check; -0.37
    checked; -0.32 children; 0.11 church; -0.19 class; 0.24 clear; -0.27 client; -0.33 close; 0.21 club; -0.25
    coach; -0.47 code; 0.36 cold; -0.36 colleague; 0.05 come; 0.39 come at; 0.34 come on; 0.43 committee; 0.34 con;
    -0.28 concert; -0.39 copies; 0.37 cos of; -0.22 costs; -0.23 costs #; 0.07 could; 0.26 council; 0.35 count; 0.47
    counting; 0.07 course; 0.52 cousins; -0.31 cracked; -0.37 crane; -0.37 crew; 0.45 cried; -0.34 cut; -0.31 dad;
    -0.22 dad's; -0.06 day; -0.43 day #; 0.21 days ,; 0.46 dead ,; -0.26 deaf; 0.19 dear; 0.09 dear @; -0.31 deck;
    -0.36 degrees; -0.91 delete; -0.35 delete the; -0.25 dentist; -0.57 deposit; 0.17 desk; -0.45 desk #; -0.51 dev;
    0.14 did; -0.21 did $; 0.33 did a; 0.41 did it; 0.52 did the; 0.49 did … ,; -0.47 didn't; 0.29 die; 0.69 died;
    -0.19 different; -0.63 different $; -0.32 dinner; 0.65 discovered; 0.4 do; 0.36 do ,; 0.3 do <day>; 0.33 do it;
    -0.42 do not; 0.34 do the; 0.39 do … <day>; 0.37 doctor; 0.14 does; -0.43 does #; 0.51 does $; 0.44 does it;
    -0.22 does the; -0.46 doesn't; -0.35 doesn't know; -0.57 doesnt; -0.36 doesnt $; -0.16 dog; -0.29 dogs; 0.08
    doing; 0.41 doing $; 0.45 doing the; -0.11 dollars; 0.47 don; -0.5 don't; 0.28 don't $; -0.21 don't let; 0.2
    done; -0.58 dont; -0.21 dont $; -0.45 door … #; 0.48 double; -0.35 down $; -0.35 down the; 0.86 down to; 0.24
    down … #; -0.24 drinks; -0.48 drive; -0.22 driver; 0.43 driving; -0.39 drop; -0.21 drops; -0.42 due; -0.56 each;
    0.21 each $; -0.19 each … ,; -0.38 ear; -0.48 early ,; -0.36 easy; 0.19 eats; -0.41 eggs; 0.22 eight $; 0.22
    eighty; 0.54 electric; -0.26 eleven; 0.24 em; -0.35 empty; 0.22 en; 0.23 end; -0.62 ends; 0.21 enough; -0.28
    euros; 0.48 euros $; 0.25 evening; -0.25 evening … @; -0.54 ever; -0.42 ever $; -0.25 every; -0.11 every $; 0.3
    every … ,; 0.47 everybody; 0.35 everything; 0.5 example; 0.42 face; 0.25 fair; -0.34 fall; 0.42 family ,; -0.26
    father; -0.28 fee; -0.42 feel; 0.44 feet; 0.3 fell; -0.31 fence; 0.3 field; 0.41 fifteen; 0.5 fifty; 0.37 fifty
    ,; 0.53 finance; 0.63 find; -0.52 find $; -0.19 fine $; 0.47 finger; -0.31 firm; 0.31 first $; -0.44 first … ,;
    -0.3 fish $; 0.64 fit; 0.5 fits; 0.09 five; 0.24 five $; -0.15 five ,; 0.43 five days; -0.29 five … ,; -0.43
    flat; -0.41 flatmate; 0.41 flooded; -0.46 floor; 0.49 flu; 0.28 football; -0.12 for; -0.8 for #; 0.39 for $;
    -0.24 for <day>; -0.62 for @; 0.19 for all; 0.34 for each; 0.27 for four; 0.88 for good; 0.18 for me; -0.34 for
    my; -0.72 for now; 0.2 for that; 0.19 for two; 0.31 for us; -0.36 for you; 0.1 for … ,; -0.19 for … :; -0.26 for
    … @; -0.23 for … and; -0.36 for … is; -0.46 for … on; -0.37 for … to; -0.28 for … week; -1.53 forget; -0.37
    forget the; -0.16 forget to; -0.66 forgets; -0.52 forgetting; -0.76 forgot; -0.22 forgot to; -0.28 forgotten;
    -0.35 forty; 0.44 forward; 0.95 found; 0.44 found the; -0.24 four; 0.33 four $; -0.41 four hundred; -0.58 four …
    @; 0.3 frame; 0.42 free; -0.21 free $; -0.19 friend; -0.52 friend @; -0.17 friends; 0.19 from; -0.14 from #;
    0.44 from $; 0.19 from <day>; 0.52 from <month>; -0.26 from <time>; -0.7 from @; -0.39 from her; 1.01 from here;
    -0.4 from me; -0.14 from my; 0.38 from next; 0.65 from now; -0.25 from the; 1.05 from this; 0.86 from today;
    -0.8 from … #; 0.24 from … ,; -0.14 from … <month>; -0.18 from … @; 0.54 from … on; -0.63 from … to; 0.54 from …
    week; -0.19 front; 0.79 full; -0.44 full $; 0.53 further; -0.38 g; -0.23 game; -0.48 gate; -0.2 gate $; 0.39
    gave; -0.38 get; -0.3 get #; 0.42 get a; -0.21 gets; -0.66 gets #; -0.16 girl … @; 0.51 give; 0.33 give me; 0.57
    given; 0.34 gives; 0.07 go; 0.46 go for; 0.31 go to; 0.46 go up; -0.36 go … #; 0.43 go … ,; 0.23 go … the; 0.19
    goes; -0.14 going to; 0.28 gold; 0.77 gone; -0.37 gone $; -0.06 good; -0.62 good $; 0.16 good evening; 0.35 good
    … !; -0.15 good … ,; 0.29 good … @; -0.07 got; -0.66 got #; -0.2 got $; -0.36 got one; 0.36 got … ,; 0.35
    gran's; -0.34 grand; -0.31 grand $; 0.35 grandson; -0.18 great; -0.29 grey; -0.11 group; 0.51 grown; 0.35 guess;
    -0.18 h; -0.07 had; -0.65 had #; -0.11 had $; 0.53 had a; 0.4 had the; 0.27 had … @; -0.48 had … in; 0.12 half;
    -0.23 half $; 0.17 half past; -0.38 half the; -0.46 half … @; 0.42 half … hour; 0.49 handed; -0.22 hands $; 0.35
    hang; -0.34 hard; 0.08 has; -1.22 has #; 0.19 has $; -0.57 has a; 0.51 has been; 0.33 has gone; 0.43 has her;
    0.57 has taken; 0.16 has the; -0.48 has … #; -0.19 has … ,; 0.31 has … a; 0.41 has … me; 0.18 has … the; 0.35
    has … to; 0.48 has … up; -0.57 hasn't; 0.58 hat; 0.3 have; -0.62 have #; -0.33 have $; 0.23 have @; -0.54 have
    a; 0.29 have been; -0.22 have it; 0.25 have the; 0.3 have … ,; 0.18 have … @; 0.44 have … for; 0.27 having;
    -0.44 having a; -0.19 he $; -0.24 he has; 0.21 he is; 0.44 he likes; 0.29 he was; 0.18 he … ,; 0.32 he … a; 0.27
    he … in; 0.18 he … the; -0.38 he'll; -0.25 he's $; 0.22 he's … the; -0.09 hear; 0.41 heat; -0.35 heavy; 0.33
    held; -0.06 hello; -0.46 hello ,; 0.44 hello again; 0.3 hello … @; -0.42 help; 0.43 hence; 0.17 her; 0.15 her $;
    -0.22 her … ,; -0.5 her … is; -0.25 her … the; -0.15 here; 0.31 here $; 0.43 here on; -0.26 here's; -0.58 hers;
    -0.37 hi; -0.31 hi ,; -0.39 high; 0.24 him; 0.04 him $; -0.13 him ,; 0.28 hip; -0.13 his $; 0.37 his … @; -0.28
    hiya; 0.35 holding; -0.05 home; -0.34 home $; 0.47 home … @; 0.21 hospital; -0.56 hotel; 0.35 hour; -0.22 hour
    ,; 0.08 hours; 0.32 hours $; -0.28 house; -0.57 how; -0.36 hull; 0.39 hundred; 0.22 hundred and; -0.19 husband;
    -0.28 husband's; -0.53 hush; 0.24 i; 0.05 i $; 0.08 i am; 0.25 i bought; -0.49 i can; 0.16 i don't; 0.75 i find;
    -0.18 i forgot; -0.38 i gave; 0.23 i have; 0.51 i look; 0.51 i looked; 0.25 i mean; 0.38 i must; -0.24 i never;
    0.42 i read; -0.11 i said; -0.28 i say; 0.29 i see; -0.45 i told; -0.47 i want; -0.11 i was; -0.21 i will; -0.16
    i would; 0.09 i … #; 0.46 i … ,; -0.16 i … @; -0.47 i … a; 0.2 i … at; -0.31 i … do; -0.22 i … forget; 0.31 i …
    go; 0.21 i … have; -0.24 i … her; -0.09 i … it; -0.46 i … like; -0.28 i … my; 0.29 i … not; 0.34 i … on; -0.15 i
    … the; -0.75 i … to; -0.28 i … two; 0.6 i … until; 0.31 i … with; -0.42 i'd; -0.34 i'd like; -0.22 i'd … it;
    -0.49 i'd … to; -0.24 i'll; 0.27 i'll have; -0.23 i'll … you; 0.12 i'm; 0.22 i'm $; 0.52 i'm afraid; 0.54 i'm …
    @; -0.3 i'm … for; 0.16 i've; -0.38 i've a; 0.18 i've been; -0.23 i've got; 0.33 i've … the; -0.39 if; 0.5 if $;
    -0.3 if @; -0.25 if he; -0.46 if it; -0.26 if the; -0.23 if they; 0.85 if you; 0.4 if … please; 0.26 ill; 0.31
    im $; 0.42 im … #; 0.42 imagine; 0.12 in; -0.47 in #; 0.25 in ,; -0.77 in <month>; -0.05 in @; 0.41 in all; 0.29
    in at; -0.26 in her; 0.4 in its; 0.14 in law; 0.33 in my; 0.41 in place; 0.26 in that; 0.09 in the; 0.49 in
    there; -0.26 in … #; -0.07 in … ,; -0.17 in … @; 0.56 in … end; 0.26 in … for; -0.31 in … is; 0.36 in … of; 0.57
    insists; 0.37 instead; 0.42 instead $; 0.23 instead ,; -0.2 insurance; -0.23 iron; -0.47 is #; 0.13 is $; 0.22
    is ,; -0.26 is <day>; -0.36 is <price>; -0.86 is @; 0.17 is a; 0.42 is being; 0.54 is free; 0.25 is in; -0.35 is
    it; -0.18 is my; -0.16 is not; 0.25 is out; -0.44 is still; -0.24 is that; -0.22 is the; -0.29 is there; 0.32 is
    to; 0.73 is too; 0.5 is what; -0.16 is … #; 0.56 is … :; 0.39 is … <day>; -0.12 is … @; -0.59 is … a; -0.28 is …
    and; -0.36 is … at; 0.15 is … for; -0.48 is … from; 0.33 is … i; 0.54 is … in; -0.59 is … on; -0.27 is … pounds;
    -0.1 is … the; 0.45 is … up; -0.37 is … with; -0.33 isn't; -0.29 isn't $; -0.45 issue; 0.08 it; 0.36 it #; -0.31
    it $; 0.12 it ,; -0.25 it ?; 0.22 it @; 0.33 it all; -0.53 it be; 0.32 it by; -0.29 it for; -0.56 it from; 0.96
    it is; 0.26 it on; -0.51 it out; -0.35 it so; -0.39 it to; -0.45 it up; -0.07 it was; 0.47 it will; 0.16 it … #;
    0.27 it … <day>; 0.27 it … @; 0.14 it … a; 0.25 it … and; 0.25 it … be; 0.52 it … by; 0.18 it … in; -0.28 it …
    me; -0.35 it … of; 0.31 it … on; -0.38 it … so; 0.44 it'll; 0.36 it'll be; 0.46 it's; 0.28 it's #; -0.55 it's $;
    0.19 it's @; 0.3 it's a; -0.39 it's been; -0.31 it's not; 0.12 it's the; 0.24 it's … #; -0.45 it's … ,; 0.25
    it's … @; -0.4 it's … from; 0.4 it's … i; 0.29 its; 0.48 its a; 0.36 its … ,; 0.42 itself; -0.42 jam; 0.34 job
    $; 0.35 joy; -0.35 just; 0.28 just $; -0.17 k; -0.52 keep; -0.54 keeps; -0.55 kg; -0.36 kids; -0.24 km; 0.19
    knees; -0.48 know; -0.16 know $; -0.46 known; -0.16 knows; -0.25 knows $; 0.39 lady; 0.26 landlord; -0.54 last;
    0.28 last $; -0.17 last week; -0.35 last year; 0.17 late; 0.66 late $; 0.44 later; 0.52 later ,; -0.35 laughed;
    0.51 law; 0.3 le; -0.49 lead; 0.16 leave; -0.35 leave $; 0.34 leave the; -0.69 left; -0.16 left $; -0.59 lemon;
    0.13 length 0; 0.62 length 1; 0.61 length 2; 0.37 length 3; -0.45 length 5; -1.28 length 6; 0.34 less; 0.35
    lesson; -0.21 let; -0.38 let it; -0.36 let's; 0.46 letter; -0.37 letters; -0.22 level; 0.43 library; 0.34
    licence; 0.48 lie; -0.25 lift; -0.26 lights; 0.13 like; 0.08 like $; -0.16 like a; 0.29 like it; -0.38 likes;
    0.53 lilies; -0.25 limit; 0.17 line; -0.36 list; -0.36 list $; -0.36 list ,; 0.32 list … the; 0.45 listened;
    0.28 little; 0.26 little $; 0.25 live; 0.18 lives; -0.56 loan; -0.22 log; -0.35 login; -0.21 lol; -0.47 lol $;
    -0.25 long $; 0.75 longer; 0.06 look; -0.34 look $; 0.42 look at; 1.0 looked; 0.47 looked … the; 0.17 looks;
    -0.58 loose; -0.68 lose; -0.26 lost $; -0.27 love; -0.16 lunch; -0.36 m; -0.23 machine; 0.43 mad; 0.63 make;
    0.16 make it; 0.48 makes; 0.21 makes $; -0.34 makes me; -0.28 making; 0.29 man; 0.39 manager; 0.42 manual; -0.35
    march; 0.37 market; -0.32 mate; -0.46 maths; -0.32 matter; -0.31 may $; -0.35 maybe; 0.32 me; -0.17 me #; 0.1 me
    $; -0.11 me ,; -0.25 me a; -0.15 me and; 0.21 me at; 0.31 me from; 0.22 me in; -0.17 me to; 0.2 me … #; 0.24 me
    … @; 0.32 me … and; 0.33 me … i; 0.41 means; -0.41 meant; 0.24 measured; -0.53 medical; -0.24 meeting; -0.41
    meter; -0.29 metres; -0.2 miles; -0.34 mind; -0.2 mine; -0.36 mine ,; 0.42 mint; 0.33 minute; -0.1 minutes;
    -0.09 money; -0.16 month; 0.48 month $; -0.28 month ,; 0.79 more; 0.51 more like; -0.36 more than; 0.32 more …
    ,; -0.36 mornin; 0.22 morning; -0.17 morning ,; -0.37 morning … @; 0.24 mornings; 0.34 most $; 0.32 mother $;
    0.38 moved; -0.24 moved $; 0.24 mr; 0.35 mr @; 0.17 mrs; 0.12 mrs @; -0.3 much; 0.34 mum $; -0.36 mustn't; -0.03
    my; -0.3 my @; 0.48 my card; 0.31 my dad; -0.29 my friend; 0.27 my own; 0.33 my wife; 0.14 my … ,; -0.41 my … @;
    0.47 my … has; 0.31 my … i; 0.47 my … now; -0.31 my … says; 0.31 my … to; 0.26 myself; 0.23 myself $; -0.3 n $;
    -0.3 nah; 0.28 name $; -0.37 name @; -0.66 named; 0.42 navy; 0.24 near; -0.28 need; -0.38 need a; 0.62 needed;
    -0.45 neighbour; -0.38 neighbour's; -0.46 neither; 0.32 nephew; -0.88 never; -0.26 never … ,; 0.26 new; 0.46 new
    job; 0.35 new … ,; -0.44 next; 0.32 next … ,; 0.26 niece; -0.24 night; -0.09 night $; -0.39 night ,; -0.33 nine;
    0.51 nine $; -0.35 nine … ,; -0.68 no; -0.17 no $; 0.2 no ,; -0.31 no change; 0.33 no charge; 0.34 no longer;
    0.27 no need; 0.28 no … @; -0.42 no … no; -0.44 nobody; 0.29 noise; -0.42 none; -0.31 noon; -0.33 nope; -0.07
    not; 0.46 not #; -0.66 not $; 0.69 not @; -0.2 not to; 0.19 not … ,; 0.11 not … @; -0.36 notes; -0.4 nothing;
    -0.3 nothing $; 0.72 now; -0.18 now $; 0.32 now ,; -0.48 now i; -0.36 now … and; 0.55 nowadays; -0.42 nowt;
    -0.83 number; -0.21 number #; -0.55 number $; -0.21 numbers; 0.21 o; -0.39 obviously; -0.03 of; -0.32 of #; 0.17
    of <month>; -0.16 of @; 0.26 of a; 0.51 of her; 0.21 of me; -0.4 of my; 0.19 of the; 0.41 of those; -0.41 of us;
    -0.23 of you; 0.23 of … #; 0.14 of … ,; 0.1 of … @; -0.35 of … in; -0.32 of … on; -0.2 off; -0.22 off $; 0.46
    off ,; -0.36 off my; -0.27 off the; 0.35 off to; 0.7 off … ,; -0.36 offers; 0.28 office; 0.22 oh; 0.38 oh and;
    -0.11 ok; -0.55 ok $; -0.42 ok so; 0.52 ok … ,; -0.55 okay; -0.22 old; 0.15 old $; -0.28 old … ,; 0.2 on; -0.27
    on #; -0.1 on $; 0.28 on ,; -0.55 on <day>; -0.29 on <month>; 0.48 on it; 0.34 on leave; -0.26 on me; -0.3 on
    my; 0.08 on the; 0.3 on top; -0.62 on … #; -0.04 on … ,; -0.63 on … <month>; 0.21 on … and; 0.39 on … in; 0.33
    on … is; -0.58 on … left; 0.35 on … now; 0.39 on … since; -0.36 once; 0.09 one; 0.08 one ,; -0.43 one @; -0.29
    one and; 0.19 one for; -0.35 one in; -0.32 one of; -0.43 one on; 0.36 one … #; -0.34 one … ,; -0.57 one … @;
    -0.39 one … the; 0.08 ones; -0.15 only $; -0.06 open; 0.4 opened; -0.42 or; 0.1 or $; 0.35 orange; -0.63 order;
    -0.24 other; 0.07 other $; 0.34 other one; 0.29 others; -0.05 our; -0.2 our @; -0.33 ours; 0.02 out; -0.21 out
    $; 0.43 out ,; -0.35 out on; -0.51 out to; -0.26 out … the; -0.3 outside; -0.11 over; -0.3 over it; 0.71 over
    to; 0.24 over … @; -0.5 owes; -0.2 own; -0.42 owner; 0.29 page; -0.37 paid; 0.21 painted; 0.18 paper; -0.3 park;
    -0.42 parking; 0.45 part; 0.27 passed; -0.37 password; 0.15 past; 0.29 past … ,; -0.31 patient; -0.49 pay; -0.51
    pays; 0.3 peace; 0.34 pen; 0.1 people; -0.2 per; 0.23 person; -0.38 pick; -0.31 picked; -0.34 pickup; -0.36
    piece; -0.36 pink $; 0.4 pipe; -0.44 pitch; 0.47 place; 0.23 place $; -0.19 plan; -0.44 planned; -0.23 please;
    0.08 please $; 0.21 please ,; -0.59 pls; -0.32 pls $; 0.21 point; -0.32 points; -0.36 police; -0.41 poor; -0.82
    poor $; -0.45 porch; 0.44 possible; 0.36 post; -0.41 pounds; 0.18 pounds $; -0.25 pounds a; -0.48 pressure;
    -0.23 price $; 0.7 price … #; -0.2 print; 0.34 problem; 0.45 pulled; -0.35 pump; 0.4 pushed; 0.71 put; -0.26 put
    $; -0.32 put it; 0.24 put me; 0.23 put … in; 0.48 puts; 0.35 quarter to; -0.46 queen; -0.38 quiet; 0.4 quite;
    -0.3 radio; -0.59 rain; -0.46 raised; 0.6 rang; 0.44 rather; 0.43 re; 0.37 read; 0.46 read the; -0.31 ready;
    -0.23 ready on; 0.36 real; -0.51 reason; -0.4 reckons; -0.14 red; 0.29 red $; 0.3 remain; -0.72 remains; -0.31
    remains $; -0.57 remember; -0.4 remind; -0.31 remind me; -0.75 remove; 0.25 report; -0.35 results; 0.32 retired;
    -0.29 right; -0.36 right @; 0.14 ring; -0.42 river; 0.42 roof; -0.4 roof $; 0.23 room; 0.65 room ,; -0.43 room
    @; -0.28 rota; 0.36 round; 0.39 rule; 0.35 sage; -0.09 said; 0.61 said #; -0.4 said ,; -0.43 said it; -0.37 said
    … @; 0.35 same $; 0.23 same as; 0.65 same price; 0.33 same time; -0.47 same … ,; -0.43 saw $; 0.2 say; 0.56 say
    #; -0.23 say $; 0.69 says; 0.6 says #; 0.24 says $; 0.21 says ,; 0.51 says the; -0.29 says … ,; -0.32 says … @;
    -0.33 scan; -0.4 scratch; -0.48 screen; 0.6 se; -0.34 sea; 0.44 season; 0.23 seat; 0.4 seat $; -0.36 secret;
    0.34 see; -0.29 see $; 0.62 seen; -0.28 seen $; -0.31 sees; 0.44 send; 0.36 send $; 0.4 send the; -0.54 sense;
    0.36 sent; -0.48 separate; -0.38 server; -0.07 set; -0.25 seven; 0.28 seven $; 0.4 seven ,; 0.3 shall; 0.23
    shall $; 0.16 shall be; 0.11 she; -0.22 she $; -0.17 she is; 0.39 she says; -0.3 she … ,; 0.22 she … a; 0.56 she
    … the; -0.2 she'd; 0.39 she's; -0.33 she's $; -0.29 sheet; 0.4 sheets; 0.51 shifted; -0.41 shoes; -0.24 shop;
    -0.19 short; -0.54 should; -0.23 should be; -0.58 shouldn't; -0.27 show; 0.62 showed; 0.3 shows; 0.14 shut; 0.29
    sick; -0.29 sign; 0.31 since; -0.53 since #; 0.3 since <day>; 0.33 since <month>; 0.37 since @; 0.46 since the;
    0.55 since … @; 0.31 single; -0.31 sink; -0.56 sis; -0.22 sister; 0.41 sit; 0.26 six $; -0.27 six … ,; -0.43 six
    … @; 0.4 sixteen; 0.38 sixteen $; -0.5 sixty; -0.29 size #; 0.34 sleep; 0.18 sleep $; -0.41 sleeping; -0.24
    slept; -0.35 slow; 0.24 small; 0.45 smells; -0.31 smoke; 1.02 so; 0.76 so #; -0.24 so $; 0.34 so @; 0.41 so a;
    -0.38 so far; 0.17 so i; 0.46 so it's; -0.26 so much; -0.31 so no; 0.29 so that's; 0.24 so the; -0.27 so you;
    0.31 so … #; 0.27 so … @; 0.3 so … are; -0.29 so … i; 0.3 so … in; -0.19 so … that; 0.25 so … the; 0.17 sold;
    0.27 sold the; 0.44 sold … @; -0.33 some; -0.35 someone; -0.18 something; -0.24 son; -0.24 son @; 0.21 sorry;
    0.27 sorry ,; -0.5 sort; 0.25 sound; 0.23 speak; -0.36 split; 0.3 stage; 0.23 stands; -0.32 starts; -0.51 stay;
    -0.36 stayed; -0.62 stays; -0.26 stays $; 0.51 steps; 0.45 sticker; -1.03 still; -0.39 still #; -0.03 still $;
    -0.36 still the; 0.34 still … ,; 0.6 stolen; 0.37 stood; -0.3 stopped; -0.29 story; -0.35 straight; 0.28 studio;
    -0.08 stuff; 0.22 suit; 0.29 suits; 0.72 sum; 0.68 summer; 0.29 summer $; 0.36 swap; 0.66 swapped; 0.42 sweet;
    -0.42 ta; -0.27 ta $; -0.18 table; -0.1 take; 0.69 take #; 0.13 take $; 0.5 taken; -0.35 takes #; 0.35 takes $;
    -0.38 tank; 0.54 tape; -0.31 tea; -0.23 teacher; 0.49 teal; -0.22 team; 0.34 tell her; -0.29 tell me; -0.22
    telling; 0.19 ten $; 0.21 ten … ,; 0.48 tested; 0.35 than i; -0.07 thank; -0.27 thank $; -0.1 thank you; -0.22
    that; -0.13 that $; 0.44 that @; -0.13 that i; -0.43 that is; -0.39 that was; 0.4 that … #; 0.27 that … @; 0.51
    that … is; -0.2 that … the; -0.15 that's a; -0.32 thats; 0.07 the; 0.32 the #; 0.15 the $; -0.42 the <time>;
    -0.27 the @; -0.38 the baby; -0.45 the bed; -0.23 the best; -0.49 the blue; -0.28 the bus; 0.38 the cake; 0.15
    the car; -0.3 the cat; 0.37 the church; -0.12 the day; 0.5 the desk; 0.66 the end; -0.23 the first; 0.5 the
    front; -0.37 the lads; 0.25 the last; -0.5 the left; 0.28 the morning; -0.66 the new; 0.55 the night; -0.33 the
    number; -0.41 the old; 0.41 the one; 0.12 the other; 0.31 the paper; 0.55 the rest; 0.36 the right; -0.36 the
    river; -0.26 the road; -0.08 the same; -0.41 the small; 0.31 the two; 0.17 the way; -0.16 the whole; -0.34 the …
    #; 0.1 the … ,; -0.16 the … :; 0.17 the … ?; -0.29 the … after; 0.36 the … and; -0.21 the … as; -0.13 the … at;
    -0.26 the … by; 0.27 the … comes; 0.18 the … day; 0.46 the … does; -0.29 the … door; -0.11 the … for; -0.23 the
    … from; 0.36 the … go; 0.23 the … got; 0.3 the … had; 0.2 the … has; 0.28 the … i; 0.28 the … in; 0.43 the … is;
    -0.25 the … list; 0.07 the … of; 0.21 the … off; -0.28 the … on; 0.21 the … ones; 0.45 the … people; -0.35 the …
    place; 0.17 the … room; 0.38 the … the; 0.25 the … thing; 0.33 the … till; -0.2 the … time; 0.21 the … to; 0.32
    the … two; 0.32 the … was; 0.39 the … week; 0.19 the … went; -0.3 the … with; 0.49 the … would; 0.08 their;
    -0.62 theirs; 0.77 then; 0.37 then $; 0.39 then ,; -0.41 then @; -0.29 then the; 0.74 then … and; 0.11 there;
    0.28 there @; 0.44 there are; 0.36 there is; 0.51 there's; -0.21 there's a; 0.51 therefore; 0.5 these; 0.25
    these $; 1.03 these days; 0.41 these … ,; 0.51 they; 0.32 they $; -0.26 they are; -0.33 they have; -0.24 they
    were; 0.6 they've; 0.09 thing; 0.22 thing $; -0.3 think; -0.47 thinks; 0.22 third; 0.45 thirteen; -0.42 thirty;
    -0.18 thirty $; -0.29 thirty ,; -0.37 thirty one; -0.46 this; 0.45 this $; 0.37 this morning; 0.43 this time;
    0.21 this year; 0.29 this … ,; -0.15 this … @; -0.46 this … only; 0.39 tho; 0.21 tho $; 0.33 tho ,; 0.43 those;
    0.22 thousand $; -0.27 threw; -0.16 through; -0.59 throw; 0.56 thus; -0.26 thx; -0.39 till <month>; -0.22 time
    $; 0.21 time ,; 0.29 to; 0.56 to #; 0.08 to $; 0.73 to <day>; 0.54 to <time>; 0.08 to @; -0.38 to go; -0.42 to
    have; -0.29 to her; -0.27 to know; -0.27 to me; 0.55 to my; 0.44 to one; -0.28 to say; -0.29 to the; 0.34 to
    three; 0.42 to … #; 0.33 to … ,; 0.1 to … @; -0.19 to … a; 0.25 to … and; 0.35 to … at; -0.14 to … in; -0.29 to
    … it; -0.24 to … my; -0.21 to … on; -0.34 to … the; -0.43 today; 0.21 today $; -0.26 told; -0.3 told $; -0.28
    tomorrow; -0.38 tomorrow … #; -0.16 tonight; -0.08 too; -0.19 too $; -0.59 too ,; 0.31 too … @; 0.19 too … for;
    0.19 took; -0.28 took $; -0.16 took the; 0.18 top; 0.4 traded; 0.53 traffic; 0.17 train; -0.44 treat; -0.41
    trip; -0.31 turn; 0.69 turns out; -0.28 twelve; -0.24 twice; 0.41 twin; 0.11 two $; -0.61 two ,; -0.14 two … ,;
    -0.28 two … @; 0.19 two … the; 0.4 typed; -0.51 u; -0.46 u $; -0.45 unchanged; -0.22 uncle; -0.32 units; 0.49
    until; -0.23 until $; 0.16 until the; 0.22 until … #; 0.25 up; 0.12 up $; -0.37 up at; 0.17 up on; 0.52 up to;
    0.39 up … #; 0.74 upon; -0.3 upstairs; 0.43 us; 0.21 us $; 0.24 us to; 0.4 us … the; 0.2 use; -0.35 used; -0.26
    used to; -0.39 user; -0.1 user:; 0.29 user: #; 0.13 user: <day>; -0.38 user: <month>; 0.4 user: <time>; 0.56
    user: after; -0.41 user: alright; 1.0 user: also; 1.29 user: and; -0.48 user: can; -0.45 user: could; -0.48
    user: delete; -0.06 user: do; -0.33 user: don't; 0.24 user: dr; -0.32 user: drop; -0.38 user: evening; -0.32
    user: flat; -0.4 user: forget; -0.34 user: forgot; 0.45 user: found; 0.26 user: from; -0.19 user: go; -0.22
    user: good; 0.27 user: got; -0.69 user: had; -0.3 user: hello; -0.65 user: her; -0.29 user: here's; -0.17 user:
    hey; -0.17 user: hi; -0.52 user: his; -0.33 user: hiya; 0.25 user: hmm; -0.33 user: how; -0.36 user: i; -0.25
    user: i'll; -1.26 user: if; -0.6 user: in; -0.45 user: is; -0.32 user: it; -0.28 user: it's; -0.23 user: k;
    -0.54 user: last; -0.22 user: me; -0.4 user: mornin; -0.64 user: morning; 0.2 user: mrs; -0.53 user: my; -0.15
    user: nah; -0.41 user: never; 0.48 user: new; -0.27 user: next; -0.7 user: no; 0.22 user: not; -0.61 user: now;
    0.1 user: oh; -0.28 user: ok; 0.24 user: one; 0.32 user: only; -0.57 user: our; -0.46 user: please; -0.28 user:
    remember; -0.25 user: remind; -0.34 user: remove; -0.31 user: same; -0.57 user: seven; 0.1 user: she; -0.5 user:
    should; -0.44 user: sister; 0.47 user: so; -0.38 user: strike; -0.85 user: take; -0.37 user: that; -0.36 user:
    that's; -0.11 user: the; 0.25 user: there; -0.8 user: this; -0.47 user: today; 0.22 user: voice; 0.67 user:
    wait; -0.08 user: we; 0.32 user: well; -0.79 user: were; -0.56 user: what; -0.26 user: what's; -0.31 user: wife;
    0.52 user: with; -0.72 user: would; -0.28 user: yo; -0.26 user: your; -0.3 uses; 0.17 very; 0.31 vet; 0.52 view
    of; 0.28 voice; 0.44 vote; 0.3 voted; 0.09 w; 0.18 w $; -0.47 wait $; -0.28 waiting; -0.29 wall; -0.23 want a;
    0.19 wants; 0.39 wants it; 0.55 wants the; -0.41 wants to; -0.3 warm; 0.13 was; -0.36 was $; -0.31 was ,; -0.43
    was @; -0.17 was a; -0.34 was it; 0.25 was on; 0.16 was the; -0.31 was … a; -0.4 was … and; 0.31 was … by; -0.22
    was … for; -0.24 way $; 0.32 way ,; 0.58 we; 0.55 we can; 0.29 we get; -0.21 we got; -0.49 we had; -0.35 we
    shall; 0.35 we … @; 0.36 we … for; 0.29 we … in; -0.23 we … it; -0.39 we … the; -0.16 we … to; -0.36 we'd; 0.16
    we'll; 0.32 we're; 0.25 we've; 0.04 week $; 0.15 week ,; 0.2 week … ,; -0.15 weekend; -0.42 weeks; -0.33 weight;
    -0.2 well; -0.34 well … @; 0.35 went; 0.52 went to; 0.31 went … @; -0.28 were $; -0.47 were … to; -0.25 what;
    -0.29 what $; -0.16 what if; -0.29 what … i; -0.34 what's; -0.27 whatever; 0.25 when i; 0.18 where; -0.59 which
    is; 0.32 while; 0.24 white; -0.35 who; -0.51 who $; 0.15 whole; -1.07 why; -0.14 wife; -0.41 wife @; -0.49 wifi;
    0.41 will; 0.19 will $; 0.19 will do; 0.38 will not; 0.53 will … me; -0.32 will … the; -0.39 win; 0.25 window;
    -0.78 windows; 0.33 with; -0.3 with #; -0.4 with $; 0.13 with @; 0.21 with a; -0.23 with … @; 0.31 with … and;
    0.19 with … on; -0.29 wk; 0.46 woman; 0.21 won't; 0.46 wood; -0.18 work; 0.44 work $; -0.36 worked; -0.35 worse;
    0.2 would be; 0.43 would do; -0.37 would like; 0.41 would … believe; 0.28 wrist; 0.22 write; 0.39 writes; 0.77
    wrong; 0.42 wrote; 0.27 y; -0.29 ye; -0.67 yeah; -0.06 year; -0.21 years; 0.22 years $; 0.04 yes; -0.53 yes $;
    -0.37 yes ,; 0.35 yes … #; 0.34 yesterday ,; -0.52 yet; -0.39 yo; -0.43 you; 0.61 you #; -0.1 you $; -0.19 you
    ,; 0.4 you ?; -0.2 you a; -0.26 you and; -0.22 you are; 0.41 you at; 0.42 you believe; 0.15 you can; -0.27 you
    get; 0.48 you know; 0.29 you may; -0.36 you on; 0.39 you please; -0.25 you … #; 0.26 you … <time>; 0.1 you … @;
    -0.18 you … it; -0.5 you … me; -0.3 you … my; 0.26 you … that; 0.03 you … the; 0.3 you'd; 0.36 you'll; -0.14
    you're; -0.34 you've; 0.17 young; 0.42 young @; -0.16 your; -0.49 your $; 0.34 your … is; -0.2 yourself
"""
VECTOR = (
    "UirINo6mKLEwPh8sOTlKJPA6KUBuu/O2bbzYNdi7+D5uPEm1RzwHvFi3eKZWvgKytzxOOdW3VrxdOey/czxuP9e4jjonteS8QjlMsbm2FD6dtPuw"
    "Gjd3Pd0y/KDauWs0Zj0psSm54z0zNG+40r1KtToutTdEPF+9ozRiPkE8Vbigtqi+JzxMwfnAlyosPOctnjsOOAm0WL3EuM+4ZzysvYs8W7dDt0sx"
    "Mjn+toIz9TvUwAo7hD+hnKm3EDxkvDy8wjA2tfO0DMBFvOI8krU0tkIseLmpOnq0pbWBMSY3iDjjPIs5OLqhrrm9PLZfuMonjLm+Nau99bvsugw/"
    "JLIAAFU6H7fVNSO5PzinOoS4x7U9ufC9szl7Kvi+F7rlNUK9cD9duxa9jrr+Ozy5LzxqtoQwJzkZOIo+DzAPQTs/T7MzPNUxeC+VPqs0MrUavU6x"
    "A7mMNPs39TOYPAA+ib12uFM3X50LOP83jTjLOHw95zqEOOc3GrtrvBhBADsHMds7NzIWtJ0qXDhzGXo/TLtiODq9UK8pNx+6hjUmQHI6HjzfPM1A"
    "9Dc9O1e2ETrnv0e6RjgKt+ov6zeQM9Q87DUAgIU5a7tnt0MvsS9Suko3KjiLNH+8WzPouQ8s3T1Zvc26nTimum46GLlvNza5rbZNPbg9hjowOMYz"
    "CjRqPe++hMC9Npc8tjYCOGa3Gq2uN9G6ETfMOIRBEzrEshqtkC6fMFq4UrRrOi686zxwNh60OblkOGa6M7aXPau0QrrzLjW88LALOVyuhTZevJW1"
    "V7hhO404szIFtdAuwjuytjm7wTkQvhCySriJuRo0A72IN4c6lDcpuec/RLnineg9ib0fADa8ga9Gvrs0J7ppt5W7IzncNcU9FMANvdE52bEduQq1"
    "O7AotWK9e7jhtT2+I7lAu4a1GzoLrPI9BzdMwQM3h76PuM8vdzATOXy1iqwYOqC/ei3Juyi6z7znuQW6QrVWORI2rrihOVAvlzX2tGWp87Xzr4S4"
    "ecDTMai9pr5Utpi/"
)
"""A weight for each dimension, half precision."""


WORDS = listed_weights.read(_LISTED)
"""By word or pair of words; one without a weight has 0."""
