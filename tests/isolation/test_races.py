"""Four callers ask without a pause while what they ask for is taken away: none gets it after the documented delay.

Asked are all functions that read: assembly, query, listing and export.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest

from tests import patience
from tests.e2e.conftest import NewTenant, Tenant
from tests.isolation.world import CANARY, new_canary

pytestmark = pytest.mark.long

QUESTION = "What does the office keep?"
KEY_SECONDS = 5.0
"""How long a warm instance may believe a key that was revoked: docs/operations.md."""
ON_SECONDS = 1.0
"""How long is asked after what must not come back."""
REQUEST_SECONDS = 30.0


@dataclass(frozen=True)
class Answer:
    """When it was asked for and had come, by one clock; `words` are the canaries in it."""

    asked: float
    came: float
    status: int
    words: frozenset[str]


@dataclass
class Callers:
    """Answers of all callers, in no order."""

    answers: list[Answer] = field(default_factory=list)

    def after(self, moment: float) -> list[Answer]:
        """Those to what was asked after this moment."""
        return [answer for answer in self.answers if answer.asked >= moment]

    def until(self, some: int, since: float) -> None:
        """Returns when so many answers to later questions have come."""
        end = time.monotonic() + REQUEST_SECONDS
        while len(self.after(since)) < some:
            assert time.monotonic() < end, "the callers get no answers"
            time.sleep(0.02)


def reading(tenant: Tenant, user: str | None) -> list[Callable[[], httpx.Response]]:
    place = {"agent_id": tenant.agent_id}
    named = {} if user is None else {"user_id": user}
    acting = {} if user is None else {"X-End-User-ID": user}
    return [
        lambda: tenant.assemble(QUESTION, options={"silence": False}, **named),
        lambda: tenant.client.post("/memory/query", json={"query": QUESTION, **place}, headers=acting),
        lambda: tenant.client.get("/v1/memories", params=place, headers=acting),
        lambda: tenant.client.get("/v1/export", params=place, headers=acting),
    ]


@contextmanager
def asking(calls: list[Callable[[], httpx.Response]]) -> Iterator[Callers]:
    """One thread for each call, which repeats it until the end of the context."""
    callers, ended = Callers(), threading.Event()

    def repeat(call: Callable[[], httpx.Response]) -> None:
        while not ended.is_set():
            asked = time.monotonic()
            response = call()
            words = frozenset(CANARY.findall(response.text))
            callers.answers.append(Answer(asked, time.monotonic(), response.status_code, words))

    threads = [threading.Thread(target=repeat, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    try:
        callers.until(3 * len(calls), 0)
        yield callers
    finally:
        ended.set()
        for thread in threads:
            thread.join(REQUEST_SECONDS)


@pytest.fixture
def tenant(new_tenant: NewTenant) -> Tenant:
    return new_tenant()


def known(tenant: Tenant, **fields: Any) -> tuple[str, str]:
    """A word, and the id of the memory that has it, among others; all are searched by meaning too."""
    word = new_canary()
    (memory_id,) = tenant.remember(f"The office keeps {word}.", **fields)
    tenant.remember(*(f"The office keeps drawer {number}." for number in range(12)), **fields)
    tenant.drain()
    return word, memory_id


def still(callers: Callers, word: str, moment: float) -> list[Answer]:
    """Answers with the word to questions after the moment, and after some more of them have come."""
    assert any(word in answer.words for answer in callers.answers)
    end = time.monotonic() + ON_SECONDS
    while time.monotonic() < end:
        time.sleep(0.02)
    callers.until(8, moment)
    return [answer for answer in callers.after(moment) if word in answer.words]


def test_a_deleted_memory_is_in_no_answer_that_was_asked_for_afterwards(tenant: Tenant) -> None:
    word, memory_id = known(tenant)

    with asking(reading(tenant, None)) as callers:
        deleted = tenant.client.delete(f"/v1/memories/{memory_id}")
        late = still(callers, word, time.monotonic())

    assert (deleted.status_code, late) == (200, [])


def test_an_erased_end_user_is_in_no_answer_that_was_asked_for_afterwards(tenant: Tenant) -> None:
    word, _ = known(tenant, user_id="ann")

    with asking(reading(tenant, "ann")) as callers:
        erased = tenant.client.post("/v1/erasures", json={"user_id": "ann"})
        path = f"/v1/erasures/{erased.json()['erasure_id']}"
        # A busy machine leaves the rest of an erasure to the scheduled maintenance.
        while tenant.client.get(path).json()["status"] != "done":
            tenant.loop.run(tenant.stack.invoke("MaintainFunction", {}))
        late = still(callers, word, time.monotonic())

    assert (erased.status_code, late) == (202, [])


def test_a_superseded_text_is_in_no_answer_that_was_asked_for_afterwards(tenant: Tenant) -> None:
    """Nor is an edited one: a correction holds from its answer on."""
    word, memory_id = known(tenant)

    with asking(reading(tenant, None)[:3]) as callers:
        edited = tenant.client.patch(f"/v1/memories/{memory_id}", json={"content": "The office keeps nothing."})
        late = still(callers, word, time.monotonic())

    assert (edited.status_code, late) == (200, [])


def test_an_agent_that_is_switched_off_tells_nothing_afterwards(tenant: Tenant) -> None:
    word, _ = known(tenant)

    with asking(reading(tenant, None)[:1]) as callers:
        off = tenant.client.patch(f"/v1/agents/{tenant.agent_id}", json={"enabled": False})
        late = still(callers, word, time.monotonic())

    assert (off.status_code, late) == (200, [])


def test_a_revoked_key_opens_nothing_after_its_delay(tenant: Tenant) -> None:
    word, _ = known(tenant)
    made = tenant.client.post("/v1/keys", json={"name": "short", "scopes": ["query", "assemble"]}).json()

    with patience.client(tenant.stack, {"X-API-Key": made["api_key"]}) as client:
        own = replace(tenant, client=client)
        with asking(reading(own, None)) as callers:
            revoked = tenant.client.delete(f"/v1/keys/{made['key_id']}")
            late = still(callers, word, time.monotonic() + KEY_SECONDS)

    assert (revoked.status_code, late) == (200, [])
    last = max(callers.answers, key=lambda answer: answer.asked)
    assert last.status in {401, 429}
