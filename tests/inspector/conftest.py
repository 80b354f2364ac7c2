"""One stack with switches for faults, and the organizations that the flows in the browser use."""

import json
import secrets
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from local import sample
from local.sample.loader import SampleError
from local.stack import Stack, StackSettings
from remembrancer.adapters.postgres.identity.directory import FirstKey, configure_organization, create_organization
from tests.e2e.conftest import PROJECT, START_SECONDS, Loop, NewTenant, Tenant, tenants

# Wide enough for a busy machine, and short enough to wait for a frozen store again and again.
BOUNDS = {
    "ASSEMBLY_MS": "1500",
    "RETRIEVAL_MS": "1400",
    "DIRECTIVE_MS": "700",
    "HOT_MS": "700",
    "COLD_MS": "1300",
    "LEXICAL_MS": "1300",
}
MANY = 10_000
MOVED = "I moved to Oban last month to work at the harbour."
CONTRADICTIONS = (
    ("Deliveries come on Tuesdays.", "Deliveries come on Thursdays now."),
    ("The rent of the boathouse is 950 euros.", "The rent of the boathouse is 1,050 euros."),
    ("Ben eats meat.", "Ben no longer eats meat."),
)
HOSTILE = (
    "<script>window.broken = 1</script><img src=x onerror=\"window.broken = 1\">",
    "</pre></template></style><svg onload=\"window.broken = 1\"><a href=\"javascript:window.broken = 1\">click</a>",
    # "The guest comes on Thursday" in Hebrew, with "hello" in Arabic.
    "\u05d4\u05d0\u05d5\u05e8\u05d7 \u05de\u05d2\u05d9\u05e2 \u05d1\u05d9\u05d5\u05dd "
    "\u05d7\u05de\u05d9\u05e9\u05d9 abc \u0645\u0631\u062d\u0628\u0627 123",
    "{{script}} ${window.broken = 1} </script><script>window.broken = 1</script>",
    "&lt;b&gt;entities&lt;/b&gt; &amp;amp; \\u003cscript\\u003e",
    "\u005fLong" * 1600,
)  # fmt: skip


@pytest.fixture(scope="package")
def inspected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, Loop]]:
    loop = Loop()
    settings = StackSettings(
        directory=tmp_path_factory.mktemp("stack"),
        port=0,
        environment=BOUNDS,
        start_seconds=START_SECONDS,
        faults=True,
    )
    stack = Stack(settings)
    loop.run(stack.start())
    yield stack, loop
    loop.run(stack.stop())
    loop.close()


