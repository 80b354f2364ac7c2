"""The fitted weights of `correction_cue`, written by `python -m benchmarks.corrections --fit`."""

from collections.abc import Mapping

MODEL = "all-MiniLM-L6-v2-int8"
"""The embedding model whose vectors VECTOR weighs."""
BIAS = -2.383
_LISTED = """
    0.31 !; -0.02 ! !; 0.09 ! #; 0.23 ! i; 0.12 ! it; -0.05 ! so; 0.07 #; 0.13 # !; -0.63 # ,; -0.09 # ?; 0.07 #
    after; -0.1 # april; -0.03 # as; -0.31 # for; 0.03 # is; -0.15 # march; 0.09 # more; 0.03 # now; -0.18 #
    october; -0.18 # pm; -0.24 # pounds; 0.15 # since; 0.14 # so; 0.19 # they; 0.16 ,; -0.11 , @; 0.09 , a; 0.04 ,
    after; -0.14 , before; -0.06 , do; 0.08 , five; -0.21 , for; 0.06 , got; 0.01 , i; 0.13 , it; -0.21 , just;
    -0.17 , let; -0.16 , my; 0.15 , new; 0.05 , now; 0.11 , our; -0.15 , poor; 0.33 , same; 0.06 , says; 0.06 ,
    shes; -0.02 , since; 0.33 , so; -0.04 , the; 0.04 , there; 0.03 , three; 0.17 , too; 0.24 , we; 0.14 , which;
    -0.08 , yes; 0.37 .; 0.34 . #; 0.19 . .; 0.21 . a; -0.06 . if; 0.02 . it; -0.02 . its; 0.01 . mr; -0.3 . my;
    0.17 . on; 0.15 . one; 0.32 . so; 0.22 . the; 0.12 . they; 0.39 :; 0.13 : #; 0.03 : it; 0.13 : the; 0.93
    <change>; 1.09 <cue>; -0.63 <excluded>; 0.46 <wrong>; -0.59 ?; -0.13 @; 0.06 @ !; -0.2 @ #; 0.06 @ after; 0.45 @
    for; 0.04 @ from; -0.02 @ had; 0.36 @ has; 0.03 @ it; 0.28 @ now; 0.18 @ s; 0.08 @ since; -0.04 a; 0.07 a ,;
    0.24 a @; 0.06 a flat; 0.01 a girl; 0.18 a half; 0.03 a hundred; 0.11 a little; -0.01 a new; 0.08 a word; 0.38
    ab; -0.19 about #; 0.18 above; 0.11 account of; 0.31 after; 0.18 after all; 0.07 after the; 0.08 afternoon .;
    0.34 again; 0.1 again ,; 0.3 again .; 0.19 agreed; 0.12 ahora; 0.02 all ,; 0.16 all along; 0.05 along; 0.08
    also; 0.01 also the; -0.1 always; -0.05 always forget; 0.01 an all; -0.13 and; 0.06 and @; 0.23 and a; -0.06 and
    it; 0.19 and that; -0.29 and the; 0.09 and there; 0.23 ankle; 0.18 another; 0.13 any; 0.22 any more; -0.16
    april; -0.05 are; 0.24 as; 0.1 as @; 0.36 as of; 0.06 as the; -0.1 ask; -0.27 assistant:; -0.13 assistant: #;
    -0.09 assistant: a; -0.26 assistant: i; -0.1 assistant: we; -0.08 assistant: you; -0.09 at #; 0.07 at last; 0.34
    au; 0.15 aunt; 0.12 baby; 0.18 back .; 0.3 bank; -0.14 be; -0.14 be a; -0.14 be there; -0.1 because; 0.17
    become; 0.13 bedroom; 0.03 been; -0.1 before you; 0.24 being; 0.09 believe; 0.29 better; 0.13 big; 0.17
    birthday; -0.11 bless; 0.08 boiler; 0.3 broke; 0.08 btw; 0.17 btw ,; 0.11 bumped; -0.17 business; -0.42 but;
    -0.07 by @; 0.02 by my; 0.21 by the; 0.25 came; 0.12 came back; 0.11 castle; 0.1 cause; 0.19 change; 0.14
    changed; 0.07 changed the; 0.02 checked; -0.07 cheers; 0.1 chicken; 0.18 church; 0.03 closed; 0.17 comes to;
    0.18 company; -0.18 costs; -0.17 costs #; 0.38 count; 0.16 counted; 0.09 cried; 0.02 cut; -0.07 d; -0.2 d be;
    0.2 d rather; 0.19 dark; 0.13 days; 0.1 days ,; 0.16 days .; 0.12 dear @; 0.05 decided; -0.23 delete; 0.12
    department; -0.19 deposit; -0.27 des; 0.1 did it; -0.06 do; 0.17 do @; -0.14 do not; -0.1 do that; 0.12 does it;
    0.19 doing; 0.19 doing the; 0.06 don; -0.31 don t; 0.12 done ,; -0.16 dont; 0.11 down; 0.1 down as; 0.26 down
    to; 0.18 drum; 0.12 dry; -0.4 each; -0.09 each .; 0.09 easter; 0.08 eight; 0.1 em ,; 0.22 end; 0.11 end ,; 0.11
    error; 0.06 euros; 0.11 evening; 0.11 evening .; 0.08 everything; -0.09 extra; -0.01 far; 0.17 fat; -0.12 fee;
    0.09 feel; 0.15 fifty; 0.15 finance; 0.11 find; 0.08 fitted; 0.47 five; 0.04 five ,; 0.13 five on; 0.04 flu;
    -0.38 for #; -0.28 for @; 0.25 for good; 0.13 for her; 0.09 for me; -0.61 forget; -0.12 forget it; -0.04 forget
    my; -0.14 forget the; -0.09 forget to; -0.09 forgets; -0.13 forgetting; -0.31 forgot; 0.25 forward; 0.54 found;
    0.15 found the; 0.12 four; 0.16 four ,; 0.1 freezer; -0.24 friend; -0.16 friend @; 0.09 from; 0.22 from here;
    0.28 from now; 0.3 from this; 0.22 from today; 0.04 frost; 0.18 funny; 0.42 gave; 0.07 gave me; 0.11 gave us;
    0.22 girl; 0.09 girls; 0.21 give me; 0.12 given; 0.01 given up; 0.16 go to; 0.16 going; 0.66 gone; 0.13 gone ,;
    0.19 gone to; 0.1 good afternoon; 0.06 good morning; 0.5 got; 0.13 got a; 0.1 got the; 0.17 grandson; 0.11 grew;
    0.04 group; 0.13 guess; -0.02 had; 0.14 had her; 0.03 had the; -0.28 haha; 0.29 half; 0.14 half #; 0.19 half
    past; 0.15 hall; 0.26 handed; 0.2 hang; 0.08 happy; 0.13 has; 0.09 has been; 0.07 has come; 0.06 has gone; 0.05
    has moved; 0.22 has taken; 0.11 have; -0.38 have #; -0.23 have a; 0.11 have been; 0.02 haven; 0.02 haven t; 0.12
    heat; -0.08 hello; 0.21 hello again; 0.07 her; -0.1 her own; 0.02 here; 0.14 here on; -0.01 hi; -0.02 hospital;
    0.03 house ,; -0.09 how; 0.13 hundred; 0.03 hundred and; -0.3 husband; -0.08 i can; -0.13 i d; -0.12 i do; 0.1 i
    find; -0.12 i forget; -0.11 i forgot; 0.07 i found; 0.14 i got; 0.24 i have; -0.1 i keep; -0.37 i ll; -0.06 i m;
    0.15 i ve; 0.1 i was; -0.15 i will; -0.06 i would; -0.38 if; -0.06 if @; -0.01 if i; -0.04 if it; -0.08 if she;
    -0.05 if the; -0.1 if they; -0.09 if we; 0.26 im on; -0.12 in; 0.11 in ,; 0.19 in .; 0.14 in it; 0.15 in the;
    0.16 instead; 0.15 instead ,; 0.09 instead .; -0.07 into the; 0.14 is; 0.08 is dead; 0.16 is down; 0.02 is now;
    -0.13 is still; 0.11 is to; 0.15 is too; 0.11 is what; 0.14 it; 0.1 it #; 0.11 it ,; -0.07 it .; 0.12 it is;
    0.04 it isn; 0.13 it s; 0.26 its; 0.21 its the; 0.15 ive; 0.1 j ai; 0.12 jetzt; 0.03 just the; -0.25 keep; 0.15
    keys; 0.05 kicks; 0.04 knee; 0.17 kofi; 0.2 lamps; 0.04 land; 0.19 landlord; 0.04 last night; -0.11 last time;
    -0.28 last year; 0.16 laugh; 0.06 laundry; 0.19 leave ,; -0.08 leave it; -0.37 left; 0.08 legal; 0.16 les; -0.38
    let; -0.15 let me; 0.21 letter; 0.13 lie; 0.19 little; -0.36 ll; 0.19 longer; 0.16 longer ,; 0.33 look; 0.2 look
    at; 0.25 looked; -0.09 lose; 0.08 lotte; 0.02 m; 0.2 mad; 0.35 make; 0.15 manager; -0.16 march; -0.17 may ,;
    -0.1 may at; -0.11 maybe; 0.15 me; 0.19 me again; -0.02 me forget; 0.28 me on; 0.11 means; 0.03 measure; -0.06
    measured; 0.06 midnight; 0.06 milk; -0.06 mixed; -0.2 mon; -0.24 month ,; 0.34 more; 0.24 more ,; -0.02 morning;
    0.12 morning !; 0.08 morning .; 0.1 morning and; 0.1 mornings; 0.21 mother .; 0.11 moved; 0.15 moved in; 0.18
    moved to; 0.15 mr; 0.14 mr @; 0.15 mrs; 0.16 mrs @; 0.04 ms; 0.22 mum; 0.12 mum .; 0.12 my bank; -0.17 my
    friend; -0.24 my sister; 0.24 n; -0.09 name; -0.33 need; 0.28 needs; 0.2 needs a; -0.29 never; 0.04 new; 0.02
    new one; 0.08 news; -0.1 nice; -0.72 no; -0.18 no ,; 0.15 normal; -0.67 not; 0.06 not #; 0.12 notice; 0.23 nous;
    0.52 now; 0.17 now #; 0.19 now ,; 0.1 now .; 0.03 now on; -0.19 number #; 0.09 number ,; -0.14 october; -0.01
    of; 0.12 of a; 0.11 of today; 0.07 off ,; 0.08 off to; 0.3 office; 0.11 oh; 0.24 oh and; -0.25 ok; -0.04 on;
    -0.33 on @; 0.11 on account; 0.17 on at; 0.03 on one; 0.18 on the; 0.09 one .; -0.26 only ,; -0.28 or; 0.1
    ourselves; 0.06 out; 0.24 over; 0.06 over it; 0.13 painted; 0.23 part; -0.07 pass; 0.11 past; 0.06 patch; 0.16
    people; -0.05 please; -0.18 pm; -0.2 poor; -0.21 pounds; 0.05 proper; 0.15 properly; 0.23 put me; 0.06 quarter;
    0.07 quarter to; 0.03 ran; 0.33 rang; 0.18 read; 0.17 remain; -0.11 remember; -0.05 remind; 0.11 reports; 0.01
    rest; 0.11 retired; -0.05 ring; 0.11 roll; 0.05 round; 0.08 runs; 0.17 s; 0.16 s @; 0.07 s a; 0.11 s going; 0.32
    s gone; -0.01 s got; 0.23 s in; 0.13 s moved; 0.09 s my; 0.22 s off; 0.16 s on; 0.04 s one; -0.18 s still; -0.1
    s the; 0.03 s three; 0.07 s to; 0.03 s up; 0.12 same; 0.31 say #; 0.42 says; 0.23 says #; 0.13 says the; 0.11
    scales; 0.28 se; 0.1 seat .; -0.02 send; 0.19 settled; 0.13 seven; 0.03 seventeen; 0.02 she; 0.19 she can; 0.1
    she has; -0.02 she s; 0.1 she says; 0.18 shed; 0.11 shifted; -0.38 should; 0.12 side; 0.17 signed; 0.04 since;
    0.04 since @; 0.05 since i; 0.1 since the; 0.06 sits; -0.01 sitting; 0.02 six; 0.05 six ,; 0.8 so; 0.26 so #;
    0.12 so @; 0.14 so i; 0.15 so it; -0.01 so its; 0.15 so she; 0.02 so that; 0.23 so the; 0.21 so we; 0.18 sofa;
    0.06 sold; 0.02 sorry i; 0.11 stand; -0.74 still; 0.15 sundays; 0.27 swapped; -0.02 swapped the; -0.06 t be;
    0.19 t do; -0.05 t forget; -0.1 t let; -0.07 ta; 0.25 taken; 0.15 tape; 0.13 team; 0.18 ten; 0.08 ten .; 0.15
    tested; 0.09 than i; -0.12 thank; -0.14 thank you; 0.27 that @; -0.22 that i; -0.21 that is; 0.02 that the; 0.18
    the; 0.08 the #; 0.16 the big; 0.02 the bill; 0.06 the boiler; 0.11 the castle; 0.09 the church; 0.18 the dark;
    0.07 the date; 0.19 the end; 0.11 the fish; 0.06 the hall; 0.02 the hospital; 0.08 the keys; 0.07 the letter;
    -0.12 the new; 0.12 the paper; 0.16 the phone; 0.07 the rest; 0.18 the right; 0.05 the shed; 0.17 the sofa; 0.06
    the ward; 0.29 the way; 0.19 the weekend; 0.07 the wrong; 0.24 them ,; -0.09 then i; -0.05 theo; -0.04 there;
    0.33 there s; 0.3 these; 0.4 these days; 0.14 they; 0.08 they are; 0.16 they ve; 0.07 things; 0.05 this morning;
    0.18 this week; 0.04 thought; -0.06 three; 0.12 thursdays; 0.11 tin .; 0.27 to; 0.4 to #; 0.34 to @; 0.12 to
    tell; 0.02 to the; 0.16 took; 0.04 train; 0.14 trains; 0.12 transfer; 0.25 turned; 0.02 turns; 0.11 turns out;
    0.14 twenty; 0.19 under the; 0.13 until the; 0.02 up; 0.16 up a; 0.21 up to; 0.07 up with; 0.18 update; 0.4 us;
    0.27 user:; 0.16 user: after; 0.3 user: also; 1.18 user: and; 0.06 user: bank; -0.12 user: can; 0.21 user: dear;
    -0.02 user: do; 0.12 user: doc; 0.07 user: don; -0.05 user: dont; 0.13 user: dr; -0.03 user: forget; 0.14 user:
    half; -0.05 user: hello; -0.19 user: his; -0.12 user: how; -0.05 user: i; -0.36 user: if; -0.33 user: in; -0.18
    user: is; 0.15 user: it; -0.19 user: last; -0.06 user: lovely; 0.08 user: me; -0.02 user: morning; 0.17 user:
    mrs; 0.08 user: mum; -0.3 user: my; 0.24 user: n; -0.07 user: never; 0.25 user: new; -0.44 user: no; 0.2 user:
    oh; -0.11 user: ok; -0.2 user: please; 0.28 user: so; -0.01 user: sorry; -0.16 user: that; 0.01 user: they; 0.12
    user: update; 0.21 user: wait; 0.14 user: we; 0.1 user: well; -0.18 user: were; -0.22 user: what; -0.12 user:
    yeah; -0.11 user: yep; 0.12 user: yes; 0.02 user: you; 0.01 ve; 0.06 ve been; 0.09 ve gone; -0.08 ve got; 0.02
    ve the; 0.09 vendor; -0.16 very; 0.22 wanted; -0.07 was; 0.15 way; 0.06 way ,; 0.07 we; -0.18 we d; -0.05 we ll;
    0.11 we re; -0.08 we ve; 0.11 wee; 0.15 week; 0.21 weekend; 0.09 went; 0.01 went to; -0.14 what; -0.07 what if;
    0.1 where; -0.02 which; 0.12 while; 0.08 will; 0.14 window; 0.1 winter; 0.11 with; 0.19 with a; -0.06 with the;
    -0.13 with you; 0.16 word; -0.17 worth; -0.1 would; -0.1 would it; 0.37 would you; 0.21 wrong; 0.03 wrong ,;
    0.08 wrote; 0.18 ya no; -0.18 yeah; -0.1 year .; -0.17 yes; -0.11 yes ,; -0.19 yes .; -0.3 you; -0.03 you .;
    -0.06 you are; 0.17 you believe; -0.07 you on; -0.01 you re; 0.03 young @
"""
VECTOR = (
    "vjiEs8Uxai7MNTKk47kuNkojazrwtwkwlblkLSi42zOHuwWk8yaKsG4yFrctvKGsATxRrTa8ArlLNRax6TISO2S3o7iHuIu78zc7ufI4EjgiskWz"
    "QaeRLiKgBLG/tkuigTrJpKY0aDuTPJS7sb3Ssx02MTgpOT64sS0MmuU5RrbluG+9TTm3uyy5aCrrPFux4zjXOEkzAajjs62tIjgctlQ11DckMso4"
    "TS1zsDu8y6ZGtxM57TqTsgm60DmbMbm5pqymMfg8uLoYuUQ4LblVugymBqQ/O6kqeKxssT448zQlMgS557pSLu64I7j8ukuySjatMa67Hbgnss49"
    "GjkAACW2261NtZotxay7L6m8dDWpuLa6xDhDujy5rrips6q4JDrNsYG5jzGaO+U0LDart4C0tDw4ufY9Eq7eND86JrIyNQWrBLQwOM81LboZu/Mx"
    "YiuoOkwEnjcuO6c8t71yLUA00DaetoWxozFZOKUwlTgyKbE806sQuEo5WzcAOVI4jzR3sEQ8xDMJLc851atGNgqtzTnLNQu6nbcpPGYwFbCDO0A1"
    "xTR4uGGvRDCrvAukVTTtqyw9uK8bN086dDYAgKqqDbhHuZy2Pa9KtFMxDKyMray4rzk6sSO7GDjlvCe5SjHetBQ8UxzFKjE3VLcfPHY+qDcmOUcs"
    "dzYBOJq8e7zEtXY5eDhRKsy4+qz/M2EuIKvmNQM9EyXGtLY4Sa+PNra54bpCOz25/zj6LGA2ebY3NVq+pbscPKO4bbMPLMixuTK8OzK6KLS+uzMe"
    "4jVVNY41uTdluEY8/byuthW2rTRRu5C3EriGtbQ1CzSvNxY08qzXseA8QrulrNk1IrgFAAyy4zQuubw4OzdGtyW4pjr7MQuxQb7FMg00lDKSNE22"
    "irqgtW6227Xatim5ZruuuESmjzSmu7A3PDSUvuYvTrxOvCCwfrgCPYU2KDQUO6i3ZqgisUu0VrejtKSnlKzGOHGtCzBeL46wBawsmw+vmbkqtAS2"
    "jLdHNfC6CL2luBE1"
)
"""A weight for each dimension, half precision."""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WORDS = _read(_LISTED)
"""By word or pair of words; one without a weight has 0."""
