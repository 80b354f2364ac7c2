"""What is so, told from what happens: sentences labelled by hand."""

import pytest

from remembrancer.domain.capture import lasting

LASTING = """
I am vegan.
I'm vegan
Hi! I am vegan.
Please remember that I'm vegetarian.
I am allergic to peanuts.
I'm not religious.
I am left-handed.
I'm from Portugal.
I am a nurse.
I'm an only child.
My sister is a vet.
I am 34 years old.
I am 182 cm tall.
I'm French.
I am married.
My dog is called Milo.
I live in Lyon.
We live in a small flat near the harbour.
I don't live in Lyon.
My parents live in Porto.
My sister lives in Lyon and my brother lives in Nice.
My rear wheel is 28 inches.
My sister's name is Ana.
My name is Benedikt.
My favourite colour is blue.
My shoe size is 42.
My birthday is 5 May.
My locker code is 4417.
I love my job.
I hate flying.
I like jazz and classical music.
I prefer tea.
I don't eat pork.
I never eat meat.
I always wear a helmet.
I usually cook with olive oil.
I have two cats.
I have a dog.
I have asthma.
I have no children.
I speak Dutch.
I work at a bakery.
I play the cello.
I keep bees.
I drive a van.
My sister speaks Catalan.
My husband doesn't eat fish.
Ana is my sister.
My mother is afraid of dogs.
I have brown hair.
I am self-employed.
I always lose my keys.
I don't smoke.
I have a degree in physics.
Our anniversary is on 4 August.
My name's Ana.
We're vegetarians.
I don't have any allergies.
My hobby is chess.
I don't work on Wednesdays.
I am vegan. I live in Lyon.
I'm vegan and I live in Lyon.
"""
PASSING = """
I went running.
I ate pizza with Ana.
I am tired.
I'm on the train.
I am hungry.
I'm so happy!
I'm a bit nervous.
I am working from home.
I am going to Lyon.
I'm moving to Lyon in May.
I am in Lyon.
I'm at the dentist.
I have an appointment at 5.
I have a headache.
I have a question about my bill.
I have two hours.
I have to leave.
I have bought a boat.
I've got a meeting.
I live in Lyon now.
I just moved.
I am vegan today.
I am no longer vegan.
I was vegan.
I used to live in Lyon.
I might be allergic to nuts.
I will always love Lyon.
I love it!
I like that idea.
I love you.
I want a new bike.
I need a plumber.
I don't know.
I don't feel well.
I don't understand the error.
I never said that.
I always wanted a dog.
I never got the parcel.
I took my pills.
I take my pills.
I'm vegan but I ate fish.
I am vegan, ate fish once.
I am vegan. I went running.
Is my sister vegan?
I think I am vegan.
If I am vegan, I may eat honey.
My train is late.
My train is 20 minutes late.
My flight is cancelled.
My phone is dead.
My bill is 40 euros.
My flight is on Friday.
My birthday is tomorrow.
My sister is visiting me.
My sister lives here.
My head hurts.
She is vegan.
It is blue.
The meeting is at 5.
Blue
Vegan.
Book a table, my wife is vegan.
You are vegan.
I ran 5 km.
I read a book.
I put the key under the mat.
We had dinner with Ana.
I feel sick.
I sold my van.
I'm short of money.
I'm scared.
I keep getting errors.
I drive to Berlin.
I have a ticket.
I have no milk.
I have my sister visiting.
I have a dog barking at me.
I don't find the button.
I don't get it.
I like the explanation.
I can't sleep.
I live in Lyon and can't sleep.
Berlin is my destination.
I am so vegan that I sold my shoes.
I run out of milk.
My battery is empty.
My train is in Lyon.
My boss is angry.
I am OK.
I am pregnant.
I got married.
I am engaged.
My parents are here.
I love that.
Always late.
Never mind.
I'm done.
I have finished the report.
I like the second one.
I drink a beer with Ana.
My dog eats the couch!
I'm a day behind.
My name's being changed.
My brother's late.
Im Garten wächst ein Quittenbaum.
Im Flur hängt ein Spiegel.
Estoy cansado.
Ich bin Veganerin.
"""


@pytest.mark.parametrize("text", LASTING.strip().splitlines())
def test_what_is_so_lasts(text: str) -> None:
    assert lasting.is_lasting(text)


@pytest.mark.parametrize("text", [*PASSING.strip().splitlines(), "", "…", "I live in Lyon. " * 40])
def test_what_happens_or_is_in_doubt_does_not(text: str) -> None:
    assert not lasting.is_lasting(text)
