"""Turns that need a memory, and turns that need none, for six agents with hundreds of memories each.

`needed.tsv` has one memory and one question a line, `unneeded.tsv` turns that nothing stored helps with; all were
written by hand. The other memories are made from the templates here, the same ones each time.
`python -m benchmarks.silence FOLDER` writes the set as JSON Lines for `remembrancer eval FOLDER --budgets 2000`;
`--half` chooses the turns on which the thresholds were chosen, or those on which they were confirmed.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from benchmarks import labelled
from benchmarks.labelled import HALVES, NEWEST

FOLDER = Path(__file__).parent
MEMORIES = 300
"""Of each agent."""
_CATEGORIES = ("factual", "preference", "episodic", "procedural", "behavioral")

_PLACES = (
    "Lisbon", "Utrecht", "Bergen", "Trieste", "Leeds", "Porto", "Ghent", "Aarhus", "Graz", "Malmö", "Cork", "Basel",
    "the lake", "the old harbour", "the market hall", "the library", "the station", "the north exit", "the annex",
)  # fmt: skip
_TIMES = (
    "in spring", "last week", "on Monday", "in the evening", "before lunch", "at the weekend", "in late summer",
    "after the holidays", "every other day", "in the first snow", "around noon", "during the break", "on a rainy day",
)  # fmt: skip
_THINGS = (
    "a green umbrella", "the brass lamp", "two paper maps", "an old radio", "the spare battery", "a box of candles",
    "the long ladder", "a woollen blanket", "the wall calendar", "a folding chair", "the label printer",
    "a jar of buttons", "the garden hose", "a pocket knife", "the picture frame", "a pair of binoculars",
)  # fmt: skip
_TOPICS = (
    "jazz", "gardening", "chess", "old films", "birds", "weather apps", "crosswords", "ceramics", "local history",
    "board games", "photography", "podcasts", "astronomy", "languages", "cycling routes", "tea", "architecture",
)  # fmt: skip
_COMMON = (
    "{who} left {thing} at {place} {time}.",
    "{who} likes to talk about {topic} {time}.",
    "{who} asked for {thing} and got it from {other} {time}.",
    "{who} and {other} met at {place} {time} and spoke about {topic}.",
    "{who} was late {time} because of a delay at {place}.",
    "{who} wants to read a book about {topic}.",
    "{who} thanked {other} for {thing}.",
    "{who} found it too loud at {place} {time}.",
    "{who} plans to learn more about {topic} with {other}.",
    "{who} said good morning to {other} at {place} and forgot {thing}.",
)
_OWN: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "household": (
        ("Marta", "Jonas", "Elsa", "Viktor", "Ingrid", "Annika", "Gunilla", "Peder", "Aunt Siv", "Lotta"),
        (
            "{who} baked cinnamon buns with {other} {time}.",
            "{who} borrowed {thing} from {other} and brought it back {time}.",
            "{who} watched a documentary about {topic} with {other}.",
            "{who} repaired {thing} on the balcony {time}.",
            "{who} took the tram to {place} {time}.",
        ),
    ),
    "workshop": (
        ("Tom", "Jess", "Fatima", "Mr Finch", "Lena", "Mr Abara", "Priya", "Mrs Cardew", "Dev", "Colin"),
        (
            "{who} brought a wheel with a broken spoke {time}.",
            "{who} picked up the bike at the shop {time} and paid in cash.",
            "{who} asked about a longer chain for the ride to {place}.",
            "{who} cleaned the workbench {time} and found {thing}.",
            "{who} tested new brake levers {time}.",
        ),
    ),
    "studio": (
        ("Ravi", "Mei", "Tabea", "Frau Lorenz", "Jun", "Sofia", "Pelle", "Anouk", "Dmitri", "Carla"),
        (
            "{who} merged a change to the parser {time}.",
            "{who} wrote a note about the release {time}.",
            "{who} paired with {other} on the import script {time}.",
            "{who} saw an error in the dashboard {time} and told {other}.",
            "{who} wants to try another library for {topic}.",
        ),
    ),
    "kitchen": (
        ("Amara", "Benoît", "Kofi", "Lucía", "Duarte", "Mrs Oyelaran", "Ines", "Marek", "Yara", "Paul"),
        (
            "{who} cooked a soup for {other} {time}.",
            "{who} ordered crates of lemons from {place} {time}.",
            "{who} dropped a tray of glasses {time}.",
            "{who} sharpened the knives with {other} {time}.",
            "{who} praised the bread {time}.",
        ),
    ),
    "clinic": (
        ("Dana", "Oskar", "Milo", "Dr Petrescu", "Nina", "Gregor", "Dana's mother", "Salma", "Tim", "Rosa"),
        (
            "{who} walked around {place} for an hour {time}.",
            "{who} felt stiff {time} and stretched with {other}.",
            "{who} did three sets of bridges {time}.",
            "{who} wrote down a pain of two out of ten {time}.",
            "{who} recommended a warm-up to {other} {time}.",
        ),
    ),
    "classroom": (
        ("Noor", "Leo", "Matteo", "Iris", "Hana", "Sam", "Mrs Vance", "Mr Adeyemi", "Jana", "Emil"),
        (
            "{who} forgot the exercise book {time}.",
            "{who} gave a talk about {topic} {time}.",
            "{who} helped {other} with long division {time}.",
            "{who} brought {thing} for the class {time}.",
            "{who} read aloud to {other} {time}.",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of an end user; `gold` is the id of the memory that it needs, None when it needs none.

    `kind` is `needed`, or says what the turn is about.
    """

    agent: str
    text: str
    kind: str
    half: str
    gold: str | None = None


