"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from collections.abc import Mapping

BIAS = -3.24
_LISTED = """
    -0.06 ,; 0.2 , ask; 0.28 , delete; -0.07 , i; 0.29 , move; 0.05 , please; 0.96 , remove; 0.18 , secret; -0.05 ,
    x; -0.26 0; -0.16 0 $; -0.15 0 > 0; -0.19 0 > x; 0.09 0 x; -0.26 =#; -0.2 =# $; 0.22 =a =fit; 0.51 =about; -0.1
    =about =me; 0.13 =about =our; 0.65 =about =the; 0.65 =address; 0.42 =address $; 0.17 =adres; 0.17 =adres $; 0.31
    =adresse; 0.25 =adresse $; 0.32 =age; 0.11 =age $; 0.12 =and =don't; 0.25 =anywhere; 0.43 =away; 0.87 =be; 0.24
    =be =so; 0.19 =better =if; 0.13 =bin; 0.13 =bit; 0.14 =bit =about; 0.33 =bitte; 0.3 =bitte =die; 0.11 =blood
    =type; 0.14 =borra; 0.07 =boss; 0.17 =boss $; 0.39 =bring up =my; 0.3 =bury; 0.12 =bury =it; 0.53 =business; 0.2
    =can; 0.19 =can =it; 0.19 =card =number; 0.22 =chuck; 0.54 =code; 0.17 =could; 0.15 =could =u; 0.02 =could =you;
    0.26 =das; 0.1 =das =mit; 0.12 =debts; -0.34 =delete; 0.09 =delete =it; 0.1 =delete =my; 0.1 =deleted $; 0.24
    =diagnosis; 0.16 =dir; 0.19 =dir =das; 0.15 =disappear; 0.07 =divorce; 0.35 =does =for; 0.05 =don't; -0.17
    =don't =keep; 0.2 =don't =put; 0.29 =don't =store; 0.32 =don't =want; 0.12 =dont; 0.14 =earn; 0.12 =email
    =address; 0.19 =erase; 0.11 =erase =it; 0.16 =esquece; 0.03 =everything; 0.18 =everything =you; 0.1 =ex; 0.2
    =expunge; 0.45 =failed; 0.14 =for =the record; -0.48 =forget; 0.13 =forget =about; 0.16 =forget =i; 0.13 =forget
    =that; 0.14 =from =whatever; 0.18 =from =your; 0.12 =gave you; 0.17 =given =you; 0.15 =grades; 0.16 =guardes;
    0.17 =hang on to; 0.32 =happier; 0.15 =has =no business; 0.19 =hear =this; 0.03 =i; -0.04 =i =don't; 0.14 =i
    =earn; 0.21 =i =failed; 0.12 =i =gave you; 0.17 =i =never told; 0.21 =i =said; 0.43 =i'd; 0.36 =i'd =be; 0.11
    =i'd =rather; 0.31 =iban; 0.17 =iban $; 0.19 =if =you'd; 0.15 =il =mio; 0.06 =in =your; 0.22 =in here; 0.15 =in
    there; 0.15 =indirizzo; 0.15 =indirizzo $; -0.58 =is; -0.34 =it; -0.04 =it $; 0.09 =it =anywhere; 0.1 =it =from;
    0.22 =it =not; 0.11 =it =out; 0.34 =je; 0.11 =je =vous; 0.29 =just =forget; 0.09 =keep $; 0.1 =keep =it; 0.13
    =keep =that; 0.13 =kindly; 0.28 =knowing; 0.18 =knowing =what; 0.21 =last =message; 0.2 =leaving; 0.08 =lena;
    0.34 =let; 0.23 =let =it; 0.13 =let =my; 0.23 =let =that; 0.27 =lo; 0.15 =lo de; 0.16 =lose =the; 0.2 =matter;
    0.15 =meine; 0.14 =mentioning; 0.14 =mentioning =my; 0.21 =message $; 0.26 =mi; 0.17 =mijn =adres; 0.21 =mio;
    0.15 =mio =indirizzo; 0.22 =miscarriage; 0.32 =mit; 0.24 =mon; 0.26 =mon =adresse; -0.2 =my; 0.13 =my =address;
    0.18 =my =age; 0.11 =my =blood; 0.13 =my =debts; 0.22 =my =diagnosis; 0.14 =my =ex; 0.17 =my =iban; 0.27 =my
    =old; 0.3 =my =salary; 0.26 =my =shoe; 0.36 =my =weight; 0.2 =nada; 0.27 =name; 0.32 =name =of; 0.2 =need =to;
    0.31 =never heard; 0.11 =never heard =it; 0.17 =never told =you; 0.14 =nickname; 0.36 =nirgends; 0.07 =no
    =trace; 0.23 =no business; 0.29 =no longer; 0.18 =nobody's business; 0.04 =not; 0.61 =not =for; 0.09 =not =have;
    0.21 =not =to; 0.27 =notes; -0.05 =notes $; 0.24 =now =forget; 0.66 =number; 0.47 =number $; 0.19 =número =de;
    0.29 =of; 0.08 =of =my; 0.19 =of =your; 0.51 =off the record; 0.3 =off the record =i; 0.18 =olvida; 0.07 =one
    =more; 0.11 =oublie; 0.27 =out; 0.23 =out $; 0.23 =out =of; 0.12 =out with; 0.3 =phone =number; 0.18 =pin =is;
    0.04 =please; 0.06 =please =delete; 0.11 =please =don't; 0.56 =please =forget; 0.11 =please =i; -0.08 =please
    =remove; 0.13 =pls; 0.22 =poof; 0.21 =pregnancy; 0.16 =pretend; -0.07 =private; 0.12 =purge; 0.54 =que; 0.4
    =rather; 0.11 =rather =you; 0.24 =reads; 0.08 =records $; 0.11 =remark; 0.2 =rub; 0.18 =said =about; 0.37
    =salary; 0.18 =salary $; -0.13 =save; 0.09 =saved; 0.08 =scrub; 0.08 =secret; 0.26 =shoe =size; 0.4 =should;
    0.44 =shouldn't; 0.11 =shouldn't =be; 0.03 =shouldnt; 0.11 =so =please; 0.23 =stay; 0.14 =stop =mentioning; 0.37
    =store; 0.14 =store =that; 0.09 =stored; 0.19 =story; 0.09 =strike; 0.09 =stuff; 0.1 =sur; 0.25 =take =it; 0.35
    =take out; 0.21 =tears; 0.23 =telefonnummer; 0.35 =that; 0.17 =that $; -0.05 =that =i; 0.11 =that =my; 0.18
    =that =out; 0.3 =thats =not; 0.17 =the =bin; 0.26 =the =bit; 0.11 =the =books; 0.3 =the =name; 0.11 =the =stuff;
    0.09 =the =thing; 0.14 =the record; -0.03 =thing; 0.09 =thing =about; 0.05 =thing =with; 0.73 =this; 0.42 =this
    =one; 0.22 =to =be; 0.2 =to =have; 0.11 =to =keep; 0.08 =told; -0.05 =told =you; 0.16 =trace; 0.23 =treat; 0.1
    =u; 0.24 =unknow; 0.3 =unlearn; 0.29 =unremember; 0.15 =unsaid; 0.12 =vanish; 0.09 =vanish $; 0.08 =vergiss; 0.1
    =vergiss =bitte; 0.12 =want; 0.15 =want =that; 0.1 =want =you; 0.21 =weight; 0.2 =weight $; -0.19 =what; 0.3
    =what =i; 0.14 =whatever; 0.16 =whatever =you; 0.25 =where =i; 0.48 =wipe; 0.31 =wipe =the; -0.09 =would; 0.15
    =would =you; 0.13 =write down; 0.22 =you; -0.01 =you =about; 0.08 =you =be; 0.17 =you =can; -0.15 =you =don't;
    0.06 =you =forget; 0.25 =you =go; 0.12 =you =know; 0.31 =you =my; 0.12 =you =never heard; 0.2 =you =no longer;
    -0.09 =you =please; 0.33 =you =take out; 0.2 =you =to; 0.26 =you'd; 0.11 =your; 0.21 =your =memory; 0.16 =your
    =notes; 0.08 =your head; -0.26 ?; -0.26 ? $; 0.14 ^ =bitte; 0.14 ^ =borra; 0.3 ^ =could; 0.15 ^ =erase; 0.16 ^
    =esquece; 0.73 ^ =forget; 0.2 ^ =i'd; 0.14 ^ =kindly; 0.19 ^ =nor; 0.49 ^ =off the record; 0.15 ^ =olvida; 0.11
    ^ =oublie; -0.19 ^ =please; 0.11 ^ =pls; 0.42 ^ =stop; 0.36 ^ =that; 0.32 ^ =this; -0.06 ^ =you; 0.27 ^ ask;
    -0.37 ^ ask-word; 0.47 ^ delete; 1.28 ^ forget; 0.28 ^ it; 0.14 ^ not; 0.24 ^ please; 0.35 ^ pretend; 0.44 ^
    remove; 0.5 ^ stop; 0.49 ^ unrecorded; -0.35 ^ x; -0.19 ^ you; 0.13 about; 0.48 about > ask; 0.14 about >
    delete; 0.05 about > go; 0.1 about > gone; -0.11 about > it; -0.04 about > keep; 0.18 about > kept; 0.19 about >
    know; 0.17 about > memory; -0.17 about > move; 0.06 about > my; 0.09 about > out; 0.18 about > please; 0.2 about
    > remove; -0.03 about > said; 0.23 about > secret; 0.34 about > that; -0.11 about > their; 0.05 about > what;
    0.09 about > x; 0.13 about > you; 0.35 about > your; -0.09 about it; 0.37 about memory; 0.21 about my; 0.08
    about what; 0.23 about your; 0.24 again forget; 0.16 all > about; -0.02 all > i; 0.29 all > memory; 0.12 all >
    you; 0.26 all memory; -0.59 alone; 0.47 and delete; 0.16 and gone; 0.09 and not; 0.22 and please; 0.26 and
    remove; 0.13 and you; -0.04 ask; 0.03 ask > about; 0.73 ask > forget; 0.34 ask > go; 0.14 ask > gone; 0.19 ask >
    it; 0.18 ask > memory; 0.03 ask > not; -0.1 ask > out; -0.07 ask > please; 0.12 ask > remove; 0.27 ask > thing;
    0.16 ask > unheard; 0.01 ask > x; -0.12 ask > you; 0.26 ask forget; -0.17 ask-word; -0.08 ask-word > ?; -0.24
    ask-word > x; -0.11 ask-word x; 0.3 be and; 0.49 be kept; 0.22 be memory; 0.33 be secret; 1.27 delete; 0.32
    delete $; 0.11 delete > ?; 0.19 delete > about; 0.17 delete > all; -0.2 delete > from; 0.14 delete > i; 0.45
    delete > it; 0.14 delete > me; 0.56 delete > my; 0.13 delete > please; 0.12 delete > thing; 0.21 delete > what;
    0.56 delete > x; 0.26 delete > you; 0.19 delete all; 0.79 delete it; 0.45 delete my; 0.19 delete what; 0.24
    didn't; 0.31 didn't > from; 0.1 didn't > it; 0.27 didn't > memory; 0.14 didn't > my; 0.24 didn't > x; 0.23
    didn't memory; 0.15 dismiss > you; 0.15 dismiss all; -0.24 filler > it; -0.09 filler > remove; 0.15 filler >
    said; 0.06 filler > you; -0.27 for; 0.35 for memory; 1.01 forget; 0.46 forget > ?; 0.11 forget > about; 0.41
    forget > i; -0.38 forget > it; 0.77 forget > my; 0.21 forget > object; 0.26 forget > old; 0.19 forget > please;
    0.33 forget > said; 0.13 forget > thing; -0.05 forget > what; 0.09 forget > x; -0.15 forget > you; 0.17 forget
    about; 0.39 forget it; 0.35 forget my; 0.12 forget please; 0.16 forget that; 0.18 forget what; 0.04 from > 0;
    0.09 from > gone; -0.33 from > it; 0.11 from > keep; 0.23 from > kept; 0.29 from > memory; 0.14 from > move;
    0.02 from > out; -0.14 from > remove; 0.12 from > you; 0.28 from > your; 0.22 from be; 0.13 from delete; 0.06
    from keep; 0.07 from memory; 0.15 from what; -0.33 from x; 0.29 from your; 0.1 go > keep; 0.04 go > memory; 0.1
    go > your; 0.48 gone; 0.46 gone $; 0.16 gone > gone; 0.07 gone > memory; -0.22 i; -0.23 i > 0; -0.3 i > about;
    0.19 i > delete; 0.11 i > didn't; 0.24 i > gone; -0.54 i > it; -0.29 i > keep; 0.29 i > kept; -0.38 i > memory;
    -0.35 i > my; -0.8 i > not; -0.06 i > out; 0.27 i > regret; 0.04 i > remove; 0.66 i > said; 0.18 i > secret;
    0.07 i > thing; 0.22 i > unheard; 0.3 i > want; 0.18 i > x; 0.16 i > you; -0.07 i > your; 0.34 i regret; 0.66 i
    said; -0.11 i want; 0.14 if > you; 0.21 if you; 1.01 it; 0.31 it $; 0.3 it ,; -0.02 it > about; 0.11 it > ask;
    0.24 it > delete; -0.07 it > from; 0.2 it > go; 0.14 it > gone; -0.27 it > i; 0.19 it > it; 0.04 it > keep; 0.21
    it > kept; 0.14 it > let; 0.15 it > me; 0.37 it > memory; -0.13 it > my; 0.5 it > not; -0.16 it > object; 0.28
    it > out; 0.21 it > remove; -0.23 it > said; -0.21 it > secret; 0.47 it > their; 0.34 it > thing; -0.02 it > x;
    0.36 it > your; 0.11 it about; -0.17 it from; 0.17 it go; 0.22 it gone; 0.36 it i; 0.11 it my; 0.44 it not; 0.55
    it out; 0.19 it please; 0.05 it should; 0.3 it's > keep; 0.21 it's > memory; 0.38 it's > not; 0.09 it's >
    remove; 0.17 it's > secret; 0.23 it's not; 0.14 keep; 0.26 keep $; 0.18 keep ,; -0.21 keep > about; 0.42 keep >
    i; 0.47 keep > it; 0.07 keep > keep; -0.14 keep > memory; -0.06 keep > my; -0.04 keep > out; 0.06 keep > please;
    -0.22 keep > said; 0.18 keep > x; 0.49 keep it; 0.21 keep my; -0.07 keep what; 0.19 keep you; 0.93 kept; 0.41
    kept $; 0.37 kept ,; 0.07 kept > i; 0.51 kept > x; 0.12 know; 0.24 know > about; 0.1 know > memory; 0.07 know >
    out; 0.27 know > x; 0.4 know about; 0.12 last > thing; 0.29 last forget; 0.07 last thing; 0.46 let; 0.12 let >
    about; 0.19 let > forgot; 0.25 let > it; 0.14 let > your; 0.46 let it; 0.18 may > it; 0.07 may > remove; 0.1 may
    remove; 0.23 me > not; -0.1 me > remove; 0.88 memory; 0.23 memory $; 0.47 memory ,; 0.32 memory > about; 0.11
    memory > ask; 0.29 memory > i; -0.09 memory > it; 0.23 memory > move; 0.08 memory > not; -0.11 memory > please;
    0.17 memory > stop; 0.21 memory > x; -0.2 memory > you; 0.14 memory about; 0.08 memory ask; 0.52 mention my;
    0.21 move; -0.37 move > about; 0.17 move > it; -0.35 move > memory; 0.16 move > out; 0.08 move > please; 0.32
    move > said; -0.1 move > you; 0.1 move > your; 0.45 move it; -0.1 move my; 0.19 move said; 0.4 my; -0.57 my >
    from; 0.21 my > go; 0.29 my > gone; -0.36 my > it; 0.09 my > keep; 0.13 my > kept; -0.28 my > memory; -0.3 my >
    not; 0.38 my > old; 0.05 my > out; 0.33 my > please; -0.21 my > remove; -0.14 my > secret; 0.71 my > x; -0.31 my
    > you; 0.04 my > your; 0.41 my old; 0.41 my their; 0.48 my x; 0.21 not; 0.2 not > about; 0.1 not > delete; 0.3
    not > from; 0.06 not > go; 0.27 not > i; 0.09 not > it; 1.39 not > keep; 0.79 not > kept; 0.86 not > memory;
    0.23 not > out; -0.24 not > remove; -0.34 not > said; -0.01 not > secret; 0.39 not > should; 0.24 not > their;
    0.08 not > thing; 0.2 not > want; -0.37 not > what; -0.07 not > x; 0.11 not > your; 0.01 not be; 0.7 not for;
    0.27 not from; 0.87 not keep; 0.07 not memory; 0.32 not move; 0.17 not should; 0.39 not want; 0.11 object > you;
    0.33 out; 0.46 out $; 0.29 out > about; 0.43 out > memory; 0.11 out > please; 0.15 out > you; 0.16 out > your;
    0.19 out about; 0.81 please; 0.12 please $; 0.08 please ,; 0.13 please > about; -0.15 please > all; 0.25 please
    > delete; 0.47 please > forget; -0.33 please > from; 0.09 please > gone; 0.31 please > i; 0.19 please > it;
    -0.15 please > keep; 0.21 please > my; -0.13 please > not; 0.18 please > remove; 0.14 please > said; 0.12 please
    > thing; 0.1 please > what; 0.36 please > x; -0.21 please > you; 0.18 please delete; 0.75 please forget; 0.11
    please let; -0.06 please not; 0.1 please remove; 0.37 please the; 0.64 pretend; 0.13 pretend > gone; 0.18
    pretend > i; 0.38 pretend > it; 0.18 pretend > thing; 0.13 pretend > unheard; 0.39 pretend > x; 0.35 pretend it;
    0.12 pretend the; 0.38 regret; -0.09 regret > about; -0.09 regret > it; 0.28 regret > my; 0.09 regret > said;
    0.12 regret > x; 0.13 regret > you; -0.09 regret said; 1.1 remove; 0.22 remove > about; -0.03 remove > ask; 0.11
    remove > from; 0.2 remove > i; 0.35 remove > it; 0.08 remove > me; 0.12 remove > memory; 0.13 remove > move;
    0.14 remove > my; 0.14 remove > please; 0.14 remove > said; 0.16 remove > secret; 0.27 remove > thing; 0.33
    remove > what; 0.29 remove > where; 0.3 remove > x; 0.1 remove > you; 0.14 remove > your; 0.29 remove ask-word;
    0.1 remove from; 0.62 remove it; -0.07 remove my; -0.32 remove the; 0.28 remove what; 0.28 remove where; 0.03
    said; 0.36 said $; -0.2 said > about; 0.12 said > go; 0.04 said > it; 0.21 said > keep; -0.29 said > memory;
    -0.04 said > move; 0.04 said > my; 0.12 said > out; 0.12 said > please; 0.38 said > remove; -0.14 said > secret;
    -0.15 said > thing; 0.01 said > x; -0.3 said > you; 0.44 said about; -0.12 said you; 0.8 secret; 0.56 secret $;
    0.47 secret ,; 0.16 secret > gone; -0.23 secret > i; 0.34 secret > it; 0.12 secret > keep; -0.15 secret >
    memory; -0.07 secret > move; 0.07 secret > not; 0.08 secret > out; 0.14 secret > x; 0.31 secret > you; -0.12
    secret and; 0.17 should > from; 0.26 should > go; -0.06 should > it; 0.11 should > kept; 0.21 should > memory;
    -0.27 should > not; 0.08 should > you; 0.26 should from; -0.02 should not; 0.39 stop > keep; 0.13 stop >
    mention; 0.64 stop > my; 0.39 stop keep; 0.14 stop mention; 0.71 that; 0.32 that > i; 0.71 that > x; 0.21 that
    i; 0.37 the thing; 0.16 their > it; 0.13 their > keep; -0.15 their > memory; 0.4 their > not; 0.02 their > out;
    0.23 their > remove; -0.09 their > secret; 0.23 their > unheard; 0.27 their > you; 0.13 their > your; 0.7 thing;
    0.3 thing ,; 0.2 thing > about; 0.19 thing > gone; -0.14 thing > i; 0.14 thing > it; -0.14 thing > keep; 0.12
    thing > memory; -0.08 thing > my; -0.06 thing > not; 0.08 thing > out; 0.23 thing > remove; 0.12 thing > said;
    -0.13 thing > secret; 0.18 thing > their; 0.27 thing > unheard; 0.11 thing > want; 0.21 thing > x; 0.06 thing >
    you; 0.49 thing about; 0.17 thing not; 1.0 unheard; 0.33 unheard ,; 0.45 unheard > about; 0.19 unheard > filler;
    0.26 unheard > it; 0.15 unheard > x; 0.15 unheard > you; 0.31 unheard about; 0.2 unheard it; 0.17 unheard you;
    0.51 unrecorded; 0.51 unrecorded ,; 0.36 unrecorded > from; 0.49 unrecorded > i; 0.36 unrecorded > move; 0.24
    unrecorded > my; 0.51 unrecorded > x; 0.05 want; 0.08 want > about; 0.09 want > didn't; 0.47 want > gone; 0.1
    want > it; 0.21 want > kept; 0.43 want > memory; 0.16 want > move; 0.24 want > my; 0.06 want > not; 0.2 want >
    you; 0.19 want if; -0.08 want it; 0.23 want you; 0.22 what; -0.06 what > about; 0.09 what > i; 0.17 what > keep;
    -0.23 what > memory; 0.09 what > my; 0.04 what > not; 0.3 what > remove; 0.26 what > said; 0.37 what > x; -0.12
    what > you; 0.3 what i; 0.2 what my; 0.15 what you; 0.46 where > i; 0.2 where > secret; 0.34 where i; 0.25 where
    my; -0.24 words 0; -0.44 x $; -0.18 x 0; -0.36 x > 0; -0.36 x > ?; 0.54 x > delete; 0.06 x > forget; 0.35 x >
    gone; -0.32 x > it; 0.3 x > keep; 0.22 x > kept; 0.47 x > memory; -0.22 x > my; 0.48 x > not; -0.24 x > please;
    0.62 x > remove; -0.07 x > said; 0.48 x > secret; 0.04 x > thing; 0.41 x > unheard; -0.75 x > x; -0.19 x > you;
    0.17 x > your; -0.48 x ?; -0.12 x for; -0.1 x not; 0.17 x the; 0.24 x thing; 0.84 you; 0.16 you ,; -0.04 you >
    ?; 0.02 you > about; -0.22 you > all; -0.04 you > ask; 0.2 you > delete; 0.26 you > forget; 0.01 you > from;
    0.44 you > go; 0.08 you > gone; 0.24 you > i; 0.2 you > it; 0.15 you > keep; 0.25 you > know; -0.18 you >
    memory; 0.05 you > move; 0.29 you > my; 0.13 you > not; -0.06 you > out; 0.11 you > please; 0.28 you > remove;
    0.05 you > should; -0.22 you > their; 0.07 you > thing; 0.64 you > unheard; -0.09 you > what; -0.1 you > x; 0.03
    you > you; -0.04 you > your; -0.16 you about; 0.06 you ask; 0.08 you forget; 0.2 you from; 0.25 you go; 0.29 you
    it; -0.23 you keep; 0.07 you know; 0.35 you my; 0.16 you not; 0.08 you please; 0.37 you remove; 0.62 you
    unheard; 0.26 your; -0.11 your > i; 0.45 your > memory; -0.18 your > x; 0.43 your memory; -0.49 ~0; -0.49 ~=#;
    0.54 ~=about; -0.13 ~=is; 0.2 ~=mentioned; 0.31 ~=struck; 0.78 ~=that; 0.24 ~=thing; 0.25 ~=told; -0.2 ~=you;
    -0.06 ~it; -0.22 ~memory; 0.59 ~regret; 0.01 ~remove; 0.62 ~said; 0.35 ~secret; 0.42 ~thing; 0.49 ~unheard;
    -0.31 ~words 0; -0.35 ~x; 0.19 ~you
"""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WEIGHTS = _read(_LISTED)
"""By figure; one without a weight has 0."""