@pytest.fixture(scope="package")
def scene(inspected: tuple[Stack, Loop], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file that tells the flows the address, and a key and an agent of each organization."""
    stack, loop = inspected
    making = tenants(stack, loop)
    new_tenant = next(making)
    scene = {
        "url": stack.url,
        "sample": _sample(stack, loop),
        "correct": _correct(new_tenant),
        "review": _review(new_tenant),
        "instructed": _instructed(new_tenant),
        "corrected": _corrected(new_tenant),
        "wished": _wished(new_tenant(), outcome="proposed"),
        "forgotten": _wished(new_tenant(), outcome="forgotten"),
        "many": _many(new_tenant()),
        "hostile": _hostile(new_tenant()),
        "empty": _place(new_tenant()),
        "readonly": _place(new_tenant(scopes=("query", "assemble"))),
    }
    path = tmp_path_factory.mktemp("scene") / "scene.json"
    path.write_text(json.dumps(scene), encoding="utf-8")
    yield path
    next(making, None)


def _place(tenant: Tenant) -> dict[str, str]:
    return {"key": tenant.client.headers["x-api-key"], "agent": tenant.agent_id}


def _sample(stack: Stack, loop: Loop) -> dict[str, str]:
    key = secrets.token_urlsafe(32)
    first = FirstKey("sample", sha256(key.encode()).digest(), ("admin", "all_users"))
    principal = loop.run(
        create_organization(
            stack.owner_database_url, name="Sample", project_id=PROJECT, environment="production", key=first
        )
    )
    for attempt in range(4):
        try:
            loaded = loop.run(sample.load(stack.url, key, org_id=str(principal.org_id)))
            break
        except SampleError:
            # Loading continues where it failed: on a busy machine Postgres may end one of two concurrent writes.
            if attempt == 3:
                raise
    return {"key": key, "agent": loaded.agent_id}


def _correct(new_tenant: NewTenant) -> dict[str, str]:
    """Three related memories; one has an earlier text."""
    tenant = new_tenant()
    fish, lift, private = tenant.remember("Fish comes on Thursdays.", "The lift is out of order.", "Ann is allergic.")
    tenant.client.patch(f"/v1/memories/{fish}", json={"content": "Fish comes on Fridays."}).raise_for_status()
    for target, kind in ((lift, "supports"), (private, "contradicts")):
        related = tenant.client.post(f"/v1/memories/{fish}/relations", json={"to": target, "type": kind})
        related.raise_for_status()
    for text in ("Answer in two sentences.", "Answer in one sentence."):
        tenant.client.put(f"/v1/agents/{tenant.agent_id}/directive", json={"text": text}).raise_for_status()
    return _place(tenant)


def _review(new_tenant: NewTenant) -> dict[str, str]:
    """A memory that waits for review, pairs that contradict each other, and a captured conversation."""
    tenant = new_tenant()
    tenant.remember(*(older for older, _ in CONTRADICTIONS), created_at="2026-03-01T10:00:00Z")
    tenant.remember(*(newer for _, newer in CONTRADICTIONS), created_at="2026-09-01T10:00:00Z")
    messages = [{"role": "user", "content": "Hi!"}, {"role": "user", "content": MOVED, "name": "Ann"}]
    said = {"agent_id": tenant.agent_id, "session_id": "chat", "messages": messages}
    tenant.client.post("/v1/conversations", json=said).raise_for_status()
    (memory,) = tenant.remember("The guest may want an early breakfast.")
    tenant.client.patch(f"/v1/memories/{memory}", json={"status": "pending_review"}).raise_for_status()
    end = time.monotonic() + 60
    while len(_read(tenant, "conflicts")) < len(CONTRADICTIONS) or _read(tenant, "conversations")[0]["pending"]:
        assert time.monotonic() < end, "the workers have not found what contradicts"
        time.sleep(0.2)
    return _place(tenant)


def _instructed(new_tenant: NewTenant) -> dict[str, str]:
    """Two captured instructions of an end user, which are proposed as pinned."""
    tenant = new_tenant()
    messages = [{"role": "user", "content": text} for text in ("Always answer in German.", "Call me Sam.")]
    said = {"agent_id": tenant.agent_id, "session_id": "chat", "user_id": "ada", "messages": messages}
    tenant.client.post("/v1/conversations", json=said).raise_for_status()
    end = time.monotonic() + 60
    while len(_read(tenant, "memories", user_id="ada", pin_proposed=True)) < len(messages):
        assert time.monotonic() < end, "the worker has not captured the instructions"
        time.sleep(0.2)
    return _place(tenant)


def _corrected(new_tenant: NewTenant) -> dict[str, str]:
    """A captured conversation in which an end user corrects what they said."""
    tenant = new_tenant()
    texts = ("My rear wheel is 26 inches.", "No, my rear wheel is 28 inches, not 26.")
    messages = [{"role": "user", "content": text} for text in texts]
    said = {"agent_id": tenant.agent_id, "session_id": "chat", "user_id": "ada", "messages": messages}
    tenant.client.post("/v1/conversations", json=said).raise_for_status()
    end = time.monotonic() + 60
    while not _read(tenant, "memories", user_id="ada", status="superseded"):
        assert time.monotonic() < end, "the worker has not captured the correction"
        time.sleep(0.2)
    return _place(tenant)


def _wished(tenant: Tenant, *, outcome: str) -> dict[str, str]:
    """A captured wish to forget two memories, which wait for a decision or are forgotten at once."""
    settings = {"forget_at_once": outcome == "forgotten"}
    tenant.loop.run(configure_organization(tenant.stack.owner_database_url, UUID(tenant.org_id), settings))
    tenant.remember("My cello is insured in Leith.", "The bow of my cello is from Mirecourt.", user_id="ada")
    tenant.until_embedded()
    messages = [{"role": "user", "content": "Please forget everything about my cello."}]
    said = {"agent_id": tenant.agent_id, "session_id": "chat", "user_id": "ada", "messages": messages}
    conversation = tenant.client.post("/v1/conversations", json=said).json()["conversation_id"]
    end = time.monotonic() + 60
    while True:
        found = tenant.client.get(f"/v1/conversations/{conversation}", headers={"X-End-User-ID": "ada"})
        [turn] = found.json()["turns"]
        if turn["forget"]:
            break
        assert time.monotonic() < end, "the worker has not captured the wish"
        time.sleep(0.2)
    assert (turn["forget"]["outcome"], len(turn["forget"][outcome])) == (outcome, 2), turn
    return _place(tenant)


def _read(tenant: Tenant, what: str, **filters: Any) -> list[dict[str, Any]]:
    asked = {"agent_id": tenant.agent_id, **filters}
    found: list[dict[str, Any]] = tenant.client.get(f"/v1/{what}", params=asked).json()[what]
    return found


def _hostile(tenant: Tenant) -> dict[str, str]:
    tenant.remember(*HOSTILE)
    tenant.client.put(f"/v1/agents/{tenant.agent_id}/directive", json={"text": HOSTILE[0]}).raise_for_status()
    return _place(tenant)


def _many(tenant: Tenant) -> dict[str, str]:
    """Only rows, since listing needs neither words nor vectors; archived, so that nothing computes them."""
    with psycopg.connect(tenant.stack.owner_database_url) as connection:
        connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [tenant.org_id])
        connection.execute(
            """
            INSERT INTO memories (memory_id, org_id, project_id, environment, agent_id, content, category, source,
                                  confidence, importance, quality, content_sha256, tokens_o200k, tokens_cl100k,
                                  embedding_state, status, created_at)
            SELECT gen_random_uuid(), %(org)s, %(project)s, 'production', %(agent)s,
                   'Memory ' || n || ': the guest of room ' || n %% 17 || ' wants ' || repeat('more tea and ', n %% 9)
                   || 'quiet.', 'factual', 'imported', 0.8, 0.5, 0.5, sha256(n::text::bytea), 12, 12,
                   'ready', 'archived', now() - n * interval '7 minutes'
            FROM generate_series(1, %(many)s) n
            """,
            {"org": tenant.org_id, "project": PROJECT, "agent": tenant.agent_id, "many": MANY},
        )
    return _place(tenant)
