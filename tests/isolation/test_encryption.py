"""With encryption on no word of any memory is in Postgres, Redis, queues or logs, and search finds the same."""

from base64 import b64encode
from typing import Any

import httpx
import psycopg
import pytest

from tests.e2e.conftest import NewTenant, Tenant
from tests.isolation.conftest import Overheard

MIGRATION = "MigrateFunction"
# Words that nothing else says, each in another field.
CONTENT, SUMMARY, CONTEXT, CHANGED = "zanzibarquokka", "vermilionstoat", "obsidiannarwhal", "cobaltwombat"
SAID, SPEAKER, ASSEMBLED = "peridotpangolin", "ochreocelot", "umberurial"
CALLED, WISHED, REMEMBERED, SEARCHED = "saffronserval", "indigoibex", "maroonmarmot", "viridianvole"
RESUMED, AROUND, REPLACED, CORRECTED = "scarletshrew", "tealtapir", "violetviper", "wengeweasel"
QUESTION = f"Where is the {CONTENT} kept, and who said {CONTEXT}?"


def encrypt(tenant: Tenant) -> dict[str, Any]:
    answer: dict[str, Any] = tenant.loop.run(
        tenant.stack.invoke(MIGRATION, {"task": "encrypt_organization", "org_id": tenant.org_id})
    )
    return answer


def write_everywhere(tenant: Tenant) -> None:
    """Words in each field, through every function, and asked for often enough to be kept."""
    contents = [f"The {CONTENT} number {number} is kept in the cellar." for number in range(12)]
    tenant.remember(*contents, summary=f"about the {SUMMARY}", context=f"Ada had said {CONTEXT} before.")
    tenant.drain()
    for _ in range(4):
        assert CONTENT in tenant.query(QUESTION).json()["memories"][0]["content"]
        assembled = tenant.assemble(QUESTION, turn_id="turn", options={"explain": True}).json()
        assert CONTENT in assembled["messages"][0]["content"]
        tenant.drain()
    listed = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()["memories"]
    assert {memory["summary"] for memory in listed} == {f"about the {SUMMARY}"}
    tenant.client.patch(f"/v1/agents/{tenant.agent_id}", json={"capture": True}).raise_for_status()
    messages = [{"role": "user", "content": f"I keep the {SAID} in Lisbon.", "name": SPEAKER}]
    said = {"agent_id": tenant.agent_id, "session_id": "chat", "messages": messages}
    conversation_id = tenant.client.post("/v1/conversations", json=said).json()["conversation_id"]
    tenant.assemble(f"I moved the {ASSEMBLED} to Porto.", user_id="ann")
    tenant.drain()
    shown = tenant.client.get(f"/v1/conversations/{conversation_id}").json()
    assert [(turn["text"], turn["speaker"]) for turn in shown["turns"]] == [(messages[0]["content"], SPEAKER)]
    for word, user in ((SAID, None), (ASSEMBLED, "ann")):
        acting = {"X-End-User-ID": user} if user else {}
        asked = {"query": f"Where is the {word}?", "agent_id": tenant.agent_id}
        found = tenant.client.post("/memory/query", json=asked, headers=acting).json()["memories"]
        assert word in found[0]["content"]
    changed = tenant.client.patch(f"/v1/memories/{listed[0]['id']}", json={"content": f"The {CHANGED} came instead."})
    assert changed.json()["content"] == f"The {CHANGED} came instead."
    tenant.drain()
    write_elsewhere(tenant, listed[1]["id"])
    tenant.loop.run(tenant.stack.invoke("MaintainFunction", {}))


