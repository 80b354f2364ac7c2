"""The fitted weights of `correction_cue`, written by `python -m benchmarks.corrections --fit`."""

from remembrancer.domain.capture import listed_weights

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
BIAS = -1.909
_LISTED = """
    0.27 !; -0.01 ! !; 0.11 ! #; 0.16 ! @; 0.23 ! i; -0.1 #; 0.13 # !; -0.02 # ,; -0.25 # <month>; -0.15 # ?; 0.08 #
    after; 0.06 # euros; 0.18 # is; 0.09 # more; 0.08 # now; 0.11 # per; -0.28 # pounds; 0.06 # same; 0.17 # since;
    0.16 # so; 0.1 ,; -0.12 , <time>; -0.03 , @; 0.02 , after; -0.13 , before; 0.03 , got; 0.09 , i; 0.36 , it;
    -0.12 , it's; -0.19 , let; -0.17 , my; 0.13 , new; 0.02 , now; 0.46 , same; 0.08 , says; 0.04 , shes; -0.06 ,
    since; 0.28 , so; -0.02 , the; 0.07 , they; 0.04 , they've; 0.12 , though; 0.01 , three; 0.12 , too; 0.08 , we;
    0.15 , we're; 0.02 , which; -0.08 , yes; 0.42 :; 0.1 : #; 0.04 : it; 0.2 : the; 0.94 <change>; 1.1 <cue>; 0.06
    <day> !; 0.09 <day> #; -0.03 <day> ,; 0.16 <day> @; 0.29 <day> for; 0.15 <day> from; 0.08 <day> so; -0.56
    <excluded>; -0.31 <month>; -0.44 <month> ,; -0.29 <month> @; -0.21 <month> at; -0.06 <price>; 0.01 <time>; -0.37
    <time> ,; -0.24 <time> and; 0.12 <time> from; 0.04 <time> that; 0.47 <wrong>; -0.61 ?; -0.07 ? i; -0.07 @ @; 0.1
    @ as; 0.14 @ asked; 0.13 @ de; 0.43 @ for; -0.04 @ got; 0.12 @ had; 0.26 @ has; 0.05 @ have; 0.23 @ is; 0.09 @
    last; 0.12 @ mum; 0.14 @ now; 0.08 @ out; 0.06 @ the; 0.01 @ turned; 0.06 @ was; 0.08 @ who; -0.06 a; 0.26 a @;
    0.04 a flat; 0.16 a full; 0.18 a half; 0.15 a little; -0.04 a new; 0.01 a quarter; 0.08 a word; 0.34 ab; 0.19
    above; 0.12 account of; 0.11 afraid; 0.27 after; 0.17 after all; 0.07 after the; 0.05 afternoon; 0.03 afternoon
    ,; 0.14 afternoon @; 0.41 again; 0.09 again ,; 0.35 again @; 0.16 agreed; 0.11 ahora; 0.09 all; 0.08 all ,; 0.14
    all along; 0.07 all in; 0.13 all the; 0.01 along; 0.07 also; 0.01 also the; -0.12 always; -0.06 always forget;
    0.01 an all; -0.13 and; -0.08 and <time>; -0.01 and @; 0.25 and a; -0.01 and after; 0.07 and i've; 0.08 and
    it's; 0.05 and she's; -0.21 and the; 0.01 and there; 0.1 and we; 0.24 ankle; 0.15 another; 0.23 any more; 0.23
    as; 0.22 as @; 0.35 as of; 0.07 as the; 0.18 asks; -0.18 assistant: a; -0.28 assistant: i; -0.07 assistant:
    i'll; -0.06 at <time>; 0.15 at it; 0.07 at ten; 0.41 au; 0.14 baby; 0.31 bank; 0.24 be at; -0.19 be there; -0.14
    because; 0.19 become; 0.14 bedroom; 0.06 been; -0.11 before you; 0.27 being; 0.1 believe; 0.26 better; 0.11 big;
    0.16 birthday; -0.12 bless; 0.04 boiler; 0.34 broke; 0.1 brother @; 0.1 btw; 0.19 btw ,; 0.11 bumped; -0.16
    business; -0.17 by <day>; 0.01 by my; 0.22 by the; 0.28 came; 0.11 came back; -0.06 can; -0.07 can you; 0.12
    can't do; 0.09 castle; 0.1 cause; 0.22 change; 0.13 changed; 0.01 changed ,; 0.09 changed the; -0.22 charge;
    0.01 checked; -0.08 cheers; 0.09 chicken; 0.17 church; 0.1 closed; 0.26 come on; 0.07 coming; 0.16 committee;
    0.17 company; -0.2 costs; -0.15 costs #; 0.36 count; 0.15 counted; 0.13 cried; -0.01 cut; 0.17 dark; 0.14 days;
    0.08 days ,; 0.25 dear; 0.16 dear @; 0.08 decided; -0.25 delete; 0.11 department; -0.21 deposit; -0.19 des; 0.16
    did it; 0.05 do; 0.18 do <day>; 0.13 do <time>; -0.03 do i; -0.16 do not; -0.11 do that; 0.06 doc; 0.12 does it;
    0.18 doing; 0.2 doing the; 0.33 don; -0.32 don't; -0.03 don't forget; -0.1 don't let; 0.03 done; 0.11 done ,;
    -0.12 dont; 0.11 double; 0.11 double booked; 0.17 down; 0.1 down as; 0.27 down to; 0.22 drum; 0.13 dry; -0.38
    each; 0.14 early; 0.09 easter; 0.1 em ,; 0.28 end; 0.08 end ,; 0.18 end of; 0.1 error; -0.01 euros; 0.05 evening
    @; -0.24 ever; -0.17 everyone; 0.11 everything; -0.08 extra; 0.01 far; 0.18 fat; -0.15 fee; 0.12 feel; 0.06
    fifteen; 0.18 fifty; 0.11 find; 0.04 first ,; 0.08 fitted; 0.39 five; 0.02 five ,; 0.19 five days; 0.03 flu;
    -0.33 for #; -0.42 for @; 0.28 for good; 0.04 for her; 0.14 for me; -0.6 forget; -0.11 forget it; -0.04 forget
    my; -0.12 forget the; -0.09 forget to; -0.1 forgets; -0.12 forgetting; -0.32 forgot; -0.09 forgot my; 0.24
    forward; 0.56 found; 0.13 found the; 0.15 four; 0.16 four ,; 0.1 freezer; -0.27 friend; -0.18 friend @; -0.04
    from; 0.19 from <month>; 0.17 from here; -0.13 from me; 0.3 from now; 0.26 from this; 0.26 from today; 0.18
    funny; 0.17 further; 0.42 gave; 0.08 gave me; 0.11 gave us; -0.31 get; 0.2 girl; 0.08 girls; 0.22 give me; 0.12
    given; 0.01 given up; 0.15 go to; 0.16 going; 0.8 gone; 0.09 gone ,; 0.23 gone to; 0.13 gone up; 0.11 good
    afternoon; 0.06 good morning; 0.53 got; 0.1 got a; 0.12 got the; 0.1 grandson; 0.09 grew; 0.14 guess; -0.04 had;
    0.12 had her; 0.07 had the; -0.29 haha; 0.33 half; 0.12 half #; 0.12 half past; 0.14 hall; 0.26 handed; 0.09
    happy; 0.15 has; 0.09 has been; 0.04 has come; 0.11 has gone; 0.13 has her; 0.04 has moved; 0.22 has taken; 0.12
    have; -0.32 have #; -0.22 have a; 0.08 have been; 0.02 haven't; -0.25 head; 0.24 hello again; 0.12 her; -0.12
    her own; -0.1 here; -0.14 hope; -0.03 hospital; 0.02 house ,; -0.1 how; 0.15 hundred; 0.05 hundred and; -0.28
    husband; -0.28 i can; -0.11 i do; 0.12 i find; -0.12 i forget; -0.13 i forgot; 0.07 i found; 0.13 i got; 0.3 i
    have; -0.09 i keep; -0.18 i will; -0.09 i would; -0.15 i'd; -0.45 i'll; 0.01 i'm; 0.16 i'm in; 0.24 i've; 0.11
    i've been; 0.1 i've gone; 0.02 i've the; -0.43 if; -0.07 if @; -0.05 if i; -0.07 if it; -0.1 if she; -0.04 if
    the; -0.1 if they; -0.08 if we; 0.27 im on; -0.1 in; 0.11 in ,; 0.18 in it; 0.15 in the; 0.16 instead; 0.15
    instead ,; -0.05 into the; 0.16 is; -0.45 is @; 0.1 is called; 0.06 is dead; 0.15 is down; 0.05 is now; -0.01 is
    out; -0.14 is still; 0.13 is to; 0.33 is too; 0.12 is what; 0.09 it; 0.15 it #; 0.18 it ,; 0.12 it @; -0.11 it
    be; 0.24 it is; 0.22 it will; 0.44 it's; 0.09 it's #; 0.12 it's @; 0.06 it's a; 0.08 it's the; 0.24 its; 0.21
    its the; 0.25 ive; 0.11 jetzt; 0.03 just the; -0.29 keep; 0.16 keys; 0.08 kicks; 0.19 kofi; 0.14 lads; 0.18
    lamps; 0.06 land; 0.2 landlord; 0.06 last night; -0.12 last time; -0.28 last year; 0.15 laugh; 0.08 laundry;
    0.06 leaks; 0.19 leave ,; -0.11 leave it; -0.4 left; 0.08 legal; 0.18 les; -0.38 let; -0.1 let me; 0.14 letter;
    0.13 lie; 0.22 little; 0.27 longer; 0.15 longer ,; 0.32 look; 0.27 look at; 0.28 looked; -0.11 lose; 0.06 lower;
    0.21 mad; 0.31 make; 0.14 make it; 0.17 manager; -0.13 maybe; 0.21 me; 0.28 me again; -0.02 me forget; 0.25 me
    on; 0.09 means; 0.03 measure; -0.05 measured; 0.04 midnight; 0.05 milk; -0.16 mind ,; -0.04 mixed; 0.35 more;
    0.26 more ,; 0.03 morning; 0.13 morning !; 0.19 morning @; 0.09 morning and; 0.13 mornings; 0.28 moved; 0.14
    moved in; 0.18 moved to; 0.1 moves; 0.15 mrs; 0.11 mrs @; 0.15 my bank; -0.15 my friend; -0.15 name; -0.28 need;
    -0.12 need to; 0.25 needs; 0.15 needs a; -0.36 never; 0.08 new; 0.05 new one; 0.07 news; -0.12 nice; -0.77 no;
    -0.26 no ,; -0.11 none; 0.23 normal; -0.71 not; 0.03 not #; 0.12 notice; 0.27 nous; 0.56 now; 0.14 now #; 0.1
    now ,; 0.06 now on; -0.2 number #; 0.08 number ,; -0.01 of; 0.08 of a; 0.12 of today; 0.14 off ,; 0.11 off to;
    0.27 office; 0.28 oh and; -0.24 ok; -0.04 on; 0.17 on ,; -0.29 on <day>; 0.12 on account; 0.14 on at; 0.06 on
    one; 0.1 on the; 0.04 one to; -0.26 only ,; -0.12 or; 0.09 ourselves; 0.09 out; 0.25 over; 0.06 over it; 0.1
    painted; 0.26 part; 0.1 past; 0.04 patch; 0.15 people; 0.17 place; -0.06 please; -0.06 please do; -0.2 poor;
    -0.24 pounds; 0.07 proper; 0.17 properly; 0.08 put a; 0.25 put me; 0.06 quarter; 0.08 quarter to; 0.03 ran; 0.37
    rang; 0.15 re; 0.15 read; 0.19 remain; -0.1 remember; -0.05 remind; 0.14 reports; 0.01 rest; 0.12 retired; -0.03
    ring you; 0.13 roll; 0.06 round; 0.09 runs; 0.11 same; 0.32 say #; 0.41 says; 0.19 says #; 0.13 says the; 0.12
    scales; 0.32 se; -0.02 send; 0.19 settled; 0.15 seven; 0.01 seventeen; 0.17 she can; 0.14 she has; 0.11 she
    says; -0.04 she's; 0.05 she's on; 0.2 shed; 0.11 shifted; 0.12 side; 0.13 signed; 0.02 since; -0.07 since <day>;
    0.16 since <month>; -0.01 since @; 0.04 since i; 0.07 since the; 0.05 sits; 0.01 sitting; 0.02 six; 0.06 six ,;
    -0.11 skip; 0.78 so; 0.33 so #; 0.02 so <day>; -0.04 so @; 0.08 so he's; 0.18 so i; 0.08 so i'm; -0.03 so it;
    0.07 so it's; -0.03 so its; 0.09 so that's; 0.18 so the; 0.16 so we; 0.03 so we're; 0.18 sofa; 0.07 sold; 0.03
    sorry ,; 0.13 stand; -0.76 still; 0.23 swapped; -0.07 ta; 0.25 taken; 0.17 tape; 0.13 tell @; 0.27 ten; 0.15
    tested; 0.08 than i; -0.12 thank; -0.15 thank you; 0.22 that @; -0.27 that i; -0.21 that is; 0.02 that the; 0.19
    the; 0.2 the #; 0.08 the <day>; 0.15 the big; 0.08 the boiler; 0.09 the castle; 0.08 the church; 0.14 the dark;
    0.05 the date; 0.2 the end; 0.11 the flowers; 0.03 the hospital; 0.1 the house; 0.07 the keys; 0.1 the letter;
    -0.09 the new; 0.1 the paper; 0.15 the phone; 0.06 the rest; 0.16 the right; 0.07 the shed; 0.2 the sofa; 0.07
    the ward; 0.27 the way; 0.16 the weekend; 0.03 the wrong; 0.24 them ,; 0.19 them @; 0.32 then the; 0.29 there's;
    0.18 there's a; 0.27 these; 0.37 these days; 0.21 they; 0.13 they can; 0.18 they've; 0.1 things; 0.11 this
    morning; 0.18 this week; 0.06 thought; -0.02 three; 0.06 three of; 0.22 to; 0.32 to #; 0.23 to <day>; 0.12 to
    <time>; 0.24 to @; 0.13 to five; 0.19 to one; -0.14 to say; 0.12 to tell; 0.03 to the; -0.02 too; 0.13 took;
    0.04 tooth; 0.02 train; 0.06 training; 0.1 trains; 0.21 turned; 0.02 turns; 0.12 turns out; 0.12 twenty; 0.22
    under the; 0.07 up; 0.16 up a; -0.08 up the; 0.15 up to; 0.15 up with; 0.2 update; 0.41 us; 0.07 us to; -0.26
    user: #; 0.15 user: after; 0.31 user: also; 1.16 user: and; -0.18 user: can; 0.27 user: dear; -0.03 user: do;
    -0.07 user: don't; -0.06 user: dont; 0.12 user: dr; -0.06 user: forget; -0.02 user: good; 0.12 user: half; 0.03
    user: hello; 0.01 user: hi; -0.21 user: his; -0.08 user: how; -0.1 user: i'd; -0.03 user: i'll; -0.43 user: if;
    -0.35 user: in; -0.22 user: is; 0.02 user: it; 0.17 user: it's; -0.2 user: last; -0.08 user: lovely; 0.11 user:
    me; 0.03 user: morning; 0.14 user: mrs; -0.37 user: my; 0.26 user: n; -0.08 user: never; 0.22 user: new; -0.43
    user: no; -0.1 user: ok; -0.18 user: please; 0.28 user: so; 0.03 user: sorry; -0.23 user: that; -0.04 user:
    they; 0.12 user: they've; 0.15 user: update; 0.21 user: wait; 0.07 user: we; -0.05 user: we've; 0.1 user: well;
    -0.23 user: were; -0.2 user: what; -0.13 user: yeah; -0.13 user: yep; 0.1 user: yes; -0.04 user: you; 0.08
    vendor; -0.16 very; -0.11 visit; 0.16 wait; 0.22 wanted; -0.07 was; 0.12 way; 0.03 way ,; 0.09 way @; 0.18 we;
    -0.19 we'd; 0.18 we're; -0.04 we've; 0.16 wee; 0.13 week; 0.1 week ,; 0.18 weekend; 0.13 weekly; -0.01 weighed;
    0.07 went; 0.03 went to; -0.21 what; -0.08 what if; 0.13 where; -0.03 which; 0.08 while; 0.02 will; 0.14 window;
    0.08 winter; 0.1 wir; 0.06 with; 0.21 with a; 0.02 with the; -0.16 worth; 0.04 would; -0.12 would it; 0.31 would
    you; 0.18 writes; 0.21 wrong; 0.06 wrong ,; 0.09 wrote; 0.15 ya no; -0.15 yeah; -0.17 yes; -0.15 you; -0.07 you
    are; 0.18 you believe; -0.1 you on
"""
VECTOR = (
    "vjg4pvIsIadpN1kw0rl4OdWgfjqYt4c1eLk/NPi1yDVQvKOwfimwLboxNbh+u2ctqDxjMYu8XLktMggjsTbBOha5CbpNtL25pjZFuPM2Rji3r9ev"
    "brTUNtEgm6pEtWistTncJjM1fTs1Otm7LL3hswMx1TaJOFu1ha/vncg5Jy5VtxG+mzdzvI65Cy4KPksruzfYOKAgdLK7s9oWqzgYrvAw9zQWMb42"
    "+jDltIC8pyyruk87LTtHq2y6sDrer9i7ia7ZNSE9oLw6udo5HbpFteOs7i5qOd2wYLD9s3U0XTWaNaO45bpKNu+6CbYKuw2sUjaMMEu8Nbd1sfg9"
    "xzgAAIyzsq1qsUCuLDVnq8C8jTTLtw66KjvTua66sLlLtPS4QTp7sF+6XzCoOuYxgDTVtMgpODtVuCA+B6zHMvI17rMnNJyyi6xqOYc4pLp8u0Mt"
    "BrB/Oa00szdAO588Fr0xo200kzTOttexGDV+OB00nTlLKUk8QLCTt+c42TaZOjo2wzPSsmo7szdhNaU7OzInNZu1jThMNXa0Q7UJPcc0t62XOQM6"
    "8DV0t1uyeDNyvHSofjWnsEc+k6tFNMU7CC0AgPEwqbh3uRyzk61ZuNWmLCw6q/O6QDn0qsm6gTf/vHS3vqqRr+M7miNSMMQ7nrdBPKs+tzipN28x"
    "FDUSN1G9a72Otek4FDjsKlG4ErQHNESyZS4XM1s9kigotlI6Ja0sLzS7ebmHO9G52Dn1M2Y4S7bTN1u+57sCPHS3BrMrKDK4fzBRPN26M6/GuwWw"
    "cDh6K9s3lDTguGE7HL3IuJC2QjWBvLG0MboIuPc3OzXKN840+C16tB4+uboiLoY1UrkEADWo+jROuuA13zciuaa4wTiyM4GvPb1PM5Qu9TQLJVy3"
    "ebuht7e2XLcquEC5KLlYuLauwDhUvOQ2sDb4vYMpGruovE+qALcgPZg1TDB9N4m2cLBBKFS2eLhas0i0NqnjNzGtV6WDMG0vODJWqrOoU7tftRmz"
    "krlgOEC73bxytkIy"
)
"""A weight for each dimension, half precision."""


WORDS = listed_weights.read(_LISTED)
"""By word or pair of words; one without a weight has 0."""
