"""A generated set of memories about people and their habits, with questions of which the evidence is known.

Made from lists of names and sentences, the same on each machine. A question never repeats its memory's sentence: it
names the person and asks in other words, or it names the fact and asks for the person. Each person has ten memories, so
that the name alone does not find the right one, and each kind of fact exists for each person, so that neither does the
kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from local.evaluation.dataset import Dataset, Question

AGENT = "peers"
FACTS_OF_PERSON = 10
_FIRST = (
    "Ada", "Bruno", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Katya", "Luis", "Mara",
    "Nils", "Olga", "Pavel", "Queenie", "Rosa", "Stefan", "Tilda", "Umar", "Vera", "Wanda", "Yusuf", "Zora",
)  # fmt: skip
_LAST = ("Abbott", "Brandt", "Castro", "Dunne", "Eriksen", "Faber", "Gallo", "Horvat", "Ivanova", "Jansen", "Kemal",
         "Lindholm", "Moreau", "Novak", "Okafor", "Petrov", "Quist", "Rossi", "Sato", "Tanaka")  # fmt: skip
_WORDS: Mapping[str, tuple[str, ...]] = {
    "job": ("bookbinder", "tram driver", "midwife", "glazier", "beekeeper", "notary", "welder", "translator"),
    "place": ("the harbour", "the old mill", "the county hospital", "the observatory", "the brickworks", "the zoo"),
    "food": ("shellfish", "peanuts", "celery", "strawberries", "rye bread", "goat cheese", "mustard", "mushrooms"),
    "animal": ("greyhound", "tortoise", "parrot", "cat", "goat", "hedgehog"),
    "pet": ("Biscuit", "Comet", "Pepper", "Captain", "Nutmeg", "Waffle", "Pixel", "Bandit", "Olive", "Domino"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
    "hobby": ("the cello", "fencing", "calligraphy", "bouldering", "tap dance", "choir singing", "chess openings"),
    "month": ("January", "March", "May", "July", "September", "November"),
    "city": ("Lisbon", "Tromsø", "Kraków", "Palermo", "Ghent", "Izmir", "Porto", "Riga", "Vilnius", "Bergen"),
    "relative": ("a cousin", "both parents", "an aunt", "the twins", "a former neighbour"),
    "colour": ("green", "white", "orange", "silver", "blue", "yellow"),
    "vehicle": ("van", "motorcycle", "cargo bicycle", "estate car", "pickup"),
    "gift": ("a barometer", "a fountain pen", "a hammock", "a telescope", "a wool coat", "an atlas", "a record player"),
    "document": ("fire report", "rental contract", "seating plan", "tax return", "floor plan", "grant application"),
    "date": ("the third of April", "the end of June", "the ninth of August", "the first of October"),
    "drink": ("black tea", "oat milk coffee", "hot chocolate", "ginger water", "espresso"),
    "addition": ("two sugars", "a slice of lemon", "cinnamon", "a pinch of salt", "honey"),
    "shop": ("bakery", "pharmacy", "shoe repair", "flower shop", "launderette"),
    "street": ("Canal Street", "Mill Lane", "Station Road", "Chapel Hill", "Market Square", "Quay Street"),
}  # fmt: skip
_FACTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("{person} works as a {job} at {place}.", ("What does {person} do for a living?", "Where is {person} employed?")),
    ("{person} cannot eat {food}; even a trace brings on a rash.",
     ("What must the kitchen keep away from {person}?", "Which allergy does {person} have?")),
    ("{person} has a {animal} called {pet}.",
     ("What is the name of {person}'s pet?", "Who is the owner of {pet} the {animal}?")),
    ("On {day} evenings {person} practises {hobby}.",
     ("How does {person} spend free time after work?", "Which night of the week is {person} busy with {hobby}?")),
    ("{person} spent {month} in {city} with {relative}.",
     ("Where did {person} go on holiday?", "Who travelled to {city} with {relative} in {month}?")),
    ("{person} drives a {colour} {vehicle} and parks it behind {place}.",
     ("What does {person} get around in?", "Whose {colour} {vehicle} stands behind {place}?")),
    ("For the last birthday of {person}, {other} bought {gift}.",
     ("Which present did {person} get from {other}?", "What was given to {person} at the party?")),
    ("{person} promised to deliver the {document} by {date}.",
     ("When is the {document} by {person} due?", "What does {person} still owe us in writing?")),
    ("In the morning {person} takes {drink} with {addition} and nothing else.",
     ("What does {person} have for breakfast?", "How should we prepare {drink} for {person}?")),
    ("{person} moved into a flat above the {shop} on {street}.",
     ("What is the address of {person}?", "Who lives over the {shop} on {street}?")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory's text and the questions that it answers."""

    text: str
    questions: tuple[str, ...]


def facts(number: int, *, seed: int) -> list[Fact]:
    """`number` facts, ten of each person; at most 5,000."""
    random = np.random.default_rng(seed)
    people = [f"{first} {last}" for first in _FIRST for last in _LAST]
    chosen = [people[place] for place in random.permutation(len(people))[: -(-number // FACTS_OF_PERSON)]]
    found: list[Fact] = []
    for person in chosen:
        for sentence, questions in _FACTS:
            words = {name: choices[int(random.integers(len(choices)))] for name, choices in _WORDS.items()}
            words |= {"person": person, "other": people[int(random.integers(len(people)))]}
            found.append(Fact(sentence.format(**words), tuple(question.format(**words) for question in questions)))
    return [found[place] for place in random.permutation(len(found))[:number]]


def generated(memories: int, questions: int, *, seed: int = 1) -> Dataset:
    """One agent's memories, with at most one question for each memory; a gold set has all memories of equal facts."""
    known = facts(memories, seed=seed)
    random = np.random.default_rng((seed, 1))
    asked: list[Question] = []
    for place in random.permutation(len(known))[:questions].tolist():
        text = known[place].questions[int(random.integers(2))]
        gold = frozenset(f"m{number}" for number, fact in enumerate(known) if text in fact.questions)
        asked.append(Question(AGENT, text, "generated", gold))
    lines = [(f"m{number}", {"content": fact.text}) for number, fact in enumerate(known)]
    return Dataset({AGENT: lines}, asked)