def agents() -> Sequence[str]:
    """The names of the agents."""
    return tuple(_OWN)


def memories() -> Iterator[dict[str, Any]]:
    """Every agent's memories: those of the questions between those from templates, in the order of their creation."""
    for agent in agents():
        generator = random.Random(agent)
        asked = [memory for owner, memory, _ in labelled.rows(FOLDER / "needed.tsv") if owner == agent]
        texts = [(f"{agent}-{number}", memory) for number, memory in enumerate(asked, start=1)]
        seen = set(asked)
        while len(texts) < MEMORIES:
            text = _made(agent, generator)
            if text not in seen:
                seen.add(text)
                texts.append((f"{agent}-{len(texts) + 1}", text))
        generator.shuffle(texts)
        for place, (name, text) in enumerate(texts):
            yield {
                "id": name,
                "agent": agent,
                "content": text,
                "category": generator.choice(_CATEGORIES),
                "created_at": (NEWEST - timedelta(hours=53 * (MEMORIES - place))).isoformat(),
            }


def turns() -> Iterator[Turn]:
    """All turns; every second one of an agent and a file is for choosing, the others are for confirming."""
    for agent in agents():
        for number, (_, _, question) in enumerate(
            (row for row in labelled.rows(FOLDER / "needed.tsv") if row[0] == agent), start=1
        ):
            yield Turn(agent, question, "needed", HALVES[number % 2], f"{agent}-{number}")
        for number, (_, kind, text) in enumerate(
            (row for row in labelled.rows(FOLDER / "unneeded.tsv") if row[0] == agent), start=1
        ):
            yield Turn(agent, text, kind, HALVES[number % 2])


def lines(half: str = "") -> Iterator[dict[str, Any]]:
    """The set as `remembrancer eval` reads it, with all turns or those of one half."""
    yield from memories()
    for turn in turns():
        if half in ("", turn.half):
            gold = [] if turn.gold is None else [turn.gold]
            yield {"agent": turn.agent, "question": turn.text, "kind": turn.kind, "gold": gold}


def main() -> None:
    """Writes `silence.jsonl` into the folder."""
    labelled.write("silence", __doc__, lines)


def _made(agent: str, generator: random.Random) -> str:
    people, own = _OWN[agent]
    who, other = generator.sample(people, 2)
    return generator.choice((*_COMMON, *own)).format(
        who=who,
        other=other,
        thing=generator.choice(_THINGS),
        place=generator.choice(_PLACES),
        time=generator.choice(_TIMES),
        topic=generator.choice(_TOPICS),
    )
