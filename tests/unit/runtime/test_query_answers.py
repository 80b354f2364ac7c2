"""An answer of the memory query is one that every front door takes: its last results are left out before."""

import json
from collections.abc import Sequence

import numpy as np
import pytest

from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.ranking import hybrid_ranking
from remembrancer.domain.retrieval.intents import Intent
from remembrancer.domain.retrieval.query import Ending, QueryAnswer, Result
from remembrancer.runtime.endpoints.query_api import FEW_CHARACTERS, fitting
from remembrancer.runtime.http.pages import PAGE_BYTES, sent_bytes
from tests.builders import NOW, memory, query_request

MOST_RESULTS = 50
# The letter that takes most bytes where it is sent: escaped twice.
LONGEST = "\x01"
OWL = "\N{OWL}"


def answer(texts: Sequence[str], *, terms: Sequence[str] = (), explain: bool = True, k: int = 50) -> QueryAnswer:
    count = len(texts)
    ones = np.ones(count)
    result = hybrid_ranking.rank(
        [memory(number, content=text) for number, text in enumerate(texts)],
        MemoryColumns.of([memory(number, content=text) for number, text in enumerate(texts)]),
        hybrid_ranking.QuerySignals(semantic=ones, lexical=ones, context=ones, subject=ones, period=ones, cluster=ones),
        weights=hybrid_ranking.weights_of({}),
        half_life_hours=72.0,
        now=NOW,
    )
    return QueryAnswer(
        request=query_request(k=k, explain=explain),
        found=[Result(one, tuple(terms)) for one in result.ranked],
        intent=Intent("factual", ()),
        tier="medium",
        elapsed_ms=5.0,
        tiebreak_applied=False,
        ending=Ending("exhausted"),
        routing_info={},
        timings_ms={"total": 5.0},
    )


def sent(whole: QueryAnswer) -> int:
    return sent_bytes(json.dumps(whole.as_json(), ensure_ascii=False, separators=(",", ":")))


def test_usual_results_are_all_answered_with() -> None:
    usual = answer(["The heron sleeps in the old oak"] * MOST_RESULTS)

    assert fitting(usual) is usual


def test_few_characters_fit_whatever_they_are() -> None:
    each = FEW_CHARACTERS // MOST_RESULTS

    worst = answer([LONGEST * each] * MOST_RESULTS, terms=[LONGEST * (each // 2)] * 2)

    assert fitting(worst) is worst
    assert sent(worst) < PAGE_BYTES


@pytest.mark.parametrize("explain", [True, False])
@pytest.mark.parametrize("text", [OWL * 8192, '"' * 8192], ids=["owls", "quotes"])
def test_of_long_results_as_many_are_answered_with_as_fit(text: str, explain: bool) -> None:
    long = answer([text] * MOST_RESULTS, terms=["owl"] * 20, explain=explain)

    fitted = fitting(long)

    number = len(fitted.found)
    assert 1 < number < MOST_RESULTS
    assert sent(fitted) <= PAGE_BYTES < sent(long.first(number + 1))
    assert fitted.found == long.found[:number]
    assert fitted.as_json()["adjusted"] == {"k": {"given": 50, "used": number}}


def test_long_results_that_fit_are_all_answered_with() -> None:
    long = answer(["heron " * 1300] * MOST_RESULTS)

    assert fitting(long) is long


def test_what_the_request_gave_stays_where_it_was_clamped_before() -> None:
    asked = answer(["a", "b"])
    clamped = query_request(k=50, adjusted={"k": {"given": 500, "used": 50}, "weights.usage": {"given": 2, "used": 1}})

    whole = QueryAnswer(clamped, asked.found, asked.intent, "low", 5.0, False, asked.ending, {}, {"total": 5.0})
    first = whole.first(1)

    assert first.as_json()["adjusted"] == {
        "k": {"given": 500, "used": 1},
        "weights.usage": {"given": 2, "used": 1},
    }
