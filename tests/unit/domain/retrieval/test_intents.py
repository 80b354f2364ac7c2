"""The documented rules of intents and tiers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.retrieval import intents
from remembrancer.domain.retrieval.intents import Intent


@pytest.mark.parametrize(
    ("query", "intent", "signals"),
    [
        ("Who is the landlord?", "factual", ("factual: who",)),
        ("which bank holds the account", "factual", ("factual: which",)),
        ("HOW MANY children", "factual", ("factual: how many",)),
        ("the landlord's name?", "factual", ("factual: question mark",)),
        ("the landlord's name ?  ", "factual", ("factual: question mark",)),
        ("tell me of the landlord", "conversational", ()),
        ("", "conversational", ()),
        ("thanks, go on", "conversational", ()),
        ("when do we leave", "temporal", ("temporal: when",)),
        ("the meeting yesterday", "temporal", ("temporal: yesterday",)),
        ("plans of 2031", "temporal", ("temporal: 2031",)),
        ("what happened last week?", "temporal", ("temporal: last week", "factual: what")),
        ("her favourite tea", "preference", ("preference: favourite",)),
        ("her favorite tea", "preference", ("preference: favorite",)),
        ("is she allergic to nuts?", "preference", ("preference: allergic", "factual: is")),
        ("why did the launch slip", "analytical", ("analytical: why", "factual: did")),
        ("Summarise the interviews", "analytical", ("analytical: summarise",)),
        ("summarize the interviews", "analytical", ("analytical: summarize",)),
        ("compare the offers of 2024", "hybrid", ("temporal: 2024", "analytical: compare")),
        ("why does she prefer tea", "hybrid", ("preference: prefer", "analytical: why", "factual: does")),
    ],
)
def test_an_intent_and_the_signals_that_decided_it(query: str, intent: str, signals: tuple[str, ...]) -> None:
    found = intents.classify(query)

    assert found.name == intent
    assert sorted(found.signals) == sorted(signals)


@pytest.mark.parametrize("query", ["whenever", "unlikely", "island", "12024", "shower", "flikes"])
def test_a_word_within_a_word_is_no_signal(query: str) -> None:
    assert intents.classify(query) == Intent("conversational", ())


@given(query=st.text())
def test_every_query_has_an_intent(query: str) -> None:
    found = intents.classify(query)

    assert found.name in intents.INTENTS
    assert intents.tier_for(found, query) in intents.TIERS


@pytest.mark.parametrize(
    ("intent", "hours"),
    [
        ("temporal", 24.0),
        ("preference", 168.0),
        ("factual", 168.0),
        ("analytical", 72.0),
        ("conversational", 72.0),
        ("hybrid", 72.0),
    ],
)
def test_the_intent_sets_how_fast_memories_age(intent: str, hours: float) -> None:
    assert Intent(intent, ()).half_life_hours == hours


@pytest.mark.parametrize(
    ("intent", "words", "tier"),
    [
        ("factual", 0, "low"),
        ("factual", 3, "low"),
        ("factual", 4, "medium"),
        ("preference", 40, "medium"),
        ("factual", 41, "high"),
        ("analytical", 1, "high"),
        ("hybrid", 2, "high"),
        ("conversational", 12, "medium"),
        ("temporal", 2, "low"),
    ],
)
def test_intent_and_length_set_the_tier(intent: str, words: int, tier: str) -> None:
    assert intents.tier_for(Intent(intent, ()), " ".join(["word"] * words)) == tier


def test_each_tier_has_its_target_and_covers_what_the_one_below_covers() -> None:
    low, medium, high = (set(intents.MEMORY_TIERS[tier]) for tier in intents.TIERS)

    assert dict(intents.SLA_TARGET_MS) == {"low": 100, "medium": 500, "high": 2000}
    assert low < medium < high == {"hot", "warm", "cold"}
