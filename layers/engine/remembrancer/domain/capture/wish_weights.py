"""The weights of `wish_score`; `python -m benchmarks.wishes --fit` writes them."""

from collections.abc import Mapping

BIAS = -3.78
_LISTED = """
    -0.16 ,; 0.17 , ask; 0.22 , delete; -0.07 , i; 0.32 , move; 0.07 , please; 0.96 , remove; 0.18 , secret; -0.07 ,
    x; -0.29 0; -0.27 0 $; -0.17 0 > 0; -0.13 0 > x; 0.17 0 x; -0.29 =#; -0.27 =# $; 0.24 =, =abeg; 0.19 =, =chuck;
    0.24 =, =take; 0.31 =-; 1.07 =:; 0.74 =: =i; -0.17 =?; -0.17 =? $; 0.2 =a =fit; 0.54 =about; -0.08 =about =me;
    -0.03 =about =my; 0.13 =about =our; 0.65 =about =the; 0.66 =address; 0.39 =address $; 0.18 =adres; 0.18 =adres
    $; 0.33 =adresse; 0.33 =age; 0.12 =age $; 0.11 =and =don't; 0.29 =anywhere; 0.1 =anywhere =,; 0.41 =away; 0.88
    =be; 0.27 =be =so; 0.18 =better =if; 0.09 =bin; 0.18 =bit; 0.14 =bit =about; 0.3 =bitte; 0.3 =bitte =die; 0.13
    =blood =type; 0.15 =borra; 0.07 =boss; 0.07 =boss $; 0.39 =bring up =my; 0.29 =bury; 0.11 =bury =it; 0.54
    =business; 0.13 =but =i'm; 0.19 =can; 0.19 =can =it; 0.2 =card =number; 0.22 =chuck; 0.52 =code; 0.16 =could;
    0.17 =could =u; 0.23 =das; 0.11 =das =mit; 0.11 =debts; -0.26 =delete; 0.09 =delete =it; 0.21 =diagnosis; 0.12
    =dir; 0.15 =dir =das; 0.16 =disappear; 0.39 =does =for; 0.03 =don't; 0.13 =don't =hang on to; -0.17 =don't
    =keep; 0.22 =don't =put; -0.08 =don't =save; 0.29 =don't =store; 0.31 =don't =want; 0.17 =dont; 0.15 =earn; 0.19
    =email =address; 0.18 =erase; 0.13 =erase =it; 0.11 =erase =that; 0.16 =esquece; -0.04 =everything; 0.12 =ex;
    0.18 =expunge; 0.54 =failed; 0.2 =failed =the; -0.55 =forget; 0.13 =forget =about; 0.19 =forget =i; -0.13
    =forget =my; 0.13 =from =whatever; 0.15 =from =your; 0.14 =gave you; 0.16 =given =you; 0.16 =grades; 0.13
    =guardes; 0.17 =hang on to; 0.32 =happier; 0.15 =has =no business; 0.17 =hear =this; -0.01 =i; 0.15 =i =earn;
    0.3 =i =failed; 0.14 =i =gave you; 0.18 =i =never told; 0.19 =i =said; 0.05 =i =told; 0.46 =i'd; 0.36 =i'd =be;
    0.11 =i'd =rather; 0.32 =iban; 0.17 =iban $; 0.19 =if =you'd; 0.16 =il =mio; 0.05 =in =your; 0.24 =in here; 0.14
    =in there; 0.16 =indirizzo; 0.16 =indirizzo $; -0.34 =it; 0.03 =it $; 0.15 =it =:; 0.13 =it =anywhere; 0.12 =it
    =from; 0.03 =it =out; 0.34 =je; 0.11 =je =vous; 0.29 =just =forget; 0.08 =keep $; 0.06 =keep =it; 0.16 =keep
    =that; 0.14 =kindly; 0.08 =know =about; 0.31 =knowing; 0.2 =knowing =what; 0.13 =last =message; 0.08 =leaving;
    0.4 =let; 0.26 =let =it; 0.14 =let =my; 0.23 =let =that; 0.27 =lo; 0.15 =lo de; 0.03 =lose; 0.18 =lose =the;
    0.16 =matter; 0.17 =matter =,; 0.15 =meine; -0.05 =memory $; 0.14 =mentioning; 0.14 =mentioning =my; 0.27 =mi;
    0.15 =mi =contraseña; 0.18 =mijn =adres; 0.22 =mio; 0.16 =mio =indirizzo; 0.22 =miscarriage; 0.33 =mit; 0.26
    =mon; 0.28 =mon =adresse; -0.23 =my; 0.11 =my =address; 0.18 =my =age; 0.12 =my =blood; 0.13 =my =debts; 0.21
    =my =diagnosis; 0.15 =my =ex; 0.17 =my =iban; 0.26 =my =old; 0.33 =my =salary; 0.36 =my =weight; 0.2 =nada; 0.25
    =name; 0.38 =name =of; 0.18 =need =to; 0.32 =never heard; 0.12 =never heard =it; 0.18 =never told =you; 0.16
    =nickname; 0.33 =nirgends; 0.08 =no =trace; 0.24 =no business; 0.26 =no longer; 0.19 =nobody's business; 0.17
    =nobody's business =,; -0.02 =not; 0.04 =not =be; 0.54 =not =for; 0.08 =not =have; 0.16 =not =to; 0.36 =notes;
    -0.06 =notes $; 0.32 =notes =:; 0.25 =now =forget; 0.62 =number; 0.49 =number $; 0.18 =número =de; 0.29 =of;
    0.15 =of =my; 0.2 =of =your; 0.09 =off =your; 0.45 =off the record; 0.23 =off the record =,; 0.21 =off the
    record =:; 0.19 =olvida; 0.06 =one =more; 0.13 =oublie; 0.25 =out; 0.17 =out $; 0.27 =out =of; 0.14 =out with;
    0.13 =part with; 0.1 =pasted; 0.24 =phone =number; 0.08 =please; 0.02 =please $; 0.05 =please =delete; 0.07
    =please =don't; 0.56 =please =forget; -0.08 =please =remove; 0.13 =pls; 0.21 =poof; 0.21 =poof =,; 0.22
    =pregnancy; 0.17 =pretend; -0.06 =private; 0.09 =purge; 0.53 =que; 0.29 =rather; 0.1 =rather =you; 0.26 =reads;
    0.09 =records $; 0.1 =remark; 0.1 =remark =on; 0.21 =round $; 0.21 =rub; 0.08 =said; 0.19 =said =about; 0.41
    =salary; 0.17 =salary $; 0.06 =scrub; 0.19 =secret; 0.42 =should; 0.55 =shouldn't; 0.1 =shouldn't =be; 0.13 =so
    =please; 0.22 =stay; 0.14 =stop =mentioning; 0.37 =store; 0.14 =store =that; 0.09 =stored; 0.18 =story; 0.1
    =strike; 0.09 =stuff; 0.1 =sur; 0.24 =take =it; 0.34 =take out; 0.22 =tears; 0.24 =telefonnummer; 0.41 =that;
    0.18 =that $; -0.18 =that =,; 0.17 =that =i; 0.17 =that =my; 0.19 =that =out; 0.32 =thats =not; 0.11 =the =bin;
    0.25 =the =bit; 0.12 =the =stuff; 0.11 =the =thing; -0.05 =thing; 0.1 =thing =about; 0.06 =thing =with; 0.68
    =this; 0.21 =this =,; 0.31 =this =one; 0.19 =to =be; 0.23 =to =have; 0.11 =to =keep; 0.02 =told; 0.18 =trace;
    0.17 =treat; 0.08 =u; 0.24 =unknow; 0.27 =unlearn; 0.16 =unsaid; 0.12 =vanish; 0.09 =vergiss; 0.11 =vergiss
    =bitte; 0.15 =want; 0.17 =want =that; 0.09 =want =you; 0.21 =weight; 0.21 =weight $; -0.2 =what; 0.3 =what =i;
    0.15 =whatever; 0.16 =whatever =you; 0.17 =where =i; 0.45 =wipe; 0.31 =wipe =the; 0.14 =would =you; 0.14 =write
    down; 0.13 =write down =what; 0.22 =you; 0.13 =you =can; -0.1 =you =don't; 0.26 =you =go; 0.1 =you =know; 0.34
    =you =my; 0.12 =you =never heard; 0.19 =you =no longer; -0.1 =you =please; 0.31 =you =take out; 0.22 =you =to;
    0.28 =you'd; 0.14 =your; 0.2 =your =memory; 0.15 =your =notes; 0.06 =your =records; 0.09 =your head; -0.17 ?;
    -0.17 ? $; 0.13 ^ =bitte; 0.15 ^ =borra; 0.28 ^ =could; 0.03 ^ =don't; 0.16 ^ =esquece; 0.53 ^ =forget; 0.24 ^
    =i'd; 0.17 ^ =kindly; 0.42 ^ =off the record; 0.16 ^ =olvida; 0.13 ^ =oublie; -0.16 ^ =please; 0.1 ^ =pls; 0.45
    ^ =stop; 0.29 ^ =that; 0.3 ^ =this; 0.08 ^ =vergiss; -0.03 ^ =you; 0.28 ^ ask; -0.36 ^ ask-word; 0.47 ^ delete;
    1.16 ^ forget; 0.28 ^ it; 0.11 ^ not; 0.28 ^ please; 0.4 ^ pretend; 0.47 ^ remove; 0.48 ^ stop; 0.42 ^
    unrecorded; -0.37 ^ x; -0.15 ^ you; 0.11 about; 0.45 about > ask; 0.12 about > delete; 0.03 about > go; 0.11
    about > gone; -0.17 about > it; 0.18 about > kept; 0.21 about > know; 0.16 about > memory; -0.17 about > move;
    0.03 about > my; 0.2 about > not; 0.16 about > out; 0.17 about > please; 0.28 about > remove; -0.03 about >
    said; 0.18 about > secret; 0.37 about > that; -0.03 about > their; 0.09 about > what; 0.16 about > x; 0.14 about
    > you; 0.35 about > your; -0.11 about it; 0.37 about memory; 0.23 about my; 0.08 about what; 0.23 about your;
    0.25 again forget; 0.08 all > about; 0.26 all > memory; 0.05 all > my; 0.26 all memory; 0.47 and delete; 0.17
    and gone; 0.1 and not; 0.17 and please; 0.24 and remove; 0.13 and you; 0.02 ask > about; 0.65 ask > forget; 0.32
    ask > go; 0.16 ask > gone; 0.19 ask > it; 0.19 ask > memory; -0.08 ask > out; -0.07 ask > please; 0.08 ask >
    remove; 0.3 ask > thing; 0.17 ask > unheard; 0.01 ask > x; -0.1 ask > you; 0.23 ask forget; -0.17 ask-word;
    -0.08 ask-word > ?; -0.23 ask-word > x; -0.15 ask-word x; 0.3 be and; 0.43 be kept; 0.22 be memory; 0.26 be
    secret; 1.29 delete; 0.29 delete $; 0.12 delete > ?; 0.2 delete > about; 0.16 delete > all; -0.21 delete > from;
    0.16 delete > i; 0.47 delete > it; 0.14 delete > me; 0.56 delete > my; 0.13 delete > please; 0.13 delete >
    thing; 0.2 delete > what; 0.54 delete > x; 0.27 delete > you; 0.18 delete all; 0.79 delete it; 0.39 delete my;
    0.19 delete what; 0.27 didn't; 0.32 didn't > from; 0.29 didn't > memory; 0.13 didn't > my; 0.27 didn't > x; 0.24
    didn't memory; -0.19 filler > it; -0.08 filler > remove; 0.11 filler > said; 0.07 filler > you; -0.39 for; 0.25
    for memory; 1.03 forget; 0.41 forget > ?; 0.15 forget > about; 0.37 forget > i; -0.33 forget > it; 0.77 forget >
    my; 0.31 forget > old; 0.22 forget > please; 0.42 forget > said; 0.05 forget > thing; 0.13 forget > x; -0.1
    forget > you; 0.15 forget about; 0.26 forget it; 0.3 forget my; 0.13 forget please; 0.17 forget that; 0.18
    forget what; 0.09 from > gone; -0.33 from > it; 0.17 from > keep; 0.18 from > kept; 0.29 from > memory; 0.26
    from > move; -0.15 from > remove; 0.11 from > you; 0.24 from > your; 0.19 from be; 0.14 from delete; 0.1 from
    keep; 0.04 from memory; 0.15 from what; -0.31 from x; 0.24 from your; 0.1 go > keep; 0.05 go > memory; 0.1 go >
    your; 0.47 gone; 0.45 gone $; 0.16 gone > gone; 0.08 gone > memory; -0.15 i; -0.31 i > about; 0.24 i > delete;
    0.13 i > didn't; 0.27 i > gone; -0.52 i > it; -0.3 i > keep; 0.29 i > kept; -0.34 i > memory; -0.29 i > my;
    -0.69 i > not; -0.02 i > out; 0.21 i > regret; 0.51 i > said; 0.08 i > secret; 0.02 i > thing; 0.24 i > unheard;
    0.27 i > want; 0.14 i > x; 0.18 i > you; -0.08 i > your; 0.28 i regret; 0.65 i said; -0.1 i want; 0.26 if you;
    0.96 it; 0.25 it $; 0.31 it ,; -0.02 it > about; 0.13 it > ask; 0.29 it > delete; -0.14 it > from; 0.24 it > go;
    0.16 it > gone; -0.33 it > i; 0.19 it > it; 0.1 it > keep; 0.23 it > kept; 0.13 it > me; 0.31 it > memory; -0.05
    it > move; -0.23 it > my; 0.53 it > not; -0.22 it > object; 0.25 it > out; 0.21 it > remove; -0.1 it > said;
    -0.16 it > secret; 0.39 it > their; 0.3 it > thing; -0.14 it > x; -0.06 it > you; 0.38 it > your; 0.19 it about;
    -0.13 it from; 0.21 it go; 0.24 it gone; 0.33 it i; 0.11 it kept; 0.11 it memory; 0.08 it my; 0.46 it not; 0.53
    it out; 0.19 it please; -0.06 it you; 0.32 it's > keep; 0.24 it's > memory; 0.41 it's > not; 0.1 it's > please;
    0.08 it's > remove; 0.17 it's > secret; 0.24 it's not; 0.14 keep; 0.27 keep $; 0.15 keep ,; -0.25 keep > about;
    0.39 keep > i; 0.42 keep > it; 0.09 keep > keep; -0.11 keep > memory; -0.07 keep > my; -0.03 keep > out; 0.1
    keep > please; 0.19 keep > x; 0.42 keep it; 0.25 keep my; -0.08 keep what; 0.15 keep you; 0.89 kept; 0.43 kept
    $; 0.31 kept ,; -0.05 kept > it; 0.45 kept > x; 0.15 know; 0.17 know > about; 0.14 know > memory; 0.06 know >
    my; 0.08 know > out; 0.28 know about; 0.06 last > thing; 0.29 last forget; 0.39 let; 0.11 let > about; 0.18 let
    > forgot; 0.29 let > it; 0.15 let > your; 0.49 let it; 0.2 may > it; 0.06 may > remove; 0.09 may remove; 0.25 me
    > not; -0.1 me > remove; 0.87 memory; 0.29 memory $; 0.45 memory ,; 0.25 memory > about; 0.09 memory > ask; 0.23
    memory > i; -0.06 memory > it; 0.23 memory > move; 0.06 memory > not; -0.11 memory > please; -0.05 memory >
    their; 0.16 memory > x; -0.19 memory > you; 0.13 memory about; 0.08 memory ask; 0.52 mention my; 0.14 move;
    -0.36 move > about; 0.16 move > it; 0.07 move > kept; -0.35 move > memory; 0.17 move > out; 0.27 move > said;
    -0.08 move > you; 0.11 move > your; 0.48 move it; -0.07 move my; 0.2 move said; 0.41 my; -0.53 my > from; 0.21
    my > go; 0.28 my > gone; -0.32 my > it; 0.14 my > kept; -0.38 my > memory; -0.27 my > not; 0.38 my > old; 0.35
    my > please; -0.23 my > remove; -0.17 my > secret; 0.65 my > x; -0.27 my > you; 0.05 my > your; 0.4 my old; 0.33
    my their; 0.48 my x; 0.28 not; 0.24 not > about; 0.1 not > delete; 0.26 not > from; 0.06 not > go; 0.19 not > i;
    0.09 not > it; 1.33 not > keep; 0.76 not > kept; 0.86 not > memory; 0.32 not > out; 0.02 not > please; -0.13 not
    > remove; -0.33 not > said; 0.37 not > should; 0.3 not > their; 0.22 not > want; -0.35 not > what; -0.08 not >
    x; 0.04 not > you; 0.15 not > your; 0.02 not be; 0.64 not for; 0.24 not from; 0.08 not go; 0.82 not keep; 0.07
    not memory; 0.31 not move; 0.17 not should; 0.38 not want; 0.11 object > you; 0.36 out; 0.53 out $; 0.3 out >
    about; 0.46 out > memory; 0.11 out > please; 0.16 out > you; 0.16 out > your; 0.2 out about; 0.09 out your; 0.82
    please; 0.14 please $; 0.1 please ,; 0.09 please > about; -0.13 please > all; 0.26 please > delete; 0.48 please
    > forget; -0.32 please > from; 0.07 please > gone; 0.36 please > i; 0.18 please > it; -0.18 please > keep; 0.05
    please > move; 0.23 please > my; -0.15 please > not; 0.13 please > remove; 0.16 please > said; 0.13 please >
    thing; 0.09 please > what; 0.35 please > x; -0.21 please > you; -0.05 please > your; 0.17 please delete; 0.75
    please forget; 0.1 please let; -0.1 please not; 0.08 please remove; 0.36 please the; 0.64 pretend; 0.13 pretend
    > gone; 0.18 pretend > i; 0.32 pretend > it; 0.17 pretend > thing; 0.12 pretend > unheard; 0.33 pretend > x;
    0.09 pretend i; 0.29 pretend it; 0.12 pretend the; 0.34 regret; -0.09 regret > about; 0.12 regret > from; -0.06
    regret > it; 0.29 regret > my; 0.14 regret > x; 0.12 regret > you; -0.16 regret said; 1.11 remove; 0.2 remove >
    about; 0.11 remove > from; 0.23 remove > i; 0.37 remove > it; 0.12 remove > me; 0.13 remove > memory; 0.1 remove
    > move; 0.17 remove > my; 0.11 remove > please; 0.14 remove > said; 0.11 remove > secret; 0.27 remove > thing;
    0.35 remove > what; 0.29 remove > where; 0.29 remove > x; 0.1 remove > you; 0.13 remove > your; 0.28 remove
    ask-word; 0.08 remove from; 0.63 remove it; -0.07 remove my; -0.33 remove the; 0.29 remove what; 0.28 remove
    where; 0.08 said; 0.39 said $; -0.21 said > about; 0.08 said > delete; 0.08 said > from; 0.13 said > go; 0.09
    said > it; 0.16 said > keep; -0.24 said > memory; -0.05 said > move; 0.08 said > my; -0.14 said > not; 0.1 said
    > out; 0.13 said > please; 0.44 said > remove; -0.22 said > secret; -0.14 said > thing; 0.09 said > want; -0.05
    said > x; -0.3 said > you; 0.46 said about; -0.11 said you; 0.8 secret; 0.47 secret $; 0.38 secret ,; 0.12
    secret > about; 0.16 secret > gone; -0.05 secret > i; 0.31 secret > it; 0.09 secret > keep; -0.16 secret >
    memory; -0.07 secret > move; 0.06 secret > not; 0.07 secret > out; -0.19 secret > said; -0.06 secret > their;
    0.22 secret > x; 0.32 secret > you; -0.15 secret and; 0.18 should > from; 0.26 should > go; 0.12 should > kept;
    0.2 should > memory; -0.28 should > not; 0.1 should > you; 0.25 should from; 0.37 stop > keep; 0.14 stop >
    mention; 0.62 stop > my; 0.37 stop keep; 0.15 stop mention; 0.72 that; 0.32 that > i; 0.72 that > x; 0.22 that
    i; 0.31 the thing; 0.08 their > it; 0.11 their > keep; -0.04 their > memory; 0.38 their > not; 0.12 their > out;
    0.27 their > remove; -0.13 their > secret; 0.23 their > unheard; 0.28 their > you; 0.13 their > your; 0.66
    thing; 0.31 thing ,; 0.18 thing > about; 0.04 thing > from; 0.19 thing > gone; -0.16 thing > i; 0.14 thing > it;
    -0.15 thing > keep; 0.07 thing > memory; -0.1 thing > move; -0.12 thing > my; -0.09 thing > not; 0.1 thing >
    out; 0.23 thing > remove; 0.09 thing > said; -0.12 thing > secret; 0.15 thing > their; 0.27 thing > unheard;
    0.13 thing > want; 0.24 thing > x; 0.06 thing > you; 0.5 thing about; 0.17 thing not; 1.01 unheard; 0.34 unheard
    ,; 0.45 unheard > about; 0.3 unheard > it; 0.13 unheard > x; 0.16 unheard > you; 0.32 unheard about; 0.21
    unheard it; 0.18 unheard you; 0.45 unrecorded; 0.45 unrecorded ,; 0.35 unrecorded > from; 0.42 unrecorded > i;
    0.35 unrecorded > move; 0.18 unrecorded > my; 0.44 unrecorded > x; 0.13 want > about; 0.49 want > gone; 0.14
    want > it; 0.21 want > kept; 0.45 want > memory; 0.09 want > move; 0.28 want > my; 0.04 want > not; 0.07 want >
    unheard; 0.25 want > you; 0.18 want if; -0.06 want it; 0.26 want you; 0.22 what; -0.06 what > about; 0.1 what >
    i; -0.01 what > it; 0.17 what > keep; -0.23 what > memory; 0.04 what > my; 0.06 what > not; 0.26 what > remove;
    0.27 what > said; 0.38 what > x; -0.13 what > you; 0.27 what i; 0.2 what my; 0.16 what you; 0.18 where > secret;
    0.3 where i; 0.24 where my; -0.19 words 0; -0.46 x $; -0.09 x 0; -0.41 x > 0; -0.3 x > ?; 0.53 x > delete; 0.11
    x > forget; 0.33 x > gone; -0.23 x > it; 0.28 x > keep; 0.22 x > kept; 0.44 x > memory; -0.17 x > my; 0.41 x >
    not; -0.22 x > please; 0.58 x > remove; -0.11 x > said; 0.28 x > secret; 0.05 x > thing; 0.38 x > unheard; -0.76
    x > x; -0.17 x > you; 0.19 x > your; -0.46 x ?; -0.13 x for; -0.06 x not; 0.19 x the; 0.25 x thing; 0.82 you;
    0.01 you > about; -0.21 you > all; 0.25 you > delete; 0.25 you > forget; 0.44 you > go; 0.08 you > gone; 0.21
    you > i; 0.21 you > it; 0.14 you > keep; 0.24 you > know; -0.19 you > memory; 0.01 you > move; 0.36 you > my;
    0.13 you > not; -0.11 you > out; 0.08 you > please; 0.25 you > remove; 0.11 you > secret; 0.04 you > should;
    -0.19 you > their; 0.09 you > thing; 0.65 you > unheard; -0.07 you > what; -0.05 you > x; 0.04 you > you; -0.04
    you > your; -0.15 you about; 0.03 you ask; 0.21 you from; 0.26 you go; 0.27 you it; -0.24 you keep; 0.03 you
    know; 0.39 you my; 0.12 you not; 0.07 you please; 0.35 you remove; 0.62 you unheard; 0.27 your; -0.12 your > i;
    0.44 your > memory; -0.18 your > x; 0.42 your memory; -0.47 ~0; -0.47 ~=#; 0.5 ~=about; -0.16 ~=is; 0.05
    ~=memory; 0.33 ~=struck; 0.73 ~=that; 0.28 ~=thing; 0.21 ~=told; -0.2 ~=you; 0.1 ~it; -0.22 ~memory; 0.64
    ~regret; -0.05 ~remove; 0.76 ~said; 0.39 ~secret; 0.42 ~thing; 0.51 ~unheard; -0.38 ~words 0; 0.09 ~x; 0.24 ~you
"""


def _read(listed: str) -> Mapping[str, float]:
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}


WEIGHTS = _read(_LISTED)
"""By figure; one without a weight has 0."""