def write_elsewhere(tenant: Tenant, memory_id: str) -> None:
    """A word of its own by each further route that takes a text: RPC, tools, wishes, changes of other fields."""
    client, ann = tenant.client, {"X-End-User-ID": "ann"}
    rpc = "/remembrancer.context.v1.ContextAssemblyService/AssembleContext"
    asked = {"agentId": tenant.agent_id, "model": "gpt-4o", "requestId": "r", "userId": "ann"}
    said = [{"role": "user", "content": f"I lent the {CALLED} to Bo."}]
    client.post(rpc, json={**asked, "messages": said}, headers={"connect-protocol-version": "1"}).raise_for_status()
    tool(tenant, "remember", content=f"The {REMEMBERED} sleeps in the shed.")
    tool(tenant, "search_memories", query=f"Where is the {SEARCHED}?")
    changed = {"summary": f"about the {RESUMED}", "context": f"They spoke of the {AROUND}."}
    client.patch(f"/v1/memories/{memory_id}", json=changed).raise_for_status()
    replaced = {"agent_id": tenant.agent_id, "content": f"The {REPLACED} took its place.", "supersedes": memory_id}
    client.post("/v1/memories", json=replaced).raise_for_status()
    tenant.drain()
    corrected = {"agent_id": tenant.agent_id, "user_id": "ann", "session_id": "more"}
    for text in (f"My {CORRECTED} is 26 inches long.", f"No, my {CORRECTED} is 28 inches long, not 26."):
        body = {**corrected, "messages": [{"role": "user", "content": text}]}
        client.post("/v1/conversations", json=body).raise_for_status()
        tenant.drain()
    for dry_run in (True, False):
        wish = {"agent_id": tenant.agent_id, "text": f"Forget the {WISHED} and the {CALLED}.", "dry_run": dry_run}
        client.post("/v1/forget", json=wish, headers=ann).raise_for_status()
    tenant.drain()


