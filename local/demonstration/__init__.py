"""The demonstration: an assembly, a query and a conversation on the sample, with explanations for newcomers."""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx
from rich.console import Console
from rich.text import Text

from local.demonstration import assembly_screen, capture_screen, judgement, query_screen
from local.sample.loader import Sample

MOST_COLUMNS = 110
TRIES = 10
TRIES_AS_DEPLOYED = 3
"""After these, the machine is too busy for a deployment's deadline."""
DEADLINE_MS = 48.0
CALLER_MS = DEADLINE_MS + 5
"""What a caller allows for an answer within `DEADLINE_MS`."""
CAPTURE_SECONDS = 20.0
POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class _Answer:
    """An HTTP answer; with `status` 0 there was none, and `body` is the reason."""

    status: int
    body: Mapping[str, Any]
    elapsed_ms: float

    @property
    def refusal(self) -> str:
        """The error message, when this is not a successful answer."""
        return f"answered {self.status}: {self.body}" if self.status else f"got no answer: {self.body['error']}"


async def show(
    url: str,
    api_key: str,
    sample: Sample,
    console: Console,
    *,
    deadline_ms: float = DEADLINE_MS,
    as_deployed: bool = False,
) -> bool:
    """Asks and prints; True only if the answers were complete and contain the expected memories.

    An incomplete assembly is repeated a few times, and the screen says so: just after the start a function may still
    be loading. A missing answer is reported as a fault. `as_deployed`: the first tries have a deployment's deadline.
    """
    width = min(console.width, MOST_COLUMNS)
    console.print(_introduction(sample), width=width)
    async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": api_key}, timeout=30.0) as client:
        assembly = await _assemble(client, sample, console, TRIES_AS_DEPLOYED if as_deployed else 0)
        query = await _query(client, sample)
        stored = await _converse(client, sample)
        next_answer = await _ask_again(client, sample)
    faults: list[str] = []
    now = datetime.now(UTC)
    if "metadata" in assembly.body:
        screen = assembly_screen.render(assembly.body, sample, deadline_ms=deadline_ms, now=now, width=width)
        console.print(screen, width=width)
        faults += judgement.assembly_faults(assembly.body, sample)
    else:
        faults.append(f"the assembly {assembly.refusal}")
    if "memories" in query.body:
        console.print(query_screen.render(query.body, sample, elapsed_ms=query.elapsed_ms, now=now), width=width)
        faults += judgement.query_faults(query.body, sample)
    else:
        faults.append(f"the query {query.refusal}")
    if "turns" in stored.body and "metadata" in next_answer.body:
        console.print(capture_screen.render(stored.body, next_answer.body, sample), width=width)
        faults += judgement.capture_faults(stored.body, next_answer.body, sample)
    else:
        faults.append(f"the conversation {stored.refusal}")
    console.print(_conclusion(faults, sample), width=width)
    return not faults


def _introduction(sample: Sample) -> Text:
    story = sample.story
    people = ", and ".join(f"{person.name}, {person.role}" for person in story.people)
    return Text.assemble(
        ("\nRemembrancer", "bold"),
        " reminds language models. A model forgets everything between two requests, so just before each "
        "one it picks what matters now from all that was ever learned and puts that first, within milliseconds.\n\n",
        (f"{story.agent}", "bold"),
        f" is the assistant of {story.organization}, {story.about}. "
        f"It has {len(story.lines)} memories of one year with {people}: some shared, some in confidence.",
    )


def _conclusion(faults: list[str], sample: Sample) -> Text:
    text = Text("\n")
    if sample.pending or sample.failed:
        waiting = f"{sample.pending} memories still wait for their embedding and {sample.failed} have none"
        text.append(f"{waiting}: these are found by words only.\n", "yellow")
    if not faults:
        return text.append("All answers are as they should be.", "bold green")
    text.append("Not as it should be: ", "bold red")
    return text.append("; ".join(faults) + ".")


async def _assemble(client: httpx.AsyncClient, sample: Sample, console: Console, as_deployed: int) -> _Answer:
    for attempt in range(1, TRIES + 1):
        patience = {} if attempt > as_deployed else {"X-Deadline-Ms": str(CALLER_MS)}
        answer = await _post(client, "/v1/context/assemble", _assembly_request(sample), patience)
        reason = answer.body.get("metadata", {}).get("fallback_reason")
        if not reason or attempt == TRIES:
            break
        console.print(Text(f"\nThe answer was incomplete ({reason}), as right after a start; asking again."))
    return answer


def _assembly_request(sample: Sample) -> dict[str, Any]:
    question = sample.story.assembly
    return {
        "org_id": sample.org_id,
        "agent_id": sample.agent_id,
        # New ids each time: the same turn would be answered from the turn cache.
        "session_id": str(uuid4()),
        "turn_id": str(uuid4()),
        "request_id": str(uuid4()),
        "user_id": question.user_id,
        "model": question.model,
        "messages": list(question.messages),
        "options": {**question.options, "explain": True},
    }


async def _query(client: httpx.AsyncClient, sample: Sample) -> _Answer:
    question = sample.story.query
    request = {"query": question.query, "k": question.k, "agent_id": sample.agent_id, "explain": True}
    return await _post(client, "/memory/query", request, {"X-End-User-ID": question.user_id})


async def _converse(client: httpx.AsyncClient, sample: Sample) -> _Answer:
    """Stores the conversation and waits until its turns are decided and embedded, at most `CAPTURE_SECONDS`.

    A second run finds the turns known.
    """
    scene = sample.story.capture
    user = {"X-End-User-ID": scene.user_id}
    body = {"agent_id": sample.agent_id, "session_id": "first week", "messages": list(scene.messages)}
    stored = await _post(client, "/v1/conversations", body, user)
    path = f"/v1/conversations/{stored.body.get('conversation_id')}"
    pending = f"/v1/memories?agent_id={sample.agent_id}&embedding_state=pending&limit=1"
    end = perf_counter() + CAPTURE_SECONDS
    while stored.status in {200, 202} and perf_counter() < end:
        stored = await _get(client, path, user)
        if stored.body.get("pending") == 0 and not (await _get(client, pending, user)).body.get("memories"):
            break
        await asyncio.sleep(POLL_SECONDS)
    return stored


async def _ask_again(client: httpx.AsyncClient, sample: Sample) -> _Answer:
    scene = sample.story.capture
    question = {"messages": [{"role": "user", "content": scene.question}], "user_id": scene.user_id}
    answer = _Answer(0, {}, 0.0)
    for _ in range(TRIES):
        answer = await _post(client, "/v1/context/assemble", _assembly_request(sample) | question, {})
        if not answer.body.get("metadata", {}).get("fallback_reason"):
            break
    return answer


async def _get(client: httpx.AsyncClient, path: str, headers: Mapping[str, str]) -> _Answer:
    return await _answered(client.get(path, headers=headers))


async def _post(client: httpx.AsyncClient, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> _Answer:
    return await _answered(client.post(path, json=body, headers=headers))


async def _answered(request: Awaitable[httpx.Response]) -> _Answer:
    started = perf_counter()
    try:
        response = await request
    except httpx.HTTPError as error:
        return _Answer(0, {"error": str(error) or type(error).__name__}, (perf_counter() - started) * 1000)
    elapsed_ms = (perf_counter() - started) * 1000
    # A proxy in between may refuse with a body of another form.
    is_json = response.headers.get("content-type", "").startswith("application/json")
    return _Answer(response.status_code, response.json() if is_json else {"text": response.text}, elapsed_ms)
