"""An erased end user is nowhere: not in any table, key of Redis, queue or log that the running system has."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import redis

from local import queues
from tests.e2e.conftest import NewTenant, Tenant
from tests.isolation.conftest import Overheard

WORDS = ("zanzibar", "quokka", "mulberry", "xylophone")


def keys_of(url: str) -> Iterator[tuple[str, str]]:
    """Every key of Redis and what it holds, whatever its type."""
    client = redis.Redis.from_url(url)
    for name in client.scan_iter():
        # What the server itself would send to a replica: every type has one.
        yield name.decode("latin-1"), str(client.dump(name)) + str(_parts(client, name))
    client.close()


def _parts(client: Any, name: bytes) -> Any:
    """Readable too: a dump may be compressed."""
    match client.type(name):
        case b"hash":
            return client.hgetall(name)
        case b"zset":
            return client.zrange(name, 0, -1)
        case b"string":
            return client.get(name)
        case kind:
            raise AssertionError(f"{name!r} is a {kind!r}, which this scan does not read")


def waiting(endpoint_url: str) -> dict[str, str]:
    """Every queue that there is, dead letters included, and the messages in it, which stay there."""
    client = queues.connect(endpoint_url)
    found = {}
    for url in client.list_queues()["QueueUrls"]:
        texts: list[str] = []
        while messages := client.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, VisibilityTimeout=60, AttributeNames=["All"]
        ).get("Messages", []):
            texts += [json.dumps(message, default=str) for message in messages]
            for message in messages:
                client.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        for text in texts:
            client.send_message(QueueUrl=url, MessageBody=json.loads(text)["Body"])
        found[url] = "\n".join(texts)
    client.close()
    return found


def traces(overheard: Overheard, words: tuple[str, ...]) -> set[str]:
    """Where any of the words stands."""
    places = {f"table {name}": text for name, text in overheard.rows().items()}
    places |= {f"key {name}": name + text for name, text in keys_of(overheard.stack.redis_url)}
    places |= {
        f"queue {url.rpartition('/')[2]}": text for url, text in waiting(overheard.stack.aws_endpoint_url).items()
    }
    places |= {name: text.decode("utf-8", "replace") for name, text in overheard.logs().items()}
    forms = [form for word in words for form in (word, word.encode().hex())]
    return {place for place, text in places.items() if any(form in text for form in forms)}


def used(tenant: Tenant, user: str, memory_ids: list[str], at: datetime) -> str:
    event = {
        "event_id": str(uuid4()), "org_id": tenant.org_id, "agent_id": tenant.agent_id, "memory_ids": memory_ids,
        "kind": "query", "at": at.isoformat(), "session_id": f"of {user}", "user_id": user,
    }  # fmt: skip
    return json.dumps(event)


def test_nothing_is_left_of_an_erased_end_user_and_what_was_on_its_way_brings_nothing_back(
    overheard: Overheard, new_tenant: NewTenant
) -> None:
    run = uuid4().hex
    ann, bob = f"ann{run}", f"bob{run}"
    anns, bobs = tuple(f"{word}{run}" for word in WORDS[:2]), tuple(f"{word}{run}" for word in WORDS[2:])
    tenant = new_tenant()
    client = tenant.client
    ids = {
        user: tenant.remember(
            f"The {words[0]} comes by ferry.", f"Tea with {words[1]} is at five.", user_id=user,
            session_id=f"of {user}", summary=words[0], context=words[1], tags=[words[0]], metadata={"of": user},
        )
        for user, words in ((ann, anns), (bob, bobs))
    }  # fmt: skip
    client.patch(f"/v1/agents/{tenant.agent_id}", json={"capture": True}).raise_for_status()
    conversations = {}
    for user, words in ((ann, anns), (bob, bobs)):
        acting = {"X-End-User-ID": user}
        said = [
            {"role": "user", "content": f"I keep the {words[0]} in Lisbon.", "name": user},
            {"role": "assistant", "content": f"Is the {words[1]} there, too?"},
            {"role": "user", "content": "Yes, since May."},
        ]
        stored = client.post(
            "/v1/conversations",
            json={"agent_id": tenant.agent_id, "session_id": f"of {user}", "messages": said},
            headers={**acting, "Idempotency-Key": f"key of {user}"},
        )
        conversations[user] = stored.json()["conversation_id"]
        tenant.assemble(f"I moved the {words[0]} to Porto. What comes by train?", user_id=user)
        client.patch(
            f"/v1/memories/{ids[user][0]}", json={"content": f"The {words[0]} comes by train."}, headers=acting
        )
        client.post(f"/v1/memories/{ids[user][0]}/feedback", json={"feedback": "positive"}, headers=acting)
        for _ in range(4):
            tenant.query("What comes by train?", session_id="of nobody", user_id="*").raise_for_status()
            client.post("/memory/query", json={"query": words[0], "session_id": f"of {user}"}, headers=acting)
            tenant.assemble("What comes by train?", user_id=user, session_id=str(uuid4()))
            tenant.drain()
    captured = client.get("/v1/memories", params={"agent_id": tenant.agent_id, "user_id": ann}).json()["memories"]
    secrets = (ann, *anns, *ids[ann], conversations[ann], *(memory["id"] for memory in captured))
    before = traces(overheard, secrets)
    at, sqs = datetime.now(UTC), queues.connect(overheard.stack.aws_endpoint_url)
    urls = {url.rpartition("/")[2]: url for url in sqs.list_queues()["QueueUrls"]}
    dead = next(url for name, url in urls.items() if "SideEffectsDeadLetter" in name)
    alive = next(url for name, url in urls.items() if "SideEffectsQueue" in name)
    to_capture = json.dumps({"org_id": tenant.org_id, "conversation_id": conversations[ann], "user_id": ann})
    to_embed = json.dumps({"org_id": tenant.org_id, "memory_id": ids[ann][0]})
    for url, body in (
        (dead, used(tenant, ann, ids[bob], at)),
        (dead, used(tenant, bob, ids[bob], at)),
        (dead, used(tenant, bob, ids[ann], at)),
        (next(url for name, url in urls.items() if "EmbedDeadLetter" in name), to_embed),
        (next(url for name, url in urls.items() if "CaptureDeadLetter" in name), to_capture),
    ):
        sqs.send_message(QueueUrl=url, MessageBody=body)

    asked = client.post("/v1/erasures", json={"user_id": ann})
    sqs.send_message(QueueUrl=alive, MessageBody=used(tenant, ann, [*ids[ann], *ids[bob]], at))
    sqs.send_message(QueueUrl=next(url for name, url in urls.items() if "EmbedQueue" in name), MessageBody=to_embed)
    sqs.send_message(QueueUrl=next(url for name, url in urls.items() if "CaptureQueue" in name), MessageBody=to_capture)
    tenant.drain()
    sqs.close()

    assert asked.status_code == 202
    assert {one["provenance"]["conversation_id"] for one in captured if one["provenance"]} > {conversations[ann]}
    assert {"table conversations", "table conversation_turns"} <= before
    assert {"table memories", "table memory_versions", "table feedback", "table sessions", "table profiles"} <= before
    assert any(place.startswith("key ") for place in before)
    assert traces(overheard, (ann, *anns)) == set()
    # The audit trail keeps the ids of what is gone, which lead to nothing.
    assert traces(overheard, secrets) <= {"table audit_entries"}
    left = traces(overheard, (bob, *bobs))
    assert {"table conversations", "table conversation_turns"} <= left
    assert {"table memories", "table sessions", "table profiles", f"queue {dead.rpartition('/')[2]}"} <= left
    again = client.post("/v1/erasures", json={"user_id": ann})
    assert (again.status_code, traces(overheard, (ann, *anns))) == (202, set())
