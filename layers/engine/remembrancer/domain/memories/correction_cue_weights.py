"""The fitted weights of `correction_cue`, written by `python -m benchmarks.corrections --fit`."""

from collections.abc import Mapping

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
BIAS = -1.979
_LISTED = """
    0.27 !; 0.02 ! !; 0.11 ! #; 0.15 ! @; 0.2 ! i; -0.09 #; 0.13 # !; -0.01 # ,; -0.27 # <month>; -0.15 # ?; 0.09 #
    after; 0.1 # gets; 0.08 # hour; 0.21 # is; 0.09 # more; 0.1 # now; 0.11 # per; -0.28 # pounds; 0.07 # same; 0.17
    # since; 0.16 # so; 0.08 ,; -0.09 , <time>; -0.03 , @; 0.03 , after; -0.13 , before; 0.03 , got; 0.08 , i; -0.01
    , i'll; 0.04 , i've; 0.35 , it; -0.14 , it's; 0.13 , new; 0.04 , now; 0.45 , same; 0.05 , says; 0.04 , shes;
    -0.04 , since; 0.35 , so; -0.01 , the; 0.06 , they; 0.12 , though; 0.03 , three; 0.12 , too; 0.08 , we; 0.18 ,
    we're; 0.01 , which; -0.08 , yes; 0.37 :; 0.12 : #; 0.04 : it; 0.21 : the; 0.95 <change>; 0.99 <cue>; 0.07 <day>
    !; 0.08 <day> #; -0.06 <day> ,; 0.17 <day> @; 0.29 <day> for; 0.16 <day> from; 0.08 <day> so; -0.54 <excluded>;
    -0.31 <month>; -0.44 <month> ,; -0.3 <month> @; -0.22 <month> at; -0.08 <price>; -0.4 <time> ,; -0.23 <time>
    and; 0.12 <time> from; 0.04 <time> that; 0.46 <wrong>; -0.6 ?; -0.08 ? i; 0.01 @; -0.1 @ @; 0.13 @ and; 0.11 @
    as; 0.13 @ asked; 0.13 @ de; 0.1 @ doing; 0.43 @ for; -0.04 @ got; 0.13 @ had; 0.29 @ has; 0.03 @ have; 0.25 @
    is; 0.08 @ last; 0.11 @ mum; 0.16 @ now; 0.07 @ out; 0.06 @ the; 0.01 @ turned; 0.09 @ who; -0.05 a; 0.26 a @;
    0.16 a full; 0.19 a half; 0.16 a little; -0.05 a new; 0.08 a word; 0.35 ab; 0.19 above; 0.11 account of; 0.14
    afraid; 0.27 after; 0.17 after all; 0.06 after the; 0.06 afternoon; 0.03 afternoon ,; 0.14 afternoon @; 0.46
    again; 0.09 again ,; 0.37 again @; 0.15 agreed; 0.12 ahora; 0.07 all; 0.1 all ,; 0.13 all along; 0.07 all in;
    0.11 all the; 0.03 along; 0.11 also; -0.12 always; -0.06 always forget; 0.02 an all; -0.14 and; -0.06 and @;
    0.24 and a; -0.01 and after; 0.03 and i; 0.07 and it's; 0.05 and she's; -0.02 and so; -0.2 and the; 0.01 and
    there; 0.09 and we; 0.24 ankle; 0.13 another; 0.26 any more; -0.01 anymore; 0.21 as; 0.22 as @; 0.37 as of; 0.08
    as the; -0.09 ask; 0.11 asks; 0.04 assistant:; -0.13 assistant: a; -0.31 assistant: i; -0.07 assistant: i'll;
    -0.05 at <time>; 0.14 at it; 0.07 at ten; 0.41 au; 0.15 baby; 0.3 bank; 0.24 be at; 0.09 be the; -0.2 be there;
    -0.15 because; 0.18 become; 0.13 bedroom; 0.06 been; -0.11 before you; 0.23 being; 0.09 believe; 0.31 better;
    0.12 big; 0.16 birthday; -0.14 bless; 0.05 boiler; 0.34 broke; 0.08 brother @; 0.09 btw; 0.19 btw ,; 0.11
    bumped; -0.21 business; -0.48 but; -0.17 by <day>; 0.01 by my; 0.22 by the; 0.32 came; 0.09 came back; -0.03
    can; -0.09 can you; 0.13 can't do; 0.09 castle; 0.09 cause; 0.22 change; 0.11 changed; 0.02 changed ,; 0.09
    changed the; -0.23 charge; 0.01 checked; -0.08 cheers; 0.1 chicken; 0.18 church; 0.1 closed; 0.26 come on; 0.07
    coming; 0.18 committee; 0.18 company; -0.19 costs; -0.15 costs #; 0.36 count; 0.15 counted; 0.15 cried; -0.02
    cut; 0.16 dark; 0.12 days; 0.09 days ,; 0.24 dear; 0.15 dear @; 0.08 decided; -0.25 delete; 0.11 department;
    -0.2 deposit; -0.21 des; 0.16 did it; 0.01 do; 0.19 do <day>; 0.12 do <time>; -0.03 do i; -0.18 do not; -0.11 do
    that; 0.06 doc; 0.12 does it; 0.18 doing; 0.2 doing the; 0.35 don; -0.3 don't; -0.03 don't forget; -0.06 don't
    let; 0.12 done ,; -0.15 dont; 0.11 double; 0.11 double booked; 0.16 down; 0.11 down as; 0.29 down to; 0.22 drum;
    0.16 dry; -0.36 each; 0.14 early; 0.09 easter; 0.1 em ,; 0.26 end; 0.08 end ,; 0.18 end of; 0.09 error; 0.03
    euros; 0.06 evening; 0.04 evening @; -0.17 everyone; 0.11 everything; -0.09 extra; 0.01 far; 0.18 fat; -0.15
    fee; 0.12 feel; -0.02 fell; 0.07 fifteen; 0.18 fifty; 0.11 final; 0.06 find; 0.04 first ,; 0.09 fitted; 0.39
    five; 0.2 five days; 0.03 flu; -0.31 for #; -0.42 for @; 0.28 for good; 0.04 for her; -0.62 forget; -0.12 forget
    it; -0.04 forget my; -0.15 forget the; -0.09 forget to; -0.1 forgets; -0.13 forgetting; -0.32 forgot; -0.09
    forgot my; 0.24 forward; 0.56 found; 0.12 found the; 0.14 four; 0.16 four ,; 0.1 freezer; -0.27 friend; -0.18
    friend @; -0.03 from; 0.19 from <month>; 0.13 from here; 0.32 from now; 0.26 from this; 0.26 from today; 0.2
    funny; 0.19 further; 0.41 gave; 0.08 gave me; 0.11 gave us; -0.32 get; 0.19 girl; 0.08 girls; 0.22 give me; 0.13
    given; 0.02 given up; 0.14 going; 0.82 gone; 0.11 gone ,; 0.07 gone and; 0.23 gone to; 0.13 gone up; 0.1 good
    afternoon; 0.06 good morning; 0.55 got; 0.11 got a; 0.11 got my; 0.12 got the; 0.09 grandson; 0.1 grew; 0.15
    guess; -0.06 had; 0.12 had her; 0.07 had the; -0.3 haha; 0.33 half; 0.13 half #; 0.11 half past; 0.14 hall; 0.3
    handed; 0.08 happy; 0.14 has; 0.07 has been; 0.04 has come; 0.11 has gone; 0.13 has her; 0.05 has moved; 0.22
    has taken; 0.16 have; -0.34 have #; -0.22 have a; 0.08 have been; 0.03 haven't; -0.03 hello; 0.24 hello again;
    0.14 her; -0.11 her own; -0.08 here; -0.01 hi; -0.04 hospital; 0.02 house ,; -0.12 how; 0.16 hundred; 0.05
    hundred and; -0.27 husband; -0.32 i can; -0.12 i do; 0.11 i find; -0.11 i forget; -0.13 i forgot; 0.06 i found;
    0.14 i got; 0.29 i have; -0.09 i keep; -0.2 i will; -0.11 i would; -0.1 i'd; -0.44 i'll; -0.01 i'm; 0.17 i'm in;
    0.25 i've; 0.11 i've been; 0.05 i've gone; -0.02 i've got; 0.01 i've the; -0.45 if; -0.07 if @; -0.05 if i;
    -0.09 if it; -0.09 if she; -0.04 if the; -0.1 if they; -0.09 if we; 0.27 im on; -0.09 in; 0.13 in ,; 0.18 in it;
    0.12 in the; 0.19 instead; 0.14 instead ,; -0.05 into the; 0.16 is; -0.45 is @; 0.11 is called; 0.05 is dead;
    0.16 is down; 0.05 is now; -0.01 is out; -0.15 is still; 0.12 is to; 0.33 is too; 0.11 is what; 0.11 it; 0.16 it
    #; 0.2 it ,; 0.13 it @; -0.11 it be; 0.19 it is; 0.11 it isn't; 0.2 it will; 0.46 it's; 0.08 it's #; 0.12 it's
    @; 0.05 it's a; 0.07 it's the; 0.28 its; 0.2 its the; 0.24 ive; 0.13 jetzt; 0.03 just the; -0.27 keep; 0.16
    keys; 0.08 kicks; 0.2 kofi; 0.15 lads; 0.18 lamps; 0.06 land; 0.2 landlord; 0.06 last night; -0.13 last time;
    -0.3 last year; 0.14 laugh; 0.07 laundry; 0.06 leaks; 0.19 leave ,; -0.1 leave it; -0.41 left; 0.1 legal; -0.33
    let; -0.18 let me; 0.13 letter; 0.13 lie; 0.23 little; 0.28 longer; 0.15 longer ,; 0.35 look; 0.27 look at; 0.29
    looked; -0.13 lose; 0.06 lower; 0.21 mad; 0.34 make; 0.16 make it; 0.16 manager; -0.13 maybe; 0.26 me; 0.27 me
    again; -0.03 me forget; 0.24 me on; 0.1 means; 0.03 measure; -0.05 measured; 0.04 midnight; 0.04 milk; -0.16
    mind ,; -0.05 mixed; 0.36 more; 0.23 more ,; 0.01 morning; 0.13 morning !; 0.19 morning @; 0.08 morning and;
    0.13 mornings; 0.3 moved; 0.14 moved in; 0.19 moved to; 0.11 moves; 0.15 mrs; 0.11 mrs @; 0.14 my bank; -0.16 my
    friend; -0.12 name; -0.29 need; -0.14 need to; 0.26 needs; 0.14 needs a; -0.31 never; 0.04 new; 0.03 new one;
    0.07 news; -0.13 nice; -0.67 no; -0.26 no ,; 0.1 no longer; -0.11 none; 0.23 normal; -0.07 not #; 0.13 notice;
    0.27 nous; 0.6 now; 0.14 now #; 0.15 now ,; 0.07 now on; -0.2 number #; 0.08 number ,; 0.02 of; 0.08 of <day>;
    0.09 of a; 0.09 of the; 0.12 of today; 0.16 off ,; 0.1 off to; 0.27 office; 0.31 oh and; -0.2 ok; -0.04 on; 0.16
    on ,; -0.29 on <day>; 0.11 on account; 0.14 on at; 0.07 on one; 0.1 on the; 0.03 one to; -0.26 only ,; -0.11 or;
    0.14 out; 0.26 over; 0.06 over it; 0.07 over to; 0.1 painted; 0.26 part; 0.1 past; 0.04 patch; 0.16 people; 0.16
    place; -0.03 please; -0.06 please do; -0.24 pounds; 0.07 proper; 0.17 properly; 0.39 put; 0.06 put a; 0.19 put
    me; 0.05 quarter; 0.08 quarter to; 0.03 ran; 0.37 rang; 0.16 read; 0.19 remain; -0.12 remember; -0.06 remind;
    0.14 reports; 0.12 retired; 0.12 roll; 0.08 round; 0.12 same; 0.32 say #; 0.4 says; 0.21 says #; 0.13 says the;
    0.11 scales; 0.32 se; -0.01 send; 0.18 settled; 0.14 seven; 0.01 seventeen; 0.17 she can; 0.17 she has; 0.1 she
    says; 0.05 she's on; 0.2 shed; 0.11 shifted; 0.1 side; 0.15 signed; 0.01 since; -0.05 since <day>; 0.16 since
    <month>; -0.01 since @; 0.03 since i; 0.06 since the; 0.05 sits; 0.01 six; 0.07 six ,; 0.78 so; 0.32 so #; 0.02
    so <day>; -0.04 so @; 0.06 so he's; 0.14 so i; 0.07 so i'm; -0.02 so it; 0.06 so it's; -0.03 so its; 0.09 so
    that's; 0.17 so the; 0.18 so we; 0.03 so we're; 0.16 sofa; 0.04 sold; 0.05 sorry ,; 0.12 stand; -0.75 still;
    0.23 swapped; -0.07 ta; 0.27 taken; 0.17 tape; 0.14 tell @; 0.25 ten; 0.15 tested; 0.03 than; 0.12 than i; -0.13
    thank; -0.13 thank you; 0.27 that @; -0.26 that i; -0.19 that is; 0.03 that the; 0.2 the; 0.21 the #; 0.09 the
    <day>; 0.14 the big; 0.09 the boiler; 0.09 the castle; 0.15 the dark; 0.05 the date; 0.19 the end; 0.11 the
    flowers; 0.03 the hospital; 0.07 the keys; 0.12 the letter; -0.09 the new; 0.21 the office; 0.11 the paper; 0.15
    the phone; 0.05 the rest; 0.16 the right; 0.08 the shed; 0.2 the sofa; 0.07 the ward; 0.28 the way; 0.16 the
    weekend; 0.06 the whole; 0.03 the wrong; 0.25 them ,; 0.18 them @; 0.32 then the; 0.3 there's; 0.18 there's a;
    0.28 these; 0.38 these days; 0.18 they; 0.12 they can; 0.2 they've; 0.07 things; 0.11 this morning; 0.18 this
    week; 0.07 thought; -0.04 three; 0.05 threw; 0.23 to; 0.33 to #; 0.22 to <day>; 0.24 to @; 0.13 to five; 0.19 to
    one; -0.15 to say; 0.03 to the; 0.06 told you; 0.03 too; 0.16 too much; 0.15 took; 0.05 tooth; 0.07 training;
    0.1 trains; 0.25 turned; 0.04 turns; 0.13 turns out; 0.1 twenty; 0.21 under the; 0.07 up; 0.15 up a; -0.07 up
    the; 0.15 up to; 0.13 up with; 0.21 update; 0.39 us; 0.07 us to; -0.24 user: #; 0.15 user: after; 0.33 user:
    also; 1.1 user: and; -0.19 user: can; 0.26 user: dear; -0.02 user: do; -0.07 user: don't; -0.05 user: dont; 0.11
    user: dr; -0.03 user: evening; -0.05 user: forget; -0.02 user: good; 0.12 user: half; -0.02 user: hello; -0.21
    user: his; -0.08 user: how; -0.09 user: i'd; -0.03 user: i'll; -0.43 user: if; -0.35 user: in; -0.21 user: is;
    0.02 user: it; 0.19 user: it's; -0.19 user: last; -0.08 user: lovely; 0.09 user: me; 0.03 user: morning; 0.14
    user: mrs; -0.38 user: my; 0.25 user: n; -0.08 user: never; 0.22 user: new; -0.45 user: no; 0.24 user: oh; -0.1
    user: ok; -0.22 user: please; 0.27 user: so; 0.08 user: sorry; -0.22 user: that; -0.05 user: they; 0.12 user:
    they've; 0.15 user: update; 0.22 user: wait; 0.05 user: we; -0.04 user: we've; 0.09 user: well; -0.21 user:
    were; -0.19 user: what; -0.13 user: yeah; -0.13 user: yep; 0.11 user: yes; -0.05 user: you; 0.08 vendor; -0.15
    very; -0.12 visit; 0.17 wait; 0.22 wanted; -0.04 was; 0.13 way; 0.04 way ,; 0.09 way @; 0.19 we; -0.17 we'd;
    0.21 we're; -0.08 we've; 0.16 wee; 0.15 week; 0.09 week ,; 0.18 weekend; 0.14 weekly; 0.08 went; 0.03 went to;
    -0.09 what if; 0.11 where; -0.03 which; 0.06 while; 0.06 whole; 0.16 will not; 0.13 window; 0.08 winter; 0.05
    with; 0.22 with a; -0.17 worth; 0.07 would; -0.12 would it; 0.33 would you; 0.18 writes; 0.19 wrong; 0.05 wrong
    ,; 0.01 wrote; 0.16 ya no; -0.14 yeah; -0.16 yes; -0.13 you; -0.07 you are; 0.18 you believe; -0.1 you on; 0.09
    you to
"""
VECTOR = (
    "iznjKL0nIy1tOH4zVLlMOsuoJzp2uNI0wLmRNhy2wDcEvBWwviw1KY8xk7jIu9+lmDxxNJm83bk2MrkWqjYoOyC5qrp+tHW5ijcIuC431TeApj+p"
    "sLNWOKQt7rDktASwszkDMKo0hjuAOj67br1bsho0VDciOIC3YqnmLTI5iimCtsq9KThFvB+5Ry1gPuIsMjhuOAwuDyFjr7OuyDgatDYzDjR5Mzg1"
    "JDSZs3+8OzJtuWc7ozqeqba5ZDrQqce7BrFPNOs8srxfuk8547jZtdmr6TDBOM6xVrAHtT80ljRVNrG4mrqiNQy8GrfiuuSovjZMNFG8Dbd7sNw9"
    "8TgAAKu1l7F2rWit5DX/rxS9yzSOuIG5FjuauZ+6MLqgtWS52znmspG6DC/ROvMydjSOsxMlXzoWuFc+CKqpNKA1fbT9MDKlyaojOe03TrqQusMz"
    "J7SpOcg1jzfkOtE8Xr3PrhU1JDQTt8SxiTQsOLAzODoGKWk82rAbt685mjY6OiYzHDRTsQg67Tb8NDs7LzE2NfC0pzilNQm0IbQDPVIzJSiDOXU5"
    "NTZht6SzODFnvEwi8jUFq2E+P7CzNug6kh0AgC8unrglu7iwFa89uLyogzEEsBa7LDkwsPy5tjcrve62ia3IsFs8rDDbMUM7G7dIPKw+Wjg+OE0y"
    "dTKpNwe9Jb2EtBg52DesKQm4I7RpMaiyVis0L049Ryu5tjs6w6sdLuO7lbkQO5K6azplMuM3OLfsODG+G7wFPJ+2nbMisNe2NzQIPOO6H7IGu1my"
    "HTlcLfQ3ljUFuec6M73suJG3qjQmvF+1cbpbuIk2FzT5N6A0LzDmtcQ9h7rwMCczG7gEAMibVzXGufc2QjhNuSa57TklM5Gw5byZMeYw3TS9Jnq3"
    "rbp0uAW2k7jOteC4WLm1uJOvUTnmvNo2LDdxvZumEbvQvCesjLUtPf80/C1LOCq1a6qPqEK4MrlFs/20kRVsN0iqXabuLqItzDAlpqQiWrtGtj6x"
    "Z7m9Ny279rwMtegy"
)
"""A weight for each dimension, half precision."""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WORDS = _read(_LISTED)
"""By word or pair of words; one without a weight has 0."""
