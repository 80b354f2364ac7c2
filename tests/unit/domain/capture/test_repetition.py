"""Requests that repeat a conversation's history, whole or cut, store each of its turns once."""

import random
from collections.abc import Sequence
from datetime import date
from hashlib import sha256

import pytest

from remembrancer.domain.capture.repetition import STANDS_ALONE, Known, Said, places

LONG = [f"{number} is a sentence that nobody else says in this conversation" for number in range(60)]
SHORT = ["Yes", "No", "Ok", "Thanks!", "Blue", "Tomorrow"]


class Store:
    """What a conversation has stored, as the adapter does it."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.known: list[Known] = []

    def add(self, *texts: str, turn_id: str | None = None, day: int = 1, days: Sequence[int] = ()) -> list[int]:
        """On a day of March, or each message with a day of its own."""
        dates = [date(2026, 3, one) for one in days or [day] * len(texts)]
        said = [
            Said(sha256(text.encode()).digest(), len(text) >= STANDS_ALONE, one, is_dated=bool(days))
            for text, one in zip(texts, dates, strict=True)
        ]
        fingerprints = {one.fingerprint for one in said}
        stored = [known for known in self.known if known.fingerprint in fingerprints]
        found = places(said, stored, len(self.texts), turn_id)
        for text, one, place in zip(texts, said, found, strict=True):
            if place.is_new:
                self.texts.append(text)
                assert place.number == len(self.texts)
                self.known.append(Known(place.number, one.fingerprint, one.day, place.after, turn_id))
        return [place.number for place in found]


def conversation(chance: random.Random) -> list[str]:
    """Turns of which half are short; no two equal ones in a row, and at most five short ones."""
    texts = [LONG[0]]
    for text in LONG[1 : chance.randrange(2, 30)]:
        for _ in range(chance.randrange(0, 5)):
            texts.append(chance.choice([short for short in SHORT if short != texts[-1]]))
        texts.append(text)
    return texts


def positions(texts: list[str]) -> list[tuple[str, str]]:
    """Each turn with the long text before it and its distance from it, which name it."""
    named, last, distance = [], "", 0
    for text in texts:
        last, distance = (text, 0) if text in LONG else (last, distance + 1)
        named.append((f"{last}+{distance}", text))
    return named


@pytest.mark.parametrize("seed", range(300))
def test_overlapping_windows_of_a_conversation_store_each_turn_once_and_in_order(seed: int) -> None:
    chance = random.Random(seed)
    texts = conversation(chance)
    store = Store()
    end = 0
    while end < len(texts):
        # A window is recognised by a long turn that was stored before.
        newest_long = max((place for place in range(end) if texts[place] in LONG), default=0)
        first = chance.randrange(newest_long + 1)
        end = min(max(end, newest_long + 1) + chance.randrange(8), len(texts))
        store.add(*texts[first:end])
        for _ in range(chance.randrange(3)):
            start = chance.randrange(end)
            window = texts[start : chance.randrange(start, end) + 1]
            if set(window) & set(LONG):
                store.add(*window)

    assert [text for _, text in positions(store.texts)] == texts


@pytest.mark.parametrize("seed", range(100))
def test_a_client_that_sends_new_messages_only_loses_none(seed: int) -> None:
    chance = random.Random(seed)
    texts = conversation(chance)
    store = Store()

    numbers = [store.add(text)[0] for text in texts]

    assert store.texts == texts
    assert numbers == list(range(1, len(texts) + 1))


def test_a_short_answer_to_another_question_is_another_turn() -> None:
    store = Store()

    store.add(LONG[0], "Yes", LONG[1], "Yes")

    assert store.texts == [LONG[0], "Yes", LONG[1], "Yes"]
    assert store.add(LONG[0], "Yes", LONG[1], "Yes") == [1, 2, 3, 4]
    assert store.add(LONG[1], "Yes") == [3, 4]


def test_a_window_may_begin_with_a_short_turn() -> None:
    store = Store()
    store.add(LONG[0], "Yes", LONG[1], "Yes")

    assert store.add("Yes", LONG[1], "Yes", LONG[2]) == [2, 3, 4, 5]
    assert store.add("Yes", LONG[2]) == [4, 5]
    assert store.texts == [LONG[0], "Yes", LONG[1], "Yes", LONG[2]]


def test_a_long_text_said_again_is_the_turn_that_it_was() -> None:
    store = Store()

    assert store.add(LONG[0], LONG[1], LONG[0], "Blue") == [1, 2, 1, 3]
    assert store.add(LONG[0], LONG[1], LONG[0], "Blue", "No") == [1, 2, 1, 3, 4]
    assert store.add(LONG[0], "Blue") == [1, 3]


def test_the_turn_that_was_stored_last_is_recognised_when_it_is_sent_again_alone() -> None:
    store = Store()
    store.add(LONG[0], "Yes")

    assert store.add("Yes") == [2]
    assert store.add("Yes", "Ok") == [2, 3]


def test_a_turn_id_recognises_a_short_turn_wherever_it_stands() -> None:
    store = Store()
    store.add(LONG[0])
    store.add("Yes", turn_id="turn 2")
    store.add(LONG[1])

    assert store.add("Yes", turn_id="turn 2") == [2]
    assert store.add("Yes", turn_id="turn 4") == [4]


def test_a_client_that_leaves_the_middle_out_stores_nothing_twice() -> None:
    store = Store()
    store.add(LONG[0], "Yes", LONG[1], "Ok", LONG[2], "No", LONG[3])

    assert store.add(LONG[0], "No", LONG[3], "Thanks!") == [1, 6, 7, 8]
    assert store.add(LONG[0], "No", LONG[3], "Thanks!") == [1, 6, 7, 8]


@pytest.mark.parametrize("text", [LONG[0], "I ran 5 km today."])
def test_what_is_said_again_on_another_day_is_another_turn(text: str) -> None:
    store = Store()

    assert [store.add(text, day=day)[0] for day in (1, 8, 8, 15)] == [1, 2, 2, 3]


@pytest.mark.parametrize("seed", range(100))
def test_a_history_is_known_on_any_day_whole_or_cut(seed: int) -> None:
    chance = random.Random(seed)
    texts = conversation(chance)
    store = Store()
    end, day = 0, 0
    while end < len(texts):
        # A window is recognised by a long turn that was stored before.
        newest_long = max((place for place in range(end) if texts[place] in LONG), default=0)
        first = chance.randrange(newest_long + 1)
        end, day = min(end + chance.randrange(1, 6), len(texts)), day % 31 + 1
        store.add(*texts[first:end], day=day)

    assert store.texts == texts


@pytest.mark.parametrize("seed", range(100))
def test_what_is_said_each_day_after_the_repeated_history_is_a_turn_each_day(seed: int) -> None:
    chance = random.Random(seed)
    history: list[str] = []
    store = Store()
    for day in range(1, 15):
        said = [LONG[0], f"{chance.random()} is what the assistant says"]
        sent = history[-chance.randrange(1, 7) :] if history else []
        store.add(*sent, said[0], day=day)
        if chance.random() < 0.5:
            store.add(*sent, *said, day=day)
        history += said

    assert store.texts.count(LONG[0]) == 14


def test_all_of_an_exchange_that_is_sent_again_alone_is_history() -> None:
    store = Store()
    store.add(LONG[0], "Well done!", LONG[1], "Yes", day=1)

    assert store.add(LONG[0], "Well done!", LONG[1], "Yes", day=8) == [1, 2, 3, 4]
    assert store.add("Well done!", LONG[1], day=9) == [2, 3]


def test_messages_with_times_of_their_own_are_turns_of_their_days() -> None:
    store = Store()
    weeks = [LONG[0], "Well done!"] * 3

    assert store.add(*weeks, days=(1, 1, 8, 8, 15, 15)) == [1, 2, 3, 4, 5, 6]
    assert store.add(*weeks, days=(1, 1, 8, 8, 15, 15)) == [1, 2, 3, 4, 5, 6]
    assert store.add(LONG[0], "Well done!", days=(22, 22)) == [7, 8]
    assert store.add(*weeks, day=30) == [1, 2, 3, 4, 5, 6]


def test_a_turn_id_recognises_a_turn_on_any_day() -> None:
    store = Store()

    assert store.add(LONG[0], turn_id="turn 1", day=1) == store.add(LONG[0], turn_id="turn 1", day=2) == [1]


def test_a_text_said_twice_in_one_request_is_one_turn_when_it_is_long() -> None:
    store = Store()

    assert store.add(LONG[0], LONG[1], LONG[0]) == [1, 2, 1]
    assert store.add() == []
