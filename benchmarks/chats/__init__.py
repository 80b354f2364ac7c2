"""Long, untidy chats of four users with an assistant, and questions about them.

A chat has some 700 messages of a year. Facts are said once in the middle of long messages about other things, in small
letters, with typing mistakes; some change later, some come in parts over the months; friends have the same topics, and
the assistant talks about them at length. Everything is made from `topics.tsv` and the sentences here, the same each
time. `python -m benchmarks.chats FOLDER` writes the set as JSON Lines for
`remembrancer eval FOLDER --budgets 500,1000,2000`.

With `--long`, messages and answers have many topics each and some 300 tokens, and the sentence with the fact is marked:
a memory is evidence only where that sentence is shown.
"""

import argparse
import csv
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.labelled import HALVES

FOLDER = Path(__file__).parent
AGENTS = ("robin", "sasha", "kim", "toni")
"""The users; each has an assistant, an agent, of that name."""
EXCHANGES = 350
"""Pairs of a message and its answer in each chat."""
LONG_EXCHANGES = 150
"""The same where messages are long."""
OF_A_SESSION = (4, 16)
PARTS = (3, 5)
"""How often a fact of several parts is told."""
FIRST = datetime(2024, 10, 7, 7, 30, tzinfo=UTC)
TYPING_MISTAKES = 0.04
CONTEXT_CHARACTERS = 400