def tool(tenant: Tenant, name: str, **arguments: str) -> None:
    """Calls a tool of the MCP server for Ann."""
    headers = {"Accept": "application/json, text/event-stream", "X-Agent-ID": tenant.agent_id, "X-End-User-ID": "ann"}
    params = {"name": name, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = tenant.client.post("/mcp", json=message, headers=headers).raise_for_status().json()
    assert not answer["result"].get("isError"), answer


def forms_of(word: str) -> list[bytes]:
    """As it stands, in hexadecimal, and inside base64 wherever its groups of three begin."""
    text = word.encode()
    inner = [b64encode(bytes(shift) + text)[4:-4] for shift in range(3)]
    return [text, text.upper(), text.hex().encode(), *inner]


def places_of(word: str, overheard: Overheard) -> list[str]:
    """Where a word is."""
    places = {
        **{f"table {name}": text.encode() for name, text in overheard.rows().items()},
        **{f"log {name}": text for name, text in overheard.logs().items()},
        "redis": overheard.redis.heard,
        "queues and KMS": overheard.aws.heard,
    }
    return [place for place, content in places.items() if any(form in content for form in forms_of(word))]


def test_no_word_of_an_encrypted_memory_is_anywhere(overheard: Overheard, new_tenant: NewTenant) -> None:
    encrypted = new_tenant()
    progress = encrypt(encrypted)

    write_everywhere(encrypted)

    assert progress["finished"]
    assert f"{encrypted.org_id}:map:".encode() in overheard.redis.heard
    words = (
        *(CONTENT, SUMMARY, CONTEXT, CHANGED, SAID, SPEAKER, ASSEMBLED),
        *(CALLED, WISHED, REMEMBERED, SEARCHED, RESUMED, AROUND, REPLACED, CORRECTED),
    )
    assert {word: places_of(word, overheard) for word in words} == {word: [] for word in words}


def test_the_search_for_words_would_find_them(overheard: Overheard, new_tenant: NewTenant) -> None:
    """What is asserted above fails without encryption."""
    plain = new_tenant()
    plain.remember("The plainspoken magpietoucan is kept in the cellar.", summary="about the magpietoucan")
    plain.drain()

    found = places_of("magpietoucan", overheard)

    assert {"table memories", "redis"} <= set(found)
    assert not [place for place in found if place.startswith("log functions") or place == "queues and KMS"]


def ranks(tenant: Tenant, question: str) -> tuple[dict[tuple[str, str], float], list[str]]:
    """Scores by id and text, of a query and of an assembly, and what was injected; use and time have no weight."""
    weights = {"semantic": 0.4, "lexical": 0.6, "recency": 0, "usage": 0, "importance": 0, "cluster": 0}
    answer = tenant.whole(question, k=10, thoroughness="all", weights=weights, explain=True).json()
    only_relevance = {"relevance": 1, "recency": 0, "usefulness": 0, "confidence": 0, "frequency": 0}
    options = {"explain": True, "weights": only_relevance, "silence": False}
    assembly = tenant.assemble(question, options=options).json()["metadata"]
    scores = {(one["id"], one["content"]): one["factors"]["relevance"] for one in assembly["candidates"]}
    scores |= {(f"query: {one['id']}", one["content"]): one["score"] for one in answer["memories"]}
    return scores, sorted(assembly["memory_ids"])


def test_search_finds_the_same_before_and_after(new_tenant: NewTenant) -> None:
    tenant = new_tenant()
    topics = ("violin", "glacier", "saffron", "lighthouse", "tractor", "beehive")
    tenant.remember(*(f"On day {number} Ada mentioned the {topic}." for number, topic in enumerate(topics * 4)))
    tenant.drain()
    questions = ("beehive honey", "Who tuned the violin?", "ice on the mountain")
    before = [ranks(tenant, question) for question in questions]
    tenant.drain()

    encrypt(tenant)
    after = [ranks(tenant, question) for question in questions]

    for (scores, injected), (were, was_injected) in zip(after, before, strict=True):
        assert injected == was_injected != []
        # An instance that got its map from another has vectors of eight bits.
        assert scores == pytest.approx(were, abs=0.005)


def test_old_versions_of_a_text_are_under_the_new_key_after_a_rotation(new_tenant: NewTenant) -> None:
    tenant = new_tenant()
    (memory_id,) = tenant.remember("The kitchen closes at six.", context="Ada asked.")
    tenant.client.patch(f"/v1/memories/{memory_id}", json={"content": "The kitchen closes at seven."})
    encrypt(tenant)
    tenant.client.patch(f"/v1/memories/{memory_id}", json={"content": "The kitchen closes at eight."})

    rotated = tenant.loop.run(tenant.stack.invoke(MIGRATION, {"task": "rotate_key", "org_id": tenant.org_id}))
    with psycopg.connect(tenant.stack.postgres.superuser_url) as connection:
        rows = connection.execute(
            "SELECT key_version, num_nonnulls(content, context) FROM memory_versions WHERE org_id = %(org)s "
            "UNION ALL SELECT key_version, num_nonnulls(content, context) FROM memories WHERE org_id = %(org)s",
            {"org": tenant.org_id},
        ).fetchall()

    assert (rotated["version"], rotated["finished"]) == (2, True)
    assert rows == [(2, 0)] * 3
    assert tenant.client.get(f"/v1/memories/{memory_id}").json()["content"] == "The kitchen closes at eight."


def test_what_cannot_be_opened_is_redacted_left_out_and_never_written_back(new_tenant: NewTenant) -> None:
    tenant = new_tenant()
    encrypt(tenant)
    damaged, sound = tenant.remember("The violin is in the attic.", "The violin was tuned in May.")
    tenant.drain()
    with psycopg.connect(tenant.stack.postgres.superuser_url) as connection:
        connection.execute("UPDATE memories SET sealed = sealed || 'x'::bytea WHERE memory_id = %s", [damaged])
    connection.close()

    answer = tenant.query("Where is the violin?").json()
    assembly = tenant.assemble("Where is the violin?", options={"explain": True, "skip": ["hot"]}).json()
    shown = tenant.client.get(f"/v1/memories/{damaged}").json()
    # The tenant's own client would ask again.
    address = f"{tenant.stack.url}/v1/memories/{damaged}"
    changed = httpx.patch(address, headers=tenant.client.headers, json={"tags": ["music"]}, timeout=30)

    redacted = "[REDACTED — DECRYPTION FAILED]"
    assert [memory["content"] for memory in answer["memories"]] == ["The violin was tuned in May.", redacted]
    assert "decrypt_error:InvalidTag" in answer["degraded"]
    assert assembly["metadata"]["memory_ids"] == [sound]
    assert "decrypt_error:InvalidTag" in assembly["metadata"]["fallback_reason"]
    assert {one["id"]: one["disposition"] for one in assembly["metadata"]["candidates"]} == {
        damaged: "redacted",
        sound: "included",
    }
    assert shown["content"] == redacted
    assert changed.status_code == 503
