"""The fitted weights of `correction_cue`, written by `python -m benchmarks.corrections --fit`."""

from collections.abc import Mapping

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
BIAS = -2.259
_LISTED = """
    0.28 !; -0.01 ! !; 0.11 ! #; 0.25 ! i; 0.11 ! it; -0.03 ! so; 0.05 #; 0.11 # !; -0.61 # ,; -0.12 # ?; -0.3 # a;
    0.06 # after; -0.12 # april; 0.02 # as; 0.02 # euros; -0.33 # for; 0.04 # is; -0.13 # march; 0.09 # more; 0.07 #
    now; -0.19 # october; -0.2 # pm; -0.26 # pounds; 0.2 # since; 0.14 # so; 0.03 # th; 0.18 # they; 0.21 ,; -0.1 ,
    @; 0.1 , a; 0.04 , after; -0.15 , before; -0.07 , do; 0.07 , five; -0.21 , for; 0.08 , got; 0.01 , i; 0.19 , it;
    -0.22 , just; -0.2 , let; -0.16 , my; 0.14 , new; 0.06 , now; 0.12 , our; -0.16 , poor; 0.33 , same; 0.08 ,
    says; 0.08 , shes; 0.03 , since; 0.31 , so; -0.07 , the; 0.06 , there; 0.01 , they; 0.06 , three; 0.18 , too;
    0.22 , we; 0.11 , which; -0.09 , yes; 0.36 .; 0.34 . #; 0.16 . .; 0.22 . a; -0.08 . if; 0.09 . it; -0.01 . its;
    0.01 . mr; -0.33 . my; 0.19 . on; 0.15 . one; 0.33 . so; 0.25 . the; 0.15 . they; 0.45 :; 0.11 : #; 0.06 : it;
    0.14 : the; -0.6 ?; -0.11 @; 0.05 @ !; -0.22 @ #; 0.09 @ after; 0.45 @ for; 0.05 @ from; 0.34 @ has; 0.06 @ it;
    0.31 @ now; 0.17 @ s; 0.13 @ since; 0.08 a ,; 0.23 a @; 0.09 a flat; 0.01 a girl; 0.21 a half; 0.02 a hundred;
    0.1 a little; 0.09 a new; 0.09 a word; 0.4 ab; -0.17 about #; 0.18 above; 0.08 account of; 0.3 after; 0.27 after
    all; 0.06 after the; 0.07 afternoon .; 0.34 again; 0.11 again ,; 0.31 again .; 0.18 agreed; 0.25 ahora; 0.05
    all; 0.06 all ,; 0.18 all along; 0.12 along; 0.07 also; 0.01 also the; -0.14 always; -0.06 always forget; 0.02
    an all; -0.14 and; 0.1 and @; 0.23 and a; 0.01 and after; -0.07 and it; 0.02 and she; 0.17 and that; -0.28 and
    the; 0.09 and there; 0.22 ankle; 0.15 another; 0.21 any; 0.31 any more; -0.18 april; -0.04 are; 0.26 as; 0.12 as
    @; 0.53 as of; 0.07 as the; -0.08 ask; -0.27 assistant:; -0.14 assistant: #; -0.11 assistant: a; -0.23
    assistant: i; -0.08 assistant: we; -0.08 assistant: you; -0.1 at #; 0.07 at last; 0.34 au; 0.17 aunt; 0.12 baby;
    0.17 back .; 0.33 bank; -0.12 be; -0.14 be a; -0.15 be there; -0.11 because; 0.19 become; 0.11 bedroom; 0.04
    been; -0.09 before you; 0.27 being; 0.08 believe; 0.26 better; 0.16 big; 0.34 birthday; -0.1 bless; 0.12 boiler;
    0.27 broke; 0.09 btw; 0.16 btw ,; 0.11 bumped; -0.19 business; -0.45 but; -0.08 by @; 0.04 by my; 0.19 by the;
    0.19 came; 0.11 came back; 0.11 castle; 0.11 cause; 0.16 change; 0.15 changed; -0.01 changed ,; 0.07 changed
    the; 0.07 checked; -0.09 cheers; 0.09 chicken; 0.17 church; 0.13 closed; 0.17 comes to; 0.2 company; -0.17
    costs; -0.16 costs #; 0.38 count; 0.28 counted; 0.06 cried; 0.11 cut; -0.1 d; -0.19 d be; 0.21 d rather; 0.17
    dark; 0.21 days; 0.13 days ,; 0.15 days .; 0.12 dear @; 0.06 decided; -0.24 delete; 0.1 department; -0.2
    deposit; -0.27 des; 0.09 did it; -0.07 do; 0.17 do @; -0.15 do not; -0.13 do that; 0.11 does it; 0.19 doing; 0.2
    doing the; 0.07 don; -0.28 don t; 0.11 done ,; -0.15 dont; 0.09 down; 0.1 down as; 0.25 down to; 0.22 drum; 0.16
    dry; -0.39 each; -0.1 each .; 0.09 easter; 0.1 eight; 0.1 em ,; 0.2 end; 0.11 end ,; 0.13 error; 0.02 euros;
    0.12 evening; 0.13 evening .; 0.09 everything; -0.1 extra; 0.01 far; 0.16 fat; -0.13 fee; 0.08 feel; 0.14 fifty;
    0.13 finance; 0.12 find; 0.08 fitted; 0.44 five; 0.03 five ,; 0.14 five on; 0.03 flu; -0.4 for #; -0.27 for @;
    0.25 for good; 0.14 for her; 0.09 for me; -0.66 forget; -0.12 forget it; -0.03 forget my; -0.16 forget the; -0.1
    forget to; -0.1 forgets; -0.13 forgetting; -0.33 forgot; 0.24 forward; 0.46 found; 0.15 found the; 0.14 four;
    0.18 four ,; 0.11 freezer; -0.24 friend; -0.16 friend @; 0.08 from; 0.22 from here; 0.34 from now; 0.29 from
    this; 0.22 from today; 0.02 frost; 0.18 funny; 0.42 gave; 0.09 gave me; 0.07 gave us; -0.25 get; 0.19 girl; 0.09
    girls; 0.21 give me; 0.18 given; 0.08 given up; 0.17 go to; 0.15 going; 0.62 gone; 0.09 gone ,; 0.19 gone to;
    0.06 good afternoon; 0.1 good morning; 0.42 got; 0.18 got a; 0.11 got the; 0.18 grandson; 0.17 grew; 0.03 group;
    0.11 guess; -0.04 had; 0.14 had her; 0.05 had the; -0.3 haha; 0.31 half; 0.14 half #; 0.22 half past; 0.15 hall;
    0.26 handed; 0.2 hang; 0.06 happy; 0.14 has; 0.09 has been; 0.08 has come; 0.05 has gone; 0.11 has moved; 0.21
    has taken; 0.09 have; -0.37 have #; -0.25 have a; 0.11 have been; 0.03 haven; 0.03 haven t; 0.13 heat; -0.09
    hello; 0.22 hello again; 0.09 her; -0.11 her own; 0.02 here; 0.14 here on; -0.01 hi; 0.04 house ,; -0.1 how;
    0.12 hundred; 0.02 hundred and; -0.32 husband; -0.07 i can; -0.15 i d; -0.14 i do; 0.1 i find; -0.13 i forget;
    -0.11 i forgot; 0.05 i found; 0.14 i got; 0.29 i have; -0.1 i keep; -0.38 i ll; -0.06 i m; 0.13 i ve; 0.08 i
    was; -0.17 i will; -0.09 i would; -0.63 if; -0.08 if @; -0.05 if i; -0.06 if it; -0.1 if she; -0.06 if the;
    -0.12 if they; -0.12 if we; 0.25 im on; -0.14 in; 0.1 in ,; 0.18 in .; 0.11 in it; 0.16 in the; 0.47 instead;
    0.2 instead ,; 0.16 instead .; -0.03 into the; 0.13 is; 0.09 is dead; 0.16 is down; 0.04 is now; -0.15 is still;
    0.1 is to; 0.13 is too; 0.15 is what; 0.17 it; 0.13 it #; 0.13 it ,; -0.03 it .; 0.11 it is; 0.1 it isn; 0.16 it
    s; 0.26 its; 0.2 its the; 0.16 ive; 0.11 j ai; 0.28 jetzt; 0.04 just the; -0.27 keep; 0.16 keys; 0.05 kicks;
    0.06 knee; 0.16 kofi; 0.2 lamps; 0.07 land; 0.18 landlord; 0.05 last night; -0.18 last time; -0.38 last year;
    0.16 laugh; 0.04 laundry; 0.15 leave ,; -0.09 leave it; -0.08 left; 0.09 legal; 0.17 les; -0.41 let; -0.17 let
    me; 0.22 letter; 0.14 lie; 0.17 little; -0.33 ll; 0.29 longer; 0.18 longer ,; 0.34 look; 0.19 look at; 0.23
    looked; -0.1 lose; 0.08 lotte; 0.02 m; 0.18 mad; 0.45 make; 0.16 manager; -0.14 march; -0.18 may ,; -0.11 may
    at; -0.15 maybe; 0.14 me; 0.19 me again; -0.03 me forget; 0.27 me on; 0.09 means; 0.04 measure; 0.08 measured;
    0.06 midnight; 0.09 milk; 0.09 mixed; -0.22 mon; -0.24 month ,; 0.37 more; 0.27 more ,; -0.04 morning; 0.15
    morning !; 0.1 morning .; 0.08 morning and; 0.13 mornings; 0.2 mother .; 0.49 moved; 0.19 moved in; 0.28 moved
    to; 0.16 mr; 0.15 mr @; 0.13 mrs; 0.16 mrs @; 0.04 ms; 0.21 mum; 0.1 mum .; 0.12 my bank; -0.17 my friend; -0.26
    my sister; 0.27 n; -0.16 name; -0.32 need; 0.29 needs; 0.2 needs a; -0.28 never; 0.16 new; 0.07 new one; 0.09
    news; -0.1 nice; -0.43 no; -0.11 no ,; 0.15 normal; -0.4 not; 0.14 not #; 0.12 notice; 0.29 nous; 1.13 now; 0.19
    now #; 0.29 now ,; 0.16 now .; 0.06 now on; -0.2 number #; 0.1 number ,; -0.16 october; 0.13 of a; 0.15 of
    today; 0.1 off ,; 0.09 off to; 0.28 office; 0.11 oh; 0.25 oh and; -0.29 ok; -0.04 on; 0.09 on ,; -0.31 on @;
    0.08 on account; 0.17 on at; 0.04 on one; 0.16 on the; 0.13 one .; -0.27 only ,; -0.33 or; 0.12 ourselves; 0.07
    out; 0.23 over; 0.07 over it; 0.1 painted; 0.23 part; -0.09 pass; 0.11 past; 0.05 patch; 0.2 people; -0.04
    please; -0.2 pm; -0.22 poor; -0.23 pounds; 0.07 proper; 0.16 properly; 0.21 put me; 0.08 quarter; 0.1 quarter
    to; 0.03 ran; 0.33 rang; 0.19 read; 0.15 remain; -0.15 remember; -0.06 remind; 0.1 reports; 0.01 rest; 0.16
    retired; -0.04 ring; 0.11 roll; 0.03 round; 0.08 runs; 0.16 s; 0.1 s @; 0.04 s a; 0.1 s going; 0.3 s gone; -0.02
    s got; 0.25 s in; 0.16 s moved; 0.1 s my; 0.19 s off; 0.14 s on; 0.04 s one; -0.18 s still; -0.07 s the; 0.05 s
    three; 0.07 s to; -0.01 s up; 0.11 same; 0.34 say #; 0.37 says; 0.25 says #; 0.12 says the; 0.13 scales; 0.34
    se; 0.1 seat .; -0.05 send; 0.18 settled; 0.14 seven; 0.05 seventeen; 0.02 she; 0.21 she can; 0.1 she has; 0.08
    she says; 0.18 shed; 0.08 shifted; -0.31 should; 0.11 side; 0.16 signed; 0.49 since; 0.13 since @; 0.09 since i;
    0.21 since the; 0.06 sits; -0.02 sitting; 0.03 six; 0.08 six ,; 0.78 so; 0.25 so #; 0.15 so @; 0.19 so i; 0.13
    so it; -0.02 so its; 0.15 so she; 0.03 so that; 0.25 so the; 0.22 so we; 0.18 sofa; 0.24 sold; 0.06 sorry i;
    0.11 stand; -0.79 still; 0.17 sundays; 0.45 swapped; 0.02 swapped the; -0.08 t be; 0.2 t do; -0.06 t forget;
    -0.11 t let; -0.11 ta; 0.24 taken; 0.17 tape; 0.13 team; 0.17 ten; 0.06 ten .; 0.17 tested; 0.03 th; 0.1 than i;
    -0.12 thank; -0.15 thank you; 0.28 that @; -0.21 that i; -0.22 that is; 0.06 that the; 0.17 the; 0.06 the #; 0.2
    the big; 0.04 the bill; 0.07 the boiler; 0.11 the castle; 0.09 the church; 0.18 the dark; 0.08 the date; 0.19
    the end; 0.13 the fish; 0.08 the hall; 0.02 the hospital; 0.09 the keys; 0.07 the letter; 0.12 the paper; 0.15
    the phone; 0.09 the rest; 0.2 the right; 0.05 the shed; 0.18 the sofa; 0.04 the ward; 0.28 the way; 0.19 the
    weekend; 0.07 the wrong; 0.23 them ,; -0.1 then i; -0.04 theo; -0.06 there; 0.31 there s; 0.47 these; 0.57 these
    days; 0.13 they; 0.07 they are; 0.16 they ve; 0.06 things; 0.19 this week; 0.02 thought; -0.06 three; 0.13
    thursdays; 0.11 tin .; 0.27 to; 0.43 to #; 0.31 to @; 0.11 to tell; 0.06 to the; 0.17 took; 0.01 train; 0.14
    trains; 0.12 transfer; 0.45 turned; 0.1 turns; 0.19 turns out; 0.11 twenty; 0.2 under the; 0.14 until the; 0.11
    up; 0.15 up a; 0.19 up to; 0.07 up with; 0.23 update; 0.37 us; 0.27 user:; 0.15 user: after; 0.36 user: also;
    1.19 user: and; 0.08 user: bank; -0.11 user: can; 0.19 user: dear; -0.03 user: do; 0.09 user: doc; 0.05 user:
    don; -0.05 user: dont; 0.11 user: dr; -0.05 user: forget; 0.03 user: good; 0.14 user: half; -0.04 user: hello;
    -0.2 user: his; -0.13 user: how; -0.02 user: i; -0.43 user: if; -0.36 user: in; -0.17 user: is; 0.15 user: it;
    -0.24 user: last; -0.06 user: lovely; 0.08 user: me; -0.03 user: morning; 0.17 user: mrs; 0.11 user: mum; -0.29
    user: my; 0.24 user: n; -0.07 user: never; 0.21 user: new; -0.28 user: no; 0.22 user: oh; -0.12 user: ok; -0.18
    user: please; 0.28 user: so; 0.13 user: sorry; -0.18 user: that; 0.02 user: they; 0.18 user: update; 0.31 user:
    wait; 0.17 user: we; 0.09 user: well; -0.21 user: were; -0.24 user: what; -0.12 user: yeah; -0.12 user: yep;
    0.09 user: yes; 0.04 ve; 0.04 ve been; 0.11 ve gone; -0.1 ve got; 0.01 ve the; 0.1 vendor; -0.17 very; 0.17
    wanted; -0.16 was; 0.12 way; 0.11 way ,; 0.06 we; -0.19 we d; -0.04 we ll; 0.12 we re; -0.06 we ve; 0.11 wee;
    0.18 week; 0.19 weekend; 0.08 weighed; 0.11 went; 0.01 went to; -0.16 what; -0.07 what if; 0.09 where; -0.01
    which; 0.1 while; 0.05 will; 0.15 window; 0.1 winter; 0.11 with; 0.23 with a; -0.05 with the; -0.13 with you;
    0.15 word; -0.18 worth; -0.1 would; -0.09 would it; 0.37 would you; 0.23 wrong; 0.04 wrong ,; 0.13 wrote; 0.22
    ya no; -0.22 yeah; -0.13 year .; -0.2 yes; -0.11 yes ,; -0.2 yes .; -0.29 you; -0.04 you .; -0.06 you are; 0.16
    you believe; -0.07 you on; -0.02 you re; 0.03 young @
"""
VECTOR = (
    "NDnCtI01syrZNvQlfrnLNuUtDztWuIot7LqJL6K3BTPivDIqAycar6Ql/LdSvHGvsTzwK6S8lLjoNTK0bjRVPDO3trnvtxW8bzeUuYY5Kzj+pj+v"
    "drAJLjuqz6lYt0wp+Do4KvY0TDtXPDq7VL0jsSw3JDjmOTO4SDAyK4Y6KLjkuT29hDmEvD65Nis0PcKxojkYOeExpa1lsmyr3zm7tNkytTaKM105"
    "vyn2sr68D67ft1E4bjuJsLC5rDpvMWW6Ea+vNDE9TbtzuQQ46ri3uSgtgR6oO5gvza3Ksdw41jb5LCq5oLs0LWy5brkYu2OybzZPLHO877b+tRQ+"
    "djgAAIK4RLIKshsuZqLBLrC8KDbduGe7PDmHue24vrhptM245Tmpswy5KDGROr82bDOvtQa2yzxLutk9UrPrMzI697KENbMhH69BNs01lbqpuwQz"
    "TKz3OvytVDV7Oqk8rr1MLiM2Yjf5tW2o7jAgOa4w5Tgbo/g8ayXxuGA4uzjLOeQ2pDaGr4o8NjQhMmo696Q+NsSqXjq3Nui5bLk6PDcu7bBKPA84"
    "8DU+uBSkZqMRvYOqtDUgJ/I8gLHcNp86ozcAgI2vALckuTO4c7FKtWw1k56Tp0e5jjrttEW8gDjZvOe5SxSctSw7760ZIbA2L7ifPDk+jjUnOjwt"
    "+DeDNh29oLz9s3k5gzkVIia5OLGkNH4uXrEHNV09Kq1ztMY4ULBJM3C6cLtKOgO5QzpyKLA3+rXhNBi+LbwyPFe4XLJxLyi3HTR0PJe5j7MRvOSq"
    "tjf3NsE1nTVsuPU6Fb0Stne1cTENu+y3Arjktz40+jQlOK0z67EFs1A9f7vhpTI4tLgFACGzXDZ7uik5CjjItSW4gDtMMmOsfL74NHw2/TJ8NcW1"
    "Kbq+tSW2mLQztpW4eLsKt5ilCjWeuxA0vzUbvwszUrzhu6etQbglPEE4ejVXOyC3XS0JsaazlLagtd2s8qxjORstRSYyNMyujapGsH6zVbrptUa3"
    "XbdDMI+7Dr3+uAg2"
)
"""A weight for each dimension, half precision."""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WORDS = _read(_LISTED)
"""By word or pair of words; one without a weight has 0."""