SLOTS: Mapping[str, Sequence[str]] = {
    "doctor": ("Dr Achterberg", "Dr Moyo", "Dr Szabo", "Dr Lindgren", "Dr Okafor", "Dr Petit"),
    "street": ("Mill Lane", "Harbour Road", "Kastanienweg", "Abbey Street", "Rua das Flores", "Station Yard"),
    "allergen": ("sesame", "cashews", "mustard", "lupin", "kiwi", "penicillin"),
    "friend": ("Jules", "Mo", "Bea", "Luca", "Farah", "Nils", "Odette", "Piet", "Rhea", "Tariq", "Wanda", "Yusuf"),
    "pet": ("Biscuit", "Turnip", "Major", "Pixel", "Gravy", "Olive"),
    "number": ("17", "42", "118", "230", "365", "480", "61", "94", "750", "1210"),
    "month": ("January", "March", "April", "June", "August", "October"),
    "code": ("KX417", "heron-77-lamp", "BT2209", "maple!sled9", "QR503", "zx-otter-12"),
    "colleague": ("Agnieszka", "Bertrand", "Chidi", "Devika", "Emeka", "Giulia", "Hiroshi", "Katya"),
    "city": ("Valencia", "Tallinn", "Marseille", "Gdansk", "Bologna", "Bergen", "Galway", "Nantes"),
    "part": ("alternator", "clutch", "timing belt", "water pump", "rear axle", "catalytic converter"),
    "spice": ("fenugreek", "star anise", "juniper", "nutmeg", "sumac", "lovage"),
    "color": ("eggshell", "pale sage", "chalk white", "dove grey", "linen"),
    "minutes": ("97", "104", "111", "118", "126", "133"),
    "system": ("staging", "billing", "archive", "payroll", "warehouse"),
    "composer": ("Clementi", "Grieg", "Bartok", "Satie", "Faure", "Telemann"),
    "camera": ("Pentax", "Leica", "Olympus", "Hasselblad", "Fuji"),
    "weekday": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
    "drug": ("cetirizine", "levothyroxine", "ramipril", "magnesium", "sertraline"),
    "wine": ("Riesling", "Primitivo", "Vinho Verde", "Silvaner", "cremant"),
    "project": ("atlas", "kiosk", "beacon", "ferry", "orchard"),
    "date": ("the 3rd of May", "the 19th of June", "the 27th of July", "the 8th of August", "the 30th of May"),
    "hour": ("half past eight", "nine", "quarter to ten", "ten", "half past ten"),
    "drink": ("green tea", "barley coffee", "hot water with ginger", "mate", "cocoa"),
    "phone": ("Pixel", "Fairphone", "Nokia", "Galaxy", "Xperia"),
    "language": ("Welsh", "Turkish", "Finnish", "Korean", "Portuguese"),
    "band": ("the Paper Wolves", "Kleinstadt", "Marble Arcade", "Sour Lemons", "Hollow Tide", "the Night Bakers"),
    "book": ("The Salt Road", "Nine Bridges", "A Winter Ledger", "Glasshouse", "The Understudy", "Low Water"),
    "thing": ("the big drill", "my tent", "the pasta machine", "a blue suitcase", "the sledge", "my good headphones"),
    "hill": ("the Rotwand", "Ben Arth", "Monte Crina", "the Hochfirst", "Carn Dhu", "Pico Alto"),
    "food": ("Georgian", "ramen", "Ethiopian", "falafel", "Peruvian", "dumpling"),
}
_CHATTER = (
    "anyway the weather is doing its thing again", "sorry for the wall of text", "ok different topic",
    "i slept like four hours", "the tram was late and full and loud", "not sure why i am telling you this",
    "had leftovers for lunch, third day", "work is work", "the neighbours are drilling since seven",
    "can you believe it is already that late", "my back hurts from that chair", "i should really clean the kitchen",
    "scrolled for an hour, learned nothing", "the printer hates me personally", "lol never mind",
    "there was a huge queue at the post office", "the kids are fighting over the remote", "brb doorbell",
    "ok back", "i keep opening the fridge as if something new was in it", "someone ate my yoghurt at work",
    "the meeting could have been two lines of text", "my laptop fan sounds like a plane", "i need a nap",
    "it is one of those days", "the bakery was closed", "whatever, it is fine", "had a weird dream about trains",
    "i am so behind on everything", "the cat from next door sat on the car for hours",
)  # fmt: skip
_TASKS = (
    "can you rewrite this to sound less angry: we did not get the delivery and nobody called us back",
    "what is the difference between affect and effect again", "give me five names for a quiz team",
    "make a packing list for three days with a small bag", "why does bread go stale faster in the fridge",
    "explain mortgages as if i was twelve", "how long do i boil a large egg", "write a haiku about mondays",
    "is it ok to prune a lemon tree now", "convert 350 fahrenheit please", "what do i say in a condolence card",
    "regex for a date like 2024-11-03 please, the last one you gave me matched everything",
    "ERROR 1045 (28000): Access denied for user 'app'@'10.0.0.7' (using password: YES)\n  at connect (db.js:88)\n"
    "  at main (index.js:12)\nwhat is this even",
    "summarize: the committee met, nothing was decided, the next meeting is about the minutes of this one",
    "plan a birthday party for nine kids when it rains", "how do i get candle wax out of a tablecloth",
)  # fmt: skip
_ANSWERS = (
    "That sounds like a lot for one day.", "Here are a few thoughts, in no particular order.",
    "Happy to help with that!", "You could start small and see how it feels after a week.",
    "It depends on how much time you have and what matters most to you.", "Most people underestimate the first step.",
    "A short list on paper often works better than an app.", "If it does not get better, ask somebody who knows you.",
    "Let me know if you would like a longer version of this.", "There is no single right answer here.",
    "Try it once without pressure, then decide.", "I would keep the wording friendly and short.",
    "A good rule is to change only one thing at a time.", "Take a break first; it rarely has to be today.",
    "Would you like me to turn this into a checklist?", "In general, the simplest option ages best.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """A line of `topics.tsv`: a fact as it is said, the question for it, what is said of others, and the advice on it.

    `kind`: `single`, told once; `changed`, told again with another value, and the last is right; `several`, in parts
    which all belong to the answer; `when`, asks for the day.
    """

    kind: str
    said: str
    asked: str
    beside: str
    advice: str


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact with the values that it has this time."""

    topic: Topic
    values: Mapping[str, str]

    @property
    def said(self) -> str:
        """The fact in the words of the user's message, with its values filled in."""
        return self.topic.said.format_map(self.values)

    @property
    def asked(self) -> str:
        """A question whose answer is this fact, in other words than the message."""
        return self.topic.asked.format_map(self.values)


@dataclass(frozen=True, slots=True)
class Chat:
    """The messages of one user with the assistant, and the questions."""

    agent: str
    memories: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)

    @property
    def newest(self) -> str:
        """The id of the last message."""
        return str(self.memories[-1]["id"])

    def add(self, text: str, session: str, at: datetime) -> None:
        """Adds a message; its context is the end of the one before in its session."""
        before = self.memories[-1] if self.memories else {}
        self.memories.append(
            {
                "id": f"{self.agent}-{len(self.memories) + 1}",
                "agent": self.agent,
                "session": session,
                "created_at": at.isoformat(),
                "content": text,
                "context": before["content"][-CONTEXT_CHARACTERS:] if before.get("session") == session else "",
            }
        )


@cache
def topics() -> Sequence[Topic]:
    """The rows of `topics.tsv`: how each fact is said and asked."""
    with (FOLDER / "topics.tsv").open(encoding="utf-8", newline="") as file:
        return tuple(Topic(**row) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def chat(agent: str, *, is_long: bool = False) -> Chat:
    """All of one user's messages, oldest first, and the questions in the order of the topics."""
    random_ = random.Random(agent)
    exchanges = LONG_EXCHANGES if is_long else EXCHANGES
    tellings = [telling for topic in topics() for telling in _tellings(topic, random_)]
    random_.shuffle(tellings)
    told = dict(zip(sorted(random_.sample(range(exchanges), len(tellings))), tellings, strict=True))
    made = Chat(agent)
    gold: dict[str, list[str]] = {}
    said: dict[str, str] = {}
    for number, (session, at) in enumerate(_times(exchanges, random_)):
        telling = told.get(number)
        fact = _mistyped(telling.said, telling, random_) if telling and is_long else ""
        made.add(f"User: {_long_message(fact, random_) if is_long else _message(telling, random_)}", session, at)
        if telling:
            gold.setdefault(telling.asked, []).append(made.newest)
            said[made.newest] = fact
        answer = _long_answer(telling, random_) if is_long else _answer(telling, random_)
        made.add(f"Assistant: {answer}", session, at + timedelta(seconds=40))
    for topic in topics():
        asked = next(telling.asked for telling in tellings if telling.topic is topic)
        right = gold[asked][-1:] if topic.kind == "changed" else gold[asked]
        question = {"agent": agent, "question": asked, "kind": topic.kind, "gold": right}
        marked = {"passages": {identifier: said[identifier] for identifier in right}} if is_long else {}
        made.questions.append(question | marked)
    return made


def lines() -> Iterator[dict[str, Any]]:
    """All memories and questions; every other topic is for choosing."""
    for agent in AGENTS:
        made = chat(agent)
        yield from made.memories
        for number, question in enumerate(made.questions):
            yield question | {"half": HALVES[number % 2]}


def main() -> None:
    """Writes `memories.jsonl` and `questions.jsonl` into the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--long", action="store_true", help="long messages of many topics, with the answers marked")
    asked = parser.parse_args()
    folder: Path = asked.folder
    folder.mkdir(parents=True, exist_ok=True)
    chats = [chat(agent, is_long=asked.long) for agent in AGENTS]
    _write(folder / "memories.jsonl", [line for one in chats for line in one.memories])
    _write(folder / "questions.jsonl", [line for one in chats for line in one.questions])


def _tellings(topic: Topic, random_: random.Random) -> list[Telling]:
    """One for each time that the fact is told, with other values except for the slots that the question names."""
    times = {"changed": 2, "several": random_.randint(*PARTS)}.get(topic.kind, 1)
    drawn = {name: random_.sample(values, min(times, len(values))) for name, values in SLOTS.items()}
    named = {name for name in SLOTS if f"{{{name}}}" in topic.asked}
    return [
        Telling(topic, {name: own[0 if name in named else time % len(own)] for name, own in drawn.items()})
        for time in range(times)
    ]


def _times(exchanges: int, random_: random.Random) -> Iterator[tuple[str, datetime]]:
    """Session and time of each exchange: some sessions a week, with pauses of a few minutes in them."""
    at, left, session = FIRST, 0, 0
    for _ in range(exchanges):
        if not left:
            left, session = random_.randint(*OF_A_SESSION), session + 1
            at += timedelta(days=random_.randint(2, 19), minutes=random_.randint(0, 700))
        left -= 1
        at += timedelta(minutes=random_.randint(1, 9))
        yield f"chat-{session}", at


def _message(telling: Telling | None, random_: random.Random) -> str:
    """Small talk, what a friend does, a task for the assistant; and the fact, if one is told, in the middle."""
    parts = random_.sample(_CHATTER, random_.randint(1, 6))
    if random_.random() < 0.4:
        parts.append(_any_values(random_.choice(topics()).beside, random_))
    if random_.random() < 0.4:
        parts.append(random_.choice(_TASKS))
    if telling:
        parts.insert(random_.randint(0, len(parts)), telling.said)
    return _mistyped(random_.choice((". ", ".. ", ", ", "\n")).join(parts), telling, random_)


def _answer(telling: Telling | None, random_: random.Random) -> str:
    """Polite sentences, and advice on the topic that was told, or on any."""
    advice = (telling.topic if telling else random_.choice(topics())).advice
    sentences = random_.sample(_ANSWERS, random_.randint(2, 7))
    sentences.insert(random_.randint(0, len(sentences)), advice)
    return " ".join(sentences)


def _long_message(fact: str, random_: random.Random) -> str:
    """The same at length: what several friends do, two tasks, and the fact, if there is one, at any place."""
    parts = random_.sample(_CHATTER, random_.randint(8, 20))
    parts += [_any_values(topic.beside, random_) for topic in random_.sample(topics(), random_.randint(4, 9))]
    parts += random_.sample(_TASKS, random_.randint(0, 2))
    random_.shuffle(parts)
    told = [_mistyped(part, None, random_) for part in parts]
    if fact:
        told.insert(random_.randint(0, len(told)), fact)
    return random_.choice((". ", ".. ", ", ", "\n")).join(told)


def _long_answer(telling: Telling | None, random_: random.Random) -> str:
    """All polite sentences, and advice on several topics, with the one that was told among them."""
    advice = [topic.advice for topic in random_.sample(topics(), random_.randint(4, 8))]
    sentences = [
        *random_.sample(_ANSWERS, random_.randint(8, 16)),
        *advice,
        *([telling.topic.advice] if telling else []),
    ]
    random_.shuffle(sentences)
    return " ".join(sentences)


def _any_values(template: str, random_: random.Random) -> str:
    return template.format_map({name: random_.choice(values) for name, values in SLOTS.items()})


def _mistyped(text: str, telling: Telling | None, random_: random.Random) -> str:
    """Two letters of some words change places; not in the values of a fact, since they are the answer."""
    kept = " ".join(telling.values.values()) if telling else ""
    words = text.split(" ")
    for place, word in enumerate(words):
        if len(word) > 4 and word.isalpha() and word not in kept and random_.random() < TYPING_MISTAKES:
            at = random_.randint(1, len(word) - 3)
            words[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return " ".join(words)


def _write(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
